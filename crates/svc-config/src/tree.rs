//! The document with all `$ref`s resolved; every value has a span in its file.

use svc_data::{KeyMap, Number};

use crate::files::FileSpan;

/// A value with its span.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tree {
    /// Span of the value.
    pub(crate) span: FileSpan,
    /// The value.
    pub(crate) value: Value,
}

/// The JSON data model with an additional case.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A value that failed to parse; the problem is already reported.
    Failed,
    Null,
    Bool(bool),
    Number(Number),
    String(Box<str>),
    Array(Vec<Tree>),
    Object(Map),
}

/// Members in the order of the text.
pub(crate) type Map = KeyMap<Member>;

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    /// Span of the key.
    pub(crate) key: FileSpan,
    /// The value.
    pub(crate) value: Tree,
}

impl Tree {
    pub(crate) fn string(span: FileSpan, text: &str) -> Self {
        Self {
            span,
            value: Value::String(text.into()),
        }
    }

    pub(crate) fn object(span: FileSpan) -> Self {
        Self {
            span,
            value: Value::Object(Map::new()),
        }
    }

    pub(crate) const fn as_map(&self) -> Option<&Map> {
        if let Value::Object(map) = &self.value {
            Some(map)
        } else {
            None
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = &self.value {
            Some(text)
        } else {
            None
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        self.as_map()?.get(key).map(|member| &member.value)
    }

    /// The type with its article, for messages: "an array".
    pub(crate) const fn kind(&self) -> &'static str {
        match self.value {
            Value::Failed => "unreadable",
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }

    /// Converts the value to JSON without spans.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Failed | Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Number(Number::Int(int)) => (*int).into(),
            Value::Number(Number::Float(float)) => (*float).into(),
            Value::String(text) => (&**text).into(),
            Value::Array(items) => items.iter().map(Self::to_json).collect(),
            Value::Object(map) => serde_json::Value::Object(
                map.iter()
                    .map(|(key, member)| (key.to_owned(), member.value.to_json()))
                    .collect(),
            ),
        }
    }
}
