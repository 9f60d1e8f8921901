//! White space at the end of lines, but for that of hard line breaks.

use crate::{Kind, walk};

use super::{Change, Page};

/// Removes white space at the end of lines.
pub(super) fn changes(page: &Page<'_>) -> Vec<Change> {
    let mut breaks = Vec::new();
    walk(&page.document.children, |node, _| {
        if matches!(node.kind, Kind::Break) {
            breaks.push(page.line_of(node.span.start as usize));
        }
        true
    });
    let lines = 0..page.line_count();
    let ends = lines.filter_map(|index| {
        let line = page.line(index);
        let text = page.slice(line.clone());
        let end = line.start + text.trim_end_matches([' ', '\t']).len();
        let is_content =
            end == line.end || page.is_literal(end) || breaks.binary_search(&index).is_ok();
        (!is_content).then(|| Change::new(end..line.end, ""))
    });
    ends.collect()
}
