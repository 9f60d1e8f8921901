//! The inputs of rendering ([`RenderContext`]) and the state of one page (`Ctx`).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use svc_config::SiteConfig;
use svc_diagnostics::{Diagnostic, DiagnosticCode, SourceFile, Span};
use svc_nav::SiteMap;
use svc_openapi::ApiCatalog;
use svc_openapi::request::TokenKind;
use svc_source::PageIndex;

use crate::api::FragmentLink;
use crate::api::mdx_endpoint::MdxField;
use crate::article::{InternalLink, Module, Modules, PageFeatures, TocItem};
use crate::code::Highlighter;
use crate::diagram::DiagramCache;
use crate::evaluate::Value;
use crate::files::TrackedFiles;
use crate::html::Html;
use crate::i18n::Messages;
use crate::islands::{ComponentEngine, Islands};
use crate::site_metadata::SiteMetadata;
use crate::ui::Panel;

/// Inputs shared by all pages of a site. They do not change while a revision of the site is served.
#[derive(Debug, Clone)]
pub struct RenderContext<'a> {
    /// Configuration from `docs.json`.
    pub config: &'a SiteConfig,
    /// Routes and navigation.
    pub site_map: &'a SiteMap,
    /// Pages and snippets.
    pub pages: &'a PageIndex,
    /// Source tree of the site; accesses are recorded as dependencies.
    pub tree: TrackedFiles<'a>,
    /// OpenAPI documents.
    pub catalog: &'a ApiCatalog,
    /// Settings of the server or the export.
    pub options: RenderOptions,
    /// Syntax highlighter with the grammars and themes of the site.
    pub highlighter: &'a Highlighter,
    /// Cache of rendered diagrams.
    pub diagrams: &'a DiagramCache,
    /// Engine that renders components on the server. If `None`, islands have no server-rendered
    /// HTML.
    pub engine: Option<&'a dyn ComponentEngine>,
}

impl RenderContext<'_> {
    /// Whether `path` is the route of a page. The lookup is recorded as a dependency.
    pub(crate) fn is_page(&self, path: &str) -> bool {
        self.tree.record_page(path);
        self.site_map.routes.contains_key(path)
    }
}

/// Settings of the server or the export that affect the HTML.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// URL path prefix, for example `/docs`; empty if the site is served at the root.
    pub base_path: String,
    /// Whether this is a local preview of the author.
    pub dev: bool,
    /// Paths of the repository's scripts.
    pub scripts: Vec<String>,
    /// Whether one inline loader loads all scripts of the repository, for a content security policy
    /// with `strict-dynamic`.
    pub script_loader: bool,
    /// Paths of the repository's style sheets.
    pub styles: Vec<String>,
    /// Whether components are disabled on the server and in the browser. Only the result of the
    /// built-in evaluator is rendered.
    pub without_components: bool,
    /// Scheme and host of the site, `https://docs.example.com`; empty if unknown.
    pub origin: String,
    /// Whether web fonts are not loaded from the public catalog.
    pub without_web_fonts: bool,
    /// Whether the server relays the requests of the playground.
    pub relay: bool,
    /// Metadata that needs I/O to compute, such as dates and image sizes.
    pub metadata: Arc<SiteMetadata>,
}

/// Maximum size of the HTML of one page in bytes.
pub(crate) const MAX_OUTPUT: usize = 8 * 1024 * 1024;
/// Maximum number of nodes of one page; a snippet counts each time it is rendered.
pub(crate) const MAX_NODES: usize = 400_000;
/// Maximum nesting depth of elements, snippets and calls.
pub(crate) const MAX_DEPTH: usize = 120;
/// Maximum nesting depth of snippets.
pub(crate) const MAX_SNIPPETS: usize = 16;

/// The page exceeds a size limit.
pub(crate) static PAGE_TOO_LARGE: DiagnosticCode =
    DiagnosticCode::error("page-too-large", "a page exceeds the size limit");

