//! Material for MkDocs.

use svc_migrate::Format;

use super::{assert_contains, fixture, redirects, text};

#[test]
fn settings_and_navigation_become_docs_json() {
    let migration = fixture("mkdocs", Format::Mkdocs);
    let config = text(&migration, "docs.json");
    assert_contains(
        config,
        &[
            "\"name\": \"Acme\"",
            "\"primary\": \"#009485\"",
            "\"light\": \"#00bdd6\"",
            "\"logo\": \"/assets/logo.svg\"",
            "\"tab\": \"Guides\"",
            "\"links/code\"",
        ],
    );
    assert_contains(
        text(&migration, "links/code.mdx"),
        &["url: \"https://github.com/acme/product\""],
    );
    let start = text(&migration, "guides/start.mdx");
    assert_contains(start, &["title: \"Start\"", "sidebarTitle: \"Start here\""]);
}

#[test]
fn python_markdown_becomes_mdx() {
    let migration = fixture("mkdocs", Format::Mkdocs);
    assert_contains(
        text(&migration, "guides/syntax.mdx"),
        &[
            "<Warning title=\"Take care\">",
            "<Danger title=\"Bug\">",
            "<Accordion title=\"Question\">",
            "<kbd>Ctrl</kbd>+<kbd>C</kbd>",
            "H<sup>2</sup>O, <mark>marked</mark>, 😄 and <Icon icon=\"github\" />",
            "\\{a: 1\\}, a type Vec&lt;T>",
            "[https://acme.example/a\\_b](https://acme.example/a_b)",
            "a<br />break",
            "{/* a comment */}",
            "<dt>Term</dt>",
            "<Tooltip tip=\"Hyper Text Markup Language\">HTML</Tooltip>",
            "```\nindented code {x}\n```",
            "## Old name {#new-id}",
        ],
    );
    assert_contains(
        text(&migration, "guides/start.mdx"),
        &[
            "Included **text**.",
            "<Tab title=\"Linux\">",
            "```bash title=\"Shell\" {1,2} lines",
            "# (1)\n",
            "![Logo](/assets/logo.svg)",
        ],
    );
    assert_contains(
        text(&migration, "index.mdx"),
        &[
            "Version 2.4 and \\{\\{ unknown \\}\\}",
            "[start](/guides/start#install) and [syntax](/guides/syntax)",
            "<Card title=\"Begin\" icon=\"rocket\">",
        ],
    );
}

#[test]
fn old_urls_have_redirects() {
    let migration = fixture("mkdocs", Format::Mkdocs);
    for (from, to) in [
        ("/product/:path*", "/:path*"),
        ("/old/start", "/guides/start"),
        ("/guides/start/index.html", "/guides/start"),
        ("/snippets/reuse", "/snippet-pages/reuse"),
    ] {
        assert!(redirects(&migration, from, to), "{from}");
    }
}

#[test]
fn what_is_lost_is_reported_with_its_location() {
    let migration = fixture("mkdocs", Format::Mkdocs);
    for (place, part) in [
        ("mkdocs.yml", "`unheard-of`"),
        ("base.yml:1:", "`extra_css`"),
        ("mkdocs.yml", "`missing.md`"),
        ("docs/index.md:7:", "`{{ unknown }}`"),
        ("docs/guides/syntax.md:20:", "`<p>`"),
    ] {
        let found = migration
            .diagnostics
            .iter()
            .find(|one| one.message.contains(part));
        let found = found.unwrap_or_else(|| panic!("{part}: {:#?}", migration.diagnostics));
        assert!(
            found.location_string().starts_with(place),
            "{}",
            found.location_string()
        );
        assert!(found.hint.is_some());
    }
}
