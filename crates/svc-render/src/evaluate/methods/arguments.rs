//! Conversion of arguments.

use super::super::Value;

/// An integer argument, or `other` if it is missing.
pub(super) fn to_integer(value: Option<&Value>, other: f64) -> f64 {
    match value {
        None | Some(Value::Undefined) => other,
        Some(Value::Array(_) | Value::Object(_)) => 0.0,
        Some(value) => {
            let number = value.to_number();
            if number.is_nan() { 0.0 } else { number.trunc() }
        }
    }
}

/// A position within `length`; negative ones count from the end.
pub(super) fn position(value: Option<&Value>, other: usize, length: usize) -> usize {
    let number = to_integer(value, other as f64);
    let number = if number < 0.0 {
        number + length as f64
    } else {
        number
    };
    number.clamp(0.0, length as f64) as usize
}
