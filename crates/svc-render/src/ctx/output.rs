//! What rendering a page collects next to its HTML.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use serde_json::Value;
use svc_diagnostics::{Diagnostic, DiagnosticCode, Location, SourceFile, Span};
use svc_search::Section;

use crate::html::Html;

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

/// A link of a page, or the URL of an image or other file that it contains.
#[derive(Debug, Clone)]
pub struct PageLink {
    /// Path from the root without base path, with query and fragment; or only a fragment; or a URL
    /// with the scheme `http` or `https`.
    pub href: String,
    /// Span of the link in `file`.
    pub span: Span,
    /// File that contains the link: the page or a snippet.
    pub file: SourceFile,
}

impl PageLink {
    /// Whether the link leads to another site.
    pub fn is_external(&self) -> bool {
        !self.href.starts_with(['/', '#', '?'])
    }

    /// Location of the link.
    pub fn location(&self) -> Location {
        self.file.location(self.span)
    }
}

impl PartialEq for PageLink {
    fn eq(&self, other: &Self) -> bool {
        self.href == other.href && self.span == other.span && self.file.path() == other.file.path()
    }
}

/// A link to a schema fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FragmentLink {
    /// Prefix of the ids in the fragment once it is inserted into the page.
    pub owner: String,
    /// URL path without base path, decoded.
    pub path: String,
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

/// A `ParamField`, or a field nested in one.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MdxField {
    /// `path`, `query`, `header`, `cookie` or `body`; ignored on nested fields.
    pub(crate) location: Option<&'static str>,
    pub(crate) name: String,
    pub(crate) kind: Option<String>,
    pub(crate) required: bool,
    pub(crate) deprecated: bool,
    pub(crate) default: Option<Value>,
    pub(crate) example: Option<Value>,
    /// Initial value in forms.
    pub(crate) initial: Option<Value>,
    pub(crate) values: Vec<String>,
    /// Description as plain text.
    pub(crate) description: String,
    /// Nested fields.
    pub(crate) fields: Vec<Self>,
}

/// Maximum number of fields per page.
const MAX_FIELDS: usize = 1_000;

/// Headings for the table of contents.
#[derive(Debug, Default)]
pub(crate) struct Toc {
    items: Vec<TocItem>,
    /// Number of enclosing elements whose headings are not added.
    paused: usize,
}

impl Toc {
    /// Adds an entry unless the table of contents is paused.
    pub(crate) fn push(&mut self, item: TocItem) {
        if !self.is_paused() {
            self.items.push(item);
        }
    }

    /// Whether headings are not added.
    pub(crate) const fn is_paused(&self) -> bool {
        self.paused > 0
    }

    pub(super) fn pause(&mut self) {
        self.paused += 1;
    }

    pub(super) fn resume(&mut self) {
        self.paused -= 1;
    }

    /// All entries in the order of the page.
    pub(crate) fn into_vec(self) -> Vec<TocItem> {
        self.items
    }
}

/// Plain text of a page for search.
#[derive(Debug)]
pub(crate) struct SearchText {
    text: String,
    code: String,
    /// Names of the API operation that the page documents.
    identifiers: Vec<String>,
    /// Where each section except the first begins: its entry in the table of contents, and the
    /// lengths of the text and the code before it.
    sections: Vec<(usize, usize, usize)>,
    /// Last character of the running text, for smart quotes.
    pub(crate) last_char: char,
}

impl Default for SearchText {
    fn default() -> Self {
        Self {
            text: String::new(),
            code: String::new(),
            identifiers: Vec::new(),
            sections: Vec::new(),
            last_char: ' ',
        }
    }
}

impl SearchText {
    /// Appends text to the current line.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends a separate line.
    pub(crate) fn push_line(&mut self, text: &str) {
        self.break_line();
        self.text.push_str(text.trim());
        self.break_line();
    }

    /// Appends the contents of a code block.
    pub(crate) fn push_code(&mut self, code: &str) {
        self.break_line();
        self.code.push_str(code.trim_end());
        self.code.push('\n');
    }

    /// Adds a name of the API operation that the page documents.
    pub(crate) fn push_identifier(&mut self, name: &str) {
        self.identifiers.push(name.to_owned());
    }

