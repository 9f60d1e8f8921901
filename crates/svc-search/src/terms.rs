//! Splits text into terms.

use std::ops::Range;

use crate::fold::{compose, fold_into, is_token_char, is_unspaced};

/// Maximum length of a term in characters. Longer runs, such as hashes, are not indexed.
pub(crate) const MAX_TERM_CHARS: usize = 40;

/// What a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TermKind {
    /// A run of letters and digits, or a pair of letters of an unspaced script.
    Word,
    /// A part of a word in camelCase, or of letters and digits.
    Part,
    /// Several words as they are written together, such as `index.number_of_replicas`, `c#` or
    /// `built-in`, or a word with dashes, such as `--port`.
    Compound,
}

/// A term of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term<'a> {
    /// Folded text.
    pub(crate) text: &'a str,
    /// Number of the word within the text.
    pub(crate) position: u32,
    pub(crate) kind: TermKind,
    /// Number of the run of text without spaces that contains the term.
    pub(crate) chunk: u32,
    /// Bytes of the composed text.
    pub(crate) span: Range<usize>,
}

/// Calls `visit` for each term and returns the position after the last one. A word comes before its
/// parts, and the words of a compound before the compound.
pub(crate) fn terms(text: &str, first: u32, visit: &mut impl FnMut(Term<'_>)) -> u32 {
    let text = compose(text);
    let mut splitter = Splitter {
        text: &text,
        position: first,
        chunk: 0,
        buffer: String::new(),
        visit,
    };
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let end = start + rest.find(char::is_whitespace).unwrap_or(rest.len());
        if start < end {
            splitter.visit_chunk(start..end);
            splitter.chunk += 1;
        }
        start = end + text[end..].chars().next().map_or(1, char::len_utf8);
    }
    splitter.position
}

struct Splitter<'t, 'v, V> {
    text: &'t str,
    position: u32,
    chunk: u32,
    buffer: String,
    visit: &'v mut V,
}

impl<V: FnMut(Term<'_>)> Splitter<'_, '_, V> {
    /// Visits the terms of a text without spaces.
    fn visit_chunk(&mut self, chunk: Range<usize>) {
        let text = self.text;
        let Some(start) = text[chunk.clone()]
            .find(is_token_char)
            .map(|at| chunk.start + at)
        else {
            return;
        };
        let first = self.position;
        let (mut at, mut end) = (start, start);
        let mut words = 0;
        let mut is_spaced = true;
        while at < chunk.end {
            let rest = &text[at..chunk.end];
            end = at + rest.find(|c| !is_token_char(c)).unwrap_or(rest.len());
            is_spaced &= !text[at..end].contains(is_unspaced);
            self.visit_run(at..end);
            words += 1;
            let rest = &text[end..chunk.end];
            at = end + rest.find(is_token_char).unwrap_or(rest.len());
        }
        // `c#`, `c++`
        let rest = &text[end..chunk.end];
        let suffix = rest.find(|c| c != '#' && c != '+').unwrap_or(rest.len());
        end += suffix;
        self.visit_flag(chunk.start, start, end, first);
        if is_spaced && (words > 1 || suffix > 0) {
            self.visit_compounds(start..end, first);
        }
    }

    /// Visits the terms of a run of word characters.
    fn visit_run(&mut self, run: Range<usize>) {
        let mut at = run.start;
        while at < run.end {
            let rest = &self.text[at..run.end];
            let is_first_unspaced = rest.starts_with(is_unspaced);
            let len = rest.find(|c| is_unspaced(c) != is_first_unspaced);
            let end = len.map_or(run.end, |len| at + len);
            if is_first_unspaced {
                self.visit_pairs(at..end);
            } else {
                self.visit_token(at..end);
            }
            at = end;
        }
    }

    /// Visits each pair of letters, and the last letter alone.
    fn visit_pairs(&mut self, run: Range<usize>) {
        let mut letters = self.text[run.clone()].char_indices().peekable();
        while let Some((at, _)) = letters.next() {
            let next = letters.peek().map(|&(next, c)| next + c.len_utf8());
            let end = next.map_or(run.end, |end| run.start + end);
            self.visit(TermKind::Word, run.start + at..end, self.position);
            self.position += 1;
        }
    }

    fn visit_token(&mut self, word: Range<usize>) {
        self.visit(TermKind::Word, word.clone(), self.position);
        let mut at = word.start;
        while at < word.end {
            let end = at + part_len(&self.text[at..word.end]);
            if end - at < word.len() {
                self.visit(TermKind::Part, at..end, self.position);
            }
            self.position += 1;
            at = end;
        }
    }

    /// Visits a word that begins with one or two dashes: `-v`, `--port=80`.
    fn visit_flag(&mut self, chunk_start: usize, start: usize, end: usize, position: u32) {
        let before = &self.text[chunk_start..start];
        let dashes = before.len() - before.trim_end_matches('-').len();
        if dashes == 1 || dashes == 2 {
            let from = start - dashes;
            let flag = &self.text[from..end];
            let len = flag.find(['=', ',', '[', '|']).unwrap_or(flag.len());
            self.visit(TermKind::Compound, from..from + len, position);
        }
    }

    /// Visits `a.b_c` as written, and each of its segments between `.`, `:` and `/` that has
    /// several words: `b_c`.
    fn visit_compounds(&mut self, written: Range<usize>, first: u32) {
        let is_joiner = |c| matches!(c, '_' | '-' | '.' | ':' | '/' | '#' | '+' | '|' | '@' | '$');
        let text = &self.text[written.clone()];
        if !text.chars().all(|c| is_token_char(c) || is_joiner(c)) {
            return;
        }
        self.visit(TermKind::Compound, written.clone(), first);
        let is_separator = |c| matches!(c, '.' | ':' | '/');
        if !text.contains(is_separator) {
            return;
        }
        let (mut start, mut position) = (written.start, first);
        for segment in text.split(is_separator) {
            let (mut words, mut next) = (0, position);
            for word in segment
                .split(|c| !is_token_char(c))
                .filter(|word| !word.is_empty())
            {
                words += 1;
                next += part_count(word);
            }
            if words > 1 {
                let end = start + segment.len();
                self.visit(TermKind::Compound, start..end, position);
            }
            position = next;
            start += segment.len() + 1;
        }
    }

    /// Visits a term. A compound whose words are joined by hyphens is visited without them, because
    /// others write it as one word.
    fn visit(&mut self, kind: TermKind, span: Range<usize>, position: u32) {
        let text = &self.text[span.clone()];
        if text.len() > MAX_TERM_CHARS && text.chars().nth(MAX_TERM_CHARS).is_some() {
            return;
        }
        self.buffer.clear();
        fold_into(&mut self.buffer, text);
        let is_hyphenated = kind == TermKind::Compound
            && text.starts_with(is_token_char)
            && text.chars().all(|c| is_token_char(c) || c == '-');
        if is_hyphenated {
            self.buffer.retain(|c| c != '-');
        }
        (self.visit)(Term {
            text: &self.buffer,
            position,
            kind,
            chunk: self.chunk,
            span,
        });
    }
}

