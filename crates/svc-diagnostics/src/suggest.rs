//! Did you mean …?

/// The candidate nearest to `word`, if it is near enough to be a slip: at most a third of the
/// letters differ (Damerau–Levenshtein, ASCII case ignored). Words over 64 characters never match.
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let length = word.chars().count();
    if length > 64 {
        return None;
    }
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        // Each letter more or less is one difference.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .filter_map(|candidate| Some((distance(word, candidate, limit)?, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
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

/// How many slips lie between the words; `None` when there are more than `limit`.
fn distance(left: &str, right: &str, limit: usize) -> Option<usize> {
    let left: Vec<char> = left.chars().map(|c| c.to_ascii_lowercase()).collect();
    let right: Vec<char> = right.chars().map(|c| c.to_ascii_lowercase()).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let mut best = (last[j] + usize::from(a != b))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
        // Later rows grow from the last two, and exchanged letters cost one.
        if last.iter().chain(&before).all(|slips| *slips > limit) {
            return None;
        }
    }
    Some(last[right.len()]).filter(|slips| *slips <= limit)
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
}
