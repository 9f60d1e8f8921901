//! The sorted terms of an index.

use std::ops::Range;

use crate::edit_table::EditTable;

/// A term with its number of edits from a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SimilarTerm {
    pub(crate) term: u32,
    pub(crate) edits: u8,
    /// Whether only the beginning of the term is similar.
    pub(crate) is_prefix: bool,
}

/// Sorted terms in one string.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Dictionary {
    text: String,
    /// End of each term in `text`.
    ends: Vec<u32>,
}

impl Dictionary {
    /// Appends a term, which must be greater than the previous one.
    pub(crate) fn push(&mut self, term: &str) {
        self.text.push_str(term);
        self.ends
            .push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the approximate memory in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.text.len() + self.ends.len() * 4
    }

    pub(crate) fn get(&self, term: u32) -> &str {
        self.text.get(range_of(&self.ends, term)).unwrap_or("")
    }

    /// Number after the last term.
    fn end(&self) -> u32 {
        u32::try_from(self.len()).unwrap_or(u32::MAX)
    }

    /// Returns the first term that is not smaller than `word`.
    fn lower_bound(&self, word: &str) -> u32 {
        self.partition(0..self.end(), |term| term < word)
    }

    /// Returns the first of `terms` for which `is_before` is false. It must be true for all terms
    /// before this one.
    fn partition(&self, terms: Range<u32>, is_before: impl Fn(&str) -> bool) -> u32 {
        let (mut low, mut high) = (terms.start, terms.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if is_before(self.get(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    pub(crate) fn find(&self, word: &str) -> Option<u32> {
        let at = self.lower_bound(word);
        (self.get(at) == word && !word.is_empty()).then_some(at)
    }

    /// Returns the terms that begin with `prefix`.
    pub(crate) fn with_prefix(&self, prefix: &str) -> Range<u32> {
        let first = self.lower_bound(prefix);
        first..self.partition(first..self.end(), |term| term.starts_with(prefix))
    }

    /// Returns the terms within `max` edits of `word`; with `prefixes` also those whose beginning
    /// is. An edit inserts, removes or replaces a letter, or swaps two neighbors.
    pub(crate) fn similar(&self, word: &str, max: u8, prefixes: bool) -> Vec<SimilarTerm> {
        let mut table = EditTable::new(word, max);
        let mut out = Vec::new();
        let mut at = 0;
        'terms: while at < self.end() {
            let term = self.get(at);
            let mut depth = table.shared(term);
            for (start, c) in term.char_indices().skip(depth) {
                depth += 1;
                let is_possible = table.push(c, depth);
                if !is_possible && (!prefixes || table.prefix_edits(depth) > max) {
                    // No term with this beginning is similar.
                    let beginning = &term[..start + c.len_utf8()];
                    at = self.gallop(at + 1, |term| term.starts_with(beginning));
                    continue 'terms;
                }
            }
            let edits = table.edits(depth);
            if edits <= max {
                out.push(SimilarTerm {
                    term: at,
                    edits,
                    is_prefix: false,
                });
            } else if prefixes && table.prefix_edits(depth) <= max {
                let edits = table.prefix_edits(depth);
                out.push(SimilarTerm {
                    term: at,
                    edits,
                    is_prefix: true,
                });
            }
            at += 1;
        }
        out
    }

    /// Like [`partition`](Self::partition) from a term to the end, for a result that is probably
    /// near.
    fn gallop(&self, from: u32, is_before: impl Fn(&str) -> bool) -> u32 {
        let (mut low, mut step) = (from, 1);
        let mut high = from;
        while high < self.end() && is_before(self.get(high)) {
            low = high + 1;
            high = high.saturating_add(step).min(self.end());
            step *= 2;
        }
        self.partition(low..high, is_before)
    }
}

/// Returns the range of item `index` of a list whose items end at `ends`; empty if there is none.
pub(crate) fn range_of(ends: &[u32], index: u32) -> Range<usize> {
    let end_of = |index: usize| ends.get(index).copied().map(|end| end as usize);
    let start = (index as usize).checked_sub(1).map_or(Some(0), end_of);
    let end = end_of(index as usize);
    start.zip(end).map_or(0..0, |(start, end)| start..end)
}
