//! The article of a page: rendered from MDX or from an OpenAPI operation.

pub(crate) mod children;
pub(crate) mod content;
mod element;
mod expression;
pub(crate) mod snippet;
pub(crate) mod tag;

use std::rc::Rc;
use std::sync::Arc;

use svc_config::Contextual;
use svc_diagnostics::{Checked, Diagnostic, Fix, Location, SourceFile, Span, is_typing_error};
use svc_nav::{Route, RouteBody};
use svc_openapi::ApiDocument;
use svc_source::{Mode, Page};

use crate::api;
use crate::components;
use crate::ctx::marks::SourceMarks;
use crate::ctx::{Ctx, FileScope, RenderContext};
use crate::html::Html;
use crate::icons;
use crate::markdown;
use crate::ui::{ready_callout, split};

pub use content::Article;
pub(crate) use element::UNKNOWN_COMPONENT;
pub(crate) use expression::{BAD_EXPRESSION, UNKNOWN_VARIABLE};

/// Renders the article of a route. Problems of the page are diagnostics; the rest of the page is
/// rendered.
pub fn render_article(cx: &RenderContext<'_>, route: &Route) -> Checked<Article> {
    match body(cx, route, None) {
        Some((state, html)) => finish(state, html),
        None => Checked::clean(Article::default()),
    }
}

/// Renders the article of a route for checks: its elements have locations, which are returned.
pub(crate) fn marked_article(cx: &RenderContext<'_>, route: &Route) -> (Article, Vec<Location>) {
    let Some((mut state, html)) = body(cx, route, Some(SourceMarks::default())) else {
        return Default::default();
    };
    let locations = state.marks.take().map(|marks| marks.locations);
    let article = finish(state, html).value;
    (article, locations.unwrap_or_default())
}

/// The content of the article of a route, and the state after rendering it. `None` if the route has
/// no content.
fn body<'c>(
    cx: &'c RenderContext<'c>,
    route: &Route,
    marks: Option<SourceMarks>,
) -> Option<(Ctx<'c>, Html)> {
    if let RouteBody::Page { slug } = &route.body {
        return Some(page_body(cx, cx.pages.get(slug)?, route, marks));
    }
    let (document, at) = documented(cx, route)?;
    let modules = components::modules(cx);
    let scope = FileScope::new(document.file.clone(), 0, modules.empty());
    let mut page = Ctx::new(cx, route.language.as_deref(), scope, modules);
    page.page.document = Some(at);
    page.page.path.clone_from(&route.path);
    let mut html = api::title(&mut page, route);
    let below = api::reference(&mut page, (document, at), route);
    html.add(&below);
    Some((page, html))
}

/// Renders text in MDX that is not a page of the repository.
pub(crate) fn text_article(cx: &RenderContext<'_>, text: &str) -> Article {
    let file = SourceFile::new("page.mdx", text);
    let mut modules = components::modules(cx);
    let module = modules.page(&file, file.text(), 0, &mut Vec::new());
    let scope = FileScope::new(file.clone(), 0, Rc::clone(&module));
    let mut state = Ctx::new(cx, Some("en"), scope, modules);
    let html = state.nodes(&module.document.children);
    finish(state, html).value
}

/// The document of the operation, webhook or data model of a route, and its index in the catalog.
fn documented<'a>(cx: &RenderContext<'a>, route: &Route) -> Option<(&'a ApiDocument, usize)> {
    let at = route.operation.as_ref()?.document();
    Some((cx.catalog.documents.get(at)?, at))
}

fn page_body<'c>(
    cx: &'c RenderContext<'c>,
    page: &Page,
    route: &Route,
    marks: Option<SourceMarks>,
) -> (Ctx<'c>, Html) {
    let mut modules = components::modules(cx);
    let mut diagnostics = Vec::new();
    let text = page.file.text().get(page.body as usize..).unwrap_or("");
    let module = modules.page(&page.file, text, page.body, &mut diagnostics);
    let scope = FileScope::new(page.file.clone(), page.body, Rc::clone(&module));
    let mut state = Ctx::new(cx, route.language.as_deref(), scope, modules);
    let menu = Contextual::from_front_matter(&page.file, &page.front_matter.raw);
    diagnostics.extend(menu.diagnostics);
    state.out.diagnostics = diagnostics;
    state.marks = marks;
    let mode = page.front_matter.mode;
    state.page.without_aside = matches!(mode, Mode::Wide | Mode::Center | Mode::Custom);
    state.out.features.feed_button = page.front_matter.rss;
    front_matter_icon(&mut state, page);
    state.page.plain_headings = matches!(mode, Mode::Custom | Mode::Frame);
    let operation = documented(cx, route);
    let mut html = Html::new();
    if let Some((_, at)) = operation {
        state.page.document = Some(at);
        state.page.path.clone_from(&route.path);
        html.add(&api::title(&mut state, route));
    }
    let manual = page
        .front_matter
        .api
        .as_deref()
        .filter(|_| operation.is_none());
    if let Some(manual) = manual {
        api::mdx_endpoint_bar(&mut state, route, manual);
    }
    let body = state.nodes(&module.document.children);
    html.add(&body);
    let notes = markdown::footnotes(&mut state);
    html.add(&notes);
    if manual.is_some() {
        state.out.endpoint = api::mdx_endpoint::to_openapi(&state, page).map(Arc::from);
        api::mdx_samples(&mut state);
    }
    if operation.is_none() && page.front_matter.openapi.is_some() {
        let mut text = Html::literal("<p>");
        text.esc(state.texts.reference_missing).lit("</p>");
        html.add(&ready_callout(state.texts, "warning", &text));
    }
    if let Some((document, at)) = operation {
        let below = api::reference(&mut state, (document, at), route);
        html.add(&below);
    }
    if state.page.without_aside {
        state.out.aside = Html::new();
    }
    (state, html)
}

