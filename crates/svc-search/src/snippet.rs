//! Excerpts of sections with the matched words marked.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::document::Section;
use crate::fold::compose;
use crate::results::{MatchedTerm, Results, SectionResults, TextMatch};
use crate::terms::{Term, terms};

/// How far before the first matched word an excerpt begins, in characters, if no sentence begins
/// there.
const MAX_LEAD_CHARS: usize = 40;

/// A text of which some words matched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// The text, in one line. `…` stands for omitted text at the beginning and the end.
    pub text: String,
    /// Byte ranges of the matched words, in order and separate.
    pub marks: Vec<Range<usize>>,
}

/// A word of a text that matched.
struct Occurrence<'a> {
    span: Range<usize>,
    term: &'a MatchedTerm,
}

impl Results {
    /// Returns a text with its matched words.
    ///
    /// ```
    /// use svc_search::{Document, Index, Query, Section, Weights};
    /// let section = Section { text: "Limits of rates.".into(), ..Section::default() };
    /// let page = Document { sections: [section].into(), ..Document::default() };
    /// let index = Index::new(vec![page.into()], &Weights::default());
    /// let results = index.search(&Query::new("rate limit"));
    /// let marked = results.mark("Rate limits");
    /// assert_eq!(marked.marks, [5..11]);
    /// ```
    pub fn mark(&self, text: &str) -> Snippet {
        let marks = occurrences(&self.terms, text).into_iter();
        Snippet {
            text: text.to_owned(),
            marks: merge(marks.map(|occurrence| occurrence.span)),
        }
    }

    /// Returns the part of a section with the most important matched words, at most `max_chars`
    /// characters long. It is from the text, or from the code if only that contains matched words.
    /// Without any, it is the beginning of the text.
    pub fn snippet(&self, section: &Section, max_chars: usize) -> Snippet {
        let text = [&section.text, &section.code]
            .into_iter()
            .find(|text| !occurrences(&self.terms, text).is_empty());
        let text = text.unwrap_or(&section.text);
        let occurrences = occurrences(&self.terms, text);
        let range = best_range(text, &occurrences, max_chars);
        let mut out = Snippet::default();
        if range.start > 0 {
            out.text.push_str("… ");
        }
        let shift = |at: usize| at - range.start + out.text.len();
        let inside = occurrences.iter().map(|occurrence| &occurrence.span);
        let inside = inside.filter(|span| range.start <= span.start && span.end <= range.end);
        out.marks = merge(inside.map(|span| shift(span.start)..shift(span.end)));
        let one_line = |c: char| {
            if c.is_whitespace() && c.len_utf8() == 1 {
                ' '
            } else {
                c
            }
        };
        out.text.extend(text[range.clone()].chars().map(one_line));
        if !text[range.end..].trim().is_empty() {
            out.text.push_str(" …");
        }
        out
    }
}

impl SectionResults {
    /// The words of a text that match words of the query, in order. Stop words beside other words
    /// are left out.
    pub fn matches(&self, text: &str) -> Vec<TextMatch> {
        let occurrences = occurrences(&self.terms, text).into_iter();
        let matches = occurrences.map(|occurrence| TextMatch {
            span: occurrence.span,
            token: occurrence.term.token,
            importance: occurrence.term.importance,
        });
        matches.collect()
    }

    /// The importance of each word of the query that the site has, by its number.
    pub fn importance(&self) -> BTreeMap<usize, f64> {
        let mut out: BTreeMap<usize, f64> = BTreeMap::new();
        for term in self.terms.values() {
            let importance = out.entry(term.token).or_default();
            *importance = importance.max(term.importance);
        }
        out
    }
}

/// The words of a text that matched, in order.
fn occurrences<'t>(matched: &'t BTreeMap<String, MatchedTerm>, text: &str) -> Vec<Occurrence<'t>> {
    let mut out = Vec::new();
    let mut start = 0;
    for chunk in text.split_inclusive(char::is_whitespace) {
        let written = chunk.trim_end();
        let composed = compose(written);
        let is_composed = composed == written;
        terms(&composed, 0, &mut |term: Term<'_>| {
            if let Some(matched) = matched.get(term.text) {
                // Spans are of the composed text.
                let span = if is_composed {
                    term.span
                } else {
                    0..written.len()
                };
                out.push(Occurrence {
                    span: start + span.start..start + span.end,
                    term: matched,
                });
            }
        });
        start += chunk.len();
    }
    out
}

