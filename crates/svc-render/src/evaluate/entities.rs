//! Character references in JSX text and attribute values.

/// The names that are common in documentation, a subset of the HTML table.
const NAMES: &[(&str, &str)] = &[
    ("amp", "&"),
    ("apos", "'"),
    ("asymp", "≈"),
    ("bull", "•"),
    ("cent", "¢"),
    ("check", "✓"),
    ("copy", "©"),
    ("crarr", "↵"),
    ("darr", "↓"),
    ("deg", "°"),
    ("divide", "÷"),
    ("emsp", "\u{2003}"),
    ("ensp", "\u{2002}"),
    ("equiv", "≡"),
    ("euro", "€"),
    ("ge", "≥"),
    ("gt", ">"),
    ("harr", "↔"),
    ("hellip", "…"),
    ("infin", "∞"),
    ("laquo", "«"),
    ("larr", "←"),
    ("lbrace", "{"),
    ("lbrack", "["),
    ("lcub", "{"),
    ("ldquo", "“"),
    ("le", "≤"),
    ("lsaquo", "‹"),
    ("lsquo", "‘"),
    ("lt", "<"),
    ("mdash", "—"),
    ("micro", "µ"),
    ("middot", "·"),
    ("minus", "−"),
    ("nbsp", "\u{a0}"),
    ("ndash", "–"),
    ("ne", "≠"),
    ("para", "¶"),
    ("plusmn", "±"),
    ("pound", "£"),
    ("quot", "\""),
    ("raquo", "»"),
    ("rarr", "→"),
    ("rbrace", "}"),
    ("rbrack", "]"),
    ("rcub", "}"),
    ("rdquo", "”"),
    ("reg", "®"),
    ("rsaquo", "›"),
    ("rsquo", "’"),
    ("sect", "§"),
    ("shy", "\u{ad}"),
    ("thinsp", "\u{2009}"),
    ("times", "×"),
    ("trade", "™"),
    ("uarr", "↑"),
    ("yen", "¥"),
    ("zwj", "\u{200d}"),
    ("zwnj", "\u{200c}"),
];

/// Maximum length of a reference's name in bytes.
const MAX_NAME_BYTES: usize = 10;

pub(crate) fn resolve_entities(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        result.push_str(rest.get(..at).unwrap_or(""));
        let after = rest.get(at + 1..).unwrap_or("");
        let end = after
            .bytes()
            .take(MAX_NAME_BYTES)
            .position(|byte| byte == b';');
        match end.and_then(|end| Some((end, character(after.get(..end)?)?))) {
            Some((end, found)) => {
                result.push_str(&found);
                rest = after.get(end + 1..).unwrap_or("");
            }
            None => {
                result.push('&');
                rest = after;
            }
        }
    }
    result.push_str(rest);
    result
}

fn character(name: &str) -> Option<String> {
    let code = match name.strip_prefix('#') {
        None => {
            let index = NAMES.binary_search_by(|entry| entry.0.cmp(name)).ok()?;
            return NAMES.get(index).map(|entry| entry.1.to_owned());
        }
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => digits.parse(),
        },
    };
    code.ok().and_then(char::from_u32).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(NAMES.is_sorted_by(|left, right| left.0 < right.0));
    }

    #[test]
    fn unknown_references_are_unchanged() {
        assert_eq!(
            resolve_entities("a &amp; b &#8594; &#x41; &nope; & &amp"),
            "a & b → A &nope; & &amp"
        );
    }
}
