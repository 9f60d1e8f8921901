//! YAML 1.2 (core schema), built from the events of `saphyr-parser`.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
use svc_diagnostics::{Checked, Diagnostic, DiagnosticCode, Fix, SourceFile, Span};

use crate::codes::{DUPLICATE, LIMIT, SYNTAX};
use crate::edit::{quoted, whole_line};
use crate::{Limits, Node, Number, Object, Value};

/// Parses the first document of a YAML text. Keys of mappings become strings (`200:` is `"200"`),
/// merge keys (`<<`) are applied, and aliases are expanded within the node limit. After a syntax
/// error the values read so far are returned.
///
/// ```
/// use svc_data::{Limits, parse_yaml};
/// use svc_diagnostics::SourceFile;
/// let file = SourceFile::new("a.yaml", "title: A page\ntags: [x, y]\n");
/// let root = parse_yaml(&file, &Limits::default()).value;
/// assert_eq!(root.get("title").and_then(|node| node.as_str()), Some("A page"));
/// ```
pub fn parse_yaml(file: &SourceFile, limits: &Limits) -> Checked<Node> {
    read(file, file.text(), limits, 8)
}

/// Parses `text`, which is the text of `file` with some line feeds replaced by spaces (see
/// [`unfold`]).
fn read(file: &SourceFile, text: &str, limits: &Limits, repairs: u8) -> Checked<Node> {
    let mut builder = Builder {
        file,
        offsets: char_offsets(text),
        limits,
        nodes: 0,
        stack: Vec::new(),
        anchors: BTreeMap::new(),
        root: Node::default(),
        diagnostics: Vec::new(),
    };
    if file.text().len() > limits.bytes {
        let message = format!("the document exceeds the limit of {} bytes", limits.bytes);
        builder.report(
            &LIMIT,
            Span::new(0, 1),
            message,
            "split it into smaller files",
        );
        return Checked {
            value: Node::default(),
            diagnostics: builder.diagnostics,
        };
    }
    for event in Parser::new_from_str(text) {
        match event {
            Ok((Event::DocumentEnd | Event::StreamEnd, _)) => break,
            Ok((event, span)) => {
                let span = Span::new(
                    builder.offset(span.start.index()),
                    builder.offset(span.end.index()),
                );
                if !builder.event(event, span) {
                    break;
                }
            }
            Err(error) => {
                let at = builder.offset(error.marker().index());
                if let Some(repaired) = unfold(text, at as usize).filter(|_| repairs > 0) {
                    return read(file, &repaired, limits, repairs - 1);
                }
                let about = error.info();
                if let Some(tab) = about
                    .contains("tab")
                    .then(|| indenting_tab(text, at))
                    .flatten()
                {
                    let message = "invalid YAML: a line is indented with a tab";
                    let hint = "indent with spaces";
                    let tab = Span::from_range(tab..tab + 1);
                    builder.report(&SYNTAX, tab, message.to_owned(), hint);
                    break;
                }
                let message = format!("invalid YAML: {about}");
                let hint =
                    "check the indentation and put text with `: `, `#` or quotes in double quotes";
                builder.report(&SYNTAX, Span::new(at, at.saturating_add(1)), message, hint);
                if let Some((value, quoted)) = unquoted_value(text, at as usize)
                    && let Some(last) = builder.diagnostics.last_mut()
                {
                    let location = file.location(value);
                    last.fix = Some(Fix::new("put the value in double quotes", location, quoted));
                }
                break;
            }
        }
    }
    while let Some(frame) = builder.stack.pop() {
        builder.close(frame, None);
    }
    Checked {
        value: builder.root,
        diagnostics: builder.diagnostics,
    }
}

/// Returns the offset of the first tab in the indentation of a line, starting at the line of `at`.
/// The parser reports a tab at the value before it.
fn indenting_tab(text: &str, at: u32) -> Option<usize> {
    let at = text.floor_char_boundary(at as usize);
    let mut start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    for line in text.get(start..)?.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line.get(..indent)?.find('\t') {
            return Some(start + tab);
        }
        start += line.len();
    }
    None
}

