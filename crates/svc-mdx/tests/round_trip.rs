//! Printed output is parsed as the same tree and printed as the same text.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop, and says what it skipped"
)]

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use svc_mdx::{Options, mdast_dump, parse, print};

use crate::laws;

use laws::{check, tree};

/// Returns all pages below `dir`, sorted.
pub(crate) fn pages(dir: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut dirs = vec![dir.to_path_buf()];
    while let Some(dir) = dirs.pop() {
        let mut entries: Vec<_> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                dirs.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "mdx" || extension == "md")
            {
                paths.push(path);
            }
        }
    }
    paths
}

fn law_over(dir: &Path) -> (usize, usize, Vec<String>) {
    let (mut count, mut faulty, mut broken) = (0, 0, Vec::new());
    for page in pages(dir) {
        let Ok(text) = std::fs::read_to_string(&page) else {
            continue;
        };
        for options in [Options::default(), Options::mdx_js()] {
            count += 1;
            match check(&text, &options) {
                Ok(true) => {}
                Ok(false) => faulty += 1,
                Err(reason) => broken.push(format!("{}: {reason}", page.display())),
            }
        }
    }
    (count, faulty, broken)
}

#[test]
fn our_own_pages_round_trip() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for dir in ["docs", "tests", "crates"] {
        let dir = root.join(dir);
        if !dir.is_dir() {
            continue;
        }
        let (count, faulty, broken) = law_over(&dir);
        println!("{count} readings, {faulty} with problems");
        assert_eq!(broken, Vec::<String>::new());
    }
}

#[test]
fn real_pages_round_trip() {
    let Some(sites) = svc_test_support::reference_path("corpus/sites") else {
        return;
    };
    let (count, faulty, broken) = law_over(&sites);
    println!(
        "{count} readings, {faulty} with problems, {} differ",
        broken.len()
    );
    for reason in &broken {
        println!("{reason}");
    }
    assert!(count > 4000, "only {count} readings");
    assert!(broken.is_empty(), "{} readings differ", broken.len());
}

#[test]
fn print_produces_the_normal_form() {
    let text = "---\ntitle: T\n---\nTitle\n===\n\n* a\n* b\n\n1) x\n1) y\n\n__bold__ and _soft_ \
                snake_case 2 * 3\n~~~js {1}\nx\n~~~\n<Card   title='a \"b\"' {...c}>\nText\n\
                </Card>\n\n|a|b|\n|-|:-:|\n|1|2|\n\nhttps://a.b/c [d]( <e> 'f' ) a\\\nb\n***\n";
    let expected = "---\ntitle: T\n---\n\n# Title\n\n- a\n- b\n\n1. x\n2. y\n\n**bold** and *soft* \
                    snake_case 2 * 3\n\n```js {1}\nx\n```\n\n<Card title='a \"b\"' {...c}>\nText\n\
                    </Card>\n\n| a | b |\n| --- | :-: |\n| 1 | 2 |\n\nhttps://a.b/c [d](e \"f\") \
                    a\\\nb\n\n---\n";
    let parsed = parse(text, &Options::default());
    assert_eq!(print(&parsed.value, &Options::default()), expected);
}

#[test]
fn unraveled_trees_round_trip() {
    let options = Options::default();
    let mut parsed = parse("<A>*x* <B/></A>\n\n- y\n", &options);
    svc_mdx::unravel(&mut parsed.value);
    let text = print(&parsed.value, &options);
    assert_eq!(text, "<A>*x* <B /></A>\n\n- y\n");
    let mut reparsed = parse(&text, &options);
    svc_mdx::unravel(&mut reparsed.value);
    assert_eq!(mdast_dump(&reparsed.value), mdast_dump(&parsed.value));
    assert_eq!(tree(&reparsed.value), tree(&parsed.value));
}

/// Words, delimiters and blocks that documents are generated from.
pub(crate) fn fragment() -> impl Strategy<Value = String> {
    let texts = prop::sample::select(vec![
        "a",
        "b c",
        "word",
        "2024",
        "x_y",
        "é",
        "ß",
        "x",
        "import",
        "http://",
        "www.a.b",
        "a@b.c",
        "https://a.b/c_d",
        "https://localhost",
        "!",
        "#",
        "+",
        "-",
        "=",
        ":",
        ";",
        ".",
        ",",
        "\"",
        "'",
        "(",
        ")",
        "}",
        "&",
        "&amp;",
        "&#32;",
        "&#10;",
        "&#x61;",
        "\\",
        "\\*",
        "\\\n",
        "  \n",
        "\u{a0}",
        "\u{feff}",
        "\r\n",
        "\r",
        "\t",
        " ",
        "  ",
        "    ",
        "\n",
        "\n",
        "\n\n",
        "\n\n",
        "{#id}",
    ]);
    let marks = prop::sample::select(vec![
        "*",
        "**",
        "***",
        "_",
        "__",
        "~",
        "~~",
        "`",
        "``",
        "$",
        "$$",
        "[",
        "]",
        "![",
        "](u)",
        "](<u v> 't')",
        "][r]",
        "[]",
        "[r]",
        "[R *s*]",
        "[^f]",
        "<i>",
        "</i>",
        "<B/>",
        "<B c=\"d\"/>",
        "<B c='\n  d'/>",
        "<B {...c}/>",
        "{d}",
        "{d\n    e}",
        "{/* f */}",
        "<>",
        "</>",
        "|",
        "\\|",
    ]);
    let blocks = prop::sample::select(vec![
        "\n- ",
        "\n* ",
        "\n  - ",
        "\n1. ",
        "\n2) ",
        "\n   ",
        "\n- [x] ",
        "\n> ",
        "\n>",
        "\n# ",
        "\n### ",
        "\n---\n",
        "\n***\n",
        "\n===\n",
        "\n```js\n",
        "\n```\n",
        "\n~~~\n",
        "\n$$\n",
        "\n|a|b|\n|-|:-|\n|c|",
        "\n|-|-|\n",
        "\n<C>\n",
        "\n</C>\n",
        "\n  <D e={f}>\n",
        "\n  </D>\n",
        "\n{g}\n",
        "\n{\n  h\n}\n",
        "\nimport a from 'b'\n\n",
        "\n\nexport const a = 1\n\n",
        "\n[r]: u\n",
        "\n\n[r *s*]: <u> 't'\n",
        "\n[^f]: ",
        "\n\n    ",
        "---\na: 1\n---\n",
        "+++\n",
    ]);
    prop_oneof![3 => texts, 3 => marks, 2 => blocks].prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn generated_documents_round_trip(parts in prop::collection::vec(fragment(), 1..14)) {
        let text = parts.concat();
        for options in [Options::default(), Options::mdx_js()] {
            if let Err(reason) = check(&text, &options) {
                return Err(TestCaseError::fail(format!("{text:?}: {reason}")));
            }
        }
    }
}
