//! Example values: the author's, else made from the schema.

use serde_json::Value as Json;
use svc_data::Node;

use crate::view::bounded_json;
use crate::{
    ApiDocument, Direction, Kind, MAX_DEPTH, MediaType, NamedExample, SchemaView, reference,
    schema_view,
};

/// Size of an example, serialised, at most.
pub const EXAMPLE_BYTES: usize = 64 * 1024;

/// Named examples of one media type at most.
const NAMED: usize = 50;

/// An example of a schema: the author's `example`, `examples`, `default` or `const` where there is
/// one, else a value of the right type; the same every time. Of alternatives the first is taken,
/// arrays have one item, objects all properties.
pub fn example(document: &ApiDocument, node: &Node, direction: Direction) -> Json {
    example_of_view(&schema_view(document, node, direction, MAX_DEPTH))
}

/// An example of a schema whose view is at hand.
pub fn example_of_view(view: &SchemaView) -> Json {
    let mut left = EXAMPLE_BYTES / 2;
    build(view, &mut left, 0).unwrap_or(Json::Null)
}

/// The examples of a media type: the author's, else one made from the schema. Empty when there is
/// neither an example nor a schema.
pub fn examples(
    document: &ApiDocument,
    media_type: &MediaType,
    direction: Direction,
) -> Vec<NamedExample> {
    let mut found = Vec::new();
    let Some(source) = document.node(&media_type.source) else {
        return found;
    };
    let named = source.get("examples").and_then(Node::as_object);
    for (name, node) in named.into_iter().flat_map(|named| named.iter()).take(NAMED) {
        let node = reference::resolve(&document.root, node);
        let Some(value) = node.get("value").or_else(|| node.get("dataValue")) else {
            continue;
        };
        let text = |key: &str| node.get(key).and_then(Node::as_str).map(str::to_owned);
        if let Some(value) = bounded_json(value) {
            found.push(NamedExample {
                name: name.to_owned(),
                summary: text("summary"),
                description: text("description"),
                value,
                generated: false,
            });
        }
    }
    if !found.is_empty() {
        return found;
    }
    let unnamed = |value: Json, generated: bool| NamedExample {
        name: String::new(),
        summary: None,
        description: None,
        value,
        generated,
    };
    let written = source.get("example").or_else(|| {
        source
            .get("examples")
            .and_then(Node::as_array)
            .and_then(<[Node]>::first)
    });
    if let Some(value) = written.and_then(bounded_json) {
        found.push(unnamed(value, false));
    } else if let Some(schema) = media_type
        .schema
        .as_ref()
        .and_then(|place| document.node(place))
    {
        found.push(unnamed(example(document, schema, direction), true));
    }
    found
}

/// `None` when the size left is not enough.
fn build(view: &SchemaView, left: &mut usize, depth: usize) -> Option<Json> {
    let written = view
        .example
        .as_ref()
        .or(view.default.as_ref())
        .or(view.constant.as_ref());
    if let Some(value) = written
        && fits(value, left)
    {
        return Some(value.clone());
    }
    if let Some(first) = view.enum_values.first()
        && fits(first, left)
    {
        return Some(first.clone());
    }
    *left = left.checked_sub(8)?;
    if depth > 4 * MAX_DEPTH {
        return None;
    }
    let first = view
        .variants
        .iter()
        .find(|variant| variant.schema.base != Kind::Never);
    let is_object = view.base == Kind::Object
        || (!view.properties.is_empty() && matches!(view.base, Kind::Any | Kind::Union));
    if is_object {
        return Some(object(view, left, depth));
    }
    if let Some(variant) = first {
        return build(&variant.schema, left, depth + 1);
    }
    Some(match view.base {
        Kind::Array => array(view, left, depth),
        Kind::Null | Kind::Never => Json::Null,
        Kind::Boolean => true.into(),
        Kind::Integer => number(view, true),
        Kind::Number => number(view, false),
        Kind::String => string(view, left)?,
        Kind::File => "<file>".into(),
        Kind::Union => union(view, left)?,
        Kind::Any | Kind::Object => "<any>".into(),
    })
}

