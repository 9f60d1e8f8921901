//! Tests of the playground's markup and assets.

use std::collections::BTreeSet;

use svc_nav::Audience;

use crate::RenderOptions;
use crate::testing::{document_with, site};

const SITE: &str = r##"//- /docs.json
{ "theme": "svc", "name": "A", "colors": { "primary": "#112233" }, "api": { "playground": { "display": "DISPLAY" } },
  "navigation": { "openapi": "o.json", "pages": ["GET /a", "own"] } }
//- /own.mdx
---
title: Own
openapi: GET /a
playground: none
---
//- /o.json
{ "openapi": "3.1.0", "info": { "title": "A", "version": "1" }, SERVERS
  "paths": { "/a": { "get": { "summary": "Get a", EXTENSION "responses": {} } } } }
"##;

fn html(display: &str, servers: &str, extension: &str) -> String {
    let text = SITE.replace("DISPLAY", display);
    let text = text
        .replace("SERVERS", servers)
        .replace("EXTENSION", extension);
    site(&text, "/api-reference/get-a").html
}

const SERVER: &str = r#""servers": [{ "url": "https://a.test" }],"#;

// spec: view.api.playground accepts
#[test]
fn the_display_setting_selects_the_buttons() {
    for (display, tries, copies) in [
        ("interactive", true, true),
        ("simple", false, true),
        ("none", false, false),
        ("auth", false, false),
    ] {
        let html = html(display, SERVER, "");
        assert_eq!(html.contains("data-svc-try"), tries, "{display}: {html}");
        assert_eq!(
            html.contains("svc-endpoint-copy"),
            copies,
            "{display}: {html}"
        );
        assert_eq!(html.contains("data-svc-playground"), tries, "{display}");
    }
}

#[test]
fn readers_who_have_signed_in_get_the_playground_for_them() {
    let text = SITE
        .replace("DISPLAY", "auth")
        .replace("SERVERS", SERVER)
        .replace("EXTENSION", "");
    let has_playground = |audience| {
        let mut options = RenderOptions::default();
        options.site.audience = audience;
        document_with(&text, "/api-reference/get-a", options).contains("data-svc-try")
    };
    assert!(has_playground(Audience::Members(BTreeSet::new())));
    assert!(has_playground(Audience::Trusted) && !has_playground(Audience::Everyone));
}

#[test]
fn an_operation_without_server_can_only_be_copied() {
    let html = html("interactive", "", "");
    assert!(!html.contains("data-svc-try") && html.contains("svc-endpoint-copy"));
}

#[test]
fn front_matter_overrides_the_display_setting() {
    let text = SITE
        .replace("DISPLAY", "interactive")
        .replace("SERVERS", SERVER);
    let page = site(&text.replace("EXTENSION", ""), "/own").html;
    assert!(page.contains("svc-endpoint-path") && !page.contains("svc-endpoint-copy"));
    let generated = html(
        "none",
        SERVER,
        r#""x-svc": { "metadata": { "playground": "interactive" } },"#,
    );
    assert!(generated.contains("data-svc-try"), "{generated}");
}

#[test]
fn an_operation_can_expand_its_playground() {
    let text = r#""x-svc": { "playground": { "expand": true } },"#;
    assert!(html("interactive", SERVER, text).contains(" data-open"));
    let alias = r#""x-mint": { "playground": { "expand": true } },"#;
    assert!(html("interactive", SERVER, alias).contains(" data-open"));
    assert!(!html("interactive", SERVER, "").contains(" data-open"));
}

#[test]
fn modules_import_each_other_by_their_served_names() {
    let all = super::assets();
    for asset in all {
        for (at, _) in asset.text().match_indices("\"./") {
            let name = asset.text()[at + 3..].split('"').next().unwrap_or_default();
            assert!(
                all.iter().any(|other| other.name == name),
                "{}: {name}",
                asset.name
            );
        }
    }
}