/// State that an element shares with its children, and that they add to.
#[derive(Debug, Default)]
pub(crate) enum ParentContext {
    /// No shared state.
    #[default]
    Plain,
    /// `Tabs`, `CodeGroup` and request examples: collects panels.
    Panels {
        /// Whether code blocks become panels as well.
        code: bool,
        /// Panels so far.
        panels: Vec<Panel>,
    },
    /// `Steps`: counts the steps and sets the size of their titles.
    Steps {
        /// Number of steps so far.
        count: u32,
        /// Size of the titles: `p`, `h2`, `h3` or `h4`.
        size: TitleSize,
    },
    /// `Columns` and `CardGroup`.
    Columns,
    /// `Tree` and its directories.
    Tree,
    /// `Tile`, in which images do not zoom.
    Tile,
    /// `<a>`, which must not contain other links.
    Link,
    /// `Frame`, in which autoplaying videos are muted and looped.
    Frame,
}

/// Element that a title is rendered as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TitleSize {
    /// `p`.
    #[default]
    P,
    /// `h2`.
    H2,
    /// `h3`.
    H3,
    /// `h4`.
    H4,
}

/// File and scope of the nodes that are being rendered.
#[derive(Debug, Clone)]
pub(crate) struct SourceContext {
    pub(crate) file: SourceFile,
    /// Byte offset of the parsed text in the file.
    pub(crate) shift: u32,
    /// Imports, exports and definitions of the file.
    pub(crate) module: Rc<Module>,
    /// Variables of the snippet or call that is being rendered.
    pub(crate) locals: Rc<IndexMap<String, Value>>,
}

/// State of the page that is being rendered.
#[derive(Debug)]
pub(crate) struct Ctx<'c> {
    pub(crate) site: &'c RenderContext<'c>,
    pub(crate) modules: Modules<'c>,
    pub(crate) source: SourceContext,
    /// Interface texts in the language of the page.
    pub(crate) texts: &'static Messages,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) toc: Vec<TocItem>,
    pub(crate) links: Vec<InternalLink>,
    pub(crate) ids: Vec<String>,
    /// Language code of the page.
    pub(crate) language: Option<String>,
    /// Schema fragments that are loaded on demand.
    pub(crate) fragments: Vec<FragmentLink>,
    pub(crate) features: PageFeatures,
    /// Plain text for search.
    pub(crate) search_text: String,
    /// Content of the side column: request and response examples, panels.
    pub(crate) aside: Html,
    /// Bar with method and path above the article.
    pub(crate) endpoint_bar: Html,
    /// Whether the page has the button that expands all collapsible sections.
    pub(crate) has_expander: bool,
    /// Whether the layout has no side column: modes `wide`, `center` and `custom`.
    pub(crate) without_aside: bool,
    /// Titles of the `View` elements in order, with their icons.
    pub(crate) views: IndexMap<String, Html>,
    /// Tags of changelog entries in order of first use.
    pub(crate) tags: IndexSet<String>,
    pub(crate) parents: Vec<ParentContext>,
    /// Ids that the author set on HTML elements.
    pub(crate) author_ids: HashSet<String>,
    /// If above 0, headings are not added to the table of contents.
    pub(crate) toc_off: usize,
    /// Whether headings have neither ids nor entries in the table of contents: modes `custom` and
    /// `frame`.
    pub(crate) plain_headings: bool,
    /// Last character of the running text, for smart quotes.
    pub(crate) last_char: char,
    /// Children that were rendered before they were passed to a function component.
    pub(crate) ready: Vec<Html>,
    /// Components of the page that run in the sandbox.
    pub(crate) islands: Islands,
    /// Whether the page has request examples by the author, so that none are generated.
    pub(crate) author_request: bool,
    /// OpenAPI document of the endpoint that is described in MDX.
    pub(crate) endpoint: Option<Arc<str>>,
    /// Fields of the endpoint that is described in MDX.
    pub(crate) fields: Vec<MdxField>,
    /// Footnotes in order of their first reference: label and number of references.
    pub(crate) footnotes: IndexMap<String, u32>,
    pub(crate) snippets: Vec<Arc<str>>,
    pub(crate) depth: usize,
    pub(crate) variables: Rc<BTreeMap<String, String>>,
    /// Icons of this page by name, cached.
    pub(crate) icons: HashMap<String, Option<Html>>,
    /// Number of unknown icons for which a similar name was searched.
    pub(crate) icon_suggestions: u32,
    /// Number of radio button groups so far.
    pub(crate) groups: u32,
    /// Number of evaluated expressions so far.
    pub(crate) evaluations: usize,
    /// Classes of the tokens of generated samples, cached.
    pub(crate) token_classes: std::cell::OnceCell<Vec<(TokenKind, String)>>,
    counters: HashMap<String, u32>,
    parts: BTreeSet<&'static str>,
    reported: BTreeSet<(&'static str, String)>,
    bytes: usize,
    nodes: usize,
    full: bool,
}

