//! Whole pages.

use svc_nav::{Route, RouteBody};
use svc_source::Mode;

use crate::address::printed_path;
use crate::article::Article;
use crate::chrome::{Content, Page, View, document};
use crate::ctx::RenderContext;
use crate::html::Html;
use crate::language::texts;

/// The HTML document of a route around its article.
pub fn render_page(cx: &RenderContext<'_>, route: &Route, article: &Article) -> String {
    let file = match &route.body {
        RouteBody::Page { slug } => cx.pages.get(slug),
        RouteBody::Generated => None,
    };
    let front_matter = file
        .map(|page| &page.front_matter)
        .or(route.metadata.as_deref());
    let page = Page {
        title: &route.title,
        description: route.description.as_deref(),
        mode: front_matter.map_or(Mode::Default, |matter| matter.mode),
        twin: true,
        front_matter,
        is_route: true,
    };
    let view = View {
        cx,
        route,
        taken: &article.ids,
    };
    document(&view, &page, &Content { article })
}

/// The page for an address that does not exist; `near` are routes that were probably meant.
pub fn not_found(cx: &RenderContext<'_>, near: &[&Route]) -> String {
    let custom = &cx.config.not_found;
    // The reader was probably on the way to one of these, otherwise to the beginning.
    let home = cx.site_map.routes.get("/");
    let language = near.first().copied().or(home);
    let language = language.and_then(|route| route.language.clone());
    let texts = texts(language.as_deref());
    let mut html = Html::literal("<p>");
    match &custom.description {
        Some(text) => html.add(&crate::markdown::inline(text)),
        None => html.esc(texts.no_page_here),
    };
    html.lit("</p>");
    if !near.is_empty() {
        html.lit("<p>").esc(texts.did_you_mean).lit("</p><ul>");
        for route in near {
            let href = crate::chrome::address(
                &cx.options.base_path,
                &printed_path(cx.config, &route.path),
            );
            html.lit("<li><a")
                .attr("href", &href)
                .lit(">")
                .esc(&route.title)
                .lit("</a></li>");
        }
        html.lit("</ul>");
    }
    let title = custom.title.as_deref().unwrap_or(texts.page_not_found);
    notice(cx, title, language, html)
}

/// A page that could not be rendered, with what went wrong.
pub fn broken_page(cx: &RenderContext<'_>, route: &Route, message: &str) -> String {
    let mut html = Html::literal("<p>");
    html.esc(texts(route.language.as_deref()).page_broken)
        .lit(" ")
        .esc(message)
        .lit("</p>");
    notice(cx, &route.title, route.language.clone(), html)
}

/// A page of the program itself, in the clothes of the site.
fn notice(cx: &RenderContext<'_>, title: &str, language: Option<String>, html: Html) -> String {
    let body = RouteBody::Page { slug: "".into() };
    let route = Route {
        hidden: false,
        noindex: true,
        language,
        ..Route::blank(String::new(), "", body, title.to_owned())
    };
    let article = Article {
        html,
        ..Article::default()
    };
    let page = Page {
        title,
        description: None,
        mode: Mode::Default,
        twin: false,
        front_matter: None,
        is_route: false,
    };
    document(
        &View {
            cx,
            route: &route,
            taken: &[],
        },
        &page,
        &Content { article: &article },
    )
}

/// The page to which authorization servers send readers of the playground back.
pub fn callback_page(cx: &RenderContext<'_>) -> String {
    let home = cx.site_map.routes.get("/");
    let texts = texts(home.and_then(|route| route.language.as_deref()));
    let script = crate::api::playground::callback();
    let mut html = Html::literal("<!doctype html><meta charset=\"utf-8\"><title>");
    html.esc(texts.authorization).lit("</title><script defer");
    let base = &cx.options.base_path;
    html.attr("src", &format!("{base}/_svc/assets/{script}"));
    html.lit("></script><p>")
        .esc(texts.close_window)
        .lit("</p>");
    html.into_string()
}

/// A page that leads on, for static exports.
pub fn redirect_page(target: &str) -> String {
    let target = crate::chrome::address("", target);
    let mut html = Html::literal("<!doctype html><meta charset=\"utf-8\"><title>Moved</title>");
    html.lit("<link rel=\"canonical\"")
        .attr("href", &target)
        .lit("><meta http-equiv=\"refresh\"");
    html.attr("content", &format!("0; url={target}"))
        .lit("><a")
        .attr("href", &target);
    html.lit(">This page has moved.</a>");
    html.into_string()
}
