//! Edits of single values.

use std::{error::Error, fmt};

use serde_json::Value;
use svc_data::{Node, unescape_pointer};
use svc_diagnostics::SourceFile;

use super::{
    Document,
    layout::{Layout, indentation},
};

/// An edit that is not possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditError {
    /// The text is not well-formed JSON or has a duplicate key, so no edit is safe.
    Broken,
    /// The text is not a JSON pointer to a member: it is empty or has no leading `/`.
    Pointer(String),
    /// There is no value at this pointer.
    Missing(String),
    /// The value at this pointer is neither an object nor an array.
    Leaf(String),
    /// The last segment of this pointer is not an index of the array.
    Position(String),
    /// There already is a value at this pointer.
    Exists(String),
}

impl fmt::Display for EditError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken => write!(
                out,
                "the document has a syntax error or a duplicate key; correct it first"
            ),
            Self::Pointer(pointer) => write!(out, "`{pointer}` is not a pointer to a member"),
            Self::Missing(pointer) => write!(out, "`{pointer}` does not exist"),
            Self::Leaf(pointer) => write!(out, "`{pointer}` is neither an object nor an array"),
            Self::Position(pointer) => write!(out, "`{pointer}` is not an index of the array"),
            Self::Exists(pointer) => write!(out, "`{pointer}` already exists"),
        }
    }
}

impl Error for EditError {}

impl Document {
    /// Sets a value: replaces the existing one, or appends the member to its object or array.
    /// Missing parent objects are created. [`Document`] has an example.
    ///
    /// # Errors
    /// If the text is broken, or the pointer passes through a value that is neither an object nor
    /// an array.
    pub fn set(&mut self, pointer: &str, value: &Value) -> Result<(), EditError> {
        self.sound()?;
        if let Some(node) = self.get(pointer) {
            let range = node.span.range();
            let old = self.text().get(range.clone()).unwrap_or("");
            // A container on one line stays on one line.
            let container = node.as_array().is_some_and(|items| !items.is_empty())
                || node.as_object().is_some_and(|object| !object.is_empty());
            let flat = container && !old.contains('\n');
            let mut new = String::new();
            Layout::detect(self.text()).write(
                value,
                indentation(self.text(), range.start),
                flat,
                &mut new,
            );
            self.splice(range, &new);
            return Ok(());
        }
        let (parent, key) = split(pointer)?;
        match self.get(parent) {
            Some(node) if node.as_object().is_some() || node.as_array().is_some() => {
                self.insert(pointer, value)
            }
            Some(_) => Err(EditError::Leaf(parent.to_owned())),
            None => {
                let mut around = serde_json::Map::new();
                around.insert(unescape_pointer(key), value.clone());
                self.set(parent, &Value::Object(around))
            }
        }
    }

    /// Inserts a member: in an array before the index (`-` is the end), in an object at its end.
    ///
    /// ```
    /// use svc_config::{Document, SourceFile};
    /// let mut document = Document::read(&SourceFile::new("docs.json", r#"{"a": [1, 3]}"#)).value;
    /// document.insert("/a/1", &2.into())?;
    /// assert_eq!(document.text(), r#"{"a": [1, 2, 3]}"#);
    /// # Ok::<(), svc_config::EditError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is broken, the parent does not exist or has no members, the object already has
    /// the key, or the index is out of range.
    pub fn insert(&mut self, pointer: &str, value: &Value) -> Result<(), EditError> {
        self.sound()?;
        let (parent, key) = split(pointer)?;
        let owner = self
            .get(parent)
            .ok_or_else(|| EditError::Missing(parent.to_owned()))?;
        let key = unescape_pointer(key);
        let (spans, position, name) = if let Some(items) = owner.as_array() {
            let spans: Vec<_> = items.iter().map(|item| item.span.range()).collect();
            let position = if key == "-" {
                spans.len()
            } else {
                position(&key).ok_or_else(|| EditError::Position(pointer.to_owned()))?
            };
            if position > spans.len() {
                return Err(EditError::Position(pointer.to_owned()));
            }
            (spans, position, None)
        } else if let Some(object) = owner.as_object() {
            if object.get(&key).is_some() {
                return Err(EditError::Exists(pointer.to_owned()));
            }
            let spans = members(owner);
            let end = spans.len();
            (spans, end, Some(key))
        } else {
            return Err(EditError::Leaf(parent.to_owned()));
        };
        let (range, new) = self.addition(owner, &spans, position, name.as_deref(), value);
        self.splice(range, &new);
        Ok(())
    }

    /// Removes a member with its key and its comma. [`Document`] has an example.
    ///
    /// # Errors
    /// If the text is broken or there is no such member.
    pub fn remove(&mut self, pointer: &str) -> Result<(), EditError> {
        self.sound()?;
        let (parent, key) = split(pointer)?;
        let missing = || EditError::Missing(pointer.to_owned());
        let owner = self.get(parent).ok_or_else(missing)?;
        let key = unescape_pointer(key);
        let (spans, at) = if let Some(items) = owner.as_array() {
            let at = position(&key)
                .filter(|at| *at < items.len())
                .ok_or_else(missing)?;
            (items.iter().map(|item| item.span.range()).collect(), at)
        } else {
            let object = owner.as_object().ok_or_else(missing)?;
            let member = object.member(&key).ok_or_else(missing)?;
            let start = member.key_span.range().start;
            let spans = members(owner);
            let at = spans
                .iter()
                .position(|span| span.start == start)
                .ok_or_else(missing)?;
            (spans, at)
        };
        let range = self.extent(owner, &spans, at);
        self.splice(range, "");
        Ok(())
    }

