//! Formatting has one result, and the page is read as before.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop, and says what it found"
)]

use std::path::Path;

use proptest::prelude::*;
use svc_mdx::{Options, Severity, format, parse, unravel};

use crate::laws::tree;
use crate::round_trip::{fragment, pages};

fn formatted(text: &str) -> String {
    format(text, &Options::default()).value
}

#[test]
fn each_rule_has_one_form() {
    for (text, expected) in [
        // Line endings and the end of the page.
        ("a\r\nb", "a\nb\n"),
        ("a\n\n\n", "a\n"),
        ("\n\na\n", "a\n"),
        ("", ""),
        ("\n \n", ""),
        // Trailing white space, but for hard line breaks.
        ("a \nb\t\n", "a\nb\n"),
        ("a  \nb\n", "a  \nb\n"),
        ("```\na  \n```  \n", "```\na  \n```\n"),
        // Blank lines.
        ("a\n\n\n\nb\n", "a\n\nb\n"),
        ("# a\nb\n- c\n", "# a\n\nb\n\n- c\n"),
        ("- a\n\n\n- b\n", "- a\n\n- b\n"),
        ("```\na\n\n\nb\n```\n", "```\na\n\n\nb\n```\n"),
        ("<A>\n  a\n  # b\n</A>\n", "<A>\n  a\n\n  # b\n</A>\n"),
        ("<A/>\n<B/>\n\n\n<C/>\n", "<A />\n<B />\n\n<C />\n"),
        ("{/* a */}\n# b\n", "{/* a */}\n# b\n"),
        // Front matter.
        ("---  \na: b  \n---\t\nc\n", "---\na: b\n---\n\nc\n"),
        (
            "---\na: |\n  b  \n---\n\n\n\nc\n",
            "---\na: |\n  b  \n---\n\nc\n",
        ),
        ("\n---\na: b\n---\nc\n", "---\na: b\n---\n\nc\n"),
        ("+++\na = '''b  \n'''\n+++\n", "+++\na = '''b  \n'''\n+++\n"),
        // Headings.
        ("a\n=\n\nb *c*\n---\n", "# a\n\n## b *c*\n"),
        ("##  a ##\n", "## a\n"),
        ("# a #b\n", "# a #b\n"),
        ("#\n", "#\n"),
        ("a\nb\n===\n", "a\nb\n===\n"),
        ("## a {#b}  \n", "## a {#b}\n"),
        // Emphasis.
        ("_a_ __b__ ___c___\n", "*a* **b** ***c***\n"),
        ("a_b_ _c_d\n", "a_b_ _c_d\n"),
        ("*a _b_ c*\n", "*a *b* c*\n"),
        // Thematic breaks.
        ("a\n\n***\n\n_ _ _\n", "a\n\n---\n\n---\n"),
        ("***\n\na\n", "***\n\na\n"),
        // Fences.
        ("~~~ js {1}\na\n~~~\n", "```js {1}\na\n```\n"),
        ("~~~\n```\n~~~~\n", "````\n```\n````\n"),
        ("~~~ `\na\n~~~\n", "~~~`\na\n~~~\n"),
        // List markers.
        ("* a\n* b\n  + c\n", "- a\n- b\n  - c\n"),
        ("* a\n\n- b\n", "* a\n\n- b\n"),
        // Tags.
        ("<A  b='c'   d = {e}/>\n", "<A b=\"c\" d={e} />\n"),
        ("<A b='\"' >c</A>\n", "<A b='\"'>c</A>\n"),
        // Indentation.
        (
            "<A>\n<B>\ntext\n    more\n\n```js\na\n  b\n```\n</B>\n</A>\n",
            "<A>\n  <B>\n    text\n    more\n\n    ```js\n    a\n      b\n    ```\n  </B>\n</A>\n",
        ),
        (
            "<A\nb=\"c\"\n      d\n  >\na\n</A>\n",
            "<A\n  b=\"c\"\n  d\n>\n  a\n</A>\n",
        ),
        ("<A>\n{\n  b\n}\n</A>\n", "<A>\n{\n  b\n}\n</A>\n"),
        ("-   a\n    - b\n\n      c\n", "- a\n  - b\n\n    c\n"),
        (
            "1.  a\n    ```\n    b\n    ```\n",
            "1. a\n   ```\n   b\n   ```\n",
        ),
        ("- [ ]  a\n- [x] b\n", "- [ ]  a\n- [x] b\n"),
        ("  a\n  b\n", "a\nb\n"),
        // Components that show the source of their content.
        (
            "<Prompt>\n* __a__\n  * b\n</Prompt>\n",
            "<Prompt>\n  * __a__\n    * b\n</Prompt>\n",
        ),
        (
            "<Prompt>\na\n- b\n</Prompt>\n",
            "<Prompt>\n  a\n  - b\n</Prompt>\n",
        ),
        // Tables.
        (
            "a|b\n-|-:\nccccc|d\ne\n",
            "| a     |   b |\n| ----- | --: |\n| ccccc |   d |\n| e     |\n",
        ),
        ("> |a|\n> |:-:|\n", "> |  a  |\n> | :-: |\n"),
        (
            "|`a\\|b`|日本|\n|-|-|\n",
            "| `a\\|b` | 日本 |\n| ------ | ---- |\n",
        ),
    ] {
        assert_eq!(formatted(text), expected, "{text:?}");
        assert_eq!(formatted(expected), expected, "again: {text:?}");
        assert_eq!(check(text), Ok(true));
    }
}

