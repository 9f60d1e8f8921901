//! Distances between a word and sorted terms.

/// Maximum number of edits.
const MAX_EDITS: usize = 2;
/// Number of beginnings of the word whose lengths differ by at most [`MAX_EDITS`] from the length
/// of a beginning of the term.
const CELLS: usize = 2 * MAX_EDITS + 1;
/// Stands before and after the letters of the word; differs from all letters.
const NO_LETTER: char = char::MAX;

/// The edits between a word and the beginnings of a term, one row for each beginning. Consecutive
/// terms share the rows of their common beginning.
pub(crate) struct EditTable {
    /// The letters of the word between some of [`NO_LETTER`], so that no row is a special case.
    word: Vec<char>,
    /// Number of letters of the word.
    length: usize,
    /// The number of edits that stands for all greater ones.
    far: u8,
    /// The first row stands before that of the empty beginning.
    rows: Vec<Row>,
}

/// The edits between a beginning of the term and those of the word.
struct Row {
    /// The last letter of the beginning.
    letter: char,
    /// The beginning of the word that has the same length is in the middle. The first and the last
    /// cell are always far.
    cells: [u8; CELLS + 2],
    /// The fewest edits between the whole word and this or a shorter beginning.
    prefix_edits: u8,
}

impl EditTable {
    /// Creates a table for at most `max` edits, up to [`MAX_EDITS`].
    pub(crate) fn new(word: &str, max: u8) -> Self {
        let around = [NO_LETTER; CELLS];
        let letters = around.into_iter().chain(word.chars()).chain(around);
        let length = word.chars().count();
        let far = max + 1;
        let row = |cells| Row {
            letter: NO_LETTER,
            cells,
            prefix_edits: u8::try_from(length).unwrap_or(far).min(far),
        };
        let mut first = [far; CELLS + 2];
        for (cell, edits) in first[MAX_EDITS + 1..].iter_mut().zip(0..far) {
            *cell = edits;
        }
        Self {
            word: letters.collect(),
            length,
            far,
            rows: vec![row([far; CELLS + 2]), row(first)],
        }
    }

    /// Drops the rows of all beginnings longer than `letters`.
    pub(crate) fn truncate(&mut self, letters: usize) {
        self.rows.truncate(letters + 2);
    }

    /// Number of letters of the longest beginning.
    pub(crate) fn depth(&self) -> usize {
        self.rows.len() - 2
    }

    /// Appends the row of the next letter. Returns false if no term with this beginning is similar.
    pub(crate) fn push(&mut self, letter: char) -> bool {
        let word = self.word.get(self.rows.len()..).unwrap_or(&[]);
        let [.., before, above] = self.rows.as_slice() else {
            return false;
        };
        let mut cells = [self.far; CELLS + 2];
        if let Some(word) = word.first_chunk::<{ CELLS + 1 }>() {
            for cell in 1..=CELLS {
                let mut edits = above.cells[cell] + u8::from(word[cell] != letter);
                edits = edits
                    .min(above.cells[cell + 1] + 1)
                    .min(cells[cell - 1] + 1);
                if word[cell] == above.letter && word[cell - 1] == letter {
                    edits = edits.min(before.cells[cell] + 1);
                }
                cells[cell] = edits.min(self.far);
            }
        }
        let prefix_edits = above.prefix_edits;
        self.rows.push(Row {
            letter,
            cells,
            prefix_edits,
        });
        let edits = self.edits();
        if let Some(row) = self.rows.last_mut() {
            row.prefix_edits = prefix_edits.min(edits);
        }
        cells.iter().any(|&edits| edits < self.far)
    }

    /// The edits between the word and the longest beginning.
    pub(crate) fn edits(&self) -> u8 {
        let cell = (self.length + MAX_EDITS + 1).checked_sub(self.depth());
        let cells = self.rows.last().map(|row| &row.cells);
        let edits = cells.zip(cell).and_then(|(cells, cell)| cells.get(cell));
        edits.copied().unwrap_or(self.far)
    }

    /// The fewest edits between the word and any beginning.
    pub(crate) fn prefix_edits(&self) -> u8 {
        self.rows.last().map_or(self.far, |row| row.prefix_edits)
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
