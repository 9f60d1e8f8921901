//! Headings: `## Title`, not underlined and without closing `#`.

use crate::{Kind, walk};

use super::{Change, Page};

/// Writes headings of one line with leading `#`.
pub(super) fn changes(page: &Page<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    walk(&page.document.children, |node, _| {
        if let Kind::Heading { depth, .. } = &node.kind {
            let range = node.span.range();
            let text = page.slice(range.clone());
            let title = match text.starts_with('#') {
                true => Some(without_closing(text.trim_start_matches('#'))),
                false => without_underline(text),
            };
            let marks = "#".repeat(usize::from(*depth));
            let new = title.map(|title| match title.is_empty() {
                true => marks,
                false => format!("{marks} {title}"),
            });
            changes.extend(new.and_then(|new| Change::new(range, new).of(page.text)));
        }
        true
    });
    changes
}

/// The title without the `#` at its end.
fn without_closing(title: &str) -> &str {
    let title = title.trim_matches([' ', '\t']);
    let rest = title.trim_end_matches('#');
    match rest.is_empty() || rest.ends_with([' ', '\t']) {
        true => rest.trim_end_matches([' ', '\t']),
        false => title,
    }
}

/// The only line above an underline; `None` if there are several.
fn without_underline(text: &str) -> Option<&str> {
    let (title, underline) = text.split_once('\n')?;
    let is_underline = underline.ends_with(['=', '-']) && !underline.contains('\n');
    is_underline.then(|| title.trim_matches([' ', '\t']))
}
