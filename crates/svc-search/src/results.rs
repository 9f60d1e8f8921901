//! What was found.

use std::collections::BTreeMap;

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
