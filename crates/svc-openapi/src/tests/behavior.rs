//! Tests with a small document for each behavior.

use svc_diagnostics::SourceFile;

use super::{check, codes_with_lines, document};
use crate::{ApiCatalog, OperationKind, SecurityKind, parse};

const HEAD: &str = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n";

fn codes(text: &str) -> Vec<String> {
    codes_with_lines(&check(text).diagnostics)
}

#[test]
fn invalid_documents_are_rejected_with_a_hint() {
    let checked = check("- a\n- b\n");
    assert!(checked.value.is_none());
    assert_eq!(
        codes_with_lines(&checked.diagnostics),
        ["openapi-not-an-object 1"]
    );
    let checked = check("swagger: '1.2'\ninfo: {title: T, version: '1'}\npaths: {}\n");
    assert!(checked.value.is_none());
    assert_eq!(
        codes_with_lines(&checked.diagnostics),
        ["openapi-swagger-2 1"]
    );
    assert!(
        checked.diagnostics[0]
            .hint
            .as_deref()
            .is_some_and(|hint| hint.contains("convert"))
    );
    let checked = check("opnapi: 3.1.0\npaths: {}\n");
    assert!(checked.value.is_none());
    let hint = checked.diagnostics[0].hint.clone().unwrap_or_default();
    assert!(hint.contains("instead of `opnapi`"), "{hint}");
}

#[test]
fn versions_are_checked_leniently() {
    let rest = "info: {title: T, version: '1'}\npaths: {}\n";
    assert_eq!(codes(&format!("openapi: 3.2.0\n{rest}")), [""; 0]);
    assert_eq!(
        codes(&format!("openapi: 3.1\n{rest}")),
        ["openapi-version-text 1"]
    );
    assert_eq!(
        codes(&format!("openapi: 3.7.0\n{rest}")),
        ["openapi-version-text 1"]
    );
    assert_eq!(
        codes(&format!("openapi: three\n{rest}")),
        ["openapi-bad-version 1"]
    );
    assert_eq!(document(&format!("openapi: 3.10\n{rest}")).version, "3.10");
}

#[test]
fn missing_info_and_paths_are_reported_together() {
    assert_eq!(
        codes("openapi: 3.0.3\n"),
        ["openapi-no-info 1", "openapi-no-paths 1"]
    );
    assert_eq!(codes(&format!("{HEAD}webhooks: {{}}\n")), [""; 0]);
    assert_eq!(codes(HEAD), ["openapi-no-paths 1"]);
    assert_eq!(document("openapi: 3.1.0\npaths: {}\n").title, "api");
}

#[test]
fn a_broken_operation_does_not_affect_others() {
    let text = format!(
        "{HEAD}paths:\n  /a:\n    get: nonsense\n    post: {{summary: Post}}\n  /b: 7\n  /c:\n    get:\n      parameters: {{}}\n      responses: []\n      summary: C\n"
    );
    let checked = check(&text);
    let document = checked.value.expect("a document");
    let names: Vec<_> = document
        .operations
        .iter()
        .filter_map(|op| op.summary.as_deref())
        .collect();
    assert_eq!(names, ["Post", "C"]);
    assert_eq!(
        codes_with_lines(&checked.diagnostics),
        [
            "openapi-wrong-type 5",
            "openapi-wrong-type 7",
            "openapi-wrong-type 10",
            "openapi-wrong-type 11"
        ]
    );
    assert_eq!(
        checked.diagnostics[0].pointer.as_deref(),
        Some("/paths/~1a/get")
    );
}

#[test]
fn a_misspelled_method_or_reference_gets_a_suggestion() {
    let text = format!(
        "{HEAD}paths:\n  /a:\n    gte: {{}}\n    post:\n      requestBody: {{$ref: '#/components/requestBodies/Pte'}}\ncomponents: {{requestBodies: {{Pet: {{content: {{text/plain: {{}}}}}}}}}}\n"
    );
    let checked = check(&text);
    let hints: Vec<_> = checked
        .diagnostics
        .iter()
        .filter_map(|diagnostic| diagnostic.hint.as_deref())
        .collect();
    assert_eq!(hints, ["did you mean `get`?", "did you mean `Pet`?"]);
    let pointer = checked.diagnostics[1].pointer.as_deref();
    assert_eq!(pointer, Some("/paths/~1a/post/requestBody/$ref"));
}

#[test]
fn every_name_in_a_path_is_a_parameter() {
    let text = format!(
        "{HEAD}paths:\n  /a/{{id}}/{{other}}:\n    get:\n      parameters: [{{name: id, in: path, schema: {{}}}}, {{name: gone, in: path, schema: {{}}}}]\n"
    );
    let checked = check(&text);
    let document = checked.value.expect("a document");
    let parameters: Vec<_> = document.operations[0]
        .parameters
        .iter()
        .map(|parameter| {
            (
                parameter.name.as_str(),
                parameter.required,
                parameter.implied,
            )
        })
        .collect();
    assert_eq!(
        parameters,
        [
            ("id", true, false),
            ("gone", true, false),
            ("other", true, true)
        ]
    );
    assert_eq!(
        codes_with_lines(&checked.diagnostics),
        [
            "openapi-path-parameter 6",
            "openapi-unused-path-parameter 6"
        ]
    );
}

