//! Conversion of input values to a request: OAS 3.1.2 "Parameter Object", "Media Type Object",
//! "Encoding Object", "Security Scheme Object".

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use svc_data::Node;

use super::inputs::{ENCODED_PASSWORD, PASSWORD};
use super::json;
use super::style::text_of;
use super::{Content, EncodeSet, Inputs, Part, Request, Style, escape, serialize, xml};
use crate::view::{FileKind, Level, Levels};
use crate::{
    ApiDocument, Direction, MediaType, Operation, Parameter, ParameterLocation, SecurityKind,
};

/// Builds the request of an operation from `inputs`.
///
/// Example: [module documentation](crate::request#example).
pub fn request(document: &ApiDocument, operation: &Operation, inputs: &Inputs) -> Request {
    let mut url = inputs.server.trim_end_matches('/').to_owned();
    url.push_str(&path(operation, inputs));
    let mut query = Vec::new();
    let mut cookies = Vec::new();
    let mut headers = Vec::new();
    for parameter in operation.parameters.iter().filter(|p| !p.ignored) {
        let Some(value) = value_of(parameter, inputs) else {
            continue;
        };
        let text = serialize_parameter(parameter, value);
        match parameter.location {
            ParameterLocation::Path => {}
            ParameterLocation::Query if text.is_empty() => {}
            ParameterLocation::Query => query.push(text),
            ParameterLocation::Cookie if text.is_empty() => {}
            ParameterLocation::Cookie => cookies.push(text),
            ParameterLocation::Header => headers.push((parameter.name.clone(), one_line(&text))),
        }
    }
    for (name, value) in &inputs.credentials {
        let Some(scheme) = document.security_schemes.get(name) else {
            continue;
        };
        match &scheme.kind {
            SecurityKind::ApiKey { name, location } => {
                let form = |encode_set| {
                    serialize(
                        name,
                        &Value::from(value.as_str()),
                        Style::Form,
                        true,
                        encode_set,
                    )
                };
                match location {
                    ParameterLocation::Query => query.push(form(EncodeSet::Unreserved)),
                    ParameterLocation::Cookie => cookies.push(form(EncodeSet::Unreserved)),
                    ParameterLocation::Header | ParameterLocation::Path => {
                        headers.push((name.clone(), one_line(value)));
                    }
                }
            }
            SecurityKind::MutualTls => {}
            SecurityKind::Basic => {
                let text = if value == PASSWORD {
                    // A placeholder stays readable and describes the required value.
                    format!("Basic {ENCODED_PASSWORD}")
                } else {
                    format!("Basic {}", STANDARD.encode(value))
                };
                headers.push(("Authorization".to_owned(), text));
            }
            SecurityKind::Http(scheme) => {
                headers.push((
                    "Authorization".to_owned(),
                    one_line(&format!("{scheme} {value}")),
                ));
            }
            SecurityKind::Bearer { .. }
            | SecurityKind::OAuth2
            | SecurityKind::OpenIdConnect { .. }
            | SecurityKind::Other(_) => {
                headers.push((
                    "Authorization".to_owned(),
                    one_line(&format!("Bearer {value}")),
                ));
            }
        }
    }
    if !query.is_empty() {
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str(&query.join("&"));
    }
    if !cookies.is_empty() {
        headers.push(("Cookie".to_owned(), cookies.join("; ")));
    }
    let content = body(document, operation, inputs);
    if let Some((media_type, _)) = &inputs.body
        && !matches!(content, Content::Empty | Content::Multipart(_))
    {
        headers.push(("Content-Type".to_owned(), one_line(media_type)));
    }
    let token = |c: &char| c.is_ascii_alphanumeric() || *c == '-' || *c == '_';
    Request {
        method: operation
            .method
            .to_uppercase()
            .chars()
            .filter(token)
            .collect(),
        url,
        headers,
        content,
    }
}

/// Replaces line breaks, which headers cannot have.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

fn value_of<'i>(parameter: &Parameter, inputs: &'i Inputs) -> Option<&'i Value> {
    let key = (parameter.location, parameter.name.clone());
    inputs.parameters.get(&key)
}

/// The path with its parameters; one without a value stays as `{name}`.
fn path(operation: &Operation, inputs: &Inputs) -> String {
    let mut out = String::new();
    // A fragment only distinguishes operations of one URL; it is never sent.
    let mut rest = operation.path.split('#').next().unwrap_or_default();
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, following)) = after.split_once('}') else {
            rest = after;
            out.push('{');
            continue;
        };
        let named = |p: &&Parameter| p.location == ParameterLocation::Path && p.name == name;
        let parameter = operation.parameters.iter().find(named);
        let value = parameter.and_then(|parameter| {
            let value = value_of(parameter, inputs)?;
            Some(serialize_parameter(parameter, value))
        });
        match value {
            Some(text) => out.push_str(&text),
            None => out.push_str(&format!("{{{name}}}")),
        }
        rest = following;
    }
    out.push_str(rest);
    out
}

