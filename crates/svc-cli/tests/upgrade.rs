//! `svc openapi upgrade`.

use std::fs;

use serde_json::Value;

use crate::program::{assert_contains, err, out, svc};

const SWAGGER: &str = "swagger: '2.0'\ninfo: {title: Pets, version: '1'}\nhost: pets.example.com\nschemes: [https]\npaths:\n  /pets:\n    get:\n      summary: List pets\n      operationId: list\n      tags: [pets]\n      responses: {'200': {description: All, schema: {$ref: '#/definitions/Pet'}}}\ndefinitions:\n  Pet: {type: object, properties: {name: {type: string, x-nullable: true}}}\n";

#[test]
fn the_result_has_no_problems_and_the_same_counts() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("old.yaml"), SWAGGER).unwrap();
    let output = svc(
        &["openapi", "upgrade", "old.yaml", "--out", "new.json"],
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let new: Value =
        serde_json::from_str(&fs::read_to_string(dir.path().join("new.json")).unwrap()).unwrap();
    assert_eq!(new["servers"][0]["url"], "https://pets.example.com");
    let check = |file: &str, flags: &[&str]| {
        let arguments = [&["openapi", "check", file, "--format", "json"], flags].concat();
        let output = svc(&arguments, dir.path());
        assert_eq!(output.status.code(), Some(0), "{}", out(&output));
        let value: Value = serde_json::from_str(&out(&output)).unwrap();
        value["counts"].clone()
    };
    assert_eq!(check("new.json", &["--strict"]), check("old.yaml", &[]));
    // Standard output has the format of the document.
    let output = svc(&["openapi", "upgrade", "old.yaml"], dir.path());
    assert!(
        out(&output).starts_with("openapi: \"3.1.1\"\n"),
        "{}",
        out(&output)
    );
    let output = svc(&["openapi", "upgrade", "new.json"], dir.path());
    assert_eq!(output.status.code(), Some(1));
    assert_contains(&err(&output), "version `3.1.1` is not converted");
}

#[test]
fn a_site_shows_a_document_of_swagger() {
    let dir = tempfile::tempdir().unwrap();
    let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#0f766e"}, "navigation": {"groups": [{"group": "API", "openapi": "old.yaml"}]}}"##;
    fs::write(dir.path().join("docs.json"), config).unwrap();
    fs::write(dir.path().join("old.yaml"), SWAGGER).unwrap();
    let output = svc(&["validate", "--format", "json"], dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    let value: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(value["pages"], 1);
    let codes: Vec<&str> = value["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["openapi-converted"], "{value}");
}
