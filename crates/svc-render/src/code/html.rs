//! HTML of highlighted lines: spans of tokens, and marked words across them.

use std::ops::Range;
use std::sync::Arc;

/// Writes tokens as spans; adjacent tokens of the same style share one.
pub(super) struct SpanWriter<'a> {
    line: &'a str,
    out: String,
    /// Start of the text that is not written yet.
    start: usize,
    /// End of the tokens so far.
    end: usize,
    class: Arc<str>,
}

impl<'a> SpanWriter<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Self {
            line,
            out: String::with_capacity(line.len() * 2),
            start: 0,
            end: 0,
            class: Arc::from(""),
        }
    }

    pub(super) fn push(&mut self, range: Range<usize>, class: &Arc<str>) {
        let text = self.line.get(range.clone()).unwrap_or_default();
        // White space looks the same in every color, so it is added to the previous span.
        if *class != self.class && !text.trim_ascii().is_empty() {
            self.flush(range.start);
            self.class = class.clone();
        }
        self.end = range.end;
    }

    fn flush(&mut self, to: usize) {
        let Some(text) = self.line.get(self.start..to) else {
            return;
        };
        if self.class.is_empty() {
            escape_into(&mut self.out, text);
        } else if !text.is_empty() {
            // Trailing white space stays outside of the span, so that underlines end with the word.
            let word = text.trim_ascii_end();
            self.out.push_str("<span class=\"");
            self.out.push_str(&self.class);
            self.out.push_str("\">");
            escape_into(&mut self.out, word);
            self.out.push_str("</span>");
            self.out
                .push_str(text.get(word.len()..).unwrap_or_default());
        }
        self.start = to;
    }

    pub(super) fn finish(mut self) -> String {
        let end = self.end.min(self.line.len());
        self.flush(end);
        self.class = Arc::from("");
        self.flush(self.line.len());
        self.out
    }
}

/// Escapes text.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_into(&mut out, text);
    out
}

/// Appends escaped text.
pub(super) fn escape_into(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let mut chars = after.chars();
        out.push_str(match chars.next() {
            Some('&') => "&amp;",
            Some('<') => "&lt;",
            _ => "&gt;",
        });
        rest = chars.as_str();
    }
    out.push_str(rest);
}

/// Wraps the words of a highlighted line in `<mark>`; a word across several spans gets one per
/// span.
#[must_use]
pub fn mark_words(html: &str, words: &[&str]) -> String {
    let text = plain(html);
    let mut ranges: Vec<Range<usize>> = words
        .iter()
        .filter(|word| !word.is_empty())
        .flat_map(|word| text.match_indices(word))
        .map(|(at, word)| at..at + word.len())
        .collect();
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut out = String::with_capacity(html.len() + ranges.len() * 40);
    let mut ranges = ranges.into_iter().peekable();
    let mut open = false;
    // End of the text before `rest`.
    let mut at = 0;
    let mut rest = html;
    while let Some(first) = rest.chars().next() {
        while ranges.next_if(|range| range.end <= at).is_some() {}
        let inside = ranges.peek().is_some_and(|range| range.start <= at);
        let tag = first == '<';
        if open && (tag || !inside) {
            out.push_str("</mark>");
            open = false;
        }
        let (length, width) = match first {
            '<' => (rest.find('>').map_or(rest.len(), |end| end + 1), 0),
            '&' => (rest.find(';').map_or(1, |end| end + 1), 1),
            other => (other.len_utf8(), other.len_utf8()),
        };
        if inside && !tag && !open {
            out.push_str("<mark class=\"svc-code-word highlighted-word\">");
            open = true;
        }
        let (now, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        out.push_str(now);
        at += width;
        rest = after;
    }
    if open {
        out.push_str("</mark>");
    }
    out
}

/// The text of a highlighted line.
fn plain(html: &str) -> String {
    let parts = html
        .split('<')
        .enumerate()
        .map(|(number, part)| match part.split_once('>') {
            Some((_, text)) if number > 0 => text,
            _ => part,
        });
    parts
        .collect::<String>()
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(html: &str, words: &[&str]) -> String {
        mark_words(html, words).replace("<mark class=\"svc-code-word highlighted-word\">", "<mark>")
    }

    #[test]
    fn words_are_marked_across_spans_and_character_references() {
        for (html, words, expected) in [
            ("a b a", &["a"][..], "<mark>a</mark> b <mark>a</mark>"),
            (
                "<span class=\"k1\">let</span> x",
                &["et x"],
                "<span class=\"k1\">l<mark>et</mark></span><mark> x</mark>",
            ),
            (
                "a &lt;b&gt; &amp;",
                &["<b>"],
                "a <mark>&lt;b&gt;</mark> &amp;",
            ),
            ("&amp;lt;", &["lt"], "&amp;<mark>lt</mark>;"),
            ("é日é", &["日"], "é<mark>日</mark>é"),
            ("abc", &["ab", "bc"], "<mark>abc</mark>"),
            ("abc", &["span", ""], "abc"),
        ] {
            assert_eq!(marked(html, words), expected, "{html} {words:?}");
        }
    }
}
