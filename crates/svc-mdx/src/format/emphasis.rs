//! Delimiters of emphasis: `*text*` and `**text**`.

use crate::{Kind, walk};

use super::{Change, Page};

/// Replaces `_` by `*`.
pub(super) fn changes(page: &Page<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    walk(&page.document.children, |node, _| {
        let (old, new) = match node.kind {
            Kind::Emphasis(_) => ("_", "*"),
            Kind::Strong(_) => ("__", "**"),
            _ => return true,
        };
        let range = node.span.range();
        let text = page.slice(range.clone());
        if text.len() > 2 * old.len() && text.starts_with(old) && text.ends_with(old) {
            let start = range.start..range.start + old.len();
            let end = range.end - old.len()..range.end;
            changes.push(Change::new(start, new).and(end, new));
        }
        true
    });
    changes
}
