//! The part of a text that matters for a query.

use std::collections::BTreeMap;

use svc_search::TextMatch;
use svc_site::estimated_tokens;

use crate::bounded_text::fit_lines;

/// Number of bytes at the beginning of a text that are looked at.
const MAX_TEXT_BYTES: usize = 64 << 10;
/// Stands for lines that were left out.
const GAP: &str = "…\n";
/// How much a word that occurs another time counts, as a share of the first time.
const REPEATED: f64 = 0.05;
/// How much more of the query other lines must have than the first ones, which need no context.
const START_PREFERENCE: f64 = 1.3;

/// The adjacent lines of a text with the most important different words of a query, and lines
/// around them, in at most `tokens` tokens. The beginning of the text if no word matches.
///
/// Lines that follow each other are easier to understand than separate ones, and what a reader
/// looks for often is beside the words of the query, not in the same line.
pub(crate) fn excerpt(text: &str, matches: &[TextMatch], tokens: usize) -> String {
    let text = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
    if estimated_tokens(text) <= tokens {
        return text.to_owned();
    }
    let lines = Lines::new(text, matches);
    let budget = tokens.saturating_sub(2 * estimated_tokens(GAP));
    // What is around the words gets a quarter.
    let Some((first, last)) = lines.best(budget - budget / 4, budget) else {
        return fit_lines(text, tokens).to_owned();
    };
    let (first, last) = lines.grow(first, last, budget);
    let shown = lines.text(first, last);
    if estimated_tokens(shown) > budget {
        return around(shown, lines.first_match(first), tokens);
    }
    let before = if first > 0 { GAP } else { "" };
    let after = if last + 1 < lines.all.len() { GAP } else { "" };
    let line_end = if shown.ends_with('\n') { "" } else { "\n" };
    let out = format!("{before}{shown}{line_end}{after}");
    fit_lines(&out, tokens).to_owned()
}

/// A line of a text.
struct Line {
    start: usize,
    end: usize,
    tokens: usize,
    /// Numbers of the words of the query in it, with their importance.
    words: Vec<(usize, f64)>,
    /// Position of the first of them in the line.
    first_match: usize,
}

struct Lines<'t> {
    whole: &'t str,
    all: Vec<Line>,
}

impl<'t> Lines<'t> {
    fn new(whole: &'t str, matches: &[TextMatch]) -> Self {
        let mut all = Vec::new();
        let mut start = 0;
        let mut matches = matches.iter().peekable();
        for line in whole.split_inclusive('\n') {
            let end = start + line.len();
            let mut words = Vec::new();
            let mut first_match = None;
            while let Some(found) = matches.next_if(|found| found.span.start < end) {
                first_match.get_or_insert(found.span.start.saturating_sub(start));
                words.push((found.token, found.importance));
            }
            all.push(Line {
                start,
                end,
                tokens: estimated_tokens(line),
                words,
                first_match: first_match.unwrap_or(0),
            });
            start = end;
        }
        Self { whole, all }
    }

    /// The first and the last of the adjacent lines within `tokens` tokens that have the most
    /// important words; the first lines, within `start_tokens` tokens, if those have nearly as many.
    /// `None` if no line has any.
    fn best(&self, tokens: usize, start_tokens: usize) -> Option<(usize, usize)> {
        let mut best: Option<(f64, usize, usize)> = None;
        for first in 0..self.all.len() {
            if self.all.get(first).is_none_or(|line| line.words.is_empty()) {
                continue;
            }
            let (sum, last) = self.importance(first, tokens);
            if best.is_none_or(|(most, ..)| sum > most) {
                best = Some((sum, first, last));
            }
        }
        let (most, first, last) = best?;
        let (sum, start_last) = self.importance(0, start_tokens);
        Some(match sum * START_PREFERENCE >= most {
            true => (0, start_last),
            false => (first, last),
        })
    }

    /// The importance of the different words in the lines from `first` on within `tokens` tokens,
    /// and the last of them with a word.
    fn importance(&self, first: usize, tokens: usize) -> (f64, usize) {
        let mut words: BTreeMap<usize, f64> = BTreeMap::new();
        let (mut sum, mut used, mut last) = (0.0, 0, first);
        for (number, line) in self.all.iter().enumerate().skip(first) {
            used += line.tokens;
            if used > tokens && number > first {
                break;
            }
            for &(word, importance) in &line.words {
                let known = words.entry(word).or_default();
                sum += (importance - *known).max(importance * REPEATED);
                *known = known.max(importance);
                last = number;
            }
        }
        (sum, last)
    }

