//! Docusaurus.

use serde_json::Value;
use svc_migrate::Format;

use super::{assert_contains, fixture, redirects, text};

#[test]
fn versions_languages_and_sidebars_become_navigation() {
    let migration = fixture("docusaurus", Format::Docusaurus);
    let config: Value = serde_json::from_str(text(&migration, "docs.json")).unwrap();
    let languages = config["navigation"]["languages"].as_array().unwrap();
    assert_eq!(languages.len(), 2);
    let versions = languages[0]["tabs"][0]["versions"].as_array().unwrap();
    assert_eq!(versions[0]["version"], "1.0");
    assert_eq!(versions[0]["pages"][0], "docs/intro");
    assert_eq!(versions[1]["version"], "Next");
    assert_eq!(
        versions[1]["pages"][1]["pages"],
        serde_json::json!(["docs/next/guides/first", "docs/next/guides/two"])
    );
    assert_eq!(
        languages[0]["tabs"][1]["pages"][0],
        "blog/2024/02/03/released"
    );
    assert_eq!(config["favicon"], "/img/logo.svg");
}

#[test]
fn pages_use_components() {
    let migration = fixture("docusaurus", Format::Docusaurus);
    let page = text(&migration, "docs/next/intro.mdx");
    assert_contains(
        page,
        &[
            "sidebarTitle: \"Begin\"",
            "<Tip title=\"Good to know\">",
            "[a link](/docs/next/guides/two#x)",
            "title=\"Linux\"",
            "title=\"macos\"",
            "```js title=\"a.js\" {1,3-4} lines",
            "import Part from '/snippets/docs/next/part.mdx';",
            "<img src=\"/img/logo.svg\" alt=\"Logo\" />",
            "<a href=\"/docs/next/guides/first\">first</a>",
            "{/* gone */}",
        ],
    );
    assert!(!page.contains("@theme"));
    assert_contains(
        text(&migration, "snippets/docs/next/part.mdx"),
        &["A shared part."],
    );
}

#[test]
fn old_urls_have_redirects() {
    let migration = fixture("docusaurus", Format::Docusaurus);
    for (from, to) in [
        ("/product/:path*", "/:path*"),
        ("/old", "/docs/intro"),
        ("/docs/next/category/guides", "/docs/next/guides/first"),
        ("/de/docs/intro", "/docs/intro"),
        ("/blog", "/blog/2024/02/03/released"),
    ] {
        assert!(redirects(&migration, from, to), "{from}");
    }
    for part in ["`gone`", "React component", "`algolia`"] {
        assert!(
            migration
                .diagnostics
                .iter()
                .any(|one| one.message.contains(part)),
            "{part}"
        );
    }
}
