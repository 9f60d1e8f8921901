//! Starlight.

use serde_json::Value;
use svc_migrate::Format;

use super::{assert_contains, fixture, redirects, text};

#[test]
fn the_sidebar_becomes_navigation() {
    let migration = fixture("starlight", Format::Starlight);
    let config: Value = serde_json::from_str(text(&migration, "docs.json")).unwrap();
    let languages = config["navigation"]["languages"].as_array().unwrap();
    assert_eq!(languages[0]["pages"][0], "index");
    assert_eq!(
        languages[0]["pages"][1]["pages"],
        serde_json::json!(["guides/second", "guides/first"])
    );
    assert_eq!(languages[0]["pages"][2], "links/code");
    assert_eq!(config["logo"], "/assets/logo.svg");
    assert_eq!(config["navbar"]["links"][0]["type"], "github");
}

#[test]
fn pages_use_components() {
    let migration = fixture("starlight", Format::Starlight);
    assert_contains(
        text(&migration, "guides/first.mdx"),
        &[
            "<Step title=\"Install it\">",
            "<Step>",
            "<Tab title=\"npm\">One</Tab>",
            "<Warning title=\"Wait\">",
            "<Callout type=\"warning\">Careful.</Callout>",
            "<Card title=\"Second\" href=\"/guides/second\" />",
            "<Badge>New</Badge>",
            "<img src=\"/assets/logo.svg\" alt=\"Logo\" />",
            "<FileTree>",
            "sidebarTitle: \"Number one\"",
        ],
    );
    assert_contains(
        text(&migration, "guides/second.mdx"),
        &["Vec&lt;T> and \\{braces\\}. [First](/guides/first)"],
    );
    assert_contains(
        text(&migration, "index.mdx"),
        &[
            "The product.",
            "[Begin](/guides/first)",
            "<Columns cols={2}>",
        ],
    );
}

#[test]
fn old_urls_have_redirects() {
    let migration = fixture("starlight", Format::Starlight);
    for (from, to) in [
        ("/product/:path*", "/:path*"),
        ("/old", "/guides/first"),
        ("/blog/:slug*", "/guides/:slug*"),
        ("/de/guides/first", "/guides/first"),
    ] {
        assert!(redirects(&migration, from, to), "{from}");
    }
    assert!(
        migration
            .diagnostics
            .iter()
            .any(|one| one.message.contains("`customCss`"))
    );
}
