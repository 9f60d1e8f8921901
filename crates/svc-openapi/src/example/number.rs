//! Numbers within limits.

use serde_json::Value as Json;
use svc_data::{Node, Number};

use super::check::number_fits;
use super::shape::Shape;

/// A number between two limits, next to a single limit, or else 123, and whether it satisfies all
/// limits. `nth` selects different values.
pub(super) fn value(shape: &Shape<'_>, integer: bool, nth: usize) -> (Json, bool) {
    let either = |plain, strict, use_max: bool| {
        let bounds = [shape.bound(plain, use_max), shape.bound(strict, use_max)];
        let bounds = bounds.into_iter().flatten();
        bounds.reduce(|a, b| if use_max { a.max(b) } else { a.min(b) })
    };
    let low = either("minimum", "exclusiveMinimum", true);
    let high = either("maximum", "exclusiveMaximum", false);
    let multiple = shape.bound("multipleOf", true).filter(|of| *of > 0.0);
    let usual = match (low, high) {
        (Some(low), Some(high)) => low / 2.0 + high / 2.0,
        (Some(low), None) => low + 1.0,
        (None, Some(high)) if high <= 123.0 => high - 1.0,
        _ => 123.0,
    };
    #[expect(clippy::cast_precision_loss, reason = "few values are asked for")]
    let nth = nth as f64;
    let whole = |value: f64| if integer { value.floor() } else { value };
    let rounded = |value: f64| match multiple {
        Some(of) if whole(value) % of != 0.0 => {
            [whole((value / of).floor() * of), (value / of).ceil() * of]
        }
        _ => [whole(value), whole(value + 1.0)],
    };
    let step = multiple.unwrap_or(1.0);
    let narrow = low.zip(high).map(|(low, high)| (high - low) / 16.0);
    let starts = [
        Some(usual),
        low,
        high,
        low.map(|low| low + step),
        high.map(|high| high - step),
        low.zip(narrow).map(|(low, narrow)| low + narrow),
        Some(0.0),
    ];
    let fits = |value: f64| shape.parts.iter().all(|part| satisfies(part.node, value));
    let steps = starts.into_iter().flatten().flat_map(|start| {
        let by = |step: f64| rounded(nth.mul_add(step, start));
        let small = narrow.filter(|narrow| !integer && *narrow < step);
        [by(step), by(-step), by(small.unwrap_or(step))]
            .into_iter()
            .flatten()
    });
    let fitting = steps.clone().find(|value| fits(*value));
    let sound = fitting.is_some();
    (json(fitting.unwrap_or(usual)), sound)
}

fn satisfies(schema: &Node, value: f64) -> bool {
    let Some(schema) = schema.as_object() else {
        return true;
    };
    let mut limits = schema
        .iter()
        .filter(|(_, limit)| limit.as_number().map(Number::as_f64).is_some());
    limits.all(|(key, limit)| number_fits(schema, key, limit, value))
}

fn json(value: f64) -> Json {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be whole and small"
    )]
    if value.fract() == 0.0 && value.abs() < 9.0e15 {
        Json::from(value as i64)
    } else {
        serde_json::Number::from_f64(value).map_or_else(|| 123.into(), Json::Number)
    }
}
