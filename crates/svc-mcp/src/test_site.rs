//! Sites for tests, and calls of tools.

use serde_json::Value;
use svc_site::{LoadOptions, Site, assemble};
use svc_source::SourceTree;

use crate::{McpHeaders, McpRequest, handle};

fn site(files: Vec<(String, String)>) -> Site {
    assemble(SourceTree::from_files(files), &LoadOptions::default())
        .unwrap()
        .value
}

fn config(navigation: &str) -> (String, String) {
    let config = format!(
        r##"{{"theme": "svc", "name": "Acme", "description": "All of it", "colors": {{"primary": "#112233"}},
        "redirects": [{{"source": "/old-limits", "destination": "/guides/limits"}}],
        "navigation": {navigation}}}"##
    );
    ("docs.json".to_owned(), config)
}

fn page(path: &str, text: &str) -> (String, String) {
    (format!("{path}.mdx"), text.to_owned())
}

/// Guides, and pages of every visibility.
pub(crate) fn guides() -> Site {
    let limits = "---\ntitle: Limits\ndescription: How much is allowed\n---\nIntroduction.\n\n## Bursts\n\nA burst may exceed the limit.\n\n```bash\nlimit --burst 5\n```\n\n### In detail\n\nDetails of bursts.\n\n## Errors\n\nWhat goes wrong.\n\n### In detail\n\nDetails of errors.\n";
    site(vec![
        config(
            r#"{"groups": [{"group": "Guides", "pages": ["index", "guides/limits", "guides/next"]},
            {"group": "More", "pages": ["unsearchable", "noindex", "draft", "secret"]}]}"#,
        ),
        page("index", "---\ntitle: Start\n---\nWelcome to Acme."),
        page("guides/limits", limits),
        page("guides/next", "---\ntitle: Next\n---\nWhat comes next."),
        page(
            "unsearchable",
            "---\ntitle: Unsearchable\nsearchable: false\n---\nWords about a burst limit.",
        ),
        page(
            "noindex",
            "---\ntitle: Noindex\nnoindex: true\n---\nhidden words",
        ),
        page(
            "draft",
            "---\ntitle: Draft\nhidden: true\n---\nhidden words about a burst limit",
        ),
        page(
            "orphan",
            "---\ntitle: Orphan\n---\nhidden words about a burst limit",
        ),
        page(
            "secret",
            "---\ntitle: Secret\npublic: false\ngroups: [\"staff\"]\n---\nhidden words about a burst limit",
        ),
    ])
}

/// 300 pages in ten groups.
pub(crate) fn large() -> Site {
    let mut files = Vec::new();
    let mut groups = Vec::new();
    for group in 0..10 {
        let mut pages = Vec::new();
        for number in 0..30 {
            let path = format!("page-{}", group * 30 + number);
            pages.push(format!("\"{path}\""));
            let line = "A sentence with a few ordinary terms in it, to have some text.\n\n";
            let text = format!(
                "---\ntitle: Title {path}\n---\nThe common word of {path}.\n\n{}",
                line.repeat(12)
            );
            files.push(page(&path, &text));
        }
        groups.push(format!(
            r#"{{"group": "Group {group}", "pages": [{}]}}"#,
            pages.join(", ")
        ));
    }
    files.push(config(&format!(r#"{{"groups": [{}]}}"#, groups.join(", "))));
    site(files)
}

/// A page that needs several calls.
pub(crate) fn long_page() -> Site {
    let mut text = "---\ntitle: Long\n---\n".to_owned();
    for number in 0..20 {
        text.push_str(&format!(
            "## Part {number}\n\n{}\n\n",
            "Words of a part, which is long. ".repeat(20)
        ));
    }
    site(vec![config(r#"{"pages": ["long"]}"#), page("long", &text)])
}

/// Sections that repeat a passage, and pages with the same section.
pub(crate) fn repetitive() -> Site {
    let passage = "The cache scope says who may store the response and for how long it is valid.";
    let own = "Another scope is that of a whole session, which no cache stores.";
    let text = format!(
        "---\ntitle: Fields\n---\n## First\n\n{passage}\n\n## Second\n\nShort.\n\n{passage}\n"
    );
    let same = format!("---\ntitle: Copy\n---\n## First\n\n{passage}\n\n## Third\n\n{own}\n");
    site(vec![
        config(r#"{"pages": ["fields", "copy"]}"#),
        page("fields", &text),
        page("copy", &same),
    ])
}

/// Two versions.
pub(crate) fn versions() -> Site {
    site(vec![
        config(
            r#"{"versions": [{"version": "v1", "pages": ["v1/install"]}, {"version": "v2", "pages": ["v2/install"]}]}"#,
        ),
        page("v1/install", "---\ntitle: Install\n---\nInstall the first."),
        page(
            "v2/install",
            "---\ntitle: Install\n---\nInstall the second.",
        ),
    ])
}

/// A site with an OpenAPI document.
pub(crate) fn api() -> Site {
    let api = r##"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test"}],
      "paths": {"/pets/{id}": {
        "get": {"operationId": "getPet", "summary": "Get a pet", "description": "Returns one pet with everything that is known about it, in one object.", "parameters": [{"name": "id", "in": "path", "required": true, "description": "The identifier of the pet, which never changes.", "schema": {"type": "integer"}}],
          "responses": {"200": {"description": "The pet", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}, "404": {"description": "There is no such pet, or it was removed from the collection some time ago."}}},
        "delete": {"operationId": "deletePet", "summary": "Delete a pet", "responses": {}}},
        "/hidden": {"get": {"operationId": "hiddenOne", "summary": "Hidden operation", "x-hidden": true, "responses": {}}}},
      "webhooks": {"petFed": {"post": {"summary": "Pet fed", "responses": {}}}},
      "components": {"schemas": {"Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "description": "Its name"}, "color": {"type": "string", "description": "The color of its fur", "enum": ["black", "white", "brown"]}, "born": {"type": "string", "description": "The date of its birth"}}}}}}"##;
    site(vec![
        config(
            r#"{"groups": [{"group": "Start", "pages": ["index"]}, {"group": "API", "openapi": "api.json"}]}"#,
        ),
        page("index", "---\ntitle: Start\n---\nWelcome."),
        ("api.json".to_owned(), api.to_owned()),
    ])
}

fn result(site: &Site, tool: &str, arguments: &str) -> (String, bool) {
    let arguments: Value = serde_json::from_str(arguments).unwrap();
    let body = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
    let body = body.to_string();
    let response = handle(
        site,
        &McpRequest {
            method: "POST",
            headers: McpHeaders::default(),
            body: body.as_bytes(),
            origin: "http://localhost",
        },
    );
    let body: Value = serde_json::from_slice(&response.body).unwrap();
    let result = &body["result"];
    let text = result["content"][0]["text"].as_str();
    let text = text.unwrap_or_else(|| panic!("{body}"));
    (text.to_owned(), result["isError"].as_bool().unwrap())
}

/// The answer of a tool.
pub(crate) fn call(site: &Site, tool: &str, arguments: &str) -> String {
    let (text, is_error) = result(site, tool, arguments);
    assert!(!is_error, "{arguments}: {text}");
    text
}

/// What a tool refuses.
pub(crate) fn error(site: &Site, tool: &str, arguments: &str) -> String {
    let (text, is_error) = result(site, tool, arguments);
    assert!(is_error, "{arguments}: {text}");
    text
}
