//! GitBook.

use serde_json::Value;
use svc_migrate::Format;

use super::{assert_contains, assert_reported, fixture, redirects, text};

#[test]
fn the_table_of_contents_becomes_navigation() {
    let migration = fixture("gitbook", Format::Gitbook);
    let config: Value = serde_json::from_str(text(&migration, "docs.json")).unwrap();
    assert_eq!(config["name"], "Welcome");
    let pages = &config["navigation"]["pages"];
    assert_eq!(pages[0], "index");
    assert_eq!(pages[1]["group"], "Guides");
    let guides = &pages[1]["pages"];
    assert_eq!(guides[0]["root"], "guides/start/index");
    assert_eq!(
        guides[0]["pages"],
        serde_json::json!(["guides/start/boxes"])
    );
    assert_eq!(guides[1], "guides/methods");
    assert_eq!(guides[2], "links/forum");
}

#[test]
fn blocks_become_components() {
    let migration = fixture("gitbook", Format::Gitbook);
    assert_contains(
        text(&migration, "index.mdx"),
        &[
            "description: \"All about boxes.\"",
            "<Card href=\"/guides/start\" img=\"/assets/a%20box.svg\" title=\"Start\">",
            "Pack a box.",
            "<Card title=\"Boxes\" href=\"/guides/start/boxes\" horizontal />",
            "<img src=\"/assets/a%20box.svg\" alt=\"A box\" />",
            "Acme is *free*.",
        ],
    );
    assert_contains(
        text(&migration, "guides/start/index.mdx"),
        &[
            "<Warning>",
            "* Two",
            "<Tab title=\"npm\">",
            "```bash title=\"install.sh\" lines wrap",
            "<Steps>",
            "### Close",
            "<Accordion title=\"Why a box?\">",
            "\\{it\\} holds",
            "src=\"https://www.youtube.com/embed/abc_def\"",
            "[https://acme.example/demo](https://acme.example/demo)",
            "A demo",
            "[list.csv](/assets/list.csv)",
            "[boxes](/guides/start/boxes#kinds) and [methods](/guides/methods)",
        ],
    );
    assert_contains(
        text(&migration, "guides/start/boxes.mdx"),
        &[
            "<Columns cols={2}>",
            "<Column>",
            "<Update label=\"2024-05-06\">",
            "<Card title=\"Methods\" href=\"/guides/methods\" horizontal />",
            "`{% hint %}`",
            "```\n{% hint style=\"info\" %}\n```",
            "Beta text.",
        ],
    );
    assert_contains(
        text(&migration, "guides/methods.mdx"),
        &[
            "### Get a box",
            "`GET https://api.acme.example/boxes/{id}`",
            "<ParamField path=\"id\" type=\"string\" required>",
            "#### 200 Found",
            "### Make a box",
            "<ParamField query=\"size\" type=\"number\" required>",
            "`DELETE /boxes`",
        ],
    );
}

#[test]
fn old_urls_have_redirects_and_the_rest_is_reported() {
    let migration = fixture("gitbook", Format::Gitbook);
    assert!(redirects(&migration, "/old/start", "/guides/start"));
    assert!(redirects(
        &migration,
        "/forum",
        "https://forum.acme.example"
    ));
    assert_reported(
        &migration,
        &[
            ("SUMMARY.md:10:", "`guides/gone.md`"),
            ("guides/methods.md", "`DELETE /boxes`"),
            ("guides/start/boxes.md", "visitor.claims.beta"),
            ("guides/start/boxes.md", "`@integration/thing`"),
        ],
    );
}
