//! Schemas of Swagger 2.0 and OpenAPI 3.0 as JSON Schema 2020-12.

use svc_data::{Node, Value};

use super::build::{change_values, object, rename_key, string};
use super::swagger::Names;

/// The dialect that a schema is converted from.
pub(super) enum Dialect<'a> {
    /// OpenAPI 3.0.
    OpenApi,
    /// Swagger 2.0, with the names that references have in the result.
    Swagger(&'a Names),
}

/// Keywords with one schema or a list of schemas.
const SCHEMAS: [&str; 6] = [
    "items",
    "additionalProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
];
/// Keywords with schemas by name.
const SCHEMA_MAPS: [&str; 3] = ["properties", "patternProperties", "definitions"];

/// Converts a schema and all schemas in it. The depth is limited by the parser.
pub(super) fn upgrade_schema(schema: &mut Node, dialect: &Dialect<'_>) {
    if let Value::Array(items) = &mut schema.value {
        for item in items {
            upgrade_schema(item, dialect);
        }
        return;
    }
    let Some(members) = schema.as_map_mut() else {
        return;
    };
    for key in SCHEMAS {
        if let Some(member) = members.get_mut(key) {
            upgrade_schema(&mut member.value, dialect);
        }
    }
    for key in SCHEMA_MAPS {
        if let Some(member) = members.get_mut(key) {
            change_values(&mut member.value, |value| upgrade_schema(value, dialect));
        }
    }
    if let Dialect::Swagger(names) = dialect {
        from_swagger(schema, names);
    }
    limit(schema, "minimum", "exclusiveMinimum");
    limit(schema, "maximum", "exclusiveMaximum");
    example(schema);
    nullable(schema);
}

fn from_swagger(schema: &mut Node, names: &Names) {
    let Some(members) = schema.as_map_mut() else {
        return;
    };
    if let Some(reference) = members.get_mut("$ref")
        && let Some(new) = reference
            .value
            .as_str()
            .and_then(|text| names.reference(text))
    {
        reference.value = string(new, reference.value.span);
    }
    if let Some(discriminator) = members.get_mut("discriminator")
        && let Value::String(name) = &discriminator.value.value
    {
        let span = discriminator.value.span;
        let name = string(name.clone(), span);
        discriminator.value = object(span, [("propertyName", name)]);
    }
    if let Some(kind) = members.get_mut("type")
        && kind.value.as_str() == Some("file")
    {
        let span = kind.value.span;
        kind.value = string("string", span);
        super::build::insert(schema, "format", string("binary", span));
    }
    if schema.get("x-nullable").is_some() && schema.get("nullable").is_none() {
        rename_key(schema, "x-nullable", "nullable");
    }
}

/// `exclusiveMinimum: true` next to `minimum` is a number in version 3.1.
fn limit(schema: &mut Node, bound: &str, exclusive: &str) {
    let Some(is_exclusive) = schema.get(exclusive).and_then(Node::as_bool) else {
        return;
    };
    if let Some(members) = schema.as_map_mut() {
        members.remove(exclusive);
    }
    if is_exclusive && schema.get(bound).is_some() {
        rename_key(schema, bound, exclusive);
    }
}

/// `example` becomes the only item of `examples`.
fn example(schema: &mut Node) {
    if schema.get("examples").is_some() || schema.get("example").is_none() {
        return;
    }
    rename_key(schema, "example", "examples");
    if let Some(member) = schema
        .as_map_mut()
        .and_then(|members| members.get_mut("examples"))
    {
        let example = std::mem::take(&mut member.value);
        member.value = Node::new(example.span, Value::Array(vec![example]));
    }
}

/// `nullable` becomes a type.
fn nullable(schema: &mut Node) {
    let Some(flag) = schema.get("nullable") else {
        return;
    };
    let (is_nullable, span) = (flag.as_bool() == Some(true), flag.span);
    let Some(members) = schema.as_map_mut() else {
        return;
    };
    members.remove("nullable");
    if !is_nullable {
        return;
    }
    let null = || string("null", span);
    let null_schema = || object(span, [("type", null())]);
    if let Some(kind) = members.get_mut("type") {
        let types = match std::mem::take(&mut kind.value) {
            Node {
                value: Value::Array(mut types),
                ..
            } => {
                if !types.iter().any(|name| name.as_str() == Some("null")) {
                    types.push(null());
                }
                types
            }
            name => vec![name, null()],
        };
        kind.value = Node::new(span, Value::Array(types));
        return;
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(member) = members.get_mut(key)
            && let Value::Array(variants) = &mut member.value.value
        {
            variants.push(null_schema());
            return;
        }
    }
    // Without a type, only the combination with null says the same.
    for key in ["$ref", "allOf"] {
        if let Some(member) = members.get_mut(key) {
            let value = std::mem::take(&mut member.value);
            let inner = object(value.span, [(key, value)]);
            member.value = Node::new(span, Value::Array(vec![inner, null_schema()]));
            rename_key(schema, key, "anyOf");
            return;
        }
    }
}
