//! Problems of pages, and what is none.

use crate::components;
use crate::testing::{accessibility, page};

#[track_caller]
fn reported(mdx: &str) -> Vec<String> {
    accessibility(&format!("//- /a.mdx\n{mdx}\n"), "/a").0
}

/// The manual pages of the components, as pages.
fn manuals() -> impl Iterator<Item = (&'static str, &'static str)> {
    components::ALL.iter().map(|one| (one.name, one.docs))
}

#[test]
fn marks_of_locations_change_nothing_else() {
    let more = [
        (
            "table",
            "<table><tbody><tr><td>[a](/a)</td></tr></tbody></table>",
        ),
        (
            "list",
            "- [a](/a)\n- ![](/b.png) {[1, 2].map((n) => <b key={n}>{n}</b>)}\n\n  text",
        ),
        (
            "link",
            "# [a](/a) <Icon icon=\"leaf\" />\n\n[![x](/b.png)](/a) <iframe src=\"https://x.test\" />",
        ),
    ];
    for (name, mdx) in manuals().chain(more) {
        let (_, html) = accessibility(&format!("//- /a.mdx\n{mdx}\n"), "/a");
        assert_eq!(html, page(&format!("{mdx}\n")).html, "{name}");
        assert!(!page(mdx).html.contains("data-svc-at"), "{name}");
    }
}

#[test]
fn components_have_no_problems_of_their_own() {
    for (name, mdx) in manuals() {
        let mut problems = reported(mdx);
        // Examples are parts of pages.
        problems.retain(|line| !line.starts_with("a11y-heading-order"));
        assert_eq!(problems, [""; 0], "{name}");
    }
}

#[test]
fn headings_are_one_outline_with_the_title() {
    let order = |line: u32| format!("a11y-heading-order a.mdx:{line}:1");
    assert_eq!(reported("## A\n\n### B\n\n## C\n\n### D"), [""; 0]);
    assert_eq!(reported("### A\n\n### B"), [order(1)]);
    assert_eq!(reported("## A\n\n#### B\n\n#### C\n\n## D"), [order(3)]);
    // Only the first of several titles.
    assert_eq!(reported("# A\n\n# B"), [order(1)]);
    let custom = "---\nmode: custom\n---\n\n# A\n\n## B";
    assert_eq!(reported(custom), [""; 0]);
    let untitled = "---\nmode: custom\n---\n\n### A";
    assert_eq!(reported(untitled), [order(5)]);
    assert_eq!(
        reported("## A\n\n<h3></h3>"),
        ["a11y-heading-empty a.mdx:3:1"]
    );
}

#[test]
fn the_text_of_a_link_is_what_a_screen_reader_reads() {
    for fine in [
        "[![A leaf](/a.png)](/a)",
        "<a href=\"/a\" aria-label=\"Leaf\"></a>",
        "<a href=\"/a\" title=\"Leaf\"><Icon icon=\"leaf\" /></a>",
        "<a id=\"x\"></a>",
        "[here it begins](/a)",
        "[`info`](/a)",
        "<https://example.com>",
        "[Watering](/a) [watering](/a#b)",
        "<Card title=\"Leaf\" href=\"/a\" />",
    ] {
        assert_eq!(reported(fine), [""; 0], "{fine}");
    }
    let empty = "a11y-link-empty a.mdx:1:1";
    assert_eq!(reported("[](/a)"), [empty]);
    assert_eq!(
        reported("<a href=\"/a\"><Icon icon=\"leaf\" /></a>"),
        [empty]
    );
    assert_eq!(
        reported("<a href=\"/a\"><span aria-hidden=\"true\">x</span></a>"),
        [empty]
    );
    // The image is the problem.
    assert_eq!(reported("[![](/a.png)](/a)"), ["a11y-alt-text a.mdx:1:2"]);
    for vague in ["Here", "**click here**", "Read more →", "learn more."] {
        let mdx = format!("[{vague}](/a)");
        assert_eq!(reported(&mdx), ["a11y-link-text a.mdx:1:1"], "{vague}");
    }
}

#[test]
fn vague_texts_are_those_of_the_language_of_the_page() {
    let config = "//- /docs.json\n{\"theme\": \"svc\", \"name\": \"T\", \"colors\": {\"primary\": \"#112233\"}, \"navigation\": {\"languages\": [{\"language\": \"en\", \"pages\": [\"a\"]}, {\"language\": \"de\", \"pages\": [\"de/a\"]}]}}\n";
    let site = format!(
        "{config}//- /a.mdx\n[hier](/a) [here](/a)\n//- /de/a.mdx\n[hier](/a) [here](/a)\n"
    );
    assert_eq!(accessibility(&site, "/a").0.len(), 1);
    assert_eq!(accessibility(&site, "/de/a").0.len(), 2);
}

#[test]
fn controls_and_tables_need_names() {
    for fine in [
        "<label>Name <input type=\"text\" /></label>",
        "<label htmlFor=\"n\">Name</label> <input id=\"n\" />",
        "<input placeholder=\"Name\" /> <input type=\"hidden\" />",
        "<button>Go</button>",
        "<table><tbody><tr><th>a</th><td>b</td></tr></tbody></table>",
        "<table role=\"presentation\"><tbody><tr><td>b</td></tr></tbody></table>",
        "|   | a |\n| - | - |\n| b | c |",
    ] {
        assert_eq!(reported(fine), [""; 0], "{fine}");
    }
    let unnamed = "a11y-control-name a.mdx:1:1";
    assert_eq!(reported("<select><option>a</option></select>"), [unnamed]);
    assert_eq!(reported("<button type=\"button\"></button>"), [unnamed]);
    let headless = "a11y-table-header a.mdx:1:1";
    assert_eq!(
        reported("<table><tbody><tr><td>b</td></tr></tbody></table>"),
        [headless]
    );
}
