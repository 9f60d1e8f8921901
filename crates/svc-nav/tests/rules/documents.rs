//! Pages generated from OpenAPI documents.

use crate::rules::test_site::{SPEC, hrefs, made, map, node, refused, route};

#[test]
fn documents_are_inherited_until_an_element_names_its_own() {
    // spec: nav.openapi, nav.openapi.inherit, nav.openapi.all, nav.openapi.groups, nav.openapi.hidden, nav.openapi.default-directory, oas.page.version accepts
    let map = map(
        r#""navigation": {"openapi": "api.json", "tabs": [{"tab": "All", "version": "7"}, {"tab": "Own", "openapi": "/other.json", "groups": [{"group": "G", "pages": ["GET /ping"]}]},
            {"tab": "Docs", "groups": [{"group": "H", "pages": ["a"]}]}]}"#,
        "a",
        SPEC,
    );
    assert_eq!(
        hrefs(&map),
        [
            "tab:All group:People /api-reference/users/list-users",
            "tab:All group:People /api-reference/users/add-user",
            "tab:All group:API Reference /api-reference/ping",
            "tab:Own group:G /api-reference/other-ping",
            "tab:Docs group:H /a",
        ]
    );
    assert_eq!(
        route(&map, "/api-reference/ping").version.as_deref(),
        Some("7")
    );
    assert_eq!(route(&map, "/api-reference/other-ping").version, None);
    let documents = |name: &str| node(&map, name).documents.clone();
    assert_eq!(
        (documents("All"), documents("Docs")),
        (documents("H"), documents("H"))
    );
    assert!(documents("G") == documents("Own") && documents("G") != documents("All"));
}

#[test]
fn a_missing_document_is_reported() {
    // spec: nav.openapi refuses
    refused(
        "\"navigation\": {\"groups\": [{\"group\": \"G\",\n \"openapi\": [\"api.json\",\n  \"othr.json\"], \"pages\": [\"a\"]}]}",
        "a",
        SPEC,
        [
            "nav-missing-document",
            "docs.json:5:3",
            "/navigation/groups/0/openapi/1",
            "did you mean `other.json`?",
        ],
    );
}

#[test]
fn only_listed_operations_get_pages() {
    // spec: nav.openapi.listed, nav.openapi.operation, nav.openapi.named, nav.openapi.directory accepts
    let map = map(
        r#""navigation": {"groups": [{"group": "G", "openapi": {"source": "api.json", "directory": "ref"}, "pages": ["GET /ping", "a", "/other.json get /ping"]},
            {"group": "H", "openapi": "api.json", "directory": "v1", "pages": ["POST /users"]}]}"#,
        "a",
        SPEC,
    );
    assert_eq!(
        hrefs(&map),
        [
            "group:G /ref/ping",
            "group:G /a",
            "group:G /ref/other-ping",
            "group:H /v1/users/add-user",
        ]
    );
    assert_eq!(map.routes.len(), 4);
}

#[test]
fn an_unknown_operation_is_reported() {
    // spec: nav.openapi.operation refuses
    let map = refused(
        "\"navigation\": {\"groups\": [{\"group\": \"G\", \"openapi\": \"api.json\", \"pages\": [\"GET /ping\",\n   \"GET /pong\"]}]}",
        "",
        SPEC,
        [
            "nav-missing-operation",
            "docs.json:4:4",
            "/navigation/groups/0/pages/1",
            "did you mean `GET /ping`?",
        ],
    );
    assert_eq!(map.routes.len(), 1);
    refused(
        "\"navigation\": {\"pages\": [\"a\", \"api.json PUT /users\"]}",
        "a",
        SPEC,
        [
            "nav-missing-operation",
            "docs.json:3:31",
            "/navigation/pages/1",
            "did you mean `GET /users`?",
        ],
    );
}

#[test]
fn an_entry_with_an_unknown_document_is_reported() {
    // spec: nav.openapi.named refuses
    refused(
        "\"navigation\": {\"pages\": [\"a\", \"apis.json GET /ping\"]}",
        "a",
        SPEC,
        [
            "nav-missing-document",
            "docs.json:3:31",
            "/navigation/pages/1",
            "did you mean `api.json`?",
        ],
    );
}

#[test]
fn a_section_of_a_document_without_operations_is_reported() {
    // spec: nav.openapi.empty accepts
    assert_eq!(
        map(
            r#""navigation": {"tabs": [{"tab": "T", "openapi": "other.json"}]}"#,
            "",
            SPEC
        )
        .routes
        .len(),
        1
    );
    // spec: nav.openapi.empty refuses
    refused(
        "\"navigation\": {\"tabs\": [{\"tab\": \"D\", \"pages\": [\"a\"]},\n {\"tab\": \"T\", \"openapi\": \"empty.json\"}]}",
        "a",
        SPEC,
        [
            "nav-empty-document",
            "docs.json:4:26",
            "/navigation/tabs/1/openapi",
            "add an operation to the document, or remove `x-hidden` from one",
        ],
    );
}

