//! Locations of elements in the source, for checks of the rendered HTML.

use svc_diagnostics::{Location, Span};

use super::Ctx;
use crate::html::Html;

/// Attribute of an element with the index of its location.
pub(crate) const LOCATION: &str = "data-svc-at";
/// Attribute of an image whose author wrote no alternative text, not even an empty one.
pub(crate) const WITHOUT_ALT: &str = "data-svc-without-alt";
/// Attribute of a frame whose author wrote no title.
pub(crate) const WITHOUT_TITLE: &str = "data-svc-without-title";

/// Locations of the elements of an article that is rendered for checks. Readers never get its HTML.
#[derive(Debug, Default)]
pub(crate) struct SourceMarks {
    /// Locations, by the value of [`LOCATION`].
    pub(crate) locations: Vec<Location>,
    /// Index of the location of the node that is being rendered.
    current: Option<usize>,
}

impl Ctx<'_> {
    /// Renders a node with `render` and marks the first element that it appends, if the article is
    /// rendered for checks.
    pub(crate) fn marked(
        &mut self,
        span: Span,
        out: &mut Html,
        render: impl FnOnce(&mut Self, &mut Html),
    ) {
        if self.marks.is_none() {
            return render(self, out);
        }
        let location = self.scope.location(span);
        let outer = self.marks.as_mut().and_then(|marks| {
            marks.locations.push(location);
            marks.current.replace(marks.locations.len() - 1)
        });
        let from = out.len();
        render(self, out);
        self.mark(out, from);
        if let Some(marks) = &mut self.marks {
            marks.current = outer;
        }
    }

    /// Marks the element that begins at a byte of `out` with the location of the current node.
    pub(crate) fn mark(&self, out: &mut Html, from: usize) {
        if let Some(index) = self.marks.as_ref().and_then(|marks| marks.current) {
            out.mark_element(from, LOCATION, index);
        }
    }
}
