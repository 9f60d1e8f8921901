//! Fixes of diagnostics.

use svc_data::{Node, Value};
use svc_diagnostics::{Fix, Span};

use super::Reader;
use crate::grammar::FieldType;

impl Reader<'_> {
    /// Adds a fix with one edit to the last diagnostic.
    pub(super) fn fix(&mut self, title: impl Into<String>, span: Span, text: impl Into<String>) {
        let location = self.line_index.location(span);
        if let Some(last) = self.diagnostics.last_mut() {
            last.fix = Some(Fix::new(title, location, text));
        }
    }

    /// Fixes the last diagnostic by replacing the only `old` in a span.
    pub(super) fn fix_text(&mut self, span: Span, old: &str, new: &str) {
        if let Some(last) = self.diagnostics.last_mut() {
            last.fix = Fix::replace(self.file, span, old, new);
        }
    }

    /// Fixes the last diagnostic by replacing the only `old` in each span.
    pub(super) fn fix_texts(&mut self, spans: &[Span], old: &str, new: &str) {
        let fixes = spans
            .iter()
            .filter_map(|span| Fix::replace(self.file, *span, old, new));
        let fix = fixes.reduce(|mut all, fix| {
            all.edits.extend(fix.edits);
            all
        });
        if let Some(last) = self.diagnostics.last_mut() {
            last.fix = fix;
        }
    }

    /// Fixes the last diagnostic, which reports a value of the wrong type, by a conversion that
    /// leaves no choice.
    pub(super) fn fix_type(&mut self, node: &Node, expected: FieldType) {
        let written = self.file.slice(node.span);
        let text = node.as_str().map(str::trim).unwrap_or_default();
        let converted = match (&node.value, expected) {
            (Value::String(_), FieldType::Flag) => {
                let text = text.to_ascii_lowercase();
                matches!(&*text, "true" | "false").then_some(text)
            }
            (Value::String(_), FieldType::Number | FieldType::Limit) => {
                let is_number = text.parse::<f64>().is_ok_and(f64::is_finite);
                is_number.then(|| text.to_owned())
            }
            (Value::String(_), FieldType::Count) => {
                text.parse::<u32>().ok().map(|count| count.to_string())
            }
            (Value::Number(_) | Value::Bool(_), FieldType::Text) => Some(format!("\"{written}\"")),
            (Value::String(_), FieldType::Texts | FieldType::Values) => {
                Some(format!("[{written}]"))
            }
            (Value::Object(_), FieldType::List(_)) => {
                let is_flow = written.starts_with('{') && written.ends_with('}');
                is_flow.then(|| format!("[{written}]"))
            }
            _ => None,
        };
        // Block scalars of YAML have several lines.
        let is_line = !written.is_empty() && (!written.contains('\n') || node.as_str().is_none());
        if let Some(converted) = converted.filter(|_| is_line) {
            self.fix(
                format!("write {}", expected.expected()),
                node.span,
                converted,
            );
        }
    }
}
