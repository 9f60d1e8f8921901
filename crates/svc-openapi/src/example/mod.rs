//! Example values: those of the author, or else generated from the schema.
//!
//! A value is generated from the schemas of the document, not from a view of limited depth:
//! [`traversal`] collects the parts that apply together, [`builder`] makes the choices and builds a
//! value of the right type, [`check`] decides which alternative a value matches, [`min_depth`]
//! where a recursive schema ends; [`memo`] caches the results.

mod array;
mod builder;
mod check;
mod memo;
mod min_depth;
mod number;
mod object;
mod pattern;
mod shape;
mod size;
mod string;
#[cfg(test)]
mod tests;
mod traversal;

use std::borrow::Cow;

use serde_json::Value as Json;
use svc_data::{Node, at_pointer};

use crate::weight::bounded_json;
use crate::{
    ApiDocument, Direction, MAX_DEPTH, MAX_EXAMPLE_BYTES, MediaType, NamedExample, SchemaRef,
    reference,
};
use builder::{ExampleBuilder, Limits};
pub(crate) use check::{Check, Mismatch};
pub(crate) use memo::Memo;

/// Maximum number of values of an example with optional parts.
const MAX_VALUES: usize = 1_200;

/// Depths of optional properties that are tried in turn while the example is within the limits.
const DEPTHS: [usize; 7] = [0, 1, 2, 3, 4, 6, MAX_DEPTH];

/// An example that took fewer steps is not cached, because generating it is faster than the lookup.
const MIN_CACHED_STEPS: usize = 60;

/// Maximum number of named examples of a media type.
const MAX_NAMED: usize = 50;

/// An example of a schema: the `example`, `examples`, `default` or `const` of the author if there
/// is one, or else a value of the right type. The result is deterministic: the first alternative is
/// used, arrays have one item, and objects have all properties.
///
/// # Example
///
/// ```
/// # use svc_openapi::{SourceFile, parse};
/// # let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}, "components": {"schemas": {
/// #     "Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 9}}}}}}"#;
/// # let document = parse(&SourceFile::new("pets.json", text)).value.expect("it is an object");
/// use svc_openapi::{Direction, SchemaRef, example, example_at};
/// let node = document.schema_node("Pet").expect("it exists");
/// let value = example(&document, node, Direction::Request);
/// assert!(value["name"].is_string());
/// let location = SchemaRef::new("/components/schemas/Pet");
/// assert_eq!(example_at(&document, &location, Direction::Request), Some(value));
/// ```
pub fn example(document: &ApiDocument, node: &Node, direction: Direction) -> Json {
    make(document, node, direction).0
}

/// Like [`example`], for a location in the document; the result is cached with the document. None
/// if there is no schema at the location.
///
/// Example: [`example`](crate::example#example).
pub fn example_at(
    document: &ApiDocument,
    schema_ref: &SchemaRef,
    direction: Direction,
) -> Option<Json> {
    let (pointer, node) = end(document, schema_ref.pointer())?;
    if let Some(cached) = document.memo.get(&document.root, &pointer, direction) {
        return Some(cached);
    }
    let (value, steps) = make(document, node, direction);
    if steps >= MIN_CACHED_STEPS {
        document
            .memo
            .insert(&document.root, &pointer, direction, &value);
    }
    Some(value)
}

/// The location at the end of a chain of references without sibling keys.
fn end<'a>(document: &'a ApiDocument, pointer: &'a str) -> Option<(Cow<'a, str>, &'a Node)> {
    let mut now = (Cow::Borrowed(pointer), at_pointer(&document.root, pointer)?);
    for _ in 0..reference::MAX_HOPS {
        let bare = now.1.as_object().is_some_and(|object| object.len() == 1);
        let next = reference::of(now.1)
            .filter(|_| bare)
            .and_then(|next| reference::target(&document.root, next).ok());
        match next {
            Some((node, pointer)) => now = (pointer, node),
            None => break,
        }
    }
    Some(now)
}

