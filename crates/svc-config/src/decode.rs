//! Decoders from the spanned tree to types. They collect all problems.

use std::collections::BTreeSet;

use svc_data::{Member, Node, Value, escape_pointer};
use svc_diagnostics::{Diagnostic, DiagnosticCode, Location, SourceFile, Span, did_you_mean};

use crate::{
    codes::{EMPTY, INVALID_VALUE, MISSING, TYPE, UNKNOWN_KEY, UNSUPPORTED},
    deferred::DeferredChecks,
    files::Files,
    path::{Segment, pointer},
    text::{MAX_DIAGNOSTICS, opening, shorten, value_list},
    tree::Map,
};

/// An enumeration whose values are strings in `docs.json`.
pub(crate) trait StringEnum: Copy + 'static {
    const VARIANTS: &'static [Self];

    /// The value as it is written.
    fn as_str(self) -> &'static str;
}

/// Keys that are accepted but not implemented, with the consequence for readers.
const UNSUPPORTED_KEYS: &[(&str, &str)] = &[
    ("asyncapi", "AsyncAPI documents get no pages"),
    ("graphql", "GraphQL schemas get no pages"),
    ("sdk", "SDKs get no pages"),
    ("sourceRef", "pages of other repositories are not included"),
    ("variations", "the site has a single variant"),
    ("overlays", "overlays are not applied"),
    ("assistant", "the site has no chat assistant"),
];

/// A value with its path from the root.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeRef<'a> {
    pub(crate) tree: &'a Node,
    parent: Option<&'a Self>,
    segment: Segment<'a>,
}

impl<'a> NodeRef<'a> {
    pub(crate) const fn root(tree: &'a Node) -> Self {
        Self {
            tree,
            parent: None,
            segment: Segment::Root,
        }
    }

    /// The JSON pointer (RFC 6901).
    pub(crate) fn pointer(&self) -> String {
        let path = std::iter::successors(Some(self), |at| at.parent);
        pointer(path.map(|at| at.segment), escape_pointer)
    }

    /// The value in a message: "`colors.primary`", "entry 2 of `tabs`".
    pub(crate) fn name(&self) -> String {
        match self.segment {
            Segment::Root => "the document".to_owned(),
            Segment::Key(key) => match self.parent.map(|up| up.segment) {
                Some(Segment::Key(parent)) => format!("`{parent}.{key}`"),
                _ => format!("`{key}`"),
            },
            Segment::Index(index) => match self.parent.map(|up| up.segment) {
                Some(Segment::Key(parent)) => format!("entry {} of `{parent}`", index + 1),
                _ => format!("entry {}", index + 1),
            },
        }
    }

    /// The items of an array; empty for any other value.
    pub(crate) fn items(&'a self) -> impl ExactSizeIterator<Item = NodeRef<'a>> {
        let items: &[Node] = if let Value::Array(items) = &self.tree.value {
            items
        } else {
            &[]
        };
        items.iter().enumerate().map(|(index, tree)| NodeRef {
            tree,
            parent: Some(self),
            segment: Segment::Index(index),
        })
    }

    /// The index in the array that contains the value; 0 for any other value.
    pub(crate) const fn index(&self) -> usize {
        match self.segment {
            Segment::Index(index) => index,
            Segment::Root | Segment::Key(_) => 0,
        }
    }

    /// The members of an object; its keys are not checked.
    pub(crate) fn fields(&'a self) -> Option<Fields<'a>> {
        let map = self.tree.as_map()?;
        Some(Fields { node: self, map })
    }

    /// The members of the object that contains the value.
    pub(crate) fn parent_fields(&self) -> Option<Fields<'a>> {
        self.parent?.fields()
    }

    pub(crate) const fn is_array(&self) -> bool {
        matches!(self.tree.value, Value::Array(_))
    }

    pub(crate) const fn is_object(&self) -> bool {
        matches!(self.tree.value, Value::Object(_))
    }

    pub(crate) const fn is_string(&self) -> bool {
        matches!(self.tree.value, Value::String(_))
    }
}

/// An object whose keys were checked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields<'a> {
    pub(crate) node: &'a NodeRef<'a>,
    map: &'a Map,
}