/// Merges overlapping ranges.
fn merge(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = ranges.collect();
    ranges.sort_by_key(|range| range.start);
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

/// The part of a text that contains the most important different words of the query.
fn best_range(text: &str, occurrences: &[Occurrence<'_>], max_chars: usize) -> Range<usize> {
    let mut best = (0, 0.0);
    for (number, first) in occurrences.iter().enumerate() {
        let end = advance(text, first.span.start, max_chars - max_chars / 4);
        let inside = occurrences[number..].iter();
        let inside = inside.take_while(|occurrence| occurrence.span.end <= end);
        let (mut tokens, mut sum) = (0_u32, 0.0);
        for occurrence in inside {
            let bit = 1_u32 << (occurrence.term.token % 32);
            // A word that occurs again shows little more.
            let share = if tokens & bit == 0 { 1.0 } else { 0.05 };
            sum += occurrence.term.importance * share;
            tokens |= bit;
        }
        if sum > best.1 {
            best = (first.span.start, sum);
        }
    }
    let start = beginning(text, best.0, max_chars / 2);
    let mut end = advance(text, start, max_chars);
    if end < text.len() {
        // Cut between words, unless there are no spaces.
        let cut = text[start..end].rfind(char::is_whitespace);
        end = cut
            .filter(|cut| cut * 2 > end - start)
            .map_or(end, |cut| start + cut);
    }
    start..start + text[start..end].trim_end().len()
}

/// Where an excerpt with a word at `at` begins: at the start of the sentence if it is at most
/// `max_chars` before, or else a few words before.
fn beginning(text: &str, at: usize, max_chars: usize) -> usize {
    let before = &text[..at];
    let sentence = before
        .rmatch_indices(['\n', '.', '!', '?', '。'])
        .map(|(end, mark)| end + mark.len())
        .find(|&end| {
            let rest = &text[end..at];
            text[..end].ends_with(['\n', '。']) || rest.starts_with(char::is_whitespace)
        });
    let sentence = sentence.unwrap_or(0);
    let start = if text[sentence..at].chars().count() <= max_chars {
        sentence
    } else {
        let lead = before.char_indices().rev().nth(MAX_LEAD_CHARS);
        let lead = lead.map_or(0, |(lead, _)| lead);
        let space = text[lead..at].find(char::is_whitespace);
        space.map_or(lead, |space| lead + space)
    };
    let rest = &text[start..];
    start + (rest.len() - rest.trim_start().len())
}

/// The byte offset `chars` characters after `at`, or the end.
fn advance(text: &str, at: usize, chars: usize) -> usize {
    let end = text[at..].char_indices().nth(chars);
    end.map_or(text.len(), |(end, _)| at + end)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{Document, Index, Query, Section, Weights};

    /// The snippet of the first hit, with brackets around its marks.
    fn snippet(query: &str, text: &str, code: &str) -> String {
        let section = Section {
            text: text.into(),
            code: code.into(),
            ..Section::default()
        };
        let page = Document {
            title: "Page".into(),
            sections: [section.clone()].into(),
            ..Document::default()
        };
        let index = Index::new(vec![Arc::new(page)], &Weights::default());
        let snippet = index.search(&Query::new(query)).snippet(&section, 60);
        let mut out = snippet.text;
        for mark in snippet.marks.into_iter().rev() {
            out.insert(mark.end, ']');
            out.insert(mark.start, '[');
        }
        out
    }

    #[test]
    fn a_snippet_contains_most_words_of_the_query() {
        let filler = "Nothing of interest stands in this sentence. ".repeat(3);
        let text = format!("A limit. {filler}\nThe rate is limited by the server.\n{filler}");
        assert_eq!(
            snippet("rate limit", &text, ""),
            "… The [rate] is [limited] by the server. Nothing of interest …"
        );
    }

    #[test]
    fn code_is_shown_if_only_it_matches() {
        assert_eq!(snippet("verify()", "Text.", "a.verify()\n"), "a.[verify]()");
        assert_eq!(snippet("page", "Text of it.", "x"), "Text of it.");
    }

    #[test]
    fn marks_are_at_the_written_text() {
        assert_eq!(
            snippet("grosse fi", "Die GRÖẞE der ﬁles №1", ""),
            "Die [GRÖẞE] der [ﬁles] №1"
        );
        assert_eq!(
            snippet("認証", "このページは認証の方法です。", ""),
            "このページは[認証]の方法です。"
        );
    }

    #[test]
    fn long_text_without_spaces_is_cut() {
        let text = "文".repeat(500);
        let snippet = snippet("文文", &text, "");
        assert!(snippet.chars().count() < 70, "{snippet}");
    }
}
