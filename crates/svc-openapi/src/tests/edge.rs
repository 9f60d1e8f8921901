//! Tests of the shared edge cases as far as they concern this crate: reading, views, examples and
//! diagnostics. Parameter styles are tested with the request builder.

use svc_diagnostics::Checked;

use super::{check, codes_with_lines, schema_line};
use crate::{ApiDocument, Direction, MAX_DEPTH, ParameterLocation, schema_view};

fn edge(number: &str) -> Option<Checked<Option<ApiDocument>>> {
    let dir = svc_test_support::reference_path("oracle/openapi/edge")?;
    let entries = std::fs::read_dir(dir).ok()?.filter_map(Result::ok);
    let path = entries.map(|entry| entry.path()).find(|path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(number))
    })?;
    let text = std::fs::read_to_string(&path).ok()?;
    Some(check(&text))
}

fn lines(number: &str, expected: &[(&str, &str)], codes: &[&str]) {
    let Some(checked) = edge(number) else { return };
    let document = checked.value.expect("edge cases are documents");
    for (name, line) in expected {
        assert_eq!(schema_line(&document, name), *line, "{number} {name}");
    }
    assert_eq!(codes_with_lines(&checked.diagnostics), codes, "{number}");
}

#[test]
fn all_edge_cases_are_read_without_panic() {
    for number in 1..=30 {
        let Some(checked) = edge(&format!("{number:02}")) else {
            return;
        };
        let Some(document) = checked.value else {
            continue;
        };
        for name in document.schema_names() {
            let node = document.schema_node(name).expect("it is named");
            crate::example(&document, node, Direction::Request);
        }
    }
}

#[test]
fn recursion_stops_at_the_first_repeated_schema_on_a_path() {
    let node = "object {id*: string, children: object[] of object again Node}";
    lines("01", &[("Node", node)], &[]);
    let b = "object {a: object | string (B: object again B / string: string), b: object again B}";
    lines("02", &[("B", b)], &[]);
    lines("03", &[("U", "object {a: string, b: string}")], &[]);
    lines("04", &[("A", "any")], &["openapi-all-of-cycle 4"]);
    lines(
        "05",
        &[("B", "integer"), ("A", "any again A")],
        &["openapi-ref-cycle 4"],
    );
}

#[test]
fn references_are_decoded_and_may_have_siblings() {
    if let Some(checked) = edge("06") {
        let document = checked.value.expect("a document");
        let operation = document.operation("get", "/q").expect("the operation");
        let schema = operation.responses[0].content[0]
            .schema
            .as_ref()
            .expect("a schema");
        let node = document.node(schema).expect("it is there");
        assert_eq!(
            schema_view(&document, node, Direction::Response, MAX_DEPTH).kind,
            "integer"
        );
    }
    if let Some(checked) = edge("07") {
        let document = checked.value.expect("a document");
        let node = document.schema_node("T").expect("it is there");
        let view = schema_view(&document, node, Direction::Request, MAX_DEPTH);
        let a = &view.property("a").expect("it has a").schema;
        assert_eq!(a.kind, "string");
        assert_eq!(a.description.as_deref(), Some("mine"));
        assert!(a.deprecated);
        assert_eq!(a.default, Some("x".into()));
        assert_eq!(a.constraint("maxLength"), Some("5"));
    }
}

#[test]
fn unresolved_references_are_reported_with_their_line() {
    lines("08", &[], &["openapi-external-ref 3"]);
    lines("09", &[], &["openapi-unresolved-ref 3"]);
    lines("10", &[], &[]);
    lines(
        "11",
        &[("Link", "object {$ref: string, type: string, enum: any[]}")],
        &[],
    );
    if let Some(checked) = edge("09") {
        let document = checked.value.expect("a document");
        assert_eq!(document.operations[0].responses[0].status, "200");
    }
}

#[test]
fn parameters_of_the_path_are_replaced_at_their_position() {
    let Some(checked) = edge("12") else { return };
    let document = checked.value.expect("a document");
    let parameters: Vec<_> = document.operations[0]
        .parameters
        .iter()
        .map(|parameter| {
            (
                parameter.name.as_str(),
                parameter.location,
                parameter.description.as_deref(),
            )
        })
        .collect();
    let expected = [
        ("id", ParameterLocation::Path, Some("int id")),
        ("id", ParameterLocation::Query, None),
        ("X-T", ParameterLocation::Header, None),
    ];
    assert_eq!(parameters, expected);
}

#[test]
fn headers_that_are_described_elsewhere_are_marked() {
    let Some(checked) = edge("13") else { return };
    let document = checked.value.expect("a document");
    let shown = document.operations[0]
        .parameters
        .iter()
        .filter(|parameter| !parameter.ignored);
    assert_eq!(
        shown
            .map(|parameter| parameter.name.as_str())
            .collect::<Vec<_>>(),
        ["X-A"]
    );
    assert_eq!(checked.diagnostics.len(), 3);
}

