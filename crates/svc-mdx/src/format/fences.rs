//! Fences of code blocks: backticks, directly followed by the language.

use std::ops::Range;

use crate::{Kind, walk};

use super::{Change, Page};

/// Minimum length of a fence.
const MIN_FENCE: usize = 3;

/// Replaces fences of tildes where backticks are possible, and removes white space around the info
/// string and after the fences.
pub(super) fn changes(page: &Page<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    walk(&page.document.children, |node, _| {
        if let Kind::Code { value, .. } = &node.kind {
            changes.extend(change(page, node.span.range(), value));
        }
        true
    });
    changes
}

fn change(page: &Page<'_>, block: Range<usize>, value: &str) -> Option<Change> {
    let text = page.slice(block.clone());
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let (first, _) = text.split_once('\n')?;
    let info = first.trim_start_matches(mark);
    let size = first.len() - info.len();
    let info = info.trim_matches([' ', '\t']);
    let closed = text.trim_end_matches([' ', '\t']);
    let end_size = closed.len() - closed.trim_end_matches(mark).len();
    if end_size < size.max(MIN_FENCE) {
        return None;
    }
    let fence = match mark {
        '~' if !info.contains('`') => "`".repeat(MIN_FENCE.max(max_run(value) + 1)),
        _ => mark.to_string().repeat(size),
    };
    let opening = block.start..block.start + first.len();
    let closing = block.start + closed.len() - end_size..block.end;
    Change::new(opening, format!("{fence}{info}"))
        .and(closing, fence)
        .of(page.text)
}

/// Length of the longest run of backticks.
fn max_run(value: &str) -> usize {
    let runs = value.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}
