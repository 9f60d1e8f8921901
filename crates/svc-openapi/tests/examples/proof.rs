//! Schemas that no value matches.

use serde_json::Value;

use super::dialect::parts;

/// Whether a schema provably rejects a value.
fn refuses(root: &Value, schema: &Value, value: &Value) -> bool {
    let mut all = Vec::new();
    parts(root, schema, 0, &mut all);
    all.into_iter().any(|part| {
        let listed = |key: &str| part.get(key).and_then(Value::as_array);
        listed("enum").is_some_and(|list| !list.contains(value))
            || types(part).is_some_and(|types| !types.contains(&type_of(value)))
            || ["anyOf", "oneOf"].into_iter().any(|key| {
                listed(key).is_some_and(|list| list.iter().all(|item| refuses(root, item, value)))
            })
    })
}

fn types(schema: &Value) -> Option<Vec<&str>> {
    let stated = schema.get("type")?;
    let mut types: Vec<&str> = match stated {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        item => vec![item.as_str()?],
    };
    if types.contains(&"number") {
        types.push("integer");
    }
    Some(types)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether no value matches schemas that apply together. This is a proof: their types exclude each
/// other, or all values of an enumeration are rejected, or the same holds for a required member or
/// for each alternative.
pub(crate) fn contradicts(root: &Value, seeds: &[&Value], depth: usize) -> bool {
    if depth > 4 {
        return false;
    }
    let mut all = Vec::new();
    for seed in seeds {
        parts(root, seed, 0, &mut all);
    }
    let listed = |part: &Value, key: &str| part.get(key).and_then(Value::as_array).cloned();
    let common = all
        .iter()
        .filter_map(|part| types(part))
        .reduce(|a, b| a.into_iter().filter(|item| b.contains(item)).collect());
    if common.is_some_and(|types| types.is_empty()) {
        return true;
    }
    for values in all.iter().filter_map(|part| listed(part, "enum")) {
        let refused = |value: &Value| seeds.iter().any(|seed| refuses(root, seed, value));
        if values.iter().all(refused) {
            return true;
        }
    }
    let needed = all.iter().filter_map(|part| listed(part, "required"));
    let mut objects = all.iter().filter_map(|part| types(part));
    if objects.any(|types| types == ["object"]) {
        for name in needed.flatten() {
            let properties = all
                .iter()
                .filter_map(|part| part.get("properties")?.get(name.as_str()?));
            let properties: Vec<&Value> = properties.collect();
            if !properties.is_empty() && contradicts(root, &properties, depth + 1) {
                return true;
            }
        }
    }
    all.iter().any(|part| {
        ["anyOf", "oneOf"].into_iter().any(|key| {
            let list = part.get(key).and_then(Value::as_array);
            list.is_some_and(|list| {
                list.iter().all(|item| {
                    let with: Vec<&Value> = seeds.iter().copied().chain([item]).collect();
                    contradicts(root, &with, depth + 1)
                })
            })
        })
    })
}
