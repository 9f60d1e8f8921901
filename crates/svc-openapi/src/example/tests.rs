//! Tests of examples: each is validated by an independent validator.

use serde_json::{Value, json};

use crate::{Direction, MAX_EXAMPLE_BYTES, SchemaRef, example, example_at};

/// The example of `S` among component schemas; asserts that it matches.
fn made(schemas: &Value, direction: Direction) -> Value {
    let document = json!({
        "openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {},
        "components": {"schemas": schemas},
    });
    let read = crate::tests::document(&document.to_string());
    let node = read.schema_node("S").expect("it is declared");
    let value = example(&read, node, direction);
    assert_eq!(value, example(&read, node, direction));
    value
}

#[track_caller]
fn fitting(schemas: &Value) -> Value {
    let value = made(schemas, Direction::Request);
    let schema = json!({"$ref": "#/components/schemas/S", "components": {"schemas": schemas}});
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let problem = validator.iter_errors(&value).next();
    assert!(problem.is_none(), "{value}: {problem:?}");
    value
}

#[track_caller]
fn fits(schema: Value) -> Value {
    fitting(&json!({ "S": schema }))
}

#[test]
fn numbers_satisfy_all_limits() {
    for (schema, value) in [
        (
            json!({"type": "number", "exclusiveMinimum": 0, "maximum": 0.5}),
            json!(0.25),
        ),
        (
            json!({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5}),
            json!(4),
        ),
        (
            json!({"type": "integer", "minimum": 10, "maximum": 19, "multipleOf": 7}),
            json!(14),
        ),
        (
            json!({"type": "number", "multipleOf": 0.25, "minimum": 1.3}),
            json!(2.25),
        ),
        (json!({"type": "integer", "maximum": -1}), json!(-2)),
    ] {
        assert_eq!(fits(schema), value);
    }
}

#[test]
fn strings_satisfy_several_limits() {
    let schema = json!({
        "type": "string", "format": "date", "pattern": "^[a-c]+$", "minLength": 2,
        "allOf": [{"pattern": "^.{4}$"}, {"maxLength": 9}],
    });
    assert_eq!(fits(schema), json!("aaaa"));
    // Look-ahead is not written, but the result is checked against it.
    fits(json!({"type": "string", "pattern": "^x-.+"}));
    assert_eq!(
        fits(json!({"type": "string", "pattern": "^(?!\\s*$).+"})),
        json!("<string>")
    );
}

