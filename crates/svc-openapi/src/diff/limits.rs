//! Limits on values: which of two schemas is narrower.

use svc_data::Node;

use super::flat_schema::FlatSchema;

/// A changed limit.
pub(super) struct LimitChange {
    /// Keyword of the limit.
    pub(super) key: &'static str,
    /// Whether fewer values are allowed than before; None if it is undecidable.
    pub(super) less: Option<bool>,
    /// The change as a predicate: `has the limit …`.
    pub(super) message: String,
}

/// The largest or smallest value, and whether it is inclusive.
type Bound = (f64, bool);

/// Keywords of lower and upper bounds, each with its exclusive variant.
const LIMITS: [(&str, &str, bool); 8] = [
    ("minimum", "exclusiveMinimum", true),
    ("maximum", "exclusiveMaximum", false),
    ("minLength", "", true),
    ("maxLength", "", false),
    ("minItems", "", true),
    ("maxItems", "", false),
    ("minProperties", "", true),
    ("maxProperties", "", false),
];

/// Pairs of formats of which the first is narrower than the second.
const WIDER: [(&str, &str); 5] = [
    ("int32", "int64"),
    ("float", "double"),
    ("uri", "uri-reference"),
    ("email", "idn-email"),
    ("hostname", "idn-hostname"),
];

/// All changed limits.
pub(super) fn compare(old: &FlatSchema<'_>, new: &FlatSchema<'_>) -> Vec<LimitChange> {
    let mut moved = Vec::new();
    for (key, exclusive, lower) in LIMITS {
        let (before, after) = (
            bound(old, key, exclusive, lower),
            bound(new, key, exclusive, lower),
        );
        if before == after {
            continue;
        }
        let less = match (before, after) {
            (None, _) => true,
            (_, None) => false,
            (Some(before), Some(after)) => tighter(before, after, lower),
        };
        let message = match (before, after) {
            (Some(before), Some(after)) => {
                format!(
                    "has `{key}` {} instead of {}",
                    describe(after),
                    describe(before)
                )
            }
            (None, Some(after)) => format!("has the new limit `{key}` {}", describe(after)),
            _ => format!("no longer has the limit `{key}`"),
        };
        moved.push(LimitChange {
            key,
            less: Some(less),
            message,
        });
    }
    let multiple =
        |flat: &FlatSchema<'_>| flat.all("multipleOf").filter_map(number).reduce(f64::max);
    let less = match (multiple(old), multiple(new)) {
        (before, after) if before == after => None,
        (None, _) => Some(Some(true)),
        (_, None) => Some(Some(false)),
        (Some(before), Some(after)) if divides(before, after) => Some(Some(true)),
        (Some(before), Some(after)) if divides(after, before) => Some(Some(false)),
        _ => Some(None),
    };
    if let Some(less) = less {
        moved.push(changed("multipleOf", less, old, new));
    }
    let unique = |flat: &FlatSchema<'_>| {
        flat.all("uniqueItems")
            .any(|node| node.as_bool() == Some(true))
    };
    if unique(old) != unique(new) {
        moved.push(changed("uniqueItems", Some(unique(new)), old, new));
    }
    for key in ["pattern", "format"] {
        let text = |flat: &FlatSchema<'_>| flat.last(key).and_then(Node::as_str).map(str::to_owned);
        let less = match (text(old), text(new)) {
            (before, after) if before == after => continue,
            (None, _) => Some(true),
            (_, None) => Some(false),
            (Some(before), Some(after)) => {
                let is = |(a, b): &(&str, &str), x: &str, y: &str| *a == x && *b == y;
                let wider = WIDER.iter().any(|pair| is(pair, &before, &after));
                let tighter = WIDER.iter().any(|pair| is(pair, &after, &before));
                (key == "format" && (wider || tighter)).then_some(tighter)
            }
        };
        moved.push(changed(key, less, old, new));
    }
    moved
}

fn changed(
    key: &'static str,
    less: Option<bool>,
    old: &FlatSchema<'_>,
    new: &FlatSchema<'_>,
) -> LimitChange {
    let text = |flat: &FlatSchema<'_>| {
        flat.last(key)
            .and_then(Node::to_text)
            .filter(|text| text.len() < 200)
    };
    let message = match (text(old), text(new)) {
        (Some(before), Some(after)) => format!("has `{key}` `{after}` instead of `{before}`"),
        (None, Some(after)) => format!("has the new limit `{key}` `{after}`"),
        _ => format!("no longer has the same `{key}`"),
    };
    LimitChange { key, less, message }
}

/// The tightest bound of all parts.
fn bound(flat: &FlatSchema<'_>, key: &str, exclusive: &str, lower: bool) -> Option<Bound> {
    let mut tightest: Option<Bound> = None;
    let mut take = |next: Bound| {
        if tightest.is_none_or(|known| tighter(known, next, lower)) {
            tightest = Some(next);
        }
    };
    for part in &flat.parts {
        let open = part.node.get(exclusive);
        if let Some(value) = part.node.get(key).and_then(number) {
            // Version 3.0: a sibling boolean makes the bound exclusive.
            take((value, open.and_then(Node::as_bool) != Some(true)));
        }
        if let Some(value) = open.and_then(number) {
            take((value, false));
        }
    }
    // Lengths are not negative.
    tightest.filter(|bound| !(lower && exclusive.is_empty() && bound.0 <= 0.0))
}

/// Whether the second bound is tighter than the first.
fn tighter(before: Bound, after: Bound, lower: bool) -> bool {
    if (before.0 - after.0).abs() < f64::EPSILON {
        return before.1 && !after.1;
    }
    (after.0 > before.0) == lower
}

fn number(node: &Node) -> Option<f64> {
    node.as_number().map(svc_data::Number::as_f64)
}

fn divides(small: f64, large: f64) -> bool {
    small > 0.0 && (large / small).fract().abs() < 1e-9
}

fn describe((value, included): Bound) -> String {
    let rest = if included { "" } else { " (not included)" };
    format!("`{value}`{rest}")
}
