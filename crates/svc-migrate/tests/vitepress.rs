//! VitePress.

use serde_json::Value;
use svc_migrate::Format;

use super::{assert_contains, assert_reported, fixture, redirects, text};

#[test]
fn settings_sidebars_and_languages_become_docs_json() {
    let migration = fixture("vitepress", Format::Vitepress);
    let config: Value = serde_json::from_str(text(&migration, "docs.json")).unwrap();
    assert_eq!(config["name"], "Acme");
    assert_eq!(config["description"], "The guide to Acme");
    assert_eq!(config["colors"]["primary"], "#0a7d4f");
    assert_eq!(config["logo"], "/logo.svg");
    assert_eq!(config["favicon"], "/logo.svg");
    assert_eq!(config["seo"]["metatags"]["theme-color"], "#0a7d4f");
    assert_eq!(config["navbar"]["links"][0]["label"], "Forum");
    assert_eq!(config["navbar"]["links"][1]["type"], "github");
    let languages = &config["navigation"]["languages"];
    assert_eq!(languages[1]["language"], "de");
    assert_eq!(languages[1]["pages"][0], "de/index");
    let tabs = &languages[0]["tabs"];
    assert_eq!(tabs[0]["tab"], "Guides");
    assert_eq!(tabs[0]["pages"][0], "index");
    assert_eq!(
        tabs[0]["pages"][1]["pages"],
        serde_json::json!(["guide/start", "guide/syntax"])
    );
    assert_eq!(tabs[0]["pages"][2], "links/code");
    assert_eq!(tabs[1]["tab"], "API");
    assert_eq!(tabs[1]["pages"][0], "api/functions");
}

#[test]
fn pages_use_components() {
    let migration = fixture("vitepress", Format::Vitepress);
    assert_contains(
        text(&migration, "guide/syntax.mdx"),
        &[
            "<Tip title=\"See the start\">",
            "<Accordion title=\"Click\" defaultOpen>",
            "```js {1,3-4}",
            "const b = 2 // [!code ++]",
            "<Warning>",
            "<Info title=\"Inside\">",
            "<Note>",
            "<Warning title=\"Hot\">",
            "\\{\\{ count \\}\\}",
            "Array&lt;string> and braces \\{a\\}",
            "<div className=\"box\">In a box</div>",
            "```html\n<p>{{ count }}</p>",
            "<Tab title=\"Two\">",
        ],
    );
    assert_contains(
        text(&migration, "guide/start.mdx"),
        &[
            "[the syntax](/guide/syntax#alerts), [functions](/api/functions) and [home](/)",
            "## Install {#install}",
            "<CodeGroup>",
            "```sh title=\"pnpm\"",
            "```ts title=\"box.ts\" {2} lines\nconst box = open()\nbox.fill()\n```",
            "Acme is *free*.",
        ],
    );
    assert_contains(
        text(&migration, "index.mdx"),
        &[
            "title: \"Acme\"",
            "Boxes for everything",
            "[Get started](/guide/start)",
            "<Card title=\"📦 Boxes\" href=\"/api/functions\">",
            "They hold <b>things</b>.",
        ],
    );
    assert_contains(
        text(&migration, "api/functions.mdx"),
        &["![Logo](/logo.svg)"],
    );
    assert!(!migration.files.contains_key("parts/license.mdx"));
}

#[test]
fn old_urls_have_redirects_and_the_rest_is_reported() {
    let migration = fixture("vitepress", Format::Vitepress);
    for (from, to) in [
        ("/product/:path*", "/:path*"),
        ("/guide/start.html", "/guide/start"),
        ("/api/functions.html", "/api/functions"),
        ("/index.html", "/"),
    ] {
        assert!(redirects(&migration, from, to), "{from}");
    }
    assert_reported(
        &migration,
        &[
            ("docs/reference/[name].md:1:", "route with parameters"),
            ("docs/guide/syntax.md:6:", "`<script>`"),
            ("docs/guide/syntax.md", "`{{ count }}`"),
            ("docs/guide/syntax.md", "`<Chart>`"),
            ("docs/.vitepress/config.mts", "`/guide/gone`"),
            ("docs/.vitepress/config.mts", "`search`"),
            ("docs/.vitepress/config.mts", "`head`"),
            ("docs/.vitepress/config.mts", "social.example"),
        ],
    );
}
