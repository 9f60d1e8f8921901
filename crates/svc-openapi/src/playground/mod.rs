//! The description of an operation that a browser needs to call it: one JSON object.
//!
//! The schemas of parameters and bodies become a table. Equal schemas share a row, so recursive
//! ones end. The first row allows any value. The object is bounded by [`MAX_SPEC_BYTES`]: deep or
//! large parts are left out first, and their rows have `"cut": true`.

mod prefill;
mod security;
mod table;
mod text;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};
use svc_data::Node;

use crate::request::Style;
use crate::{ApiDocument, Body, Direction, Operation, Parameter, Server};
use crate::{example_at, examples, reference};
use table::SchemaTable;

/// Maximum size of the serialized object in bytes.
pub const MAX_SPEC_BYTES: usize = 256 * 1024;

/// Maximum number of servers, of variables of a server and of values of a variable.
const MAX_SERVERS: usize = 100;
/// Maximum number of parameters.
const MAX_PARAMETERS: usize = 300;
/// Maximum number of media types of a body or of all responses.
const MAX_MEDIA_TYPES: usize = 20;

/// Settings of the site for the playground.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlaygroundOptions {
    /// Whether fields start with the examples of the author (`api.examples.prefill`).
    pub prefill: bool,
    /// Names of the languages of code samples.
    pub languages: Vec<String>,
}

/// The description of an operation for the playground. The output is deterministic.
///
/// # Example
///
/// ```
/// use svc_openapi::{PlaygroundOptions, SourceFile, parse, playground_spec};
/// let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets": {"get": {}}}}"#;
/// let document = parse(&SourceFile::new("pets.json", text)).value.expect("it is an object");
/// let spec = playground_spec(&document, &document.operations[0], &PlaygroundOptions::default());
/// assert_eq!(spec["path"], "/pets");
/// ```
pub fn playground_spec(
    document: &ApiDocument,
    operation: &Operation,
    options: &PlaygroundOptions,
) -> Value {
    let mut share = 1;
    loop {
        let made = attempt(document, operation, options, share);
        // The last attempt contains only names.
        if share > 4_096 || made.to_string().len() <= MAX_SPEC_BYTES {
            return made;
        }
        share *= 8;
    }
}

/// Builds the object with a share of the usual limits.
fn attempt(
    document: &ApiDocument,
    operation: &Operation,
    options: &PlaygroundOptions,
    share: usize,
) -> Value {
    let mut maker = SpecBuilder {
        document,
        prefill: options.prefill,
        table: SchemaTable::new(document, 120_000 / share),
        example_bytes: 96_000 / share,
        share,
    };
    let shown = operation.parameters.iter().filter(|p| !p.ignored);
    let shown: Vec<&Parameter> = shown.take((MAX_PARAMETERS / share).max(1)).collect();
    // Rows first: bodies and parameters share the limit in turns, level by level.
    let rows: Vec<usize> = shown
        .iter()
        .map(|parameter| maker.row(parameter.schema.as_ref()))
        .collect();
    let body = operation.request_body.as_ref();
    let media_rows: Vec<usize> = body
        .into_iter()
        .flat_map(|body| body.content.iter().take(MAX_MEDIA_TYPES))
        .map(|media| maker.body_row(media))
        .collect();
    maker.table.fill();
    let parameters: Vec<Value> = shown
        .iter()
        .zip(rows)
        .map(|(parameter, row)| maker.parameter(parameter, row))
        .collect();
    let servers = document.servers_of(operation).iter().take(MAX_SERVERS);
    let mut out = Map::new();
    out.insert("method".into(), operation.method.to_uppercase().into());
    out.insert("path".into(), operation.path.as_str().into());
    out.insert(
        "servers".into(),
        servers.map(|s| server(s, share)).collect(),
    );
    out.insert("parameters".into(), parameters.into());
    if let Some(body) = body {
        out.insert("body".into(), maker.body(body, &media_rows));
    }
    out.insert("accept".into(), accepted(operation).into());
    out.insert(
        "security".into(),
        security::alternatives(document, operation, share),
    );
    out.insert("languages".into(), json!(options.languages));
    out.insert("schemas".into(), maker.table.into_rows().into());
    Value::Object(out)
}

/// Media types of the responses, those of successful ones first.
fn accepted(operation: &Operation) -> Vec<Value> {
    let good = |success: bool| {
        let responses = operation.responses.iter();
        responses.filter(move |response| response.status.starts_with('2') == success)
    };
    let mut names: Vec<&str> = Vec::new();
    for media in good(true).chain(good(false)).flat_map(|r| &r.content) {
        if names.len() < MAX_MEDIA_TYPES && !names.contains(&&*media.name) {
            names.push(&media.name);
        }
    }
    names.into_iter().map(Value::from).collect()
}

fn server(server: &Server, share: usize) -> Value {
    let variables = server.variables.iter().take(MAX_SERVERS / share.min(10));
    let variables: Map<String, Value> = variables
        .map(|variable| {
            let mut out = json!({ "default": variable.default });
            if !variable.values.is_empty() {
                let values = variable.values.iter().take(MAX_SERVERS);
                out["enum"] = values.map(String::as_str).collect();
            }
            let description = text::plain(variable.description.as_deref(), 300 / share);
            if !description.is_empty() {
                out["description"] = description.into();
            }
            (variable.name.clone(), out)
        })
        .collect();
    json!({
        "url": server.url,
        "description": text::plain(server.description.as_deref(), 300 / share),
        "variables": variables,
    })
}

/// Builds the parts that have schemas.
struct SpecBuilder<'a> {
    document: &'a ApiDocument,
    prefill: bool,
    table: SchemaTable<'a>,
    /// Remaining bytes for examples.
    example_bytes: usize,
    share: usize,
}

