//! Calls to the renderer. Panics in it are caught here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use svc_diagnostics::{Diagnostic, SourceFile, Span};
use svc_nav::Route;
use svc_render::{Article, Dependencies, RenderContext, SignInForm};

use crate::codes::INTERNAL;
use crate::dependencies::DependencySet;
use crate::page::{CompressedBytes, PageOutput};
use crate::policy;

/// A rendered article with its diagnostics.
#[derive(Debug)]
pub(crate) struct RenderedArticle {
    pub(crate) article: Arc<Article>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether rendering panicked.
    pub(crate) broken: bool,
    /// The page file that it was rendered from; pages with the same text share the article.
    pub(crate) file: Option<Arc<str>>,
    /// Dependencies of the article.
    pub(crate) dependencies: DependencySet,
    /// Whether nothing but the text and the configuration was read: no link, image or import had to
    /// be resolved. The article is then the same in every directory.
    pub(crate) is_self_contained: bool,
}

pub(crate) fn article(
    cx: &RenderContext<'_>,
    file: Option<&SourceFile>,
    route: &Route,
) -> RenderedArticle {
    let path = file.map(|file| file.path().clone());
    let rendered = catch_unwind(AssertUnwindSafe(|| svc_render::render_article(cx, route)));
    let recorded = cx.tree.dependencies();
    let is_self_contained = recorded == Dependencies::default();
    let dependencies = DependencySet::of(&recorded, path.as_deref());
    match rendered {
        Ok(checked) => RenderedArticle {
            dependencies,
            is_self_contained,
            article: Arc::new(checked.value),
            diagnostics: checked.diagnostics,
            broken: false,
            file: path,
        },
        Err(_) => RenderedArticle {
            dependencies,
            is_self_contained: false,
            article: Arc::default(),
            diagnostics: vec![internal(route, file)],
            broken: true,
            file: path,
        },
    }
}

/// The accessibility problems of the content of a page.
pub(crate) fn accessibility(
    cx: &RenderContext<'_>,
    file: Option<&SourceFile>,
    route: &Route,
) -> Vec<Diagnostic> {
    let check = || svc_render::check_accessibility(cx, route);
    catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|_| vec![internal(route, file)])
}

pub(crate) fn page(
    cx: &RenderContext<'_>,
    route: &Route,
    rendered: &RenderedArticle,
) -> PageOutput {
    let page = if rendered.broken {
        Err(())
    } else {
        catch_unwind(AssertUnwindSafe(|| {
            svc_render::render_page(cx, route, &rendered.article)
        }))
        .map_err(|_| ())
    };
    let broken = page.is_err();
    let html = page.unwrap_or_else(|()| {
        let message = "there is a mistake in the program that draws it";
        let render = || svc_render::broken_page(cx, route, message);
        catch_unwind(AssertUnwindSafe(render)).unwrap_or_else(|_| plain(message))
    });
    let parts = rendered.article.fragments.iter();
    PageOutput {
        digests: policy::digests(cx, &rendered.article, !broken),
        html: CompressedBytes::new(html.into_bytes()),
        dependencies: DependencySet::of(&cx.tree.dependencies(), None),
        broken,
        modules: rendered.article.modules.keys().cloned().collect(),
        fragments: parts.map(|link| link.path.clone()).collect(),
    }
}

/// The page for missing pages, as the HTML before and after the suggestions.
pub(crate) fn not_found(cx: &RenderContext<'_>, language: Option<String>) -> [String; 2] {
    catch_unwind(AssertUnwindSafe(|| svc_render::not_found(cx, language)))
        .unwrap_or_else(|_| [plain("there is no page at this address"), String::new()])
}

/// The page with the results of a search.
pub(crate) fn search_page(cx: &RenderContext<'_>, page: &svc_render::SearchPage<'_>) -> Vec<u8> {
    catch_unwind(AssertUnwindSafe(|| svc_render::search_page(cx, page)))
        .unwrap_or_else(|_| plain("the results cannot be shown"))
        .into_bytes()
}

/// A page of svc itself with text in MDX, and its article.
pub(crate) fn notice(cx: &RenderContext<'_>, title: &str, text: &str) -> (Vec<u8>, Article) {
    let render = || svc_render::notice_page(cx, title, text);
    let (html, article) = catch_unwind(AssertUnwindSafe(render))
        .unwrap_or_else(|_| (plain("the page cannot be shown"), Article::default()));
    (html.into_bytes(), article)
}

/// The page that is shown when all pages of the site are protected.
pub(crate) fn protected(cx: &RenderContext<'_>) -> Vec<u8> {
    catch_unwind(AssertUnwindSafe(|| svc_render::protected_page(cx)))
        .unwrap_or_else(|_| plain("every page of this site is protected"))
        .into_bytes()
}

/// The page on which readers sign in.
pub(crate) fn sign_in(
    cx: &RenderContext<'_>,
    languages: &[&str],
    form: &SignInForm<'_>,
) -> Vec<u8> {
    let render = || svc_render::sign_in_page(cx, languages, form);
    catch_unwind(AssertUnwindSafe(render))
        .unwrap_or_else(|_| plain("the page to sign in cannot be shown"))
        .into_bytes()
}

/// Minimal page for when even the page frame cannot be rendered.
fn plain(message: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><title>Sorry</title><h1>Sorry</h1><p>{message}.</p></html>"
    )
}

fn internal(route: &Route, file: Option<&SourceFile>) -> Diagnostic {
    let message = format!("`{}` could not be rendered", route.path);
    let diagnostic = Diagnostic::new(&INTERNAL, message)
        .hint("this is a bug in svc, not in the page; report it and attach the page");
    match file {
        Some(file) => diagnostic.at(file.location(Span::default())),
        None => diagnostic,
    }
}
