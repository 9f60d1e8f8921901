//! Conversion, from the outside.

use serde_json::{Value, json};
use svc_diagnostics::SourceFile;

use super::*;

fn converted(text: &str) -> (Value, Vec<String>) {
    let file = SourceFile::new("api.yaml", text);
    let upgraded = upgrade(&file, OutputFormat::Json);
    let codes = upgraded.diagnostics.iter().map(|problem| {
        let line = problem.location.as_ref().map_or(0, |at| at.start.line);
        format!("{} {line}", problem.code.id)
    });
    let codes = codes.collect();
    let text = upgraded
        .value
        .unwrap_or_else(|| panic!("{:?}", upgraded.diagnostics));
    (serde_json::from_str(&text).unwrap(), codes)
}

/// Converts one operation `post /a` of Swagger 2.0.
fn operation(text: &str) -> Value {
    let text = text.replace('\n', "\n      ");
    let (root, _) = converted(&format!(
        "swagger: '2.0'\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    post:\n      {text}\n      responses: {{'200': {{description: ok}}}}\n"
    ));
    root["paths"]["/a"]["post"].clone()
}

const PETS: &str = include_str!("pets.yaml");

#[test]
fn a_whole_document_is_converted_in_order() {
    let (root, codes) = converted(PETS);
    assert_eq!(codes, ["openapi-upgrade-assumed 107"]);
    let keys: Vec<&str> = root
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "openapi",
            "info",
            "servers",
            "tags",
            "paths",
            "components",
            "security",
            "x-own"
        ]
    );
    assert_eq!(
        root["servers"],
        json!([{ "url": "https://pets.example.com/v2" }, { "url": "http://pets.example.com/v2" }])
    );
    let pets = &root["paths"]["/pets"];
    assert_eq!(
        pets["parameters"],
        json!([{ "$ref": "#/components/parameters/Trace" }])
    );
    assert_eq!(
        pets["get"]["parameters"],
        json!([
            { "name": "tags", "in": "query", "style": "form", "explode": false,
              "schema": { "type": "array", "items": { "type": "string" } } },
            { "name": "ids", "in": "query", "schema": { "type": "array", "items": { "type": "integer" } } },
            { "name": "limit", "in": "query", "schema": { "type": "integer", "exclusiveMaximum": 100, "default": 10 } },
        ])
    );
    assert_eq!(
        pets["get"]["responses"]["200"],
        json!({
            "description": "All pets",
            "headers": { "X-Next": { "description": "Next page", "schema": { "type": "string" } } },
            "content": {
                "application/json": {
                    "schema": { "type": "array", "items": { "$ref": "#/components/schemas/Pet" } },
                    "example": [{ "kind": "dog", "name": "Rex" }],
                },
                "application/xml": { "schema": { "type": "array", "items": { "$ref": "#/components/schemas/Pet" } } },
            },
        })
    );
    assert_eq!(
        pets["post"]["requestBody"],
        json!({ "$ref": "#/components/requestBodies/PetBody" })
    );
    assert_eq!(
        pets["post"]["responses"]["default"],
        json!({ "$ref": "#/components/responses/Problem" })
    );
    assert_eq!(
        root["components"]["requestBodies"]["PetBody"],
        json!({
            "description": "The pet",
            "required": true,
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Pet" } } },
        })
    );
    let form = &root["paths"]["/pets/{id}/photo"]["post"]["requestBody"];
    assert_eq!(
        form,
        &json!({ "required": true, "content": { "multipart/form-data": { "schema": {
            "type": "object",
            "properties": {
                "note": { "type": "string", "description": "A note" },
                "file": { "type": "string", "format": "binary" },
            },
            "required": ["file"],
        } } } })
    );
    let schemas = &root["components"]["schemas"];
    assert_eq!(
        schemas["Pet"]["discriminator"],
        json!({ "propertyName": "kind" })
    );
    assert_eq!(
        schemas["Pet"]["properties"]["age"],
        json!({ "type": ["integer", "null"], "exclusiveMinimum": 0 })
    );
    assert_eq!(
        schemas["Pet"]["examples"],
        json!([{ "kind": "dog", "name": "Rex" }])
    );
    assert_eq!(
        schemas["Cat"]["allOf"][0],
        json!({ "$ref": "#/components/schemas/Pet" })
    );
    // Its name was not allowed.
    assert_eq!(
        schemas["Page_Pet"]["properties"]["items"]["items"],
        json!({ "$ref": "#/components/schemas/Pet" })
    );
    assert_eq!(
        root["paths"]["/page"]["get"]["responses"]["200"]["content"]["application/json"]["schema"],
        json!({ "$ref": "#/components/schemas/Page_Pet" })
    );
    assert_eq!(
        root["components"]["securitySchemes"],
        json!({
            "basic": { "type": "http", "scheme": "basic" },
            "key": { "type": "apiKey", "name": "X-Key", "in": "header" },
            "login": { "type": "oauth2", "x-note": "own", "flows": { "authorizationCode": {
                "authorizationUrl": "https://a.dev/auth", "tokenUrl": "https://a.dev/token", "scopes": { "read": "Read" },
            } } },
        })
    );
}

