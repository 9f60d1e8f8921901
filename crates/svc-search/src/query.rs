//! What a reader asks for.

use std::ops::Range;

use crate::fold::compose;
use crate::terms::{Term, TermKind, terms};

/// Maximum number of bytes of a query that are read.
pub const MAX_QUERY_BYTES: usize = 1_000;
/// Maximum number of words of a query that count, and of parts of words in camelCase.
pub(crate) const MAX_TOKENS: usize = 16;

/// Characters that begin and end phrases.
const QUOTES: [char; 4] = ['"', '“', '”', '„'];

/// A query.
///
/// ```
/// use svc_search::Query;
/// let query = Query { filters: &[("version", "v2")], ..Query::new("rate limit") };
/// assert_eq!((query.limit, query.offset), (10, 0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query<'a> {
    /// Words as the reader types them. The last word may be incomplete unless a space follows it.
    /// Words in double quotes must follow each other.
    pub text: &'a str,
    /// Maximum number of pages that are returned.
    pub limit: usize,
    /// Number of pages to skip.
    pub offset: usize,
    /// Values of [`Document::facets`](crate::Document::facets) that pages must have. Of several
    /// values of one facet, one is enough.
    pub filters: &'a [(&'a str, &'a str)],
    /// Audiences whose pages the reader may see; `None` if the reader may see all. The results are
    /// those of an index without other pages. One exception: positions of tokens in more than a
    /// fifth of all sections are not stored, so phrases of such tokens may also be found where the
    /// tokens do not follow each other, and their nearness has no effect on the order.
    pub audiences: Option<&'a [u32]>,
}

impl<'a> Query<'a> {
    /// Creates a query for the ten best of all pages.
    pub const fn new(text: &'a str) -> Self {
        Self {
            text,
            limit: 10,
            offset: 0,
            filters: &[],
            audiences: None,
        }
    }
}

/// A word of a query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct QueryToken {
    /// Folded text.
    pub(crate) text: String,
    /// Parts of a word in camelCase.
    pub(crate) parts: Vec<String>,
    /// Whether the reader may still be typing the word.
    pub(crate) is_open: bool,
    /// Number of the run of text without spaces that contains the word.
    pub(crate) chunk: u32,
    /// Number of the word within the query or phrase.
    pub(crate) position: u32,
    /// Bytes of [`QueryTokens::text`].
    pub(crate) span: Range<usize>,
}

/// Several words that are written together, such as `a.b_c`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Compound {
    pub(crate) text: String,
    pub(crate) is_open: bool,
    pub(crate) chunk: u32,
}

/// The words of a query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct QueryTokens {
    /// The composed text of the query.
    pub(crate) text: String,
    pub(crate) words: Vec<QueryToken>,
    /// At most one for each chunk: the longest.
    pub(crate) compounds: Vec<Compound>,
    /// Numbers of the words that must follow each other.
    pub(crate) phrases: Vec<Range<usize>>,
}

impl QueryTokens {
    pub(crate) fn new(text: &str) -> Self {
        let text = compose(&text[..text.floor_char_boundary(MAX_QUERY_BYTES)]);
        let mut out = Self::default();
        let (mut start, mut chunk) = (0, 0);
        for (number, part) in text.split(QUOTES).enumerate() {
            let first = out.words.len();
            out.push(part, start, &mut chunk);
            if number % 2 == 1 && out.words.len() > first + 1 {
                out.phrases.push(first..out.words.len());
            }
            start += part.len();
            start += text[start..].chars().next().map_or(0, char::len_utf8);
        }
        let is_open = text.ends_with(|c: char| !c.is_whitespace() && !QUOTES.contains(&c));
        if let Some(last) = out.words.last_mut() {
            last.is_open = is_open;
            if let Some(compound) = out.compounds.last_mut() {
                compound.is_open = is_open && compound.chunk == last.chunk;
            }
        }
        out.text = text.into_owned();
        out.words.truncate(MAX_TOKENS);
        let mut parts = MAX_TOKENS;
        for word in &mut out.words {
            word.parts.truncate(parts);
            parts -= word.parts.len();
        }
        out.compounds.truncate(MAX_TOKENS);
        out.phrases.retain(|phrase| phrase.end <= MAX_TOKENS);
        out
    }

    /// Appends the words of a text that begins at byte `start` of the query.
    fn push(&mut self, text: &str, start: usize, next_chunk: &mut u32) {
        let first = *next_chunk;
        terms(text, 0, &mut |term: Term<'_>| {
            let chunk = first + term.chunk;
            *next_chunk = chunk + 1;
            let span = start + term.span.start..start + term.span.end;
            let text = term.text.to_owned();
            match term.kind {
                // The last letter of an unspaced script is part of the pair before it.
                TermKind::Word if self.words.last().is_some_and(|w| span.end == w.span.end) => {}
                TermKind::Word => self.words.push(QueryToken {
                    text,
                    chunk,
                    position: term.position,
                    span,
                    ..QueryToken::default()
                }),
                TermKind::Part => {
                    if let Some(word) = self.words.last_mut() {
                        word.parts.push(text);
                    }
                }
                TermKind::Compound => self.push_compound(text, chunk),
            }
        });
    }

    fn push_compound(&mut self, text: String, chunk: u32) {
        let last = self.compounds.last_mut();
        match last.filter(|last| last.chunk == chunk) {
            Some(last) if last.text.len() < text.len() => last.text = text,
            Some(_) => {}
            None => self.compounds.push(Compound {
                text,
                chunk,
                is_open: false,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::QueryTokens;

    #[test]
    fn a_word_is_open_until_a_space_or_quote_follows() {
        let is_open = |text| {
            QueryTokens::new(text)
                .words
                .last()
                .is_some_and(|word| word.is_open)
        };
        assert!(is_open("rate li"));
        assert!(!is_open("rate li "));
        assert!(!is_open("\"rate li\""));
        assert!(is_open("\"rate li"));
    }

    #[test]
    fn quotes_make_phrases_of_several_words() {
        let query = QueryTokens::new("a \"b c\" \"d\" “e f");
        assert_eq!(query.words.len(), 6);
        assert_eq!(query.phrases, [1..3, 4..6]);
    }

    #[test]
    fn each_chunk_has_its_longest_compound() {
        let query = QueryTokens::new("--dry-run a.b_c");
        let texts: Vec<_> = query.compounds.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, ["--dry-run", "a.b_c"]);
    }

    #[test]
    fn long_queries_are_cut() {
        let query = QueryTokens::new(&"word ".repeat(10_000));
        assert_eq!(query.words.len(), 16);
        let query = QueryTokens::new(&"oneTwoThree ".repeat(10));
        let parts: Vec<usize> = query.words.iter().map(|word| word.parts.len()).collect();
        assert_eq!(parts, [3, 3, 3, 3, 3, 1, 0, 0, 0, 0]);
    }
}
