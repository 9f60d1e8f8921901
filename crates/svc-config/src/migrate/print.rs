//! Output of a converted document: values that keep their form keep their text, the others are
//! formatted like the rest of the file.

use std::collections::BTreeMap;

use svc_diagnostics::Span;

use svc_data::{Member, Node, Value};

use crate::tree::Map;

/// The text of `new`, which was converted from `old`, the tree of `text`.
pub(super) fn print(text: &str, old: &Node, new: &Node) -> String {
    let root = old.span.range();
    let mut originals = BTreeMap::new();
    collect(old, &mut originals);
    let mut printer = Printer {
        text,
        originals,
        unit: indent_of(text),
        newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
        flat: !text.get(root.clone()).unwrap_or_default().contains('\n'),
        out: String::with_capacity(text.len() + text.len() / 4),
    };
    let (before, after) = (text.get(..root.start), text.get(root.end..));
    printer.out.push_str(before.unwrap_or_default());
    if let Some(map) = new.as_map() {
        printer.members(&in_order(old, map), 0, None);
    }
    printer.out.push_str(after.unwrap_or_default());
    printer.out
}

/// The top-level members in the order of the older file.
fn in_order<'a>(old: &Node, map: &'a Map) -> Vec<(&'a str, &'a Member)> {
    let start = old.span.start;
    let mut members: Vec<(u32, &str, &Member)> = map
        .iter()
        .map(|(key, member)| {
            let own = old
                .as_map()
                .and_then(|map| map.get(key))
                .map(|member| member.key_span.start);
            let offset = match key {
                // A generated theme goes to the top, below the schema.
                "theme" => own.unwrap_or(start),
                "$schema" => 0,
                _ => own
                    .or_else(|| first(&member.value, start))
                    .unwrap_or(u32::MAX),
            };
            (offset, key, member)
        })
        .collect();
    members.sort_by_key(|(offset, ..)| *offset);
    members
        .into_iter()
        .map(|(_, key, member)| (key, member))
        .collect()
}

/// Offset of the first value inside; generated values have the span of the root.
fn first(tree: &Node, root: u32) -> Option<u32> {
    let own = Some(tree.span.start).filter(|start| *start != root);
    let inside = match &tree.value {
        Value::Array(items) => items.iter().filter_map(|item| first(item, root)).min(),
        Value::Object(object) => object
            .as_map()
            .values()
            .filter_map(|member| first(&member.value, root))
            .min(),
        _ => None,
    };
    own.into_iter().chain(inside).min()
}

fn collect<'a>(tree: &'a Node, into: &mut BTreeMap<u32, &'a Node>) {
    into.insert(tree.span.start, tree);
    match &tree.value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(object) => object
            .as_map()
            .values()
            .for_each(|member| collect(&member.value, into)),
        _ => {}
    }
}

/// One level of indentation: that of the first indented line.
fn indent_of(text: &str) -> &str {
    text.lines()
        .map(leading)
        .find(|indent| !indent.is_empty())
        .unwrap_or("  ")
}

/// The leading white space of a line.
fn leading(line: &str) -> &str {
    let end = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..end).unwrap_or_default()
}

struct Printer<'a> {
    text: &'a str,
    /// The values of the older document by their start.
    originals: BTreeMap<u32, &'a Node>,
    unit: &'a str,
    newline: &'static str,
    /// Whether the older file is a single line.
    flat: bool,
    out: String,
}

