//! A site that is loaded for its links alone has the same problems of links.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::fs;
use std::path::Path;

use svc_render::SiteOptions;
use svc_site::{LINK_CODES, LoadOptions, validate};

const PAGE: &str = "---
title: Page
---

## First

[To the part](#first), [to nothing](#second), [nowhere](/nowhere).

```js
const a = 1;
```

```mermaid
flowchart LR
  A --> B
```
";

const API: &str = r#"{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/pets": {"post": {
  "summary": "Add a pet",
  "requestBody": {"content": {"application/json": {
    "schema": {"type": "object", "properties": {"name": {"type": "string", "description": "See [names](/names)."}}},
    "examples": {"cat": {"description": "As of [cats](/cats).", "value": {"name": "Tom"}}}
  }}},
  "responses": {"200": {"description": "OK, see [results](/results).", "content": {"application/json": {"schema": {"type": "string"}}}}}
}}}}"#;

const CONFIG: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#0a7d4f"}, "navigation": {"groups": [
  {"group": "Guides", "pages": ["page"]}, {"group": "API", "openapi": "api.json"}
]}}"##;

/// Problems of links: their codes, places and messages.
fn problems(dir: &Path, links_only: bool) -> Vec<String> {
    let options = LoadOptions::from(SiteOptions {
        links_only,
        ..SiteOptions::default()
    });
    let validated = validate(dir, &options).unwrap();
    let of_links = validated.diagnostics.iter();
    let of_links = of_links.filter(|one| LINK_CODES.contains(&one.code.id));
    of_links
        .map(|one| format!("{} {:?} {}", one.code.id, one.location, one.message))
        .collect()
}

#[test]
fn a_site_for_links_has_the_same_problems_of_links() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("page.mdx", PAGE), ("api.json", API), ("docs.json", CONFIG)] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let all = problems(dir.path(), false);
    for broken in ["second", "/nowhere", "/names", "/cats", "/results"] {
        assert!(
            all.iter().any(|one| one.contains(broken)),
            "{broken}: {all:?}"
        );
    }
    assert_eq!(problems(dir.path(), true), all);
}

#[test]
fn links_are_followed_through_redirects() {
    let dir = tempfile::tempdir().unwrap();
    let config = CONFIG.replacen(
        "\"navigation\"",
        r#""redirects": [
          {"source": "/old/:rest*", "destination": "/:rest*"}, {"source": "/part", "destination": "/page#first"}, {"source": "/third", "destination": "/page#third"},
          {"source": "/gone", "destination": "/old/gone"}, {"source": "/a", "destination": "/b"}, {"source": "/b", "destination": "/a"}
        ], "navigation""#,
        1,
    );
    let page = "---\ntitle: Page\n---\n\n## First\n\n[1](/old/page#first) [2](/old/page#second) [3](/old/nowhere) [4](/part#other) [5](/gone) [6](/a)\n";
    for (name, text) in [
        ("page.mdx", page),
        ("api.json", API),
        ("docs.json", &*config),
    ] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let found = problems(dir.path(), false);
    let on_page = found.iter().filter(|one| one.contains("page.mdx"));
    let messages: Vec<&str> = on_page
        .filter_map(|one| one.rsplit_once("} }) ").map(|(_, message)| message))
        .collect();
    assert_eq!(
        messages,
        [
            "`/page` has no heading or anchor `#second`",
            "`/old/nowhere` is redirected to `/nowhere`, which does not exist",
            "there is no page or file `/gone`",
            "there is no page or file `/a`",
        ]
    );
    let of_redirects = found.iter().filter(|one| one.contains("docs.json"));
    let anchors: Vec<&String> = of_redirects
        .filter(|one| one.starts_with("link-fragment"))
        .collect();
    assert!(
        matches!(anchors[..], [one] if one.ends_with("no heading or anchor `#third`")),
        "{anchors:?}"
    );
}
