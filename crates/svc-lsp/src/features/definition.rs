//! Where something is defined.

use lsp_types::{GotoDefinitionResponse, Location};

use crate::view::View;

/// The definition of what is at an offset. `None` if it has none in the repository.
pub(crate) fn definition(view: &View<'_>, offset: usize) -> Option<GotoDefinitionResponse> {
    location(view, offset).map(GotoDefinitionResponse::Scalar)
}

fn location(view: &View<'_>, offset: usize) -> Option<Location> {
    let cursor = view.cursor(offset)?;
    let role = view.role(&cursor)?;
    let value = view.text_of(&cursor);
    let destination = view.destination(role, value)?;
    let span = view.named_span(role, value, &destination.file);
    view.location(&destination.file, span.unwrap_or(destination.span))
}
