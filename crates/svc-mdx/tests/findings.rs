//! Regression tests: texts that broke parsing or printing, found by mutation, generated documents
//! or fuzzing.

#![allow(clippy::unwrap_used, reason = "a test may stop")]

use svc_mdx::{Options, parse, print};

use crate::laws;

/// Texts without diagnostics whose printed form was parsed as another tree.
static ROUND_TRIPS: &[(&str, &str)] = &[
    ("a line ending before a tag", "a&#10;<B/>"),
    ("a return and a line ending before a tag", "_\r&#10;<B/>\n"),
    ("a line ending behind a tag", "<B/>&#10;*"),
    ("white space between tags", "<B/>&#32;<B/>"),
    ("a tick before a row of two cells", "\n- [x] |*\n|-|-|\n"),
    (
        "marks behind an address",
        "[R *s*]https://a.b/c_d*:\n\n[r *s*]: <u> 't'\n",
    ),
    (
        "a lone name whose `from` is in the next block",
        " import Path\n\nfrom fastmcp import FastMCP\n",
    ),
    (
        "a lazy line with white space before it",
        "- $a\nb | c |\n| --- | --- |\n      if$\n",
    ),
    ("a tag that only a lazy line closes", "> <A\n/>\n"),
    (
        "code below the row of a table that it would complete",
        "n||`\n|\n-|-|-\n `\n",
    ),
    ("a definition named like a footnote", "[^* ]:*\n\n[^* ]\n"),
    ("dashes as the first block of an item", "* ---\n- ***\n"),
    ("items of nothing but bullets", "-\n  -\n    -\n"),
    (
        "lists beside each other",
        "- a\n\n* b\n\n+ c\n\n1. d\n\n1) e\n",
    ),
    (
        "a blank line inside of a lone element",
        "- <A>\n\n  </A>\n- b\n",
    ),
    ("code that ends with a return", "```\na\r\r```\n"),
    ("front matter of returns", "---\n\r\r---\n"),
    (
        "labels in capitals with marks",
        "[Foo _Bar_ ẞ]\n\n[foo _bar_ ss]: u\n",
    ),
    (
        "emphasis between letters and quotes",
        "a&#x2a;*\"b\"*&#x63;d\n",
    ),
    ("two kinds of emphasis without space", "*a*_b_ **_c_**\n"),
    ("an id that is no id", "# a {#b&#125;\n"),
    (
        "white space in a footnote",
        "[^a]: ```\n      b\n       \n    ```\n",
    ),
    ("strong text in strong text", "____a______ b\n"),
    ("strong text five deep", "__________a______________ b\n"),
    (
        "emphasis of nothing but a comma in two others",
        "**e ***,*~h***,*",
    ),
    ("a control character before marks", "**\0~~e~~ ***e**h*h"),
    ("marks behind those that were paired", "*x~~e~~ h*~~e~~"),
    ("struck text in emphasis in struck text", "~*\0~~e~~*~"),
    ("a dollar that cannot close in math of two lines", "$:\n${$"),
    ("a spread that ends with a comment", "<A {...b // c\n}/>\n"),
];

#[test]
fn regression_texts_round_trip() {
    for (name, text) in ROUND_TRIPS {
        for options in [Options::default(), Options::mdx_js()] {
            let result = laws::check(text, &options);
            assert!(result.is_ok(), "{name}: {}", result.unwrap_err());
        }
    }
}

#[test]
fn almost_all_regression_texts_have_no_diagnostics() {
    let options = Options::default();
    let clean = ROUND_TRIPS
        .iter()
        .filter(|(_, text)| parse(text, &options).diagnostics.is_empty())
        .count();
    assert!(clean + 3 >= ROUND_TRIPS.len(), "only {clean}");
}

#[test]
fn openers_that_replace_removed_ones_are_matched() {
    let parsed = parse("*x~~e~~ h*~~e~~", &Options::default());
    let dump = svc_mdx::mdast_dump(&parsed.value);
    assert_eq!(dump.matches("delete").count(), 2, "{dump}");
}

#[test]
fn spaces_before_a_rejected_comment_are_not_a_hard_break() {
    let text = "é !    <!-- é és -->\nb";
    let parsed = parse(text, &Options::default());
    svc_mdx::walk(&parsed.value.children, |node, _| {
        let (start, end) = (node.span.start as usize, node.span.end as usize);
        assert!(text.get(start..end).is_some(), "{start}..{end}");
        true
    });
    let dump = svc_mdx::mdast_dump(&parsed.value);
    assert!(!dump.contains("break"), "{dump}");
}

#[test]
fn the_deepest_trees_print_on_a_small_stack() {
    let deep = |open: &str, close: &str| format!("{}x{}", open.repeat(120), close.repeat(120));
    let texts = [
        deep("> ", ""),
        deep("- ", ""),
        deep("<A>\n", "\n</A>"),
        deep("*a ", " a*"),
        deep("<A>b", "c</A>"),
        deep("![", "](u)"),
        // Regression: took quadratic time.
        "#".repeat(100_000),
        format!("{}{}", "> ".repeat(99), deep("**a *b ", " b* a**")),
    ];
    let run = move || {
        for text in texts {
            let options = Options::default();
            let parsed = parse(&text, &options);
            let printed = print(&parsed.value, &options);
            assert!(printed.len() < 100 * text.len());
        }
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}
