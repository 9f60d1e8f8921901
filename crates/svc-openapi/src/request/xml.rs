//! Example values as XML: OAS 3.1.2 "XML Object".

use std::fmt::Write as _;

use serde_json::Value;
use svc_data::Node;

use super::style::text_of;
use crate::view::{Level, Levels};

/// Maximum depth of nested elements.
const MAX_DEPTH: usize = 64;

/// The schema of a value, if there is one.
type Schema<'d> = Option<Level<'d>>;

/// Renders an XML document. Names, attributes, wrappers and prefixes come from `xml` of the
/// schemas; the name of the root from its schema, or else from the component that it refers to.
pub(super) fn text<'d>(levels: &mut Levels<'d>, schema: Option<&'d Node>, value: &Value) -> String {
    let schema = schema.map(|schema| levels.level(&[schema]));
    let component = schema.as_ref().and_then(|own| own.view.ref_name.clone());
    let name = own_name(&schema).or(component);
    let name = name.unwrap_or_else(|| "root".to_owned());
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    match value {
        // An array has no element name for its items.
        Value::Array(_) => list(levels, &schema, &name, value, 0, &mut out),
        value => element(levels, &schema, &name, value, 0, &mut out),
    }
    out.truncate(out.trim_end().len());
    out
}

fn xml_flag(schema: &Schema<'_>, key: &str) -> bool {
    let own = schema.as_ref().and_then(|own| own.xml(key));
    own.and_then(Node::as_bool) == Some(true)
}

fn xml_text<'d>(schema: &Schema<'d>, key: &str) -> Option<&'d str> {
    schema.as_ref()?.xml(key)?.as_str()
}

/// `prefix:name`, if a name is set.
fn own_name(schema: &Schema<'_>) -> Option<String> {
    Some(prefixed(schema, xml_text(schema, "name")?))
}

fn prefixed(schema: &Schema<'_>, name: &str) -> String {
    match xml_text(schema, "prefix") {
        Some(prefix) => format!("{prefix}:{name}"),
        None => name.to_owned(),
    }
}

fn element<'d>(
    levels: &mut Levels<'d>,
    schema: &Schema<'d>,
    name: &str,
    value: &Value,
    depth: usize,
    out: &mut String,
) {
    let indent = "  ".repeat(depth.min(MAX_DEPTH));
    let name = safe(name);
    // Writing to a String cannot fail.
    let _ = write!(out, "{indent}<{name}");
    if let Some(namespace) = xml_text(schema, "namespace") {
        let attribute = xml_text(schema, "prefix").map_or("xmlns".to_owned(), |prefix| {
            format!("xmlns:{}", safe(prefix))
        });
        let _ = write!(out, " {attribute}=\"{}\"", escaped(namespace));
    }
    let mut members: Vec<(String, Schema<'d>, &Value)> = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        if depth >= MAX_DEPTH {
            break;
        }
        let properties = schema.iter().flat_map(|own| &own.properties);
        let seeds = properties
            .filter(|(other, _)| other == name)
            .map(|(_, seeds)| seeds)
            .next();
        let schema = seeds.map(|seeds| levels.level(seeds));
        let shown = own_name(&schema).unwrap_or_else(|| prefixed(&schema, name));
        members.push((shown, schema, value));
    }
    let (attributes, elements): (Vec<_>, Vec<_>) = members
        .into_iter()
        .partition(|(_, schema, _)| xml_flag(schema, "attribute"));
    for (name, _, value) in attributes {
        let _ = write!(out, " {}=\"{}\"", safe(&name), escaped(&text_of(value)));
    }
    let mut inner = String::new();
    for (name, schema, value) in elements {
        if value.is_array() {
            list(levels, &schema, &name, value, depth + 1, &mut inner);
        } else {
            element(levels, &schema, &name, value, depth + 1, &mut inner);
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

/// Writes an array: its items under their own name or that of the array, in a wrapper if one is
/// requested.
fn list<'d>(
    levels: &mut Levels<'d>,
    schema: &Schema<'d>,
    name: &str,
    value: &Value,
    depth: usize,
    out: &mut String,
) {
    let items = schema.as_ref().map(|own| own.items.as_slice());
    let items = items.filter(|items| !items.is_empty());
    let items = items.map(|items| levels.level(items));
    let item_name = own_name(&items).unwrap_or_else(|| name.to_owned());
    let wrapped = xml_flag(schema, "wrapped") || depth == 0;
    let inside = depth + usize::from(wrapped);
    let indent = "  ".repeat(depth.min(MAX_DEPTH));
    let wrapper = safe(name);
    // Writing to a String cannot fail.
    if wrapped {
        let _ = writeln!(out, "{indent}<{wrapper}>");
    }
    for item in value.as_array().into_iter().flatten() {
        if depth < MAX_DEPTH {
            element(levels, &items, &item_name, item, inside, out);
        }
    }
    if wrapped {
        let _ = writeln!(out, "{indent}</{wrapper}>");
    }
}

/// Converts a text to a valid XML name.
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
