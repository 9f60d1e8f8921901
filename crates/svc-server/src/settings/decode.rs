//! Decodes the tree of a TOML file: every table is checked against its schema, and violations are
//! reported.

use std::path::{Path, PathBuf};
use std::time::Duration;

use svc_data::{Node, Number, Object, Value};
use svc_diagnostics::{Diagnostic, DiagnosticCode, SourceFile, Span, did_you_mean};

use super::codes::{CONFLICT, MISSING, RESERVED_TABLE, SECRET, TYPE, UNKNOWN_KEY, VALUE};
use super::environment::SettingsEnvironment;
use super::table::{DefaultValue, KeySchema, TableSchema, ValueType};
use super::values;

/// Maximum number of diagnostics that are stored for a file.
const MAX_DIAGNOSTICS: usize = 1_000;

/// The file and its diagnostics so far.
pub(super) struct Cx<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) environment: &'a SettingsEnvironment<'a>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// A string and its span.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
}

/// A table whose keys were checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) table: &'static TableSchema,
    object: &'a Object,
    pub(super) span: Span,
}

impl Cx<'_> {
    pub(super) fn report(
        &mut self,
        code: &'static DiagnosticCode,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            let diagnostic = Diagnostic::new(code, message);
            let diagnostic = diagnostic.at(self.file.location(span)).hint(hint);
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports a problem with two spans.
    pub(super) fn report_both(
        &mut self,
        code: &'static DiagnosticCode,
        (span, message, hint): (Span, String, &str),
        (other, label): (Span, &str),
    ) {
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            return;
        }
        self.report(code, span, message, hint);
        if let Some(last) = self.diagnostics.pop() {
            let other = self.file.location(other);
            self.diagnostics.push(last.label(other, label));
        }
    }

    /// Reports a string with an invalid value.
    pub(super) fn refuse(&mut self, text: Text<'_>, key: &str, hint: impl Into<String>) {
        let shown: String = text.text.chars().take(60).collect();
        let message = format!("invalid `{key}`: `{shown}`");
        self.report(&VALUE, text.span, message, hint);
    }

    /// Opens a table: checks which keys it has, but not their values.
    pub(super) fn open<'a>(
        &mut self,
        node: &'a Node,
        table: &'static TableSchema,
    ) -> Option<Fields<'a>> {
        let Some(object) = node.as_object() else {
            self.mismatch(node, table.name, "a table");
            return None;
        };
        let fields = Fields {
            table,
            object,
            span: node.span,
        };
        for (name, member) in object.members() {
            match table.key(name) {
                None => self.unknown(name, member.key_span, table),
                Some(key) => self.known(key, fields, member.key_span),
            }
        }
        for key in table.keys.iter().filter(|key| key.required) {
            if object.get(key.name).is_none() {
                let message = format!("`{}` is missing{}", key.name, within(table));
                let hint = match key.value_type {
                    ValueType::Tables(inner) => format!("add a table `[[{}]]`", inner.name),
                    ValueType::Table(inner) => format!("add a table `[{}]`", inner.name),
                    _ => format!("add `{} = {}`", key.name, key.example),
                };
                self.report(&MISSING, node.span, message, hint);
            }
        }
        for choice in table.choices {
            let mut members = choice.keys.iter().filter_map(|key| object.member(key));
            if let (Some(first), Some(second)) = (members.next(), members.next()) {
                let message = format!("{} exclude each other", list(choice.keys));
                let problem = (second.key_span, message, "remove the others");
                self.report_both(&CONFLICT, problem, (first.key_span, "the other key"));
            } else if choice.required && !choice.keys.iter().any(|key| fields.has(key)) {
                let removed = |key: &&KeySchema| matches!(key.value_type, ValueType::Forbidden);
                // A key with a value of the wrong type was reported already.
                if !table
                    .keys
                    .iter()
                    .filter(removed)
                    .any(|key| fields.has(key.name))
                {
                    let message = format!("{} is missing{}", either(choice.keys), within(table));
                    self.report(
                        &MISSING,
                        node.span,
                        message,
                        "add exactly one of these keys",
                    );
                }
            }
        }
        Some(fields)
    }

    fn unknown(&mut self, name: &str, span: Span, table: &'static TableSchema) {
        let shown: String = name.chars().take(60).collect();
        let message = format!("unknown key `{shown}`{}", within(table));
        let known: Vec<&str> = table.keys.iter().map(|key| key.name).collect();
        let hint = did_you_mean(name, known.iter().copied()).map_or_else(
            || format!("known keys are {}", list(&known)),
            |similar| format!("did you mean `{similar}`?"),
        );
        self.report(&UNKNOWN_KEY, span, message, hint);
    }

    fn known(&mut self, key: &KeySchema, fields: Fields<'_>, span: Span) {
        match key.value_type {
            ValueType::Reserved => {
                let message = format!("`{}` is accepted but has no effect yet", key.name);
                self.report(&RESERVED_TABLE, span, message, "no action is needed");
            }
            ValueType::Forbidden => {
                let message = format!("the secret `{}` must not be in the file", key.name);
                let hint = format!(
                    "write `{0}_file = \"…\"` or `{0}_env = \"NAME\"` and change the secret, because it may have leaked",
                    key.name
                );
                self.report(&SECRET, span, message, hint);
            }
            _ => {}
        }
        if !key.with.is_empty() && !fields.has(key.with) {
            let message = format!("`{}` has no effect without `{}`", key.name, key.with);
            let hint = format!("remove it, or add `{}`", key.with);
            self.report(&CONFLICT, span, message, hint);
        }
    }

    fn mismatch(&mut self, node: &Node, name: &str, expected: &str) {
        // A value that the parser could not read was reported by the parser.
        if node.is_null() {
            return;
        }
        let kind = match &node.value {
            Value::Object(_) => "a table",
            _ => node.kind(),
        };
        let message = format!("`{name}` must be {expected}, not {kind}");
        self.report(&TYPE, node.span, message, format!("write {expected}"));
    }

    /// A non-empty string.
    pub(super) fn text<'a>(&mut self, fields: Fields<'a>, key: &str) -> Option<Text<'a>> {
        let node = fields.get(key)?;
        self.text_of(node, key)
    }

    fn text_of<'a>(&mut self, node: &'a Node, key: &str) -> Option<Text<'a>> {
        let Some(text) = node.as_str() else {
            self.mismatch(node, key, "a string");
            return None;
        };
        let text = Text {
            text,
            span: node.span,
        };
        if text.text.trim().is_empty() {
            self.refuse(text, key, "write at least one character");
            return None;
        }
        Some(text)
    }

    /// A list of strings; a single string is a list with one item.
    pub(super) fn texts<'a>(&mut self, fields: Fields<'a>, key: &str) -> Option<Vec<Text<'a>>> {
        let node = fields.get(key)?;
        if node.as_str().is_some() {
            return Some(self.text_of(node, key).into_iter().collect());
        }
        let Some(items) = node.as_array() else {
            self.mismatch(node, key, "a list of strings");
            return None;
        };
        let items = items.iter();
        Some(items.filter_map(|item| self.text_of(item, key)).collect())
    }

    /// The tables of a list.
    pub(super) fn tables<'a>(&mut self, fields: Fields<'a>, key: &str) -> &'a [Node] {
        let Some(node) = fields.get(key) else {
            return &[];
        };
        match node.as_array() {
            Some(items) => {
                if items.is_empty() {
                    let message = format!("`{key}` is empty");
                    let hint = format!("add a table `[[{key}]]`");
                    self.report(&MISSING, node.span, message, hint);
                }
                items
            }
            None => {
                let expected = format!("a list of tables `[[{key}]]`");
                self.mismatch(node, key, &expected);
                &[]
            }
        }
    }

    /// A boolean or its default.
    pub(super) fn flag(&mut self, fields: Fields<'_>, key: &str) -> bool {
        let default = matches!(fields.default(key), DefaultValue::Boolean(true));
        let Some(node) = fields.get(key) else {
            return default;
        };
        if node.as_bool().is_none() {
            self.mismatch(node, key, "`true` or `false`");
        }
        node.as_bool().unwrap_or(default)
    }

    /// An integer within the range of its key, or its default if that is a constant.
    pub(super) fn count(&mut self, fields: Fields<'_>, key: &str) -> Option<usize> {
        let default = match fields.default(key) {
            DefaultValue::Count(count) => usize::try_from(count).ok(),
            _ => None,
        };
        let Some(node) = fields.get(key) else {
            return default;
        };
        let Some(Number::Int(number)) = node.as_number() else {
            self.mismatch(node, key, "an integer");
            return default;
        };
        let fits = match fields.table.key(key).map(|key| key.value_type) {
            Some(ValueType::Count(least, max)) => {
                (i64::from(least)..=i64::from(max)).contains(&number)
            }
            _ => true,
        };
        if !fits
            && let Some(ValueType::Count(least, max)) =
                fields.table.key(key).map(|key| key.value_type)
        {
            let message = format!("invalid `{key}`: `{number}`");
            let hint = format!("write a number from {least} to {max}");
            self.report(&VALUE, node.span, message, hint);
            return default;
        }
        usize::try_from(number).ok().or(default)
    }

    /// A duration or its default.
    pub(super) fn duration(&mut self, fields: Fields<'_>, key: &str) -> Option<Duration> {
        let default = fields.default_text(key).and_then(values::duration);
        let Some(text) = self.text(fields, key) else {
            return default;
        };
        let least = match fields.table.key(key).map(|key| key.value_type) {
            Some(ValueType::Duration(least)) => Duration::from_secs(least),
            _ => Duration::ZERO,
        };
        let read = values::duration(text.text);
        if read.is_none() {
            self.refuse(
                text,
                key,
                "write a number and a unit: `30s`, `5m`, `12h`, `14d`",
            );
        } else if read < Some(least) {
            let hint = format!("write at least `{}s`", least.as_secs());
            self.refuse(text, key, hint);
        }
        read.or(default)
    }

    /// A number of bytes or its default.
    pub(super) fn size(&mut self, fields: Fields<'_>, key: &str) -> Option<u64> {
        let default = fields.default_text(key).and_then(values::size);
        let Some(text) = self.text(fields, key) else {
            return default;
        };
        let read = values::size(text.text).filter(|size| *size > 0);
        if read.is_none() {
            self.refuse(
                text,
                key,
                "write a number and a unit: `500KB`, `100MB`, `2GiB`",
            );
        }
        read.or(default)
    }

    /// A path, resolved against the directory of the file.
    pub(super) fn path(&mut self, fields: Fields<'_>, key: &str) -> Option<PathBuf> {
        let text = self.text(fields, key)?;
        if text.text.contains('\0') {
            self.refuse(text, key, "write a path without control characters");
            return None;
        }
        Some(plain(&self.environment.dir.join(text.text)))
    }
}

impl<'a> Fields<'a> {
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        self.object.get(key)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Span of a key; the header of its table if the key is missing.
    pub(super) fn key_span(&self, key: &str) -> Span {
        let member = self.object.member(key);
        member.map_or(self.span, |member| member.key_span)
    }

    fn default(&self, key: &str) -> DefaultValue {
        self.table
            .key(key)
            .map_or(DefaultValue::None, |key| key.default)
    }

    pub(super) fn default_text(&self, key: &str) -> Option<&'static str> {
        match self.default(key) {
            DefaultValue::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The path without `.` components.
fn plain(path: &Path) -> PathBuf {
    path.components().collect()
}

fn within(table: &TableSchema) -> String {
    match table.name {
        "" => String::new(),
        name => format!(" in `{name}`"),
    }
}

/// Quoted names as an enumeration in a sentence.
pub(super) fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

fn either(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" or ")
}