/// Serializes a parameter in its style, or as its media type.
fn serialize_parameter(parameter: &Parameter, value: &Value) -> String {
    if parameter.is_querystring {
        return querystring(parameter, value);
    }
    let named = parameter.style.as_deref().and_then(Style::from_name);
    let style = named.unwrap_or(Style::default_of(parameter.location));
    let encode_set = match parameter.location {
        ParameterLocation::Header => EncodeSet::All,
        ParameterLocation::Query if parameter.allow_reserved => EncodeSet::Query,
        ParameterLocation::Path if parameter.allow_reserved => EncodeSet::Path,
        ParameterLocation::Path | ParameterLocation::Query | ParameterLocation::Cookie => {
            EncodeSet::Unreserved
        }
    };
    if parameter.media_type.is_some() {
        let text = Value::from(match value {
            Value::String(text) => text.clone(),
            other => json::compact(other),
        });
        return serialize(
            &parameter.name,
            &text,
            Style::default_of(parameter.location),
            true,
            encode_set,
        );
    }
    let explode = parameter.explode.unwrap_or(style.explodes());
    if parameter.location == ParameterLocation::Cookie && style == Style::Form {
        return cookie(&parameter.name, value, explode);
    }
    serialize(&parameter.name, value, style, explode, encode_set)
}

/// Serializes a whole query: pairs if it is a form, or else the value in its media type,
/// percent-encoded (OAS 3.2.0 "in: querystring").
fn querystring(parameter: &Parameter, value: &Value) -> String {
    let kind = parameter.media_type.as_deref().unwrap_or_default();
    let form = kind.starts_with("application/x-www-form-urlencoded");
    let mut out = String::new();
    match value {
        Value::Object(members) if form => {
            let fields = members.iter().map(|(name, value)| field(None, name, value));
            let fields: Vec<String> = fields.filter(|field| !field.is_empty()).collect();
            out = fields.join("&");
        }
        // The author wrote the query as a string.
        Value::String(text) if form => escape(text, EncodeSet::Reserved, &mut out),
        Value::String(text) => escape(text, EncodeSet::Unreserved, &mut out),
        value => escape(&json::compact(value), EncodeSet::Unreserved, &mut out),
    }
    out
}

/// Cookies of style `form`: encoded like a query, but separated like cookies.
fn cookie(name: &str, value: &Value, explode: bool) -> String {
    let text = serialize(name, value, Style::Form, explode, EncodeSet::Unreserved);
    // Encoded text does not contain `&`.
    text.replace('&', "; ")
}

/// Builds the body of its media type.
fn body(document: &ApiDocument, operation: &Operation, inputs: &Inputs) -> Content {
    let Some((media_type, value)) = &inputs.body else {
        return Content::Empty;
    };
    let declared = operation
        .request_body
        .as_ref()
        .and_then(|body| body.content.iter().find(|media| media.name == *media_type));
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    let essence = essence.to_ascii_lowercase();
    let source = declared.and_then(|media| document.node(&media.source));
    let schema = declared.and_then(|media: &MediaType| document.node(media.schema.as_ref()?));
    let mut levels = Levels::new(document, Direction::Request);
    let object = value.as_object();
    match (essence.as_str(), object) {
        ("application/x-www-form-urlencoded", Some(members)) => {
            let fields = members.iter().filter(|(_, value)| !value.is_null());
            let fields = fields.map(|(name, value)| field(source, name, value));
            Content::Form(fields.filter(|field| !field.is_empty()).collect())
        }
        (kind, Some(members)) if kind.starts_with("multipart/") => {
            let mut parts = Vec::new();
            let properties = schema.map(|schema| levels.level(&[schema]).properties);
            for (name, value) in members.iter().filter(|(_, value)| !value.is_null()) {
                let mut properties = properties.iter().flatten();
                let property = properties.find(|(other, _)| other == name);
                let file = property.and_then(|(_, seeds)| file_of(&mut levels, seeds));
                part(source, file, name, value, &mut parts);
            }
            Content::Multipart(parts)
        }
        (kind, _) if kind.ends_with("/json") || kind.ends_with("+json") => {
            Content::Json(value.clone())
        }
        (kind, _) if kind.ends_with("/xml") || kind.ends_with("+xml") => match value {
            Value::String(text) => Content::Text(text.clone()),
            value => Content::Text(xml::text(&mut levels, schema, value)),
        },
        (kind, _) => {
            let textual =
                kind.starts_with("text/") || kind.contains("json") || kind.contains("yaml");
            let written = value
                .as_str()
                .is_some_and(|text| !matches!(text, "" | "<string>" | "<any>"));
            // An empty schema is equivalent to none. A body without a schema is a file, unless
            // there is a text example.
            let is_constrained =
                |schema: &&Node| schema.as_object().is_none_or(|own| !own.is_empty());
            let file = |schema| levels.level(&[schema]).file == Some(FileKind::Binary);
            let binary = schema.filter(is_constrained).map_or(!written, file);
            if !textual && (binary || !written) {
                return Content::File(format!("file{}", extension(kind)));
            }
            match value {
                Value::Null => Content::Empty,
                Value::String(text) => Content::Text(text.clone()),
                // Of a JSON stream (NDJSON, sequences) a single item is shown.
                value => Content::Text(json::compact(value)),
            }
        }
    }
}

