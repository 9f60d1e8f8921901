//! Distances between a word and sorted terms.

/// The edits between a word and the beginnings of the current term, one row for each letter of the
/// term. Consecutive terms share the rows of their common beginning.
pub(crate) struct EditTable {
    word: Vec<char>,
    max: usize,
    letters: Vec<char>,
    /// Rows of `word.len() + 1` cells. Cells further than `max` from the diagonal are not computed.
    rows: Vec<u8>,
    /// For each row the fewest edits between the word and this or a shorter beginning.
    prefix_edits: Vec<u8>,
}

impl EditTable {
    pub(crate) fn new(word: &str, max: u8) -> Self {
        let word: Vec<char> = word.chars().collect();
        let far = max + 1;
        let first = (0..=word.len()).map(|i| u8::try_from(i).unwrap_or(far).min(far));
        Self {
            rows: first.collect(),
            prefix_edits: vec![u8::try_from(word.len()).unwrap_or(far).min(far)],
            word,
            max: usize::from(max),
            letters: Vec::new(),
        }
    }

    /// Drops the rows of other letters than those of `term`; returns the number of shared letters.
    pub(crate) fn shared(&mut self, term: &str) -> usize {
        let letters = term.chars().zip(&self.letters);
        let shared = letters.take_while(|(a, b)| a == *b).count();
        self.letters.truncate(shared);
        self.rows.truncate((shared + 1) * (self.word.len() + 1));
        self.prefix_edits.truncate(shared + 1);
        shared
    }

    /// Appends the row of a letter. Returns false if no term with this beginning is similar.
    pub(crate) fn push(&mut self, c: char, depth: usize) -> bool {
        let width = self.word.len() + 1;
        let far = u8::try_from(self.max + 1).unwrap_or(u8::MAX);
        let start = depth * width;
        self.letters.push(c);
        self.rows.resize(start + width, far);
        if depth <= self.max {
            self.rows[start] = u8::try_from(depth).unwrap_or(far);
        }
        let (low, high) = (
            depth.saturating_sub(self.max).max(1),
            (depth + self.max).min(width - 1),
        );
        let mut least = self.rows[start];
        for i in low..=high {
            let above = start - width + i;
            let letter = self.word[i - 1];
            let mut edits = self.rows[above - 1] + u8::from(letter != c);
            edits = edits
                .min(self.rows[above] + 1)
                .min(self.rows[start + i - 1] + 1);
            if depth > 1 && i > 1 && letter == self.letters[depth - 2] && self.word[i - 2] == c {
                edits = edits.min(self.rows[above - width - 2] + 1);
            }
            let edits = edits.min(far);
            self.rows[start + i] = edits;
            least = least.min(edits);
        }
        let prefix = self.prefix_edits[depth - 1].min(self.rows[start + width - 1]);
        self.prefix_edits.push(prefix);
        least < far
    }

    pub(crate) fn edits(&self, depth: usize) -> u8 {
        self.rows[(depth + 1) * (self.word.len() + 1) - 1]
    }

    pub(crate) fn prefix_edits(&self, depth: usize) -> u8 {
        self.prefix_edits[depth]
    }
}

#[cfg(test)]
mod tests {
    use crate::dictionary::{Dictionary, SimilarTerm};

    /// The optimal string alignment distance, straight from its definition.
    fn distance(a: &[char], b: &[char]) -> usize {
        let (Some((x, a_rest)), Some((y, b_rest))) = (a.split_last(), b.split_last()) else {
            return a.len().max(b.len());
        };
        let mut least = distance(a_rest, b_rest) + usize::from(x != y);
        least = least
            .min(distance(a_rest, b) + 1)
            .min(distance(a, b_rest) + 1);
        if let ([a_head @ .., p, q], [b_head @ .., r, s]) = (a, b)
            && (p, q) == (s, r)
        {
            least = least.min(distance(a_head, b_head) + 1);
        }
        least
    }

    #[test]
    fn similar_terms_are_those_within_the_distance() {
        let mut terms: Vec<String> = Vec::new();
        for length in 0..6_u32 {
            for number in 0..3_u32.pow(length) {
                let letter =
                    |i| char::from(b'a' + u8::try_from(number / 3_u32.pow(i) % 3).unwrap());
                terms.push((0..length).map(letter).collect());
            }
        }
        terms.retain(|term| !term.is_empty());
        terms.sort();
        let mut dictionary = Dictionary::default();
        terms.iter().for_each(|term| dictionary.push(term));
        for word in ["abca", "aabb", "cbcb", "bac"] {
            let letters: Vec<char> = word.chars().collect();
            for max in 1..=2 {
                let similar = dictionary.similar(word, max, false);
                let expected = (0..).zip(&terms).filter_map(|(term, text)| {
                    let text: Vec<char> = text.chars().collect();
                    let edits = u8::try_from(distance(&letters, &text)).unwrap();
                    (edits <= max).then_some(SimilarTerm {
                        term,
                        edits,
                        is_prefix: false,
                    })
                });
                assert_eq!(similar, expected.collect::<Vec<_>>(), "{word} {max}");
            }
        }
    }

    #[test]
    fn a_similar_beginning_is_enough_for_incomplete_words() {
        let mut dictionary = Dictionary::default();
        ["configuration", "configure", "confirm"]
            .iter()
            .for_each(|term| dictionary.push(term));
        let similar = dictionary.similar("cnofig", 1, true);
        let terms: Vec<u32> = similar.iter().map(|similar| similar.term).collect();
        assert_eq!(terms, [0, 1]);
        assert!(
            similar
                .iter()
                .all(|similar| similar.is_prefix && similar.edits == 1)
        );
        assert_eq!(dictionary.similar("cnofig", 1, false), []);
    }
}