impl<'c> Ctx<'c> {
    pub(crate) fn new(
        site: &'c RenderContext<'c>,
        texts: &'static Messages,
        place: SourceContext,
        modules: Modules<'c>,
    ) -> Self {
        let variables = site
            .config
            .variables
            .iter()
            .map(|(name, value)| (name.clone(), crate::markdown::strip_tags(value)))
            .collect();
        Self {
            site,
            modules,
            source: place,
            texts,
            diagnostics: Vec::new(),
            toc: Vec::new(),
            links: Vec::new(),
            ids: Vec::new(),
            language: None,
            fragments: Vec::new(),
            features: PageFeatures::default(),
            search_text: String::new(),
            aside: Html::new(),
            endpoint_bar: Html::new(),
            has_expander: false,
            without_aside: false,
            views: IndexMap::new(),
            tags: IndexSet::new(),
            parents: Vec::new(),
            author_ids: HashSet::new(),
            toc_off: 0,
            plain_headings: false,
            last_char: ' ',
            ready: Vec::new(),
            islands: Islands::default(),
            author_request: false,
            endpoint: None,
            fields: Vec::new(),
            footnotes: IndexMap::new(),
            snippets: Vec::new(),
            depth: 0,
            variables: Rc::new(variables),
            icons: HashMap::new(),
            icon_suggestions: 0,
            groups: 0,
            evaluations: 0,
            token_classes: std::cell::OnceCell::new(),
            counters: HashMap::new(),
            parts: BTreeSet::new(),
            reported: BTreeSet::new(),
            bytes: 0,
            nodes: 0,
            full: false,
        }
    }

    /// Reports a problem at a span of the current file.
    pub(crate) fn report(
        &mut self,
        code: &'static DiagnosticCode,
        span: Span,
        message: String,
        hint: impl Into<String>,
    ) {
        let source = &self.source;
        let at = source.file.location(span.shifted(source.shift));
        let hint = hint.into();
        let diagnostic = Diagnostic::new(code, message).at(at);
        self.diagnostics.push(if hint.is_empty() {
            diagnostic
        } else {
            diagnostic.hint(hint)
        });
    }

    /// Whether this is the first report of `code` for `subject` on this page.
    pub(crate) fn report_once(&mut self, code: &'static DiagnosticCode, subject: &str) -> bool {
        self.reported.insert((code.id, subject.to_owned()))
    }

    /// Charges one node and `bytes` bytes of output. Returns false once the page exceeds a limit.
    pub(crate) fn charge(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.nodes += 1;
        if self.full {
            return false;
        }
        if self.bytes > MAX_OUTPUT || self.nodes > MAX_NODES {
            self.full = true;
            self.report(
                &PAGE_TOO_LARGE,
                Span::default(),
                "the page exceeds the limit of 8 MiB or 400,000 nodes and is truncated".to_owned(),
                "split the page, or nest fewer snippets",
            );
            return false;
        }
        true
    }