/// Returns the value on the line of `at` and the same value in double quotes, if it is a plain value
/// that cannot be written without them.
fn unquoted_value(text: &str, at: usize) -> Option<(Span, String)> {
    let at = text.floor_char_boundary(at);
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next()?;
    let key_end = line.find(": ")? + 2;
    let value = line.get(key_end..)?;
    let from = start + key_end + value.len() - value.trim_start().len();
    let value = value.trim();
    let quote = value.chars().next().filter(|first| "\"'".contains(*first));
    let needs_quotes = match quote {
        Some(quote) => value.len() > 1 && !value.ends_with(quote),
        None => value.contains(": ") || value.ends_with(':') || value.starts_with(['@', '`', '%']),
    };
    let is_plain = !value.starts_with(['[', '{', '|', '>', '&', '*', '!', '-', '#']);
    (needs_quotes && is_plain && !line.trim_start().starts_with('#'))
        .then(|| (Span::from_range(from..from + value.len()), quoted(value)))
}

/// Puts the double-quoted scalar at `at` on one line. Strict YAML requires continuation lines to be
/// indented, but other parsers accept continuation lines in column 1 and front matter contains
/// them. Every line feed becomes one space, as in folding, so that all offsets stay the same.
fn unfold(text: &str, at: usize) -> Option<String> {
    let scalar = text.get(at..)?.strip_prefix('"')?;
    let mut escaped = false;
    let length = scalar.find(|c| {
        let close = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        close
    })?;
    let scalar = &scalar[..length];
    let start = at + 1;
    scalar.contains('\n').then(|| {
        let folded = scalar.replace(['\n', '\r'], " ");
        [&text[..start], &folded, &text[start + length..]].concat()
    })
}

/// Byte offset of every character; empty if the text is ASCII, because the offsets are then equal.
fn char_offsets(text: &str) -> Vec<u32> {
    if text.is_ascii() {
        return Vec::new();
    }
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    text.char_indices()
        .map(|(at, _)| u32::try_from(at).unwrap_or(u32::MAX))
        .chain(std::iter::once(end))
        .collect()
}

enum Container {
    Array(Vec<Node>),
    Object {
        object: Object,
        key: Option<(Box<str>, Span)>,
        merges: Vec<Node>,
    },
}

struct Frame {
    span: Span,
    anchor: usize,
    container: Container,
}

