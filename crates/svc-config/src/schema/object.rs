//! The schema of an object.

use serde_json::{Map, Value, json};

/// The schema of an object. Its required keys are not required beside a `$ref`.
pub(super) fn object_schema(
    mut properties: Map<String, Value>,
    required: &[&str],
    rules: &[Value],
    elsewhere: bool,
    strict: bool,
) -> Map<String, Value> {
    properties.insert("$ref".to_owned(), json!({ "$ref": "#/$defs/path" }));
    let mut out = members([("type", "object".into()), ("properties", properties.into())]);
    if strict {
        out.insert("additionalProperties".to_owned(), false.into());
    }
    let mut demands = Map::new();
    if !required.is_empty() {
        demands.insert("required".to_owned(), json!(required));
    }
    if !rules.is_empty() {
        demands.insert("allOf".to_owned(), rules.into());
    }
    if !demands.is_empty() {
        let name = if elsewhere { "elsewhere" } else { "reference" };
        let condition = json!({ "$ref": format!("#/$defs/{name}") });
        out.insert("if".to_owned(), condition);
        out.insert("else".to_owned(), Value::Object(demands));
    }
    out
}

/// A map of a few members.
pub(super) fn members<const N: usize>(members: [(&str, Value); N]) -> Map<String, Value> {
    members
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}
