//! Conversion of documents to the keywords that the validator supports.

use serde_json::{Map, Value, json};
use svc_openapi::Direction;

/// A document without the examples and defaults of its authors; for a direction also in the
/// keywords of JSON Schema 2020-12.
pub(crate) fn modern(
    root: &Value,
    value: &Value,
    direction: Option<Direction>,
    names: bool,
) -> Value {
    match value {
        Value::Array(items) => items
            .iter()
            .map(|item| modern(root, item, direction, false))
            .collect(),
        Value::Object(members) => {
            let mut out = Map::new();
            for (key, value) in members {
                let written = matches!(
                    key.as_str(),
                    "example" | "examples" | "default" | "x-example"
                );
                // Under `properties` keys are names, and the values of `enum` and `const` are data.
                if written && !names {
                    continue;
                }
                let data = !names && matches!(key.as_str(), "enum" | "const");
                let inner = !names
                    && matches!(
                        key.as_str(),
                        "properties"
                            | "patternProperties"
                            | "$defs"
                            | "schemas"
                            | "responses"
                            | "paths"
                            | "webhooks"
                    );
                let value = if data {
                    value.clone()
                } else {
                    modern(root, value, direction, inner)
                };
                out.insert(key.clone(), value);
            }
            if let Some(direction) = direction.filter(|_| !names) {
                dialect(&mut out, members);
                // Members that are not part of the direction are not required.
                let mut names = Vec::new();
                hidden(root, value, direction, &mut names);
                for name in &names {
                    not_required(&mut out, name);
                }
            }
            Value::Object(out)
        }
        other => other.clone(),
    }
}

fn dialect(out: &mut Map<String, Value>, members: &Map<String, Value>) {
    // Keywords of 3.0.
    if members.get("nullable") == Some(&Value::Bool(true)) {
        if let Some(Value::String(kind)) = out.get("type").cloned() {
            out.insert("type".to_owned(), json!([kind, "null"]));
        }
        if let Some(Value::Array(values)) = out.get_mut("enum") {
            values.push(Value::Null);
        }
    }
    for (strict, plain) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        match members.get(strict) {
            Some(Value::Bool(true)) => {
                if let Some(limit) = out.remove(plain) {
                    out.insert(strict.to_owned(), limit);
                }
            }
            Some(Value::Bool(false)) => {
                out.remove(strict);
            }
            _ => {}
        }
    }
    // A duplicate name is required once.
    if let Some(Value::Array(required)) = out.get_mut("required") {
        let mut once = Vec::new();
        required.retain(|name| {
            let new = !once.contains(name);
            once.push(name.clone());
            new
        });
    }
}

fn target<'a>(root: &'a Value, schema: &'a Value) -> Option<&'a Value> {
    let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
    root.pointer(&pointer.replace("%7B", "{").replace("%7D", "}"))
}

/// The schema, the targets of its references and the members of its `allOf`.
pub(crate) fn parts<'a>(
    root: &'a Value,
    schema: &'a Value,
    depth: usize,
    collected: &mut Vec<&'a Value>,
) {
    if depth > 12 || collected.len() > 200 {
        return;
    }
    collected.push(schema);
    let members = schema.get("allOf").and_then(Value::as_array);
    for member in target(root, schema)
        .into_iter()
        .chain(members.into_iter().flatten())
    {
        parts(root, member, depth + 1, collected);
    }
}

/// Names of properties that are not part of a direction.
fn hidden(root: &Value, schema: &Value, direction: Direction, names: &mut Vec<String>) {
    let keyword = match direction {
        Direction::Request => "readOnly",
        Direction::Response => "writeOnly",
    };
    let mut all = Vec::new();
    parts(root, schema, 0, &mut all);
    let properties = all
        .iter()
        .filter_map(|part| part.get("properties")?.as_object());
    for (name, property) in properties.flatten() {
        let mut all = Vec::new();
        parts(root, property, 0, &mut all);
        if all
            .iter()
            .any(|part| part.get(keyword) == Some(&Value::Bool(true)))
        {
            names.push(name.clone());
        }
    }
}

fn not_required(schema: &mut Map<String, Value>, name: &str) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|other| other != name);
    }
    if let Some(Value::Array(members)) = schema.get_mut("allOf") {
        for member in members.iter_mut().filter_map(Value::as_object_mut) {
            not_required(member, name);
        }
    }
}
