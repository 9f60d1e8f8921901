//! Markers of bullet lists: `-`.

use crate::{Kind, walk};

use super::{Change, Page};

/// Replaces `*` and `+` by `-`. Of two lists that only their markers separate, one stays as it is,
/// because they would become one list.
pub(super) fn changes(page: &Page<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    walk(&page.document.children, |node, _| {
        if let Kind::List {
            ordered: false,
            children,
            ..
        } = &node.kind
        {
            let markers = children.iter().map(|item| item.span.start as usize);
            let markers = markers.map(|at| at..at + 1);
            let markers = markers.filter(|marker| matches!(page.slice(marker.clone()), "*" | "+"));
            let change = markers.fold(Change::default(), |change, marker| change.and(marker, "-"));
            changes.extend(change.of(page.text));
        }
        true
    });
    changes
}