#[test]
fn the_result_has_no_problems_and_the_same_parts() {
    let upgraded = upgrade(&SourceFile::new("a.yaml", PETS), OutputFormat::Yaml)
        .value
        .unwrap();
    let parsed = crate::parse(&SourceFile::new("b.yaml", upgraded));
    assert_eq!(parsed.diagnostics, []);
    let new = parsed.value.unwrap();
    let old = crate::parse(&SourceFile::new("a.yaml", PETS))
        .value
        .unwrap();
    assert_eq!((new.operations.len(), old.operations.len()), (6, 6));
    let schemas = |document: &crate::ApiDocument| {
        let all = document
            .root
            .get("components")
            .and_then(|all| all.get("schemas"))
            .cloned();
        all.and_then(|all| all.as_object().map(svc_data::Object::len))
    };
    assert_eq!((schemas(&new), schemas(&old)), (Some(3), Some(3)));
}

#[test]
fn problems_of_swagger_are_at_their_lines() {
    let text = "swagger: '2.0'\ninfo: {title: T, version: '1'}\npaths:\n  /a/{id}:\n    get:\n      parameters:\n      - {name: q, in: query, type: array, collectionFormat: tsv, items: {type: string}}\n      responses:\n        '200':\n          description: ok\n          schema: {$ref: '#/definitions/Gone'}\n";
    let parsed = crate::parse(&SourceFile::new("a.yaml", text));
    let problems: Vec<String> = parsed
        .diagnostics
        .iter()
        .map(|problem| {
            format!(
                "{} {}",
                problem.code.id,
                problem.location.as_ref().map_or(0, |at| at.start.line)
            )
        })
        .collect();
    for expected in ["openapi-converted 1", "openapi-upgrade-loss 7"] {
        assert!(
            problems.iter().any(|problem| problem == expected),
            "{problems:?}"
        );
    }
    let reference = parsed
        .diagnostics
        .iter()
        .find(|problem| problem.message.contains("Gone"));
    assert_eq!(
        reference
            .and_then(|problem| problem.location.as_ref())
            .map(|at| at.start.line),
        Some(11),
        "{problems:?}"
    );
    assert_eq!(parsed.value.unwrap().operations.len(), 1);
}

#[test]
fn forms_and_bodies() {
    let body = |text: &str| operation(text)["requestBody"].clone();
    assert_eq!(
        body(
            "consumes: [application/x-www-form-urlencoded]\nparameters:\n- {name: a, in: formData, type: array, collectionFormat: pipes, items: {type: string}}"
        ),
        json!({ "content": { "application/x-www-form-urlencoded": {
            "schema": { "type": "object", "properties": { "a": { "type": "array", "items": { "type": "string" } } } },
            "encoding": { "a": { "style": "pipeDelimited", "explode": false } },
        } } })
    );
    assert_eq!(
        body(
            "consumes: [application/xml, text/plain]\nparameters:\n- {name: b, in: body, x-own: 1, schema: {type: object}}"
        ),
        json!({ "x-own": 1, "content": {
            "application/xml": { "schema": { "type": "object" } },
            "text/plain": { "schema": { "type": "object" } },
        } })
    );
    assert_eq!(operation("parameters: []\nsummary: S")["summary"], "S");
    assert!(operation("parameters: []").get("parameters").is_none());
}

#[test]
fn schemas_of_3_0_are_those_of_3_1() {
    let schema = |text: &str| {
        let (root, codes) = converted(&format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents: {{schemas: {{A: {text}}}}}\n"
        ));
        assert!(codes.is_empty() && root["openapi"] == "3.1.1", "{codes:?}");
        root["components"]["schemas"]["A"].clone()
    };
    for (old, new) in [
        (
            "{type: string, nullable: true}",
            json!({ "type": ["string", "null"] }),
        ),
        (
            "{type: string, nullable: false}",
            json!({ "type": "string" }),
        ),
        (
            "{nullable: true, allOf: [{$ref: '#/components/schemas/B'}]}",
            json!({ "anyOf": [{ "allOf": [{ "$ref": "#/components/schemas/B" }] }, { "type": "null" }] }),
        ),
        (
            "{nullable: true, oneOf: [{type: string}]}",
            json!({ "oneOf": [{ "type": "string" }, { "type": "null" }] }),
        ),
        (
            "{minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false}",
            json!({ "exclusiveMinimum": 1, "maximum": 5 }),
        ),
        (
            "{properties: {example: {type: string, example: 1.10}}}",
            json!({ "properties": { "example": { "type": "string", "examples": [1.10] } } }),
        ),
        (
            "{default: {nullable: true}, x-own: {nullable: true}}",
            json!({ "default": { "nullable": true }, "x-own": { "nullable": true } }),
        ),
    ] {
        assert_eq!(schema(old), new, "{old}");
    }
}

#[test]
fn other_versions_are_refused() {
    for text in ["openapi: 3.1.0\n", "a: 1\n", "swagger: '1.2'\n"] {
        let upgraded = upgrade(&SourceFile::new("a.yaml", text), OutputFormat::Yaml);
        assert!(upgraded.value.is_none());
        assert_eq!(upgraded.diagnostics[0].code.id, "openapi-upgrade-version");
    }
}

#[test]
fn hostile_documents_are_converted_without_panics() {
    for text in [
        "swagger: '2.0'\npaths: []\ndefinitions: 7\nparameters: [a]\nresponses: {a: 1}\nsecurityDefinitions: {a: b}\n",
        "swagger: '2.0'\npaths: {/a: {get: [], parameters: 7, post: {parameters: [1, {$ref: 1}, {$ref: '#/parameters/x'}], responses: 3}}}\n",
        "swagger: '2.0'\ndefinitions: {'': {discriminator: [], type: {}, $ref: '#/definitions/'}}\nhost: ''\nschemes: a\nbasePath: 1\n",
    ] {
        let _ = upgrade(&SourceFile::new("a.yaml", text), OutputFormat::Yaml);
        let _ = crate::parse(&SourceFile::new("a.yaml", text));
    }
}