/// Returns the number of parts of a word.
fn part_count(mut word: &str) -> u32 {
    let mut count = 0;
    while !word.is_empty() {
        word = &word[part_len(word)..];
        count += 1;
    }
    count
}

/// Returns the length of the first part of a word in bytes. Words are split at changes of case and
/// between letters and digits; a part has at least two characters.
fn part_len(word: &str) -> usize {
    // Most words are like this.
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.len();
    }
    let mut chars = word.char_indices().peekable();
    let Some((_, mut last)) = chars.next() else {
        return 0;
    };
    let mut count = 1;
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|&(_, next)| next);
        let begins_part = last.is_lowercase() && c.is_uppercase()
            || last.is_uppercase() && c.is_uppercase() && next.is_some_and(char::is_lowercase)
            || last.is_numeric() != c.is_numeric();
        if begins_part && count > 1 && next.is_some() {
            return at;
        }
        last = c;
        count += 1;
    }
    word.len()
}

#[cfg(test)]
mod tests {
    use super::{TermKind, terms};

    fn split(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        terms(text, 0, &mut |term| {
            let mark = match term.kind {
                TermKind::Word => "",
                TermKind::Part => "'",
                TermKind::Compound => "+",
            };
            out.push(format!("{}{mark}{}", term.text, term.position));
        });
        out
    }

    #[test]
    fn words_are_folded_and_numbered() {
        assert_eq!(
            split("Das Fußball-Café, ﬁnal"),
            ["das0", "fussball1", "cafe2", "fussballcafe+1", "final3"]
        );
        assert_eq!(split("ΜΟΥΣΙΚΉ Ёлка"), ["μουσικη0", "ёлка1"]);
    }

    #[test]
    fn identifiers_are_terms_and_so_are_their_parts() {
        assert_eq!(
            split("index.number_of_replicas,"),
            [
                "index0",
                "number1",
                "of2",
                "replicas3",
                "index.number_of_replicas+0",
                "number_of_replicas+1"
            ]
        );
        assert_eq!(
            split("useEffect HTMLParser oauth2Token k8s"),
            [
                "useeffect0",
                "use'0",
                "effect'1",
                "htmlparser2",
                "html'2",
                "parser'3",
                "oauth2token4",
                "oauth'4",
                "2token'5",
                "k8s6"
            ]
        );
        assert_eq!(
            split("C# c++ ES|QL --port=80 (-v)"),
            [
                "c0", "c#+0", "c1", "c+++1", "es2", "ql3", "es|ql+2", "port4", "805", "--port+4",
                "v6", "-v+6"
            ]
        );
    }

    #[test]
    fn unspaced_scripts_are_split_into_pairs() {
        assert_eq!(split("APIの設定"), ["api0", "の設1", "設定2", "定3"]);
        assert_eq!(split("설정을"), ["설정0", "정을1", "을2"]);
    }

    #[test]
    fn spans_point_into_the_composed_text() {
        let mut spans = Vec::new();
        terms("  a-b é", 0, &mut |term| spans.push(term.span));
        assert_eq!(spans, [2..3, 4..5, 2..5, 6..8]);
    }

    #[test]
    fn runs_longer_than_the_limit_are_no_terms() {
        assert!(split(&"a".repeat(41)).is_empty());
        assert_eq!(split(&"a".repeat(40)).len(), 1);
    }
}
