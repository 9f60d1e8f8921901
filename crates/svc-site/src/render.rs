//! The only place that calls the renderer; a panic inside of it stops here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use svc_diagnostics::{Diagnostic, SourceFile, Span};
use svc_nav::Route;
use svc_render::{Article, RenderContext};

use crate::codes::INTERNAL;
use crate::dependencies::DependencySet;
use crate::policy;
use crate::{CompressedBytes, PageOutput, Site};

/// An article and what was wrong with its page.
#[derive(Debug)]
pub(crate) struct RenderedArticle {
    pub(crate) article: Arc<Article>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Rendering panicked.
    pub(crate) broken: bool,
    /// The page file it was made from; its twin may stand at other addresses too.
    pub(crate) file: Option<Arc<str>>,
    /// What it was made from.
    pub(crate) dependencies: DependencySet,
}

pub(crate) fn article(cx: &RenderContext<'_>, site: &Site, route: &Route) -> RenderedArticle {
    let file = site.page_of(route).map(|page| page.file.clone());
    let path = file.as_ref().map(|file| file.path().clone());
    let drawn = catch_unwind(AssertUnwindSafe(|| svc_render::render_article(cx, route)));
    let needs = DependencySet::of(&cx.tree.dependencies(), path.as_deref());
    match drawn {
        Ok(checked) => RenderedArticle {
            dependencies: needs,
            article: Arc::new(checked.value),
            diagnostics: checked.diagnostics,
            broken: false,
            file: path,
        },
        Err(_) => RenderedArticle {
            dependencies: needs,
            article: Arc::default(),
            diagnostics: vec![internal(route, file.as_ref())],
            broken: true,
            file: path,
        },
    }
}

pub(crate) fn page(cx: &RenderContext<'_>, route: &Route, drawn: &RenderedArticle) -> PageOutput {
    let page = if drawn.broken {
        Err(())
    } else {
        catch_unwind(AssertUnwindSafe(|| {
            svc_render::render_page(cx, route, &drawn.article)
        }))
        .map_err(|_| ())
    };
    let broken = page.is_err();
    let html = page.unwrap_or_else(|()| {
        let message = "there is a mistake in the program that draws it";
        let drawn = || svc_render::broken_page(cx, route, message);
        catch_unwind(AssertUnwindSafe(drawn)).unwrap_or_else(|_| plain(message))
    });
    let parts = drawn.article.fragments.iter();
    PageOutput {
        digests: policy::digests(cx, &drawn.article),
        html: CompressedBytes::new(html.into_bytes()),
        dependencies: DependencySet::of(&cx.tree.dependencies(), None),
        broken,
        modules: drawn.article.modules.keys().cloned().collect(),
        fragments: parts.map(|link| link.path.clone()).collect(),
    }
}

/// The page for an address that does not exist, before and after the place of suggestions.
pub(crate) fn not_found(cx: &RenderContext<'_>, language: Option<String>) -> [String; 2] {
    catch_unwind(AssertUnwindSafe(|| svc_render::not_found(cx, language)))
        .unwrap_or_else(|_| [plain("there is no page at this address"), String::new()])
}

/// The page of a site that shows nothing, as every page of it asks for protection.
pub(crate) fn protected(cx: &RenderContext<'_>) -> Vec<u8> {
    catch_unwind(AssertUnwindSafe(|| svc_render::protected_page(cx)))
        .unwrap_or_else(|_| plain("every page of this site is protected"))
        .into_bytes()
}

/// Not even the page around the article can be drawn.
fn plain(message: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><title>Sorry</title><h1>Sorry</h1><p>{message}.</p></html>"
    )
}

fn internal(route: &Route, file: Option<&SourceFile>) -> Diagnostic {
    let message = format!("`{}` could not be rendered", route.path);
    let found = Diagnostic::new(&INTERNAL, message)
        .hint("this is a mistake in svc, not in the page; please report it with the page");
    match file {
        Some(file) => found.at(file.location(Span::default())),
        None => found,
    }
}
