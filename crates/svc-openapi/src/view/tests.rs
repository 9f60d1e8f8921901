//! Tests of views.

use crate::tests::{document, schema_line};
use crate::{
    Direction, MAX_EXAMPLE_BYTES, SchemaPath, SchemaView, example, schema_level, schema_view,
};

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
    assert_eq!(view.description.as_deref(), Some("one\n\ntwo"));
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
            <= MAX_EXAMPLE_BYTES
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
fn later_views_of_a_page_get_a_share_of_the_budget() {
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

/// The outlines of a level, one per line: name, type, and the path of the content.
fn level(
    document: &crate::ApiDocument,
    schema_path: &SchemaPath,
    from: usize,
) -> (Vec<String>, Option<usize>) {
    let mut budget = crate::Budget::default();
    let level = schema_level(
        document,
        schema_path,
        Direction::Response,
        from,
        &mut budget,
    )
    .expect("there is something at the place");
    let mut view = &level.view;
    while let Some(items) = view.items.as_deref() {
        view = items;
    }
    let line = |name: &str, schema: &SchemaView| {
        let inside = schema.path.to_url_path().unwrap_or_default();
        assert_eq!(schema.truncated, !inside.is_empty(), "{name}");
        format!("{name}: {} {inside}", schema.type_text())
            .trim()
            .to_owned()
    };
    let properties = view
        .properties
        .iter()
        .map(|item| line(&item.name, &item.schema));
    let further = view.additional.iter().map(|item| line("{key}", item));
    let variants = view
        .variants
        .iter()
        .map(|item| line(&format!("or {}", item.title), &item.schema));
    (
        properties.chain(further).chain(variants).collect(),
        level.next,
    )
}

#[test]
fn a_level_has_the_path_of_every_child() {
    let document = with(
        "    S:
      allOf:
        - {properties: {both: {properties: {a: {type: string}}}}}
        - {properties: {both: {properties: {b: {type: string}}}}}
      properties:
        plain: {type: string}
        own: {properties: {x: {type: string}}}
        again: {$ref: '#/components/schemas/S'}
        noted: {$ref: '#/components/schemas/B', description: noted}
        wrapped: {allOf: [{$ref: '#/components/schemas/B'}], nullable: true}
        maybe: {oneOf: [{$ref: '#/components/schemas/B'}, {type: 'null'}]}
        list: {type: array, items: {type: array, items: {$ref: '#/components/schemas/B'}}}
        words: {type: array, items: {type: string}}
        either: {oneOf: [{type: string}, {type: integer}]}
        forms: {oneOf: [{$ref: '#/components/schemas/B'}, {type: string}]}
        map: {type: object, additionalProperties: {$ref: '#/components/schemas/B'}}
    B: {type: object, properties: {y: {type: string}}}
",
    );
    let (lines, next) = level(&document, &SchemaPath::component("S"), 0);
    let text = "components/schemas/S";
    let expected = [
        format!("both: object {text}/allOf/0/properties/both/+/{text}/allOf/1/properties/both"),
        "plain: string".to_owned(),
        format!("own: object {text}/properties/own"),
        format!("again: object {text}"),
        "noted: object components/schemas/B".to_owned(),
        "wrapped: object | null components/schemas/B".to_owned(),
        "maybe: object | null components/schemas/B".to_owned(),
        "list: object[][] components/schemas/B".to_owned(),
        "words: string[]".to_owned(),
        "either: string | integer".to_owned(),
        format!("forms: object | string {text}/properties/forms"),
        format!("map: object {text}/properties/map"),
    ];
    assert_eq!(lines, expected);
    assert_eq!(next, None);
    let inside = |path: &str| {
        let schema_path = SchemaPath::from_url_path(&document, path).expect("the address is right");
        level(&document, &schema_path, 0).0
    };
    let both = lines[0].split(' ').next_back().expect("an address");
    assert_eq!(inside(both), ["a: string", "b: string"]);
    assert_eq!(
        inside(&format!("{text}/properties/forms")),
        ["or B: object components/schemas/B", "or string: string"]
    );
    assert_eq!(
        inside(&format!("{text}/properties/map")),
        ["{key}: object components/schemas/B"]
    );
}

#[test]
fn levels_in_parts_have_every_property_once() {
    let mut schemas =
        "    S:\n      type: object\n      required: [p3, p70]\n      properties:\n".to_owned();
    for n in 0..130 {
        schemas += &format!("        p{n}: {{type: string}}\n");
    }
    schemas += "      additionalProperties: {type: integer}\n      oneOf:\n";
    for n in 0..10 {
        schemas += &format!("        - {{title: V{n}, properties: {{v: {{type: string}}}}}}\n");
    }
    schemas += "    L: {type: array, items: {$ref: '#/components/schemas/S'}}\n";
    let document = with(&schemas);
    for name in ["S", "L"] {
        let schema_path = SchemaPath::component(name);
        let (mut all, mut from) = (Vec::new(), Some(0));
        while let Some(start) = from {
            let (lines, next) = level(&document, &schema_path, start);
            assert!(lines.len() <= crate::MAX_LEVEL_ENTRIES);
            all.extend(lines);
            from = next;
        }
        assert_eq!(all.len(), 130 + 1 + 10, "{name}");
        assert_eq!(all[129], "p129: string");
        assert_eq!(all[130], "{key}: integer");
        assert!(all[131].starts_with("or V0: "), "{}", all[131]);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 141);
    }
}

