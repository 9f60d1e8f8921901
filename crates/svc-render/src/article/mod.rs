//! The article of a page: rendered from MDX or from an OpenAPI operation.

mod attributes;
mod children;
mod element;
mod expression;
mod module;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use svc_config::Contextual;
use svc_diagnostics::{Checked, Diagnostic, Location, SourceFile, Span};
use svc_nav::{Route, RouteBody};
use svc_openapi::ApiDocument;
use svc_source::{Mode, Page};

use crate::api::{self, FragmentLink};
use crate::components;
use crate::ctx::{Ctx, RenderContext, SourceContext};
use crate::html::Html;
use crate::i18n;
use crate::icons;
use crate::markdown;

pub(crate) use attributes::{Props, number};
pub(crate) use children::Children;
pub(crate) use element::{Tag, element, render_jsx, snippet, within_program};
pub(crate) use expression::{expression, rendered, substitute, value};
pub(crate) use module::{Binding, Module, Modules};

pub(crate) use element::UNKNOWN_COMPONENT;
pub(crate) use expression::BAD_EXPRESSION;
pub(crate) use expression::UNKNOWN_VARIABLE;
pub(crate) use module::{BAD_MODULE, IMPORT_CYCLE, MISSING_EXPORT, MISSING_IMPORT};

/// The rendered content of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Article {
    /// Content of the page. If [`PageFeatures::aside`] is set, it contains its own two columns.
    pub html: Html,
    /// Whether the HTML contains the page's title, so that the surrounding document must not.
    pub renders_title: bool,
    /// Headings for the table of contents.
    pub toc: Vec<TocItem>,
    /// Plain text for search.
    pub text: String,
    /// Links to this site, for the link check.
    pub links: Vec<InternalLink>,
    /// Ids of headings, parameters, tabs and other elements.
    pub ids: Vec<String>,
    /// Schema fragments that are loaded on demand.
    pub fragments: Vec<FragmentLink>,
    /// Scripts and styles that the page requires.
    pub features: PageFeatures,
    /// OpenAPI document of the endpoint that is described in MDX; `None` if there is none.
    pub endpoint: Option<Arc<str>>,
    /// JavaScript modules of the page's islands: URL path with base path, and code.
    pub modules: BTreeMap<String, Arc<str>>,
    /// String literals of these modules, which may contain class names.
    pub module_strings: String,
}

/// An entry of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TocItem {
    /// Heading level, 1 to 4.
    pub depth: u8,
    /// Id of the heading.
    pub id: String,
    /// Text of the heading.
    pub text: String,
    /// Whether this is a standard section of API pages, such as the responses. These are not
    /// indexed for search because every API page has them.
    pub is_section: bool,
}

/// An internal link: a link to a page or file of the site.
#[derive(Debug, Clone)]
pub struct InternalLink {
    /// Path from the root without base path, with query and fragment; or only a fragment.
    pub href: String,
    /// Span of the link in `file`.
    pub span: Span,
    /// File that contains the link: the page or a snippet.
    pub file: SourceFile,
}

impl InternalLink {
    /// Location of the link.
    pub fn location(&self) -> Location {
        self.file.location(self.span)
    }
}

impl PartialEq for InternalLink {
    fn eq(&self, other: &Self) -> bool {
        self.href == other.href && self.span == other.span && self.file.path() == other.file.path()
    }
}

/// Scripts and styles that a page requires, and properties of its layout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageFeatures {
    /// The article has its own side column with examples or a panel, so the table of contents is
    /// not shown there.
    pub aside: bool,
    /// The page has code blocks.
    pub code: bool,
    /// Themes that are set on single code blocks.
    pub code_themes: BTreeSet<String>,
    /// The page has formulas.
    pub math: bool,
    /// The page has diagrams.
    pub mermaid: bool,
    /// The page has changelog entries and therefore a feed.
    pub feed: bool,
    /// The page shows a button for its feed.
    pub feed_button: bool,
}

/// Renders the article of a route. Problems of the page are diagnostics; the rest of the page is
/// rendered.
pub fn render_article(cx: &RenderContext<'_>, route: &Route) -> Checked<Article> {
    if let RouteBody::Page { slug } = &route.body {
        return match cx.pages.get(slug) {
            Some(page) => page_article(cx, page, route),
            None => Checked::clean(Article::default()),
        };
    }
    let Some((document, at)) = documented(cx, route) else {
        return Checked::clean(Article::default());
    };
    let modules = Modules::new(cx);
    let module = modules.empty();
    let source = SourceContext {
        file: document.file.clone(),
        shift: 0,
        module,
        locals: Rc::default(),
    };
    let texts = i18n::messages(route.language.as_deref());
    let mut page = Ctx::new(cx, texts, source, modules);
    page.language.clone_from(&route.language);
    let mut html = api::title(&mut page, route);
    let below = api::reference(&mut page, (document, at), route);
    html.add(&below);
    finish(page, html)
}

/// The document of the operation, webhook or data model of a route, and its index in the catalog.
fn documented<'a>(cx: &RenderContext<'a>, route: &Route) -> Option<(&'a ApiDocument, usize)> {
    let at = route.operation.as_ref()?.document();
    Some((cx.catalog.documents.get(at)?, at))
}

