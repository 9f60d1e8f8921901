//! An example value as XML: OAS 3.1.2 "XML Object".

use std::fmt::Write as _;

use serde_json::Value;
use svc_data::Node;

use super::style::text_of;
use crate::ApiDocument;

/// Elements inside each other at most.
const MAX_DEPTH: usize = 64;

/// The document. Names, attributes, wrappers and prefixes come from `xml` of the schemas; the root
/// is named by its schema, else by the component it refers to.
pub(super) fn text(document: &ApiDocument, schema: Option<&Node>, value: &Value) -> String {
    let component = schema
        .and_then(|schema| schema.get("$ref")?.as_str())
        .and_then(|reference| reference.rsplit('/').next());
    let schema = schema.map(|schema| document.resolve(schema));
    let name = own_name(schema).unwrap_or_else(|| component.unwrap_or("root").to_owned());
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    match value {
        // A list has no name of its own for what it holds.
        Value::Array(_) => list(document, schema, &name, value, 0, &mut out),
        value => element(document, schema, &name, value, 0, &mut out),
    }
    out.truncate(out.trim_end().len());
    out
}

fn xml<'n>(schema: Option<&'n Node>, key: &str) -> Option<&'n Node> {
    schema?.get("xml")?.get(key)
}

fn is(schema: Option<&Node>, key: &str) -> bool {
    xml(schema, key).and_then(Node::as_bool) == Some(true)
}

/// `prefix:name`, where a name is written.
fn own_name(schema: Option<&Node>) -> Option<String> {
    let name = xml(schema, "name")?.as_str()?;
    Some(prefixed(schema, name))
}

fn prefixed(schema: Option<&Node>, name: &str) -> String {
    match xml(schema, "prefix").and_then(Node::as_str) {
        Some(prefix) => format!("{prefix}:{name}"),
        None => name.to_owned(),
    }
}

fn element(
    document: &ApiDocument,
    schema: Option<&Node>,
    name: &str,
    value: &Value,
    depth: usize,
    out: &mut String,
) {
    let indent = "  ".repeat(depth.min(MAX_DEPTH));
    let name = safe(name);
    // Writing to a String cannot fail.
    let _ = write!(out, "{indent}<{name}");
    if let Some(namespace) = xml(schema, "namespace").and_then(Node::as_str) {
        let prefix = xml(schema, "prefix").and_then(Node::as_str);
        let attribute = prefix.map_or("xmlns".to_owned(), |prefix| {
            format!("xmlns:{}", safe(prefix))
        });
        let _ = write!(out, " {attribute}=\"{}\"", escaped(namespace));
    }
    let property = |name: &str| {
        let found = schema?.get("properties")?.get(name)?;
        Some(document.resolve(found))
    };
    let members: Vec<(String, Option<&Node>, &Value)> = value
        .as_object()
        .into_iter()
        .flatten()
        .filter(|_| depth < MAX_DEPTH)
        .map(|(name, value)| {
            let schema = property(name);
            let shown = own_name(schema).unwrap_or_else(|| prefixed(schema, name));
            (shown, schema, value)
        })
        .collect();
    for (name, _, value) in members
        .iter()
        .filter(|(_, schema, _)| is(*schema, "attribute"))
    {
        let _ = write!(out, " {}=\"{}\"", safe(name), escaped(&text_of(value)));
    }
    let mut inner = String::new();
    for (name, schema, value) in members
        .iter()
        .filter(|(_, schema, _)| !is(*schema, "attribute"))
    {
        if value.is_array() {
            list(document, *schema, name, value, depth + 1, &mut inner);
        } else {
            element(document, *schema, name, value, depth + 1, &mut inner);
        }
    }
    let text = match value {
        Value::Object(_) | Value::Null => String::new(),
        scalar => escaped(&text_of(scalar)),
    };
    let _ = if !inner.is_empty() {
        writeln!(out, ">\n{inner}{indent}</{name}>")
    } else if text.is_empty() {
        writeln!(out, "/>")
    } else {
        writeln!(out, ">{text}</{name}>")
    };
}

/// An array: its items under their own or its name, in a wrapper where one is asked for.
fn list(
    document: &ApiDocument,
    schema: Option<&Node>,
    name: &str,
    value: &Value,
    depth: usize,
    out: &mut String,
) {
    let items = schema.and_then(|schema| schema.get("items"));
    let items = items.map(|items| document.resolve(items));
    let item_name = own_name(items).unwrap_or_else(|| name.to_owned());
    let wrapped = is(schema, "wrapped") || depth == 0;
    let inside = depth + usize::from(wrapped);
    let indent = "  ".repeat(depth.min(MAX_DEPTH));
    let wrapper = safe(name);
    // Writing to a String cannot fail.
    if wrapped {
        let _ = writeln!(out, "{indent}<{wrapper}>");
    }
    for item in value.as_array().into_iter().flatten() {
        if depth < MAX_DEPTH {
            element(document, items, &item_name, item, inside, out);
        }
    }
    if wrapped {
        let _ = writeln!(out, "{indent}</{wrapper}>");
    }
}

/// A name that is one in XML.
fn safe(name: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || "-_.:".contains(c);
    let mut safe: String = name
        .chars()
        .map(|c| if fits(c) { c } else { '_' })
        .collect();
    if !safe.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        safe.insert(0, '_');
    }
    safe
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