/// A field of a form, serialized by its `encoding`.
fn field(source: Option<&Node>, name: &str, value: &Value) -> String {
    let encoding = source.and_then(|media| media.get("encoding")?.get(name));
    let written = |key: &str| encoding.and_then(|encoding| encoding.get(key));
    let style = written("style")
        .and_then(Node::as_str)
        .and_then(Style::from_name);
    let explode = written("explode").and_then(Node::as_bool);
    let reserved = written("allowReserved").and_then(Node::as_bool);
    let laid_out = style.is_some() || explode.is_some() || reserved.is_some();
    let style = style.unwrap_or(Style::Form);
    let encode_set = if reserved == Some(true) {
        EncodeSet::Query
    } else {
        EncodeSet::Unreserved
    };
    // Without a style, an object is JSON (OAS 3.1.2, `contentType` of the encoding object).
    let value = match value {
        Value::Object(_) if !laid_out => &Value::from(json::compact(value)),
        value => value,
    };
    serialize(
        name,
        value,
        style,
        explode.unwrap_or(style.explodes()),
        encode_set,
    )
}

/// The media type of a property that is a file or an array of files.
fn file_of<'d>(levels: &mut Levels<'d>, seeds: &[&'d Node]) -> Option<String> {
    let own = levels.level(seeds);
    let is_file = |level: &Level<'_>| level.file == Some(FileKind::Binary);
    let file = if is_file(&own) || own.items.is_empty() {
        own
    } else {
        levels.level(&own.items)
    };
    let usual = || "application/octet-stream".to_owned();
    is_file(&file).then(|| file.view.media_type.unwrap_or_else(usual))
}

/// The parts of a property of a multipart body.
fn part(
    source: Option<&Node>,
    file: Option<String>,
    name: &str,
    value: &Value,
    parts: &mut Vec<Part>,
) {
    let encoding = source.and_then(|media| media.get("encoding")?.get(name));
    let listed = encoding.and_then(|encoding| encoding.get("contentType")?.as_str());
    // The first of several accepted types is used in examples.
    let written = listed.map(|list| list.split(',').next().unwrap_or_default().trim().to_owned());
    if let Some(of_schema) = file {
        let kind = written.filter(|kind| !kind.contains('*'));
        let kind = kind.unwrap_or(of_schema);
        parts.push(Part {
            name: name.to_owned(),
            value: format!("{}{}", file_stem(name), extension(&kind)),
            file: true,
            content_type: Some(kind),
        });
        return;
    }
    let list = value.as_array().filter(|_| written.is_none());
    match list {
        Some(items) => {
            for item in items {
                parts.push(text_part(name, item, None));
            }
        }
        None => parts.push(text_part(name, value, written)),
    }
}

fn text_part(name: &str, value: &Value, written: Option<String>) -> Part {
    let compound = value.is_object() || value.is_array();
    Part {
        name: name.to_owned(),
        value: text_of(value),
        file: false,
        content_type: written.or_else(|| compound.then(|| "application/json".to_owned())),
    }
}

/// The name of an example file.
fn file_stem(name: &str) -> String {
    let safe = |c: &char| c.is_ascii_alphanumeric() || *c == '-' || *c == '_';
    let stem: String = name.chars().filter(safe).collect();
    if stem.is_empty() {
        "file".to_owned()
    } else {
        stem
    }
}

/// The usual file extension of a media type.
fn extension(kind: &str) -> &'static str {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    match kind {
        "image/png" => ".png",
        "image/jpeg" => ".jpg",
        "image/gif" => ".gif",
        "image/webp" => ".webp",
        "image/svg+xml" => ".svg",
        "application/pdf" => ".pdf",
        "application/zip" => ".zip",
        "application/gzip" => ".gz",
        "application/json" => ".json",
        "text/csv" => ".csv",
        "text/plain" => ".txt",
        "audio/mpeg" => ".mp3",
        "audio/wav" => ".wav",
        "video/mp4" => ".mp4",
        _ => ".bin",
    }
}
