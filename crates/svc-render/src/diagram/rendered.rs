//! A rendered diagram.

use super::colors;
use super::source::AccessibleText;
use crate::html::Html;

/// Placeholder in the SVG for the page-wide unique prefix of ids.
pub(super) const MARK: char = '\u{e000}';

/// A rendered diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Diagram {
    pub(super) inner: String,
    pub(super) view: String,
    /// Natural width in pixels.
    pub(crate) width: u32,
    /// Natural height in pixels.
    pub(crate) height: u32,
    /// Whether the diagram has its own palette and a white background in both color schemes.
    pub(crate) paper: bool,
    /// Title and description by the author.
    pub(crate) text: AccessibleText,
}

impl Diagram {
    /// Content of the `svg` element, with ids that begin with `prefix`.
    pub(crate) fn inner(&self, prefix: &str) -> Html {
        Html::trusted(self.inner.replace(MARK, prefix))
    }

    /// The diagram as a file: on white, in fixed colors.
    pub(crate) fn svg_file(&self) -> String {
        let (view, width, height) = (&self.view, self.width, self.height);
        let inner = colors::fixed(&self.inner.replace(MARK, "d-"));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{view}\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" style=\"background:#ffffff\">{inner}</svg>"
        )
    }

    /// Value of the `viewBox` attribute.
    pub(crate) fn view(&self) -> &str {
        &self.view
    }
}