/// Generates an example and returns the number of steps.
fn make(document: &ApiDocument, node: &Node, direction: Direction) -> (Json, usize) {
    let mut maker = ExampleBuilder::new(document, direction);
    let mut best = maker.attempt(
        node,
        Limits {
            depth: 0,
            bytes: MAX_EXAMPLE_BYTES,
            values: 8 * MAX_VALUES,
        },
    );
    for depth in DEPTHS.into_iter().skip(1) {
        if maker.spent || !maker.cut {
            break;
        }
        let limits = Limits {
            depth,
            bytes: MAX_EXAMPLE_BYTES / 2,
            values: MAX_VALUES,
        };
        let next = maker.attempt(node, limits);
        if !maker.spent && (next.sound || !best.sound) {
            best = next;
        }
    }
    (best.value, maker.check.steps_taken())
}

/// The examples of a media type: those of the author, or else one generated from the schema. Empty
/// if there is neither an example nor a schema.
///
/// Example: [`example`](crate::example#example).
pub fn examples(
    document: &ApiDocument,
    media_type: &MediaType,
    direction: Direction,
) -> Vec<NamedExample> {
    let Some(source) = document.node(&media_type.source) else {
        return Vec::new();
    };
    let mut examples = written(document, source);
    for example in &mut examples {
        example.value = read(document, media_type, std::mem::take(&mut example.value));
    }
    if examples.is_empty()
        && let Some(made) = media_type
            .schema
            .as_ref()
            .and_then(|schema| example_at(document, schema, direction))
    {
        examples.push(unnamed(made, true));
    }
    examples
}

/// The examples that the author wrote for a parameter or a header: its own, or else those of its
/// media type.
///
/// Example: [`example`](crate::example#example).
pub fn written_examples(document: &ApiDocument, source: &SchemaRef) -> Vec<NamedExample> {
    let Some(source) = document.node(source) else {
        return Vec::new();
    };
    let own = written(document, source);
    if !own.is_empty() {
        return own;
    }
    let content = source.get("content").and_then(Node::as_object);
    let first = content.and_then(|content| content.iter().next());
    first.map_or_else(Vec::new, |(_, media_type)| {
        written(document, document.resolve(media_type))
    })
}

const fn unnamed(value: Json, generated: bool) -> NamedExample {
    NamedExample {
        name: String::new(),
        summary: None,
        description: None,
        value,
        generated,
    }
}

/// `examples` of an object of the document, or else its `example`.
fn written(document: &ApiDocument, source: &Node) -> Vec<NamedExample> {
    let mut examples = Vec::new();
    let named = source.get("examples").and_then(Node::as_object);
    for (name, node) in named
        .into_iter()
        .flat_map(|named| named.iter())
        .take(MAX_NAMED)
    {
        let node = reference::resolve(&document.root, node);
        let Some(value) = node.get("value").or_else(|| node.get("dataValue")) else {
            continue;
        };
        let text = |key: &str| node.get(key).and_then(Node::as_str).map(str::to_owned);
        if let Some(value) = bounded_json(value) {
            examples.push(NamedExample {
                name: name.to_owned(),
                summary: text("summary"),
                description: text("description"),
                value,
                generated: false,
            });
        }
    }
    if !examples.is_empty() {
        return examples;
    }
    let written = source.get("example").or_else(|| {
        source
            .get("examples")
            .and_then(Node::as_array)
            .and_then(<[Node]>::first)
    });
    examples.extend(
        written
            .and_then(bounded_json)
            .map(|value| unnamed(value, false)),
    );
    examples
}

/// Parses an example of a JSON body that the author wrote as a string, unless the body is a string.
fn read(document: &ApiDocument, media_type: &MediaType, value: Json) -> Json {
    let Json::String(text) = &value else {
        return value;
    };
    if !media_type.is_json() || !text.trim_start().starts_with(['{', '[']) {
        return value;
    }
    let node = media_type.schema.as_ref().and_then(|at| document.node(at));
    let is_text = node.is_some_and(|node| {
        let view = crate::schema_view(document, node, Direction::Response, 1);
        matches!(view.base, crate::Kind::String | crate::Kind::File)
    });
    let parsed = (!is_text)
        .then(|| serde_json::from_str(text).ok())
        .flatten();
    parsed.unwrap_or(value)
}
