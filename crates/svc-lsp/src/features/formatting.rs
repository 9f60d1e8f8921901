//! The normal form of a document.

use lsp_types::TextEdit;

use crate::view::View;

/// One edit of the whole document; none if it has the form, has syntax errors, or is not a page or
/// a configuration file.
pub(crate) fn formatting(view: &View<'_>) -> Vec<TextEdit> {
    let formatted = svc_site::format(&view.path, view.text);
    let changed = formatted.filter(|formatted| formatted.value != view.text);
    let edit = changed.map(|formatted| TextEdit {
        range: view.index.range(0..view.text.len()),
        new_text: formatted.value,
    });
    edit.into_iter().collect()
}
