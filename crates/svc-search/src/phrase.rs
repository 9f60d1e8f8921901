//! Phrases: words that must follow each other.

use std::collections::BTreeSet;

use crate::index::Index;
use crate::query::{QueryToken, QueryTokens};

impl Index {
    /// Returns the sections that contain all phrases of a query, or `None` if it has no phrases.
    pub(crate) fn sections_with_phrases(&self, query: &QueryTokens) -> Option<BTreeSet<u32>> {
        let phrases = query.phrases.iter().cloned();
        let phrases = phrases.filter_map(|phrase| query.words.get(phrase));
        phrases
            .map(|words| self.sections_with_phrase(words))
            .reduce(|a, b| a.intersection(&b).copied().collect())
    }

    fn sections_with_phrase(&self, words: &[QueryToken]) -> BTreeSet<u32> {
        let terms = words.iter().map(|word| self.dictionary.find(&word.text));
        let Some(terms) = terms.collect::<Option<Vec<u32>>>() else {
            return BTreeSet::new();
        };
        let Some(rarest) = terms.iter().min_by_key(|term| self.frequency(**term)) else {
            return BTreeSet::new();
        };
        let mut sections: Vec<u32> = self
            .postings(*rarest)
            .map(|posting| posting.section)
            .collect();
        for &term in terms.iter().filter(|term| *term != rarest) {
            let mut other = self
                .postings(term)
                .map(|posting| posting.section)
                .peekable();
            sections.retain(|section| {
                while other.next_if(|next| next < section).is_some() {}
                other.peek() == Some(section)
            });
        }
        // The positions at which the phrase would begin, according to each word.
        let mut starts: Option<BTreeSet<(u32, u32)>> = None;
        let first = words.first().map_or(0, |word| word.position);
        for (word, &term) in words.iter().zip(&terms) {
            if !self.has_positions(term) {
                continue;
            }
            let distance = word.position - first;
            let mut found = BTreeSet::new();
            self.positions(term, &sections, &mut |section, position| {
                found.extend(position.checked_sub(distance).map(|start| (section, start)));
            });
            starts = Some(match starts {
                Some(starts) => starts.intersection(&found).copied().collect(),
                None => found,
            });
        }
        match starts {
            Some(starts) => starts.into_iter().map(|(section, _)| section).collect(),
            // All words are so common that their positions are not stored.
            None => sections.into_iter().collect(),
        }
    }
}
