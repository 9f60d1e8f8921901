//! Queries of any text and length have results.

use svc_search::Query;

use crate::site::index;
use crate::static_search::corpus::{self, Random};
use crate::static_search::visible;

const QUERIES: usize = 10_000;
const MAX_BYTES: usize = 10 << 10;

/// Characters that separate, join, quote, combine or are invisible.
const MARKS: &[&str] = &[
    " ",
    "\"",
    "“",
    "”",
    "„",
    "'",
    "-",
    "--",
    "_",
    ".",
    "/",
    ":",
    "::",
    "#",
    "+",
    "@",
    "$",
    "=",
    "|",
    "\\",
    "<",
    "%",
    "\0",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{300}",
    "\u{301}",
    "\u{200b}",
    "\u{200d}",
    "\u{202e}",
    "\u{2028}",
    "\u{feff}",
    "\u{fffd}",
    "\u{1f468}\u{200d}\u{1f469}",
    "\u{10ffff}",
    "・",
    "々",
    "ｶﾞ",
    "İ",
    "ẞ",
    "ς",
    "ﬃ",
    "½",
    "Ⅷ",
    "𐐀",
    "𠀀",
    // 18 characters in Normalization Form KC.
    "\u{fdfa}",
];

/// First and last characters of blocks of letters, ideographs and controls.
const BLOCKS: [(u32, u32); 10] = [
    (0, 0x20),
    (0x21, 0x7e),
    (0x80, 0x24f),
    (0x300, 0x52f),
    (0x590, 0x6ff),
    (0xe00, 0x11ff),
    (0x2000, 0x2bff),
    (0x3000, 0x9fff),
    (0xac00, 0xd7a3),
    (0, 0x10_ffff),
];

/// A few random characters of one block.
fn characters(random: &mut Random) -> String {
    let (first, last) = BLOCKS[random.below(BLOCKS.len())];
    let mut character = || {
        let offset = u32::try_from(random.below((last - first + 1) as usize)).unwrap();
        char::from_u32(first + offset).unwrap_or('\u{fffd}')
    };
    (0..8).map(|_| character()).collect()
}

/// One or a few pieces, repeated up to a random length, so that there are long runs.
fn query(random: &mut Random) -> String {
    let max = [20, 60, 400, MAX_BYTES][random.below(4)];
    let end = random.below(max) + 1;
    let mut pieces: Vec<String> = Vec::new();
    for _ in 0..=random.below(12) {
        pieces.push(match random.below(4) {
            0 => random.of(MARKS).to_owned(),
            1 => characters(random),
            _ => random.token().to_owned(),
        });
    }
    let gap = random.of(&["", " ", " ", "\"", "-", "\n"]);
    let piece = pieces.join(gap);
    let mut out = String::new();
    while out.len() < end {
        out.push_str(&piece);
        out.push_str(gap);
        if piece.is_empty() {
            break;
        }
    }
    out.truncate(out.floor_char_boundary(end));
    out
}

#[test]
fn ten_thousand_hostile_queries_have_results() {
    let index = index((0..75).map(corpus::page).collect());
    assert!((200..400).contains(&index.section_count()));
    let mut random = Random::new(10);
    let mut total = 0;
    for number in 0..QUERIES {
        let text = query(&mut random);
        let results = index.search(&Query::new(&text));
        assert!(results.hits.len() <= results.total.min(10), "{text:?}");
        total += usize::from(results.total > 0);
        // Excerpts take longer than the search.
        if number % 20 == 0 {
            visible(&index, &results);
        }
    }
    assert!((QUERIES / 4..QUERIES).contains(&total), "{total}");
}

#[test]
fn only_the_first_thousand_bytes_of_a_query_count() {
    let index = index((0..20).map(corpus::page).collect());
    let text = "token ".repeat(200);
    for rest in ["webhook", "\"", "設定", "\0"] {
        let results = index.search(&Query::new(&format!("{text}{rest}")));
        assert_eq!(results, index.search(&Query::new(&text)), "{rest:?}");
    }
}