    /// Returns an id that is unique on the page: `name`, `name-2`, `name-3`.
    pub(crate) fn unique_id(&mut self, name: &str) -> String {
        self.unique_from(name, 2)
    }

    /// Returns an id of a parameter that is unique on the page: `name`, `name-1`, `name-2`.
    pub(crate) fn unique_field_id(&mut self, name: &str) -> String {
        self.unique_from(name, 1)
    }

    fn unique_from(&mut self, name: &str, first: u32) -> String {
        let name = if name.is_empty() { "section" } else { name };
        let Some(mut next) = self.counters.get(name).copied() else {
            self.counters.insert(name.to_owned(), first);
            self.ids.push(name.to_owned());
            return name.to_owned();
        };
        let id = loop {
            let candidate = format!("{name}-{next}");
            next += 1;
            if !self.counters.contains_key(&candidate) {
                break candidate;
            }
        };
        self.counters.insert(name.to_owned(), next);
        self.counters.insert(id.clone(), first);
        self.ids.push(id.clone());
        id
    }

    /// Returns the style hook `id` for the first element that requests it; `None` for later ones,
    /// because ids are unique.
    pub(crate) fn part_id(&mut self, id: &'static str) -> Option<&'static str> {
        self.parts.insert(id).then_some(id)
    }

    /// Returns the number of a new group of radio buttons.
    pub(crate) fn next_group(&mut self) -> u32 {
        self.groups += 1;
        self.groups
    }

    /// Whether the current file may contain scripts and style sheets: a page or script of the
    /// repository if components are enabled. Text of an OpenAPI document must not.
    pub(crate) fn is_trusted_program(&self) -> bool {
        let path = self.source.file.path();
        !self.site.options.without_components
            && [".mdx", ".md", ".jsx", ".tsx", ".js", ".ts"]
                .iter()
                .any(|end| path.ends_with(end))
    }

    /// Appends a separate line to the search text.
    pub(crate) fn push_search_text(&mut self, text: &str) {
        self.break_search_text();
        self.search_text.push_str(text.trim());
        self.break_search_text();
    }

    /// Starts a new line of the search text.
    pub(crate) fn break_search_text(&mut self) {
        if !self.search_text.is_empty() && !self.search_text.ends_with('\n') {
            self.search_text.push('\n');
        }
        self.last_char = ' ';
    }

    /// The context of the current element.
    pub(crate) fn current_parent(&mut self) -> Option<&mut ParentContext> {
        self.parents.last_mut()
    }

    /// Whether a close ancestor of the current element has a context that matches `frame`.
    pub(crate) fn is_inside(&self, frame: impl Fn(&ParentContext) -> bool) -> bool {
        self.parents.iter().rev().take(4).any(frame)
    }

    /// The context of the parent of the current element.
    pub(crate) fn outer_parent(&mut self) -> Option<&mut ParentContext> {
        let at = self.parents.len().checked_sub(2)?;
        self.parents.get_mut(at)
    }

    /// Replaces the context of the current element and returns the previous one.
    pub(crate) fn swap_parent(&mut self, frame: ParentContext) -> ParentContext {
        match self.parents.last_mut() {
            Some(own) => std::mem::replace(own, frame),
            None => {
                self.parents.push(frame);
                ParentContext::Plain
            }
        }
    }

    /// Replaces `{{name}}` in `text` with the site's variables.
    pub(crate) fn with_variables<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
        use std::borrow::Cow;
        if self.variables.is_empty() || !text.contains("{{") {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            let variable = after.split_once("}}").filter(|(name, _)| name.len() <= 100);
            let value = variable.and_then(|(name, _)| self.variables.get(name.trim()));
            match (variable, value) {
                (Some((_, behind)), Some(value)) => {
                    out.push_str(value);
                    rest = behind;
                }
                _ => {
                    out.push_str("{{");
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        Cow::Owned(out)
    }
}
