//! The lines of a section that matter for a query.

use svc_site::estimated_tokens;

use crate::bounded_text::fit_lines;

/// Number of bytes at the beginning of a section that are looked at.
const MAX_SECTION_BYTES: usize = 64 << 10;
/// Stands for lines that were left out.
const GAP: &str = "…\n";

/// The lines of a text around those with the most words, in their order, in at most `tokens`
/// tokens. `words` are in lower case. `None` if no line has any of them.
pub(crate) fn excerpt(text: &str, words: &[String], tokens: usize) -> Option<String> {
    let text = &text[..text.floor_char_boundary(MAX_SECTION_BYTES)];
    let lines: Vec<&str> = text.lines().collect();
    let scores: Vec<usize> = lines.iter().map(|line| score(line, words)).collect();
    let best = (0..lines.len())
        .rev()
        .max_by_key(|index| scores.get(*index).copied())?;
    if scores.get(best).copied() == Some(0) {
        return None;
    }
    let cost = |index: usize| {
        lines
            .get(index)
            .map_or(0, |line| estimated_tokens(line) + 1)
    };
    let mut left = tokens.saturating_sub(2 * estimated_tokens(GAP));
    if cost(best) > left {
        let line = lines.get(best).copied().unwrap_or_default();
        return Some(around(line, words, tokens));
    }
    let mut included = vec![false; lines.len()];
    let mut include = |index: usize, left: &mut usize| {
        let cost = cost(index);
        let fits = cost <= *left;
        if let (true, Some(slot)) = (fits, included.get_mut(index)) {
            *slot = true;
            *left -= cost;
        }
        fits
    };
    include(best, &mut left);
    // The other lines with the most words first, then those around the best one.
    let mut others: Vec<usize> = (0..lines.len())
        .filter(|index| *index != best && scores.get(*index).is_some_and(|score| *score > 0))
        .collect();
    others.sort_by_key(|index| {
        let score = scores.get(*index).copied().unwrap_or_default();
        (usize::MAX - score, index.abs_diff(best))
    });
    let half = left / 2;
    for index in others {
        let gap = estimated_tokens(GAP);
        if left <= half || left < gap {
            break;
        }
        if include(index, &mut left) {
            left = left.saturating_sub(gap);
        }
    }
    let (mut before, mut after) = (best.checked_sub(1), best + 1);
    loop {
        let mut grew = false;
        if after < lines.len() && include(after, &mut left) {
            (after, grew) = (after + 1, true);
        }
        if let Some(index) = before
            && include(index, &mut left)
        {
            (before, grew) = (index.checked_sub(1), true);
        }
        if !grew {
            break;
        }
    }
    let mut out = String::new();
    let mut gap = false;
    for (line, included) in lines.iter().zip(&included) {
        if *included {
            if gap {
                out.push_str(GAP);
            }
            out.push_str(line);
            out.push('\n');
        }
        gap = !included;
    }
    if gap {
        out.push_str(GAP);
    }
    Some(fit_lines(&out, tokens).to_owned())
}

/// The part of a long line around its first word.
fn around(line: &str, words: &[String], tokens: usize) -> String {
    let lower = line.to_lowercase();
    let first = words
        .iter()
        .filter_map(|word| lower.find(word.as_str()))
        .min();
    // Lower case can have another length, so the position is only near.
    let lead = first.unwrap_or(0).saturating_sub(tokens);
    let start = line.floor_char_boundary(lead.min(line.len()));
    let start = line[start..]
        .find(' ')
        .filter(|_| start > 0)
        .map_or(start, |at| start + at + 1);
    let mark = if start > 0 { "… " } else { "" };
    let rest = fit_lines(&line[start..], tokens.saturating_sub(4));
    let end = if start + rest.len() < line.len() {
        " …"
    } else {
        ""
    };
    format!("{mark}{}{end}\n", rest.trim_end())
}

/// Number of different words of a line, weighted by their length.
fn score(line: &str, words: &[String]) -> usize {
    let lower = line.to_lowercase();
    let found = words.iter().filter(|word| lower.contains(word.as_str()));
    found.map(|word| word.chars().count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_best_lines_are_chosen() {
        let mut lines: Vec<String> = (0..50).map(|n| format!("Line {n} of the text.")).collect();
        lines[30] = "Set the rate limit here.".to_owned();
        lines[5] = "A limit exists.".to_owned();
        let text = lines.join("\n");
        let excerpt_of = |tokens| excerpt(&text, &terms("rate limit"), tokens).unwrap();
        let short = excerpt_of(12);
        assert_eq!(short, "…\nSet the rate limit here.\n…\n");
        let long = excerpt_of(60);
        assert!(long.contains("A limit exists.\n…\n"), "{long}");
        assert!(
            long.contains("Line 29 of the text.\nSet the rate"),
            "{long}"
        );
        for tokens in 5..200 {
            assert!(estimated_tokens(&excerpt_of(tokens)) <= tokens, "{tokens}");
        }
        assert_eq!(excerpt(&text, &terms("nothing"), 60), None);
    }

    #[test]
    fn long_lines_are_cut_around_the_word() {
        let line = format!("{} needle {}", "word ".repeat(300), "tail ".repeat(300));
        for tokens in 8..100 {
            let found = excerpt(&line, &terms("needle"), tokens).unwrap();
            assert!(estimated_tokens(&found) <= tokens, "{tokens}: {found}");
            assert!(tokens < 30 || found.contains("needle"), "{tokens}: {found}");
        }
    }
}
