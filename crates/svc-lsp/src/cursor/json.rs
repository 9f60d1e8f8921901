//! The position in a JSON text.

use super::{Cursor, Step, Target};

/// An open object or array.
enum Level {
    Object {
        /// The last key.
        key: Option<String>,
        /// Whether a value of that key follows.
        after_colon: bool,
    },
    Array,
}

/// Finds the key or value at an offset. The text may be incomplete; what follows the offset does
/// not matter, except for the end of a string.
pub(crate) fn json_cursor(text: &str, offset: usize) -> Cursor {
    let bytes = text.as_bytes();
    let mut levels: Vec<Level> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        if at > offset || (at == offset && !is_token(byte)) {
            break;
        }
        match byte {
            b'"' if at == offset => break,
            b'"' => {
                let end = string_end(bytes, at + 1);
                if offset <= end {
                    return cursor(&levels, at + 1..end, true);
                }
                if let Some(Level::Object { key, after_colon }) = levels.last_mut()
                    && !*after_colon
                {
                    *key = Some(unescape(text.get(at + 1..end).unwrap_or_default()));
                }
                at = end;
            }
            b':' => {
                if let Some(Level::Object { after_colon, .. }) = levels.last_mut() {
                    *after_colon = true;
                }
            }
            b',' => {
                if let Some(Level::Object { key, after_colon }) = levels.last_mut() {
                    (*key, *after_colon) = (None, false);
                }
            }
            b'{' => levels.push(Level::Object {
                key: None,
                after_colon: false,
            }),
            b'[' => levels.push(Level::Array),
            b'}' | b']' => {
                levels.pop();
            }
            _ if is_token(byte) => {
                let rest = bytes.get(at..).unwrap_or_default();
                let length = rest.iter().position(|byte| !is_token(*byte));
                let end = at + length.unwrap_or(rest.len());
                if offset <= end {
                    return cursor(&levels, at..end, false);
                }
                at = end - 1;
            }
            _ => {}
        }
        at += 1;
    }
    cursor(&levels, offset..offset, false)
}

/// Whether a byte is part of a number, a literal, or a string without quotes.
const fn is_token(byte: u8) -> bool {
    !matches!(
        byte,
        b'{' | b'}' | b'[' | b']' | b',' | b':' | b'"' | b' ' | b'\t' | b'\r' | b'\n'
    )
}

/// The offset of the quote that closes a string, or of the end of its line.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\n' | b'\r' => return at,
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

fn unescape(inside: &str) -> String {
    serde_json::from_str(&format!("\"{inside}\"")).unwrap_or_else(|_| inside.to_owned())
}

fn cursor(levels: &[Level], span: std::ops::Range<usize>, quoted: bool) -> Cursor {
    let steps = |levels: &[Level]| -> Vec<Step> {
        let step = |level: &Level| match level {
            Level::Object { key, .. } => Step::Key(key.clone().unwrap_or_default()),
            Level::Array => Step::Item,
        };
        levels.iter().map(step).collect()
    };
    let target = match levels.split_last() {
        Some((Level::Object { after_colon, .. }, outer)) if !after_colon => {
            Target::Key(steps(outer))
        }
        _ => Target::Value(steps(levels)),
    };
    Cursor::new(target, span, quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cursor at `|`, as path, kind and text.
    fn at(marked: &str) -> String {
        let offset = marked.find('|').expect("a mark");
        let text = marked.replacen('|', "", 1);
        let cursor = json_cursor(&text, offset);
        let (kind, steps) = match cursor.target {
            Target::Key(steps) => ("key", steps),
            Target::Value(steps) => ("value", steps),
            other => panic!("{other:?}"),
        };
        let steps: Vec<String> = steps
            .into_iter()
            .map(|step| match step {
                Step::Key(key) => key,
                Step::Item => "[]".to_owned(),
            })
            .collect();
        let quote = if cursor.quoted { "\"" } else { "" };
        format!("{kind} {} {quote}{}", steps.join("/"), &text[cursor.span])
    }

    #[test]
    fn keys_and_values_of_complete_and_incomplete_texts() {
        for (marked, expected) in [
            ("{\"na|me\": 1}", "key  \"name"),
            ("{|", "key  "),
            ("{ \"a\": 1, | }", "key  "),
            ("{\"a\": {\"b\": [{\"c|", "key a/b/[] \"c"),
            ("{\"a\": |}", "value a "),
            ("{\"a\": \"x|y\", \"b\": 1}", "value a \"xy"),
            ("{\"a\": [\"x\", \"|\n]}", "value a/[] \""),
            ("{\"a\": [|]}", "value a/[] "),
            ("{\"a\": tr|ue}", "value a true"),
            ("{\"a\\\"b\": \"|\"}", "value a\"b \""),
            ("|", "value  "),
            ("{\"a\": 1}|", "value  "),
            ("{\"a\": \"x\"|}", "value a "),
        ] {
            assert_eq!(at(marked), expected, "{marked}");
        }
    }

    #[test]
    fn any_bytes_have_a_cursor() {
        for text in ["]]]}", "\"", "\"\\", "{{{\":::", "é{\"ü\": \"😀"] {
            for offset in 0..=text.len() + 2 {
                let _ = json_cursor(text, offset);
            }
        }
    }
}
