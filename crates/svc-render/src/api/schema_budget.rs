//! Budget and state that the schemas of one page share.

use svc_nav::Route;
use svc_openapi::{
    ApiDocument, Budget, Direction, SchemaLevel, SchemaPath, SchemaView, schema_level,
    schema_outline,
};

use crate::html::Html;

/// Number of elements on a page up to which collapsed sections are rendered inline; later ones are
/// links to fragments.
const MAX_ELEMENTS: usize = 700;
/// Like [`MAX_ELEMENTS`], for a schema fragment.
const MAX_FRAGMENT_ELEMENTS: usize = 400;
/// Maximum number of names of linked properties in the search text of a page.
const MAX_NAMES: usize = 300;
/// Maximum number of response links per page.
const MAX_LINKS: usize = 100;

/// The document, and the budget for rendering it on one page.
#[derive(Debug)]
pub(super) struct SchemaBudget<'d> {
    pub(super) document: &'d ApiDocument,
    /// Index of the document in the catalog.
    pub(super) document_index: usize,
    /// Whether the schema belongs to a request or a response.
    pub(super) direction: Direction,
    /// Names of the enclosing schemas.
    pub(super) ancestors: Vec<String>,
    /// Route of the page; `None` for a schema fragment.
    pub(super) route: Option<&'d Route>,
    budget: Budget,
    elements: usize,
    names: usize,
    links: usize,
}

impl<'d> SchemaBudget<'d> {
    /// Creates the budget of a complete page.
    pub(super) fn new(document: &'d ApiDocument, at: usize, direction: Direction) -> Self {
        Self {
            document,
            document_index: at,
            direction,
            ancestors: Vec::new(),
            route: None,
            budget: Budget::default(),
            elements: MAX_ELEMENTS,
            names: MAX_NAMES,
            links: MAX_LINKS,
        }
    }

    /// Creates the budget of a schema fragment.
    pub(super) fn fragment(document: &'d ApiDocument, at: usize, direction: Direction) -> Self {
        Self {
            elements: MAX_FRAGMENT_ELEMENTS,
            ..Self::new(document, at, direction)
        }
    }

    pub(super) fn outline(&mut self, path: &SchemaPath) -> SchemaView {
        let outline = schema_outline(self.document, path, self.direction, &mut self.budget);
        outline.unwrap_or_default()
    }

    pub(super) fn level(&mut self, path: &SchemaPath, from: usize) -> Option<SchemaLevel> {
        schema_level(self.document, path, self.direction, from, &mut self.budget)
    }

    /// Whether collapsed sections may still be rendered inline.
    pub(super) const fn can_inline(&self) -> bool {
        self.elements > 0
    }

    /// Whether small sections inside of collapsed ones may be rendered inline as well.
    pub(super) const fn can_inline_small(&self) -> bool {
        self.elements > MAX_ELEMENTS / 3
    }

    /// Takes one response link from the budget; returns false if it is used up.
    pub(super) const fn take_link(&mut self) -> bool {
        let is_available = self.links > 0;
        self.links = self.links.saturating_sub(1);
        is_available
    }

    /// Counts the elements of rendered HTML.
    pub(super) fn count(&mut self, html: &str) {
        let begins = html.match_indices('<').filter(|(at, _)| {
            let next = html.as_bytes().get(at + 1);
            next.is_some_and(u8::is_ascii_alphabetic)
        });
        self.elements = self.elements.saturating_sub(begins.count());
    }

    /// Counts a row of a list with the content below its name.
    pub(super) fn count_row(&mut self, body: &Html) {
        // The elements of the row itself: row, head, name, type, label and body.
        self.elements = self.elements.saturating_sub(6);
        self.count(body.as_str());
    }

    /// Names of the properties behind a link, for search.
    pub(super) fn names(&mut self, path: &SchemaPath) -> Vec<&'d str> {
        let names = svc_openapi::property_names(self.document, path, self.names);
        self.names -= names.len().min(self.names);
        names
    }
}
