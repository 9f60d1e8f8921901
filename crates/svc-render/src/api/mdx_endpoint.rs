//! Endpoints that are described in MDX (`api: POST /v1/things` and `ParamField`s), converted to an
//! OpenAPI document with one operation so that the playground can call them.

use serde_json::{Map, Value, json};
use svc_config::MdxAuthMethod;
use svc_openapi::ApiDocument;
use svc_source::Page;

use crate::ctx::{Ctx, MdxField};

/// Maximum nesting depth of fields.
const MAX_DEPTH: usize = 24;

/// The OpenAPI document of a page's endpoint as JSON; `None` if the page has no method and URL.
pub(crate) fn to_openapi(cx: &Ctx<'_>, page: &Page) -> Option<String> {
    let api = &cx.input.config.api;
    let (method, target) = page
        .front_matter
        .api
        .as_deref()?
        .trim()
        .split_once(char::is_whitespace)?;
    let target = target.trim();
    let (servers, path) = match target.find("://") {
        None => (api.mdx_servers.clone(), target.to_owned()),
        Some(scheme) => {
            let host = scheme + 3;
            let end = target
                .get(host..)?
                .find('/')
                .map_or(target.len(), |at| host + at);
            let (server, path) = target.split_at(end);
            (vec![server.to_owned()], path.to_owned())
        }
    };
    let path = if path.starts_with('/') {
        path
    } else {
        format!("/{path}")
    };
    let servers: Vec<Value> = servers.iter().map(|url| json!({ "url": url })).collect();
    let mut operation = json!({ "responses": {} });
    let in_place = |location: &'static str| {
        let fields = cx.out.fields.iter();
        fields.filter(move |field| field.location == Some(location))
    };
    let mut parameters = Vec::new();
    for location in ["path", "query", "header", "cookie"] {
        parameters.extend(in_place(location).map(|field| {
            json!({
                "name": field.name,
                "in": location,
                "required": field.required || location == "path",
                "deprecated": field.deprecated,
                "description": field.description,
                "schema": schema(field, 0, false),
            })
        }));
    }
    operation["parameters"] = parameters.into();
    let body: Vec<&MdxField> = in_place("body").collect();
    if !body.is_empty() {
        let required = body.iter().any(|field| field.required);
        let schema = object(body.iter().copied(), 0);
        let files = schema.to_string().contains("\"format\":\"binary\"");
        let usual = if files {
            "multipart/form-data"
        } else {
            "application/json"
        };
        let media_type = page.front_matter.extra("contentType");
        let media_type = media_type.unwrap_or_else(|| usual.to_owned());
        let media: Map<String, Value> = [(media_type, json!({ "schema": schema }))]
            .into_iter()
            .collect();
        operation["requestBody"] = json!({ "required": required, "content": media });
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": { "title": "", "version": "" },
        "servers": servers,
    });
    if let Some(scheme) = scheme(cx, page) {
        document["components"] = json!({ "securitySchemes": { "auth": scheme } });
        operation["security"] = json!([{ "auth": [] }]);
    }
    let methods: Map<String, Value> = [(method.to_ascii_lowercase(), operation)]
        .into_iter()
        .collect();
    let paths: Map<String, Value> = [(path, methods.into())].into_iter().collect();
    document["paths"] = paths.into();
    Some(document.to_string())
}

/// Parses the result of [`to_openapi`].
pub(crate) fn from_openapi(text: &str) -> Option<ApiDocument> {
    svc_openapi::parse(&svc_diagnostics::SourceFile::new("endpoint.json", text)).value
}

/// The security scheme of the endpoint: `authMethod` of the page, otherwise `api.mdx.auth`.
fn scheme(cx: &Ctx<'_>, page: &Page) -> Option<Value> {
    let usual = &cx.input.config.api.mdx_auth;
    let own = page.front_matter.extra("authMethod");
    let method = match own.as_deref().map(str::trim) {
        None => usual.method,
        Some("bearer") => Some(MdxAuthMethod::Bearer),
        Some("basic") => Some(MdxAuthMethod::Basic),
        Some("key") => Some(MdxAuthMethod::Key),
        Some("cobo") => Some(MdxAuthMethod::Cobo),
        Some(_) => None,
    };
    let name = page.front_matter.extra("auth").or(usual.name.clone());
    Some(match method? {
        MdxAuthMethod::Bearer => json!({ "type": "http", "scheme": "bearer" }),
        MdxAuthMethod::Basic => json!({ "type": "http", "scheme": "basic" }),
        MdxAuthMethod::Key | MdxAuthMethod::Cobo => {
            let name = name.unwrap_or_else(|| "x-api-key".to_owned());
            json!({ "type": "apiKey", "in": "header", "name": name })
        }
    })
}

