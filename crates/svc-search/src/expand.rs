//! The terms of the index for each word of a query.

use std::cmp::Reverse;

use crate::fold::is_unspaced;
use crate::index::NO_CLASS;
use crate::logarithm::log2;
use crate::query::{QueryToken, QueryTokens};
use crate::stopwords::is_stopword;
use crate::vocabulary::Vocabulary;

/// Maximum number of terms of one kind for a word: longer words, similar words.
const MAX_TERMS: usize = 64;
/// Minimum number of letters of a word in which one typing error is corrected.
const MIN_LETTERS_ONE_EDIT: usize = 4;
/// Minimum number of letters of a word in which two typing errors are corrected.
const MIN_LETTERS_TWO_EDITS: usize = 8;
/// Minimum number of letters of a compound in which one typing error is corrected.
const MIN_COMPOUND_LETTERS: usize = 6;
/// Minimum number of letters of a stem that is compared with an unknown word.
const MIN_STEM_LETTERS: usize = 4;
/// Maximum number of letters after the stem of an unknown word.
const MAX_SUFFIX_LETTERS: usize = 4;
/// Minimum number of letters of each part of an unknown word that is split.
const MIN_PART_LETTERS: usize = 4;
/// Letters between the parts of German and Scandinavian compounds.
const LINKING_LETTERS: [&str; 6] = ["", "s", "es", "n", "en", "e"];
/// Importance of a word that every section contains.
const MIN_IMPORTANCE: f64 = 1.0 / 64.0;
/// Minimum number of words of a query in which stop words count less.
const MIN_SENTENCE_TOKENS: usize = 3;
/// A word in at most so many sections may be a typing error of the author.
const MAX_RARE_SECTIONS: u32 = 2;
/// How many times more frequent a similar word must be to correct a rare word of the site.
pub(crate) const MIN_CORRECTION_RATIO: u32 = 8;

/// What a token of a query is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    Compound,
}

impl TokenKind {
    /// Minimum number of letters in which one typing error is corrected.
    const fn min_letters(self) -> usize {
        match self {
            Self::Word => MIN_LETTERS_ONE_EDIT,
            Self::Compound => MIN_COMPOUND_LETTERS,
        }
    }
}

/// A term of the index that matches a word of the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Match {
    pub(crate) term: u32,
    /// Factor for the score, at most 1.
    pub(crate) weight: f64,
}

/// The terms that match a word of the query, the best first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TokenMatches {
    pub(crate) matches: Vec<Match>,
    /// Importance: the rarer the word is, the greater.
    pub(crate) importance: f64,
    /// Whether the index contains the word itself.
    pub(crate) is_exact: bool,
    /// Similar terms that the reader may mean, the most likely first.
    pub(crate) corrections: Vec<u32>,
    pub(crate) kind: TokenKind,
    /// Number of the word in the query; `None` for a compound or a part of a word.
    pub(crate) word: Option<usize>,
}

