//! Front matter of old pages and of new ones.

use serde_json::{Map, Value};
use svc_data::{Limits, Node, parse_yaml};
use svc_diagnostics::SourceFile;

use crate::markdown::Line;

/// Front matter and the lines after it.
pub(crate) struct Parts {
    pub(crate) data: Node,
    pub(crate) body: Vec<Line>,
}

/// Maximum size of front matter.
const LIMITS: Limits = Limits {
    bytes: 1 << 20,
    depth: 32,
    nodes: 20_000,
};

/// Splits a page. Without front matter, `data` is null.
pub(crate) fn split(file: &SourceFile) -> Parts {
    let lines: Vec<&str> = file.text().split('\n').collect();
    let is_fence = |line: &str| line.trim_end() == "---";
    let end = lines
        .first()
        .filter(|line| is_fence(line))
        .and_then(|_| lines.iter().skip(1).position(|line| is_fence(line)))
        .map(|at| at + 1);
    let data = end.map_or_else(Node::default, |end| {
        let text = lines[1..end].join("\n");
        parse_yaml(&SourceFile::new(file.path().clone(), text), &LIMITS).value
    });
    let start = end.map_or(0, |end| end + 1);
    let body = lines.iter().enumerate().skip(start).map(|(index, text)| {
        Line::new(
            u32::try_from(index + 1).unwrap_or(u32::MAX),
            text.replace('\t', "    "),
        )
    });
    Parts {
        data,
        body: body.collect(),
    }
}

/// Removes the first heading of level 1, if nothing but comments, scripts and blank lines is before it, and
/// returns its text.
pub(crate) fn take_title(body: &mut Vec<Line>) -> Option<String> {
    let blocks = [
        ("<!--", "-->"),
        ("<script", "</script>"),
        ("<style", "</style>"),
    ];
    let mut open: Option<&str> = None;
    let mut at = None;
    for (index, line) in body.iter().enumerate() {
        let text = line.text.trim();
        let starts = blocks.iter().find(|block| text.starts_with(block.0));
        open = open.or(starts.map(|block| block.1));
        let skipped = text.is_empty()
            || open.is_some()
            || text.starts_with("import ")
            || text.starts_with("[](){")
            || text.starts_with("{/*");
        open = open.filter(|end| !text.contains(end));
        if skipped {
            continue;
        }
        let next = body.get(index + 1).map(|line| line.text.trim());
        let is_setext = next.is_some_and(|next| next.len() > 2 && next.chars().all(|c| c == '='));
        if text.starts_with("# ") || is_setext {
            at = Some((index, is_setext));
        }
        break;
    }
    let (index, is_setext) = at?;
    let text = body[index].text.trim().trim_start_matches('#').to_owned();
    body.drain(index..=index + usize::from(is_setext));
    let text = match text.rfind(['{']) {
        // A list of attributes, not an expression.
        Some(at) if text.trim_end().ends_with('}') && !text[..at].ends_with('{') => &text[..at],
        _ => &text,
    };
    let title = crate::markdown::plain_title(text.trim().trim_end_matches('#').trim());
    (!title.is_empty()).then_some(title)
}

/// The text of a field; `None` if it is absent, empty or no scalar.
pub(crate) fn field(data: &Node, key: &str) -> Option<String> {
    let text = data.get(key)?.to_text()?.trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}

/// Whether the page is a draft, which is not published.
pub(crate) fn is_draft(data: &Node) -> bool {
    data.get("draft").and_then(Node::as_bool) == Some(true)
}

/// Prints front matter; empty if there are no fields.
pub(crate) fn print(fields: &Map<String, Value>) -> String {
    if fields.is_empty() {
        return String::new();
    }
    let mut out = "---\n".to_owned();
    for (key, value) in fields {
        // JSON strings, numbers and flow collections are YAML.
        out.push_str(&format!("{key}: {value}\n"));
    }
    out.push_str("---\n\n");
    out
}
