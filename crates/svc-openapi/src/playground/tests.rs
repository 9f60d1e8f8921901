//! Tests of the object for small documents, the edge cases and real documents.

#![expect(clippy::print_stdout, reason = "measured tests say what they found")]

use serde_json::{Value, json};

use super::{MAX_SPEC_BYTES, PlaygroundOptions, playground_spec};
use crate::tests::document;
use crate::{ApiDocument, Operation};

fn made(document: &ApiDocument, at: usize, options: &PlaygroundOptions) -> Value {
    playground_spec(document, &document.operations[at], options)
}

fn of(text: &str) -> Value {
    made(&document(text), 0, &PlaygroundOptions::default())
}

const PETS: &str = r##"
openapi: 3.1.0
info: {title: t, version: '1'}
servers:
  - url: "https://{region}.h.test/v1"
    description: "The *real* one"
    variables: {region: {default: eu, enum: [eu, us], description: Where}}
security: [{token: []}, {}]
paths:
  /pets/{id}:
    post:
      parameters:
        - {name: id, in: path, required: true, description: "The `id`", schema: {type: integer, minimum: 1}}
        - {name: tags, in: query, style: spaceDelimited, explode: false, allowEmptyValue: true, schema: {type: array, items: {type: string}}, example: [a]}
        - {name: f, in: query, content: {application/json: {schema: {type: object, properties: {a: {type: string, x-default: q}}}}}}
        - {name: Authorization, in: header, schema: {type: string}}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Pet'}
            examples: {one: {summary: One, value: {name: Rex, owner: {mail: a@h.test}}}, two: {value: {name: Max}}}
          multipart/form-data:
            schema: {type: object, properties: {photo: {type: string, format: binary}, b: {type: string, format: base64}}}
            encoding: {photo: {contentType: image/png}}
      responses: {'404': {description: no, content: {text/plain: {}}}, '200': {description: ok, content: {application/json: {}}}}
components:
  securitySchemes:
    token: {type: http, scheme: bearer, bearerFormat: JWT, x-default: abc, description: "Get **one**"}
  schemas:
    Pet:
      type: object
      required: [name, id]
      properties:
        id: {type: string, readOnly: true}
        name: {type: [string, 'null'], maxLength: 20, pattern: '^[A-Z]', example: Tom}
        friends: {type: array, items: {$ref: '#/components/schemas/Pet'}}
        owner: {type: object, properties: {mail: {type: string, format: email, x-default: me@h.test}}}
        kind: {oneOf: [{$ref: '#/components/schemas/Cat'}, {type: string, title: Free}], discriminator: {propertyName: type, mapping: {cat: Cat}}}
      additionalProperties: false
    Cat: {type: object, properties: {lives: {type: integer, const: 9}}, xml: {name: cat, wrapped: true}}
"##;

