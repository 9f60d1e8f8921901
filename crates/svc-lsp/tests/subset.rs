//! Comparison of messages with patterns.

use serde_json::Value;

/// Whether a value has everything that a pattern has. Arrays have the same length, unless the pattern
/// is an object with `$contains`, `$lacks` or `$count`; `$text` is a part of a string.
pub(crate) fn matches(pattern: &Value, actual: &Value) -> bool {
    let Some(members) = pattern.as_object() else {
        return match (pattern, actual) {
            (Value::Array(patterns), Value::Array(items)) => {
                patterns.len() == items.len()
                    && patterns
                        .iter()
                        .zip(items)
                        .all(|(one, item)| matches(one, item))
            }
            _ => pattern == actual,
        };
    };
    let items = || actual.as_array().map_or(&[][..], Vec::as_slice);
    let has = |pattern: &Value| items().iter().any(|item| matches(pattern, item));
    members.iter().all(|(key, expected)| match key.as_str() {
        "$contains" => expected.as_array().unwrap().iter().all(has),
        "$lacks" => actual.is_array() && !expected.as_array().unwrap().iter().any(has),
        "$count" => items().len() as u64 == expected.as_u64().unwrap(),
        "$text" => actual
            .as_str()
            .is_some_and(|text| text.contains(expected.as_str().unwrap())),
        key => actual
            .get(key)
            .is_some_and(|value| matches(expected, value)),
    })
}

#[test]
fn patterns_match_parts() {
    use serde_json::json;
    let actual = json!({ "a": [1, { "b": "text" }], "c": null });
    for pattern in [
        json!({}),
        json!({ "a": [1, { "b": { "$text": "ex" } }] }),
        json!({ "a": { "$contains": [{ "b": "text" }], "$lacks": [2], "$count": 2 } }),
        json!({ "c": null }),
    ] {
        assert!(matches(&pattern, &actual), "{pattern}");
    }
    for pattern in [
        json!({ "a": [1] }),
        json!({ "d": null }),
        json!({ "a": { "$contains": [3] } }),
        json!({ "a": { "$lacks": [1] } }),
    ] {
        assert!(!matches(&pattern, &actual), "{pattern}");
    }
}
