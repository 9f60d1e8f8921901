//! Conversion of values to text, numbers and JSON.

use std::fmt::Write as _;

use super::{JsxElement, Value, number};

impl Value {
    /// Converts to text like `String(value)`.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        write_text(self, &mut text);
        text
    }

    /// Converts to a number like `Number(value)`.
    pub fn to_number(&self) -> f64 {
        match self {
            Self::Undefined
            | Self::Function(_)
            | Self::Component(_)
            | Self::Element(_)
            | Self::Object(_) => f64::NAN,
            Self::Null => 0.0,
            Self::Bool(value) => f64::from(u8::from(*value)),
            Self::Number(number) => *number,
            Self::String(text) => number::from_text(text),
            Self::Array(_) => number::from_text(&self.to_text()),
        }
    }

    /// Returns the type like `typeof value`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Undefined => "undefined",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Function(_) | Self::Component(_) => "function",
            Self::Null | Self::Array(_) | Self::Object(_) | Self::Element(_) => "object",
        }
    }

    /// Converts to JSON like `JSON.stringify(value, null, indent)`; `None` for `undefined` and
    /// functions.
    pub fn to_json(&self, indent: &str) -> Option<String> {
        let mut text = String::new();
        write_json(self, indent, "\n", &mut text).then_some(text)
    }
}

fn write_text(value: &Value, text: &mut String) {
    match value {
        Value::Undefined => text.push_str("undefined"),
        Value::Null => text.push_str("null"),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => text.push_str(&number::to_text(*number)),
        Value::String(content) => text.push_str(content),
        Value::Array(items) => write_joined(items, ",", text),
        Value::Function(function) => write_function(function.name().unwrap_or(""), text),
        Value::Component(component) => write_function(&component.name, text),
        Value::Object(_) | Value::Element(_) => text.push_str("[object Object]"),
    }
}

fn write_function(name: &str, text: &mut String) {
    text.push_str("function ");
    text.push_str(name);
    text.push_str("() { }");
}

pub(super) fn write_joined(items: &[Value], separator: &str, text: &mut String) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        if item.is_some() {
            write_text(item, text);
        }
    }
}

fn write_json(value: &Value, indent: &str, line: &str, text: &mut String) -> bool {
    match value {
        Value::Undefined | Value::Function(_) | Value::Component(_) => return false,
        Value::Number(number) if !number.is_finite() => text.push_str("null"),
        Value::Null | Value::Bool(_) | Value::Number(_) => write_text(value, text),
        Value::String(content) => write_json_string(content, text),
        Value::Array(items) => {
            let inner = format!("{line}{indent}");
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                break_line(indent, &inner, text);
                if !write_json(item, indent, &inner, text) {
                    text.push_str("null");
                }
            }
            if !items.is_empty() {
                break_line(indent, line, text);
            }
            text.push(']');
        }
        Value::Object(entries) => write_json_entries(entries.iter(), indent, line, text),
        Value::Element(element) => {
            let JsxElement { props, .. } = element.as_ref();
            write_json_entries(props.iter(), indent, line, text);
        }
    }
    true
}

fn write_json_entries<'a>(
    entries: impl Iterator<Item = (&'a String, &'a Value)>,
    indent: &str,
    line: &str,
    text: &mut String,
) {
    let inner = format!("{line}{indent}");
    text.push('{');
    let mut first = true;
    for (key, value) in entries {
        if matches!(
            value,
            Value::Undefined | Value::Function(_) | Value::Component(_)
        ) {
            continue;
        }
        if !first {
            text.push(',');
        }
        first = false;
        break_line(indent, &inner, text);
        write_json_string(key, text);
        text.push_str(if indent.is_empty() { ":" } else { ": " });
        write_json(value, indent, &inner, text);
    }
    if !first {
        break_line(indent, line, text);
    }
    text.push('}');
}

fn break_line(indent: &str, line: &str, text: &mut String) {
    if !indent.is_empty() {
        text.push_str(line);
    }
}

fn write_json_string(content: &str, text: &mut String) {
    text.push('"');
    for c in content.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            c if c < ' ' => {
                // Formatting to a `String` cannot fail.
                let _ = write!(text, "\\u{:04x}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('"');
}
