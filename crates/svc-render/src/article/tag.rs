//! An element with evaluated attributes.

use svc_diagnostics::Span;

use super::children::Children;
use crate::evaluate::Value;
use crate::style::safe_color;

/// An element with its attributes evaluated.
#[derive(Debug, Clone)]
pub(crate) struct Tag<'n> {
    /// Name as written: `Card`, `Tree.File`, `div`.
    pub(crate) name: &'n str,
    /// Span of the opening tag, for diagnostics.
    pub(crate) span: Span,
    pub(crate) props: Props,
    pub(crate) children: Children<'n>,
}

/// Attributes in source order; the last one of a name wins.
#[derive(Debug, Clone, Default)]
pub(crate) struct Props {
    list: Vec<(String, Value, Span)>,
}

impl Props {
    /// Adds an attribute.
    pub(crate) fn push(&mut self, name: impl Into<String>, value: Value, span: Span) {
        self.list.push((name.into(), value, span));
    }

    /// The value of an attribute; `None` if it is missing or `undefined`.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        let entry = self.list.iter().rev().find(|(key, _, _)| key == name);
        entry
            .map(|(_, value, _)| value)
            .filter(|value| value.is_some())
    }

    /// The span of an attribute.
    pub(crate) fn span(&self, name: &str) -> Option<Span> {
        self.list
            .iter()
            .rev()
            .find(|(key, _, _)| key == name)
            .map(|(_, _, span)| *span)
    }

    /// The value of an attribute as text; numbers are converted.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        match self.get(name)? {
            Value::String(text) => Some(text.to_string()),
            Value::Number(number) => Some(format!("{number}")),
            _ => None,
        }
    }

    /// Whether an attribute is true: `wrap`, `wrap={true}`, `wrap="true"`.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.flag_or(name, false)
    }

    /// Whether an attribute is true; `otherwise` if it is missing.
    pub(crate) fn flag_or(&self, name: &str, otherwise: bool) -> bool {
        match self.get(name) {
            None => otherwise,
            Some(Value::String(text)) => !text.eq_ignore_ascii_case("false"),
            Some(value) => value.is_true(),
        }
    }

    /// The value of an attribute as a number; text is parsed.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            Value::Number(number) => Some(*number),
            Value::String(text) => number(text.trim()),
            _ => None,
        }
    }

    /// The values of an attribute that is a list or a single text; numbers are converted.
    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.to_string()),
            Value::Number(number) => Some(format!("{number}")),
            _ => None,
        };
        match self.get(name) {
            Some(Value::Array(items)) => items.iter().filter_map(text).take(100).collect(),
            Some(Value::String(text)) => vec![text.to_string()],
            _ => Vec::new(),
        }
    }

    /// The value of an attribute as a color that is safe in a CSS declaration.
    pub(crate) fn color(&self, name: &str) -> Option<String> {
        self.text(name)
            .and_then(|text| safe_color(&text).map(str::to_owned))
    }

    /// Names, values and spans in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Value, Span)> {
        self.list
            .iter()
            .map(|(name, value, span)| (name.as_str(), value, *span))
    }
}

/// Parses a number with or without the unit `px`.
pub(crate) fn number(text: &str) -> Option<f64> {
    text.trim_end_matches("px").parse().ok()
}
