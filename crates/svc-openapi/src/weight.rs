//! Approximate size of values of a document as text.

use serde_json::Value as Json;
use svc_data::{Node, Value};

/// Maximum size of a serialized example in bytes.
pub const MAX_EXAMPLE_BYTES: usize = 64 * 1024;

/// Converts a value to JSON without spans; None if it exceeds the size of examples.
pub(crate) fn bounded_json(node: &Node) -> Option<Json> {
    weight(node, MAX_EXAMPLE_BYTES).map(|_| node.to_json())
}

/// The approximate size of a value as text; None if it exceeds the limit. Spans are no measure:
/// those of YAML aliases are those of their anchors.
pub(crate) fn weight(node: &Node, limit: usize) -> Option<usize> {
    let mut left = limit;
    weigh(node, &mut left)?;
    Some(limit - left)
}

fn weigh(node: &Node, left: &mut usize) -> Option<()> {
    let own = match &node.value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 8,
        Value::String(text) => text.len() + 3,
        Value::Array(_) | Value::Object(_) => 2,
    };
    *left = left.checked_sub(own)?;
    match &node.value {
        Value::Array(items) => items.iter().try_for_each(|item| weigh(item, left)),
        Value::Object(object) => object.iter().try_for_each(|(key, value)| {
            *left = left.checked_sub(key.len() + 4)?;
            weigh(value, left)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Some(()),
    }
}
