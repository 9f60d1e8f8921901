//! Front matter at the start of a page.

use svc_diagnostics::Span;

use crate::{FrontMatter, FrontMatterKind, text::line_ending};

/// Returns the front matter and the offset of the content.
pub(crate) fn read(text: &str) -> (Option<FrontMatter>, usize) {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let rest = text.get(start..).unwrap_or("");
    let (kind, fence) = if rest.starts_with("---") {
        (FrontMatterKind::Yaml, "---")
    } else if rest.starts_with("+++") {
        (FrontMatterKind::Toml, "+++")
    } else {
        return (None, start);
    };
    let bytes = text.as_bytes();
    let is_fence = |line: &str| {
        line.strip_prefix(fence)
            .is_some_and(|rest| rest.trim_matches([' ', '\t']).is_empty())
    };
    let line = |at: usize| {
        let rest = text.get(at..).unwrap_or("");
        let end = rest.find(['\n', '\r']).map_or(text.len(), |end| at + end);
        (end, end + line_ending(bytes, end))
    };
    let (end, value) = line(start);
    if !is_fence(text.get(start..end).unwrap_or("")) || value == end {
        return (None, start);
    }
    let mut at = value;
    let mut last = value;
    loop {
        let (end, next) = line(at);
        if is_fence(text.get(at..end).unwrap_or("")) {
            let front = FrontMatter {
                kind,
                span: Span::from_range(start..end),
                value: Span::from_range(value..last),
                text: text.get(value..last).unwrap_or("").into(),
            };
            return (Some(front), next);
        }
        if next == end {
            return (None, start);
        }
        last = end;
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<&str> {
        read(text).0.and_then(|front| text.get(front.value.range()))
    }

    #[test]
    fn front_matter_is_between_fences_at_the_start() {
        assert_eq!(value("---\na: 1\nb: 2\n---\n# T"), Some("a: 1\nb: 2"));
        assert_eq!(value("\u{feff}+++  \na=1\n+++"), Some("a=1"));
        assert_eq!(value("---\n---\n"), Some(""));
        assert_eq!(value("---\na: 1\n"), None);
        assert_eq!(value("----\na\n----\n"), None);
        assert_eq!(value("\n---\na: 1\n---"), None);
    }
}
