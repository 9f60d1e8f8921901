//! Tests of view.

use crate::tests::{document, schema_line};
use crate::{Direction, EXAMPLE_BYTES, SchemaView, example, schema_view};

fn with(schemas: &str) -> crate::ApiDocument {
    document(&format!(
        "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas:\n{schemas}"
    ))
}

fn view(schemas: &str) -> SchemaView {
    let document = with(schemas);
    let node = document.schema_node("S").expect("S is declared");
    schema_view(&document, node, Direction::Request, 10)
}

fn sample(schemas: &str) -> serde_json::Value {
    let document = with(schemas);
    example(
        &document,
        document.schema_node("S").expect("S is declared"),
        Direction::Request,
    )
}

#[test]
fn kinds_are_named_like_types() {
    let cases = [
        ("{type: string}", "string"),
        ("{type: array, items: {type: string}}", "string[]"),
        (
            "{type: array, items: {type: [string, integer]}}",
            "(string | integer)[]",
        ),
        ("{type: array}", "any[]"),
        ("{enum: [1, 2]}", "enum<integer>"),
        ("{const: a}", "enum<string>"),
        ("{properties: {}}", "object"),
        ("{minLength: 3}", "string"),
        ("{minLength: 3, minimum: 1}", "any"),
        ("{}", "any"),
        ("true", "any"),
        ("false", "never"),
        ("{type: string, format: binary}", "file"),
        ("{type: string, contentMediaType: 'image/png; q=1'}", "file"),
        (
            "{anyOf: [{type: string}, {type: integer}]}",
            "string | integer (string: string / integer: integer)",
        ),
        ("{oneOf: [{type: 'null'}, {type: object}]}", "object | null"),
        (
            "{type: object, additionalProperties: {type: integer}}",
            "object each integer",
        ),
        ("{allOf: [{type: number}, {type: integer}]}", "integer"),
        (
            "{allOf: [{type: string}, {type: integer}]}",
            "string & integer",
        ),
    ];
    for (schema, kind) in cases {
        assert_eq!(
            schema_line(&with(&format!("    S: {schema}\n")), "S"),
            kind,
            "{schema}"
        );
    }
}

#[test]
fn all_of_joins_limits_values_and_texts() {
    let view = view(
        "    S:\n      allOf:\n        - {type: integer, minimum: 1, maximum: 9, multipleOf: 4, description: one, enum: [1, 2, 3]}\n        - {minimum: 3, maximum: 20, multipleOf: 6, description: two, enum: [2, 3, 4]}\n",
    );
    assert_eq!(view.constraint("minimum"), Some("3"));
    assert_eq!(view.constraint("maximum"), Some("9"));
    assert_eq!(view.constraint("multipleOf"), Some("12"));
    assert_eq!(view.description.as_deref(), Some("one\ntwo"));
    assert_eq!(view.enum_values, [2, 3]);
}

#[test]
fn a_reference_in_a_single_all_of_is_overridden_like_one_with_siblings() {
    let view = view(
        "    S:\n      allOf: [{$ref: '#/components/schemas/B'}]\n      description: mine\n      readOnly: true\n      nullable: true\n    B: {type: object, title: Base, description: base, properties: {a: {type: string}}}\n",
    );
    assert_eq!(view.description.as_deref(), Some("mine"));
    assert_eq!(view.ref_name, None.or(Some("S".to_owned())));
    assert!(view.read_only && view.nullable);
    assert_eq!(view.properties.len(), 1);
}

#[test]
fn exclusive_limits_are_the_same_in_both_dialects() {
    let old = view("    S: {type: integer, minimum: 1, exclusiveMinimum: true}\n");
    let new = view("    S: {type: integer, exclusiveMinimum: 1}\n");
    assert_eq!(old.constraints, new.constraints);
    assert_eq!(old.constraint("exclusiveMinimum"), Some("1"));
}

#[test]
fn badges_come_from_the_property() {
    let view = view("    S: {type: string, x-svc: {pre: [a], post: b}, x-default: 5}\n");
    assert_eq!(
        (view.pre, view.post),
        (vec!["a".to_owned()], vec!["b".to_owned()])
    );
    assert_eq!(view.prefill, Some(5.into()));
}