#[test]
fn all_parts_of_an_operation_are_described() {
    let made = of(PETS);
    assert_eq!(made["method"], "POST");
    assert_eq!(made["path"], "/pets/{id}");
    assert_eq!(
        made["servers"],
        json!([{"url": "https://{region}.h.test/v1", "description": "The real one",
            "variables": {"region": {"default": "eu", "enum": ["eu", "us"], "description": "Where"}}}])
    );
    assert_eq!(
        made["parameters"],
        json!([
            {"name": "id", "in": "path", "style": "simple", "explode": false, "required": true, "schema": 1, "description": "The id", "placeholder": made["parameters"][0]["placeholder"]},
            {"name": "tags", "in": "query", "style": "spaceDelimited", "explode": false, "required": false, "schema": 2, "allowEmptyValue": true, "placeholder": ["a"]},
            {"name": "f", "in": "query", "style": "form", "explode": true, "required": false, "schema": 3, "contentType": "application/json", "value": {"a": "q"}, "placeholder": made["parameters"][2]["placeholder"]},
        ])
    );
    assert_eq!(
        made["security"],
        json!([[{"name": "token", "type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "Get one", "value": "abc"}], []])
    );
    assert_eq!(made["accept"], json!(["application/json", "text/plain"]));
    assert_eq!(made["schemas"][0], json!({}));
    assert_eq!(
        made["schemas"][1],
        json!({"type": ["integer"], "minimum": 1})
    );
    let bodies = &made["body"]["content"];
    assert_eq!(made["body"]["required"], true);
    assert_eq!(
        bodies[1]["encoding"],
        json!({"photo": {"contentType": "image/png"}})
    );
    let names: Vec<&Value> = bodies[0]["examples"]
        .as_array()
        .expect("there are two")
        .iter()
        .map(|example| &example["name"])
        .collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(bodies[0]["example"]["name"], "Rex");
}

#[test]
fn a_recursive_schema_is_one_row() {
    let made = of(PETS);
    let row = |at: &Value| made["schemas"][at.as_u64().expect("a row") as usize].clone();
    let at = &made["body"]["content"][0]["schema"];
    let pet = row(at);
    assert_eq!(pet["name"], "Pet");
    assert_eq!(pet["required"], json!(["name"]));
    assert_eq!(pet["additional"], false);
    assert!(pet["properties"].get("id").is_none(), "{pet}");
    assert_eq!(&row(&pet["properties"]["friends"])["items"], at);
    let name = row(&pet["properties"]["name"]);
    assert_eq!(
        name,
        json!({"type": ["string"], "nullable": true, "example": "Tom", "maxLength": 20, "pattern": "^[A-Z]"})
    );
    let kind = row(&pet["properties"]["kind"]);
    assert_eq!(kind["discriminator"], "type");
    assert_eq!(kind["variants"][0]["title"], "Cat");
    assert_eq!(kind["variants"][0]["value"], "cat");
    assert_eq!(kind["variants"][1]["title"], "Free");
    let cat = row(&kind["variants"][0]["schema"]);
    assert_eq!(cat["xml"], json!({"name": "cat", "wrapped": true}));
    let form = row(&made["body"]["content"][1]["schema"]);
    assert_eq!(row(&form["properties"]["photo"])["file"], "binary");
    assert_eq!(row(&form["properties"]["b"])["file"], "base64");
}

#[test]
fn fields_start_with_the_marked_values() {
    // spec: oas.x-default.playground accepts
    let plain = of(PETS);
    let value = |made: &Value| made["body"]["content"][0]["value"].clone();
    assert_eq!(value(&plain), json!({"owner": {"mail": "me@h.test"}}));
    assert!(plain["parameters"][1].get("value").is_none());
    let options = PlaygroundOptions {
        prefill: true,
        languages: vec!["bash".to_owned()],
    };
    let filled = made(&document(PETS), 0, &options);
    // The example of the body is used, and marked values take precedence.
    assert_eq!(
        value(&filled),
        json!({"name": "Rex", "owner": {"mail": "me@h.test"}})
    );
    assert_eq!(filled["parameters"][1]["value"], json!(["a"]));
    assert_eq!(filled["parameters"][2]["value"], json!({"a": "q"}));
    // Generated examples are not filled in.
    assert!(filled["parameters"][0].get("value").is_none());
    assert_eq!(filled["languages"], json!(["bash"]));
}

#[test]
fn security_flows_have_their_urls() {
    let made = of(r"
openapi: 3.1.0
info: {title: t, version: '1'}
paths: {/a: {get: {security: [{o: [read], k: []}, {m: [], i: [], b: [], d: []}], responses: {'200': {description: ok}}}}}
components:
  securitySchemes:
    o: {type: oauth2, flows: {authorizationCode: {authorizationUrl: 'https://h.test/a', tokenUrl: /t, scopes: {read: 'Read *all*', write: w}}, odd: {}}}
    k: {type: apiKey, in: cookie, name: sid}
    m: {type: mutualTLS}
    i: {type: openIdConnect, openIdConnectUrl: 'https://h.test/.well-known'}
    b: {type: http, scheme: Basic}
    d: {type: http, scheme: digest}
");
    assert_eq!(
        made["security"],
        json!([
            [
                {"name": "o", "type": "oauth2", "scopes": ["read"], "flows": {"authorizationCode": {
                    "authorizationUrl": "https://h.test/a", "tokenUrl": "/t", "scopes": {"read": "Read all", "write": "w"}}}},
                {"name": "k", "type": "apiKey", "in": "cookie", "parameter": "sid"},
            ],
            [
                {"name": "m", "type": "mutualTLS"},
                {"name": "i", "type": "openIdConnect", "openIdConnectUrl": "https://h.test/.well-known"},
                {"name": "b", "type": "http", "scheme": "basic"},
                {"name": "d", "type": "http", "scheme": "digest"},
            ],
        ])
    );
}

#[test]
fn a_variant_that_names_its_parent_does_not_repeat_its_siblings() {
    let made = of(r##"
openapi: 3.1.0
info: {title: t, version: '1'}
paths: {/a: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, responses: {'200': {description: ok}}}}}
components:
  schemas:
    Pet: {type: object, properties: {type: {type: string}}, oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: type}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {lives: {type: integer}}}]}
    Dog: {type: object}
"##);
    let schemas = made["schemas"].as_array().expect("rows");
    let with_variants = schemas.iter().filter(|row| row.get("variants").is_some());
    assert_eq!(with_variants.count(), 1, "{schemas:#?}");
}

/// Asserts that all row numbers in the table are valid, and that the object is small.
fn check(made: &Value, name: &str) -> usize {
    let rows = made["schemas"].as_array().expect("rows");
    let is_row = |at: &Value| {
        let at = at.as_u64().expect("a number");
        assert!((at as usize) < rows.len(), "{name}: {at}");
    };
    for row in rows {
        for (key, value) in row.as_object().expect("an object") {
            match (key.as_str(), value) {
                ("properties", Value::Object(all)) => all.values().for_each(is_row),
                ("items", at) => is_row(at),
                ("additional", at) if at != false => is_row(at),
                ("prefixItems", Value::Array(all)) => all.iter().for_each(is_row),
                ("variants", Value::Array(all)) => {
                    all.iter().for_each(|variant| is_row(&variant["schema"]));
                }
                _ => {}
            }
        }
    }
    let size = made.to_string().len();
    assert!(size <= MAX_SPEC_BYTES, "{name}: {size}");
    size
}

fn all(document: &ApiDocument, step: usize, options: &PlaygroundOptions) -> (usize, usize) {
    let (mut count, mut max_size) = (0, 0);
    let operations = document.operations.iter().chain(&document.webhooks);
    for operation in operations.step_by(step) {
        let Operation { method, path, .. } = operation;
        let made = playground_spec(document, operation, options);
        let size = check(&made, &format!("{method} {path}"));
        assert_eq!(
            made,
            playground_spec(document, operation, options),
            "{method} {path}"
        );
        (count, max_size) = (count + 1, max_size.max(size));
    }
    (count, max_size)
}

#[test]
fn edge_cases_have_objects_that_end() {
    let Some(dir) = svc_test_support::reference_path("oracle/openapi/edge") else {
        return;
    };
    let files = std::fs::read_dir(dir).expect("the folder can be read");
    let mut count = 0;
    for file in files {
        let path = file.expect("the entry can be read").path();
        let text = std::fs::read_to_string(path).expect("it can be read");
        if let Some(document) = crate::tests::check(&text).value {
            count += all(&document, 1, &PlaygroundOptions::default()).0;
        }
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn real_documents_have_small_objects() {
    let options = PlaygroundOptions {
        prefill: true,
        languages: vec!["bash".to_owned(), "python".to_owned()],
    };
    let thorough = std::env::var_os("SVC_THOROUGH").is_some();
    let (mut count, mut max_size) = (0, 0);
    for (name, document) in crate::tests::corpus::documents() {
        // A sample of each document; all operations would take too long without optimization.
        let operations = document.operations.len() + document.webhooks.len();
        let step = if thorough { 1 } else { operations / 12 + 1 };
        let (compared, size) = all(&document, step, &options);
        if size > 200_000 {
            println!("{name}: {size}");
        }
        (count, max_size) = (count + compared, max_size.max(size));
    }
    println!("{count} operations, the largest object has {max_size} bytes");
}

#[test]
fn hostile_sizes_stay_small() {
    let many: Vec<String> = (0..3_000)
        .map(|at| format!("{{name: p{at}, in: query, description: '{}', schema: {{type: object, properties: {{a{at}: {{enum: [{}]}}}}}}}}", "x".repeat(500), (0..40).map(|n| n.to_string()).collect::<Vec<_>>().join(",")))
        .collect();
    let text = format!(
        "openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\nservers: [{}]\npaths: {{/a: {{get: {{parameters: [{}], responses: {{'200': {{description: ok}}}}}}}}}}",
        "{url: 'https://h.test', description: long},".repeat(2_000),
        many.join(",")
    );
    let made = of(&text);
    check(&made, "many");
    assert!(!made["parameters"].as_array().expect("some").is_empty());
}