impl<'a> SpecBuilder<'a> {
    fn row(&mut self, schema: Option<&crate::SchemaRef>) -> usize {
        let node = schema.and_then(|source| self.document.node(source));
        node.map_or(0, |node| self.table.row(&[node]))
    }

    /// The row of a body. A body without a schema is a file, unless it is text or an example shows
    /// its type.
    fn body_row(&mut self, media: &crate::MediaType) -> usize {
        let row = self.row(media.schema.as_ref());
        let kind = media.name.split(';').next().unwrap_or_default().trim();
        let kind = kind.to_ascii_lowercase();
        let known = ["json", "xml", "yaml", "text/", "multipart/", "urlencoded"];
        let is_known = known.iter().any(|part| kind.contains(part));
        let written = examples(self.document, media, Direction::Request);
        if row != 0 || is_known || written.iter().any(|example| !example.generated) {
            return row;
        }
        self.table.file()
    }

    /// A value, if it is within the limit.
    fn fit(&mut self, value: Value) -> Option<Value> {
        let left = self
            .example_bytes
            .checked_sub(value.to_string().len() + 16)?;
        self.example_bytes = left;
        Some(value)
    }

    fn parameter(&mut self, parameter: &Parameter, row: usize) -> Value {
        let document = self.document;
        let style = parameter.style.as_deref().and_then(Style::from_name);
        let style = style.unwrap_or(Style::default_of(parameter.location));
        let source = document.node(&parameter.source);
        let empty = source.and_then(|source| source.get("allowEmptyValue")?.as_bool());
        let mut out = json!({
            "name": parameter.name,
            "in": parameter.location.as_str(),
            "style": style.as_str(),
            "explode": parameter.explode.unwrap_or(style.explodes()),
            "required": parameter.required,
            "schema": row,
        });
        let flags = [
            ("allowReserved", parameter.allow_reserved),
            ("allowEmptyValue", empty == Some(true)),
            ("deprecated", parameter.deprecated),
            ("wholeQuery", parameter.is_querystring),
        ];
        for (name, _) in flags.iter().filter(|(_, set)| *set) {
            out[*name] = true.into();
        }
        if let Some(media_type) = &parameter.media_type {
            out["contentType"] = media_type.as_str().into();
        }
        let described = text::plain(parameter.description.as_deref(), 600 / self.share);
        if !described.is_empty() {
            out["description"] = described.into();
        }
        let own = parameter.example.clone().filter(|_| self.prefill);
        let value = prefill::prefill_value(&self.table, row, false)
            .or(own)
            .or_else(|| prefill::prefill_value(&self.table, row, self.prefill));
        if let Some(value) = value.and_then(|value| self.fit(value)) {
            out["value"] = value;
        }
        let made = |at| example_at(document, at, Direction::Request);
        let shown = parameter
            .example
            .clone()
            .or_else(|| parameter.schema.as_ref().and_then(made));
        let shown = shown.filter(|value| !value.is_null());
        if let Some(value) = shown.and_then(|value| self.fit(value)) {
            out["placeholder"] = value;
        }
        out
    }

    fn body(&mut self, body: &Body, rows: &[usize]) -> Value {
        let content: Vec<Value> = body
            .content
            .iter()
            .zip(rows)
            .map(|(media, row)| self.media(media, *row))
            .collect();
        let mut out = json!({ "required": body.required, "content": content });
        let described = text::plain(body.description.as_deref(), 600 / self.share);
        if !described.is_empty() {
            out["description"] = described.into();
        }
        out
    }

    fn media(&mut self, media: &crate::MediaType, row: usize) -> Value {
        let document = self.document;
        let mut out = json!({ "type": media.name, "schema": row });
        let media_examples = examples(document, media, Direction::Request);
        let written = media_examples.first().filter(|first| !first.generated);
        let own = written.map(|first| first.value.clone());
        let marked = prefill::prefill_value(&self.table, row, false);
        let value = match own.filter(|_| self.prefill) {
            Some(own) => Some(prefill::overlay(own, marked)),
            None if self.prefill => prefill::prefill_value(&self.table, row, true),
            None => marked,
        };
        if let Some(value) = value.and_then(|value| self.fit(value)) {
            out["value"] = value;
        }
        let several = media_examples.len() > 1;
        let named: Vec<Value> = media_examples
            .into_iter()
            .enumerate()
            .filter_map(|(at, example)| {
                let value = self.fit(example.value)?;
                if at == 0 {
                    out["example"] = value.clone();
                }
                Some(json!({
                    "name": example.name,
                    "summary": text::plain(example.summary.as_deref(), 200),
                    "value": value,
                }))
            })
            .collect();
        if several {
            out["examples"] = named.into();
        }
        let encoding = document
            .node(&media.source)
            .and_then(|source| source.get("encoding")?.as_object());
        let encoding: Map<String, Value> = encoding
            .into_iter()
            .flat_map(|all| all.iter())
            .take(MAX_PARAMETERS / self.share.min(100))
            .map(|(name, node)| (name.to_owned(), encoded(document, node)))
            .collect();
        if !encoding.is_empty() {
            out["encoding"] = encoding.into();
        }
        out
    }
}

/// The encoding of a property of a form.
fn encoded(document: &ApiDocument, node: &Node) -> Value {
    let node = reference::resolve(&document.root, node);
    let mut out = Map::new();
    for key in ["contentType", "style"] {
        if let Some(value) = node.get(key).and_then(Node::as_str) {
            out.insert(key.into(), text::short(value, 300).into());
        }
    }
    for key in ["explode", "allowReserved"] {
        if let Some(flag) = node.get(key).and_then(Node::as_bool) {
            out.insert(key.into(), flag.into());
        }
    }
    Value::Object(out)
}
