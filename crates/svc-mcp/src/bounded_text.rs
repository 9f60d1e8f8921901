//! Texts for language models that stay within a number of tokens.

use svc_site::estimated_tokens;

/// Tokens that are reserved for the last line, which says what was left out.
const FOOTER_TOKENS: usize = 80;

/// A text that grows within a number of tokens.
#[derive(Debug)]
pub(crate) struct BoundedText {
    text: String,
    left: usize,
    max_tokens: usize,
}

impl BoundedText {
    /// An empty text for at most `max_tokens` with its footer.
    pub(crate) fn new(max_tokens: usize) -> Self {
        Self {
            text: String::new(),
            left: max_tokens.saturating_sub(FOOTER_TOKENS),
            max_tokens,
        }
    }

    /// Tokens that can be added.
    pub(crate) const fn left(&self) -> usize {
        self.left
    }

    /// Adds a text if it fits.
    pub(crate) fn push(&mut self, text: &str) -> bool {
        let tokens = estimated_tokens(text);
        if tokens > self.left {
            return false;
        }
        self.left -= tokens;
        self.text.push_str(text);
        true
    }

    /// Adds the beginning of a text that fits into `max_tokens` and what is left. Returns its
    /// length in bytes.
    pub(crate) fn push_start(&mut self, text: &str, max_tokens: usize) -> usize {
        let start = fit_lines(text, max_tokens.min(self.left));
        self.push(start);
        start.len()
    }

    /// The text with its footer, cut if that is too long.
    pub(crate) fn finish(self, footer: &str) -> String {
        let mut text = self.text;
        text.truncate(text.trim_end().len());
        if !footer.is_empty() {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str(fit(footer, FOOTER_TOKENS - 2));
        }
        fit(&text, self.max_tokens).to_owned()
    }
}

/// The longest beginning of a text that has at most `tokens` tokens.
pub(crate) fn fit(text: &str, tokens: usize) -> &str {
    // A token has at most four characters.
    let end = text.char_indices().nth(tokens.saturating_mul(4));
    let text = end.map_or(text, |(end, _)| &text[..end]);
    if estimated_tokens(text) <= tokens {
        return text;
    }
    let (mut low, mut high) = (0, text.len());
    while low < high {
        let middle = text.ceil_char_boundary((low + high).div_ceil(2));
        if middle > high || estimated_tokens(&text[..middle]) > tokens {
            let below = text.floor_char_boundary((low + high).div_ceil(2) - 1);
            high = below.max(low);
        } else {
            low = middle;
        }
    }
    &text[..low]
}

/// As [`fit`], but ends after a line or a word if that is not much shorter.
pub(crate) fn fit_lines(text: &str, tokens: usize) -> &str {
    let start = fit(text, tokens);
    if start.len() == text.len() {
        return start;
    }
    let line = start.rfind('\n').map(|at| at + 1);
    let word = start.rfind(' ').map(|at| at + 1);
    let ends = line.into_iter().chain(word);
    let mut ends = ends.filter(|end| *end >= start.len() / 2);
    ends.next().map_or(start, |end| &start[..end])
}

/// At most `max` characters of a text from outside in one line, for messages.
pub(crate) fn quoted(text: &str, max: usize) -> String {
    let mut out: String = text
        .chars()
        .take(max)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(max).is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_that_fits_is_taken() {
        for text in [
            "abcdefghij",
            "安装程序很容易",
            "aä安b🦀c",
            "",
            "ab\ncd ef gh",
        ] {
            for tokens in 0..12 {
                let start = fit(text, tokens);
                assert!(text.starts_with(start));
                assert!(estimated_tokens(start) <= tokens, "{text} {tokens}");
                let next = text[start.len()..].chars().next();
                if let Some(next) = next {
                    let longer = &text[..start.len() + next.len_utf8()];
                    assert!(estimated_tokens(longer) > tokens, "{text} {tokens}");
                }
            }
        }
    }

    #[test]
    fn texts_are_cut_after_lines() {
        assert_eq!(fit_lines("first line\nsecond line\n", 5), "first line\n");
        assert_eq!(fit_lines("one two three", 2), "one two ");
        assert_eq!(fit_lines("unbreakable", 2), "unbreaka");
    }

    #[test]
    fn a_text_with_footer_stays_within_its_tokens() {
        let mut answer = BoundedText::new(200);
        while answer.push("Some words in a line.\n") {}
        let text = answer.finish(&"More. ".repeat(100));
        assert!(estimated_tokens(&text) <= 200, "{text}");
        assert!(text.contains("line.\n\nMore."));
    }
}