fn object<'f>(fields: impl Iterator<Item = &'f MdxField> + Clone, depth: usize) -> Value {
    let required = fields.clone().filter(|field| field.required);
    let required: Vec<&str> = required.map(|field| field.name.as_str()).collect();
    let properties: Map<String, Value> = fields
        .map(|field| (field.name.clone(), schema(field, depth + 1, true)))
        .collect();
    let mut out = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        out["required"] = required.into();
    }
    out
}

/// The schema of a field; fields of an object include the description.
fn schema(field: &MdxField, depth: usize, described: bool) -> Value {
    let kind = field.kind.as_deref().unwrap_or_default();
    let mut out = typed(kind, field, depth);
    if !field.values.is_empty() {
        out["enum"] = field
            .values
            .iter()
            .map(|value| typed_value(kind, value))
            .collect();
    }
    let values = [
        ("default", &field.default),
        ("example", &field.example),
        ("x-default", &field.initial),
    ];
    for (key, value) in values {
        if let Some(value) = value {
            out[key] = match value {
                Value::String(text) => typed_value(kind, text),
                other => other.clone(),
            };
        }
    }
    if described && !field.description.is_empty() {
        out["description"] = field.description.as_str().into();
    }
    if described && field.deprecated {
        out["deprecated"] = true.into();
    }
    out
}

/// The schema of a type as written by authors: `string`, `integer[]`, `enum<string>`, `object`,
/// `string | null`.
fn typed(kind: &str, field: &MdxField, depth: usize) -> Value {
    let kind = kind.trim().to_ascii_lowercase();
    let kind = kind.as_str();
    if depth > MAX_DEPTH {
        return json!({});
    }
    let item = kind.strip_suffix("[]").or_else(|| {
        let (list, rest) = kind.split_once('<')?;
        matches!(list, "array" | "list").then(|| rest.trim_end_matches('>'))
    });
    if let Some(item) = item {
        return json!({ "type": "array", "items": typed(item, field, depth + 1) });
    }
    if kind == "array" || kind == "list" {
        let items = if field.fields.is_empty() {
            json!({})
        } else {
            object(field.fields.iter(), depth)
        };
        return json!({ "type": "array", "items": items });
    }
    if !field.fields.is_empty() {
        return object(field.fields.iter(), depth);
    }
    if kind.contains('|') && depth < MAX_DEPTH {
        let parts = kind.split('|').take(8).map(str::trim);
        let names: Option<Vec<&str>> = parts.map(simple).collect();
        return names.map_or(json!({}), |names| json!({ "type": names }));
    }
    match kind {
        "file" | "binary" => json!({ "type": "string", "format": "binary" }),
        "date" | "uuid" | "email" | "uri" | "date-time" => {
            json!({ "type": "string", "format": kind })
        }
        "datetime" | "timestamp" => json!({ "type": "string", "format": "date-time" }),
        "url" => json!({ "type": "string", "format": "uri" }),
        _ => match simple(kind) {
            Some(name) => json!({ "type": name }),
            None => json!({}),
        },
    }
}

/// The JSON Schema type of a type name.
fn simple(name: &str) -> Option<&'static str> {
    let name = name
        .strip_prefix("enum<")
        .map_or(name, |inner| inner.trim_end_matches('>'));
    Some(match name {
        "string" | "str" | "text" | "enum" => "string",
        "integer" | "int" | "int32" | "int64" | "long" => "integer",
        "number" | "float" | "double" | "decimal" => "number",
        "boolean" | "bool" => "boolean",
        "object" | "map" | "dict" | "json" | "record" => "object",
        "array" | "list" => "array",
        "null" | "none" => "null",
        _ => return None,
    })
}

/// Parses a value that is written as text, according to its type.
fn typed_value(kind: &str, value: &str) -> Value {
    let kind = kind.trim().to_ascii_lowercase();
    let parsed = match simple(&kind) {
        Some("string") => None,
        _ => serde_json::from_str(value).ok(),
    };
    parsed.unwrap_or_else(|| value.into())
}
