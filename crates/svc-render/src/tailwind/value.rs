//! Values of utilities: the spacing scale, and arbitrary values in brackets.

/// Functions that are allowed in a value. None of them loads resources.
const FUNCTIONS: &[&str] = &[
    "calc",
    "min",
    "max",
    "clamp",
    "var",
    "env",
    "rgb",
    "rgba",
    "hsl",
    "hsla",
    "hwb",
    "lab",
    "lch",
    "oklab",
    "oklch",
    "color-mix",
    "linear-gradient",
    "radial-gradient",
    "conic-gradient",
    "repeating-linear-gradient",
    "repeat",
    "minmax",
    "fit-content",
    "cubic-bezier",
    "steps",
    "blur",
    "brightness",
    "drop-shadow",
    "rotate",
    "scale",
    "translate",
    "",
];

/// Converts an arbitrary value to CSS: `_` is a space. `None` if it could end the declaration or
/// load resources.
pub(super) fn bracket(text: &str) -> Option<String> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    // A type hint before the value is dropped; it is only needed for ambiguous values.
    let inner = [
        "length:",
        "color:",
        "percentage:",
        "number:",
        "image:",
        "position:",
    ]
    .iter()
    .find_map(|hint| inner.strip_prefix(hint))
    .unwrap_or(inner);
    let inner = if inner.starts_with("--") {
        format!("var({inner})")
    } else {
        inner.replace('_', " ")
    };
    let value = spaced(&inner);
    harmless(&value).then_some(value)
}

/// A length without functions, for conditions.
pub(super) fn length(text: &str) -> Option<String> {
    let plain = text
        .bytes()
        .all(|b| b.is_ascii_digit() || b.is_ascii_lowercase() || b == b'.');
    (plain && text.starts_with(|c: char| c.is_ascii_digit())).then(|| text.to_owned())
}

fn harmless(text: &str) -> bool {
    if text.trim().is_empty() || text.contains("/*") {
        return false;
    }
    let mut depth = 0_i32;
    let mut quotes = 0_u32;
    let mut name = String::new();
    for letter in text.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' => {
                name.push(letter.to_ascii_lowercase());
                continue;
            }
            '(' if FUNCTIONS.contains(&name.as_str()) => depth += 1,
            ')' if depth > 0 => depth -= 1,
            '\'' => quotes += 1,
            ' ' | '#' | '%' | '.' | ',' | '+' | '*' | '/' => {}
            letter if !letter.is_ascii() && !letter.is_control() => {}
            _ => return false,
        }
        name.clear();
    }
    depth == 0 && quotes.is_multiple_of(2)
}

/// Adds spaces around plus and minus between the terms of a sum.
fn spaced(text: &str) -> String {
    if !["calc(", "min(", "max(", "clamp("]
        .iter()
        .any(|name| text.contains(name))
    {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut last = ' ';
    // In an identifier, a minus is part of the name.
    let mut in_name = false;
    let mut in_term = false;
    for (at, letter) in text.char_indices() {
        let after = text.get(at + 1..).unwrap_or("");
        let term = after.starts_with(|c: char| c.is_ascii_digit() || c == '(' || c == '.')
            || ["var(", "env(", "calc(", "min(", "max("]
                .iter()
                .any(|name| after.starts_with(name));
        let ends = last.is_ascii_alphanumeric() || matches!(last, '%' | ')');
        if matches!(letter, '+' | '-') && ends && term && !in_name {
            out.push(' ');
            out.push(letter);
            out.push(' ');
            last = ' ';
            in_term = false;
            continue;
        }
        let part = letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.');
        if !part || !in_term {
            in_name = part && !letter.is_ascii_digit() && letter != '.';
        }
        in_term = part;
        out.push(letter);
        last = letter;
    }
    out
}

/// A step of the spacing scale: `4` is `1rem`.
pub(super) fn step(text: &str) -> Option<String> {
    if text == "px" {
        return Some("1px".to_owned());
    }
    let quarters = hundredths(text)?;
    // A step is a quarter of a rem.
    Some(format!("{}rem", decimal(quarters, 400)))
}

/// Parses a number with at most two fraction digits, in hundredths.
pub(super) fn hundredths(text: &str) -> Option<u32> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || whole.len() > 5 || part.len() > 2 || !digits(whole) || !digits(part) {
        return None;
    }
    if text.ends_with('.') {
        return None;
    }
    let whole: u32 = whole.parse().ok()?;
    let part: u32 = match part.len() {
        0 => 0,
        1 => part.parse::<u32>().ok()? * 10,
        _ => part.parse().ok()?,
    };
    Some(whole * 100 + part)
}

/// Parses an integer of at most five digits.
pub(super) fn integer(text: &str) -> Option<u32> {
    let plain = !text.is_empty() && text.len() <= 5 && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// Formats `number / divisor` for CSS.
pub(super) fn decimal(number: u32, divisor: u32) -> String {
    let text = format!("{:.4}", f64::from(number) / f64::from(divisor.max(1)));
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Converts `1/2` to a percentage.
pub(super) fn fraction(text: &str) -> Option<String> {
    let (above, below) = text.split_once('/')?;
    let (above, below) = (integer(above)?, integer(below)?);
    (below > 0).then(|| {
        let text = format!("{:.6}", f64::from(above) * 100.0 / f64::from(below));
        format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_fractions_are_parsed() {
        assert_eq!(step("4").as_deref(), Some("1rem"));
        assert_eq!(step("3.5").as_deref(), Some("0.875rem"));
        assert_eq!(step("px").as_deref(), Some("1px"));
        assert_eq!(step("4a"), None);
        assert_eq!(fraction("1/3").as_deref(), Some("33.333333%"));
        assert_eq!(fraction("1/0"), None);
    }

    #[test]
    fn arbitrary_values_cannot_break_out_or_load_resources() {
        for (text, want) in [
            ("[37px]", "37px"),
            ("[1fr_2fr]", "1fr 2fr"),
            ("[--gap]", "var(--gap)"),
            ("[calc(100%-2rem)]", "calc(100% - 2rem)"),
            ("[calc(100vh-var(--a-b))]", "calc(100vh - var(--a-b))"),
            ("['→']", "'→'"),
            ("['a']", "'a'"),
            ("[url(https://a.b)]", ""),
            ("[image-set('a')]", ""),
            ("[red;color:blue]", ""),
            ("[red}body{]", ""),
            ("[a/*b]", ""),
            ("[a\\b]", ""),
            ("[')]", ""),
            ("[]", ""),
        ] {
            assert_eq!(bracket(text).unwrap_or_default(), want, "{text}");
        }
    }
}
