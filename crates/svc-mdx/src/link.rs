//! Link destinations, titles, labels and definitions.

use crate::{
    step_counter,
    text::{decode, line_ending},
};

/// Reads the label at `at`, which is a `[`; returns the end of its content and the offset after it.
pub(crate) fn label(text: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut end = at + 1;
    let mut seen = false;
    while end - at <= 4000 {
        step_counter::tick(1);
        match *bytes.get(end)? {
            b'[' => return None,
            b']' => {
                let inner = text.get(at + 1..end)?;
                return (seen && inner.len() < 4000).then_some((end, end + 1));
            }
            b'\\' if matches!(bytes.get(end + 1), Some(b'[' | b']' | b'\\')) => {
                seen = true;
                end += 1;
            }
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => seen = true,
        }
        end += 1;
    }
    None
}

/// Reads the destination at `at`; returns its decoded text and the offset after it.
pub(crate) fn destination(text: &str, at: usize, parentheses: usize) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    if bytes.get(at) == Some(&b'<') {
        let mut end = at + 1;
        loop {
            step_counter::tick(1);
            match *bytes.get(end)? {
                b'>' => return Some((decode(text.get(at + 1..end)?, true), end + 1)),
                b'<' | b'\n' | b'\r' => return None,
                b'\\' if matches!(bytes.get(end + 1), Some(b'<' | b'>' | b'\\')) => end += 2,
                _ => end += 1,
            }
        }
    }
    let mut end = at;
    let mut open = 0usize;
    loop {
        step_counter::tick(1);
        match bytes.get(end) {
            None | Some(b' ' | b'\t' | b'\n' | b'\r' | b')') if open == 0 => break,
            None | Some(0..=b' ' | 0x7f) => return None,
            Some(b'(') if open < parentheses => open += 1,
            Some(b'(') => return None,
            Some(b')') => open -= 1,
            Some(b'\\') if matches!(bytes.get(end + 1), Some(b'(' | b')' | b'\\')) => end += 1,
            Some(_) => {}
        }
        end += 1;
    }
    (end > at).then(|| (decode(text.get(at..end).unwrap_or(""), true), end))
}

/// Reads the title at `at`; returns its decoded text and the offset after it.
pub(crate) fn title(text: &str, at: usize) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let close = match bytes.get(at)? {
        b'"' => b'"',
        b'\'' => b'\'',
        b'(' => b')',
        _ => return None,
    };
    let mut raw = String::new();
    let mut from = at + 1;
    let mut end = at + 1;
    loop {
        step_counter::tick(1);
        match *bytes.get(end)? {
            byte if byte == close => break,
            b'\\'
                if bytes
                    .get(end + 1)
                    .is_some_and(|next| *next == close || *next == b'\\') =>
            {
                end += 2;
            }
            b'\n' | b'\r' => {
                end += line_ending(bytes, end);
                raw.push_str(text.get(from..end)?);
                while matches!(bytes.get(end), Some(b' ' | b'\t')) {
                    end += 1;
                }
                from = end;
            }
            _ => end += 1,
        }
    }
    raw.push_str(text.get(from..end)?);
    Some((decode(&raw, true), end + 1))
}

/// Skips spaces, tabs and line endings.
pub(crate) fn space(text: &str, mut at: usize) -> usize {
    while matches!(text.as_bytes().get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        step_counter::tick(1);
        at += 1;
    }
    at
}

/// Skips spaces and tabs; returns the offset if the line ends there.
fn line_over(text: &str, mut at: usize) -> Option<usize> {
    while matches!(text.as_bytes().get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    matches!(text.as_bytes().get(at), None | Some(b'\n' | b'\r')).then_some(at)
}

/// A link reference definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition<'a> {
    /// Text between the brackets.
    pub(crate) label: &'a str,
    /// Decoded destination.
    pub(crate) url: String,
    /// Decoded title.
    pub(crate) title: Option<String>,
    /// Offset of the line ending after the definition, or the length of the text.
    pub(crate) end: usize,
}

/// Parses the definition at the start of `text`.
pub(crate) fn definition(text: &str) -> Option<Definition<'_>> {
    if !text.starts_with('[') {
        return None;
    }
    let (close, after) = label(text, 0)?;
    if text.as_bytes().get(after) != Some(&b':') {
        return None;
    }
    let at = space(text, after + 1);
    let (url, after) = destination(text, at, usize::MAX)?;
    let label = text.get(1..close)?;
    let before_title = space(text, after);
    if before_title > after
        && let Some((title, end)) = title(text, before_title)
        && let Some(end) = line_over(text, end)
    {
        return Some(Definition {
            label,
            url,
            title: Some(title),
            end,
        });
    }
    line_over(text, after).map(|end| Definition {
        label,
        url,
        title: None,
        end,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_may_span_lines_and_lack_a_title() {
        let parsed = definition("[a b]:\n  <x y>\n  'one\n  two'\nrest").unwrap();
        assert_eq!((parsed.label, &*parsed.url), ("a b", "x y"));
        assert_eq!(parsed.title.as_deref(), Some("one\ntwo"));
        let parsed = definition("[a]: x\n\"no end").unwrap();
        assert_eq!((parsed.title, parsed.end), (None, 6));
        assert_eq!(definition("[a]: x y"), None);
        assert_eq!(definition("[ ]: x"), None);
    }

    #[test]
    fn parentheses_in_a_destination_balance() {
        assert_eq!(
            destination("a(b)c) d", 0, 32),
            Some(("a(b)c".to_owned(), 5))
        );
        assert_eq!(destination("a(b c", 0, 32), None);
    }
}
