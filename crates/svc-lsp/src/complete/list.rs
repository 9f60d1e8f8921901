//! The list of completions, and how texts are inserted.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTag, CompletionList, CompletionTextEdit,
    Documentation, InsertTextFormat, Range, TextEdit,
};
use serde_json::Value;

use crate::convert::markup;
use crate::cursor::{Cursor, Target};
use crate::view::{FileKind, View};

/// Maximum number of completions in a response; the client requests more as the text gets longer.
const MAX_ITEMS: usize = 200;

/// How a value has to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Syntax {
    /// JSON.
    Json,
    /// A scalar of YAML.
    Yaml,
    /// An attribute of a tag.
    Attribute,
    /// Text without quotes, such as the destination of a link.
    Plain,
}

/// A completion.
#[derive(Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) label: &'a str,
    pub(crate) kind: CompletionItemKind,
    /// One line next to the label.
    pub(crate) detail: Option<String>,
    /// Description in Markdown.
    pub(crate) about: Option<String>,
    /// Text that is inserted, with tab stops if the client supports them; `None` for the label as a
    /// value, with the quotes that it needs.
    pub(crate) snippet: Option<String>,
    pub(crate) deprecated: bool,
    pub(crate) data: Option<Value>,
}

impl<'a> Candidate<'a> {
    pub(crate) const fn new(label: &'a str, kind: CompletionItemKind) -> Self {
        Self {
            label,
            kind,
            detail: None,
            about: None,
            snippet: None,
            deprecated: false,
            data: None,
        }
    }
}

/// The completions at a cursor.
#[derive(Debug)]
pub(crate) struct Candidates<'v> {
    pub(crate) view: &'v View<'v>,
    /// The text before the position, without quotes, in lower case.
    prefix: String,
    /// The text at the cursor.
    pub(crate) text: &'v str,
    /// The text of the document after the cursor.
    pub(crate) after: &'v str,
    pub(crate) quoted: bool,
    syntax: Syntax,
    range: Range,
    offset: usize,
    items: Vec<CompletionItem>,
    is_incomplete: bool,
}

impl<'v> Candidates<'v> {
    pub(crate) fn new(view: &'v View<'v>, cursor: &Cursor, offset: usize) -> Self {
        let syntax = match (&view.kind, &cursor.target) {
            (FileKind::Config(_) | FileKind::Data, _) => Syntax::Json,
            (_, Target::FieldValue(_)) => Syntax::Yaml,
            (_, Target::AttributeValue { .. }) => Syntax::Attribute,
            _ => Syntax::Plain,
        };
        let mut candidates = Self {
            view,
            prefix: String::new(),
            text: view.text.get(cursor.span.clone()).unwrap_or_default(),
            after: view.text.get(cursor.span.end..).unwrap_or_default(),
            quoted: cursor.quoted,
            syntax,
            range: view.index.range(cursor.span.clone()),
            offset,
            items: Vec::new(),
            is_incomplete: false,
        };
        candidates.start_at(cursor.span.start, cursor.span.end);
        candidates
    }

    /// Restricts what is replaced, and what filters the completions, to a part of the text.
    fn start_at(&mut self, start: usize, end: usize) {
        let offset = self.offset;
        let before = self.view.text.get(start..offset).unwrap_or_default();
        self.prefix = before.to_lowercase();
        let range = self.view.index.range(start..end);
        // The protocol allows only one line.
        self.range = match range.start.line == range.end.line {
            true => range,
            false => self.view.index.range(offset..offset),
        };
    }

