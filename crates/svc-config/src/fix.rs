//! Fixes of diagnostics. An edit is made only where the file has the text that the value was read
//! from, and not where it was converted from the older format.

use serde_json::Value as Json;
use svc_data::{Value, json_removal};
use svc_diagnostics::{Fix, Span};

use crate::{
    decode::{Cx, Fields, NodeRef},
    text::MAX_DIAGNOSTICS,
};

impl Cx {
    /// Adds a fix with one edit to the last diagnostic.
    pub(crate) fn fix(&mut self, title: impl Into<String>, span: Span, text: impl Into<String>) {
        let Some(location) = self.location(span) else {
            return;
        };
        // At the limit, the last diagnostic may be another one.
        if self.diagnostics.len() < MAX_DIAGNOSTICS
            && let Some(last) = self.diagnostics.last_mut()
        {
            last.fix = Some(Fix::new(title, location, text));
        }
    }

    /// Fixes the last diagnostic by another text of a string.
    pub(crate) fn fix_text(&mut self, at: &NodeRef<'_>, text: &str) {
        if let Some(read) = at.tree.as_str() {
            self.fix_span(at.tree.span, read, text);
        }
    }

    /// Fixes the last diagnostic by another text of the string at a span, which was read as `read`.
    pub(crate) fn fix_span(&mut self, span: Span, read: &str, text: &str) {
        let written = self.files.slice(span);
        let written = written.and_then(|written| serde_json::from_str::<String>(written).ok());
        if written.is_some_and(|written| written.trim() == read.trim()) {
            self.fix(
                format!("write `{text}`"),
                span,
                Json::from(text).to_string(),
            );
        }
    }

    /// Fixes the last diagnostic by another name of a key, unless the object has a key of that name.
    pub(crate) fn fix_key(&mut self, fields: &Fields<'_>, key: &str, name: &str) {
        let span = fields.key_span(key);
        let written = self.files.slice(span);
        if fields.has(key) && !fields.has(name) && written == Some(&Json::from(key).to_string()) {
            self.fix(
                format!("rename it to `{name}`"),
                span,
                Json::from(name).to_string(),
            );
        }
    }

    /// Fixes the last diagnostic by removing an item of an array.
    pub(crate) fn fix_by_removing(&mut self, at: &NodeRef<'_>) {
        self.fix_by_removing_span(at.tree.span);
    }

    /// Fixes the last diagnostic by removing a member of an object.
    pub(crate) fn fix_by_removing_key(&mut self, fields: &Fields<'_>, key: &str) {
        let written = self.files.slice(fields.key_span(key));
        if written == Some(&Json::from(key).to_string())
            && let Some(at) = fields.get(key)
        {
            let (key, value) = (fields.key_span(key), at.tree.span);
            let between = self.files.slice(Span::new(key.end, value.start));
            // The value of a `$ref` is in another file.
            if between.is_some_and(|between| between.trim() == ":") {
                self.fix_by_removing_span(key.to(value));
            }
        }
    }

    fn fix_by_removing_span(&mut self, span: Span) {
        let removed = self.files.locate(span).and_then(|(file, inner)| {
            let text = file.text();
            let before = text.get(..inner.start as usize)?.trim_end();
            let is_inside = before.ends_with(['{', '[', ',']);
            let removed = json_removal(text, inner);
            is_inside.then(|| removed.shifted(span.start - inner.start))
        });
        if let Some(removed) = removed {
            self.fix("remove it", removed, "");
        }
    }

    /// Fixes the last diagnostic, which reports a value of the wrong type, by a conversion that
    /// leaves no choice: quotes around a number or without them, a list of one value or its value.
    pub(crate) fn fix_type(&mut self, at: &NodeRef<'_>, expected: &str) {
        let Some(written) = self.files.slice(at.tree.span).map(str::to_owned) else {
            return;
        };
        let text = at.tree.as_str().map(str::trim).unwrap_or_default();
        let converted = match (&at.tree.value, expected) {
            (Value::Number(_) | Value::Bool(_), "a string") => Json::from(&*written).to_string(),
            (Value::String(_), "a number") if text.parse::<f64>().is_ok_and(f64::is_finite) => {
                text.to_owned()
            }
            (Value::String(_), "a boolean") => text.to_ascii_lowercase(),
            (Value::String(_) | Value::Object(_), "an array") => format!("[{written}]"),
            (Value::Array(items), _) => match &items[..] {
                [item] if is_kind(&item.value, expected) => {
                    self.files.slice(item.span).unwrap_or_default().to_owned()
                }
                _ => return,
            },
            _ => return,
        };
        let is_read = serde_json::from_str::<Json>(&written).ok() == Some(at.tree.to_json());
        if is_read && serde_json::from_str::<Json>(&converted).is_ok() {
            self.fix(format!("write {expected}"), at.tree.span, converted);
        }
    }
}

/// Whether a message about this type expects the value.
fn is_kind(value: &Value, expected: &str) -> bool {
    match value {
        Value::String(_) => expected.starts_with("a string"),
        Value::Number(_) => expected == "a number",
        Value::Bool(_) => expected == "a boolean",
        Value::Object(_) => expected == "an object",
        Value::Null | Value::Array(_) => false,
    }
}