#[test]
fn security_and_servers_are_inherited_or_replaced() {
    if let Some(checked) = edge("18") {
        let document = checked.value.expect("a document");
        let security = |path| {
            &document
                .operation("get", path)
                .expect("it is there")
                .security
        };
        assert_eq!(*security("/i"), [vec!["A", "B"], vec!["C"]]);
        assert!(security("/n").is_empty());
        assert_eq!(*security("/o"), [vec![], vec!["D"]]);
        assert_eq!(document.operations[0].scopes[0].scopes, ["read"]);
    }
    if let Some(checked) = edge("19") {
        let document = checked.value.expect("a document");
        assert_eq!(
            document.servers[0].default_url(),
            "https://eu.h.test:443/v1"
        );
        assert_eq!(
            document.operation("get", "/p").expect("get").servers[0].url,
            "https://op.h"
        );
        assert_eq!(
            document.operation("put", "/p").expect("put").servers[0].url,
            "https://path.h"
        );
        assert_eq!(
            codes_with_lines(&checked.diagnostics),
            ["openapi-relative-server 3"]
        );
    }
}

#[test]
fn yaml_scalars_stay_what_they_are() {
    if let Some(checked) = edge("20") {
        let document = checked.value.expect("a document");
        let statuses = document.operations[0]
            .responses
            .iter()
            .map(|response| response.status.as_str());
        assert_eq!(statuses.collect::<Vec<_>>(), ["200", "4XX", "default"]);
        assert_eq!(
            codes_with_lines(&checked.diagnostics),
            ["openapi-unquoted-status 7"]
        );
    }
    if let Some(checked) = edge("21") {
        let document = checked.value.expect("a document");
        assert_eq!(document.api_version, "1.10");
        assert_eq!(
            schema_line(&document, "on"),
            "object {no: boolean, y: string}"
        );
        assert_eq!(
            codes_with_lines(&checked.diagnostics),
            ["openapi-version-text 2"]
        );
    }
    if let Some(checked) = edge("22") {
        let document = checked.value.expect("a document");
        assert_eq!(document.operations.len(), 1);
        assert_eq!(document.operations[0].summary.as_deref(), Some("second"));
        assert_eq!(
            codes_with_lines(&checked.diagnostics),
            ["data-duplicate-key 6"]
        );
        assert_eq!(checked.diagnostics[0].labels[0].location.start.line, 4);
    }
}

#[test]
fn null_is_equivalent_in_every_dialect() {
    let expected = [
        ("a", "string | null"),
        ("b", "string | null"),
        ("c", "string | null"),
        ("d", "enum<string> | null"),
        ("e", "string | integer"),
        ("f", "null"),
    ];
    lines("24", &expected, &["openapi-dialect 4"]);
}

#[test]
fn compositions_grow_by_addition_only() {
    let x = "object {code*: integer & string, ro*: string, extra: boolean}";
    lines("25", &[("X", x)], &["openapi-conflict 4"]);
    let p = "object {kind*: string, common: string} (A: object {a: string} / \
             B: object (B1: object {b1: string} / B2: object {b2: string}))";
    lines("26", &[("P", p)], &[]);
    let pet = "object {petType*: string} (Dog=dog: object {pack: integer} / \
               Cat=kitty: object {hunt: string} / Fish=Fish: object)";
    lines(
        "27",
        &[
            ("Pet", pet),
            ("Cat", "object {petType*: string, hunt: string}"),
        ],
        &[],
    );
}

#[test]
fn read_only_and_write_only_properties_depend_on_the_direction() {
    let Some(checked) = edge("28") else { return };
    let document = checked.value.expect("a document");
    let node = document.schema_node("U").expect("it is there");
    let names = |direction| {
        let view = schema_view(&document, node, direction, MAX_DEPTH);
        assert_eq!(view.required.len(), 2);
        view.properties
            .into_iter()
            .map(|property| property.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(names(Direction::Request), ["pw", "name"]);
    assert_eq!(names(Direction::Response), ["id", "name"]);
}

#[test]
fn files_are_recognized_in_both_dialects() {
    let Some(checked) = edge("29") else { return };
    let document = checked.value.expect("a document");
    let body = document.operations[0]
        .request_body
        .as_ref()
        .expect("a body");
    let schema = body.content[0].schema.as_ref().expect("a schema");
    let node = document.node(schema).expect("it is there");
    assert_eq!(
        super::line(&schema_view(&document, node, Direction::Request, MAX_DEPTH)),
        "object {meta: object {a: integer}, file: file, file31: file, many: file[], tags: string[], b64: string}"
    );
}

#[test]
fn webhooks_and_callbacks_follow_references_to_path_items() {
    let Some(checked) = edge("30") else { return };
    let document = checked.value.expect("a document");
    let shown: Vec<_> = document
        .webhooks
        .iter()
        .filter(|webhook| !webhook.hidden)
        .map(|webhook| (webhook.path.as_str(), webhook.method.as_str()))
        .collect();
    assert_eq!(shown, [("newPet", "post"), ("both", "post")]);
    let callbacks: Vec<_> = document.operations[0]
        .callbacks
        .iter()
        .map(|callback| {
            (
                callback.name.as_str(),
                callback.method.as_str(),
                callback.expression.as_str(),
            )
        })
        .collect();
    let expected = [
        ("onData", "post", "{$request.query.callbackUrl}/data"),
        ("onData", "post", "{$request.body#/url}"),
        ("shared", "delete", "$response.header.Location"),
    ];
    assert_eq!(callbacks, expected);
    assert_eq!(
        document
            .webhook("newPet")
            .and_then(|hook| hook.summary.as_deref()),
        Some("New pet")
    );
    assert!(checked.diagnostics.is_empty());
}
