//! A fast path for simple front matter: lines of `key: value` with plain values. Reading them
//! directly is much faster than the YAML parser, which handles everything else.

use svc_data::{Node, Number, Object, Value};
use svc_diagnostics::Span;

/// Parses a simple text that begins at byte `start` of its file, with the same result as the YAML
/// parser. `None` if the text is not simple.
pub(crate) fn read(text: &str, start: usize) -> Option<Node> {
    let mut object = Object::default();
    let mut at = start;
    let mut root: Option<Span> = None;
    for line in text.split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let content = content.strip_suffix('\r').unwrap_or(content);
        if !content.is_empty() {
            let (key, rest) = content.split_once(": ")?;
            let simple = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
            let first = *key.as_bytes().first()?;
            if !first.is_ascii_alphabetic() || !key.bytes().all(simple) || is_reserved(key) {
                return None;
            }
            let value = rest.trim_matches(' ');
            let offset = at + key.len() + 2 + (rest.len() - rest.trim_start_matches(' ').len());
            let span = Span::from_range(offset..offset + value.len());
            let key_span = Span::from_range(at..at + key.len());
            root = Some(root.map_or(key_span, |root| root).to(span));
            if object
                .insert(key, key_span, Node::new(span, scalar(value)?))
                .is_some()
            {
                return None;
            }
        }
        at += line.len();
    }
    Some(Node::new(root?, Value::Object(object)))
}

fn scalar(text: &str) -> Option<Value> {
    let odd =
        |c: char| c.is_control() || matches!(c, '\u{feff}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    if text.len() > 1000 || text.chars().any(odd) {
        return None;
    }
    match *text.as_bytes().first()? {
        quote @ (b'"' | b'\'') => {
            let inside = text.get(1..)?.strip_suffix(char::from(quote))?;
            let simple = !inside.contains(['\\', char::from(quote)]);
            simple.then(|| Value::String(inside.into()))
        }
        b'1'..=b'9' => {
            let digits = text.len() <= 15 && text.bytes().all(|b| b.is_ascii_digit());
            text.parse()
                .ok()
                .filter(|_| digits)
                .map(|int| Value::Number(Number::Int(int)))
        }
        first if first.is_ascii_alphabetic() || !first.is_ascii() => match text {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ if is_reserved(text) => None,
            _ => {
                let plain = !text.contains(": ") && !text.contains(" #") && !text.ends_with(':');
                plain.then(|| Value::String(text.into()))
            }
        },
        _ => None,
    }
}

/// Returns true for plain scalars that are not strings in some version of YAML.
fn is_reserved(text: &str) -> bool {
    [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf",
    ]
    .iter()
    .any(|reserved| text.eq_ignore_ascii_case(reserved))
}

#[cfg(test)]
mod tests {
    use svc_data::{Limits, parse_yaml};
    use svc_diagnostics::SourceFile;

    use super::*;

    #[test]
    fn the_result_equals_that_of_the_yaml_parser() {
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
            let Some(node) = read(text, 0) else { continue };
            simple += 1;
            let parsed = parse_yaml(&SourceFile::new("a", text), &Limits::default());
            assert_eq!(parsed.diagnostics, [], "{text}");
            assert_eq!(node.as_object(), parsed.value.as_object(), "{text}");
        }
        assert_eq!(simple, 5);
    }
    #[test]
    fn front_matter_of_real_sites_is_read_as_by_the_yaml_parser() {
        let Some(sites) = svc_test_support::reference_path("corpus/sites") else {
            return;
        };
        let tree = crate::load(&sites, &crate::LoadOptions::default()).unwrap();
        let mut simple = 0;
        for (path, contents) in tree.value.iter().filter(|(path, _)| path.ends_with(".mdx")) {
            let crate::Contents::Text(file) = contents else {
                continue;
            };
            let Some(rest) = file.text().strip_prefix("---\n") else {
                continue;
            };
            let text = rest.split_once("\n---").map_or("", |(text, _)| text);
            let Some(node) = read(text, 0) else { continue };
            simple += 1;
            let parsed = parse_yaml(&SourceFile::new(path, text), &Limits::default());
            assert_eq!(node.as_object(), parsed.value.as_object(), "{path}: {text}");
        }
        assert!(simple > 1000, "{simple}");
    }
}