impl Vocabulary<'_> {
    /// Returns the matching terms of all words and compounds of a query. A word without any match
    /// is part of the result: pages cannot contain all words then.
    pub(crate) fn match_tokens(&self, query: &QueryTokens) -> Vec<TokenMatches> {
        let joined = self.joined_terms(&query.words);
        let mut out = Vec::new();
        let (mut chunk, mut factor) = (None, 1.0);
        for (number, word) in query.words.iter().enumerate() {
            if chunk != Some(word.chunk) {
                chunk = Some(word.chunk);
                factor = self.match_compound(query, word.chunk, &mut out);
            }
            let mut matches = self.match_token(&word.text, word.is_open, TokenKind::Word);
            if matches.matches.is_empty() {
                let parts = if word.parts.is_empty() {
                    self.split(&word.text)
                } else {
                    word.parts.clone()
                };
                if !parts.is_empty() {
                    let parts = parts.iter();
                    out.extend(parts.map(|part| self.match_token(part, false, TokenKind::Word)));
                    continue;
                }
            }
            // A word that is repeated counts once.
            let mut before = query.words.iter().take(number);
            let is_known = !word.is_open && matches.corrections.is_empty();
            if is_known && before.any(|other| other.text == word.text) {
                continue;
            }
            matches.importance *= factor;
            if query.words.len() >= MIN_SENTENCE_TOKENS && is_stopword(&word.text) {
                matches.importance *= self.index.weights.stopword;
            }
            matches.word = Some(number);
            // "auto vacuum" also finds "autovacuum".
            let pairs = joined.get(number..(number + 2).min(joined.len()));
            let pairs = pairs.into_iter().flatten().flatten();
            matches.matches.extend(pairs.map(|&term| Match {
                term,
                weight: self.index.weights.joined,
            }));
            out.push(matches);
        }
        out
    }

    /// Adds the matches of the compound of a chunk. Returns the factor for the importance of the
    /// words in it.
    fn match_compound(&self, query: &QueryTokens, chunk: u32, out: &mut Vec<TokenMatches>) -> f64 {
        let mut compounds = query.compounds.iter();
        let Some(compound) = compounds.find(|compound| compound.chunk == chunk) else {
            return 1.0;
        };
        let mut matches = self.match_token(&compound.text, compound.is_open, TokenKind::Compound);
        if matches.matches.is_empty() {
            return 1.0;
        }
        let factor = if matches.is_exact {
            self.index.weights.compound_parts
        } else {
            self.index.weights.compound_parts_similar
        };
        matches.importance *= self.index.weights.compound_word;
        out.push(matches);
        factor
    }

    /// The term that consists of each word and the one before it, and `None` at both ends.
    fn joined_terms(&self, words: &[QueryToken]) -> Vec<Option<u32>> {
        let pairs = words.windows(2).map(|pair| {
            let joined: String = pair.iter().map(|word| word.text.as_str()).collect();
            self.find(&joined)
        });
        let ends = std::iter::once(None);
        ends.clone().chain(pairs).chain(ends).collect()
    }

    /// Splits an unknown word into two known ones: "Datenbankwiederherstellung".
    fn split(&self, word: &str) -> Vec<String> {
        let letters: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        let ends = letters.get(MIN_PART_LETTERS..).unwrap_or(&[]);
        for &end in ends.iter().rev() {
            let (first, rest) = word.split_at(end);
            if rest.chars().count() < MIN_PART_LETTERS || self.find(rest).is_none() {
                continue;
            }
            let mut stems = LINKING_LETTERS
                .iter()
                .filter_map(|letters| first.strip_suffix(letters));
            if let Some(first) = stems.find(|first| self.find(first).is_some()) {
                return vec![first.to_owned(), rest.to_owned()];
            }
        }
        Vec::new()
    }

    fn match_token(&self, word: &str, is_open: bool, kind: TokenKind) -> TokenMatches {
        let mut matches = Vec::new();
        let exact = self.find(word);
        matches.extend(exact.map(|term| Match { term, weight: 1.0 }));
        let class = exact.map_or_else(|| self.nearest_class(word), |term| self.class_of(term));
        let weight = if exact.is_some() {
            self.index.weights.stem
        } else {
            self.index.weights.stem_of_unknown
        };
        let forms = class.into_iter().flat_map(|class| self.members(class));
        let forms = forms.filter(|term| Some(*term) != exact);
        matches.extend(forms.map(|term| Match { term, weight }));
        // The word itself decides how rare it is, longer and similar words only if it is unknown.
        let mut known = matches.len();
        let mut is_unknown = exact.is_none();
        if is_open {
            self.add_longer(word, &mut matches);
            is_unknown &= matches.len() == known;
            known = if known == 0 { matches.len() } else { known };
        }
        let mut frequency = self.frequency_of(&matches[..known]);
        let mut corrections = Vec::new();
        let is_doubtful = kind == TokenKind::Word && frequency <= MAX_RARE_SECTIONS;
        if is_unknown || is_doubtful {
            let first = matches.len();
            let (weight, least) = if is_unknown {
                (1.0, 1)
            } else {
                let least = frequency * MIN_CORRECTION_RATIO;
                (self.index.weights.edit_of_word, least)
            };
            let min_letters = kind.min_letters();
            self.add_similar(
                word,
                is_open && is_unknown,
                min_letters,
                least,
                &mut matches,
            );
            for matched in &mut matches[first..] {
                matched.weight *= weight;
            }
            corrections.extend(matches[first..].iter().map(|matched| matched.term));
            if frequency == 0 {
                frequency = self.frequency_of(&matches[first..]);
            }
        }
        TokenMatches {
            importance: self.importance(frequency),
            is_exact: exact.is_some(),
            corrections,
            matches,
            kind,
            word: None,
        }
    }

    /// The stem of a term.
    fn class_of(&self, term: u32) -> Option<u32> {
        let class = self.index.classes.get(term as usize).copied();
        class.filter(|&class| class != NO_CLASS)
    }

    fn frequency_of(&self, matches: &[Match]) -> u32 {
        matches
            .iter()
            .map(|matched| self.frequency(matched.term))
            .sum()
    }

    /// Adds the most frequent terms that begin with `word`.
    fn add_longer(&self, word: &str, out: &mut Vec<Match>) {
        let weight = if out.is_empty() {
            self.index.weights.prefix
        } else {
            self.index.weights.prefix_of_word
        };
        let longer = self.index.dictionary.with_prefix(word);
        let is_new = |term: &u32| out.iter().all(|m| m.term != *term);
        let longer = longer.filter(is_new);
        let longer = longer.map(|term| (Reverse(self.frequency(term)), term));
        let mut longer: Vec<(Reverse<u32>, u32)> =
            longer.filter(|(frequency, _)| frequency.0 > 0).collect();
        if longer.len() > MAX_TERMS {
            longer.select_nth_unstable(MAX_TERMS);
            longer.truncate(MAX_TERMS);
        }
        longer.sort_unstable();
        out.extend(longer.into_iter().map(|(_, term)| Match { term, weight }));
    }

    /// Adds the terms in at least `min_frequency` sections that differ from `word` by typing errors.
    fn add_similar(
        &self,
        word: &str,
        is_open: bool,
        min_letters: usize,
        min_frequency: u32,
        out: &mut Vec<Match>,
    ) {
        let letters = word.chars().count();
        if letters < min_letters || word.contains(is_unspaced) {
            return;
        }
        let max = if letters < MIN_LETTERS_TWO_EDITS {
            1
        } else {
            2
        };
        let mut similar = self.index.dictionary.similar(word, max, is_open);
        similar.retain(|similar| {
            let is_new = out.iter().all(|matched| matched.term != similar.term);
            is_new && self.frequency(similar.term) >= min_frequency
        });
        similar.sort_by_cached_key(|s| {
            (
                s.edits,
                s.is_prefix,
                Reverse(self.frequency(s.term)),
                s.term,
            )
        });
        similar.truncate(MAX_TERMS);
        out.extend(similar.into_iter().map(|similar| {
            let mut weight = self.index.weights.edit;
            if similar.edits > 1 {
                weight *= self.index.weights.edit;
            }
            if similar.is_prefix {
                weight *= self.index.weights.edit_prefix;
            }
            Match {
                term: similar.term,
                weight,
            }
        }));
    }

    /// Returns the class of a word that no page contains: that with the longest stem with which the
    /// word begins.
    fn nearest_class(&self, word: &str) -> Option<u32> {
        let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        let shortest = MIN_STEM_LETTERS.max(ends.len().saturating_sub(MAX_SUFFIX_LETTERS));
        let stems = ends.get(shortest..)?.iter().rev();
        stems
            .filter_map(|&end| word.get(..end))
            .filter_map(|stem| self.index.stems.find(stem))
            .find(|&class| self.members(class).next().is_some())
    }

    /// The importance of a word that is in `frequency` sections.
    fn importance(&self, frequency: u32) -> f64 {
        let count = f64::from(u32::try_from(self.section_count).unwrap_or(u32::MAX));
        let frequency = f64::from(frequency).min(count);
        log2(1.0 + (count - frequency + 0.5) / (frequency + 0.5)).max(MIN_IMPORTANCE)
    }
}