struct Builder<'a> {
    file: &'a SourceFile,
    offsets: Vec<u32>,
    limits: &'a Limits,
    nodes: usize,
    stack: Vec<Frame>,
    anchors: BTreeMap<usize, (Node, usize)>,
    root: Node,
    diagnostics: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        span: Span,
        message: impl Into<String>,
        hint: &str,
    ) {
        let location = self.file.location(span);
        self.diagnostics
            .push(Diagnostic::new(code, message).at(location).hint(hint));
    }

    fn offset(&self, char_index: usize) -> u32 {
        if self.offsets.is_empty() {
            return u32::try_from(char_index.min(self.file.text().len())).unwrap_or(u32::MAX);
        }
        self.offsets
            .get(char_index)
            .or(self.offsets.last())
            .copied()
            .unwrap_or(0)
    }

    /// Handles an event. Returns false if parsing must stop.
    fn event(&mut self, event: Event<'_>, span: Span) -> bool {
        self.nodes += 1;
        if self.nodes > self.limits.nodes || self.stack.len() > self.limits.depth {
            let message = format!(
                "the document is nested deeper than {} levels or has more than {} values",
                self.limits.depth, self.limits.nodes
            );
            self.report(&LIMIT, span, message, "simplify or split the document");
            return false;
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let node = Node::new(span, scalar(&text, style, tag.as_deref()));
                self.remember(anchor, &node, 1);
                self.value(node);
            }
            Event::SequenceStart(anchor, _) => {
                self.stack.push(Frame {
                    span,
                    anchor,
                    container: Container::Array(Vec::new()),
                });
            }
            Event::MappingStart(anchor, _) => {
                let container = Container::Object {
                    object: Object::default(),
                    key: None,
                    merges: Vec::new(),
                };
                self.stack.push(Frame {
                    span,
                    anchor,
                    container,
                });
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(frame) = self.stack.pop() {
                    self.close(frame, Some(span));
                }
            }
            Event::Alias(anchor) => {
                let Some((node, size)) = self.anchors.get(&anchor).cloned() else {
                    self.report(
                        &SYNTAX,
                        span,
                        "this alias is inside its own anchor",
                        "write the value out; a document cannot contain itself",
                    );
                    self.value(Node::new(span, Value::Null));
                    return true;
                };
                self.nodes = self.nodes.saturating_add(size);
                if self.nodes <= self.limits.nodes {
                    self.value(node);
                }
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => {}
        }
        true
    }

    fn remember(&mut self, anchor: usize, node: &Node, size: usize) {
        if anchor > 0 {
            self.anchors.insert(anchor, (node.clone(), size));
        }
    }

    fn close(&mut self, frame: Frame, end: Option<Span>) {
        let value = match frame.container {
            Container::Array(items) => Value::Array(items),
            Container::Object {
                mut object, merges, ..
            } => {
                for merge in merges {
                    apply_merge(&mut object, merge);
                }
                Value::Object(object)
            }
        };
        // The end event of a block collection is at the next token, so the end of its last child is
        // used.
        let last = match &value {
            Value::Array(items) => items.last().map(|node| node.span.end),
            Value::Object(object) => object.iter().map(|(_, node)| node.span.end).max(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        let flow = end.filter(|end| end.end > end.start).map(|end| end.end);
        let end = flow
            .or(last)
            .unwrap_or(frame.span.end)
            .max(frame.span.start);
        let node = Node::new(Span::new(frame.span.start, end), value);
        if frame.anchor > 0 {
            let size = count(&node);
            self.remember(frame.anchor, &node, size);
        }
        self.value(node);
    }

    fn value(&mut self, node: Node) {
        let Some(frame) = self.stack.last_mut() else {
            self.root = node;
            return;
        };
        match &mut frame.container {
            Container::Array(items) => items.push(node),
            Container::Object {
                object,
                key,
                merges,
            } => match key.take() {
                None => {
                    let text = node.to_text().unwrap_or_default();
                    *key = Some((text.into(), node.span));
                }
                Some((name, _)) if &*name == "<<" => merges.push(node),
                Some((name, key_span)) => {
                    if let Some(previous) = object.insert(&name, key_span, node) {
                        let first = self.file.location(previous.key_span);
                        // Only a whole line can be removed without changing the structure.
                        let text = self.file.text();
                        let removed = whole_line(text, previous.key_span.to(previous.value.span));
                        let fix = removed.map(|removed| {
                            let removed = self.file.location(removed);
                            Fix::new("remove the first one", removed, "")
                        });
                        self.diagnostics.push(
                            Diagnostic::new(&DUPLICATE, format!("duplicate key `{name}`"))
                                .at(self.file.location(key_span))
                                .label(first, "first here")
                                .hint("remove one of them; the last one is used")
                                .fix(fix),
                        );
                    }
                }
            },
        }
    }
}

fn apply_merge(object: &mut Object, merge: Node) {
    match merge.value {
        Value::Object(other) => {
            for (key, member) in other.members {
                object.members.get_or_insert_with(&key, || member);
            }
        }
        Value::Array(items) => {
            for item in items {
                if let Value::Object(_) = item.value {
                    apply_merge(object, item);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns the number of nodes of the subtree. The recursion depth is bounded by the limits.
fn count(node: &Node) -> usize {
    1 + match &node.value {
        Value::Array(items) => items.iter().map(count).sum::<usize>(),
        Value::Object(object) => object.iter().map(|(_, node)| count(node)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let core = tag
        .filter(|tag| tag.is_yaml_core_schema())
        .map(|tag| tag.suffix.as_str());
    if style != ScalarStyle::Plain || core == Some("str") {
        return Value::String(text.into());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.into()), Value::Number),
    }
}

/// Parses a number of the core schema. `1_000`, dates, versions, `.inf` and `.nan` are not numbers.
fn number(text: &str) -> Option<Number> {
    let radix = |prefix: &str, radix| {
        text.strip_prefix(prefix)
            .and_then(|digits| i64::from_str_radix(digits, radix).ok())
    };
    if let Some(int) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return Some(Number::Int(int));
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || !digits.contains(|c: char| c.is_ascii_digit())
        || digits.contains(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c)))
    {
        return None;
    }
    if let Ok(int) = text.parse::<i64>() {
        return Some(Number::Int(int));
    }
    text.parse::<f64>()
        .ok()
        .filter(|float| float.is_finite())
        .map(Number::Float)
}