impl<'a> Fields<'a> {
    fn member(&self, key: &str) -> Option<&'a Member> {
        self.map.get(key)
    }

    pub(crate) fn get(&self, key: &'a str) -> Option<NodeRef<'a>> {
        let member = self.member(key)?;
        Some(NodeRef {
            tree: &member.value,
            parent: Some(self.node),
            segment: Segment::Key(key),
        })
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.member(key).is_some()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'a str, NodeRef<'a>)> {
        let up = self.node;
        self.map.iter().map(move |(key, member)| {
            (
                key,
                NodeRef {
                    tree: &member.value,
                    parent: Some(up),
                    segment: Segment::Key(key),
                },
            )
        })
    }

    /// The span of a key; the span of the object if it has no such key.
    pub(crate) fn key_span(&self, key: &str) -> Span {
        self.member(key)
            .map_or(self.node.tree.span, |member| member.key_span)
    }
}

/// The state of decoding: the files that were read and the diagnostics so far.
///
/// Only the first [`MAX_DIAGNOSTICS`] diagnostics are retained.
pub(crate) struct Cx {
    pub(crate) files: Files,
    /// Starts of the values that are not available, which are null.
    pub(crate) failed: BTreeSet<u32>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) deferred: DeferredChecks,
}

impl Cx {
    pub(crate) fn location(&self, span: Span) -> Option<Location> {
        self.files.location(span)
    }

    /// The location of a value; an empty location if the span belongs to no file.
    pub(crate) fn location_of(&self, at: &NodeRef<'_>) -> Location {
        self.location(at.tree.span)
            .unwrap_or_else(|| SourceFile::new("", "").location(Default::default()))
    }

    /// Whether a syntax error cuts the object off, so that missing keys may be in the rest.
    pub(crate) fn is_cut(&self, at: &NodeRef<'_>) -> bool {
        let text = self.files.slice(at.tree.span);
        text.is_some_and(|text| text.starts_with('{') && !text.ends_with('}'))
    }

    /// Reports a problem of a value.
    pub(crate) fn report(
        &mut self,
        code: &'static DiagnosticCode,
        at: &NodeRef<'_>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.report_at(code, at.tree.span, at.pointer(), message, hint);
    }