impl Printer<'_> {
    /// Whether the value keeps its form, and so its text.
    fn is_unchanged(&self, tree: &Node) -> bool {
        let original = self.originals.get(&tree.span.start);
        original.is_some_and(|original| *original == tree)
    }

    /// `around` is the padding of the line that contains the value.
    fn value(&mut self, tree: &Node, depth: usize, around: Option<&'static str>) {
        if self.is_unchanged(tree) {
            self.copy(tree.span, depth);
            return;
        }
        let padding = self.padding(tree).or(around);
        match &tree.value {
            Value::Array(items) => {
                self.list('[', ']', items.len(), depth, padding, |printer, index| {
                    if let Some(item) = items.get(index) {
                        let depth = if padding.is_none() { depth + 1 } else { depth };
                        printer.value(item, depth, padding);
                    }
                });
            }
            Value::Object(object) => {
                let members: Vec<(&str, &Member)> = object.members().collect();
                self.members(&members, depth, padding);
            }
            _ => self.out.push_str(&tree.to_json().to_string()),
        }
    }

    fn members(
        &mut self,
        members: &[(&str, &Member)],
        depth: usize,
        padding: Option<&'static str>,
    ) {
        let padding = padding.or(self.flat.then_some(""));
        self.list('{', '}', members.len(), depth, padding, |printer, index| {
            if let Some((key, member)) = members.get(index) {
                let key = serde_json::Value::from(*key).to_string();
                printer.out.push_str(&key);
                printer.out.push_str(if printer.flat { ":" } else { ": " });
                let depth = if padding.is_none() { depth + 1 } else { depth };
                printer.value(&member.value, depth, padding);
            }
        });
    }

    /// Entries between brackets: one per line, or all on one line with `padding`.
    fn list(
        &mut self,
        open: char,
        close: char,
        count: usize,
        depth: usize,
        padding: Option<&'static str>,
        mut entry: impl FnMut(&mut Self, usize),
    ) {
        self.out.push(open);
        for index in 0..count {
            if index > 0 {
                self.out.push(',');
            }
            match padding {
                Some(padding) if index == 0 => self.out.push_str(padding),
                Some(_) if self.flat => {}
                Some(_) => self.out.push(' '),
                None => self.line(depth + 1),
            }
            entry(self, index);
        }
        if count > 0 {
            match padding {
                Some(padding) => self.out.push_str(padding),
                None => self.line(depth),
            }
        }
        self.out.push(close);
    }

    fn line(&mut self, depth: usize) {
        self.out.push_str(self.newline);
        for _ in 0..depth {
            self.out.push_str(self.unit);
        }
    }

    /// The white space after the bracket if the older value is on one line and the new one fits on
    /// one.
    fn padding(&self, tree: &Node) -> Option<&'static str> {
        if self.flat {
            return Some("");
        }
        let text = self.text.get(tree.span.range())?;
        let inner = match &tree.value {
            Value::Array(_) => text.strip_prefix('[')?,
            Value::Object(_) => text.strip_prefix('{')?,
            _ => return None,
        };
        let padding = if inner.starts_with(' ') { " " } else { "" };
        self.fits(tree).then_some(padding)
    }

    /// Whether the value fits on one line.
    fn fits(&self, tree: &Node) -> bool {
        let text = self.text.get(tree.span.range()).unwrap_or_default();
        let line = !text.contains('\n');
        if self.is_unchanged(tree) {
            return line;
        }
        match &tree.value {
            // A generated array can be long.
            Value::Array(items) => {
                line && text.starts_with('[') && items.iter().all(|item| self.fits(item))
            }
            Value::Object(object) => {
                line && object
                    .as_map()
                    .values()
                    .all(|member| self.fits(&member.value))
            }
            _ => true,
        }
    }

    /// Copies the text of a value; its further lines are indented like the first.
    fn copy(&mut self, span: Span, depth: usize) {
        let range = span.range();
        let before = self.text.get(..range.start).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let old = leading(line);
        let text = self.text.get(range).unwrap_or_default();
        for (index, line) in text.split('\n').enumerate() {
            if index == 0 {
                self.out.push_str(line);
                continue;
            }
            self.out.push('\n');
            if line.trim().is_empty() {
                self.out.push_str(line);
                continue;
            }
            for _ in 0..depth {
                self.out.push_str(self.unit);
            }
            self.out.push_str(line.strip_prefix(old).unwrap_or(line));
        }
    }
}