#[test]
fn arrays_have_their_required_items() {
    assert_eq!(
        fits(json!({"type": "array", "items": {"type": "boolean"}, "minItems": 30}))
            .as_array()
            .map(Vec::len),
        Some(30)
    );
    assert_eq!(
        fits(json!({"type": "array", "items": {"type": "string"}, "maxItems": 0})),
        json!([])
    );
    assert_eq!(
        fits(
            json!({"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 3, "uniqueItems": true})
        ),
        json!(["a", "b", "c"])
    );
    fits(
        json!({"type": "array", "uniqueItems": true, "minItems": 12, "items": {"type": "object", "required": ["n"], "properties": {"n": {"type": "string", "pattern": "^[0-9]{2}$"}}}}),
    );
    fits(
        json!({"type": "array", "uniqueItems": true, "minItems": 4, "items": {"type": "number", "minimum": 0, "maximum": 1}}),
    );
    fits(
        json!({"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 500}, "minItems": 2}),
    );
    assert_eq!(
        fits(
            json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false})
        ),
        json!(["<string>", 123])
    );
}

#[test]
fn objects_have_their_required_members() {
    let value = fits(
        json!({"type": "object", "minProperties": 3, "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}}),
    );
    assert_eq!(value, json!({"a": "<string>", "{key}": 123, "{key2}": 123}));
    fits(
        json!({"type": "object", "maxProperties": 1, "required": ["b"], "properties": {"a": {}, "b": {}, "c": {}}}),
    );
    fits(json!({"type": "object", "minProperties": 2, "propertyNames": {"pattern": "^x-[a-z]+$"}}));
    fits(
        json!({"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": false}),
    );
    assert_eq!(
        fits(
            json!({"type": "object", "dependentRequired": {"a": ["b"], "c": ["gone"]}, "required": ["a"], "properties": {"a": {"type": "integer"}, "c": {"type": "integer"}}})
        ),
        json!({"a": 123, "b": "<any>"})
    );
    // A member that one part declares and another one forbids.
    assert_eq!(
        fits(
            json!({"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false}, {"properties": {"b": {"type": "integer"}}}]})
        ),
        json!({"a": 123})
    );
    // An optional member without a matching value.
    assert_eq!(
        fits(
            json!({"type": "object", "properties": {"a": {"allOf": [{"type": "string"}, {"type": "integer"}]}, "b": {"type": "integer"}}})
        ),
        json!({"b": 123})
    );
}

#[test]
fn one_of_matches_exactly_one_alternative() {
    assert_eq!(
        fits(json!({"oneOf": [{"type": "string", "enum": ["a"]}, {"type": "string"}]})),
        json!("<string>")
    );
    let either = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]});
    assert_eq!(fits(either), json!({"a": 123}));
    let kinds = json!({
        "S": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
            "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}}},
        "Cat": {"type": "object", "required": ["kind", "lives"], "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
        "Dog": {"type": "object", "required": ["kind", "barks"], "properties": {"kind": {"type": "string"}, "barks": {"type": "boolean"}}},
    });
    assert_eq!(fitting(&kinds), json!({"kind": "cat", "lives": 123}));
}

#[test]
fn conditions_are_satisfied() {
    let schema = json!({
        "type": "object", "required": ["kind"],
        "properties": {"kind": {"type": "string", "enum": ["card", "cash"]}, "number": {"type": "string"}},
        "if": {"properties": {"kind": {"const": "cash"}}},
        "then": {"required": ["change"]}, "else": {"required": ["number"]},
    });
    fits(schema);
    assert_eq!(
        fits(json!({"type": "string", "not": {"const": "<string>"}})),
        json!("<string2>")
    );
    assert_eq!(
        fits(
            json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "not": {"required": ["a", "b"]}})
        ),
        json!({"a": 123})
    );
}

#[test]
fn recursion_ends_at_an_optional_member() {
    let list = json!({"S": {"type": "object", "required": ["next"], "properties": {
        "next": {"oneOf": [{"$ref": "#/components/schemas/S"}, {"type": "null"}]}}}});
    assert_eq!(fitting(&list), json!({"next": null}));
    // Only the third alternative of an expression terminates.
    let expression = json!({
        "S": {"anyOf": [{"$ref": "#/components/schemas/And"}, {"$ref": "#/components/schemas/Not"}, {"type": "boolean"}]},
        "And": {"type": "object", "required": ["all"], "properties": {"all": {"type": "array", "minItems": 2, "items": {"$ref": "#/components/schemas/S"}}}},
        "Not": {"type": "object", "required": ["not"], "properties": {"not": {"$ref": "#/components/schemas/And"}}},
    });
    assert_eq!(fitting(&expression), json!({"all": [true, true]}));
    let endless = json!({"S": {"type": "object", "required": ["me"], "properties": {"me": {"$ref": "#/components/schemas/S"}}}});
    assert!(made(&endless, Direction::Request).to_string().len() < 2_000);
    let optional = json!({
        "S": {"type": "object", "properties": {"a": {"type": "integer"}, "e": {"$ref": "#/components/schemas/E"}}},
        "E": {"type": "object", "required": ["me"], "properties": {"me": {"$ref": "#/components/schemas/E"}}},
    });
    assert_eq!(fitting(&optional), json!({"a": 123}));
}

#[test]
fn read_only_and_write_only_members_are_left_out_even_if_required() {
    let schemas = json!({"S": {"type": "object", "required": ["id", "pw"], "properties": {
        "id": {"type": "integer", "readOnly": true}, "pw": {"type": "string", "writeOnly": true}}}});
    assert_eq!(
        made(&schemas, Direction::Request),
        json!({"pw": "<string>"})
    );
    assert_eq!(made(&schemas, Direction::Response), json!({"id": 123}));
}

#[test]
fn large_schemas_show_what_is_required_and_then_the_upper_levels() {
    let mut schemas = serde_json::Map::new();
    for level in 0..8 {
        let mut properties = serde_json::Map::new();
        for n in 0..8 {
            properties.insert(
                format!("p{n}"),
                json!({"$ref": format!("#/components/schemas/L{}", level + 1)}),
            );
        }
        properties.insert("own".to_owned(), json!({"type": "integer"}));
        let name = if level == 0 {
            "S".to_owned()
        } else {
            format!("L{level}")
        };
        schemas.insert(
            name,
            json!({"type": "object", "required": ["p3"], "properties": properties}),
        );
    }
    schemas.insert("L8".to_owned(), json!({"type": "string"}));
    let value = fitting(&Value::Object(schemas));
    assert!(value.to_string().len() <= MAX_EXAMPLE_BYTES);
    assert_eq!(value.as_object().map(serde_json::Map::len), Some(9));
    assert_eq!(value.pointer(&"/p3".repeat(8)), Some(&json!("<string>")));
    assert!(value.pointer("/p0/own").is_some());
}

#[test]
fn hostile_schemas_end() {
    let wide: Vec<Value> = (0..400)
        .map(|n| json!({"$ref": format!("#/components/schemas/A{}", n % 40)}))
        .collect();
    let mut schemas = serde_json::Map::new();
    for n in 0..40 {
        schemas.insert(
            format!("A{n}"),
            json!({"oneOf": wide, "type": "object", "required": ["x"], "properties": {"x": {"anyOf": wide}}, "not": {"allOf": wide}}),
        );
    }
    schemas.insert(
        "S".to_owned(),
        json!({"allOf": [{"oneOf": wide}, {"oneOf": wide}, {"anyOf": wide}]}),
    );
    assert!(
        made(&Value::Object(schemas), Direction::Response)
            .to_string()
            .len()
            <= MAX_EXAMPLE_BYTES
    );
    // Nested choices.
    let mut chain = serde_json::Map::new();
    for n in 0..3_000 {
        let name = if n == 0 {
            "S".to_owned()
        } else {
            format!("C{n}")
        };
        chain.insert(name, json!({"oneOf": [{"$ref": format!("#/components/schemas/C{}", n + 1)}, {"type": "integer", "minimum": n}]}));
    }
    made(&Value::Object(chain), Direction::Request);
    let many = json!({"S": {"type": "array", "minItems": 1_000_000_000, "uniqueItems": true, "items": {"type": "string", "minLength": 1_000_000_000}}});
    assert!(made(&many, Direction::Request).to_string().len() <= MAX_EXAMPLE_BYTES);
}

#[test]
fn a_cached_example_equals_a_generated_one() {
    let schemas = json!({
        "S": {"type": "object", "properties": {"id": {"type": "integer", "readOnly": true}, "key": {"type": "string", "writeOnly": true}, "next": {"$ref": "#/components/schemas/S"}, "list": {"type": "array", "items": {"anyOf": [{"$ref": "#/components/schemas/Noted"}, {"type": "string"}]}}}},
        "Alias": {"$ref": "#/components/schemas/S"},
        "Noted": {"$ref": "#/components/schemas/S", "description": "An own one.", "example": {"id": 7}},
        "Round": {"$ref": "#/components/schemas/Round"},
        "Gone": {"$ref": "#/components/schemas/Nothing"},
    });
    let document = json!({
        "openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {},
        "components": {"schemas": schemas},
    });
    let read = crate::tests::document(&document.to_string());
    for _ in 0..3 {
        for name in ["S", "Alias", "Noted", "Round", "Gone"] {
            let schema = SchemaRef::new(format!("/components/schemas/{name}"));
            let node = read.schema_node(name).expect("it is declared");
            for direction in [Direction::Request, Direction::Response] {
                let made = example_at(&read, &schema, direction);
                assert_eq!(made, Some(example(&read, node, direction)), "{name}");
            }
        }
    }
    let nowhere = SchemaRef::new("/components/schemas/Nothing");
    assert_eq!(example_at(&read, &nowhere, Direction::Request), None);
}

#[test]
fn a_json_example_in_a_string_is_parsed() {
    let document = crate::tests::document(
        r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"post": {"requestBody": {"content": {
            "application/json": {"schema": {"type": "object"}, "example": "{\n \"a\": [1]}"},
            "application/b+json": {"schema": {"type": "string"}, "example": "{\"a\": 1}"},
            "application/c+json": {"examples": {"x": {"value": "[1, 2]"}, "y": {"value": "[broken"}}},
            "text/plain": {"example": "{\"a\": 1}"}}}, "responses": {}}}}}"#,
    );
    let body = document.operations[0].request_body.as_ref().unwrap();
    let of = |at: usize| -> Vec<Value> {
        let examples = crate::examples(&document, &body.content[at], Direction::Request);
        examples.into_iter().map(|example| example.value).collect()
    };
    assert_eq!(of(0), [json!({"a": [1]})]);
    assert_eq!(of(1), [json!("{\"a\": 1}")]);
    assert_eq!(of(2), [json!([1, 2]), json!("[broken")]);
    assert_eq!(of(3), [json!("{\"a\": 1}")]);
}