#[test]
fn hostile_compositions_stay_small() {
    let mut schemas = String::new();
    for n in 0..60 {
        let next = n + 1;
        let both = format!(
            "{{$ref: '#/components/schemas/L{next}'}}, {{$ref: '#/components/schemas/L{next}'}}"
        );
        schemas += &format!(
            "    L{n}: {{properties: {{a: {{$ref: '#/components/schemas/L{next}'}}, b: {{$ref: '#/components/schemas/L{next}'}}, c: {{$ref: '#/components/schemas/L{next}'}}, d: {{$ref: '#/components/schemas/L{next}'}}}}, oneOf: [{both}], allOf: [{both}]}}\n"
        );
    }
    schemas += "    L60: {type: string}\n";
    let document = with(&schemas);
    let node = document.schema_node("L0").expect("it is there");
    let view = schema_view(&document, node, Direction::Request, 10);
    assert_eq!(view.properties.len(), 4);
    assert!(crate::tests::line(&view).len() < 400_000);
    assert!(
        example(&document, node, Direction::Request)
            .to_string()
            .len()
            <= EXAMPLE_BYTES
    );
}

#[test]
fn a_wide_schema_is_cut_at_the_budget() {
    let mut schemas = "    S:\n      type: object\n      properties:\n".to_owned();
    for n in 0..9_000 {
        schemas += &format!("        p{n}: {{type: string}}\n");
    }
    let view = view(&schemas);
    assert!(view.truncated);
    assert!(
        (1_000..5_000).contains(&view.properties.len()),
        "{}",
        view.properties.len()
    );
}

#[test]
fn later_views_of_a_page_get_their_share() {
    let mut schemas = String::new();
    for n in 0..12 {
        schemas += &format!("    L{n}: {{type: object, properties: {{");
        for p in 0..6 {
            schemas += &format!("p{p}: {{$ref: '#/components/schemas/L{}'}}, ", n + 1);
        }
        schemas += "}}\n";
    }
    schemas += "    L12: {type: string}\n    S: {type: object, properties: {a: {type: string}}}\n";
    let document = with(&schemas);
    let mut budget = crate::Budget::default();
    let wide = document.schema_node("L0").expect("it is there");
    for _ in 0..20 {
        crate::schema_view_within(&document, wide, Direction::Request, 10, &mut budget);
    }
    let small = document.schema_node("S").expect("it is there");
    let view = crate::schema_view_within(&document, small, Direction::Request, 10, &mut budget);
    assert_eq!(crate::tests::line(&view), "object {a: string}");
}

#[test]
fn examples_prefer_what_the_author_wrote() {
    let s = |schema: &str| sample(&format!("    S: {schema}\n")).to_string();
    assert_eq!(s("{type: string, example: a, default: b}"), "\"a\"");
    assert_eq!(s("{type: string, examples: [c], default: b}"), "\"c\"");
    assert_eq!(s("{type: string, default: b, enum: [x]}"), "\"b\"");
    assert_eq!(s("{type: string, enum: [x, y]}"), "\"x\"");
    assert_eq!(
        s("{allOf: [{example: {a: 1}}, {example: {b: 2}}]}"),
        "{\"a\":1,\"b\":2}"
    );
}

#[test]
fn examples_have_the_type_and_format() {
    let s = |schema: &str| sample(&format!("    S: {schema}\n")).to_string();
    assert_eq!(s("{type: string}"), "\"<string>\"");
    assert_eq!(s("{type: string, format: date}"), "\"2023-12-25\"");
    assert_eq!(s("{type: boolean}"), "true");
    assert_eq!(s("{type: integer}"), "123");
    assert_eq!(s("{type: integer, minimum: 5}"), "6");
    assert_eq!(s("{type: integer, minimum: 1, maximum: 4}"), "2");
    assert_eq!(s("{type: number, maximum: 9}"), "8");
    assert_eq!(s("{type: array, items: {type: integer}}"), "[123]");
    assert_eq!(s("{}"), "\"<any>\"");
    assert_eq!(s("{oneOf: [{type: integer}, {type: string}]}"), "123");
    assert_eq!(
        s(
            "{type: object, properties: {a: {type: string}, self: {$ref: '#/components/schemas/S'}, list: {type: array, items: {$ref: '#/components/schemas/S'}}}}"
        ),
        "{\"a\":\"<string>\",\"list\":[]}"
    );
    assert_eq!(
        s(
            "{type: object, properties: {k: {type: string}}, oneOf: [{properties: {a: {type: integer}}}, {properties: {b: {type: integer}}}]}"
        ),
        "{\"k\":\"<string>\",\"a\":123}"
    );
}

#[test]
fn large_examples_are_left_out() {
    let document = with(&format!(
        "    S: {{type: string, example: {}}}\n",
        "x".repeat(70_000)
    ));
    let node = document.schema_node("S").expect("it is there");
    assert_eq!(example(&document, node, Direction::Request), "<string>");
}