#[test]
fn levels_of_hostile_schemas_end() {
    let mut schemas = String::new();
    for n in 0..30 {
        let each: Vec<String> = (0..30)
            .map(|m| format!("{{$ref: '#/components/schemas/L{m}'}}"))
            .collect();
        let list = each.join(", ");
        schemas += &format!(
            "    L{n}: {{oneOf: [{list}], anyOf: [{list}], items: {{$ref: '#/components/schemas/L{n}'}}, properties: {{a: {{allOf: [{list}]}}}}}}\n"
        );
    }
    schemas += "    R: {$ref: '#/components/schemas/Q'}\n    Q: {$ref: '#/components/schemas/R'}\n";
    schemas +=
        "    N: {items: {items: {items: {items: {items: {items: {properties: {a: {}}}}}}}}}\n";
    let document = with(&schemas);
    for name in ["L0", "R", "N"] {
        let (lines, _) = level(&document, &SchemaPath::component(name), 0);
        assert!(lines.len() <= crate::MAX_LEVEL_ENTRIES);
    }
}

#[test]
fn names_of_a_level_are_listed() {
    let document = with(
        "    S: {allOf: [{properties: {a: {}, b: {}}}, {$ref: '#/components/schemas/B'}]}\n    B: {properties: {a: {}, c: {}}, anyOf: [{$ref: '#/components/schemas/S'}]}\n",
    );
    let names = |limit| crate::property_names(&document, &SchemaPath::component("S"), limit);
    assert_eq!(names(10), ["a", "b", "c"]);
    assert_eq!(names(2), ["a", "b"]);
}

#[test]
fn descriptions_of_all_parts_are_separate_and_unique() {
    let view = view(
        "    S:
      description: The name.
      allOf: [{type: string, description: The name. Of the task.}, {description: 'Second text.'}, {$ref: '#/components/schemas/B'}]
    B: {description: Third text.}
",
    );
    assert_eq!(
        view.description.as_deref(),
        Some("The name. Of the task.\n\nSecond text.\n\nThird text.")
    );
}

#[test]
fn alternatives_that_the_enum_forbids_are_left_out() {
    let view = view(
        "    S: {type: integer, enum: [0, 2], oneOf: [{const: 0, title: Zero}, {const: 1, title: One}, {const: 2, title: Two}]}\n",
    );
    let titles: Vec<String> = view
        .variants
        .into_iter()
        .map(|variant| variant.title)
        .collect();
    assert_eq!(titles, ["Zero", "Two"]);
}

#[test]
fn rules_patterns_and_further_examples_are_retained() {
    let view = view(
        "    S:
      type: object
      not: {required: [a]}
      additionalProperties: false
      patternProperties: {'^x-': {type: string}, '^y-': {type: integer}}
      examples: [{x-a: b}, {y-a: 1}]
",
    );
    let patterns: Vec<String> = view
        .patterns
        .iter()
        .map(|pattern| format!("{} {}", pattern.name, pattern.schema.kind))
        .collect();
    assert_eq!(patterns, ["^x- string", "^y- integer"]);
    assert_eq!(view.additional_allowed, Some(false));
    assert_eq!(view.rules[0].keyword, "not");
    assert_eq!(view.rules[0].value, r#"{"required":["a"]}"#);
    assert_eq!(view.further_examples, [serde_json::json!({"y-a": 1})]);
}
