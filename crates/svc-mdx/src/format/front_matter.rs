//! Trailing white space of front matter.

use crate::{FrontMatter, FrontMatterKind};

use super::{Change, Page};

/// Removes trailing white space from lines of front matter that has no texts of several lines.
pub(super) fn changes(page: &Page<'_>) -> Vec<Change> {
    let Some(front) = &page.document.front_matter else {
        return Vec::new();
    };
    let (value, span) = (front.value.range(), front.span.range());
    let opening = span.start..value.start.saturating_sub(1);
    let closing = page.line(page.line_of(span.end));
    let fences = [opening, closing].map(|fence| {
        let new = page.slice(fence.clone()).trim_end_matches([' ', '\t']);
        Change::new(fence, new)
    });
    let text = Change::new(value, trimmed(front));
    let changes = fences.into_iter().chain([text]);
    changes.filter_map(|change| change.of(page.text)).collect()
}

/// The text of front matter without trailing white space. It is the text itself if white space may
/// be content: in block scalars and after a backslash of YAML, and in multi-line strings of TOML.
pub(super) fn trimmed(front: &FrontMatter) -> String {
    let text = &*front.text;
    let has_content = match front.kind {
        FrontMatterKind::Yaml => text.contains(['|', '>', '\\', '\r']),
        FrontMatterKind::Toml => {
            text.contains("\"\"\"") || text.contains("'''") || text.contains('\r')
        }
    };
    if has_content {
        return text.to_owned();
    }
    let lines = text.split('\n');
    let lines: Vec<&str> = lines
        .map(|line| line.trim_end_matches([' ', '\t']))
        .collect();
    lines.join("\n")
}
