//! Pages generated from OpenAPI documents.

use svc_nav::OperationRef;

use crate::specification::{PETS, lines, map, problems, route, site};

// spec: nav.openapi, nav.openapi.all, nav.openapi.groups, nav.openapi.hidden accepts
// spec: nav.openapi.default-directory, oas.x-hidden, oas.x-group accepts
#[test]
fn a_document_without_pages_lists_all_its_endpoints_by_their_first_tag() {
    let site_map = map(
        r#""navigation": {"tabs": [{"tab": "API", "openapi": "pets.json"}]}"#,
        &[],
        PETS,
    );
    assert_eq!(
        lines(&site_map),
        [
            "tab:API > group:Animals /api-reference/pets/list-pets",
            "tab:API > group:Animals /api-reference/pets/add-a-pet",
            "tab:API > group:shops /api-reference/shops/list-shops",
            "tab:API > group:API Reference /api-reference/pet-sold",
        ]
    );
}

// spec: nav.openapi refuses
#[test]
fn a_missing_document_is_reported_at_its_line() {
    let resolved = site(
        "\"navigation\": {\"groups\": [{\"group\": \"G\",\n\"openapi\": \"gone.json\", \"pages\": [\"a\"]}]}",
        &["a"],
        PETS,
    );
    assert_eq!(problems(&resolved), ["nav-missing-document docs.json:3"]);
}

// spec: nav.openapi.inherit, nav.openapi.listed, nav.openapi.operation accepts
#[test]
fn child_elements_inherit_the_document_and_list_only_their_entries() {
    let site_map = map(
        r#""navigation": {"anchors": [{"anchor": "API", "openapi": "pets.json", "groups": [
            {"group": "G", "pages": ["GET /pets"]},
            {"group": "H", "openapi": "toys.json", "pages": ["GET /toys"]}]}]}"#,
        &[],
        PETS,
    );
    assert_eq!(
        lines(&site_map),
        [
            "anchor:API > group:G /api-reference/pets/list-pets",
            "anchor:API > group:H /api-reference/list-toys"
        ]
    );
}

// spec: nav.openapi.operation, nav.openapi.named refuses
#[test]
fn an_unknown_endpoint_is_reported_at_its_line() {
    let resolved = site(
        "\"navigation\": {\"groups\": [{\"group\": \"G\", \"openapi\": \"pets.json\", \"pages\": [\"a\",\n\
         \"GET /pet\",\n\"toys.json GET /pets\"]}]}",
        &["a"],
        PETS,
    );
    assert_eq!(
        problems(&resolved),
        [
            "nav-missing-operation docs.json:3",
            "nav-missing-operation docs.json:4"
        ]
    );
    let hint = resolved.diagnostics[0].hint.as_deref().unwrap_or_default();
    assert!(
        hint.starts_with("did you mean") && hint.contains("/pets`"),
        "{hint}"
    );
}

// spec: nav.openapi.named accepts
#[test]
fn a_section_can_mix_endpoints_of_several_documents() {
    let site_map = map(
        r#""navigation": {"groups": [{"group": "G", "pages": [
            "a", "pets.json GET /shops", "/toys.json GET /toys"]}]}"#,
        &["a"],
        PETS,
    );
    assert_eq!(
        lines(&site_map),
        [
            "group:G /a",
            "group:G /api-reference/shops/list-shops",
            "group:G /api-reference/list-toys"
        ]
    );
}

// spec: nav.openapi.directory accepts
#[test]
fn directory_sets_the_path_of_generated_pages() {
    let site_map = map(
        r#""navigation": {"groups": [{"group": "G", "openapi": "toys.json", "directory": "reference/v1"}]}"#,
        &[],
        PETS,
    );
    assert!(
        site_map.route("/reference/v1/list-toys").is_some(),
        "{:?}",
        lines(&site_map)
    );
}

// spec: nav.openapi.empty accepts and refuses
#[test]
fn a_document_without_visible_operations_is_reported_at_its_line() {
    let resolved = site(
        "\"navigation\": {\"groups\": [{\"group\": \"G\", \"pages\": [\"a\"]}, {\"group\": \"H\",\n\"openapi\": \"empty.json\"}]}",
        &["a"],
        PETS,
    );
    assert_eq!(problems(&resolved), ["nav-empty-document docs.json:3"]);
    let full = r#""navigation": {"groups": [{"group": "H", "openapi": "toys.json"}]}"#;
    assert_eq!(map(full, &[], PETS).entries.len(), 1);
}

// spec: oas.page.version, nav.element.version accepts
#[test]
fn generated_pages_inherit_the_version() {
    let site_map = map(
        r#""navigation": {"tabs": [{"tab": "T", "version": "v3", "openapi": "toys.json"}]}"#,
        &[],
        PETS,
    );
    let toys = route(&site_map, "/api-reference/list-toys");
    assert_eq!(toys.version.as_deref(), Some("v3"));
}

// spec: page.openapi, page.openapi.webhook, page.openapi-schema accepts
#[test]
fn pages_can_document_endpoints_webhooks_and_schemas() {
    let more = format!(
        "{PETS}//- /a.mdx\n---\nopenapi: pets.json GET /pets\n---\n\
         //- /b.mdx\n---\nopenapi: pets.json webhook pet.sold\n---\n\
         //- /c.mdx\n---\nopenapi-schema: Pet\n---\n"
    );
    let site_map = map(r#""navigation": {"pages": ["a", "b", "c"]}"#, &[], &more);
    let bound = |path| route(&site_map, path).operation.clone();
    assert!(matches!(bound("/a"), Some(OperationRef::Operation { path, .. }) if path == "/pets"));
    assert!(matches!(bound("/b"), Some(OperationRef::Webhook { name, .. }) if name == "pet.sold"));
    assert!(matches!(bound("/c"), Some(OperationRef::Schema { name, .. }) if name == "Pet"));
}

// spec: page.openapi, page.openapi.webhook, page.openapi-schema refuses
#[test]
fn pages_with_unknown_operations_are_reported_at_their_line() {
    let more = format!(
        "{PETS}//- /a.mdx\n---\ntitle: A\nopenapi: PUT /pets\n---\n\
         //- /b.mdx\n---\nopenapi: pets.json webhook pet.lost\n---\n\
         //- /c.mdx\n---\nopenapi-schema: Dog\n---\n"
    );
    let resolved = site(r#""navigation": {"pages": ["a", "b", "c"]}"#, &[], &more);
    assert_eq!(
        problems(&resolved),
        [
            "nav-page-operation a.mdx:3",
            "nav-page-operation b.mdx:2",
            "nav-page-operation c.mdx:2"
        ]
    );
}
