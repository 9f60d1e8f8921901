//! Entries of the page menu and its placement.

use crate::testing::{document, document_with};
use crate::{RenderOptions, SiteOptions};

const SPEC: &str = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/x": {"get": {"summary": "Read X"}}}}"#;

/// The page `path` of a site with these settings.
fn page(settings: &str, path: &str) -> String {
    document(&site(settings), path)
}

fn site(settings: &str) -> String {
    format!(
        r##"//- /docs.json
{{"theme": "svc", "name": "Acme & Co", "colors": {{"primary": "#112233"}}, {settings}, "navigation": {{"groups": [
  {{"group": "G", "pages": ["a", "own", "none", "bad", "blank"]}},
  {{"group": "One", "openapi": "one.json"}},
  {{"group": "Two", "openapi": ["one.json", "two.json"], "pages": ["two"]}}]}}}}
//- /one.json
{SPEC}
//- /two.json
{}
//- /a.mdx
//- /own.mdx
---
contextual: {{options: [view]}}
---
//- /none.mdx
---
contextual: {{options: []}}
---
//- /bad.mdx
---
contextual: {{options: [nothing, 5]}}
---
//- /blank.mdx
---
mode: custom
---
//- /two.mdx
"##,
        SPEC.replace("/x", "/y").replace("Read X", "Read Y")
    )
}

fn menu(settings: &str, path: &str) -> String {
    let html = page(settings, path);
    let menu = html.split_once(" data-svc-page-menu");
    let end = |rest: &str| rest.find("role=\"status\"").unwrap_or(rest.len());
    menu.map_or_else(String::new, |(_, rest)| rest[..end(rest)].to_owned())
}

const ALL: &str = r#""redirects": [{"source": "/mcp", "destination": "https://mcp.acme.org"}], "contextual": {"options": ["copy", "view", "assistant", "download-pdf", "download-spec", "chatgpt", "claude", "perplexity", "grok", "aistudio", "devin", "windsurf", "devin-desktop", "mcp", "add-mcp", "cursor", "vscode", "devin-mcp"]}"#;

#[test]
fn the_first_entry_is_the_button_and_all_are_in_the_list() {
    // spec: view.contextual accepts
    let menu = menu(ALL, "/a");
    let (button, list) = menu.split_once("<details").expect("there are several");
    assert!(
        button.contains("data-act=\"copy-page\"") && button.contains("Copy page"),
        "{button}"
    );
    for part in [
        "Copy page",
        "href=\"/a.md\"",
        "data-act=\"print\"",
        "https://chatgpt.com/?q=Read%20{page}%20and",
        "https://claude.ai/new?q=Read",
        "https://www.perplexity.ai/search?q=Read",
        "https://grok.com/?q=Read",
        "https://aistudio.google.com/prompts/new_chat?prompt=Read",
        "https://app.devin.ai/?prompt=Read",
        "devin://cascade?prompt=Read",
        "data-form=\"{mcp}\"",
        "data-form=\"npx add-mcp {mcp}\"",
        "cursor://anysphere.cursor-deeplink/mcp/install?name=Acme%20%26%20Co&amp;config={settings}",
        "vscode:mcp/install?%7B%22name%22%3A%22Acme%20%26%20Co%22%2C%22url%22%3A%22{mcp}%22%7D",
        "setup/custom?config={server}",
    ] {
        assert!(list.contains(part), "{part}: {list}");
    }
    // The page has no API, and the site has no chat.
    assert_eq!(list.matches("<li>").count(), 16, "{list}");
}

#[test]
fn entries_for_the_mcp_server_are_shown_unless_the_site_is_exported() {
    let settings =
        r#""contextual": {"options": ["view", "mcp", "add-mcp", "cursor", "vscode", "devin-mcp"]}"#;
    let served = menu(settings, "/a");
    assert!(
        served.contains("data-form=\"{mcp}\"") && served.contains("vscode:mcp/install"),
        "{served}"
    );
    let exported = document_with(
        &site(settings),
        "/a",
        RenderOptions {
            site: SiteOptions {
                export: true,
                ..SiteOptions::default()
            },
            ..RenderOptions::default()
        },
    );
    assert!(exported.contains("/a.md"), "{exported}");
    assert!(!exported.contains("mcp/install"), "{exported}");
    assert!(!exported.contains("{mcp}"), "{exported}");
}

