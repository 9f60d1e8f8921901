//! An estimate of the number of tokens of a text.

/// Estimates how many tokens a language model reads a text as, without the vocabulary of any model:
/// one for four ASCII characters, one for each character of scripts without spaces between words
/// and one for two other characters.
///
/// ```
/// assert_eq!(svc_site::estimated_tokens("Install the package."), 5);
/// assert_eq!(svc_site::estimated_tokens("安装"), 2);
/// ```
pub fn estimated_tokens(text: &str) -> usize {
    let quarters: usize = text.chars().map(quarters).sum();
    quarters.div_ceil(4)
}

const fn quarters(c: char) -> usize {
    match c {
        '\0'..='\x7f' => 1,
        // Thai to Myanmar, and everything from kana on.
        '\u{0e00}'..='\u{109f}' | '\u{2e80}'.. => 4,
        _ => 2,
    }
}
