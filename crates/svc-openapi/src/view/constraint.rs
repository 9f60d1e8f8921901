//! Merged limits on values.

use svc_data::{Node, Number};

use super::{Constraint, flat_schema::Part};
use crate::weight::weight;

/// Keywords whose largest value applies.
const LOWER_BOUNDS: [&str; 5] = [
    "minimum",
    "exclusiveMinimum",
    "minLength",
    "minItems",
    "minProperties",
];
/// Keywords whose smallest value applies.
const UPPER_BOUNDS: [&str; 5] = [
    "maximum",
    "exclusiveMaximum",
    "maxLength",
    "maxItems",
    "maxProperties",
];

/// The limits that apply if all parts apply.
pub(super) fn merge(parts: &[Part<'_>]) -> Vec<Constraint> {
    let mut constraints = Vec::new();
    for (low, high) in LOWER_BOUNDS.into_iter().zip(UPPER_BOUNDS) {
        for (keyword, use_max) in [(low, true), (high, false)] {
            if let Some(number) = bound(parts, keyword, use_max) {
                constraints.push(Constraint {
                    keyword,
                    value: number.to_string(),
                });
            }
        }
    }
    if let Some(multiple) = parts
        .iter()
        .filter_map(|part| number(part, "multipleOf"))
        .reduce(common)
    {
        constraints.push(Constraint {
            keyword: "multipleOf",
            value: multiple.to_string(),
        });
    }
    let unique = parts
        .iter()
        .any(|part| part.get("uniqueItems").and_then(Node::as_bool) == Some(true));
    if unique {
        constraints.push(Constraint {
            keyword: "uniqueItems",
            value: "true".to_owned(),
        });
    }
    for pattern in parts
        .iter()
        .filter_map(|part| part.get("pattern")?.as_str())
        .take(4)
    {
        if pattern.len() <= 2_000 && !constraints.iter().any(|known| known.value == pattern) {
            constraints.push(Constraint {
                keyword: "pattern",
                value: pattern.to_owned(),
            });
        }
    }
    constraints
}

/// Keywords that are shown as they are written.
const RULES: [&str; 12] = [
    "not",
    "contains",
    "minContains",
    "maxContains",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "if",
    "then",
    "else",
    "contentEncoding",
    "contentMediaType",
];
/// Maximum size of such a keyword in bytes.
const MAX_RULE_BYTES: usize = 600;

/// The other rules of all parts, by keyword.
pub(super) fn rules(parts: &[Part<'_>]) -> Vec<Constraint> {
    let mut constraints: Vec<Constraint> = Vec::new();
    for keyword in RULES {
        for node in parts.iter().filter_map(|part| part.get(keyword)).take(4) {
            if weight(node, MAX_RULE_BYTES).is_none() {
                continue;
            }
            let value = match node.as_str() {
                Some(text) => text.to_owned(),
                None => node.to_json().to_string(),
            };
            let rule = Constraint { keyword, value };
            if !constraints.contains(&rule) {
                constraints.push(rule);
            }
        }
    }
    constraints
}

fn number(part: &Part<'_>, keyword: &str) -> Option<Number> {
    part.get(keyword)?.as_number()
}

fn bound(parts: &[Part<'_>], keyword: &str, use_max: bool) -> Option<Number> {
    let values = parts.iter().filter_map(|part| {
        let strict = |key: &str| part.get(key).and_then(Node::as_bool) == Some(true);
        // A boolean `exclusiveMinimum` (3.0) turns `minimum` into an exclusive one.
        match keyword {
            "minimum" if strict("exclusiveMinimum") => None,
            "maximum" if strict("exclusiveMaximum") => None,
            "exclusiveMinimum" if strict(keyword) => number(part, "minimum"),
            "exclusiveMaximum" if strict(keyword) => number(part, "maximum"),
            _ => number(part, keyword),
        }
    });
    values.reduce(|a, b| {
        if (a.as_f64() >= b.as_f64()) == use_max {
            a
        } else {
            b
        }
    })
}

/// The least common multiple.
fn common(a: Number, b: Number) -> Number {
    let (Number::Int(x), Number::Int(y)) = (a, b) else {
        return if a.as_f64() >= b.as_f64() { a } else { b };
    };
    let (mut high, mut low) = (x.unsigned_abs(), y.unsigned_abs());
    while low != 0 {
        (high, low) = (low, high % low);
    }
    let divisor = i64::try_from(high).unwrap_or(1).max(1);
    (x / divisor).checked_mul(y).map_or(a, Number::Int)
}