    /// Starts a new line.
    pub(crate) fn break_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.last_char = ' ';
    }

    /// Length of the text in bytes, for [`Self::since`].
    pub(crate) const fn len(&self) -> usize {
        self.text.len()
    }

    /// The text after the first `start` bytes, trimmed.
    pub(crate) fn since(&self, start: usize) -> &str {
        self.text.get(start..).unwrap_or("").trim()
    }

    /// Starts the section of an entry in the table of contents. The text of its heading, which was
    /// just added, is removed.
    fn start_section(&mut self, item: usize, heading: &str) {
        let before = self.text.trim_end().strip_suffix(heading);
        self.text.truncate(before.unwrap_or(&self.text).len());
        self.break_line();
        self.sections.push((item, self.text.len(), self.code.len()));
    }

    /// The sections of the page. Spaces at the ends of lines and blank lines are removed.
    pub(crate) fn into_sections(self, toc: &[TocItem]) -> Vec<Section> {
        let mut out = vec![Section {
            identifiers: self.identifiers,
            ..Section::default()
        }];
        let mut headings: Vec<&TocItem> = Vec::new();
        let (mut text_end, mut code_end) = (0, 0);
        let end = (usize::MAX, self.text.len(), self.code.len());
        for &(item, text, code) in self.sections.iter().chain([&end]) {
            if let Some(section) = out.last_mut() {
                section.text = normalized(self.text.get(text_end..text).unwrap_or(""));
                section.code = self.code.get(code_end..code).unwrap_or("").to_owned();
            }
            (text_end, code_end) = (text, code);
            let Some(item) = toc.get(item) else {
                continue;
            };
            headings.retain(|outer| outer.depth < item.depth);
            headings.push(item);
            out.push(Section {
                id: item.id.clone(),
                headings: headings.iter().map(|item| item.text.clone()).collect(),
                ..Section::default()
            });
        }
        out
    }
}

/// Trims each line and removes blank lines.
fn normalized(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
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

/// What rendering a page collects next to its HTML.
#[derive(Debug, Default)]
pub(crate) struct Output {
    pub(crate) diagnostics: Vec<Diagnostic>,
    reported: BTreeSet<(&'static str, String)>,
    pub(crate) toc: Toc,
    pub(crate) links: Vec<PageLink>,
    /// Schema fragments that are loaded on demand.
    pub(crate) fragments: Vec<FragmentLink>,
    pub(crate) features: PageFeatures,
    /// Plain text for search.
    pub(crate) text: SearchText,
    /// Content of the side column: request and response examples, panels.
    pub(crate) aside: Html,
    /// Bar with method and path above the article.
    pub(crate) endpoint_bar: Html,
    /// Whether the page has the button that expands all collapsible sections.
    pub(crate) has_expander: bool,
    /// Whether the page has request examples by the author, so that none are generated.
    pub(crate) has_request_example: bool,
    /// Titles of the `View` elements in order, with their icons.
    pub(crate) views: IndexMap<String, Html>,
    /// Tags of changelog entries in order of first use.
    pub(crate) tags: IndexSet<String>,
    /// OpenAPI document of the endpoint that is described in MDX.
    pub(crate) endpoint: Option<Arc<str>>,
    /// Fields of the endpoint that is described in MDX.
    pub(crate) fields: Vec<MdxField>,
    /// Footnotes in order of their first reference: label and number of references.
    pub(crate) footnotes: IndexMap<String, u32>,
    /// Children that were rendered before they were passed to a function component.
    pub(crate) rendered_children: Vec<Html>,
}

impl Output {
    /// Adds a heading to the table of contents, unless that is paused, and starts a section of the
    /// search text.
    pub(crate) fn start_section(&mut self, item: TocItem) {
        if !self.toc.is_paused() {
            self.text.start_section(self.toc.items.len(), &item.text);
            self.toc.push(item);
        }
    }

    /// Whether this is the first report of `code` for `subject` on this page.
    pub(crate) fn is_first(&mut self, code: &'static DiagnosticCode, subject: &str) -> bool {
        self.reported.insert((code.id, subject.to_owned()))
    }

    /// Takes the fields collected so far, so that the children of a field collect their own.
    /// [`Self::leave_field`] restores them.
    pub(crate) fn enter_field(&mut self) -> Vec<MdxField> {
        std::mem::take(&mut self.fields)
    }

    /// Adds a field with the nested fields that its children have added.
    pub(crate) fn leave_field(&mut self, outer: Vec<MdxField>, mut field: MdxField) {
        field.fields = std::mem::replace(&mut self.fields, outer);
        if self.fields.len() < MAX_FIELDS {
            self.fields.push(field);
        }
    }
}
