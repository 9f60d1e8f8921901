//! JSON (RFC 8259), read leniently: comments, trailing commas, a byte-order mark and missing
//! commas are reported and read over.

use svc_diagnostics::{Checked, Code, Diagnostic, SourceFile, Span};

use crate::codes::{DUPLICATE, LIMIT, RELAXED, SYNTAX};
use crate::{Limits, Node, Number, Object, Value};

/// Reads a JSON document. After an error that hides the structure (an unclosed bracket, a stray
/// word) what was read so far is kept.
pub fn parse_json(file: &SourceFile, limits: &Limits) -> Checked<Node> {
    let text = &**file.text();
    let mut reader = Reader {
        file,
        text,
        bytes: text.as_bytes(),
        at: if text.starts_with('\u{feff}') { 3 } else { 0 },
        limits,
        nodes: 0,
        stopped: false,
        diagnostics: Vec::new(),
    };
    if text.len() > limits.bytes {
        let message = format!(
            "the document has {} bytes, more than {}",
            text.len(),
            limits.bytes
        );
        reader.report(&LIMIT, 0..1, message, "split it into smaller files");
        return Checked {
            value: Node::default(),
            diagnostics: reader.diagnostics,
        };
    }
    reader.space();
    if reader.at >= reader.bytes.len() {
        let end = reader.at;
        reader.report(
            &SYNTAX,
            end..end,
            "the document is empty",
            "write at least `{}`",
        );
        return Checked {
            value: Node::default(),
            diagnostics: reader.diagnostics,
        };
    }
    let value = reader.value(0);
    reader.space();
    if !reader.stopped && reader.at < reader.bytes.len() {
        let at = reader.at;
        reader.report(
            &SYNTAX,
            at..at + 1,
            "text after the end of the document",
            "a JSON document is one value; remove what follows it",
        );
    }
    Checked {
        value,
        diagnostics: reader.diagnostics,
    }
}