/// Reports an unknown icon in the front matter.
fn front_matter_icon(cx: &mut Ctx<'_>, page: &Page) {
    let matter = &page.front_matter;
    let Some(name) = matter.icon.as_deref() else {
        return;
    };
    let library = matter.icon_library.as_deref();
    if let Some(problem) = icons::problem(cx, name, matter.icon_type.as_deref(), library) {
        let span = matter.span_of("icon").unwrap_or_default();
        let near = problem.near.filter(|near| is_typing_error(name, near));
        let fix = near.and_then(|near| Fix::replace(&page.file, span, name, near));
        let diagnostic = Diagnostic::new(problem.code, problem.message)
            .at(page.file.location(span))
            .hint(problem.hint)
            .fix(fix);
        cx.out.diagnostics.push(diagnostic);
    }
}

/// Adds the side column and converts the state into an article.
fn finish(cx: Ctx<'_>, html: Html) -> Checked<Article> {
    let html = components::with_controls(&cx, html);
    let out = cx.out;
    let mut features = out.features;
    features.aside = !out.aside.is_blank();
    let html = if features.aside {
        split(&out.endpoint_bar, &html, &out.aside, cx.texts.examples)
    } else {
        let mut whole = out.endpoint_bar;
        whole.add(&html);
        whole
    };
    let toc = out.toc.into_vec();
    let article = Article {
        html,
        renders_title: false,
        sections: out.text.into_sections(&toc).into(),
        toc,
        links: out.links,
        ids: cx.ids.into_vec(),
        fragments: out.fragments,
        features,
        endpoint: out.endpoint,
        modules: cx.islands.modules,
        module_strings: cx.islands.strings,
    };
    Checked {
        value: article,
        diagnostics: sort_diagnostics(out.diagnostics),
    }
}

/// Sorts diagnostics by file and position.
fn sort_diagnostics(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let key = |diagnostic: &Diagnostic| {
        diagnostic
            .location
            .as_ref()
            .map(|at| (at.file.clone(), at.span.start, at.span.end))
    };
    diagnostics.sort_by_key(key);
    let unreadable: Vec<Location> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code.id == svc_mdx::BAD_EXPRESSION.id)
        .filter_map(|diagnostic| diagnostic.location.clone())
        .collect();
    // Text that the parser rejects cannot be evaluated either.
    diagnostics.retain(|diagnostic| {
        let repeats = |at: &Location| {
            let whole = |other: &&Location| {
                other.file == at.file
                    && other.span.start <= at.span.end
                    && at.span.start <= other.span.end
            };
            unreadable.iter().any(|other| whole(&other))
        };
        diagnostic.code.id != BAD_EXPRESSION.id
            || !diagnostic.location.as_ref().is_some_and(repeats)
    });
    diagnostics
}

/// Maps a span of an embedded text to its document. The text can be a JSON string or a YAML block,
/// with escapes or indented, so only its first line is searched. Returns the start of the document if
/// they are not found.
pub fn locate_in_document(document: &SourceFile, text: &SourceFile, span: Span) -> Location {
    let whole: &str = document.text();
    let first = text
        .text()
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty());
    let from = first.and_then(|line| whole.find(line)).unwrap_or(0);
    let line = text.text().get(span.range()).unwrap_or_default();
    let line = line.lines().next().unwrap_or_default().trim();
    let rest = whole.get(from..).filter(|_| !line.is_empty());
    let start = rest.and_then(|rest| rest.find(line)).map(|at| from + at);
    document.location(start.map_or(Span::default(), |at| Span::from_range(at..at + line.len())))
}

impl Ctx<'_> {
    /// Renders MDX that is embedded in another document: `x-svc.content`.
    pub(crate) fn mdx(&mut self, text: &str, file: &SourceFile) -> Html {
        let embedded = SourceFile::new(file.path().clone(), Arc::<str>::from(text));
        let start = self.out.diagnostics.len();
        let module = self
            .modules
            .page(&embedded, text, 0, &mut self.out.diagnostics);
        let scope = FileScope::new(embedded.clone(), 0, Rc::clone(&module));
        let before = std::mem::replace(&mut self.scope, scope);
        // Locations would be those of the string, not of the document.
        let marks = self.marks.take();
        let html = self.nodes(&module.document.children);
        self.marks = marks;
        self.scope = before;
        // Spans of these diagnostics are relative to the string, not to the document.
        for diagnostic in self.out.diagnostics.iter_mut().skip(start) {
            if let Some(at) = diagnostic
                .location
                .take_if(|at| at.file == *embedded.path())
            {
                diagnostic.location = Some(locate_in_document(file, &embedded, at.span));
            }
            diagnostic.fix = None;
        }
        html
    }
}
