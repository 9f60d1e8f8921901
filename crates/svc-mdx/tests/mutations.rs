//! Mutated parts of real pages: no panic, and texts without diagnostics round-trip.
//!
//! `SVC_MDX_MUTATIONS` is the number of rounds, `SVC_MDX_SEED` the seed of the random numbers.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop, and says what it skipped"
)]

use std::path::Path;

use svc_mdx::{
    Options, images, links, mdast_dump, outline, parse, plain_text, print, unravel, walk,
};

use crate::laws;

/// Characters and strings that are syntax.
const TOKENS: [&str; 72] = [
    "{",
    "}",
    "<",
    ">",
    "</",
    "`",
    "``",
    "```",
    "*",
    "**",
    "_",
    "__",
    "~",
    "~~",
    "[",
    "]",
    "(",
    ")",
    "](",
    "![",
    "\n",
    "\n\n",
    "  \n",
    "\\\n",
    " ",
    "  ",
    "\t",
    "- ",
    "* ",
    "1. ",
    "2) ",
    "> ",
    "- [x] ",
    "|",
    "\\|",
    "$",
    "$$",
    "\"",
    "'",
    "\\",
    "&",
    "#",
    "## ",
    "<A>",
    "</A>",
    "<A/>",
    "<A b='",
    "{/*",
    "*/}",
    "import ",
    "export ",
    "[^a]",
    "[^a]: ",
    "[a]",
    "[a]: b\n",
    "---\n",
    "===\n",
    "|a|\n|-|\n",
    "é",
    "\u{1f600}",
    "\r\n",
    "\r",
    "\0",
    "\u{feff}",
    "\u{a0}",
    "https://",
    "www.a.b",
    "a@b.c",
    "${",
    "&amp;",
    "&#32;",
    "&#10;",
];

struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below.max(1)).unwrap()).unwrap()
    }
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

fn piece<'a>(text: &'a str, max: usize, random: &mut Random) -> &'a str {
    let from = boundary(text, random.next(text.len() + 1));
    let to = boundary(text, from + random.next(max)).max(from);
    &text[from..to]
}

/// Applies one to six changes: flips a byte, removes a part, inserts a token, inserts a part of
/// another page, repeats a part, or truncates the text.
fn mutate(text: &str, other: &str, random: &mut Random) -> String {
    let mut out = text.to_owned();
    for _ in 0..1 + random.next(6) {
        let at = boundary(&out, random.next(out.len() + 1));
        let to = boundary(&out, at + random.next(40)).max(at);
        match random.next(8) {
            0 => {
                let mut bytes = out.into_bytes();
                let index = random.next(bytes.len());
                if let Some(byte) = bytes.get_mut(index) {
                    *byte ^= 1 << random.next(7);
                }
                out = String::from_utf8_lossy(&bytes).into_owned();
            }
            1 => out.replace_range(at..to, ""),
            2 | 3 => out.insert_str(at, TOKENS[random.next(TOKENS.len())]),
            4 => out.insert_str(at, piece(other, 200, random)),
            5 => {
                let twice = out[at..to].to_owned();
                let position = boundary(&out, random.next(out.len() + 1));
                out.insert_str(position, &twice);
            }
            6 => out.replace_range(at..to, TOKENS[random.next(TOKENS.len())]),
            _ => out.truncate(boundary(&out, at.max(out.len() / 2))),
        }
    }
    out
}

fn collect(dir: &Path, pages: &mut Vec<String>) {
    let mut entries: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|e| e == "mdx" || e == "md")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            pages.push(text);
        }
    }
}

#[test]
fn mutated_pages_are_parsed_and_round_trip() {
    let mut pages = Vec::new();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    collect(&docs, &mut pages);
    if let Some(sites) = svc_test_support::reference_path("corpus/sites") {
        collect(&sites, &mut pages);
    }
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|value| value.parse().ok())
    };
    let rounds = number("SVC_MDX_MUTATIONS").unwrap_or(4_000);
    let seed = number("SVC_MDX_SEED").unwrap_or(1);
    let mut random = Random(0x2545_f491_4f6c_dd1d ^ seed);
    let (mut clean, mut broken) = (0, Vec::new());
    for round in 0..rounds {
        let page = &pages[random.next(pages.len())];
        let other = &pages[random.next(pages.len())];
        let text = mutate(piece(page, 3_000, &mut random), other, &mut random);
        let options = if round % 3 == 2 {
            Options::mdx_js()
        } else {
            Options::default()
        };
        let mut parsed = parse(&text, &options);
        walk(&parsed.value.children, |node, depth| {
            let range = node.span.start as usize..node.span.end as usize;
            assert!(text.get(range).is_some(), "{:?} in {text:?}", node.span);
            assert!(depth <= 400, "depth of {text:?}");
            true
        });
        let _ = mdast_dump(&parsed.value);
        let _ = plain_text(&parsed.value.children);
        let _ = links(&parsed.value).len() + images(&parsed.value).len();
        let _ = outline(&parsed.value).len();
        unravel(&mut parsed.value);
        let _ = print(&parsed.value, &options);
        match laws::check(&text, &options) {
            Ok(true) => clean += 1,
            Ok(false) => {}
            Err(reason) => broken.push((reason, text)),
        }
    }
    println!(
        "{rounds} rounds, {clean} without problems, {} broken",
        broken.len()
    );
    for (reason, text) in &broken {
        println!("{reason}\n    {text:?}");
    }
    assert!(
        clean * 5 > rounds,
        "only {clean} of {rounds} have no problems"
    );
    assert!(broken.is_empty(), "{} texts do not survive", broken.len());
}
