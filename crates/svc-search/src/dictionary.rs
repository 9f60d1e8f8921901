//! The sorted terms of an index.

use std::ops::Range;

use crate::edit_table::EditTable;
use crate::letters::Letters;

/// Number of terms whose letters are compared at once.
const CHUNK: usize = 16;

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
    /// Letters of each term.
    letters: Vec<Letters>,
}

impl Dictionary {
    /// Appends a term, which must be greater than the previous one.
    pub(crate) fn push(&mut self, term: &str) {
        self.letters.push(Letters::new(term));
        self.text.push_str(term);
        self.ends
            .push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the approximate memory in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.text.len() + self.ends.len() * 12
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
        // The term in the table, and how many of its letters are too many edits away.
        let (mut last, mut failed) = ("", usize::MAX);
        'terms: for term in self.with_similar_letters(word, max, prefixes) {
            let text = self.get(term);
            let letters = last.chars().zip(text.chars());
            let common = letters.take_while(|(a, b)| a == b).count();
            if common >= failed {
                continue;
            }
            (last, failed) = (text, usize::MAX);
            table.truncate(common);
            for letter in text.chars().skip(table.depth()) {
                let is_possible = table.push(letter);
                if !is_possible && (!prefixes || table.prefix_edits() > max) {
                    failed = table.depth();
                    continue 'terms;
                }
            }
            let (edits, prefix_edits) = (table.edits(), table.prefix_edits());
            if edits <= max || prefixes && prefix_edits <= max {
                let is_prefix = edits > max;
                out.push(SimilarTerm {
                    term,
                    edits: if is_prefix { prefix_edits } else { edits },
                    is_prefix,
                });
            }
        }
        out
    }

    /// Returns the terms that may be similar as far as their letters tell, whatever the order.
    fn with_similar_letters(&self, word: &str, max: u8, prefixes: bool) -> Vec<u32> {
        let letters = Letters::new(word);
        let is_similar = |other: &Letters| letters.are_similar(*other, max, prefixes);
        let mut out = Vec::new();
        for (number, chunk) in self.letters.chunks(CHUNK).enumerate() {
            // Without a branch for each term, so that several are compared at once.
            if chunk
                .iter()
                .fold(false, |any, other| any | is_similar(other))
            {
                let first = number * CHUNK;
                let terms = (first..).zip(chunk).filter(|(_, other)| is_similar(other));
                out.extend(terms.map(|(term, _)| u32::try_from(term).unwrap_or(u32::MAX)));
            }
        }
        out
    }
}

/// Returns the range of item `index` of a list whose items end at `ends`; empty if there is none.
pub(crate) fn range_of(ends: &[u32], index: u32) -> Range<usize> {
    let end_of = |index: usize| ends.get(index).copied().map(|end| end as usize);
    let start = (index as usize).checked_sub(1).map_or(Some(0), end_of);
    let end = end_of(index as usize);
    start.zip(end).map_or(0..0, |(start, end)| start..end)
}
