//! Blocks of mdbook-admonish.

use crate::markdown::{Line, track_fence};

/// Code blocks of mdbook-admonish as containers.
pub(super) fn admonitions(lines: Vec<Line>) -> Vec<Line> {
    let mut fence: Option<String> = None;
    let mut admonition = false;
    let mut out = Vec::with_capacity(lines.len());
    for line in lines {
        let was_open = fence.is_some();
        track_fence(&line.text, &mut fence);
        let (start, info) = info_of(&line.text);
        let rest = info
            .strip_prefix("admonish")
            .filter(|_| !was_open && fence.is_some());
        if let Some(rest) = rest {
            admonition = true;
            let indent = " ".repeat(start.len() - start.trim_start().len());
            let title = rest
                .split_once("title=\"")
                .and_then(|(_, rest)| rest.split_once('"'));
            let kind = rest
                .split_whitespace()
                .next()
                .filter(|word| !word.contains('='));
            let kind = match rest.contains("collapsible=true") {
                true => "details",
                false => kind.unwrap_or("note"),
            };
            let title = title.map_or_else(String::new, |(title, _)| format!("[{title}]"));
            out.push(line_like(&line, format!("{indent}::::::{kind}{title}")));
        } else if admonition && was_open && fence.is_none() {
            admonition = false;
            let indent = " ".repeat(line.text.len() - line.text.trim_start().len());
            out.push(line_like(&line, format!("{indent}::::::")));
        } else {
            out.push(line);
        }
    }
    out
}

fn line_like(line: &Line, text: String) -> Line {
    Line::new(line.number, text)
}

/// A line that opens a code block, up to its info string, and that string.
pub(super) fn info_of(text: &str) -> (&str, &str) {
    let marks = text.len() - text.trim_start().trim_start_matches(['`', '~']).len();
    (&text[..marks], text[marks..].trim())
}