#[test]
fn wide_tables_are_not_padded() {
    let cell = "word ".repeat(30);
    let text = format!("|a|b|\n|-|-|\n|{cell}|c|\n||d|\n");
    let expected = format!(
        "| a | b |\n| --- | --- |\n| {} | c |\n| | d |\n",
        cell.trim()
    );
    assert_eq!(formatted(&text), expected);
    assert_eq!(formatted(&expected), expected);
    // A table that was aligned stays aligned.
    let text = expected.replace("| --- |", &format!("| {} |", "-".repeat(120)));
    let aligned = formatted(&text);
    assert!(
        aligned
            .lines()
            .all(|line| line.len() == aligned.find('\n').unwrap())
    );
    assert_eq!(formatted(&aligned), aligned);
}

#[test]
fn pages_with_errors_stay_as_they_are() {
    for text in ["<A>\n\n\na", "a {b\n\n\n\n", "<!-- a -->  \nb"] {
        let result = format(text, &Options::default());
        assert!(result.has(Severity::Error), "{text}");
        assert_eq!(result.value, text);
    }
}

#[test]
fn a_block_that_cannot_be_formatted_does_not_affect_others() {
    let text = "<A>\n{`\n  a\n`}\n</A>\n\n<B>\nb\n</B>\n\n* c\n\n- d\n\n\n+ e\n";
    let expected = "<A>\n{`\n  a\n`}\n</A>\n\n<B>\n  b\n</B>\n\n* c\n\n- d\n\n+ e\n";
    assert_eq!(formatted(text), expected);
}

#[test]
fn hostile_pages_end_and_stay_equal() {
    let deep = |open: &str, count: usize| open.repeat(count);
    for text in [
        deep("> ", 500),
        deep("- ", 500),
        deep("<A>\n", 99) + "a\n" + &deep("</A>\n", 99),
        deep("* a\n\n- b\n\n", 300),
        deep("_a", 2000),
        deep("|", 3000) + "\n" + &deep("|-", 3000),
        deep("{`\n a\n`}\n\n<A>\n{`\n a\n`}\n</A>\n\n", 200),
        deep(" \t\u{a0}\r", 2000),
        deep("***a", 500),
        deep("---\n", 1000),
        deep("a\n=\n", 1000),
        deep("```\n", 1001),
    ] {
        check(&text).unwrap();
    }
}

/// Checks the properties of formatting with all options.
fn check(text: &str) -> Result<bool, String> {
    check_with(text, &Options::mdx_js())?;
    check_with(text, &Options::default())
}

/// Checks the properties of formatting; `Ok(false)` if the page has errors.
fn check_with(text: &str, options: &Options) -> Result<bool, String> {
    let result = format(text, options);
    if result.has(Severity::Error) {
        return match result.value == text {
            true => Ok(false),
            false => Err("a page with errors was changed".to_owned()),
        };
    }
    if result.value == text {
        return Ok(true);
    }
    let second = format(&result.value, options).value;
    if second != result.value {
        return Err(format!("{:?} became {second:?}", result.value));
    }
    // Sites accept blank lines before front matter.
    let start = text.trim_start_matches(['\n', '\r', ' ', '\t']);
    let text = match start.starts_with("---") {
        true => start,
        false => text,
    };
    for math in [true, false] {
        let options = Options { math, ..*options };
        let read = |text: &str| {
            let mut page = parse(text, &options).value;
            if let Some(front) = &mut page.front_matter {
                let lines = front.text.lines().map(str::trim_end);
                front.text = lines.collect::<Vec<_>>().join("\n").into();
            }
            let raw = tree(&page).replace("\\r\\n", "\\n");
            unravel(&mut page);
            raw + &tree(&page).replace("\\r\\n", "\\n")
        };
        if read(&result.value) != read(text) {
            return Err(format!("{:?} is read as another page", result.value));
        }
    }
    Ok(true)
}

/// Formats all pages of a directory; returns the numbers of pages, of changed ones and of those with
/// errors.
fn format_all(dir: &Path, step: usize) -> [usize; 3] {
    let mut counts = [0; 3];
    let mut broken = Vec::new();
    for path in pages(dir).iter().step_by(step) {
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        counts[0] += 1;
        counts[1] += usize::from(formatted(&text) != text);
        match check_with(&text, &Options::default()) {
            Ok(is_clean) => counts[2] += usize::from(!is_clean),
            Err(reason) => broken.push(format!("{}: {reason:.2000}", path.display())),
        }
    }
    assert_eq!(broken, Vec::<String>::new());
    counts
}

#[test]
fn real_pages_are_read_as_before() {
    let Some(sites) = svc_test_support::reference_path("corpus/sites") else {
        return;
    };
    let step = match std::env::var_os("SVC_THOROUGH") {
        Some(_) => 1,
        None => 10,
    };
    let [pages, changed, errors] = format_all(&sites, step);
    println!("{pages} pages, {changed} changed, {errors} with errors");
    assert!(pages * step > 2000, "{pages}");
    assert!(changed > pages / 2, "{changed} of {pages}");
}

#[test]
fn our_own_pages_are_formatted() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    if !docs.is_dir() {
        return;
    }
    for path in pages(&docs) {
        let text = std::fs::read_to_string(&path).unwrap();
        let result = format(&text, &Options::default());
        assert!(!result.has(Severity::Error), "{}", path.display());
        assert!(
            result.value == text,
            "{}: run `svc format docs`",
            path.display()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn generated_pages_are_read_as_before(parts in prop::collection::vec(fragment(), 1..14)) {
        let text = parts.concat();
        if let Err(reason) = check(&text) {
            return Err(TestCaseError::fail(format!("{text:?}: {reason}")));
        }
    }
}
