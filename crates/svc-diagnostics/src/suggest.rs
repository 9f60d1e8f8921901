//! "Did you mean" suggestions.

/// Returns the candidate closest to `input` if at most a third of the letters differ
/// (Damerau–Levenshtein distance, ASCII case ignored), otherwise `None`. Words over 64 characters
/// never match.
pub fn did_you_mean<'a>(
    input: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let mut comparison = Comparison::new(input);
    let length = comparison.input.len();
    if length > MAX_LETTERS {
        return None;
    }
    let mut limit = (length / 3).max(1);
    let mut best = None;
    for candidate in candidates {
        let Some(distance) = comparison.edit_distance(candidate, limit) else {
            continue;
        };
        best = Some(candidate);
        // From here on only a smaller distance is accepted.
        match distance.checked_sub(1) {
            Some(fewer) => limit = fewer,
            None => break,
        }
    }
    best
}

/// Returns true if one text is the other one with a typing error: they differ by at most two letters
/// and a fifth of them, or only by case, `-` and `_`. Unlike a suggestion, this needs no decision by
/// the user.
pub fn is_typing_error(one: &str, other: &str) -> bool {
    let plain = |text: &str| text.replace(['-', '_'], "").to_ascii_lowercase();
    if plain(one) == plain(other) {
        return true;
    }
    let limit = (one.chars().count() / 5).clamp(1, 2);
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let same = same.count();
    let rest = |text: &str| text.chars().skip(same).collect::<String>();
    let (one, other) = (rest(one), rest(other));
    let is_short = |text: &str| text.chars().count() <= MAX_LETTERS;
    let mut comparison = Comparison::new(&one);
    is_short(&one) && is_short(&other) && comparison.edit_distance(&other, limit).is_some()
}

/// Returns true if one path is the other one with some folders left out. The same file name in an
/// unrelated folder is rarely what was meant.
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

/// Maximum length of the words that are compared; longer words never match.
const MAX_LETTERS: usize = 64;
/// Number of letter groups that are counted.
const GROUPS: usize = 64;

/// A word to compare candidates with. There can be many candidates from untrusted input, so nothing
/// is allocated per candidate, and letter counts rule out most of them.
struct Comparison {
    input: Vec<char>,
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
    fn new(input: &str) -> Self {
        let input: Vec<char> = letters(input).take(MAX_LETTERS + 1).collect();
        let mut counts = [0; GROUPS];
        for letter in &input {
            counts[group(*letter)] += 1;
        }
        Self {
            input,
            letters: counts,
            other: Vec::new(),
            rows: Default::default(),
        }
    }

    /// Returns the edit distance of the words, or `None` if it is greater than `limit`.
    fn edit_distance(&mut self, other: &str, limit: usize) -> Option<usize> {
        let max_len = self.input.len() + limit;
        self.other.clear();
        self.other.extend(letters(other).take(max_len + 1));
        // Every letter of difference in length costs one edit.
        if self.other.len() > max_len || self.other.len() + limit < self.input.len() {
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

    /// Computes [`Self::edit_distance`] by dynamic programming. Only cells within `limit` of the
    /// diagonal are computed.
    fn distance(&mut self, limit: usize) -> Option<usize> {
        let (input, other) = (&self.input, &self.other);
        let [before, last, row] = &mut self.rows;
        let far = limit + 1;
        for line in [&mut *before, &mut *last, &mut *row] {
            line.clear();
            line.resize(other.len() + 1, far);
        }
        for (at, cost) in last.iter_mut().enumerate().take(far) {
            *cost = at;
        }
        for (i, a) in input.iter().enumerate() {
            row.fill(far);
            if i < limit {
                row[0] = i + 1;
            }
            let columns = i.saturating_sub(limit)..other.len().min(i + limit + 1);
            let mut least = row[0];
            for j in columns {
                let b = other[j];
                let mut best = (last[j] + usize::from(*a != b))
                    .min(last[j + 1] + 1)
                    .min(row[j] + 1);
                if i > 0 && j > 0 && *a == other[j - 1] && input[i - 1] == b {
                    best = best.min(before[j - 1] + 1);
                }
                row[j + 1] = best.min(far);
                least = least.min(best);
            }
            // Later rows derive from the last two rows, because a transposition costs one edit.
            if least > limit && last.iter().all(|cost| *cost > limit) {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        last.last().copied().filter(|cost| *cost <= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_differ_by_leading_or_inner_segments_match() {
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
    fn a_typing_error_is_closer_than_a_suggestion() {
        for (one, other, alike) in [
            ("rokcet", "rocket", true),
            ("v45-format", "v4-5-format", true),
            ("by-task-and-wait", "bytaskandwait", true),
            ("Setup", "setup", true),
            ("http-requests", "mcp-request", false),
            ("caching-middleware", "combining-middleware", false),
            ("cat", "bar", false),
        ] {
            assert_eq!(is_typing_error(one, other), alike, "{one} {other}");
        }
    }

    #[test]
    fn a_typo_matches_and_an_unrelated_name_does_not() {
        let names = ["navigation", "navbar", "name"];
        assert_eq!(did_you_mean("navigaton", names), Some("navigation"));
        assert_eq!(did_you_mean("nmae", names), Some("name"));
        assert_eq!(did_you_mean("footer", names), None);
        assert_eq!(did_you_mean("NAVIGATION", names), Some("navigation"));
        assert_eq!(did_you_mean("vanigation", names), Some("navigation"));
        assert_eq!(did_you_mean("nameandmore", names), None);
    }

    /// Damerau–Levenshtein distance by definition, without shortcuts.
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
    fn shortcuts_do_not_change_the_edit_distance() {
        let mut state: u32 = 7;
        let mut random = |bound: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % bound
        };
        for _ in 0..3_000 {
            let mut random_text = || -> String {
                let length = random(9);
                (0..length)
                    .map(|_| ['a', 'b', 'C', 'd'][random(4) as usize])
                    .collect()
            };
            let (one, two) = (random_text(), random_text());
            let right = plain(&one, &two);
            for limit in 0..6 {
                let distance = Comparison::new(&one).edit_distance(&two, limit);
                assert_eq!(
                    distance,
                    Some(right).filter(|distance| *distance <= limit),
                    "{one} {two} {limit}"
                );
            }
        }
    }

    #[test]
    fn the_first_of_equally_close_candidates_is_suggested() {
        assert_eq!(did_you_mean("page-x", ["page-1", "page-2"]), Some("page-1"));
        assert_eq!(
            did_you_mean("page-22", ["page-1", "page-2", "PAGE-22"]),
            Some("PAGE-22")
        );
        let long = "x".repeat(65);
        assert_eq!(did_you_mean(&long, [&*long]), None);
    }
}
