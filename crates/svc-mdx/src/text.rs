//! Characters, character references and labels.

use std::cmp::Ordering;

use memchr::memchr2;

use crate::{entities::entity, punctuation::PUNCTUATION, step_counter};

/// Returns true if a JavaScript name can begin with the character.
pub(crate) fn is_name_start(c: char) -> bool {
    c == '$' || c == '_' || c.is_alphabetic()
}

/// Returns true if a JavaScript name can contain the character.
pub(crate) fn is_name_part(c: char) -> bool {
    is_name_start(c) || c.is_numeric() || matches!(c, '\u{200c}' | '\u{200d}') || is_mark(c)
}

/// Returns true for combining marks of the common blocks.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{203f}' | '\u{2040}' | '\u{fe00}'..='\u{fe0f}')
}

/// Returns true for punctuation and symbols. Characters outside of the basic plane count as
/// letters.
pub(crate) fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    let Ok(code) = u16::try_from(u32::from(c)) else {
        return false;
    };
    PUNCTUATION
        .binary_search_by(|(first, last)| match () {
            () if *last < code => Ordering::Less,
            () if *first > code => Ordering::Greater,
            () => Ordering::Equal,
        })
        .is_ok()
}

/// Returns true for white space as defined by `\s` of JavaScript.
pub(crate) fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// Decodes the character reference at the start of `text`, which begins with `&`: returns its
/// length and its characters.
pub(crate) fn reference(text: &str) -> Option<(usize, String)> {
    let bytes = text.as_bytes();
    if bytes.get(1) == Some(&b'#') {
        let hex = matches!(bytes.get(2), Some(b'x' | b'X'));
        let first = if hex { 3 } else { 2 };
        let max_digits = if hex { 6 } else { 7 };
        let digits = bytes
            .get(first..)?
            .iter()
            .take(max_digits + 1)
            .take_while(|b| {
                if hex {
                    b.is_ascii_hexdigit()
                } else {
                    b.is_ascii_digit()
                }
            })
            .count();
        if digits == 0 || digits > max_digits || bytes.get(first + digits) != Some(&b';') {
            return None;
        }
        let number =
            u32::from_str_radix(text.get(first..first + digits)?, if hex { 16 } else { 10 })
                .ok()?;
        return Some((first + digits + 1, numeric(number).to_string()));
    }
    let length = bytes
        .get(1..)?
        .iter()
        .take(32)
        .take_while(|b| b.is_ascii_alphanumeric())
        .count();
    if length == 0 || bytes.get(1 + length) != Some(&b';') {
        return None;
    }
    let name = text.get(1..1 + length)?;
    Some((length + 2, entity(name)?))
}

/// Control characters and invalid code points become the replacement character.
fn numeric(code: u32) -> char {
    let forbidden = code < 9
        || code == 11
        || (14..32).contains(&code)
        || (127..160).contains(&code)
        || (0xfdd0..=0xfdef).contains(&code)
        || code & 0xfffe == 0xfffe;
    if forbidden {
        '\u{fffd}'
    } else {
        char::from_u32(code).unwrap_or('\u{fffd}')
    }
}

/// Decodes the character references of HTML, `&amp;` and `&#38;`. Text that looks like one but is
/// none is unchanged.
///
/// ```
/// assert_eq!(svc_mdx::decode_references("a &amp; b &#8594; &nope;"), "a & b → &nope;");
/// ```
pub fn decode_references(text: &str) -> String {
    decode(text, false)
}

/// Decodes character references, and escapes if `escapes` is true.
pub(crate) fn decode(text: &str, escapes: bool) -> String {
    step_counter::tick(text.len());
    if memchr2(b'&', b'\\', text.as_bytes()).is_none() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr2(b'&', b'\\', rest.as_bytes()) {
        out.push_str(rest.get(..at).unwrap_or(""));
        rest = rest.get(at..).unwrap_or("");
        if rest.starts_with('&') {
            if let Some((length, value)) = reference(rest) {
                out.push_str(&value);
                rest = rest.get(length..).unwrap_or("");
                continue;
            }
        } else if escapes
            && let Some(next) = rest.chars().nth(1)
            && next.is_ascii_punctuation()
        {
            out.push(next);
            rest = rest.get(2..).unwrap_or("");
            continue;
        }
        out.push_str(rest.get(..1).unwrap_or(""));
        rest = rest.get(1..).unwrap_or("");
    }
    out.push_str(rest);
    out
}

/// Normalizes a label for comparison: collapses white space and folds case.
pub(crate) fn label_key(label: &str) -> String {
    step_counter::tick(label.len());
    let mut out = String::with_capacity(label.len());
    for part in label
        .split([' ', '\t', '\n', '\r'])
        .filter(|part| !part.is_empty())
    {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(part);
    }
    out.to_lowercase().to_uppercase()
}

/// Returns the identifier of a label.
pub(crate) fn identifier(label: &str) -> Box<str> {
    label_key(label).to_lowercase().into_boxed_str()
}

/// Returns the length of the line ending at `at`, or 0 if there is none.
pub(crate) fn line_ending(text: &[u8], at: usize) -> usize {
    match (text.get(at), text.get(at + 1)) {
        (Some(b'\r'), Some(b'\n')) => 2,
        (Some(b'\r' | b'\n'), _) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_punctuation_are_sorted() {
        assert!(PUNCTUATION.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn references_and_escapes_are_decoded() {
        assert_eq!(
            decode(r"a&amp;b\*c&#x41;&nope;&amp", true),
            "a&b*cA&nope;&amp"
        );
        assert_eq!(decode(r"\*&copy;", false), r"\*©");
        assert_eq!(reference("&#0;"), Some((4, "\u{fffd}".to_owned())));
    }

    #[test]
    fn labels_are_normalized() {
        assert_eq!(label_key(" a \n b "), "A B");
        assert_eq!(&*identifier("ẞ"), "ss");
    }
}