    /// Reports a problem at a span.
    pub(crate) fn report_at(
        &mut self,
        code: &'static DiagnosticCode,
        span: Span,
        pointer: String,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            return;
        }
        let mut diagnostic = Diagnostic::new(code, message).hint(hint).pointer(pointer);
        if let Some(location) = self.location(span) {
            diagnostic = diagnostic.at(location);
        }
        self.diagnostics.push(diagnostic);
    }

    /// Adds a label to the last diagnostic.
    pub(crate) fn label(&mut self, span: Span, message: &str) {
        let Some(location) = self.location(span) else {
            return;
        };
        if let Some(last) = self.diagnostics.pop() {
            self.diagnostics.push(last.label(location, message));
        }
    }

    /// Whether the value is not available; the problem is already reported.
    pub(crate) fn is_failed(&self, at: &NodeRef<'_>) -> bool {
        at.tree.is_null() && self.failed.contains(&at.tree.span.start)
    }

    /// Reports a value of the wrong type, unless the value failed to parse.
    pub(crate) fn type_mismatch(&mut self, at: &NodeRef<'_>, expected: &str) {
        if self.is_failed(at) {
            return;
        }
        let message = format!("{} must be {expected}, not {}", at.name(), at.tree.kind());
        let hint = if matches!(at.tree.value, Value::Null) {
            "remove the key to get the default".to_owned()
        } else {
            format!("write {expected}")
        };
        self.report(&TYPE, at, message, hint);
        self.fix_type(at, expected);
    }

    /// Reports a missing key at the start of its object.
    pub(crate) fn missing(&mut self, fields: &Fields<'_>, key: &str, hint: &str) {
        if self.is_cut(fields.node) {
            return;
        }
        let owner = match fields.node.segment {
            Segment::Root => String::new(),
            _ => format!(" in {}", fields.node.name()),
        };
        let mut span = fields.node.tree.span;
        span = opening(span);
        let pointer = fields.node.pointer() + "/" + &escape_pointer(key);
        self.report_at(
            &MISSING,
            span,
            pointer,
            format!("`{key}` is missing{owner}"),
            hint,
        );
    }

    /// The members of an object; keys that are not in `known` are reported.
    pub(crate) fn object<'a>(&mut self, at: &'a NodeRef<'a>, known: &[&str]) -> Option<Fields<'a>> {
        self.object_of(at, |key| known.contains(&key), || known.to_vec())
    }

    /// The members of an object; keys for which `is_known` is false are reported. `known` lists the
    /// allowed keys for the hint.
    pub(crate) fn object_of<'a, 'k>(
        &mut self,
        at: &'a NodeRef<'a>,
        is_known: impl Fn(&str) -> bool,
        known: impl Fn() -> Vec<&'k str>,
    ) -> Option<Fields<'a>> {
        let fields = self.map(at)?;
        for (key, member) in fields.map {
            if !is_known(key) && key != "$schema" {
                self.unknown_key(&fields, key, member.key_span, &known());
            }
        }
        Some(fields)
    }

    fn unknown_key(&mut self, fields: &Fields<'_>, key: &str, span: Span, known: &[&str]) {
        let pointer = fields.node.pointer() + "/" + &escape_pointer(key);
        if let Some((_, loss)) = UNSUPPORTED_KEYS.iter().find(|(known, _)| *known == key) {
            let message = format!("`{key}` is accepted but has no effect yet: {loss}");
            self.report_at(
                &UNSUPPORTED,
                span,
                pointer,
                message,
                "remove it, or leave it for a later version",
            );
            return;
        }
        let owner = match fields.node.segment {
            Segment::Root => String::new(),
            _ => format!(" in {}", fields.node.name()),
        };
        let near = did_you_mean(key, known.iter().copied());
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.len() <= 12 => format!("allowed keys: {}", value_list(known)),
            None => "the key has no effect; remove it".to_owned(),
        };
        let message = format!("unknown key `{}`{owner}", shorten(key));
        self.report_at(&UNKNOWN_KEY, span, pointer, message, hint);
        if let Some(near) = near {
            self.fix_key(fields, key, near);
        }
    }

    /// The members of an object with arbitrary keys.
    pub(crate) fn map<'a>(&mut self, at: &'a NodeRef<'a>) -> Option<Fields<'a>> {
        if let Some(map) = at.tree.as_map() {
            Some(Fields { node: at, map })
        } else {
            self.type_mismatch(at, "an object");
            None
        }
    }

    pub(crate) fn string(&mut self, at: &NodeRef<'_>) -> Option<String> {
        if let Some(text) = at.tree.as_str() {
            Some(text.to_owned())
        } else {
            self.type_mismatch(at, "a string");
            None
        }
    }

    /// Decodes a string and trims it; an empty one is reported.
    pub(crate) fn non_empty_string(&mut self, at: &NodeRef<'_>) -> Option<String> {
        let Some(text) = at.tree.as_str() else {
            self.type_mismatch(at, "a string");
            return None;
        };
        let trimmed = text.trim();
        if trimmed.is_empty() {
            let message = format!("{} is empty", at.name());
            self.report(&EMPTY, at, message, "write at least one character");
            return None;
        }
        Some(trimmed.to_owned())
    }

    pub(crate) fn boolean(&mut self, at: &NodeRef<'_>) -> Option<bool> {
        if let Value::Bool(value) = at.tree.value {
            return Some(value);
        }
        let text = at
            .tree
            .as_str()
            .map(|text| text.trim().to_ascii_lowercase());
        if let Some(value @ ("true" | "false")) = text.as_deref() {
            let message = format!("{} must be a boolean, not a string", at.name());
            self.report(&TYPE, at, message, format!("write {value} without quotes"));
            self.fix_type(at, "a boolean");
        } else {
            self.type_mismatch(at, "a boolean");
        }
        None
    }

    pub(crate) fn number(&mut self, at: &NodeRef<'_>) -> Option<f64> {
        if let Value::Number(number) = at.tree.value {
            Some(number.as_f64())
        } else {
            self.type_mismatch(at, "a number");
            None
        }
    }

    /// Decodes one of the values of an enumeration.
    pub(crate) fn string_enum<W: StringEnum>(&mut self, at: &NodeRef<'_>) -> Option<W> {
        let text = self.string(at)?;
        if let Some(variant) = W::VARIANTS.iter().find(|variant| variant.as_str() == text) {
            return Some(*variant);
        }
        let values: Vec<&str> = W::VARIANTS.iter().map(|variant| variant.as_str()).collect();
        self.invalid_value(&INVALID_VALUE, at, &text, &values);
        None
    }

    /// Reports a value that is not in its list of allowed values.
    pub(crate) fn invalid_value(
        &mut self,
        code: &'static DiagnosticCode,
        at: &NodeRef<'_>,
        text: &str,
        values: &[&str],
    ) {
        let message = format!("invalid value `{}` for {}", shorten(text), at.name());
        let near = did_you_mean(text, values.iter().copied());
        let hint = near.map_or_else(
            || format!("write one of {}", value_list(values)),
            |near| format!("did you mean `{near}`? Allowed: {}", value_list(values)),
        );
        self.report(code, at, message, hint);
        if let Some(near) = near {
            self.fix_text(at, near);
        }
    }

    /// Decodes the items of an array; invalid items are left out.
    pub(crate) fn list<T>(
        &mut self,
        at: &NodeRef<'_>,
        mut item: impl FnMut(&mut Self, &NodeRef<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        if !at.is_array() {
            self.type_mismatch(at, "an array");
            return None;
        }
        Some(at.items().filter_map(|at| item(self, &at)).collect())
    }

    /// Decodes a string or an array of strings.
    pub(crate) fn string_list(&mut self, at: &NodeRef<'_>) -> Option<Vec<String>> {
        if at.is_string() {
            return Some(self.non_empty_string(at).into_iter().collect());
        }
        if !at.is_array() {
            self.type_mismatch(at, "a string or an array of strings");
            return None;
        }
        self.list(at, Self::non_empty_string)
    }

    /// Decodes an optional key.
    pub(crate) fn optional<'a, T>(
        &mut self,
        fields: &Fields<'a>,
        key: &'a str,
        decode: impl FnOnce(&mut Self, &NodeRef<'_>) -> Option<T>,
    ) -> Option<T> {
        let at = fields.get(key)?;
        decode(self, &at)
    }

    /// Decodes a required key.
    pub(crate) fn required<'a, T>(
        &mut self,
        fields: &Fields<'a>,
        key: &'a str,
        decode: impl FnOnce(&mut Self, &NodeRef<'_>) -> Option<T>,
    ) -> Option<T> {
        if !fields.has(key) {
            self.missing(fields, key, &format!("add `\"{key}\": …`"));
            return None;
        }
        self.optional(fields, key, decode)
    }

    /// Decodes an object from strings to strings. With `empty`, values may be empty.
    pub(crate) fn string_map(
        &mut self,
        at: &NodeRef<'_>,
        empty: bool,
    ) -> Option<Vec<(String, String)>> {
        let fields = self.map(at)?;
        let mut pairs = Vec::new();
        for (key, at) in fields.iter() {
            let value = if empty {
                self.string(&at)
            } else {
                self.non_empty_string(&at)
            };
            pairs.extend(value.map(|value| (key.to_owned(), value)));
        }
        Some(pairs)
    }
}