    /// Adds lines after and before as long as they fit.
    fn grow(&self, mut first: usize, mut last: usize, tokens: usize) -> (usize, usize) {
        let cost = |line: usize| self.all.get(line).map(|line| line.tokens);
        let used: usize = (first..=last).filter_map(cost).sum();
        let mut left = tokens.saturating_sub(used);
        loop {
            let after = cost(last + 1).filter(|cost| *cost <= left);
            if let Some(cost) = after {
                last += 1;
                left -= cost;
            }
            let before = first.checked_sub(1).and_then(cost);
            let before = before.filter(|cost| *cost <= left);
            if let Some(cost) = before {
                first -= 1;
                left -= cost;
            }
            if after.is_none() && before.is_none() {
                return (first, last);
            }
        }
    }

    fn text(&self, first: usize, last: usize) -> &'t str {
        let start = self.all.get(first).map_or(0, |line| line.start);
        let end = self.all.get(last).map_or(start, |line| line.end);
        self.whole.get(start..end).unwrap_or_default()
    }

    fn first_match(&self, line: usize) -> usize {
        self.all.get(line).map_or(0, |line| line.first_match)
    }
}

/// The part of a long line around a position.
fn around(line: &str, position: usize, tokens: usize) -> String {
    // From the beginning if the position is shown then, too.
    let lead = position.saturating_sub(tokens);
    let lead = if position < tokens * 2 { 0 } else { lead };
    let start = line.floor_char_boundary(lead.min(line.len()));
    let start = line[start..]
        .find(' ')
        .filter(|_| start > 0)
        .map_or(start, |at| start + at + 1);
    let mark = if start > 0 { "… " } else { "" };
    let rest = fit_lines(&line[start..], tokens.saturating_sub(4));
    let end = if start + rest.len() < line.len() {
        " …"
    } else {
        ""
    };
    format!("{mark}{}{end}\n", rest.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the words are in a text; the first is the most important.
    fn matches(text: &str, words: &[&str]) -> Vec<TextMatch> {
        let mut out = Vec::new();
        for (token, written) in words.iter().enumerate() {
            out.extend(text.match_indices(written).map(|(at, _)| TextMatch {
                span: at..at + written.len(),
                token,
                importance: if token == 0 { 2.0 } else { 1.0 },
            }));
        }
        out.sort_by_key(|found| found.span.start);
        out
    }

    #[test]
    fn lines_with_different_words_near_each_other_are_chosen() {
        let mut lines: Vec<String> = (0..50).map(|n| format!("Line {n} of the text.")).collect();
        lines[5] = "A limit, the limit of limits: limit limit.".to_owned();
        lines[30] = "Set the rate".to_owned();
        lines[31] = "and its limit here.".to_owned();
        let text = lines.join("\n");
        let matches = matches(&text, &["rate", "limit"]);
        let excerpt_of = |tokens| excerpt(&text, &matches, tokens);
        assert_eq!(excerpt_of(14), "…\nSet the rate\nand its limit here.\n…\n");
        let long = excerpt_of(60);
        assert!(
            long.contains("Line 29 of the text.\nSet the rate\nand its limit here.\nLine 32"),
            "{long}"
        );
        for tokens in 5..200 {
            assert!(estimated_tokens(&excerpt_of(tokens)) <= tokens, "{tokens}");
        }
        assert_eq!(
            excerpt(&text, &[], 12),
            "Line 0 of the text.\nLine 1 of the text.\n"
        );
        assert_eq!(excerpt(&text, &matches, 1_000), text);
    }

    #[test]
    fn long_lines_are_cut_around_the_word() {
        let line = format!("{} needle {}", "word ".repeat(300), "tail ".repeat(300));
        let matches = matches(&line, &["needle"]);
        for tokens in 8..100 {
            let found = excerpt(&line, &matches, tokens);
            assert!(estimated_tokens(&found) <= tokens, "{tokens}: {found}");
            assert!(tokens < 30 || found.contains("needle"), "{tokens}: {found}");
        }
    }
}
