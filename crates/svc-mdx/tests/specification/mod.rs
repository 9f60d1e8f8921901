//! Examples of the CommonMark and GFM specifications, except for those that MDX does not support.
//!
//! The examples are read from the sources of packages in the lock file of this workspace, so they
//! are the same everywhere. A suite whose package is not on the machine is skipped with a message.

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

/// Plain Markdown without extensions.
const PLAIN: Options = Options {
    front_matter: false,
    autolinks: false,
    math: false,
    ..Options::mdx_js()
};

/// Returns the difference between the rendered tree and the expected page, or in the number of
/// fences that are reported as unclosed; `None` if there is none.
fn difference(example: &Example, options: &Options, unclosed: usize) -> Option<String> {
    let parsed = parse(&example.text, options);
    let html = html::print(&parsed.value);
    let same = html::normalized(&html) == html::normalized(&example.html);
    // An unclosed fence is valid Markdown, but rarely intended.
    let fences = parsed.diagnostics.iter();
    let only_fences = fences
        .clone()
        .all(|diagnostic| diagnostic.code.id == "mdx-unclosed-fence");
    if same && only_fences && fences.count() == unclosed {
        return None;
    }
    Some(format!(
        "{}\n--- expected\n{}\n--- found\n{html}\n{:?}",
        example.text, example.html, parsed.diagnostics
    ))
}

/// Returns true if the text contains the syntax of the reason.
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

/// Same as `check`, with the numbers of examples with unclosed fences, once per fence.
fn check_with_fences(
    name: &str,
    examples: Option<Vec<Example>>,
    least: usize,
    skip: Exclusions,
    unclosed: &[usize],
    with: &Options,
) {
    let Some(examples) = examples else {
        svc_test_support::skip(format_args!(
            "the examples of {name} are not on this machine"
        ));
        return;
    };
    assert!(examples.len() >= least, "{name}: {}", examples.len());
    let (mut passed, mut failures) = (0, Vec::new());
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
                failures.push(format!("{name} {number}: excluded for {reason:?}, wrongly"));
            }
            (None, Some(_)) => failures.push(format!("{name} {number}: excluded, but it passes")),
            (Some(what), None) => failures.push(format!("{name} {number}:\n{what}")),
        }
    }
    println!("{name}: {passed} of {} examples hold", examples.len());
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn commonmark_examples_pass() {
    let examples = data::raw_pairs("tests/suite/spec.rs");
    check_with_fences(
        "CommonMark",
        examples,
        652,
        excluded::COMMONMARK,
        &[126, 127, 128, 139, 237, 237],
        &PLAIN,
    );
}

#[test]
fn github_table_examples_pass() {
    let examples = data::raw_pairs("tests/suite/gfm_table.rs");
    check("GFM tables", examples, 8, &[], &PLAIN);
    let examples = data::raw_pairs("tests/suite/table.rs");
    check("more tables", examples, 28, excluded::TABLES, &PLAIN);
}

#[test]
fn strikethrough_examples_pass() {
    let examples = data::raw_pairs("tests/suite/gfm_strikethrough.rs");
    check("GFM struck text", examples, 3, &[], &PLAIN);
    let examples = data::raw_pairs("tests/suite/strikethrough.rs");
    check(
        "more struck text",
        examples,
        15,
        excluded::STRIKETHROUGH,
        &PLAIN,
    );
}

#[test]
fn task_list_examples_pass() {
    let examples = data::raw_pairs("tests/suite/gfm_tasklist.rs");
    check("GFM task lists", examples, 2, &[], &PLAIN);
}

#[test]
fn footnote_examples_pass() {
    let examples = data::raw_pairs("tests/suite/footnotes.rs");
    check("footnotes", examples, 26, excluded::FOOTNOTES, &PLAIN);
}

#[test]
fn autolink_examples_pass() {
    let with = Options {
        autolinks: true,
        ..PLAIN
    };
    let examples = data::calls("src/tests/autolink.rs", "[extension.autolink],");
    check("addresses", examples, 20, excluded::AUTOLINKS, &with);
}
