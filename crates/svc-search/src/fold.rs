//! Normalization of text before comparison. The search script of static sites applies the same
//! rules, so each of them must be expressible there.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Converts text to Normalization Form KC.
pub(crate) fn compose(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfkc().collect())
}

/// Appends the folded form of composed text: lowercase, without diacritics of Latin and Greek
/// letters.
pub(crate) fn fold_into(out: &mut String, text: &str) {
    if text.is_ascii() {
        out.extend(text.chars().map(|c| c.to_ascii_lowercase()));
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
    c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c) || is_unspaced(c) && c != '\u{30fb}'
}
