//! Number formatting and parsing of JavaScript.

/// Formats a number: shortest digits, with an exponent only for very large and very small numbers.
pub(super) fn to_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        }
        .to_owned();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    let size = number.abs();
    if (1e-6..1e21).contains(&size) {
        return format!("{number}");
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => text,
    }
}

/// `toFixed`: exact, with halves rounded away from zero.
pub(super) fn to_fixed(number: f64, digits: usize) -> String {
    if !number.is_finite() || number.abs() >= 1e21 {
        return to_text(number);
    }
    // No double has more digits, so nothing is rounded here.
    let exact = format!("{:.1080}", number.abs());
    let (integer, part) = exact.split_once('.').unwrap_or((&exact, ""));
    let mut bytes: Vec<u8> = integer.bytes().chain(part.bytes().take(digits)).collect();
    if part
        .as_bytes()
        .get(digits)
        .is_some_and(|digit| *digit >= b'5')
    {
        let mut carry = true;
        for digit in bytes.iter_mut().rev() {
            if !carry {
                break;
            }
            carry = *digit == b'9';
            *digit = if carry { b'0' } else { *digit + 1 };
        }
        if carry {
            bytes.insert(0, b'1');
        }
    }
    if digits > 0 {
        bytes.insert(bytes.len() - digits, b'.');
    }
    let negative = number < 0.0 && bytes.iter().any(|digit| (b'1'..=b'9').contains(digit));
    if negative {
        bytes.insert(0, b'-');
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// `toLocaleString`: groups of three digits, with `min` to `max` fraction digits.
pub(super) fn group_digits(number: f64, min: usize, max: usize) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    let text = if number.abs() >= 1e21 {
        format!("{number:.0}")
    } else {
        to_fixed(number, max)
    };
    let (sign, text) = text
        .strip_prefix('-')
        .map_or(("", text.as_str()), |rest| ("-", rest));
    let (integer, mut part) = text.split_once('.').unwrap_or((text, ""));
    while part.len() > min && part.ends_with('0') {
        part = part.get(..part.len() - 1).unwrap_or("");
    }
    let mut result = sign.to_owned();
    for (index, digit) in integer.chars().enumerate() {
        if index > 0 && (integer.len() - index).is_multiple_of(3) {
            result.push(',');
        }
        result.push(digit);
    }
    if !part.is_empty() {
        result.push('.');
        result.push_str(part);
    }
    result
}

/// Parses a number; `NaN` if the text is not one.
pub(super) fn from_text(text: &str) -> f64 {
    let text = text.trim();
    let radix = |prefix: &[&str], radix| {
        let digits = prefix.iter().find_map(|prefix| text.strip_prefix(prefix))?;
        Some(u64::from_str_radix(digits, radix).map_or(f64::NAN, |value| value as f64))
    };
    match text {
        "" => return 0.0,
        "Infinity" | "+Infinity" => return f64::INFINITY,
        "-Infinity" => return f64::NEG_INFINITY,
        _ => {}
    }
    if let Some(value) = radix(&["0x", "0X"], 16)
        .or_else(|| radix(&["0o", "0O"], 8))
        .or_else(|| radix(&["0b", "0B"], 2))
    {
        return value;
    }
    // Rust's parser also accepts `inf` and `nan`.
    if text
        .chars()
        .any(|c| c.is_alphabetic() && !matches!(c, 'e' | 'E'))
    {
        return f64::NAN;
    }
    text.parse().unwrap_or(f64::NAN)
}

/// `parseFloat`: the longest number at the beginning.
pub(super) fn leading(text: &str) -> f64 {
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix(['+', '-']).or(Some(text))
        && rest.starts_with("Infinity")
    {
        return if text.starts_with('-') {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
    }
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes
            .get(from..)
            .unwrap_or(&[])
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let mut at = usize::from(text.starts_with(['+', '-']));
    at += digits(at);
    if bytes.get(at) == Some(&b'.') {
        at += 1 + digits(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let length = digits(at + 1 + sign);
        if length > 0 {
            at += 1 + sign + length;
        }
    }
    text.get(..at)
        .and_then(|text| text.parse().ok())
        .unwrap_or(f64::NAN)
}

/// `parseInt`.
pub(super) fn leading_integer(text: &str, radix: f64) -> f64 {
    let text = text.trim_start();
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (radix, text) = match (radix.trunc(), hex) {
        (radix, Some(rest)) if radix == 16.0 || radix == 0.0 || radix.is_nan() => (16, rest),
        (radix, _) if radix == 0.0 || radix.is_nan() => (10, text),
        (radix, _) if (2.0..=36.0).contains(&radix) => (radix as u32, text),
        _ => return f64::NAN,
    };
    let mut value = None;
    for digit in text.chars().map_while(|c| c.to_digit(radix)) {
        value = Some(value.unwrap_or(0.0) * f64::from(radix) + f64::from(digit));
    }
    value.map_or(f64::NAN, |value| sign * value)
}

/// `toString(radix)` of the integer part.
pub(super) fn in_radix(number: f64, radix: u32) -> String {
    if radix == 10 || !(2..=36).contains(&radix) || !number.is_finite() || number.abs() >= 1e21 {
        return to_text(number);
    }
    let mut value = number.abs().trunc() as u128;
    let mut digits = Vec::new();
    while value > 0 || digits.is_empty() {
        digits.push(char::from_digit((value % u128::from(radix)) as u32, radix).unwrap_or('0'));
        value /= u128::from(radix);
    }
    if number < 0.0 {
        digits.push('-');
    }
    digits.iter().rev().collect()
}

/// `ToInt32`, for bitwise operators.
pub(super) fn to_i32(number: f64) -> i32 {
    if !number.is_finite() {
        return 0;
    }
    let wrapped = number.trunc().rem_euclid(4_294_967_296.0);
    (wrapped as u32).cast_signed()
}
