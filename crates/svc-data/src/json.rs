//! JSON (RFC 8259), read leniently: comments, trailing commas, a byte-order mark and missing
//! commas are reported and read over.

use std::borrow::Cow;

use svc_diagnostics::{Checked, Diagnostic, DiagnosticCode, SourceFile, Span};

use crate::codes::{DUPLICATE, LIMIT, RELAXED, SYNTAX};
use crate::{Limits, Node, Number, Object, Value, escape_pointer};

/// Reads a JSON document. After an error that hides the structure (an unclosed bracket, a stray
/// word) what was read so far is kept.
pub fn parse_json(file: &SourceFile, limits: &Limits) -> Checked<Node> {
    let text = &**file.text();
    let mut reader = Reader {
        file,
        text,
        bytes: text.as_bytes(),
        pos: if text.starts_with('\u{feff}') { 3 } else { 0 },
        limits,
        nodes: 0,
        stopped: false,
        path: Vec::new(),
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
    reader.skip_whitespace();
    if reader.pos >= reader.bytes.len() {
        let end = reader.pos;
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
    reader.skip_whitespace();
    if !reader.stopped && reader.pos < reader.bytes.len() {
        let at = reader.pos;
        reader.report(
            &SYNTAX,
            reader.token(at),
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
    pos: usize,
    limits: &'a Limits,
    nodes: usize,
    /// Set once the structure is lost: everything open is closed where it stands.
    stopped: bool,
    /// The way to the value that is being read.
    path: Vec<PathSegment>,
    diagnostics: Vec<Diagnostic>,
}

/// How many problems are reported: a damaged file of many megabytes must not fill the memory.
const MAX_DIAGNOSTICS: usize = 1_000;

/// A step down the tree.
enum PathSegment {
    /// The key with its quotes, as a range of the text.
    Key(Span),
    Index(usize),
}

impl<'a> Reader<'a> {
    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        range: std::ops::Range<usize>,
        message: impl Into<String>,
        hint: &str,
    ) {
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            return;
        }
        let location = self.file.location(Span::from_range(range));
        self.diagnostics.push(
            Diagnostic::new(code, message)
                .at(location)
                .hint(hint)
                .pointer(self.pointer()),
        );
    }

    /// The JSON pointer of the value that is being read.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            pointer.push('/');
            match step {
                PathSegment::Key(span) => {
                    let key = self.file.slice(*span).trim_matches(['"', '\'']);
                    // Every problem repeats the pointer, so a very long key is cut.
                    let key: String = key.chars().take(60).collect();
                    pointer.push_str(&escape_pointer(&key));
                }
                PathSegment::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }

    /// The range of the string, the word or the character at `at`.
    fn token(&self, at: usize) -> std::ops::Range<usize> {
        let rest = self.text.get(at..).unwrap_or("");
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.' | '+');
        let length = match rest.chars().next() {
            Some('"' | '\'') => {
                // A string that is longer than this, or than its line, is probably not closed.
                let mut bytes = rest.bytes().take(200);
                let quote = bytes.next();
                let end = bytes.position(|byte| Some(byte) == quote || byte == b'\n');
                let closed = end.filter(|end| rest.as_bytes().get(end + 1) == quote.as_ref());
                closed.map_or(1, |end| end + 2)
            }
            Some(first) if word(first) => {
                let end = rest.char_indices().take(60).find(|(_, c)| !word(*c));
                end.map_or_else(|| first.len_utf8(), |(end, _)| end)
            }
            Some(first) => first.len_utf8(),
            None => 0,
        };
        at..at + length
    }

    fn stop(&mut self, range: std::ops::Range<usize>, message: impl Into<String>, hint: &str) {
        self.report(&SYNTAX, range, message, hint);
        self.stopped = true;
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    fn skip_whitespace(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.pos += 1,
                Some(b'/') if matches!(self.bytes.get(self.pos + 1), Some(b'/' | b'*')) => {
                    self.skip_comment();
                }
                _ => return,
            }
        }
    }

    fn skip_comment(&mut self) {
        let start = self.pos;
        let rest = &self.text[start..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        };
        self.pos += length;
        self.report(
            &RELAXED,
            start..self.pos,
            "JSON has no comments",
            "remove the comment",
        );
    }

    fn value(&mut self, depth: usize) -> Node {
        let start = self.pos;
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
            Some(_) => self.keyword(),
            None => {
                self.stop(
                    start..start,
                    "the document ends too early",
                    "a value is missing here",
                );
                Value::Null
            }
        };
        Node::new(Span::from_range(start..self.pos), value)
    }

    fn object(&mut self, depth: usize) -> Value {
        let open = self.pos;
        let mut object = Object::default();
        self.pos += 1;
        loop {
            self.skip_whitespace();
            if self.stopped {
                break;
            }
            match self.peek() {
                Some(b'}') => {
                    self.pos += 1;
                    break;
                }
                Some(b'"') => self.member(&mut object, depth),
                Some(b'\'' | b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z') if self.is_bare_key() => {
                    self.member(&mut object, depth);
                }
                Some(b',') => {
                    let at = self.pos;
                    self.pos += 1;
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
                    let range = self.token(self.pos);
                    self.stop(
                        range,
                        "expected a key in double quotes or `}`",
                        "keys stand in double quotes: `\"name\": …`",
                    );
                    break;
                }
            }
        }
        Value::Object(object)
    }

    /// Whether a word or a text in single quotes stands here and `:` behind it.
    fn is_bare_key(&self) -> bool {
        let end = self.token(self.pos).end;
        let rest = self.text.get(end..).unwrap_or("");
        rest.trim_start_matches([' ', '\t']).starts_with(':')
    }

    /// A key; one without double quotes is reported and taken all the same.
    fn key(&mut self) -> Cow<'a, str> {
        if self.peek() == Some(b'"') {
            return self.string();
        }
        let range = self.token(self.pos);
        let key = self
            .text
            .get(range.clone())
            .unwrap_or("")
            .trim_matches('\'');
        let key = key.to_owned();
        self.pos = range.end;
        let message = format!("the key `{key}` has no double quotes");
        let hint = format!("write `\"{key}\"`");
        self.report(&SYNTAX, range, message, &hint);
        key.into()
    }

    fn member(&mut self, object: &mut Object, depth: usize) {
        let start = self.pos;
        let key = self.key();
        let key_span = Span::from_range(start..self.pos);
        self.skip_whitespace();
        if self.peek() == Some(b':') {
            self.pos += 1;
        } else {
            let range = self.token(self.pos);
            self.stop(
                range,
                format!("expected `:` after `{key}`"),
                "a key is followed by `:` and its value",
            );
            return;
        }
        self.skip_whitespace();
        self.path.push(PathSegment::Key(key_span));
        let value = self.value(depth + 1);
        if let Some(before) = object.insert(&key, key_span, value) {
            let key: String = key.chars().take(60).collect();
            let message = format!("the key `{key}` stands twice");
            let hint = "keep one of them; the last one counts";
            let known = self.diagnostics.len();
            self.report(&DUPLICATE, key_span.range(), message, hint);
            if self.diagnostics.len() > known
                && let Some(found) = self.diagnostics.pop()
            {
                let first = self.file.location(before.key_span);
                self.diagnostics.push(found.label(first, "first here"));
            }
        }
        self.path.pop();
        self.separator(b'}');
    }

    /// After a value: a comma, the closing bracket, or a missing comma that is read over.
    fn separator(&mut self, close: u8) {
        if self.stopped {
            return;
        }
        self.skip_whitespace();
        match self.peek() {
            Some(b',') => {
                let comma = self.pos;
                self.pos += 1;
                self.skip_whitespace();
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
                let range = self.token(self.pos);
                self.report(&SYNTAX, range, "a comma is missing before this", "add `,`");
            }
            Some(_) => {
                let at = self.pos;
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
        let open = self.pos;
        let mut items = Vec::new();
        self.pos += 1;
        loop {
            self.skip_whitespace();
            if self.stopped {
                break;
            }
            match self.peek() {
                Some(b']') => {
                    self.pos += 1;
                    break;
                }
                Some(b',') => {
                    let at = self.pos;
                    self.pos += 1;
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
                    self.path.push(PathSegment::Index(items.len()));
                    items.push(self.value(depth + 1));
                    self.path.pop();
                    self.separator(b']');
                }
            }
        }
        Value::Array(items)
    }

    fn string(&mut self) -> Cow<'a, str> {
        let open = self.pos;
        self.pos += 1;
        let mut out = String::new();
        let mut plain = self.pos;
        // Almost every string is a piece of the text as it is.
        let joined = |out: String, rest: &'a str| {
            if out.is_empty() {
                Cow::Borrowed(rest)
            } else {
                Cow::Owned(out + rest)
            }
        };
        loop {
            match self.peek() {
                Some(b'"') => {
                    let rest = &self.text[plain..self.pos];
                    self.pos += 1;
                    return joined(out, rest);
                }
                Some(b'\\') => {
                    out.push_str(&self.text[plain..self.pos]);
                    self.escape(&mut out);
                    plain = self.pos;
                }
                Some(b'\n') | None => {
                    let rest = &self.text[plain..self.pos];
                    self.stop(
                        open..open + 1,
                        "this string is never closed",
                        "add the missing `\"`",
                    );
                    return joined(out, rest);
                }
                Some(_) => self.pos += 1,
            }
        }
    }

    fn escape(&mut self, out: &mut String) {
        let start = self.pos;
        self.pos += 1;
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
            self.pos += 1;
            return;
        }
        if self.peek() == Some(b'u') {
            let unit = |at: usize| {
                self.text
                    .get(at..at + 4)
                    .and_then(|hex| u32::from_str_radix(hex, 16).ok())
            };
            let high = unit(self.pos + 1);
            let low = (self.text.get(self.pos + 5..self.pos + 7) == Some("\\u"))
                .then(|| unit(self.pos + 7))
                .flatten();
            let (char, length) = match (high, low) {
                (Some(high @ 0xD800..0xDC00), Some(low @ 0xDC00..0xE000)) => (
                    char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)),
                    11,
                ),
                (Some(code), _) => (char::from_u32(code), 5),
                (None, _) => (None, 1),
            };
            self.pos += length;
            if let Some(char) = char {
                out.push(char);
                return;
            }
            out.push('\u{fffd}');
        }
        let end = self.pos.max(start + 1).min(self.bytes.len());
        self.report(
            &SYNTAX,
            start..end,
            "this escape sequence means nothing in JSON",
            "write `\\\\` for a backslash, or one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
        );
    }

    fn number(&mut self) -> Value {
        let start = self.pos;
        while let Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9') = self.peek() {
            self.pos += 1;
        }
        let text = &self.text[start..self.pos];
        if let Ok(int) = text.parse::<i64>() {
            return Value::Number(Number::Int(int));
        }
        match text.parse::<f64>() {
            Ok(float) if float.is_finite() => Value::Number(Number::Float(float)),
            _ => {
                let message = format!("`{text}` is not a number that can be read");
                self.report(
                    &SYNTAX,
                    start..self.pos,
                    message,
                    "write a finite decimal number",
                );
                // A number stood here, whichever it was.
                Value::Number(Number::Int(0))
            }
        }
    }

    fn keyword(&mut self) -> Value {
        let start = self.pos;
        while let Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9') = self.peek() {
            self.pos += 1;
        }
        match &self.text[start..self.pos] {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            "" if self.peek() == Some(b'\'') => {
                let range = self.token(start);
                let text = self
                    .text
                    .get(range.clone())
                    .unwrap_or("")
                    .trim_matches('\'');
                let value = Value::String(text.into());
                self.pos = range.end;
                self.report(
                    &SYNTAX,
                    range,
                    "JSON has no single quotes",
                    "put text in double quotes",
                );
                value
            }
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
                    start..self.pos,
                    message,
                    "put text in double quotes",
                );
                Value::String(self.text[start..self.pos].into())
            }
        }
    }
}
