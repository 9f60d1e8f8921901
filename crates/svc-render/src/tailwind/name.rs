//! Parser of class names: `dark:hover:-mt-[3px]!`.

use std::fmt::Write as _;

/// A parsed class name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClassName<'n> {
    /// Variants before the utility.
    pub(super) variants: Vec<&'n str>,
    /// The utility without minus and `!`.
    pub(super) base: &'n str,
    /// Whether the utility begins with a minus.
    pub(super) negative: bool,
    /// Whether the name begins or ends with `!`.
    pub(super) important: bool,
}

/// Parses a name; `None` if it cannot be a utility.
pub(super) fn parse(name: &str) -> Option<ClassName<'_>> {
    let mut variants = Vec::new();
    let mut depth = 0_usize;
    let mut from = 0;
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth = depth.checked_sub(1)?,
            b':' if depth == 0 => {
                variants.push(name.get(from..at)?);
                from = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 || variants.len() > 6 {
        return None;
    }
    let mut base = name.get(from..)?;
    let bare = base.strip_prefix('!').or_else(|| base.strip_suffix('!'));
    let important = bare.is_some();
    base = bare.unwrap_or(base);
    let positive = base.strip_prefix('-');
    let negative = positive.is_some();
    base = positive.unwrap_or(base);
    (!base.is_empty()).then_some(ClassName {
        variants,
        base,
        negative,
        important,
    })
}

/// Escapes the name as a CSS identifier.
pub(super) fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 8);
    for (at, letter) in name.chars().enumerate() {
        match letter {
            '0'..='9' if at == 0 => {
                // Formatting to a `String` cannot fail.
                let _ = write!(out, "\\3{letter} ");
            }
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => out.push(letter),
            letter if !letter.is_ascii() => out.push(letter),
            letter => {
                out.push('\\');
                out.push(letter);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_variants_a_sign_and_an_important_mark() {
        let name = parse("dark:[&>a:hover]:-mt-[3px]!").expect("it is well formed");
        assert_eq!(name.variants, ["dark", "[&>a:hover]"]);
        assert_eq!(name.base, "mt-[3px]");
        assert!(name.negative && name.important);
        assert_eq!(parse("a]"), None);
        assert_eq!(parse("md:"), None);
    }

    #[test]
    fn identifiers_are_escaped() {
        assert_eq!(escaped("2xl:w-1/2"), "\\32 xl\\:w-1\\/2");
        assert_eq!(escaped("a{}"), "a\\{\\}");
    }
}
