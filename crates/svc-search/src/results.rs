//! What was found.

use std::collections::BTreeMap;
use std::ops::Range;

/// Results of a query.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Results {
    /// Pages, the best first.
    pub hits: Vec<Hit>,
    /// Number of pages that were found, including those before the offset and after the limit.
    pub total: usize,
    /// The query with corrected words, if words were found only by correcting them.
    pub correction: Option<String>,
    /// Terms that matched, for [`Self::mark`] and [`Self::snippet`].
    pub(crate) terms: BTreeMap<String, MatchedTerm>,
}

/// A term that matched a word of the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MatchedTerm {
    /// Number of the word.
    pub(crate) token: usize,
    /// Importance of the word, less for terms that are not the word itself.
    pub(crate) importance: f64,
}

/// A page that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Number of the page, for [`Index::page`](crate::Index::page).
    pub page: u32,
    /// Numbers of its sections that match best, the best first. Contains at least one.
    pub sections: Vec<u32>,
    /// Share of the words of the query, by their importance, that the page contains: 1 if it
    /// contains all.
    pub coverage: f64,
    /// Score. Only the order has a meaning.
    pub score: f64,
}

/// Results of [`Index::search_sections`](crate::Index::search_sections).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SectionResults {
    /// Sections, the best first.
    pub hits: Vec<SectionHit>,
    /// Number of sections that were found, including those before the offset and after the limit.
    pub total: usize,
    /// The query with corrected words, if words were found only by correcting them.
    pub correction: Option<String>,
    /// Terms that matched, for [`Self::matches`].
    pub(crate) terms: BTreeMap<String, MatchedTerm>,
}

/// A section that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SectionHit {
    /// Number of the page, for [`Index::page`](crate::Index::page).
    pub page: u32,
    /// Number of the section in its page.
    pub section: u32,
    /// Score. Only the order has a meaning.
    pub score: f64,
}

/// A word of a text that matched a word of the query.
#[derive(Debug, Clone, PartialEq)]
pub struct TextMatch {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// Number of the word of the query: the same for all words of the text that match it.
    pub token: usize,
    /// Importance of the word of the query, the greater the rarer it is; less if the text has
    /// another form of it.
    pub importance: f64,
}