#[test]
fn a_single_entry_needs_no_list() {
    let menu = menu(r#""contextual": {"options": ["view"]}"#, "/a");
    assert!(
        menu.contains("/a.md") && !menu.contains("<details"),
        "{menu}"
    );
}

#[test]
fn links_are_complete_if_the_origin_is_known() {
    let known = r#""redirects": [{"source": "/mcp", "destination": "https://mcp.acme.org"}], "seo": {"metatags": {"canonical": "https://docs.acme.org"}}, "contextual": {"options": ["claude", "cursor", "vscode"]}"#;
    let menu = menu(known, "/a");
    assert!(!menu.contains("svc-needs-script"), "{menu}");
    assert!(
        menu.contains("q=Read%20https%3A%2F%2Fdocs.acme.org%2Fa.md%20and"),
        "{menu}"
    );
    // {"url":"https://docs.acme.org/mcp"}
    assert!(
        menu.contains("config=eyJ1cmwiOiJodHRwczovL2RvY3MuYWNtZS5vcmcvbWNwIn0%3D"),
        "{menu}"
    );
    assert!(!menu.contains("data-form"), "{menu}");
}

#[test]
fn placeholders_of_configured_entries_are_replaced() {
    // spec: view.contextual accepts
    let text = r#""contextual": {"options": [
      {"title": "Idea <1>", "description": "Tell us", "icon": "plus", "href": "https://x.org/new?from={a}"},
      {"title": "Here", "description": "", "href": "/own"},
      {"title": "Share", "description": "d", "href": {"base": "https://x.org/?a=1", "query": [{"key": "t&", "value": "See $page at $path & $mcp"}]}}]}"#;
    let menu = menu(text, "/a");
    for part in [
        "Idea &lt;1&gt;",
        "<small>Tell us</small>",
        "href=\"https://x.org/new?from=%7Ba%7D\"",
        "href=\"/own\"",
        "data-form=\"https://x.org/?a=1&amp;t%26=See%20{markdown}%20at%20%2Fa%20%26%20{mcp}\"",
    ] {
        assert!(menu.contains(part), "{part}: {menu}");
    }
}

#[test]
fn the_front_matter_of_a_page_replaces_the_menu() {
    let both = r#""contextual": {"options": ["copy", "view"]}"#;
    assert!(menu(both, "/a").contains("copy-page"));
    assert!(!menu(both, "/own").contains("copy-page"));
    assert!(menu(both, "/own").contains("/own.md"));
    assert_eq!(menu(both, "/none"), "");
    assert!(
        menu(both, "/bad").contains("copy-page"),
        "a wrong one counts for nothing"
    );
    assert_eq!(menu(both, "/blank"), "", "a page that draws itself");
}

#[test]
fn the_menu_can_be_below_the_table_of_contents() {
    // spec: view.contextual accepts
    let html = page(
        r#""contextual": {"display": "toc", "options": ["copy", "view"]}"#,
        "/a",
    );
    let (_, toc) = html.split_once("svc-toc\"").expect("it has a column");
    assert!(
        toc.contains("svc-page-menu-list") && toc.contains("/a.md"),
        "{toc}"
    );
    assert!(
        html.contains("data-narrow"),
        "small windows have no such column"
    );
}

#[test]
fn api_pages_offer_their_documents() {
    // spec: nav.rule.10, oas.download.archive accepts
    let spec = r#""contextual": {"options": ["download-spec"]}"#;
    let one = menu(spec, "/api-reference/read-x");
    assert!(one.contains("href=\"/one.json\" download"), "{one}");
    let two = menu(spec, "/two");
    assert!(two.contains("href=\"/api-specs.zip\" download"), "{two}");
    assert_eq!(menu(spec, "/a"), "", "not a page of an API");
}

#[test]
fn a_protected_site_offers_no_document() {
    // spec: oas.download.protected accepts
    let spec = r#""public": false, "contextual": {"options": ["download-spec"]}"#;
    assert_eq!(menu(spec, "/api-reference/read-x"), "");
}
