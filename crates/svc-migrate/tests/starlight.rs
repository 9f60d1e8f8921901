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
        serde_json::json!(["guides/second", "guides/first", "guides/examples"])
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
fn components_keep_the_code_and_the_entries_of_their_attributes() {
    let migration = fixture("starlight", Format::Starlight);
    assert_contains(
        text(&migration, "guides/examples.mdx"),
        &[
            "```sh title=\"Terminal\"\nnpm start -- --port 80\n```",
            "const engine = createEngine();\n\n  engine.run(\\`job",
            "<CodeBlock language=\"md\">{'```' + fence + listing + '```'}</CodeBlock>",
            "export const startCode = \"export const port = 8080;\\n\\nstart(",
            "<CodeBlock language=\"js\" filename=\"src/examples/start.js\">{startCode}</CodeBlock>",
            "```yaml\nfirst:\n  second: 2\n\nthird: [3]\n",
            "<Card title=\"Site one\" href=\"https://one.example/\">\nA shop for \\{boxes\\} and bags.\n</Card>",
            "<Card title=\"Site two\" href=\"/guides/first\" />",
            "<Gallery entries={unknown} />\n\nThe end.",
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
