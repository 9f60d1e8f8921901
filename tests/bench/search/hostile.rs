//! Queries that are made to cost much.

use svc_tests::random::Random;

const QUERIES: usize = 10_000;
/// Queries up to this size are sent to a server; the engine reads only their beginning.
const MAX_BYTES: usize = 10 << 10;
/// Words of most pages.
const COMMON_TERMS: &[&str] = &["the", "a", "to", "is", "of", "and", "in", "for"];
const LETTERS: &[&str] = &["a", "e", "i", "n", "o", "r", "s", "t", "x", "z"];
const ENDS: &[usize] = &[40, 100, 1_000, MAX_BYTES];
const SEPARATORS: &[&str] = &[" ", " ", " ", "-", ".", "_", "\" \"", ""];

/// Returns queries of up to 10 kB that consist of the words of other queries: of many pages, with
/// typing errors, beginnings of words, phrases and other characters.
pub(crate) fn queries(texts: &[&str]) -> Vec<String> {
    let words: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.split_whitespace())
        .collect();
    let mut random = Random::new(7);
    (0..QUERIES).map(|_| query(&words, &mut random)).collect()
}

fn query(words: &[&str], random: &mut Random) -> String {
    let end = random.pick(ENDS).copied().unwrap_or(MAX_BYTES);
    let end = random.below(end) + 1;
    let separator = random.pick(SEPARATORS).copied().unwrap_or(" ");
    let kind = random.below(5);
    let mut out = String::new();
    while out.len() < end {
        let word = random.pick(words).copied().unwrap_or("word");
        match kind {
            0 => out.push_str(random.pick(COMMON_TERMS).copied().unwrap_or("the")),
            // Beginnings of many words.
            1 => out.extend(word.chars().take(1 + random.below(3))),
            // Words that are on no page, so that all similar ones are looked for.
            2 => {
                let (start, rest) =
                    word.split_at(word.floor_char_boundary(random.below(word.len())));
                out.push_str(start);
                out.push_str(random.pick(LETTERS).copied().unwrap_or("e"));
                out.push_str(rest);
            }
            3 => out.extend(
                u32::try_from(random.below(0x3_0000))
                    .ok()
                    .and_then(char::from_u32),
            ),
            _ => out.push_str(word),
        }
        out.push_str(separator);
    }
    out
}
