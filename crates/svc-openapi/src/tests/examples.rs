//! Tests of diagnostics of examples and of the requirements of samples.

use super::{check, document};
use crate::request::{Inputs, Scope, request};

const HEAD: &str =
    "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: [{url: 'https://a.test'}]\n";

/// `line:column message` of all diagnostics of examples, and the number of others.
fn examples(text: &str) -> Vec<String> {
    let checked = check(text);
    let (own, others): (Vec<_>, Vec<_>) = checked
        .diagnostics
        .iter()
        .partition(|diagnostic| diagnostic.code.id == "openapi-example");
    let ids: Vec<_> = others.iter().map(|diagnostic| diagnostic.code.id).collect();
    assert_eq!(ids, [""; 0], "{text}");
    let line = |diagnostic: &&svc_diagnostics::Diagnostic| {
        let at = diagnostic.location.as_ref().expect("a place").start;
        assert!(diagnostic.pointer.is_some() && diagnostic.hint.is_some());
        format!("{}:{} {}", at.line, at.column, diagnostic.message)
    };
    own.iter().map(line).collect()
}

#[test]
fn a_mismatched_example_is_reported_at_its_location() {
    let text = format!(
        r##"{HEAD}paths:
  /a:
    post:
      parameters:
        - {{name: limit, in: query, schema: {{type: integer, maximum: 5}}, example: 9}}
        - {{name: sort, in: query, schema: {{enum: [up, down]}}, examples: {{good: {{value: up}}, bad: {{value: left}}}}}}
      requestBody:
        content:
          application/json:
            schema: {{$ref: '#/components/schemas/Pet'}}
            example:
              name: Rex
              tags: [a, 7]
      responses:
        '200':
          description: ok
          headers: {{X-Rate: {{schema: {{type: integer}}, example: fast}}}}
          content:
            application/json:
              schema: {{$ref: '#/components/schemas/Pet'}}
              examples: {{one: {{$ref: '#/components/examples/One'}}}}
components:
  examples: {{One: {{value: {{tags: []}}}}}}
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: {{type: string, examples: [Rex, 1]}}
        tags: {{type: array, items: {{type: string}}}}
"##
    );
    assert_eq!(
        examples(&text),
        [
            "8:82 this example does not match its schema: its `maximum` is `5`",
            "9:106 this example does not match its schema: it is not one of the allowed values",
            "16:25 `tags.1` in this example does not match its schema: its type must be `string`",
            "20:64 this example does not match its schema: its type must be `integer`",
            "26:27 this example does not match its schema: `name` is missing",
            "32:46 this example does not match its schema: its type must be `string`",
        ]
    );
}

#[test]
fn examples_in_serialized_form_are_not_reported() {
    let text = format!(
        r##"{HEAD}paths:
  /a:
    post:
      parameters:
        - {{name: ids, in: query, schema: {{type: array, items: {{type: string}}}}, example: "a,b"}}
        - {{name: limit, in: query, schema: {{type: integer}}, example: "9"}}
      requestBody:
        content:
          application/json:
            schema: {{$ref: '#/components/schemas/Both'}}
            example: '{{"id": 1, "secret": "x"}}'
          application/xml: {{schema: {{type: object}}, example: <a/>}}
      responses: {{'200': {{description: ok}}}}
components:
  schemas:
    Both:
      type: object
      required: [id, secret]
      properties:
        id: {{type: integer, readOnly: true}}
        secret: {{type: string, writeOnly: true}}
      example: {{secret: y}}
    Any: {{oneOf: [{{type: object}}, {{type: object, required: [a]}}], example: {{a: 1}}}}
    Data: {{type: object, properties: {{example: {{type: string}}}}, default: {{example: 1}}}}
    Not: {{not: {{type: string, example: 1}}}}
"##
    );
    assert_eq!(examples(&text), [""; 0]);
}

#[test]
fn many_mismatched_examples_are_counted() {
    let schema = |at: usize| format!("    S{at}: {{type: string, example: {at}}}\n");
    let schemas: String = (0..40).map(schema).collect();
    let lines = examples(&format!(
        "{HEAD}paths: {{}}\ncomponents:\n  schemas:\n{schemas}"
    ));
    assert_eq!(lines.len(), 26);
    let further = "1:1 15 more examples of this document do not match their schemas";
    assert!(lines.iter().any(|line| line == further), "{lines:?}");
}

#[test]
fn a_document_without_servers_is_reported_once() {
    let reported = |text: &str| {
        let checked = crate::parse(&svc_diagnostics::SourceFile::new("api.yaml", text));
        let diagnostics = checked.diagnostics.iter();
        diagnostics
            .filter(|diagnostic| diagnostic.code.id == "openapi-no-servers")
            .map(|diagnostic| diagnostic.location_string())
            .collect::<Vec<_>>()
    };
    let head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n";
    let paths = "paths:\n  /a: {get: {}, put: {}}\n  /b: {get: {}}\n";
    assert_eq!(reported(&format!("{head}{paths}")), ["api.yaml:1:1"]);
    assert_eq!(
        reported(&format!("{head}servers: []\n{paths}")),
        ["api.yaml:1:1"]
    );
    for fine in [
        format!("{HEAD}{paths}"),
        format!("{head}webhooks:\n  paid: {{post: {{}}}}\n"),
        format!("{head}paths:\n  /a:\n    servers: [{{url: 'https://a.test'}}]\n    get: {{}}\n"),
        format!("{head}paths:\n  /a: {{get: {{x-hidden: true}}}}\n"),
    ] {
        assert_eq!(reported(&fine), [""; 0], "{fine}");
    }
}

#[test]
fn a_path_parameter_declared_with_another_location_has_its_value() {
    let text = format!(
        "{HEAD}paths:\n  /jobs/{{job}}:\n    get:\n      parameters: [{{name: job, in: query, schema: {{type: string}}, example: j-7}}]\n      responses: {{'200': {{description: ok}}}}\n"
    );
    let document = document(&text);
    let operation = &document.operations[0];
    let inputs = Inputs::examples(&document, operation, Scope::All);
    let call = request(&document, operation, &inputs);
    assert_eq!(call.url, "https://a.test/jobs/j-7?job=j-7");
    let checked = check(&text);
    let hint = checked.diagnostics[0].hint.as_deref();
    let expected = "`job` is declared with `in: query`; change it to `in: path`";
    assert_eq!(hint, Some(expected));
}

#[test]
fn a_keyword_of_a_wrong_type_is_ignored_for_examples() {
    for keyword in ["enum: x", "anyOf: {}", "oneOf: 5", "allOf: x"] {
        let text = format!(
            "{HEAD}paths:\n  /a:\n    get:\n      parameters:\n        - {{name: a, in: query, schema: {{type: integer, {keyword}}}, example: 9}}\n      responses: {{}}\n"
        );
        let checked = check(&text);
        let ids: Vec<_> = checked.diagnostics.iter().map(|one| one.code.id).collect();
        assert_eq!(ids, ["openapi-wrong-type"], "{keyword}");
    }
}
