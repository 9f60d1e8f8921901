//! ReadMe.

use serde_json::Value;
use svc_migrate::Format;

use super::{assert_contains, assert_reported, fixture, redirects, text};

#[test]
fn categories_become_navigation() {
    let migration = fixture("readme", Format::Readme);
    let config: Value = serde_json::from_str(text(&migration, "docs.json")).unwrap();
    let tabs = &config["navigation"]["tabs"];
    assert_eq!(tabs[0]["tab"], "Guides");
    let guides = &tabs[0]["pages"][0];
    assert_eq!(guides["group"], "Guides");
    assert_eq!(guides["pages"][0], "docs/start");
    assert_eq!(guides["pages"][1]["root"], "docs/boxes");
    assert_eq!(
        guides["pages"][1]["pages"],
        serde_json::json!(["docs/square"])
    );
    assert_eq!(guides["pages"].as_array().unwrap().len(), 2);
    assert_eq!(tabs[0]["pages"][1]["pages"][0], "docs/even-more");
    assert_eq!(tabs[1]["tab"], "API reference");
    assert_eq!(tabs[2]["pages"][0], "recipes/pack");
    assert_eq!(config["api"]["openapi"][0], "/reference/boxes.json");
    assert!(redirects(&migration, "/", "/docs/start"));
}

#[test]
fn pages_use_components() {
    let migration = fixture("readme", Format::Readme);
    assert_contains(
        text(&migration, "docs/start.mdx"),
        &[
            "title: \"Start here\"",
            "description: \"Pack your first box\"",
            "## Begin",
            "<Info title=\"Read this\">",
            "[boxes](/docs/boxes#kinds) and [the API](/reference/get-box)",
            "<CodeGroup>",
            "```javascript title=\"Node\"",
            "```curl title=\"curl\"",
            "<img src=\"https://files.acme.example/box.png\" alt=\"A box\" />",
            "A box from above",
            "<Columns cols={3}>",
            "href=\"/docs/boxes\"",
            "The lid costs price, see lid.",
            "<td style={{ textAlign: \"left\" }}>",
        ],
    );
    assert_contains(
        text(&migration, "docs/boxes.mdx"),
        &[
            "<Danger title=\"Heavy\">",
            "Lift with \\{care\\}.",
            "| `a` | First |",
            "<p>Plain <b>HTML</b></p>",
        ],
    );
    assert_contains(text(&migration, "docs/secret.mdx"), &["hidden: true"]);
    assert_contains(
        text(&migration, "reference/get-box.mdx"),
        &["openapi: \"/reference/boxes.json GET /boxes/{id}\""],
    );
}

#[test]
fn what_is_lost_is_reported() {
    let migration = fixture("readme", Format::Readme);
    assert_reported(
        &migration,
        &[
            ("docs/Guides/start.md", "`<<price>>`"),
            ("docs/Guides/boxes/index.md", "`tutorial-tile`"),
            ("docs/Guides/boxes/index.md", "`<CustomThing>`"),
        ],
    );
}
