//! Texts of OpenAPI documents: parts, sizes and what is left out.

use svc_source::SourceTree;

use crate::{ExportOptions, LoadOptions, Resource, Site, assemble, export};

const PETS: &str = r##"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "2"}, "servers": [{"url": "https://pets.test"}],
  "tags": [{"name": "cats", "description": "They <b>purr</b>."}],
  "paths": {
    "/cats/{id}": {"get": {"tags": ["cats"], "summary": "Get a cat", "operationId": "getCat", "security": [{"key": []}],
      "parameters": [{"name": "id", "in": "path", "required": true, "description": "Which one", "schema": {"type": "integer", "minimum": 1}},
        {"name": "full", "in": "query", "schema": {"type": "boolean", "default": false}}],
      "responses": {"200": {"description": "The cat", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Cat"}}}}, "404": {"description": "None"}}}},
    "/dogs": {"post": {"tags": ["dogs"], "requestBody": {"required": true, "content": {
      "application/json": {"schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "owner": {"$ref": "#/components/schemas/Owner"}}}}}},
      "responses": {"201": {"description": "Made"}}}},
    "/hidden": {"get": {"x-hidden": true, "summary": "Hidden secret", "responses": {}}},
    "/closed": {"get": {"summary": "Closed secret", "x-svc": {"groups": ["staff"]}, "responses": {}}}},
  "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}, "schemas": {
    "Cat": {"type": "object", "properties": {"owner": {"$ref": "#/components/schemas/Owner"}, "toy": {"$ref": "#/components/schemas/Toy"}, "kitten": {"$ref": "#/components/schemas/Cat"}}},
    "Toy": {"type": "string"}, "Owner": {"type": "object", "properties": {"home": {"$ref": "#/components/schemas/Home"}}}, "Home": {"type": "string"}, "Unused": {"type": "string"}}}}"##;

fn site(pets: &str) -> Site {
    let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#112233"}, "navigation": {"groups": [{"group": "API", "openapi": "api/pets.json"}]}}"##;
    let tree = SourceTree::from_files([("docs.json", config), ("api/pets.json", pets)]);
    assemble(tree, &LoadOptions::default()).unwrap().value
}

fn read(site: &Site, path: &str) -> String {
    match site.find(path) {
        Resource::ApiText(text) => String::from_utf8_lossy(&text.bytes).into_owned(),
        other => panic!("{path}: {other:?}"),
    }
}

#[test]
fn operations_and_schemas_are_in_the_file_of_their_tag() {
    let site = site(PETS);
    let cats = read(&site, "/_llms/api/api-pets/cats.md");
    for part in [
        "## GET /cats/{id}\n\nGet a cat\n",
        "Page: /api-reference/cats/get-a-cat.md · id `getCat` · authorization key\n",
        "path id: integer  // min 1. Which one\n",
        "query full?: boolean  // default false\n",
        "200 application/json: Cat  // The cat\n",
        "404  // None\n",
        "Cat = {\n  owner?: Owner\n  toy?: Toy\n  kitten?: Cat\n}\n",
        "Toy = string\n",
        "Base URL: https://pets.test\nIndex: index.md\nOther schemas, by name: schemas.md\n",
    ] {
        assert!(cats.contains(part), "{part}: {cats}");
    }
    assert!(
        !cats.contains("Owner =") && !cats.contains("Unused"),
        "{cats}"
    );
    let dogs = read(&site, "/_llms/api/api-pets/dogs.md");
    let body = "body application/json: {\n  name: string\n  owner?: Owner\n}\n201  // Made\n";
    assert!(dogs.contains(body), "{dogs}");
    assert!(dogs.contains("Owner =") && !dogs.contains("Cat"), "{dogs}");
    let schemas = read(&site, "/_llms/api/api-pets/schemas.md");
    assert!(
        schemas.contains("Owner = {\n  home?: Home\n}\n"),
        "{schemas}"
    );
    assert!(schemas.contains("Home = string"), "{schemas}");
}

#[test]
fn the_index_lists_all_files_and_llms_txt_the_index() {
    let site = site(PETS);
    let index = read(&site, "/_llms/api/api-pets/index.md");
    for part in [
        "# Pets 2\n",
        "- Authorization `key`: header `X-Key`\n",
        "- [cats](cats.md): 1 operations, ",
        " tokens. They purr.\n",
        "- [dogs](dogs.md)",
        "- [Schemas of several tags](schemas.md): ",
    ] {
        assert!(index.contains(part), "{part}: {index}");
    }
    let root = super::super::llms::llms(&site, "https://a.test");
    let entry = "- [OpenAPI documents](https://a.test/_llms/openapi/llms.txt): Pets; also as compact text, ";
    assert!(root.contains(entry), "{root}");
    // Programs take every other link in the root for a page.
    assert!(
        !root.contains("index.md)") && !root.contains("pets.json"),
        "{root}"
    );
    let list = |site: &Site| match site.find("/_llms/openapi/llms.txt") {
        Resource::SectionFile(file) => {
            let list = site.section_file(&file, "https://a.test");
            String::from_utf8_lossy(&list.bytes).into_owned()
        }
        other => panic!("{other:?}"),
    };
    let text = "- [Pets](https://a.test/_llms/api/api-pets/index.md): 2 operations, ";
    let document = "- [Pets](https://a.test/api/pets.json)\n";
    // The document has a protected operation.
    let protected = list(&site);
    assert!(
        protected.contains(text) && !protected.contains(document),
        "{protected}"
    );
    let open = PETS.replace(r#", "x-svc": {"groups": ["staff"]}"#, "");
    let open = list(&self::site(&open));
    assert!(open.contains(document), "{open}");
}

#[test]
fn hidden_and_protected_operations_are_in_no_file() {
    let site = site(PETS);
    for (path, _) in site.api_texts().files() {
        let text = read(&site, path);
        assert!(
            !text.contains("secret") && !text.contains("/closed"),
            "{text}"
        );
    }
    assert!(matches!(
        site.find("/_llms/api/api-pets/none.md"),
        Resource::NotFound
    ));
}

#[test]
fn long_files_are_divided_and_nothing_is_dropped() {
    let operations: Vec<String> = (0..400)
        .map(|at| {
            let name = format!("n{at}").repeat(40);
            format!(r##""/p{at}": {{"get": {{"summary": "Number {at}", "description": "{name}", "responses": {{"200": {{"description": "ok", "content": {{"application/json": {{"schema": {{"$ref": "#/components/schemas/S{at}"}}}}}}}}}}}}}}"##)
        })
        .collect();
    let schemas: Vec<String> = (0..400)
        .map(|at| format!(r#""S{at}": {{"type": "string", "description": "Schema {at}."}}"#))
        .collect();
    let document = format!(
        r#"{{"openapi": "3.1.0", "info": {{"title": "Many", "version": "1"}}, "paths": {{{}}}, "components": {{"schemas": {{{}}}}}}}"#,
        operations.join(","),
        schemas.join(",")
    );
    let site = site(&document);
    let files: Vec<&str> = site.api_texts().files().map(|(path, _)| path).collect();
    let texts: Vec<String> = files.iter().map(|path| read(&site, path)).collect();
    assert!(files.len() > 2, "{files:?}");
    assert!(texts.iter().all(|text| text.chars().count() < 50_000));
    let all = texts.concat();
    for at in 0..400 {
        let (path, schema) = (
            format!("## GET /p{at}\n"),
            format!("S{at} = string  // Schema {at}.\n"),
        );
        assert_eq!(all.matches(&path).count(), 1, "{path}");
        assert_eq!(all.matches(&schema).count(), 1, "{schema}");
    }
    let out = tempfile::tempdir().unwrap();
    export(&site, out.path(), &ExportOptions::default()).unwrap();
    for (path, text) in files.iter().zip(&texts) {
        let written = std::fs::read_to_string(out.path().join(path.trim_start_matches('/')));
        assert_eq!(written.unwrap(), *text, "{path}");
    }
}