struct Reader<'a> {
    file: &'a SourceFile,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    limits: &'a Limits,
    nodes: usize,
    /// Set once the structure is lost: everything open is closed where it stands.
    stopped: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn report(
        &mut self,
        code: &'static Code,
        range: std::ops::Range<usize>,
        message: impl Into<String>,
        hint: &str,
    ) {
        let location = self.file.location(Span::from_range(range));
        self.diagnostics
            .push(Diagnostic::new(code, message).at(location).hint(hint));
    }

    fn stop(&mut self, range: std::ops::Range<usize>, message: impl Into<String>, hint: &str) {
        self.report(&SYNTAX, range, message, hint);
        self.stopped = true;
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'/') if matches!(self.bytes.get(self.at + 1), Some(b'/' | b'*')) => {
                    self.comment();
                }
                _ => return,
            }
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        };
        self.at += length;
        self.report(
            &RELAXED,
            start..self.at,
            "JSON has no comments",
            "remove the comment",
        );
    }

    fn value(&mut self, depth: usize) -> Node {
        let start = self.at;
        self.nodes += 1;
        if depth > self.limits.depth || self.nodes > self.limits.nodes {
            if !self.stopped {
                self.report(
                    &LIMIT,
                    start..start + 1,
                    format!(
                        "the document is nested deeper than {} levels or has more than {} values",
                        self.limits.depth, self.limits.nodes
                    ),
                    "simplify or split the document",
                );
                self.stopped = true;
            }
            return Node::default();
        }
        let value = match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Value::String(self.string().into()),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => self.word(),
            None => {
                self.stop(
                    start..start,
                    "the document ends too early",
                    "a value is missing here",
                );
                Value::Null
            }
        };
        Node::new(Span::from_range(start..self.at), value)
    }

    fn object(&mut self, depth: usize) -> Value {
        let open = self.at;
        let mut object = Object::default();
        self.at += 1;
        loop {
            self.space();
            if self.stopped {
                break;
            }
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(b'"') => self.member(&mut object, depth),
                Some(b',') => {
                    let at = self.at;
                    self.at += 1;
                    self.report(&SYNTAX, at..at + 1, "a stray `,`", "remove it");
                }
                None => {
                    self.stop(
                        open..open + 1,
                        "this `{` is never closed",
                        "add the missing `}`",
                    );
                    break;
                }
                Some(_) => {
                    let at = self.at;
                    self.stop(
                        at..at + 1,
                        "expected a key in double quotes or `}`",
                        "keys stand in double quotes: `\"name\": …`",
                    );
                    break;
                }
            }
        }
        Value::Object(object)
    }

    fn member(&mut self, object: &mut Object, depth: usize) {
        let start = self.at;
        let key = self.string();
        let key_span = Span::from_range(start..self.at);
        self.space();
        if self.peek() == Some(b':') {
            self.at += 1;
        } else {
            let at = self.at;
            self.stop(
                at..at + 1,
                format!("expected `:` after `{key}`"),
                "a key is followed by `:` and its value",
            );
            return;
        }
        self.space();
        let value = self.value(depth + 1);
        if let Some(before) = object.insert(&key, key_span, value) {
            let first = self.file.location(before.key_span);
            let found = Diagnostic::new(&DUPLICATE, format!("the key `{key}` stands twice"))
                .at(self.file.location(key_span))
                .label(first, "first here")
                .hint("keep one of them; the last one counts");
            self.diagnostics.push(found);
        }
        self.separator(b'}');
    }

    /// After a value: a comma, the closing bracket, or a missing comma that is read over.
    fn separator(&mut self, close: u8) {
        if self.stopped {
            return;
        }
        self.space();
        match self.peek() {
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.space();
                if self.peek() == Some(close) {
                    self.report(
                        &RELAXED,
                        comma..comma + 1,
                        "a comma after the last element",
                        "JSON allows no trailing comma; remove it",
                    );
                }
            }
            Some(byte) if byte == close => {}
            Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b'a'..=b'z') => {
                let at = self.at;
                self.report(
                    &SYNTAX,
                    at..at + 1,
                    "a comma is missing before this",
                    "add `,`",
                );
            }
            Some(_) => {
                let at = self.at;
                self.stop(
                    at..at + 1,
                    format!("expected `,` or `{}`", char::from(close)),
                    "look for a bracket that is closed too early or by the wrong kind",
                );
            }
            None => {}
        }
    }

    fn array(&mut self, depth: usize) -> Value {
        let open = self.at;
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.space();
            if self.stopped {
                break;
            }
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                Some(b',') => {
                    let at = self.at;
                    self.at += 1;
                    self.report(&SYNTAX, at..at + 1, "a stray `,`", "remove it");
                }
                None => {
                    self.stop(
                        open..open + 1,
                        "this `[` is never closed",
                        "add the missing `]`",
                    );
                }
                Some(_) => {
                    items.push(self.value(depth + 1));
                    self.separator(b']');
                }
            }
        }
        Value::Array(items)
    }

    fn string(&mut self) -> String {
        let open = self.at;
        self.at += 1;
        let mut out = String::new();
        let mut plain = self.at;
        loop {
            match self.peek() {
                Some(b'"') => {
                    out.push_str(&self.text[plain..self.at]);
                    self.at += 1;
                    return out;
                }
                Some(b'\\') => {
                    out.push_str(&self.text[plain..self.at]);
                    self.escape(&mut out);
                    plain = self.at;
                }
                Some(b'\n') | None => {
                    out.push_str(&self.text[plain..self.at]);
                    self.stop(
                        open..open + 1,
                        "this string is never closed",
                        "add the missing `\"`",
                    );
                    return out;
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self, out: &mut String) {
        let start = self.at;
        self.at += 1;
        let simple = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => Some(char::from(byte)),
            Some(b'b') => Some('\u{8}'),
            Some(b'f') => Some('\u{c}'),
            Some(b'n') => Some('\n'),
            Some(b'r') => Some('\r'),
            Some(b't') => Some('\t'),
            _ => None,
        };
        if let Some(char) = simple {
            out.push(char);
            self.at += 1;
            return;
        }
        if self.peek() == Some(b'u') {
            let unit = |at: usize| {
                self.text
                    .get(at..at + 4)
                    .and_then(|hex| u32::from_str_radix(hex, 16).ok())
            };
            let high = unit(self.at + 1);
            let low = (self.text.get(self.at + 5..self.at + 7) == Some("\\u"))
                .then(|| unit(self.at + 7))
                .flatten();
            let (char, length) = match (high, low) {
                (Some(high @ 0xD800..0xDC00), Some(low @ 0xDC00..0xE000)) => (
                    char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)),
                    11,
                ),
                (Some(code), _) => (char::from_u32(code), 5),
                (None, _) => (None, 1),
            };
            self.at += length;
            if let Some(char) = char {
                out.push(char);
                return;
            }
            out.push('\u{fffd}');
        }
        let end = self.at.max(start + 1).min(self.bytes.len());
        self.report(
            &SYNTAX,
            start..end,
            "this escape sequence means nothing in JSON",
            "write `\\\\` for a backslash, or one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
        );
    }

    fn number(&mut self) -> Value {
        let start = self.at;
        while let Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        let text = &self.text[start..self.at];
        if let Ok(int) = text.parse::<i64>() {
            return Value::Number(Number::Int(int));
        }
        match text.parse::<f64>() {
            Ok(float) if float.is_finite() => Value::Number(Number::Float(float)),
            _ => {
                let message = format!("`{text}` is not a number that can be read");
                self.report(
                    &SYNTAX,
                    start..self.at,
                    message,
                    "write a finite decimal number",
                );
                Value::Null
            }
        }
    }

    fn word(&mut self) -> Value {
        let start = self.at;
        while let Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        match &self.text[start..self.at] {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            "" => {
                let char = self.text[start..].chars().next().unwrap_or(' ');
                let end = start + char.len_utf8();
                let message = format!("`{char}` cannot start a value");
                self.stop(
                    start..end,
                    message,
                    "a value is a string, number, true, false, null, {…} or […]",
                );
                Value::Null
            }
            word => {
                let message = format!("`{word}` is not a JSON value");
                self.report(
                    &SYNTAX,
                    start..self.at,
                    message,
                    "put text in double quotes",
                );
                Value::String(self.text[start..self.at].into())
            }
        }
    }
}
