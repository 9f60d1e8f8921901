//! The examples of the CommonMark and GFM specifications, but for those that MDX does away with.
//!
//! The examples are read from the sources of packages in this workspace's lock file, so they are
//! the same everywhere; a suite whose package is not on the machine is skipped with a word.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop, and says what it skipped"
)]

mod data;
mod excluded;
mod html;

use data::Example;
use excluded::{Exclusions, Reason};
use svc_mdx::{Options, parse};

/// Plain Markdown: nothing beyond the specifications.
const PLAIN: Options = Options {
    front_matter: false,
    autolinks: false,
    math: false,
    ..Options::mdx_js()
};

/// What differs between the tree as HTML and the expected page, or in the number of fences that are
/// reported as not closed; `None` when nothing does.
fn difference(example: &Example, options: &Options, unclosed: usize) -> Option<String> {
    let parsed = parse(&example.text, options);
    let found = html::print(&parsed.value);
    let same = html::normalised(&found) == html::normalised(&example.html);
    // A fence without an end is Markdown, but seldom meant.
    let fences = parsed.diagnostics.iter();
    let only_fences = fences
        .clone()
        .all(|one| one.code.id == "mdx-unclosed-fence");
    if same && only_fences && fences.count() == unclosed {
        return None;
    }
    Some(format!(
        "{}\n--- expected\n{}\n--- found\n{found}\n{:?}",
        example.text, example.html, parsed.diagnostics
    ))
}

/// Whether the text has what the reason speaks of.
fn plausible(reason: Reason, text: &str) -> bool {
    match reason {
        Reason::Indent => text.contains('\t') || text.contains("    "),
        Reason::Html | Reason::Autolink => text.contains('<'),
        Reason::Dialect => true,
    }
}

fn check(
    name: &str,
    examples: Option<Vec<Example>>,
    least: usize,
    skip: Exclusions,
    with: &Options,
) {
    check_with_fences(name, examples, least, skip, &[], with);
}

/// As `check`, with the numbers of examples that leave fences open, once for each fence.
fn check_with_fences(
    name: &str,
    examples: Option<Vec<Example>>,
    least: usize,
    skip: Exclusions,
    unclosed: &[usize],
    with: &Options,
) {
    let Some(examples) = examples else {
        println!("skipped: the examples of {name} are not on this machine");
        return;
    };
    assert!(examples.len() >= least, "{name}: {}", examples.len());
    let (mut passed, mut wrong) = (0, Vec::new());
    for example in &examples {
        let number = example.number;
        let reason = skip
            .iter()
            .find_map(|(reason, all)| all.contains(&number).then_some(*reason));
        let open = unclosed.iter().filter(|open| **open == number).count();
        match (difference(example, with, open), reason) {
            (None, None) => passed += 1,
            (Some(_), Some(reason)) if plausible(reason, &example.text) => {}
            (Some(_), Some(reason)) => {
                wrong.push(format!("{name} {number}: excluded for {reason:?}, wrongly"));
            }
            (None, Some(_)) => wrong.push(format!("{name} {number}: excluded, but it passes")),
            (Some(what), None) => wrong.push(format!("{name} {number}:\n{what}")),
        }
    }
    println!("{name}: {passed} of {} examples hold", examples.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn examples_of_commonmark_hold() {
    let found = data::raw_pairs("tests/suite/spec.rs");
    check_with_fences(
        "CommonMark",
        found,
        652,
        excluded::COMMONMARK,
        &[126, 127, 128, 139, 237, 237],
        &PLAIN,
    );
}

#[test]
fn examples_of_github_tables_hold() {
    let found = data::raw_pairs("tests/suite/gfm_table.rs");
    check("GFM tables", found, 8, &[], &PLAIN);
    let found = data::raw_pairs("tests/suite/table.rs");
    check("more tables", found, 28, excluded::TABLES, &PLAIN);
}

#[test]
fn examples_of_struck_text_hold() {
    let found = data::raw_pairs("tests/suite/gfm_strikethrough.rs");
    check("GFM struck text", found, 3, &[], &PLAIN);
    let found = data::raw_pairs("tests/suite/strikethrough.rs");
    check(
        "more struck text",
        found,
        15,
        excluded::STRIKETHROUGH,
        &PLAIN,
    );
}

#[test]
fn examples_of_task_lists_hold() {
    let found = data::raw_pairs("tests/suite/gfm_tasklist.rs");
    check("GFM task lists", found, 2, &[], &PLAIN);
}

#[test]
fn examples_of_footnotes_hold() {
    let found = data::raw_pairs("tests/suite/footnotes.rs");
    check("footnotes", found, 26, excluded::FOOTNOTES, &PLAIN);
}

#[test]
fn examples_of_bare_addresses_hold() {
    let with = Options {
        autolinks: true,
        ..PLAIN
    };
    let found = data::calls("src/tests/autolink.rs", "[extension.autolink],");
    check("addresses", found, 20, excluded::AUTOLINKS, &with);
}