fn page_article(cx: &RenderContext<'_>, page: &Page, route: &Route) -> Checked<Article> {
    let mut modules = Modules::new(cx);
    let mut diagnostics = Vec::new();
    let text = page.file.text().get(page.body as usize..).unwrap_or("");
    let module = modules.page(&page.file, text, page.body, &mut diagnostics);
    let source = SourceContext {
        file: page.file.clone(),
        shift: page.body,
        module: Rc::clone(&module),
        locals: Rc::default(),
    };
    let texts = i18n::messages(route.language.as_deref());
    let mut state = Ctx::new(cx, texts, source, modules);
    state.language.clone_from(&route.language);
    let menu = Contextual::from_front_matter(&page.file, &page.front_matter.raw);
    diagnostics.extend(menu.diagnostics);
    state.diagnostics = diagnostics;
    let layout = page.front_matter.mode;
    state.without_aside = matches!(layout, Mode::Wide | Mode::Center | Mode::Custom);
    state.features.feed_button = page.front_matter.rss;
    front_matter_icon(&mut state, page);
    state.plain_headings = matches!(page.front_matter.mode, Mode::Custom | Mode::Frame);
    let operation = documented(cx, route);
    let mut html = Html::new();
    if operation.is_some() {
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
    let body = markdown::nodes(&mut state, &module.document.children);
    html.add(&body);
    let notes = markdown::footnotes(&mut state);
    html.add(&notes);
    if manual.is_some() {
        state.endpoint = api::mdx_endpoint::to_openapi(&state, page).map(Arc::from);
        api::mdx_samples(&mut state);
    }
    if operation.is_none() && page.front_matter.openapi.is_some() {
        let mut words = Html::new();
        words
            .lit("<p>")
            .esc(state.texts.reference_missing)
            .lit("</p>");
        html.add(&components::ready_callout(state.texts, "warning", &words));
    }
    if let Some((document, at)) = operation {
        let below = api::reference(&mut state, (document, at), route);
        html.add(&below);
    }
    // These layouts have no side column.
    let narrow = matches!(
        page.front_matter.mode,
        Mode::Wide | Mode::Center | Mode::Custom
    );
    if narrow {
        state.aside = Html::new();
    }
    finish(state, html)
}

/// Reports an unknown icon in the front matter.
fn front_matter_icon(cx: &mut Ctx<'_>, page: &Page) {
    let matter = &page.front_matter;
    let Some(name) = matter.icon.as_deref() else {
        return;
    };
    let library = matter.icon_library.as_deref();
    if let Some((code, message, hint)) =
        icons::problem(cx, name, matter.icon_type.as_deref(), library)
    {
        let span = matter.span_of("icon").unwrap_or_default();
        let diagnostic = Diagnostic::new(code, message).at(page.file.location(span));
        cx.diagnostics.push(diagnostic.hint(hint));
    }
}

/// Adds the side column and converts the state into an article.
fn finish(state: Ctx<'_>, html: Html) -> Checked<Article> {
    let html = components::with_controls(&state, html);
    let mut uses = state.features;
    uses.aside = !state.aside.is_blank();
    let html = if uses.aside {
        let label = state.texts.examples;
        crate::ui::split(&state.endpoint_bar, &html, &state.aside, label)
    } else {
        let mut whole = state.endpoint_bar;
        whole.add(&html);
        whole
    };
    let article = Article {
        html,
        renders_title: false,
        toc: state.toc,
        text: normalize_text(&state.search_text),
        links: state.links,
        ids: state.ids,
        fragments: state.fragments,
        features: uses,
        endpoint: state.endpoint,
        modules: state.islands.modules,
        module_strings: state.islands.strings,
    };
    Checked {
        value: article,
        diagnostics: sort_diagnostics(state.diagnostics),
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

/// Collapses spaces and removes blank lines.
fn normalize_text(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for line in words.lines() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(line);
    }
    out
}

/// Maps a span of an embedded text to its document. The text can be a JSON string or a YAML block,
/// with escapes or indented, so only its words are searched. Returns the start of the document if
/// they are not found.
pub fn locate_in_document(document: &SourceFile, text: &SourceFile, span: Span) -> Location {
    let whole: &str = document.text();
    let first = text
        .text()
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty());
    let from = first.and_then(|line| whole.find(line)).unwrap_or(0);
    let words = text.text().get(span.range()).unwrap_or_default();
    let words = words.lines().next().unwrap_or_default().trim();
    let found = whole.get(from..).filter(|_| !words.is_empty());
    let found = found.and_then(|rest| rest.find(words)).map(|at| from + at);
    document.location(found.map_or(Span::default(), |at| Span::from_range(at..at + words.len())))
}

/// Renders MDX that is embedded in another document: `x-svc.content`.
pub(crate) fn mdx(cx: &mut Ctx<'_>, text: &str, file: &SourceFile) -> Html {
    let shown = SourceFile::new(file.path().clone(), Arc::<str>::from(text));
    let mut diagnostics = Vec::new();
    let module = cx.modules.page(&shown, text, 0, &mut diagnostics);
    let before = cx.diagnostics.len();
    cx.diagnostics.append(&mut diagnostics);
    let source = SourceContext {
        file: shown.clone(),
        shift: 0,
        module,
        locals: Rc::new(IndexMap::new()),
    };
    let outside = std::mem::replace(&mut cx.source, source);
    let module = Rc::clone(&cx.source.module);
    let html = markdown::nodes(cx, &module.document.children);
    cx.source = outside;
    // Spans of these diagnostics are relative to the string, not to the document.
    for found in cx.diagnostics.iter_mut().skip(before) {
        if let Some(at) = found.location.take_if(|at| at.file == *shown.path()) {
            found.location = Some(locate_in_document(file, &shown, at.span));
        }
    }
    html
}
