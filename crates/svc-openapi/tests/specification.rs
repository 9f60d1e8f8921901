//! Tests of versions, references and extensions, marked with the rows of
//! `docs/contributing/specification.md`.

use svc_diagnostics::{Checked, Diagnostic, SourceFile};
use svc_openapi::{ApiDocument, Direction, SchemaView, SecurityKind, parse, schema_view};

/// Parses a text, without the diagnostic of missing servers.
fn read(text: &str) -> Checked<Option<ApiDocument>> {
    let mut read = parse(&SourceFile::new("a.yaml", text));
    let other = |diagnostic: &Diagnostic| diagnostic.code.id != "openapi-no-servers";
    read.diagnostics.retain(other);
    read
}

fn text(paths: &str) -> String {
    format!("openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths:\n{paths}")
}

/// A document with these lines below `paths`; asserts that it has no diagnostics.
fn document(paths: &str) -> ApiDocument {
    let checked = read(&text(paths));
    assert_eq!(checked.diagnostics, [], "{paths}");
    checked.value.expect("it is a document")
}

/// Code and line of every diagnostic.
fn problems(text: &str) -> Vec<String> {
    let diagnostics = read(text).diagnostics;
    let lines = diagnostics.iter().map(|problem| {
        assert!(problem.hint.is_some(), "{problem:?}");
        let line = problem.location.as_ref().map_or(0, |at| at.start.line);
        format!("{} {line}", problem.code.id)
    });
    lines.collect()
}

// spec: oas.version accepts and refuses
#[test]
fn versions_3_0_and_3_1_are_read_in_both_notations_and_2_0_is_not() {
    for version in ["3.0.0", "3.0.3", "3.1.0", "3.1.1"] {
        let yaml = format!("openapi: {version}\ninfo: {{title: T, version: '1'}}\npaths: {{}}\n");
        let json = format!(
            r#"{{"openapi": "{version}", "info": {{"title": "T", "version": "1"}}, "paths": {{}}}}"#
        );
        for text in [yaml, json] {
            let checked = read(&text);
            assert_eq!(checked.diagnostics, [], "{text}");
            assert_eq!(checked.value.unwrap().version, version);
        }
    }
    let rest = "info: {title: T, version: '1'}\npaths: {}\n";
    let old = format!("{rest}swagger: '1.2'\n");
    assert!(read(&old).value.is_none());
    assert_eq!(problems(&old), ["openapi-swagger-2 3"]);
    let strange = format!("{rest}openapi: four\n");
    assert_eq!(problems(&strange), ["openapi-bad-version 3"]);
}

// spec: oas.webhooks.version, oas.webhook accepts
// spec: oas.webhooks.version refuses
#[test]
fn webhooks_need_version_3_1() {
    let text = |version: &str| {
        format!(
            "openapi: {version}\ninfo: {{title: T, version: '1'}}\npaths: {{}}\n\
             webhooks: {{paid: {{post: {{summary: Paid, responses: {{}}}}}}}}\n"
        )
    };
    let checked = read(&text("3.1.0"));
    assert_eq!(checked.diagnostics, []);
    let document = checked.value.unwrap();
    let hook = document.webhook("paid").unwrap();
    assert_eq!((&*hook.method, &*hook.title()), ("post", "Paid"));
    assert_eq!(problems(&text("3.0.3")), ["openapi-webhooks-version 4"]);
}

// spec: oas.ref accepts and refuses
#[test]
fn references_stay_inside_the_document() {
    let text = |target: &str| {
        text(&format!(
            "  /a:\n    get:\n      parameters: [{{$ref: '{target}'}}]\n      responses: {{}}\n\
             components: {{parameters: {{P: {{name: p, in: query, schema: {{type: string}}}}}}}}\n"
        ))
    };
    let checked = read(&text("#/components/parameters/P"));
    assert_eq!(checked.diagnostics, []);
    assert_eq!(checked.value.unwrap().operations[0].parameters[0].name, "p");
    for (target, code) in [
        ("other.yaml#/P", "openapi-external-ref 6"),
        ("https://example.org/a.yaml", "openapi-external-ref 6"),
        ("#/components/parameters/Q", "openapi-unresolved-ref 6"),
    ] {
        let wrong = problems(&text(target));
        assert!(wrong.contains(&code.to_owned()), "{target}: {wrong:?}");
    }
}

