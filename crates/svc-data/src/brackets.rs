//! The bracket of a JSON text that is not closed, found by the indentation of its lines.

use std::ops::Range;

/// A bracket without its counterpart, and the edit that adds it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BracketRepair {
    /// Offset of the opening bracket.
    pub(crate) open: usize,
    /// What is replaced; empty for an insertion.
    pub(crate) range: Range<usize>,
    /// The replacement.
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    close: u8,
    offset: usize,
    indent: usize,
}

/// Finds the first bracket that is closed by a wrong one, by one of an outer level, or not at all.
/// `None` if there is none, or if a closing bracket has no opening one.
pub(crate) fn repair(text: &str) -> Option<BracketRepair> {
    let bytes = text.as_bytes();
    let mut stack: Vec<Open> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                let rest = bytes.iter().skip(at);
                at += rest.take_while(|byte| **byte != b'\n').count();
                continue;
            }
            b'{' | b'[' => stack.push(Open {
                close: if *byte == b'{' { b'}' } else { b']' },
                offset: at,
                indent: indent_at(text, at),
            }),
            b'}' | b']' => {
                let top = stack.pop()?;
                let line = text.get(top.offset..at).unwrap_or("");
                let own_line = line.contains('\n') && is_first(text, at);
                let indent = indent_at(text, at);
                if own_line && indent < top.indent {
                    return Some(close_before(text, top, at));
                }
                if top.close != *byte {
                    let is_outer = stack.last().is_some_and(|outer| outer.close == *byte);
                    if is_outer && !(own_line && indent == top.indent) {
                        return Some(close_before(text, top, at));
                    }
                    return Some(BracketRepair {
                        open: top.offset,
                        range: at..at + 1,
                        text: char::from(top.close).to_string(),
                    });
                }
            }
            _ => {}
        }
        at += 1;
    }
    let last = stack.last()?.offset;
    let end = text.trim_end().len();
    let mut closing = String::new();
    for open in stack.iter().rev() {
        if text.get(..end).is_some_and(|text| text.contains('\n')) {
            closing.push_str(newline(text));
            closing.push_str(indentation(text, open.offset));
        }
        closing.push(char::from(open.close));
    }
    let before = text.get(..end)?;
    let start = before.strip_suffix(',').map_or(end, str::len);
    Some(BracketRepair {
        open: last,
        range: start..end,
        text: closing,
    })
}

/// Closes a bracket before the first line that is not indented more than its own, or else before the
/// closing bracket at `limit`.
fn close_before(text: &str, open: Open, limit: usize) -> BracketRepair {
    let mut line = open.offset;
    let mut next = None;
    while let Some(end) = text.get(line..limit).and_then(|rest| rest.find('\n')) {
        line += end + 1;
        let rest = text.get(line..).unwrap_or("");
        let is_blank = rest
            .lines()
            .next()
            .is_none_or(|line| line.trim().is_empty());
        if !is_blank && indent_at(text, line) <= open.indent {
            next = Some(line);
            break;
        }
    }
    let close = char::from(open.close);
    let before = text.get(..next.unwrap_or(limit)).unwrap_or("");
    let end = before.trim_end().len();
    let start = before.trim_end().strip_suffix(',').map_or(end, str::len);
    let closing = match next {
        Some(_) => [newline(text), indentation(text, open.offset)].concat(),
        None => String::new(),
    };
    let rest = text.get(next.unwrap_or(limit)..).unwrap_or("").trim_start();
    let comma = if rest.starts_with(['}', ']', ',']) {
        ""
    } else {
        ","
    };
    BracketRepair {
        open: open.offset,
        range: start..end,
        text: format!("{closing}{close}{comma}"),
    }
}

/// Returns the offset of the closing quote of a string, or of the last character of its line.
fn string_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at,
            b'\n' => return at - 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn newline(text: &str) -> &'static str {
    match text.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    }
}

/// The white space at the start of the line of an offset.
fn indentation(text: &str, at: usize) -> &str {
    let start = text.get(..at).and_then(|text| text.rfind('\n'));
    let line = text.get(start.map_or(0, |end| end + 1)..).unwrap_or("");
    let length = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..length).unwrap_or("")
}

fn indent_at(text: &str, at: usize) -> usize {
    indentation(text, at).len()
}

/// Returns true if only white space is before the offset on its line.
fn is_first(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    line.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(text: &str) -> String {
        let Some(repair) = repair(text) else {
            return text.to_owned();
        };
        let mut text = text.to_owned();
        text.replace_range(repair.range, &repair.text);
        text
    }

    #[test]
    fn the_indentation_shows_which_bracket_is_missing() {
        for (text, expected) in [
            (
                "{\n  \"a\": {\n    \"b\": 1,\n  \"c\": 2\n}\n",
                "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": 2\n}\n",
            ),
            (
                "{\n  \"a\": {\n    \"b\": 1\n  \"c\": 2\n}\n",
                "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": 2\n}\n",
            ),
            (
                "{\n  \"a\": [\n    1,\n    2\n}\n",
                "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n",
            ),
            (
                "{\n  \"a\": [\n    1\n  }\n}\n",
                "{\n  \"a\": [\n    1\n  ]\n}\n",
            ),
            ("{\"a\": [1, 2}", "{\"a\": [1, 2]}"),
            ("{\"a\": {\"b\": 1", "{\"a\": {\"b\": 1}}"),
            ("{\n  \"a\": 1\n", "{\n  \"a\": 1\n}\n"),
            ("{\n  \"a\": [\n    1,\n", "{\n  \"a\": [\n    1\n  ]\n}\n"),
            ("{\"a\": \"}\"}", "{\"a\": \"}\"}"),
            ("}", "}"),
        ] {
            assert_eq!(repaired(text), expected, "{text}");
        }
    }
}
