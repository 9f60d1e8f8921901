//! Did you mean …?

/// The candidate nearest to `word`, if it is near enough to be a slip: at most a third of the
/// letters differ (Damerau–Levenshtein, ASCII case ignored). Words over 64 characters never match.
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let mut comparison = Comparison::new(word);
    let length = comparison.word.len();
    if length > MAX_LETTERS {
        return None;
    }
    let mut limit = (length / 3).max(1);
    let mut found = None;
    for candidate in candidates {
        let Some(slips) = comparison.edit_distance(candidate, limit) else {
            continue;
        };
        found = Some(candidate);
        // Only a better one is looked for from here on.
        match slips.checked_sub(1) {
            Some(fewer) => limit = fewer,
            None => break,
        }
    }
    found
}

/// Whether one path is the other one with folders left out. The same name in quite another folder is
/// seldom what was meant.
pub fn is_shortened_path(one: &str, other: &str) -> bool {
    let parts = |path: &str| {
        let parts = path.split('/').filter(|part| !part.is_empty());
        parts.map(str::to_ascii_lowercase).collect::<Vec<_>>()
    };
    let (one, other) = (parts(one), parts(other));
    let (short, long) = match one.len() <= other.len() {
        true => (&one, &other),
        false => (&other, &one),
    };
    let mut rest = long.iter();
    short.last() == long.last() && short.iter().all(|part| rest.any(|other| other == part))
}

/// Letters of words that are compared; longer ones are no slips.
const MAX_LETTERS: usize = 64;
/// Groups of letters that are counted.
const GROUPS: usize = 64;

/// A word that others are compared with. Candidates can be many, and come from strangers: nothing is
/// allocated for each of them, and most are told apart by the letters that they have.
struct Comparison {
    word: Vec<char>,
    letters: [i16; GROUPS],
    other: Vec<char>,
    rows: [Vec<usize>; 3],
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().map(|letter| letter.to_ascii_lowercase())
}

const fn group(letter: char) -> usize {
    letter as usize % GROUPS
}

impl Comparison {
    fn new(word: &str) -> Self {
        let word: Vec<char> = letters(word).take(MAX_LETTERS + 1).collect();
        let mut counts = [0; GROUPS];
        for letter in &word {
            counts[group(*letter)] += 1;
        }
        Self {
            word,
            letters: counts,
            other: Vec::new(),
            rows: Default::default(),
        }
    }

    /// How many slips lie between the words; `None` when there are more than `limit`.
    fn edit_distance(&mut self, other: &str, limit: usize) -> Option<usize> {
        let longest = self.word.len() + limit;
        self.other.clear();
        self.other.extend(letters(other).take(longest + 1));
        // Each letter more or less is one slip.
        if self.other.len() > longest || self.other.len() + limit < self.word.len() {
            return None;
        }
        let mut counts = self.letters;
        for letter in &self.other {
            counts[group(*letter)] -= 1;
        }
        let missing = |sign: i16| -> i16 {
            let counts = counts.iter().map(|count| (count * sign).max(0));
            counts.sum()
        };
        let missing = missing(1).max(missing(-1));
        if usize::from(missing.unsigned_abs()) > limit {
            return None;
        }
        self.distance(limit)
    }

    /// As [`Self::slips`], by comparing the places of the letters, too. Places that lie further apart
    /// than the limit need not be looked at.
    fn distance(&mut self, limit: usize) -> Option<usize> {
        let (word, other) = (&self.word, &self.other);
        let [before, last, row] = &mut self.rows;
        let far = limit + 1;
        for line in [&mut *before, &mut *last, &mut *row] {
            line.clear();
            line.resize(other.len() + 1, far);
        }
        for (at, slips) in last.iter_mut().enumerate().take(far) {
            *slips = at;
        }
        for (i, a) in word.iter().enumerate() {
            row.fill(far);
            if i < limit {
                row[0] = i + 1;
            }
            let places = i.saturating_sub(limit)..other.len().min(i + limit + 1);
            let mut least = row[0];
            for j in places {
                let b = other[j];
                let mut best = (last[j] + usize::from(*a != b))
                    .min(last[j + 1] + 1)
                    .min(row[j] + 1);
                if i > 0 && j > 0 && *a == other[j - 1] && word[i - 1] == b {
                    best = best.min(before[j - 1] + 1);
                }
                row[j + 1] = best.min(far);
                least = least.min(best);
            }
            // Later rows grow from the last two, and exchanged letters cost one.
            if least > limit && last.iter().all(|slips| *slips > limit) {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        last.last().copied().filter(|slips| *slips <= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_folder_more_or_less_is_alike() {
        for (one, other, alike) in [
            ("/setup", "/guides/setup", true),
            ("/docs/guides/Setup", "guides/setup", true),
            ("/old/setup", "/guides/setup", false),
            ("/setup/a", "/setup", false),
            ("/", "/a", false),
        ] {
            assert_eq!(is_shortened_path(one, other), alike, "{one} {other}");
        }
    }

    #[test]
    fn a_slip_finds_its_word_and_a_stranger_does_not() {
        let words = ["navigation", "navbar", "name"];
        assert_eq!(did_you_mean("navigaton", words), Some("navigation"));
        assert_eq!(did_you_mean("nmae", words), Some("name"));
        assert_eq!(did_you_mean("footer", words), None);
        assert_eq!(did_you_mean("NAVIGATION", words), Some("navigation"));
        assert_eq!(did_you_mean("vanigation", words), Some("navigation"));
        assert_eq!(did_you_mean("nameandmore", words), None);
    }

    /// The definition, without any short cut.
    fn plain(left: &str, right: &str) -> usize {
        let (left, right): (Vec<char>, Vec<char>) =
            (letters(left).collect(), letters(right).collect());
        let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
        for i in 1..=left.len() {
            let mut row = vec![i];
            for j in 1..=right.len() {
                let (a, b) = (left[i - 1], right[j - 1]);
                let mut best = (rows[i - 1][j - 1] + usize::from(a != b))
                    .min(rows[i - 1][j] + 1)
                    .min(row[j - 1] + 1);
                if i > 1 && j > 1 && a == right[j - 2] && left[i - 2] == b {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                row.push(best);
            }
            rows.push(row);
        }
        rows[left.len()][right.len()]
    }

    #[test]
    fn short_cuts_do_not_change_the_number_of_slips() {
        let mut state: u32 = 7;
        let mut random = |most: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % most
        };
        for _ in 0..3_000 {
            let mut word = || -> String {
                let length = random(9);
                (0..length)
                    .map(|_| ['a', 'b', 'C', 'd'][random(4) as usize])
                    .collect()
            };
            let (one, two) = (word(), word());
            let right = plain(&one, &two);
            for limit in 0..6 {
                let slips = Comparison::new(&one).edit_distance(&two, limit);
                assert_eq!(
                    slips,
                    Some(right).filter(|slips| *slips <= limit),
                    "{one} {two} {limit}"
                );
            }
        }
    }

    #[test]
    fn of_like_candidates_the_first_one_is_meant() {
        assert_eq!(did_you_mean("page-x", ["page-1", "page-2"]), Some("page-1"));
        assert_eq!(
            did_you_mean("page-22", ["page-1", "page-2", "PAGE-22"]),
            Some("PAGE-22")
        );
        let long = "x".repeat(65);
        assert_eq!(did_you_mean(&long, [&*long]), None);
    }
}
