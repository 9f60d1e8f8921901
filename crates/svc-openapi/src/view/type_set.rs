//! Sets of JSON types.

use serde_json::Value as Json;
use svc_data::Node;

/// Types as a bit set.
pub(crate) const NULL: u8 = 1;
pub(crate) const BOOLEAN: u8 = 2;
pub(crate) const INTEGER: u8 = 4;
pub(crate) const FRACTION: u8 = 8;
pub(crate) const STRING: u8 = 16;
pub(crate) const OBJECT: u8 = 32;
pub(crate) const ARRAY: u8 = 64;
pub(crate) const NUMBER: u8 = INTEGER | FRACTION;
pub(crate) const ALL: u8 = 127;

fn type_bits(name: &str) -> u8 {
    match name {
        "null" => NULL,
        "boolean" => BOOLEAN,
        "integer" => INTEGER,
        "number" => NUMBER,
        "string" | "file" => STRING,
        "object" => OBJECT,
        "array" => ARRAY,
        _ => 0,
    }
}

/// The types that a schema declares; None if it declares none.
pub(crate) fn stated_types(node: &Node) -> Option<u8> {
    node.get("type").and_then(types_in)
}

/// The types of a value of `type`.
pub(crate) fn types_in(stated: &Node) -> Option<u8> {
    let bits = match stated.as_array() {
        Some(items) => items
            .iter()
            .take(16)
            .filter_map(Node::as_str)
            .map(type_bits)
            .fold(0, |a, b| a | b),
        None => type_bits(stated.as_str()?),
    };
    (bits != 0).then_some(bits)
}

/// The type of a value.
pub(crate) fn type_of(value: &Json) -> u8 {
    match value {
        Json::Null => NULL,
        Json::Bool(_) => BOOLEAN,
        Json::Number(number) if number.as_f64().is_some_and(|n| n.fract() != 0.0) => FRACTION,
        Json::Number(_) => INTEGER,
        Json::String(_) => STRING,
        Json::Array(_) => ARRAY,
        Json::Object(_) => OBJECT,
    }
}

/// The type that keywords other than `type` imply; all types if they imply none or several.
pub(crate) fn suggested(has: impl Fn(&[&'static str]) -> bool) -> u8 {
    let mut types = 0;
    if has(&[
        "properties",
        "additionalProperties",
        "patternProperties",
        "minProperties",
    ]) {
        types |= OBJECT;
    }
    if has(&[
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "uniqueItems",
    ]) {
        types |= ARRAY;
    }
    if has(&[
        "minLength",
        "maxLength",
        "pattern",
        "contentMediaType",
        "contentEncoding",
    ]) {
        types |= STRING;
    }
    if has(&["minimum", "maximum", "multipleOf"]) {
        types |= NUMBER;
    }
    if matches!(types, OBJECT | ARRAY | STRING | NUMBER) {
        types
    } else {
        ALL
    }
}

/// Whether a schema allows only `null`.
pub(crate) fn is_null(node: &Node) -> bool {
    let single = |key: &str| match node.get(key).map(|list| (list, list.as_array())) {
        Some((_, Some([only]))) => Some(only),
        Some((value, None)) => Some(value),
        _ => None,
    };
    single("type").is_some_and(|kind| kind.as_str() == Some("null"))
        || node
            .get("enum")
            .is_some_and(|_| single("enum").is_some_and(Node::is_null))
        || node.get("const").is_some_and(Node::is_null)
}
