//! Conversion to `serde_json` values.

use crate::{Node, Number, Value};

impl Node {
    /// Converts the tree to a `serde_json` value without spans.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Number(Number::Int(int)) => (*int).into(),
            Value::Number(Number::Float(float)) => (*float).into(),
            Value::String(string) => (&**string).into(),
            Value::Array(items) => items.iter().map(Self::to_json).collect(),
            Value::Object(object) => serde_json::Value::Object(
                object
                    .iter()
                    .map(|(key, node)| (key.to_owned(), node.to_json()))
                    .collect(),
            ),
        }
    }
}
