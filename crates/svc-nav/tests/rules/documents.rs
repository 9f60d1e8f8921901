//! Pages made from OpenAPI documents.

use crate::made::{SPEC, hrefs, map, node, refused, route};

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
    let own = |name: &str| node(&map, name).documents.clone();
    assert_eq!((own("All"), own("Docs")), (own("H"), own("H")));
    assert!(own("G") == own("Own") && own("G") != own("All"));
}

#[test]
fn a_document_that_is_not_there_is_named() {
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
fn listed_operations_are_the_only_ones() {
    // spec: nav.openapi.listed, nav.openapi.operation, nav.openapi.named, nav.openapi.directory accepts
    let map = map(
        r#""navigation": {"groups": [{"group": "G", "openapi": {"source": "api.json", "directory": "ref"}, "pages": ["GET /ping", "a", "other get /ping/"]},
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
fn an_operation_that_no_document_has_is_named() {
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
fn an_entry_that_names_an_unknown_document_is_named() {
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
fn a_section_of_a_document_without_operations_is_named() {
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
            "all operations are hidden, or the document has none",
        ],
    );
}