// spec: oas.x-svc.metadata, oas.x-svc.content, oas.x-svc.href accepts
#[test]
fn an_endpoint_has_metadata_content_and_a_path() {
    let document = document(
        "  /a:\n    get:\n      summary: Own\n      responses: {}\n\
         \x20     x-svc: {href: /x, content: '<Note />', metadata: {title: Shown, tag: NEW}}\n",
    );
    let get = &document.operations[0];
    assert_eq!(get.href.as_deref(), Some("/x"));
    let content = get.content.as_ref().map(|(text, _)| text.as_str());
    assert_eq!(content, Some("<Note />"));
    assert_eq!(get.title(), "Shown");
    let tag = get.metadata.as_ref().and_then(|node| node.get("tag"));
    assert_eq!(tag.and_then(svc_data::Node::as_str), Some("NEW"));
}

// spec: oas.x-svc.metadata, oas.x-svc.content, oas.x-svc.href refuses
#[test]
fn extensions_of_the_wrong_type_are_reported_at_their_line() {
    for slip in ["metadata: 5", "content: [a]", "href: {a: b}"] {
        let text = text(&format!(
            "  /a:\n    get:\n      responses: {{}}\n      x-svc:\n        {slip}\n"
        ));
        assert_eq!(problems(&text), ["openapi-extension 8"], "{slip}");
    }
}

// spec: oas.x-svc.alias accepts
#[test]
fn the_older_spelling_is_read_and_reported() {
    let text = text("  /a:\n    get:\n      responses: {}\n      x-mint: {href: /x}\n");
    assert_eq!(problems(&text), ["openapi-alias 7"]);
    let document = read(&text).value.unwrap();
    assert_eq!(document.operations[0].href.as_deref(), Some("/x"));
}

fn view(schema: &str) -> SchemaView {
    let document = document(&format!(
        "  {{}}\ncomponents: {{schemas: {{S: {schema}}}}}\n"
    ));
    let node = document.schema_node("S").expect("S is declared");
    schema_view(&document, node, Direction::Request, 10)
}

// spec: oas.x-svc.pre, oas.x-svc.post, oas.x-default accepts
#[test]
fn a_schema_has_badges_and_an_initial_value() {
    let view = view(
        "{type: object, properties: {a: {type: string, default: d, x-default: x, \
         x-svc: {pre: [one], post: [two, three]}}}}",
    );
    let own = &view.property("a").unwrap().schema;
    assert_eq!(own.pre.join(" "), "one");
    assert_eq!(own.post.join(" "), "two three");
    assert_eq!(own.prefill, Some(serde_json::json!("x")));
    assert_eq!(own.default, Some(serde_json::json!("d")));
}

// spec: oas.x-default, oas.security.override accepts
#[test]
fn schemes_have_a_start_value_and_an_endpoint_its_own_security() {
    let document = document(
        "  /a: {get: {responses: {}}}\n  /b: {get: {security: [{Key: []}], responses: {}}}\n\
         \x20 /c: {get: {security: [], responses: {}}}\nsecurity: [{Token: []}]\n\
         components: {securitySchemes: {Token: {type: http, scheme: bearer, x-default: abc},\n\
         \x20 Key: {type: apiKey, in: header, name: k}}}\n",
    );
    let token = &document.security_schemes["Token"];
    assert_eq!(token.default.as_deref(), Some("abc"));
    assert!(matches!(token.kind, SecurityKind::Bearer { .. }));
    let security = |path| document.operation("get", path).unwrap().security.concat();
    assert_eq!(security("/a"), ["Token"]);
    assert_eq!(security("/b"), ["Key"]);
    assert!(security("/c").is_empty());
}

// spec: oas.x-hidden, oas.x-group, oas.page.title, oas.page.description accepts
#[test]
fn endpoints_can_be_hidden_and_named_and_tags_have_a_group() {
    let document = document(
        "  /a:\n    get: {summary: Sum, description: Text, responses: {}}\n    put: {x-hidden: true, responses: {}}\n\
         \x20 /users/{id}:\n    parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n\
         \x20   get: {responses: {}}\ntags: [{name: t, x-group: Shown}]\n",
    );
    let hidden: Vec<bool> = document.operations.iter().map(|item| item.hidden).collect();
    assert_eq!(hidden, [false, true, false]);
    assert_eq!(document.tags[0].group.as_deref(), Some("Shown"));
    assert_eq!(document.operations[0].title(), "Sum");
    assert_eq!(document.operations[0].description.as_deref(), Some("Text"));
    assert!(!document.operations[2].title().is_empty());
}
