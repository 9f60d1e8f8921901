//! A lenient JSON (RFC 8259) parser: comments, trailing commas, a byte-order mark and missing
//! commas are accepted, and all but the byte-order mark are reported.

use std::borrow::Cow;

use svc_diagnostics::{Checked, Diagnostic, DiagnosticCode, Fix, SourceFile, Span};

use crate::brackets::repair;
use crate::codes::{DUPLICATE, LIMIT, RELAXED, SYNTAX};
use crate::edit::{json_removal, quoted, whole_line};
use crate::{Limits, Node, Number, Object, Value, escape_pointer};

/// Parses a JSON document. After an error that hides the structure (an unclosed bracket, a stray
/// token) the values read so far are returned.
///
/// ```
/// use svc_data::{Limits, parse_json};
/// use svc_diagnostics::SourceFile;
/// let file = SourceFile::new("a.json", r#"{"a": 1, "b": 2,}"#);
/// let parsed = parse_json(&file, &Limits::default());
/// assert_eq!(parsed.value.as_object().map(|object| object.len()), Some(2));
/// assert_eq!(parsed.diagnostics[0].code.id, "data-not-strict-json");
/// ```
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
            "the document has {} bytes, which exceeds the limit of {}",
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
    /// Set when the structure is lost; all open values are then closed at the current position.
    stopped: bool,
    /// Path from the root to the value that is being read.
    path: Vec<PathSegment>,
    diagnostics: Vec<Diagnostic>,
}

/// Maximum number of reported diagnostics, so that a damaged file of many megabytes cannot exhaust
/// memory.
const MAX_DIAGNOSTICS: usize = 1_000;

/// A segment of a path in the tree.
enum PathSegment {
    /// Span of the key including its quotes.
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

    /// Adds a fix with one edit to the last diagnostic.
    fn fix(&mut self, title: impl Into<String>, range: std::ops::Range<usize>, text: &str) {
        let location = self.file.location(Span::from_range(range));
        if self.diagnostics.len() < MAX_DIAGNOSTICS
            && let Some(last) = self.diagnostics.last_mut()
        {
            last.fix = Some(Fix::new(title, location, text));
        }
    }

    /// Returns the JSON pointer of the value that is being read.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            pointer.push('/');
            match step {
                PathSegment::Key(span) => {
                    let key = self.file.slice(*span).trim_matches(['"', '\'']);
                    // Every diagnostic repeats the pointer, so a very long key is truncated.
                    let key: String = key.chars().take(60).collect();
                    pointer.push_str(&escape_pointer(&key));
                }
                PathSegment::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }

    /// Returns the range of the string, keyword or character at `at`.
    fn token(&self, at: usize) -> std::ops::Range<usize> {
        let rest = self.text.get(at..).unwrap_or("");
        let is_keyword_char =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.' | '+');
        let length = match rest.chars().next() {
            Some('"' | '\'') => {
                // A string that is longer than this limit or than its line is probably unclosed.
                let mut bytes = rest.bytes().take(200);
                let quote = bytes.next();
                let end = bytes.position(|byte| Some(byte) == quote || byte == b'\n');
                let closed = end.filter(|end| rest.as_bytes().get(end + 1) == quote.as_ref());
                closed.map_or(1, |end| end + 2)
            }
            Some(first) if is_keyword_char(first) => {
                let end = rest
                    .char_indices()
                    .take(60)
                    .find(|(_, c)| !is_keyword_char(*c));
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
            let line = rest.split('\n').next().unwrap_or(rest);
            line.trim_end_matches('\r').len()
        } else {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        };
        self.pos += length;
        self.report(
            &RELAXED,
            start..self.pos,
            "comments are not allowed in JSON",
            "remove the comment",
        );
        let comment = Span::from_range(start..self.pos);
        let before = self.text[..start].trim_end_matches([' ', '\t']).len();
        let removed =
            whole_line(self.text, comment).unwrap_or_else(|| Span::from_range(before..self.pos));
        self.fix("remove the comment", removed.range(), "");
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
                    "the document ends unexpectedly",
                    "add the missing value",
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
                    self.fix("remove the `,`", at..at + 1, "");
                }
                None => {
                    self.unclosed(open, '{', '}');
                    break;
                }
                Some(_) => {
                    let range = self.token(self.pos);
                    self.stop(
                        range,
                        "expected a key in double quotes or `}`",
                        "write keys in double quotes: `\"name\": …`",
                    );
                    break;
                }
            }
        }
        Value::Object(object)
    }

    /// Returns true if a bare or single-quoted key followed by `:` is at the current position.
    fn is_bare_key(&self) -> bool {
        let end = self.token(self.pos).end;
        let rest = self.text.get(end..).unwrap_or("");
        rest.trim_start_matches([' ', '\t']).starts_with(':')
    }

    /// Reads a key. A key without double quotes is reported and accepted.
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
        let message = format!("the key `{key}` is not in double quotes");
        let hint = format!("write `\"{key}\"`");
        self.report(&SYNTAX, range.clone(), message, &hint);
        self.fix(hint, range, &quoted(&key));
        key.into()
    }

    fn member(&mut self, object: &mut Object, depth: usize) {
        let start = self.pos;
        let key = self.key();
        let key_span = Span::from_range(start..self.pos);
        self.skip_whitespace();
        if self.peek() == Some(b':') {
            self.pos += 1;
        } else if !self.missing_colon(&key, key_span) {
            return;
        }
        self.skip_whitespace();
        self.path.push(PathSegment::Key(key_span));
        let value = self.value(depth + 1);
        if let Some(previous) = object.insert(&key, key_span, value) {
            let key: String = key.chars().take(60).collect();
            let message = format!("duplicate key `{key}`");
            let hint = "remove one of them; the last one is used";
            let reported = self.diagnostics.len();
            self.report(&DUPLICATE, key_span.range(), message, hint);
            if self.diagnostics.len() > reported
                && let Some(diagnostic) = self.diagnostics.pop()
            {
                let first = self.file.location(previous.key_span);
                self.diagnostics.push(diagnostic.label(first, "first here"));
                let first = previous.key_span.to(previous.value.span);
                let removed = json_removal(self.text, first);
                self.fix("remove the first one", removed.range(), "");
            }
        }
        self.path.pop();
        self.separator(b'}');
    }

    /// Reports a missing `:`. Returns true if a value follows, so that reading can continue.
    fn missing_colon(&mut self, key: &str, key_span: Span) -> bool {
        let message = format!("expected `:` after `{key}`");
        let hint = "a key is followed by `:` and its value";
        let range = self.token(self.pos);
        let end = key_span.end as usize;
        match self.peek() {
            Some(b'=') => {
                self.report(&SYNTAX, range.clone(), message, "write `:` instead of `=`");
                self.fix("replace `=` with `:`", range.clone(), ":");
                self.pos = range.end;
                true
            }
            Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9') => {
                self.report(&SYNTAX, range, message, hint);
                self.fix("insert `:`", end..end, ":");
                true
            }
            _ => {
                self.stop(range, message, hint);
                false
            }
        }
    }

    /// Reads the separator after a value: a comma, the closing bracket, or nothing if the comma is
    /// missing.
    fn separator(&mut self, close: u8) {
        if self.stopped {
            return;
        }
        let end = self.pos;
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
                    self.fix("remove the comma", comma..comma + 1, "");
                }
            }
            Some(byte) if byte == close => {}
            Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b'a'..=b'z') => {
                let range = self.token(self.pos);
                self.report(
                    &SYNTAX,
                    range,
                    "a comma is missing before this item",
                    "add `,`",
                );
                self.fix("insert `,`", end..end, ",");
            }
            Some(_) => {
                let at = self.pos;
                self.stop(
                    at..at + 1,
                    format!("expected `,` or `{}`", char::from(close)),
                    "check for a bracket that is closed too early or with the wrong character",
                );
                if let Some(repair) = repair(self.text) {
                    let open = Span::from_range(repair.open..repair.open + 1);
                    let label = self.file.location(open);
                    let last = self.diagnostics.pop();
                    let last = last.map(|last| last.label(label, "opened here"));
                    self.diagnostics.extend(last);
                    self.fix(
                        format!("close it with `{}`", repair.text.trim()),
                        repair.range,
                        &repair.text,
                    );
                }
            }
            None => {}
        }
    }

    /// Reports a bracket that is not closed when the text ends: the one that the indentation shows,
    /// or else the innermost.
    fn unclosed(&mut self, innermost: usize, bracket: char, close: char) {
        let Some(repair) = repair(self.text) else {
            let message = format!("this `{bracket}` is not closed");
            let hint = format!("add the missing `{close}`");
            self.stop(innermost..innermost + 1, message, &hint);
            return;
        };
        let open = repair.open..repair.open + 1;
        let bracket = self.text.get(open.clone()).unwrap_or("{");
        let close = if bracket == "{" { '}' } else { ']' };
        let message = format!("this `{bracket}` is not closed");
        let hint = format!("add the missing `{close}`");
        self.stop(open, message, &hint);
        self.fix(hint, repair.range, &repair.text);
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
                    self.fix("remove the `,`", at..at + 1, "");
                }
                None => {
                    self.unclosed(open, '[', ']');
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
        // Almost every string has no escapes and is borrowed from the text.
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
                        "this string is not closed",
                        "add the missing `\"`",
                    );
                    // The string ends before the comma at the end of the line. With a bracket
                    // there, it may be part of the string.
                    let line = self.text[open + 1..self.pos].trim_end();
                    let content = line.strip_suffix(',').unwrap_or(line);
                    if !content.is_empty() && !content.ends_with(['}', ']', ':', ',']) {
                        let end = open + 1 + content.len();
                        self.fix("close the string", end..end, "\"");
                    }
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
            "this escape sequence is invalid in JSON",
            "write `\\\\` for a backslash, or one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
        );
        self.fix("write `\\\\`", start..start, "\\");
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
                let message = format!("`{text}` is not a valid number");
                self.report(
                    &SYNTAX,
                    start..self.pos,
                    message,
                    "write a finite decimal number",
                );
                // The value is a number, even though it cannot be represented.
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
                    range.clone(),
                    "single quotes are not allowed in JSON",
                    "put text in double quotes",
                );
                self.fix("write double quotes", range, &quoted(text));
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
            keyword => {
                let message = format!("`{keyword}` is not a JSON value");
                let (value, json) = match &*keyword.to_ascii_lowercase() {
                    "true" => (Value::Bool(true), "true"),
                    "false" => (Value::Bool(false), "false"),
                    "none" | "nil" | "null" | "undefined" => (Value::Null, "null"),
                    _ => (Value::String(keyword.into()), ""),
                };
                if json.is_empty() {
                    let hint = "put text in double quotes";
                    self.report(&SYNTAX, start..self.pos, message, hint);
                    self.fix(hint, start..self.pos, &quoted(keyword));
                } else {
                    let hint = format!("write `{json}`");
                    self.report(&SYNTAX, start..self.pos, message, &hint);
                    self.fix(hint, start..self.pos, json);
                }
                value
            }
        }
    }
}
