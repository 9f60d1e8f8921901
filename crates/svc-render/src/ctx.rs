//! What rendering knows: the site, and the state of the page that is being rendered.

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

/// Everything a page may look at. All of it stays the same while a site is served.
#[derive(Debug, Clone)]
pub struct RenderContext<'a> {
    /// `docs.json`.
    pub config: &'a SiteConfig,
    /// Addresses and navigation.
    pub site_map: &'a SiteMap,
    /// Pages and snippets.
    pub pages: &'a PageIndex,
    /// All files.
    pub tree: TrackedFiles<'a>,
    /// OpenAPI documents.
    pub catalog: &'a ApiCatalog,
    /// How the site is served.
    pub options: RenderOptions,
    /// Colours for code.
    pub highlighter: &'a Highlighter,
    /// Diagrams that were drawn already.
    pub diagrams: &'a DiagramCache,
    /// Where the programs of components run; without it they are not shown.
    pub engine: Option<&'a dyn ComponentEngine>,
}

impl RenderContext<'_> {
    /// Whether a page is at an address.
    pub(crate) fn is_page(&self, path: &str) -> bool {
        self.tree.record_page(path);
        self.site_map.routes.contains_key(path)
    }
}

/// How the site is served.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Empty, or the path before all addresses: `/docs`.
    pub base_path: String,
    /// Whether this is a preview on the author's machine.
    pub dev: bool,
    /// Changes when the assets of this program change.
    pub asset_version: String,
    /// Paths of the repository's scripts.
    pub scripts: Vec<String>,
    /// Whether pages with scripts of the repository load all scripts by one that stands in the page,
    /// for a policy that trusts what trusted scripts load.
    pub script_loader: bool,
    /// Paths of the repository's stylesheets.
    pub styles: Vec<String>,
    /// Components are not run: neither here nor in the browser. What the evaluator can tell of
    /// them is shown.
    pub without_components: bool,
    /// Where the site stands, `https://docs.example.com`; empty when nobody said.
    pub origin: String,
    /// Loads no fonts from the public catalogue.
    pub without_web_fonts: bool,
    /// Whether the server behind the pages passes requests of the playground on.
    pub relay: bool,
    /// What only those know who read files and draw pictures.
    pub metadata: Arc<SiteMetadata>,
}

/// Bytes of HTML one page may have.
pub(crate) const MAX_OUTPUT: usize = 8 * 1024 * 1024;
/// Nodes one page may render, snippets counted as often as they are shown.
pub(crate) const MAX_NODES: usize = 400_000;
/// Elements, snippets and calls inside each other.
pub(crate) const MAX_DEPTH: usize = 120;
/// Snippets inside each other.
pub(crate) const MAX_SNIPPETS: usize = 16;

/// The page grew too large.
pub(crate) static PAGE_TOO_LARGE: DiagnosticCode =
    DiagnosticCode::error("page-too-large", "the HTML of a page exceeds the limit");

/// What the element around the present one collects from its children.
#[derive(Debug, Default)]
pub(crate) enum ParentContext {
    /// Nothing.
    #[default]
    Plain,
    /// `Tabs`, `CodeGroup` and request examples: panels.
    Panels {
        /// Whether code blocks become panels too.
        code: bool,
        /// What was collected.
        panels: Vec<Panel>,
    },
    /// `Steps`: how many there were, and the size of their titles.
    Steps {
        /// Steps so far.
        count: u32,
        /// `p`, `h2`, `h3` or `h4`.
        size: TitleSize,
    },
    /// `Columns` and `CardGroup`.
    Columns,
    /// `Tree` and its folders.
    Tree,
    /// `Tile`, where pictures do not zoom.
    Tile,
    /// `<a>`, which holds no further links.
    Link,
    /// `Frame`, where videos that start by themselves are silent and never end.
    Frame,
}

/// The element a title becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TitleSize {
    /// A paragraph.
    #[default]
    P,
    /// A heading of the second level.
    H2,
    /// Of the third.
    H3,
    /// Of the fourth.
    H4,
}

/// The file whose nodes are being rendered.
#[derive(Debug, Clone)]
pub(crate) struct SourceContext {
    /// The file.
    pub(crate) file: SourceFile,
    /// Where the parsed text begins in it.
    pub(crate) shift: u32,
    /// Its imports, exports and definitions.
    pub(crate) module: Rc<Module>,
    /// Names that hold inside a snippet or a call.
    pub(crate) locals: Rc<IndexMap<String, Value>>,
}