/// Returns the diagnostics of pages with this front matter: code, location, message and hint.
fn problems(files: &str, sources: &str) -> Vec<String> {
    let names: Vec<&str> = files
        .lines()
        .filter_map(|line| line.strip_prefix("//- /")?.strip_suffix(".mdx"))
        .collect();
    let pages = format!("[\"{}\"]", names.join("\", \""));
    let lines = format!(r#""navigation": {{{sources} "pages": {pages}}}"#);
    let resolved = made(&lines, "", &format!("{SPEC}{files}")).outcome;
    let formatted = resolved.diagnostics.iter().map(|diagnostic| {
        let hint = diagnostic.hint.as_deref().unwrap_or("");
        format!(
            "{} {}: {} ({hint})",
            diagnostic.code.id,
            diagnostic.location_string(),
            diagnostic.message
        )
    });
    formatted.collect()
}

fn page(path: &str, openapi: &str) -> String {
    format!("//- /{path}.mdx\n---\nopenapi: {openapi}\n---\n")
}

#[test]
fn a_document_can_be_named_other_than_by_its_path() {
    let none: [&str; 0] = [];
    for exact in ["/api.json GET /users", "api.json GET /users", "GET /users"] {
        assert_eq!(problems(&page("a/b", exact), ""), none, "{exact}");
    }
    for near in [
        "../api.json",
        "../../api.json",
        "docs/api.json",
        "api",
        "gone.yaml",
    ] {
        let diagnostics = problems(&page("a/b", &format!("{near} POST /users")), "");
        let expected = format!(
            "nav-document-name a/b.mdx:2:10: `{near}` is resolved to the document `api.json` (write `/api.json`)"
        );
        assert_eq!(diagnostics, [expected]);
    }
    let diagnostics = problems(&page("a/b", "gone.yaml GET /ping"), "");
    assert_eq!(
        diagnostics,
        [
            "nav-missing-document a/b.mdx:2:10: no document is named `gone.yaml`, and several contain `GET /ping` (name one of `api.json`, `other.json`)"
        ]
    );
}

#[test]
fn an_inexact_operation_is_reported() {
    let diagnostics = problems(&page("b", "GET /users/"), "");
    assert_eq!(
        diagnostics,
        [
            "nav-operation-path b.mdx:2:10: `GET /users/` is `GET /users` in `api.json` (did you mean `GET /users`?)"
        ]
    );
    let diagnostics = problems(&page("b", "GET /user"), "");
    assert_eq!(
        diagnostics,
        [
            "nav-page-operation b.mdx:2:10: `openapi: GET /user` is not in any OpenAPI document (did you mean `GET /users`?)"
        ]
    );
    let diagnostics = problems(&page("b", "GET /ping"), "");
    assert_eq!(
        diagnostics,
        [
            "nav-several-operations b.mdx:2:10: `GET /ping` is in `api.json`, `other.json` (name the document: until then `/api.json GET /ping` is shown)"
        ]
    );
    let none: [&str; 0] = [];
    assert_eq!(
        problems(&page("b", "GET /ping"), r#""openapi": "other.json","#),
        none
    );
}

const CHOSEN: &str = r#"//- /api.json
{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {
  "/a": {"get": {"operationId": "listThings", "x-svc": {"href": "/same"}, "responses": {}}},
  "/b": {"post": {"x-svc": {"href": "/same", "metadata": {"openapi": "GET /a", "sidebarTitle": "B"}}, "responses": {}}},
  "/c": {"patch": {"x-internal": true, "responses": {}}, "delete": {"responses": {}}, "get": {"responses": {}}}},
 "x-webhooks": {"hidden": {"post": {"responses": {}}}}}
"#;

#[test]
fn explicit_paths_and_titles_without_summary() {
    let resolved = made(
        r#""navigation": {"groups": [{"group": "G", "openapi": "api.json"}]}"#,
        "",
        CHOSEN,
    )
    .outcome;
    let codes: Vec<String> = resolved
        .diagnostics
        .iter()
        .map(|diagnostic| format!("{} {}", diagnostic.code.id, diagnostic.location_string()))
        .collect();
    assert_eq!(
        codes,
        [
            "nav-duplicate-route api.json:3:10",
            "nav-metadata-openapi api.json:3:70"
        ]
    );
    let map = resolved.value;
    assert_eq!(
        hrefs(&map),
        [
            "group:G group:API Reference /same",
            "group:G group:API Reference /same-1",
            "group:G group:API Reference /api-reference/get-c",
            "group:G group:API Reference /api-reference/delete-c",
        ]
    );
    let titles = |path: &str| {
        let page = route(&map, path);
        (page.title.clone(), page.short_title().to_owned())
    };
    assert_eq!(
        titles("/same"),
        ("List things".to_owned(), "Same".to_owned())
    );
    assert_eq!(titles("/same-1"), ("Post b".to_owned(), "B".to_owned()));
    assert_eq!(titles("/api-reference/get-c").0, "Get c");
    let named = made(r#""navigation": {"pages": ["webhook hidden"]}"#, "", CHOSEN).outcome;
    assert_eq!(hrefs(&named.value), [" /api-reference/hidden"]);
}
