//! Arbitrary input: no panic, no hang, limited depth.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop, and says what it skipped"
)]

use crate::bombs;

use bombs::bombs;
use svc_diagnostics::Checked;
use svc_mdx::{Document, Options, ParseDiagnostic, count_steps, parse, plain_text, unravel, walk};

/// A small random number generator with a fixed seed.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below.max(1)).unwrap()).unwrap()
    }
}

const FIXTURES: &[&str] = &[
    "---\ntitle: A\n---\n# Head {#id}\n\ntext *a **b** `c`* [l](/u \"t\") ![i](/p)\\\nnext  \nline\n",
    "<Card title=\"a &amp; b\" icon={<svg a={1}/>} {...p}>\n  - item\n    <Note>x</Note>\n\n  1. one\n  2. two\n</Card>\n",
    "import A from '/a.mdx'\nexport const b = {\n\n c: `x${1}`}\n\n{/* c */}\n\n{b.map(x => <p>it's</p>)}\n",
    "| a | `b\\|c` |\n|:-|--:|\n| <B/> | {x} |\n\n$$\nx\n$$\n\n> quote $a$ ~~del~~ https://a.b/c_d.\nlazy\n",
    "[a]: <u v> 'title\nmore'\n[^n]: note\n    more\n\n[a] [x][a] [^n] ![a] www.a.co x@y.zz\n\n- [x] done\n- [ ] open\n\nt\n===\n",
    "````js {1} title=\"x\"\n```\n````\n\n<a b\n  c=\"d\ne\" />\n\n<!-- c -->\n\na <b>x\ny</b> {\n z }\n\n***\n",
];

const TOKENS: &[&str] = &[
    "<",
    ">",
    "{",
    "}",
    "`",
    "```",
    "*",
    "_",
    "~~",
    "[",
    "]",
    "(",
    ")",
    "\n",
    "\n\n",
    "  ",
    "\t",
    "- ",
    "1. ",
    "> ",
    "|",
    "$",
    "$$",
    "\"",
    "'",
    "\\",
    "&",
    "#",
    "<A>",
    "</A>",
    "<A",
    "/>",
    "{/*",
    "*/}",
    "import ",
    "export ",
    "[^",
    "]:",
    "]: x",
    "---\n",
    "===\n",
    "|-|-|\n",
    "é",
    "\u{1f600}",
    "\r\n",
    "\r",
    "\0",
    "\u{feff}",
    "https://",
    "www.",
    "@",
    "//",
    "${",
    "&amp;",
    "<!--",
    "-->",
];

fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut out = text.to_owned();
    for _ in 0..1 + random.next(4) {
        let from = boundary(&out, random.next(out.len() + 1));
        let to = boundary(&out, from + random.next(60)).max(from);
        match random.next(5) {
            0 => out.truncate(from),
            1 => out.insert_str(from, TOKENS[random.next(TOKENS.len())]),
            2 => out.replace_range(from..to, ""),
            3 => {
                let slice = out[from..to].to_owned();
                let at = boundary(&out, random.next(out.len() + 1));
                out.insert_str(at, &slice);
            }
            _ => out.replace_range(from..to, TOKENS[random.next(TOKENS.len())]),
        }
    }
    out
}

/// Checks that spans are in the text, at character boundaries and in order, and that traversals
/// terminate.
fn check(text: &str, options: &Options) -> Checked<Document, ParseDiagnostic> {
    let mut parsed = parse(text, options);
    let fits = |start: u32, end: u32| {
        let (start, end) = (start as usize, end as usize);
        start <= end && text.get(start..end).is_some()
    };
    walk(&parsed.value.children, |node, depth| {
        assert!(
            fits(node.span.start, node.span.end),
            "span {:?} in {text:?}",
            node.span
        );
        assert!(depth <= 400, "depth of {text:?}");
        true
    });
    for problem in &parsed.diagnostics {
        assert!(
            fits(problem.span.start, problem.span.end),
            "problem {problem:?} in {text:?}"
        );
    }
    let _ = plain_text(&parsed.value.children);
    let _ = svc_mdx::mdast_dump(&parsed.value);
    unravel(&mut parsed.value);
    parsed
}

#[test]
fn mutated_fixtures_do_not_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..8_000 {
        let text = mutate(FIXTURES[round % FIXTURES.len()], &mut random);
        let options = if round % 2 == 0 {
            Options::default()
        } else {
            Options::mdx_js()
        };
        check(&text, &options);
    }
}

#[test]
fn mutated_real_pages_do_not_panic() {
    let Some(sites) = svc_test_support::reference_path("corpus/sites") else {
        return;
    };
    let mut random = Random(42);
    let mut dirs = vec![sites];
    let mut seen = 0;
    while let Some(dir) = dirs.pop() {
        let mut entries: Vec<_> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|extension| extension == "mdx") {
                seen += 1;
                let Ok(text) = std::fs::read_to_string(&path) else {
                    continue;
                };
                if seen % 8 == 0 && text.len() < 20_000 {
                    for _ in 0..4 {
                        check(&mutate(&text, &mut random), &Options::default());
                    }
                }
            }
        }
    }
    assert!(seen > 1000, "only {seen} pages");
}

#[test]
fn every_prefix_of_a_fixture_is_parsed() {
    for fixture in FIXTURES {
        for (at, _) in fixture.char_indices() {
            check(&fixture[..at], &Options::default());
        }
    }
}

/// Checks that all of them terminate quickly; linear time is asserted below.
#[test]
fn bombs_terminate() {
    for (name, text) in bombs(200_000) {
        let start = std::time::Instant::now();
        let small = check(&text, &Options::default());
        println!("{name}: {} bytes, {:?}", text.len(), start.elapsed());
        assert!(small.diagnostics.len() <= text.len());
    }
}

#[test]
fn steps_grow_linearly_with_the_input() {
    let steps = |text: &str| count_steps(|| parse(text, &Options::default())).1;
    let grows = |index: usize, size: usize| {
        let text = |size| bombs(size).swap_remove(index).1;
        let (small, large) = (text(size), text(2 * size));
        let (once, twice) = (steps(&small), steps(&large));
        // Every byte is counted at least in part; this detects missing counters.
        assert!(once >= small.len() as u64 / 2, "{once} steps");
        (twice * 10 > once * 22).then_some((once, twice))
    };
    let mut superlinear = Vec::new();
    for (index, (name, _)) in bombs(0).iter().enumerate() {
        // Costs up to a fixed depth or budget do not grow with larger inputs.
        let growth = grows(index, 1 << 13).and_then(|_| grows(index, 1 << 17));
        if let Some((once, twice)) = growth {
            superlinear.push(format!("{name}: {once} steps, then {twice}"));
        }
    }
    assert!(superlinear.is_empty(), "{superlinear:#?}");
}

#[test]
fn deep_trees_fit_a_small_stack() {
    let run = || {
        for (_, text) in bombs(20_000) {
            let parsed = check(&text, &Options::mdx_js());
            drop::<Document>(parsed.value.clone());
        }
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}