/// The state of one page.
#[derive(Debug)]
pub(crate) struct Ctx<'c> {
    pub(crate) site: &'c RenderContext<'c>,
    pub(crate) modules: Modules<'c>,
    pub(crate) source: SourceContext,
    /// What the interface says, in the language of the page.
    pub(crate) texts: &'static Messages,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) toc: Vec<TocItem>,
    pub(crate) links: Vec<InternalLink>,
    pub(crate) ids: Vec<String>,
    /// The language code of the page.
    pub(crate) language: Option<String>,
    /// Parts of schemas that are drawn when a reader opens them.
    pub(crate) fragments: Vec<FragmentLink>,
    pub(crate) features: PageFeatures,
    /// Plain text for search.
    pub(crate) search_text: String,
    /// What goes beside the text: request and response examples, panels.
    pub(crate) aside: Html,
    /// Method and path, above the text.
    pub(crate) endpoint_bar: Html,
    /// The page has the button that opens all closed parts.
    pub(crate) has_expander: bool,
    /// The layout has no column beside the text: modes `wide`, `center` and `custom`.
    pub(crate) without_aside: bool,
    /// The forms of the page (`View`) in order, with their icons.
    pub(crate) views: IndexMap<String, Html>,
    /// The tags of changelog entries in order.
    pub(crate) tags: IndexSet<String>,
    pub(crate) parents: Vec<ParentContext>,
    /// Ids that the author gave to elements of HTML.
    pub(crate) author_ids: HashSet<String>,
    /// Over 0: headings do not count for the table of contents.
    pub(crate) toc_off: usize,
    /// Headings have neither ids nor entries: modes `custom` and `frame`.
    pub(crate) plain_headings: bool,
    /// The last character of the running text, for typographic quotes.
    pub(crate) last_char: char,
    /// Children that were rendered before they were handed to a function.
    pub(crate) ready: Vec<Html>,
    /// Components that run in the sandbox.
    pub(crate) islands: Islands,
    /// The page shows requests of its own, so none are made.
    pub(crate) author_request: bool,
    /// The endpoint that the page describes by hand, as an OpenAPI document.
    pub(crate) endpoint: Option<Arc<str>>,
    /// Its fields.
    pub(crate) fields: Vec<MdxField>,
    /// Footnotes in the order of their first reference: label, times referenced.
    pub(crate) footnotes: IndexMap<String, u32>,
    pub(crate) snippets: Vec<Arc<str>>,
    pub(crate) depth: usize,
    pub(crate) variables: Rc<BTreeMap<String, String>>,
    /// Icons of this page that were looked up already.
    pub(crate) icons: HashMap<String, Option<Html>>,
    /// How many unknown icons were compared with all names.
    pub(crate) icon_suggestions: u32,
    /// Group numbers of radio buttons.
    pub(crate) groups: u32,
    /// Expressions evaluated so far.
    pub(crate) evaluations: usize,
    /// Classes of the pieces of samples, looked up once.
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

    /// Reports a problem at a span of the present file.
    pub(crate) fn report(
        &mut self,
        code: &'static DiagnosticCode,
        span: Span,
        message: String,
        hint: impl Into<String>,
    ) {
        let place = &self.source;
        let at = place.file.location(span.shifted(place.shift));
        let hint = hint.into();
        let found = Diagnostic::new(code, message).at(at);
        self.diagnostics.push(if hint.is_empty() {
            found
        } else {
            found.hint(hint)
        });
    }

    /// Whether this is the first time that `code` is to be reported for `subject` on this page.
    pub(crate) fn report_once(&mut self, code: &'static DiagnosticCode, subject: &str) -> bool {
        self.reported.insert((code.id, subject.to_owned()))
    }

    /// Counts one node and `bytes` of output; false once the page is full.
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
                "the page is cut off here: it makes too much HTML".to_owned(),
                "split the page, or use fewer snippets inside each other",
            );
            return false;
        }
        true
    }

    /// A page-wide unique id: `name`, `name-2`, `name-3`.
    pub(crate) fn unique_id(&mut self, name: &str) -> String {
        self.unique_from(name, 2)
    }

    /// A page-wide unique id of a parameter: `name`, `name-1`, `name-2`.
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

    /// The id that styles know a part of a page by: the first such part has it.
    pub(crate) fn part_id(&mut self, id: &'static str) -> Option<&'static str> {
        self.parts.insert(id).then_some(id)
    }

    /// A number for a group of radio buttons.
    pub(crate) fn next_group(&mut self) -> u32 {
        self.groups += 1;
        self.groups
    }

    /// Whether the present file may bring programs and style sheets: it is a page or a script of a
    /// repository whose scripts are run, and no text of an OpenAPI document.
    pub(crate) fn is_trusted_program(&self) -> bool {
        let path = self.source.file.path();
        !self.site.options.without_components
            && [".mdx", ".md", ".jsx", ".tsx", ".js", ".ts"]
                .iter()
                .any(|end| path.ends_with(end))
    }

    /// Adds words for search, apart from the words before.
    pub(crate) fn push_search_text(&mut self, text: &str) {
        self.break_search_text();
        self.search_text.push_str(text.trim());
        self.break_search_text();
    }

    /// Begins a new line of the words for search.
    pub(crate) fn break_search_text(&mut self) {
        if !self.search_text.is_empty() && !self.search_text.ends_with('\n') {
            self.search_text.push('\n');
        }
        self.last_char = ' ';
    }

    /// The frame of the present element.
    pub(crate) fn current_parent(&mut self) -> Option<&mut ParentContext> {
        self.parents.last_mut()
    }

    /// Whether one of the next elements around the present one has such a frame.
    pub(crate) fn is_inside(&self, frame: impl Fn(&ParentContext) -> bool) -> bool {
        self.parents.iter().rev().take(4).any(frame)
    }

    /// The frame of the element around the present one.
    pub(crate) fn outer_parent(&mut self) -> Option<&mut ParentContext> {
        let at = self.parents.len().checked_sub(2)?;
        self.parents.get_mut(at)
    }

    /// Sets the frame of the present element and gives what was there.
    pub(crate) fn swap_parent(&mut self, frame: ParentContext) -> ParentContext {
        match self.parents.last_mut() {
            Some(own) => std::mem::replace(own, frame),
            None => {
                self.parents.push(frame);
                ParentContext::Plain
            }
        }
    }

    /// `text` with `{{name}}` replaced by the site's variables.
    pub(crate) fn with_variables<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
        use std::borrow::Cow;
        if self.variables.is_empty() || !text.contains("{{") {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            let found = after.split_once("}}").filter(|(name, _)| name.len() <= 100);
            let value = found.and_then(|(name, _)| self.variables.get(name.trim()));
            match (found, value) {
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
