//! Normalization of text before comparison. The search script of static sites applies the same
//! rules, so each of them must be expressible there.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Converts text to Normalization Form KC.
pub(crate) fn compose(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    // Only a character and those that may combine with it can change, and ASCII is much faster.
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(other) = rest.find(|c: char| !c.is_ascii()) {
        let start = other.saturating_sub(1);
        let len = rest[other..].find(|c: char| c.is_ascii());
        let end = len.map_or(rest.len(), |len| other + len);
        out.push_str(&rest[..start]);
        out.extend(rest[start..end].nfkc());
        rest = &rest[end..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Appends the folded form of composed text: lowercase, without diacritics of Latin and Greek
/// letters.
pub(crate) fn fold_into(out: &mut String, text: &str) {
    if text.is_ascii() {
        let start = out.len();
        out.push_str(text);
        out[start..].make_ascii_lowercase();
        return;
    }
    let lower = text.to_lowercase();
    let mut has_base = false;
    let stripped = lower.nfd().filter(move |&c| {
        let is_mark = ('\u{300}'..='\u{36f}').contains(&c);
        if !is_mark {
            has_base = c.is_ascii_lowercase() || ('α'..='ω').contains(&c);
        }
        !(is_mark && has_base)
    });
    for c in stripped.nfc() {
        match c {
            'ß' => out.push_str("ss"),
            'ς' => out.push('σ'),
            c => out.push(c),
        }
    }
}

/// Returns true for letters of scripts that are written without spaces between words, and of
/// Korean, whose words carry particles. They are indexed as pairs of letters.
pub(crate) const fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0xe00..=0xeff | 0x1000..=0x109f | 0x1100..=0x11ff | 0x1780..=0x17ff | 0x3005..=0x3007
        | 0x3040..=0x30ff | 0x3130..=0x318f | 0x31f0..=0x31ff | 0x3400..=0x9fff | 0xa960..=0xa97f
        | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

/// Returns true for characters of words.
pub(crate) fn is_token_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c) || is_unspaced(c) && c != '\u{30fb}'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    use super::compose;

    proptest! {
        #[test]
        fn composed_text_is_the_normalization_form_kc(text in "[a-cA é\u{301}\u{327}\u{a0}…ﬁ가가½]{0,20}") {
            prop_assert_eq!(&*compose(&text), text.nfkc().collect::<String>());
        }
    }
}