#[test]
fn operations_have_their_extensions_and_locations() {
    let text = format!(
        "{HEAD}paths:\n  /a:\n    get:\n      x-svc: {{href: /x, content: '<Note />', metadata: {{title: Meta}}}}\n      x-codeSamples: [{{lang: bash, source: curl}}, 7, {{lang: js}}]\n    put: {{x-excluded: true, deprecated: true, x-mint: {{content: 5}}}}\n"
    );
    let checked = check(&text);
    let document = checked.value.expect("a document");
    let get = document
        .operation("GET", "/a/")
        .expect("a slash at the end is tolerated");
    assert_eq!((get.location.start.line, get.location.start.column), (5, 5));
    assert_eq!(get.href.as_deref(), Some("/x"));
    let (content, span) = get.content.clone().expect("content");
    assert_eq!(content, "<Note />");
    assert!(document.file.slice(span).contains("<Note />"));
    assert_eq!(get.title(), "Meta");
    assert_eq!(get.code_samples.len(), 1);
    let put = document.operation("put", "/a").expect("put");
    assert!(put.hidden && put.deprecated && put.content.is_none());
    assert_eq!(
        codes_with_lines(&checked.diagnostics),
        [
            // The samples without `lang` and without `source`.
            "openapi-extension 7",
            "openapi-extension 7",
            "openapi-alias 8",
            "openapi-extension 8"
        ]
    );
}

#[test]
fn responses_and_bodies_point_into_the_components_they_come_from() {
    let text = format!(
        "{HEAD}paths:\n  /a:\n    post:\n      requestBody: {{$ref: '#/components/requestBodies/R'}}\n      responses: {{'2OO': {{description: ok}}, '404': {{$ref: '#/components/responses/N'}}}}\ncomponents:\n  requestBodies: {{R: {{required: true, content: {{application/json: {{schema: {{type: string}}}}}}}}}}\n  responses: {{N: {{description: none, headers: {{X-A: {{schema: {{type: integer}}}}}}}}}}\n"
    );
    let checked = check(&text);
    let document = checked.value.expect("a document");
    let operation = &document.operations[0];
    let body = operation.request_body.as_ref().expect("a body");
    assert!(body.required && body.content[0].is_json());
    let schema = body.content[0].schema.as_ref().expect("a schema");
    assert_eq!(
        schema.pointer(),
        "/components/requestBodies/R/content/application~1json/schema"
    );
    assert!(document.node(schema).is_some());
    assert_eq!(operation.responses[1].description.as_deref(), Some("none"));
    assert_eq!(operation.responses[1].headers[0].name, "X-A");
    assert_eq!(
        codes_with_lines(&checked.diagnostics),
        ["openapi-bad-status 7"]
    );
}

#[test]
fn security_schemes_have_their_types() {
    let text = format!(
        "{HEAD}paths:\n  /a:\n    get: {{security: [{{Tokn: []}}]}}\ncomponents:\n  securitySchemes:\n    Token: {{type: http, scheme: Bearer, x-default: abc}}\n    Key: {{type: apiKey, in: query, name: k}}\n    Odd: {{type: apikey}}\n"
    );
    let checked = check(&text);
    let document = checked.value.expect("a document");
    assert_eq!(
        document.security_schemes["Token"].kind,
        SecurityKind::Bearer { format: None }
    );
    assert_eq!(
        document.security_schemes["Token"].default.as_deref(),
        Some("abc")
    );
    assert_eq!(
        codes_with_lines(&checked.diagnostics),
        ["openapi-unknown-scheme 5", "openapi-bad-scheme 10"]
    );
    assert_eq!(
        checked.diagnostics[0].hint.as_deref(),
        Some("did you mean `Token`?")
    );
}

#[test]
fn newer_versions_add_methods_and_kinds_of_tags() {
    let text = "openapi: 3.2.0\ninfo: {title: T, version: '1'}\ntags: [{name: b, kind: badge}, {name: n, kind: nav, summary: Nav}]\npaths:\n  /a:\n    query: {tags: [b, n]}\n    additionalOperations: {COPY: {summary: Copy it}}\n";
    let document = document(text);
    let methods: Vec<_> = document
        .operations
        .iter()
        .map(|op| op.method.as_str())
        .collect();
    assert_eq!(methods, ["query", "copy"]);
    let operation = &document.operations[0];
    assert_eq!(document.tag_of(operation), Some("n"));
    assert_eq!(document.group_of(operation), "Nav");
    assert_eq!(
        document.page_slug(operation, "api-reference"),
        "api-reference/n/query-a"
    );
    assert_eq!(document.group_of(&document.operations[1]), "API Reference");
}

