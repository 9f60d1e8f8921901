//! Shortens examples that are too long for the side column.

use serde_json::Value;

/// Maximum number of lines of a text.
const MAX_TEXT_LINES: usize = 400;
/// Maximum size of a text in bytes.
const MAX_TEXT_BYTES: usize = 16_000;

/// The first lines of a text, within the limits.
pub(super) fn first_lines(text: &str) -> &str {
    let end = text.match_indices('\n').nth(MAX_TEXT_LINES - 1);
    let end = end.map_or(text.len(), |(at, _)| at).min(MAX_TEXT_BYTES);
    text.get(..text.floor_char_boundary(end)).unwrap_or("")
}

/// Shortens a value to at most `max` bytes and keeps its structure: removes deep levels first,
/// then the last entries.
pub(super) fn shorten(value: &mut Value, max: usize) {
    for depth in [6, 4, 3, 2, 1] {
        if size(value) <= max {
            return;
        }
        prune(value, depth);
    }
    cut(value, max);
}

/// Removes the last entries until about `max` bytes are left.
pub(super) fn cut(value: &mut Value, max: usize) {
    let mut left = max;
    first(value, &mut left);
}

/// Approximate size of a value as text in bytes.
fn size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 6,
        Value::Number(_) => 10,
        Value::String(text) => text.len() + 4,
        Value::Array(items) => items.iter().map(size).sum::<usize>() + 4,
        Value::Object(members) => {
            let members = members.iter();
            members
                .map(|(name, value)| name.len() + 6 + size(value))
                .sum::<usize>()
                + 4
        }
    }
}

/// Removes objects and arrays below `depth` levels, and all array items except the first.
fn prune(value: &mut Value, depth: usize) {
    match value {
        Value::Array(items) => {
            items.truncate(1);
            if depth == 0 {
                items.retain(|item| !item.is_array() && !item.is_object());
            }
            for item in items {
                prune(item, depth.saturating_sub(1));
            }
        }
        Value::Object(members) => {
            if depth == 0 {
                members.retain(|_, value| !value.is_array() && !value.is_object());
            }
            for value in members.values_mut() {
                prune(value, depth.saturating_sub(1));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Retains the first entries within the budget `left`.
fn first(value: &mut Value, left: &mut usize) {
    match value {
        Value::String(text) => {
            text.truncate(text.floor_char_boundary(*left));
            *left = left.saturating_sub(text.len());
        }
        Value::Array(items) => items.retain_mut(|item| {
            let fits = *left > 0;
            first(item, left);
            fits
        }),
        Value::Object(members) => members.retain(|name, value| {
            let fits = *left > name.len();
            *left = left.saturating_sub(name.len() + 6);
            first(value, left);
            fits
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => *left = left.saturating_sub(8),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_within_the_limit_are_unchanged() {
        let value = json!({"a": [{"b": {"c": {"d": 1}}}, 2]});
        let mut short = value.clone();
        shorten(&mut short, 1_000);
        assert_eq!(short, value);
        assert_eq!(first_lines("a\nb\n"), "a\nb\n");
    }

    #[test]
    fn deep_levels_and_last_entries_are_removed() {
        let mut value = json!({"a": {"b": {"c": "x".repeat(900)}}, "d": ["y", "z"], "e": {"f": 1}});
        shorten(&mut value, 100);
        assert_eq!(value, json!({"a": {}, "d": ["y"], "e": {"f": 1}}));
        let mut many: Value = (0..500)
            .map(|n| (format!("key{n}"), json!("v".repeat(50))))
            .collect();
        shorten(&mut many, 1_000);
        assert!(size(&many) <= 1_100, "{}", size(&many));
        assert!(many.get("key0").is_some() && many.get("key499").is_none());
        let mut text = json!("é".repeat(1_000));
        shorten(&mut text, 99);
        assert_eq!(text, json!("é".repeat(49)));
    }

    #[test]
    fn long_texts_are_truncated() {
        assert_eq!(
            first_lines(&"a\n".repeat(1_000)).lines().count(),
            MAX_TEXT_LINES
        );
        assert!(first_lines(&"é".repeat(20_000)).len() <= MAX_TEXT_BYTES);
    }
}
