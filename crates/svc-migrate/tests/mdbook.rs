//! mdBook.

use serde_json::Value;
use svc_migrate::Format;

use super::{assert_contains, assert_reported, fixture, redirects, text};

#[test]
fn the_summary_becomes_navigation() {
    let migration = fixture("mdbook", Format::Mdbook);
    let config: Value = serde_json::from_str(text(&migration, "docs.json")).unwrap();
    assert_eq!(config["name"], "The Acme Book");
    assert_eq!(config["favicon"], "/favicon.svg");
    assert_eq!(config["navbar"]["links"][0]["type"], "github");
    let pages = &config["navigation"]["pages"];
    assert_eq!(pages[0], "preface");
    assert_eq!(pages[1]["group"], "Guide");
    assert_eq!(pages[1]["pages"][0]["root"], "guide/start");
    assert_eq!(
        pages[1]["pages"][0]["pages"],
        serde_json::json!(["guide/boxes"])
    );
    assert_eq!(pages[1]["pages"][1], "guide/index");
    assert_eq!(pages[2], "thanks");
}

#[test]
fn chapters_become_pages() {
    let migration = fixture("mdbook", Format::Mdbook);
    assert_contains(
        text(&migration, "guide/start.mdx"),
        &[
            "title: \"Start\"",
            "```rust\n    open();\n# shown\n```",
            "```rust\n//! Boxes that the pages of the fixture include.\nfn main() {\n    open();\n}\n```",
            "```python\nacme.open()\n```",
            "`{{#include}}` yourself. An included part with a [link](/guide/boxes).",
        ],
    );
    assert_contains(
        text(&migration, "guide/boxes.mdx"),
        &[
            "## Kinds {#kinds}",
            "<Warning>",
            "{x",
            "<Accordion title=\"Good to know\">",
            "$a^2$",
            "![box](/guide/box.svg)",
            "<dt>Term</dt>",
            "A drawing of a box.",
            "[^1]: A note",
        ],
    );
    assert_contains(
        text(&migration, "preface.mdx"),
        &["[boxes](/guide/boxes#kinds) and [the end](/thanks)"],
    );
}

#[test]
fn old_urls_have_redirects_and_the_rest_is_reported() {
    let migration = fixture("mdbook", Format::Mdbook);
    for (from, to) in [
        ("/book/:path*", "/:path*"),
        ("/guide/boxes.html", "/guide/boxes"),
        ("/guide/index.html", "/guide"),
        ("/index.html", "/preface"),
        ("/print.html", "/preface"),
        ("/old/start.html", "/guide/start#install"),
        ("/gone.html", "https://acme.example/"),
    ] {
        assert!(redirects(&migration, from, to), "{from}");
    }
    assert_reported(
        &migration,
        &[
            ("src/SUMMARY.md:9:", "`Later`"),
            ("src/SUMMARY.md:15:", "`lost.md`"),
            ("book.toml", "`additional-css`"),
            ("book.toml", "`diagrams`"),
            ("book.toml", "redirects of sections are left out: 1"),
            ("src/guide/start.md", "`{{#diagram}}`"),
            ("src/guide/boxes.md", "`<Listing>`"),
        ],
    );
    let admonish = migration
        .diagnostics
        .iter()
        .any(|one| one.message.contains("admonish"));
    assert!(!admonish);
}