#[test]
fn a_duplicate_operation_id_has_both_locations() {
    let text =
        format!("{HEAD}paths:\n  /a:\n    get: {{operationId: x}}\n    put: {{operationId: x}}\n");
    let checked = check(&text);
    assert_eq!(
        codes_with_lines(&checked.diagnostics),
        ["openapi-operation-id 6"]
    );
    assert_eq!(checked.diagnostics[0].labels[0].location.start.line, 5);
}

#[test]
fn the_catalog_resolves_documents_by_any_of_their_names() {
    let file = |path: &str, text: &str| parse(&SourceFile::new(path, text)).value.expect(path);
    let catalog = ApiCatalog::new(vec![
        file(
            "specs/v2.openapi.yaml",
            &format!("{HEAD}paths: {{/b: {{get: {{}}}}}}\nwebhooks: {{new pet: {{post: {{}}}}}}\n"),
        ),
        file(
            "api.json",
            r#"{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/a": {"get": {}}}}"#,
        ),
    ]);
    assert_eq!(catalog.documents[0].path, "api.json");
    for name in [
        "specs/v2.openapi.yaml",
        "/specs/v2.openapi.yaml",
        "./specs/v2.openapi",
        "v2.openapi.yaml",
        "v2.openapi",
    ] {
        assert_eq!(catalog.position(name), Some(1), "{name}");
    }
    assert!(catalog.find("v3").is_none());
    let lookup = |entry: &str, default: Option<&str>| {
        let entry = catalog.operation_ref(entry)?;
        catalog
            .lookup(&entry, default)
            .map(|target| (target.document, target.operation.path.clone()))
    };
    assert_eq!(lookup("GET /b", None), Some((1, "/b".to_owned())));
    assert_eq!(lookup("get /b/", None), Some((1, "/b".to_owned())));
    assert_eq!(lookup("GET /b", Some("api.json")), None);
    assert_eq!(
        lookup("v2.openapi GET /b", Some("api.json")),
        Some((1, "/b".to_owned()))
    );
    assert_eq!(
        lookup("webhook new pet", None),
        Some((1, "new pet".to_owned()))
    );
    assert_eq!(lookup("guides/start", None), None);
}

#[test]
fn entries_without_an_operation_are_pages() {
    let kind = |entry: &str| crate::parse_entry(entry).map(|entry| (entry.kind, entry.spec));
    assert_eq!(kind("Post /x"), Some((OperationKind::Path, None)));
    assert_eq!(kind("webhook order"), Some((OperationKind::Webhook, None)));
    let spec = Some("a.json".to_owned());
    assert_eq!(
        kind("a.json webhook order"),
        Some((OperationKind::Webhook, spec.clone()))
    );
    assert_eq!(kind("a.json DELETE /x"), Some((OperationKind::Path, spec)));
    // A method that a document of version 3.2 adds.
    assert_eq!(kind("FETCH /x"), Some((OperationKind::Path, None)));
    for page in [
        "guides/start",
        "get started",
        "Fetch /x",
        "FETCH.md /x",
        "a b GET /x",
        "",
        "webhook",
    ] {
        assert_eq!(kind(page), None, "{page}");
    }
}

#[test]
fn a_minified_document_of_one_line_is_read_in_linear_time() {
    let paths: Vec<String> = (0..20_000)
        .map(|n| format!("\"/p{n}\":{{\"get\":7}}"))
        .collect();
    let text = format!(
        "{{\"openapi\":\"3.1.0\",\"info\":{{\"title\":\"T\",\"version\":\"1\"}},\"paths\":{{{}}}}}",
        paths.join(",")
    );
    let checked = parse(&SourceFile::new("a.json", text));
    assert_eq!(checked.diagnostics.len(), 20_000);
}

#[test]
fn long_chains_do_not_exhaust_the_stack() {
    let mut schemas = String::new();
    for n in 0..30_000 {
        schemas += &format!(
            "\"S{n}\":{{\"allOf\":[{{\"$ref\":\"#/components/schemas/S{}\"}}]}},",
            n + 1
        );
    }
    let text = format!(
        "{{\"openapi\":\"3.1.0\",\"info\":{{\"title\":\"T\",\"version\":\"1\"}},\"paths\":{{}},\"components\":{{\"schemas\":{{{schemas}\"S30000\":{{\"$ref\":\"#/components/schemas/S0\"}}}}}}}}"
    );
    let document = parse(&SourceFile::new("a.json", text))
        .value
        .expect("a document");
    assert_eq!(super::schema_line(&document, "S0"), "any");
}
