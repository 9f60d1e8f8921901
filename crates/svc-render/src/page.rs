//! Complete HTML documents.

use svc_config::IconLibrary;
use svc_nav::{Audience, Route, RouteBody};
use svc_source::Mode;

use crate::article::content::Article;
use crate::chrome::{Page, View, document};
use crate::ctx::RenderContext;
use crate::html::Html;
use crate::i18n::messages;
use crate::sign_in::SIGN_IN_PATH;
use crate::url::{printed_path, resolve_url};

/// Renders the HTML document of a route around its article.
pub fn render_page(cx: &RenderContext<'_>, route: &Route, article: &Article) -> String {
    let file = match &route.body {
        RouteBody::Page { slug } => cx.pages.get(slug),
        RouteBody::Generated => None,
    };
    let front_matter = file
        .map(|page| &page.front_matter)
        .or(route.metadata.as_deref());
    let description = crate::api::summary(route);
    let page = Page {
        title: &route.title,
        description: description.as_deref(),
        mode: front_matter.map_or(Mode::Default, |matter| matter.mode),
        has_markdown: true,
        front_matter,
        is_route: true,
        status: None,
    };
    let view = View {
        cx,
        route,
        used_ids: &article.ids,
    };
    document(&view, &page, article)
}

/// Maximum number of characters of a requested path that the 404 page repeats.
const MAX_URL_CHARS: usize = 200;

/// Renders the part of the 404 page that depends on the request: the requested path and links to
/// similar routes.
pub fn suggestions(
    cx: &RenderContext<'_>,
    path: &str,
    near: &[&Route],
    language: Option<&str>,
) -> Html {
    // An exported 404 page serves every path; its script inserts the requested one.
    let shown: String = path.chars().take(MAX_URL_CHARS).collect();
    let mut html = Html::literal("<p><code data-svc-missing>");
    html.esc(&shown).lit("</code></p>");
    if near.is_empty() {
        return html;
    }
    html.lit("<p>")
        .esc(messages(language).did_you_mean)
        .lit("</p><ul class=\"not-found-recommended-pages-list\">");
    for route in near {
        html.lit("<li>");
        link(
            cx,
            &mut html,
            Some("not-found-recommended-page-link"),
            route,
        );
        html.lit("</li>");
    }
    html.lit("</ul>");
    html
}

/// A link to a route with its short title as text.
fn link(cx: &RenderContext<'_>, html: &mut Html, class: Option<&'static str>, route: &Route) {
    let path = printed_path(cx.config, &route.path);
    let href = resolve_url(&cx.options.site.base_path, &path);
    html.lit("<a").attr_if("class", class);
    html.attr("href", &href)
        .lit(">")
        .esc(route.short_title())
        .lit("</a>");
}

/// Renders the 404 page, split at the position of [`suggestions`]. The second part is empty if the
/// page has no such position.
pub fn not_found(cx: &RenderContext<'_>, language: Option<String>) -> [String; 2] {
    const PLACEHOLDER: &str = "<!--svc-suggestions-->";
    let custom = &cx.config.not_found;
    let texts = messages(language.as_deref());
    let mut html = Html::literal("<p class=\"not-found-description\">");
    match &custom.description {
        Some(text) => html.add(&crate::markdown::plain_inline(text)),
        None => html.esc(texts.no_page_here),
    };
    html.lit("</p>").lit(PLACEHOLDER);
    html.lit("<div class=\"svc-missing\"><button type=\"button\" class=\"svc-missing-search\" data-svc-search data-svc-missing-search aria-haspopup=\"dialog\">")
        .add(&crate::icons::render_icon("search", None, IconLibrary::Lucide).unwrap_or_default())
        .esc(texts.search_documentation)
        .lit("</button>");
    let mut pages = cx.site_map.routes.values();
    let first = pages.find(|route| route.in_navigation && route.language == language);
    if let Some(first) = first {
        link(cx, &mut html, Some("svc-cta"), first);
    }
    // On every path, so that it does not tell which pages exist.
    if cx.options.site.sign_in && cx.options.site.audience == Audience::Everyone {
        let href = resolve_url(&cx.options.site.base_path, SIGN_IN_PATH);
        html.lit("<a class=\"svc-cta\"")
            .attr("href", &href)
            .lit(">");
        html.esc(texts.sign_in).lit("</a>");
    }
    html.lit("</div>");
    let title = custom.title.as_deref().unwrap_or(texts.page_not_found);
    let page = notice(cx, title, language, html, Some("404"));
    match page.split_once(PLACEHOLDER) {
        Some((before, after)) => [before, after].map(str::to_owned),
        None => [page, String::new()],
    }
}

/// Renders the page that is served if every page of the site requires authentication.
pub fn protected_page(cx: &RenderContext<'_>) -> String {
    let html = Html::literal(
        "<p>Every page of this site is only for readers who sign in, and the server does not say how they sign in. So none of them is shown.</p><p>Whoever runs this site can add <code>[projects.readers]</code> to the settings of the project, or show all pages to everybody with <code>serve_protected = true</code> or <code>--serve-protected</code>.</p>",
    );
    notice(cx, "This site is protected", None, html, None)
}

/// Renders the page that replaces one that could not be rendered, with the error message.
pub fn broken_page(cx: &RenderContext<'_>, route: &Route, message: &str) -> String {
    let mut html = Html::literal("<p>");
    html.esc(messages(route.language.as_deref()).page_broken)
        .lit(" ")
        .esc(message)
        .lit("</p>");
    notice(cx, &route.title, route.language.clone(), html, None)
}

/// A page of svc itself with the layout of the site.
pub(crate) fn notice(
    cx: &RenderContext<'_>,
    title: &str,
    language: Option<String>,
    html: Html,
    status: Option<&'static str>,
) -> String {
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
    notice_of(cx, &route, &article, status)
}

/// A page of svc itself with text in MDX, and its article. The text must not contain anything from
/// outside that is not encoded.
pub fn notice_page(cx: &RenderContext<'_>, title: &str, text: &str) -> (String, Article) {
    let body = RouteBody::Page { slug: "".into() };
    let route = Route {
        hidden: false,
        noindex: true,
        language: Some("en".to_owned()),
        ..Route::blank(String::new(), "", body, title.to_owned())
    };
    let article = crate::article::text_article(cx, text);
    (notice_of(cx, &route, &article, None), article)
}

fn notice_of(
    cx: &RenderContext<'_>,
    route: &Route,
    article: &Article,
    status: Option<&'static str>,
) -> String {
    let page = Page {
        title: &route.title,
        description: None,
        mode: Mode::Default,
        has_markdown: false,
        front_matter: None,
        is_route: false,
        status,
    };
    document(
        &View {
            cx,
            route,
            used_ids: &[],
        },
        &page,
        article,
    )
}

/// Renders the redirect target of OAuth flows of the playground.
pub fn callback_page(cx: &RenderContext<'_>) -> String {
    let home = cx.site_map.routes.get("/");
    let texts = messages(home.and_then(|route| route.language.as_deref()));
    let script = crate::api::playground::callback();
    let mut html = Html::literal("<!doctype html><meta charset=\"utf-8\"><title>");
    html.esc(texts.authorization).lit("</title><script defer");
    let base = &cx.options.site.base_path;
    html.attr("src", &format!("{base}/_svc/assets/{script}"));
    html.lit("></script><p>")
        .esc(texts.close_window)
        .lit("</p>");
    html.into_string()
}

/// Renders a page that redirects to `target`, for static exports.
pub fn redirect_page(target: &str) -> String {
    let target = resolve_url("", target);
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
