//! Simple TOML of `+++` front matter: one `key = value` per line.

use svc_data::{Node, Number, Object, Value};
use svc_diagnostics::Span;

/// Returns the fields and the spans of the lines that are invalid.
pub(crate) fn read(text: &str, start: usize) -> (Node, Vec<Span>) {
    let mut object = Object::default();
    let mut invalid = Vec::new();
    let mut at = start;
    for line in text.split_inclusive('\n') {
        let span =
            |part: &str, offset: usize| Span::from_range(at + offset..at + offset + part.len());
        let content = line.trim();
        if !content.is_empty() && !content.starts_with('#') {
            let parsed = line.split_once('=').and_then(|(key, value)| {
                let name = key.trim().trim_matches(['"', '\'']);
                let trimmed = value.trim();
                let offset = key.len() + 1 + (value.len() - value.trim_start().len());
                let read = (!name.is_empty()).then(|| scalar(trimmed, at + offset))??;
                let key_offset = key.len() - key.trim_start().len();
                Some((name, span(key.trim(), key_offset), read))
            });
            match parsed {
                Some((name, key_span, value)) => {
                    object.insert(name, key_span, value);
                }
                None => invalid.push(span(content, line.len() - line.trim_start().len())),
            }
        }
        at += line.len();
    }
    (
        Node::new(
            Span::from_range(start..start + text.len()),
            Value::Object(object),
        ),
        invalid,
    )
}

fn scalar(text: &str, at: usize) -> Option<Node> {
    let (value, length) = match text.as_bytes().first()? {
        b'[' => return array(text, at),
        quote @ (b'"' | b'\'') => {
            let (string, length) = string(text, *quote)?;
            (Value::String(string.into()), length)
        }
        _ => {
            let token = text.split('#').next().unwrap_or("").trim_end();
            let value = match token {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                _ => Value::Number(number(token)?),
            };
            (value, token.len())
        }
    };
    let rest = text.get(length..)?.trim_start();
    (rest.is_empty() || rest.starts_with('#'))
        .then(|| Node::new(Span::from_range(at..at + length), value))
}

fn number(token: &str) -> Option<Number> {
    if let Ok(int) = token.parse() {
        return Some(Number::Int(int));
    }
    let float = token
        .parse::<f64>()
        .ok()
        .filter(|float| float.is_finite())?;
    Some(Number::Float(float))
}

/// Returns a quoted string and its length in bytes.
fn string(text: &str, quote: u8) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => {
                escaped = false;
                value.push(match c {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                });
            }
            '\\' if quote == b'"' => escaped = true,
            c if c == char::from(quote) => return Some((value, at + 1)),
            c => value.push(c),
        }
    }
    None
}

/// Parses an array of scalars on one line.
fn array(text: &str, at: usize) -> Option<Node> {
    let mut items = Vec::new();
    let mut offset = 1;
    loop {
        let rest = text.get(offset..)?;
        offset += rest.len() - rest.trim_start_matches([' ', '\t', ',']).len();
        let rest = text.get(offset..)?;
        if let Some(after) = rest.strip_prefix(']') {
            let after = after.trim_start();
            let span = Span::from_range(at..at + offset + 1);
            return (after.is_empty() || after.starts_with('#'))
                .then(|| Node::new(span, Value::Array(items)));
        }
        let length = match rest.as_bytes().first()? {
            b'[' => return None,
            quote @ (b'"' | b'\'') => string(rest, *quote)?.1,
            _ => rest.find([',', ']'])?,
        };
        items.push(scalar(rest.get(..length)?.trim_end(), at + offset)?);
        offset += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_members_with_their_spans() {
        let text = "title = \"A \\\"b\\\"\" # note\n\n# comment\nboost = 1.5\nhidden = true\ntags = [\"a\", 'b', 3]\n";
        let (node, invalid) = read(text, 0);
        assert_eq!(invalid, []);
        assert_eq!(node.get("title").and_then(Node::as_str), Some("A \"b\""));
        assert_eq!(node.get("hidden").and_then(Node::as_bool), Some(true));
        assert_eq!(
            node.get("tags").and_then(Node::as_array).map(<[Node]>::len),
            Some(3)
        );
        let boost = node.get("boost").unwrap();
        assert_eq!(&text[boost.span.range()], "1.5");
        let second = &node.get("tags").unwrap().as_array().unwrap()[1];
        assert_eq!(&text[second.span.range()], "'b'");
    }

    #[test]
    fn an_invalid_line_is_reported_and_the_rest_is_read() {
        let text = "what\nx = \"open\ny = 2\n";
        let (node, invalid) = read(text, 10);
        assert_eq!(invalid, [Span::new(10, 14), Span::new(15, 24)]);
        assert!(node.get("y").is_some());
    }
}
