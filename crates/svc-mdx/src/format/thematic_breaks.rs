//! Thematic breaks: `---`.

use crate::{Kind, walk};

use super::{Change, Page};

/// Replaces other thematic breaks by `---`. The first line of a page would be read as a fence of
/// front matter.
pub(super) fn changes(page: &Page<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    let nodes = page.document.children.get(1..).unwrap_or_default();
    walk(nodes, |node, _| {
        if matches!(node.kind, Kind::ThematicBreak) {
            changes.extend(Change::new(node.span.range(), "---").of(page.text));
        }
        true
    });
    changes
}