fn object(view: &SchemaView, left: &mut usize, depth: usize) -> Json {
    let mut members = serde_json::Map::new();
    if view.recursive.is_some() && view.properties.is_empty() {
        return Json::Object(members);
    }
    for property in &view.properties {
        // What contains the object itself is left out where it may be.
        let endless = property.schema.recursive.is_some() && !property.required;
        let Some(rest) = left
            .checked_sub(property.name.len() + 8)
            .filter(|_| !endless)
        else {
            continue;
        };
        *left = rest;
        match build(&property.schema, left, depth + 1) {
            Some(value) => {
                members.insert(property.name.clone(), value);
            }
            None => break,
        }
    }
    if let Some(additional) = view.additional.as_ref().filter(|_| members.is_empty())
        && let Some(value) = build(additional, left, depth + 1)
    {
        members.insert("{key}".to_owned(), value);
    }
    let sets = std::iter::once(&view.variants).chain(&view.further_variants);
    for variant in sets.filter_map(|set| set.first()) {
        let Some(Json::Object(more)) = build(&variant.schema, left, depth + 1) else {
            continue;
        };
        for (key, value) in more {
            members.entry(key).or_insert(value);
        }
        if let (Some(name), Some(value)) = (&view.discriminator, &variant.discriminator_value) {
            let plain = view.property(name).is_none_or(|property| {
                property.schema.base == Kind::String && property.schema.enum_values.is_empty()
            });
            let own = variant.schema.property(name).is_some();
            if plain && !own {
                members.insert(name.clone(), value.as_str().into());
            }
        }
    }
    Json::Object(members)
}

fn array(view: &SchemaView, left: &mut usize, depth: usize) -> Json {
    let mut items = Vec::new();
    for item in &view.prefix_items {
        items.extend(build(item, left, depth + 1));
    }
    if let Some(item) = view
        .items
        .as_ref()
        .filter(|item| items.is_empty() && item.recursive.is_none())
    {
        items.extend(build(item, left, depth + 1));
    }
    Json::Array(items)
}

fn union(view: &SchemaView, left: &mut usize) -> Option<Json> {
    // Without variants a union is a list of types: `integer | string`.
    Some(match view.kind.split(" | ").next().unwrap_or("") {
        "boolean" => true.into(),
        "integer" => number(view, true),
        "number" => number(view, false),
        "string" => string(view, left)?,
        "object" => Json::Object(serde_json::Map::new()),
        "array" => Json::Array(Vec::new()),
        _ => "<any>".into(),
    })
}

/// Between the limits where there are two, beside the limit where there is one, else 123.
fn number(view: &SchemaView, integer: bool) -> Json {
    let bound = |keyword: &str| {
        view.constraint(keyword)
            .and_then(|value| value.parse::<f64>().ok())
    };
    let low = bound("minimum").or_else(|| bound("exclusiveMinimum"));
    let high = bound("maximum").or_else(|| bound("exclusiveMaximum"));
    let value = match (low, high) {
        (Some(low), Some(high)) => low / 2.0 + high / 2.0,
        (Some(low), None) => low + 1.0,
        (None, Some(high)) if high <= 123.0 => high - 1.0,
        _ => 123.0,
    };
    let whole = if integer {
        value.floor().max(low.unwrap_or(f64::MIN).ceil())
    } else {
        value
    };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be whole and small"
    )]
    if whole.fract() == 0.0 && whole.abs() < 9.0e15 {
        Json::from(whole as i64)
    } else {
        serde_json::Number::from_f64(whole).map_or_else(|| 123.into(), Json::Number)
    }
}

fn string(view: &SchemaView, left: &mut usize) -> Option<Json> {
    let text = match view.format.as_deref().unwrap_or("") {
        "date" => "2023-12-25",
        "date-time" => "2023-11-07T05:31:56Z",
        "email" => "jsmith@example.com",
        "uuid" => "3c90c3cc-0d44-4b50-8888-8dd25736052a",
        "ipv4" => "127.0.0.1",
        "ipv6" => "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
        "byte" => "ZXhhbXBsZSBkYXRh",
        _ => "<string>",
    };
    *left = left.checked_sub(text.len())?;
    Some(text.into())
}

/// Takes the size of a written value; false when it does not fit.
fn fits(value: &Json, left: &mut usize) -> bool {
    fn size(value: &Json, left: &mut usize) -> bool {
        let own = match value {
            Json::Null | Json::Bool(_) => 5,
            Json::Number(_) => 12,
            Json::String(text) => {
                let escaped = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\');
                text.len() + 4 + 5 * text.bytes().filter(|byte| escaped(byte)).count()
            }
            Json::Array(items) => {
                return items.iter().all(|item| size(item, left)) && take(left, 4);
            }
            Json::Object(members) => {
                return members
                    .iter()
                    .all(|(key, value)| take(left, key.len() + 6) && size(value, left))
                    && take(left, 4);
            }
        };
        take(left, own)
    }
    fn take(left: &mut usize, bytes: usize) -> bool {
        left.checked_sub(bytes).is_some_and(|rest| {
            *left = rest;
            true
        })
    }
    let mut rest = *left;
    let enough = size(value, &mut rest);
    if enough {
        *left = rest;
    }
    enough
}
