//! The front matter that nearly every page has: `key: value` lines with simple values.
//!
//! The YAML parser takes six times as long for them, and a site of 25,000 pages would start 14 %
//! later (`cargo xtask bench start`). Everything that is not plainly simple is left to it.

use svc_data::{Node, Number, Object, Value};
use svc_diagnostics::Span;

/// Maximum bytes of a simple value.
const MAX_VALUE_BYTES: usize = 1_000;
/// Maximum digits of a simple number.
const MAX_DIGITS: usize = 15;
/// Words that are not strings in some version of YAML.
const RESERVED: &[&str] = &[
    "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf",
];

/// Parses a simple text that begins at byte `start` of its file. Returns the tree that the YAML
/// parser would return, or `None` if the text is not simple.
pub(crate) fn parse(text: &str, start: usize) -> Option<Node> {
    let mut object = Object::default();
    let mut offset = start;
    let mut span: Option<Span> = None;
    for line in text.split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let content = content.strip_suffix('\r').unwrap_or(content);
        if !content.is_empty() {
            let (key, rest) = content.split_once(": ")?;
            if !is_simple_key(key) {
                return None;
            }
            let value = rest.trim_matches(' ');
            let indent = rest.len() - rest.trim_start_matches(' ').len();
            let value_start = offset + key.len() + 2 + indent;
            let value_span = Span::from_range(value_start..value_start + value.len());
            let key_span = Span::from_range(offset..offset + key.len());
            span = Some(span.unwrap_or(key_span).to(value_span));
            let node = Node::new(value_span, parse_scalar(value)?);
            if object.insert(key, key_span, node).is_some() {
                return None;
            }
        }
        offset += line.len();
    }
    Some(Node::new(span?, Value::Object(object)))
}

fn is_simple_key(key: &str) -> bool {
    let is_simple = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.bytes().all(is_simple)
        && !is_reserved(key)
}

fn parse_scalar(text: &str) -> Option<Value> {
    let is_special =
        |c: char| c.is_control() || matches!(c, '\u{feff}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    if text.len() > MAX_VALUE_BYTES || text.chars().any(is_special) {
        return None;
    }
    match *text.as_bytes().first()? {
        quote @ (b'"' | b'\'') => {
            let quote = char::from(quote);
            let inside = text.get(1..)?.strip_suffix(quote)?;
            let is_simple = !inside.contains(['\\', quote]);
            is_simple.then(|| Value::String(inside.into()))
        }
        b'1'..=b'9' if text.len() <= MAX_DIGITS && text.bytes().all(|b| b.is_ascii_digit()) => {
            text.parse().ok().map(|int| Value::Number(Number::Int(int)))
        }
        first if first.is_ascii_alphabetic() || !first.is_ascii() => match text {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ if is_reserved(text) => None,
            _ => {
                let is_plain = !text.contains(": ") && !text.contains(" #") && !text.ends_with(':');
                is_plain.then(|| Value::String(text.into()))
            }
        },
        _ => None,
    }
}

fn is_reserved(text: &str) -> bool {
    let mut words = RESERVED.iter();
    words.any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use svc_data::{Limits, parse_yaml};
    use svc_diagnostics::SourceFile;

    use super::*;

    #[test]
    fn simple_texts_have_the_tree_of_the_yaml_parser() {
        let mut simple = 0;
        for text in [
            "title: Hello world\n",
            "title: \"Quoted: text\"\r\ndescription: 'x # y'\r\n",
            "a: 1\nb: true\n\nc-d: https://x.org/#y\n",
            "title:   padded  \nicon: star",
            "title: Über uns\nicon: é\n",
            "title: x: y\n",
            "a: yes\nb: null\nc: ~\nd: 0x1\ne: 1.5\nf: 007\n",
            "a: [1]\nb: {}\nc: |\n  x\n",
            "a: x\n  y\n",
            "a: x\na: y\n",
            "- a: x\n",
            "a: x #c\n",
            "# c\na: x\n",
            "a: \"x\\n\"\nb: 'it''s'\n",
            "a: &x y\nb: *x\n",
            "a:\n",
            "a: \n",
            "a b: c\n",
            "a: \"x\" y\n",
            "---\na: b\n",
            "a: b\n...\n",
            "true: x\n",
            "a: x:\n",
            "",
        ] {
            let Some(node) = parse(text, 0) else { continue };
            simple += 1;
            let parsed = parse_yaml(&SourceFile::new("a", text), &Limits::default());
            assert_eq!(parsed.diagnostics, [], "{text}");
            assert_eq!(node.as_object(), parsed.value.as_object(), "{text}");
        }
        assert_eq!(simple, 5);
    }
    #[test]
    fn front_matter_of_real_sites_has_the_tree_of_the_yaml_parser() {
        let Some(sites) = svc_test_support::reference_path("corpus/sites") else {
            return;
        };
        let Ok(tree) = crate::load(&sites, &crate::LoadOptions::default()) else {
            panic!("{} cannot be loaded", sites.display());
        };
        let mut simple = 0;
        for (path, contents) in tree.value.iter().filter(|(path, _)| path.ends_with(".mdx")) {
            let crate::Contents::Text(file) = contents else {
                continue;
            };
            let Some(rest) = file.text().strip_prefix("---\n") else {
                continue;
            };
            let text = rest.split_once("\n---").map_or("", |(text, _)| text);
            let Some(node) = parse(text, 0) else { continue };
            simple += 1;
            let parsed = parse_yaml(&SourceFile::new(path, text), &Limits::default());
            assert_eq!(node.as_object(), parsed.value.as_object(), "{path}: {text}");
        }
        assert!(simple > 1000, "{simple}");
    }
}
