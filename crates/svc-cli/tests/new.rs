//! `svc new`.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::path::Path;

use crate::program::{assert_contains, err, out, svc};

const PETS: &str = r#"{"openapi": "3.1.0", "info": {"title": "Pet shop", "version": "1"},
  "servers": [{"url": "https://api.example.com"}],
  "paths": {"/pets": {"get": {"summary": "List pets", "responses": {"200": {"description": "Pets."}}}}}}"#;

/// Creates a site in `acme-docs`, validates it strictly, and checks that it is formatted.
fn create(dir: &Path, arguments: &[&str]) -> String {
    let output = svc(&[&["new", "acme-docs"], arguments].concat(), dir);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(
        out(&output).ends_with("\nNext: svc dev acme-docs\n"),
        "{}",
        out(&output)
    );
    let checked = svc(&["validate", "acme-docs", "--strict"], dir);
    assert_eq!(checked.status.code(), Some(0), "{}", out(&checked));
    assert_contains(&out(&checked), "no problems");
    let formatted = svc(&["format", "acme-docs", "--check"], dir);
    assert_eq!(formatted.status.code(), Some(0), "{}", out(&formatted));
    std::fs::read_to_string(dir.join("acme-docs/docs.json")).unwrap()
}

#[test]
fn each_template_is_a_site_without_problems() {
    for template in ["guide", "api", "product"] {
        for theme in ["svc", "palm", "luma"] {
            let dir = tempfile::tempdir().unwrap();
            let config = create(dir.path(), &["--template", template, "--theme", theme]);
            assert!(config.contains("\"name\": \"Acme docs\""), "{config}");
            let built = svc(&["build", "acme-docs", "--out", "out"], dir.path());
            assert_eq!(built.status.code(), Some(0), "{}", err(&built));
        }
    }
}

#[test]
fn a_document_becomes_the_reference() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("pets.json"), PETS).unwrap();
    let config = create(dir.path(), &["--from", "pets.json"]);
    assert!(config.contains("\"name\": \"Pet shop\""), "{config}");
    let copy = std::fs::read_to_string(dir.path().join("acme-docs/openapi.json")).unwrap();
    assert_eq!(copy, PETS);
    assert!(!dir.path().join("acme-docs/openapi.yaml").exists());
    let nav = svc(&["nav", "acme-docs"], dir.path());
    assert_contains(&out(&nav), "List pets");

    std::fs::write(dir.path().join("no.json"), "{}").unwrap();
    let output = svc(&["new", "other", "--from", "no.json"], dir.path());
    assert_eq!(output.status.code(), Some(1));
    assert_contains(&err(&output), "svc openapi check no.json");
}

#[test]
fn files_are_not_replaced_without_force() {
    let dir = tempfile::tempdir().unwrap();
    create(dir.path(), &["--name", "A <b>: #1"]);
    let page = dir.path().join("acme-docs/index.mdx");
    std::fs::write(&page, "mine").unwrap();
    let again = svc(&["new", "acme-docs"], dir.path());
    assert_eq!(again.status.code(), Some(1));
    let text = err(&again);
    assert!(
        text.contains("docs.json, index.mdx") && text.contains("--force"),
        "{text}"
    );
    assert_eq!(std::fs::read_to_string(&page).unwrap(), "mine");
    create(dir.path(), &["--force"]);
    assert!(
        std::fs::read_to_string(&page)
            .unwrap()
            .contains("title: Introduction")
    );
    let unknown = svc(&["new", "x", "--theme", "none"], dir.path());
    assert_eq!(unknown.status.code(), Some(1));
    assert_contains(&err(&unknown), "`maple`");
}