    const fn sound(&self) -> Result<(), EditError> {
        if self.broken {
            Err(EditError::Broken)
        } else {
            Ok(())
        }
    }

    /// The text of a new member and the (empty or blank) range that it replaces.
    fn addition(
        &self,
        owner: &Node,
        spans: &[std::ops::Range<usize>],
        position: usize,
        key: Option<&str>,
        value: &Value,
    ) -> (std::ops::Range<usize>, String) {
        let text = self.text();
        let layout = Layout::detect(text);
        let outer = owner.span.range();
        let inside = text.get(outer.clone()).unwrap_or("");
        let entry = |before: &str, flat: bool| {
            let mut out = String::new();
            if let Some(key) = key {
                layout.write_key(key, &mut out);
            }
            layout.write(value, before, flat, &mut out);
            out
        };
        let Some(last) = spans.last() else {
            let blank = inside
                .get(1..inside.len().saturating_sub(1))
                .is_some_and(|inner| inner.trim().is_empty());
            let before = indentation(text, outer.start);
            // If the container has a comment, the new member goes directly after the bracket.
            let end = if blank {
                outer.end - 1
            } else {
                outer.start + 1
            };
            let new = match &layout.indent {
                Some(unit) => {
                    let inner = format!("{before}{unit}");
                    let newline = layout.newline;
                    let close = if blank {
                        format!("{newline}{before}")
                    } else {
                        String::new()
                    };
                    format!("{newline}{inner}{}{close}", entry(&inner, false))
                }
                None => entry(before, true),
            };
            return (outer.start + 1..end, new);
        };
        let first = spans.first().map_or(outer.start, |span| span.start);
        // The layout follows the first entry: one entry per line, or all on one line.
        let lines = text
            .get(outer.start..first)
            .is_some_and(|gap| gap.contains('\n'));
        let before = indentation(text, first);
        let written = spans.get(1).and_then(|second| {
            let gap = text.get(spans.first()?.end..second.start)?;
            gap.trim().eq(",").then_some(gap)
        });
        let separator = match written {
            Some(gap) if !lines => gap.to_owned(),
            None if !lines => format!(",{}", layout.after_comma),
            _ => format!(",{}{before}", layout.newline),
        };
        let new = entry(before, !lines);
        match spans.get(position) {
            Some(next) => (next.start..next.start, format!("{new}{separator}")),
            None => (last.end..last.end, format!("{separator}{new}")),
        }
    }

    /// The range to cut so that the entry at `at` is removed and the rest stays well-formed.
    fn extent(
        &self,
        owner: &Node,
        spans: &[std::ops::Range<usize>],
        at: usize,
    ) -> std::ops::Range<usize> {
        let text = self.text();
        let outer = owner.span.range();
        let own = spans.get(at).cloned().unwrap_or(outer.end..outer.end);
        let blank = |range: std::ops::Range<usize>| {
            text.get(range)
                .is_some_and(|gap| gap.chars().all(|c| c == ',' || c.is_whitespace()))
        };
        if let Some(next) = spans.get(at + 1) {
            if blank(own.end..next.start) {
                return own.start..next.start;
            }
            // A comment that follows stays; only the comma is removed.
            return own.start..comma(text, own.end).unwrap_or(own.end);
        }
        if let Some(previous) = at.checked_sub(1).and_then(|before| spans.get(before)) {
            if blank(previous.end..own.start) {
                return previous.end..own.end;
            }
            // A comment that precedes stays, and so may the comma before it.
            let preceding = text.get(..own.start).unwrap_or("").trim_end();
            let start = preceding.strip_suffix(',').map_or(own.start, str::len);
            return start..own.end;
        }
        let all = outer.start + 1..outer.end.saturating_sub(1);
        if blank(all.start..own.start) && blank(own.end..all.end) {
            return all;
        }
        own.start..comma(text, own.end).unwrap_or(own.end)
    }

    fn splice(&mut self, range: std::ops::Range<usize>, new: &str) {
        let old = self.text();
        let (Some(before), Some(after)) = (old.get(..range.start), old.get(range.end..)) else {
            return;
        };
        let text = [before, new, after].concat();
        *self = Self::read(&SourceFile::new(self.file.path().clone(), text)).value;
    }
}

/// The pointer to the parent and the last segment.
fn split(pointer: &str) -> Result<(&str, &str), EditError> {
    match pointer.rsplit_once('/') {
        Some((parent, key)) if parent.is_empty() || parent.starts_with('/') => Ok((parent, key)),
        _ => Err(EditError::Pointer(pointer.to_owned())),
    }
}

/// Parses an array index: digits without a leading zero.
fn position(key: &str) -> Option<usize> {
    let digits = key.bytes().all(|byte| byte.is_ascii_digit());
    let plain = key == "0" || !key.starts_with('0');
    key.parse().ok().filter(|_| digits && plain)
}

/// The ranges of the members of an object, from key to value, in the order of the text.
fn members(owner: &Node) -> Vec<std::ops::Range<usize>> {
    owner
        .as_object()
        .into_iter()
        .flat_map(|object| object.members())
        .map(|(_, member)| member.key_span.range().start..member.value.span.range().end)
        .collect()
}

/// The offset after the comma that follows `from`, past white space and comments.
fn comma(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = text.get(at..)?;
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if trimmed.starts_with(',') {
            return Some(at + 1);
        } else if trimmed.starts_with("//") {
            at += trimmed.find('\n')?;
        } else if trimmed.starts_with("/*") {
            at += trimmed.find("*/")? + 2;
        } else {
            return None;
        }
    }
}
