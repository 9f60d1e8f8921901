//! Sanitizes `style` attributes.

/// Retains declarations that only change the appearance of the element. Removed is everything that
/// loads resources or could leave the attribute: `url()`, `expression()`, escapes, at-rules,
/// comments.
pub(crate) fn sanitize(text: &str) -> String {
    let mut out = String::new();
    for declaration in text.split(';') {
        let Some((name, value)) = declaration.split_once(':') else {
            continue;
        };
        push(name.trim(), value.trim(), &mut out);
    }
    out
}

/// Appends a declaration if it is harmless. Names in camel case are converted to kebab case.
pub(crate) fn push(name: &str, value: &str, out: &mut String) {
    let name = hyphenated(name);
    let plain = !name.is_empty()
        && name.len() <= 60
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if !plain || value.is_empty() || value.len() > 500 || !is_harmless(value) {
        return;
    }
    if matches!(name.as_str(), "behavior" | "-moz-binding") {
        return;
    }
    // `fixed` would cover the whole page.
    let fixed = name == "position" && value.to_ascii_lowercase().contains("fixed");
    let value = if fixed { "absolute" } else { value };
    if !out.is_empty() {
        out.push(';');
    }
    out.push_str(&name);
    out.push(':');
    out.push_str(value);
}

fn is_harmless(value: &str) -> bool {
    let lower: String = value
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>()
        .to_ascii_lowercase();
    let bad = [
        "url(",
        "expression(",
        "image(",
        "image-set(",
        "src(",
        "javascript:",
        "/*",
        "\\",
        "@",
        "<",
        ">",
    ];
    !bad.iter().any(|bad| lower.contains(bad))
        && !value
            .chars()
            .any(|c| c.is_control() || matches!(c, '{' | '}'))
}

pub(super) fn hyphenated(name: &str) -> String {
    if name.starts_with("--") {
        return name.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            out.push('-');
            out.push(letter.to_ascii_lowercase());
        } else {
            out.push(letter);
        }
    }
    out
}

/// Whether numbers of this property are unitless and not pixels.
pub(crate) fn is_unitless(name: &str) -> bool {
    matches!(
        name,
        "opacity"
            | "zIndex"
            | "fontWeight"
            | "lineHeight"
            | "flex"
            | "flexGrow"
            | "flexShrink"
            | "order"
            | "zoom"
            | "scale"
            | "columnCount"
            | "columns"
            | "fillOpacity"
            | "strokeOpacity"
            | "gridRow"
            | "gridColumn"
            | "aspectRatio"
            | "animationIterationCount"
    ) || name.starts_with("--")
}

/// A color that is safe in a declaration; `None` if it is not a color.
pub(crate) fn safe_color(text: &str) -> Option<&str> {
    let text = text.trim();
    let is_value = text.len() <= 80
        && !text.is_empty()
        && text.chars().all(|c| {
            c.is_ascii_alphanumeric()
                || matches!(c, '#' | '(' | ')' | ',' | '.' | '%' | ' ' | '/' | '-')
        });
    (is_value && is_harmless(text)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_declarations_are_retained_and_others_removed() {
        for (from, to) in [
            ("color: red; width: 50%", "color:red;width:50%"),
            ("maxWidth: 20px", "max-width:20px"),
            ("background: url(javascript:alert(1))", ""),
            ("width: exp\\72 ession(1)", ""),
            ("width: e xpression(alert(1)); top: 0", "top:0"),
            ("--a: 1", "--a:1"),
            ("color: red} body {", ""),
            ("nonsense", ""),
            (
                "position: Fixed !important; inset: 0",
                "position:absolute;inset:0",
            ),
        ] {
            assert_eq!(sanitize(from), to, "{from}");
        }
    }

    #[test]
    fn a_color_is_a_keyword_or_a_function() {
        assert_eq!(safe_color("#fff"), Some("#fff"));
        assert_eq!(safe_color("rgb(1, 2, 3)"), Some("rgb(1, 2, 3)"));
        assert_eq!(safe_color("red; x: y"), None);
    }
}
