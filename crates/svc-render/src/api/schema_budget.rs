//! What the schemas of one page share.

use svc_nav::Route;
use svc_openapi::{
    ApiDocument, Budget, Direction, SchemaLevel, SchemaPath, SchemaView, schema_level,
    schema_outline,
};

use crate::html::Html;

/// Elements of a page up to which closed parts are drawn in place; later ones are links.
const MAX_ELEMENTS: usize = 700;
/// As [`MAX_ELEMENTS`], of a part that was drawn on demand.
const MAX_FRAGMENT_ELEMENTS: usize = 400;
/// Names of properties behind links that the search of a page knows.
const MAX_NAMES: usize = 300;
/// Links of responses that a page shows.
const MAX_LINKS: usize = 100;

/// The document, and how much of it the page may still show.
#[derive(Debug)]
pub(super) struct SchemaBudget<'d> {
    pub(super) document: &'d ApiDocument,
    /// Position of the document in the catalogue.
    pub(super) document_index: usize,
    /// Who sends what is being shown.
    pub(super) direction: Direction,
    /// Names of the schemas around the present one.
    pub(super) ancestors: Vec<String>,
    /// The page; none for a part that was drawn on demand.
    pub(super) route: Option<&'d Route>,
    budget: Budget,
    elements: usize,
    names: usize,
    links: usize,
}

impl<'d> SchemaBudget<'d> {
    /// For a whole page.
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

    /// For a part that was drawn on demand.
    pub(super) fn fragment(document: &'d ApiDocument, at: usize, direction: Direction) -> Self {
        Self {
            elements: MAX_FRAGMENT_ELEMENTS,
            ..Self::new(document, at, direction)
        }
    }

    pub(super) fn outline(&mut self, place: &SchemaPath) -> SchemaView {
        let outline = schema_outline(self.document, place, self.direction, &mut self.budget);
        outline.unwrap_or_default()
    }

    pub(super) fn level(&mut self, place: &SchemaPath, from: usize) -> Option<SchemaLevel> {
        schema_level(self.document, place, self.direction, from, &mut self.budget)
    }

    /// Whether closed parts may still be drawn in place.
    pub(super) const fn can_inline(&self) -> bool {
        self.elements > 0
    }

    /// Whether small parts inside of closed parts may be drawn in place too.
    pub(super) const fn can_inline_small(&self) -> bool {
        self.elements > MAX_ELEMENTS / 3
    }

    /// Takes the room of one link of a response; false when there is none left.
    pub(super) const fn take_link(&mut self) -> bool {
        let has_room = self.links > 0;
        self.links = self.links.saturating_sub(1);
        has_room
    }

    /// Counts what was drawn.
    pub(super) fn count(&mut self, html: &str) {
        let begins = html.match_indices('<').filter(|(at, _)| {
            let next = html.as_bytes().get(at + 1);
            next.is_some_and(u8::is_ascii_alphabetic)
        });
        self.elements = self.elements.saturating_sub(begins.count());
    }

    /// Counts a row of a list with what stands below its name.
    pub(super) fn count_row(&mut self, body: &Html) {
        // The row, its head, name, type, a label, and the body.
        self.elements = self.elements.saturating_sub(6);
        self.count(body.as_str());
    }

    /// The names of properties behind a link, for the search.
    pub(super) fn names(&mut self, place: &SchemaPath) -> Vec<&'d str> {
        let names = svc_openapi::property_names(self.document, place, self.names);
        self.names -= names.len().min(self.names);
        names
    }
}