    /// Completes only what follows the first separator in the text at the cursor, and returns what
    /// precedes it. `None` if the position is not after a separator.
    pub(crate) fn after_first(&mut self, separator: char) -> Option<&'v str> {
        let at = self.text.find(separator)?;
        let end = self.view.text.len() - self.after.len();
        let start = end - self.text.len() + at + separator.len_utf8();
        if self.offset < start {
            return None;
        }
        self.start_at(start, end);
        self.text.get(..at)
    }

    /// Adds a completion if it contains the text before the position.
    pub(crate) fn add(&mut self, candidate: Candidate<'_>) {
        let label = candidate.label.to_lowercase();
        if !label.contains(&self.prefix) {
            return;
        }
        if self.items.len() >= MAX_ITEMS {
            self.is_incomplete = true;
            return;
        }
        let has_stops = candidate.snippet.is_some() && self.view.client.has_snippets;
        let new_text = match &candidate.snippet {
            Some(snippet) if has_stops => snippet.clone(),
            Some(snippet) => without_stops(snippet),
            None => self.value(candidate.label),
        };
        let rank = if label.starts_with(&self.prefix) {
            0
        } else {
            1
        };
        let about = candidate
            .about
            .map(|about| Documentation::MarkupContent(markup(self.view.client, about)));
        self.items.push(CompletionItem {
            label: candidate.label.to_owned(),
            kind: Some(candidate.kind),
            detail: candidate.detail,
            documentation: about,
            sort_text: Some(format!("{rank}{label}")),
            filter_text: Some(candidate.label.to_owned()),
            insert_text_format: has_stops.then_some(InsertTextFormat::SNIPPET),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range: self.range,
                new_text,
            })),
            tags: candidate
                .deprecated
                .then(|| vec![CompletionItemTag::DEPRECATED]),
            data: candidate.data,
            ..CompletionItem::default()
        });
    }

    /// A value with the quotes and escapes that it needs at the cursor.
    fn value(&self, value: &str) -> String {
        match (self.syntax, self.quoted) {
            (Syntax::Plain, _) => value.to_owned(),
            (Syntax::Json, true) => {
                let quoted = json(value);
                quoted[1..quoted.len() - 1].to_owned()
            }
            (Syntax::Json, false) => json(value),
            (Syntax::Attribute, true) => value.replace('"', "&quot;"),
            (Syntax::Attribute, false) => format!("\"{}\"", value.replace('"', "&quot;")),
            (Syntax::Yaml, true) => value.replace('"', "\\\""),
            (Syntax::Yaml, false) if needs_quotes(value) => json(value),
            (Syntax::Yaml, false) => value.to_owned(),
        }
    }

    pub(crate) fn finish(self) -> CompletionList {
        CompletionList {
            is_incomplete: self.is_incomplete,
            items: self.items,
        }
    }
}

/// A JSON string, which is also one of YAML.
fn json(value: &str) -> String {
    Value::String(value.to_owned()).to_string()
}

/// Whether a plain scalar of YAML would have another value.
fn needs_quotes(value: &str) -> bool {
    let special = [
        '"', '\'', '{', '[', '&', '*', '!', '|', '>', '%', '@', '`', '#', '-', '?', ',',
    ];
    value.starts_with(special) || value.contains(": ") || value.contains(" #") || value.is_empty()
}

/// The text of a snippet without its tab stops.
fn without_stops(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '$' => while rest.next_if(char::is_ascii_digit).is_some() {},
            '\\' => out.extend(rest.next()),
            other => out.push(other),
        }
    }
    out
}

/// A text with the characters escaped that have a meaning in snippets.
pub(crate) fn escape_stops(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('$', "\\$")
        .replace('}', "\\}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_without_stops_are_the_text() {
        assert_eq!(without_stops("a: \"$1\"$0"), "a: \"\"");
        assert_eq!(without_stops(&escape_stops("$ref {a\\}")), "$ref {a\\}");
    }

    #[test]
    fn yaml_values_are_quoted_only_if_needed() {
        for plain in ["GET /users/{id}", "book", "/a#b"] {
            assert!(!needs_quotes(plain), "{plain}");
        }
        for special in ["{a", "a: b", "a #b", "", "*"] {
            assert!(needs_quotes(special), "{special}");
        }
    }
}
