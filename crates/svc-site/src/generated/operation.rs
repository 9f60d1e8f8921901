//! Operations, webhooks and schemas as Markdown: tables for the MCP server, and a minimal OpenAPI
//! document below the Markdown of a page.

use std::fmt::Write as _;

use serde_json::Value;
use svc_openapi::{
    ApiDocument, Budget, Direction, MediaType, Operation, OperationKind, Parameter, SchemaRef,
    SchemaView, SecurityKind, Server, schema_view_within,
};

/// Maximum bytes of the OpenAPI document. Agents cut texts off at about 50,000 characters.
pub(super) const MAX_DOCUMENT_BYTES: usize = 30_000;
/// Maximum number of characters of a JSON value in one line.
const MAX_JSON_LINE: usize = 100;
/// Maximum number of rows of a table.
const MAX_ROWS: usize = 150;
/// Maximum number of characters of a table cell.
const MAX_CELL_CHARS: usize = 400;
/// Maximum number of `enum` values in a cell.
const MAX_VALUES: usize = 40;
/// Head of the table of the fields of a schema.
const FIELD_HEAD: &str = "\n| Field | Type | Required | Description |\n| --- | --- | --- | --- |\n";
/// Maximum number of servers.
const MAX_SERVERS: usize = 10;

/// Writes the description, parameters, body and responses of an operation.
pub(crate) fn operation(document: &ApiDocument, operation: &Operation, out: &mut String) {
    let budget = &mut Budget::default();
    // Writing to a String cannot fail.
    let _ = match operation.kind {
        OperationKind::Path => write!(
            out,
            "\n`{} {}`\n",
            operation.method.to_uppercase(),
            operation.path
        ),
        OperationKind::Webhook => write!(out, "\nWebhook `{}`\n", operation.path),
    };
    if operation.deprecated {
        out.push_str("\nDeprecated.\n");
    }
    if let Some(text) = &operation.description {
        let _ = write!(out, "\n{}\n", text.trim());
    }
    if operation.kind == OperationKind::Path {
        let servers = match operation.servers.is_empty() {
            true => &document.servers,
            false => &operation.servers,
        };
        server_list(servers, out);
        authorization(document, operation, out);
    }
    parameters(document, &operation.parameters, budget, out);
    if let Some(body) = &operation.request_body {
        out.push_str("\n## Body\n");
        if let Some(text) = &body.description {
            let _ = write!(out, "\n{}\n", text.trim());
        }
        let need = if body.required {
            "required"
        } else {
            "optional"
        };
        content(
            document,
            &body.content,
            Direction::Request,
            need,
            budget,
            out,
        );
    }
    if !operation.responses.is_empty() {
        out.push_str("\n## Responses\n");
    }
    for response in &operation.responses {
        let text = response.description.as_deref().unwrap_or("");
        let _ = write!(out, "\n### {} {}\n", response.status, line(text));
        let direction = Direction::Response;
        content(document, &response.content, direction, "", budget, out);
    }
}

/// The properties of a schema under `components.schemas` as a table. `None` if there is no such
/// schema.
pub(crate) fn schema_table(document: &ApiDocument, name: &str) -> Option<String> {
    let node = document.schema_node(name)?;
    let budget = &mut Budget::default();
    let view = schema_view_within(document, node, Direction::Response, 3, budget);
    let mut out = format!("\nSchema `{name}`: {}\n", kind(Some(&view)));
    let facts = facts(view.description.as_deref(), Some(&view), view.deprecated);
    if !facts.is_empty() {
        let _ = write!(out, "\n{facts}\n");
    }
    fields(&view, &mut out);
    Some(out)
}

/// Writes the minimal OpenAPI document of an operation.
pub(super) fn excerpt(document: &ApiDocument, operation: &Operation, out: &mut String) {
    schema(
        svc_openapi::excerpt(document, operation, MAX_DOCUMENT_BYTES),
        document,
        out,
    );
}

/// Writes the minimal OpenAPI document of a schema.
pub(super) fn model(document: &ApiDocument, name: &str, out: &mut String) {
    schema(
        svc_openapi::schema_excerpt(document, name, MAX_DOCUMENT_BYTES),
        document,
        out,
    );
}

fn schema(value: Option<Value>, document: &ApiDocument, out: &mut String) {
    let text = value.map(|value| compact(&value));
    let _ = match text {
        Some(text) => write!(out, "\n## OpenAPI\n\n````json\n{text}\n````\n"),
        None => write!(
            out,
            "\n## OpenAPI\n\nThis part of `{}` is too large to be shown here.\n",
            document.path
        ),
    };
}

/// JSON whose values are on one line if they fit, which has half of the characters of the usual form.
fn compact(value: &Value) -> String {
    let mut out = String::new();
    write_json(value, 0, &mut out);
    out
}

fn write_json(value: &Value, depth: usize, out: &mut String) {
    let text = value.to_string();
    let entries: Vec<(Option<&str>, &Value)> = match value {
        Value::Object(object) if text.len() > MAX_JSON_LINE => object
            .iter()
            .map(|(key, value)| (Some(key.as_str()), value))
            .collect(),
        Value::Array(array) if text.len() > MAX_JSON_LINE => {
            array.iter().map(|value| (None, value)).collect()
        }
        _ => return out.push_str(&text),
    };
    let (open, close) = if value.is_object() {
        ('{', '}')
    } else {
        ('[', ']')
    };
    out.push(open);
    for (at, (key, value)) in entries.into_iter().enumerate() {
        out.push_str(if at == 0 { "\n" } else { ",\n" });
        out.push_str(&" ".repeat(depth + 1));
        if let Some(key) = key {
            // Writing to a String cannot fail.
            let _ = write!(out, "{}: ", Value::from(key));
        }
        write_json(value, depth + 1, out);
    }
    // Writing to a String cannot fail.
    let _ = write!(out, "\n{}{close}", " ".repeat(depth));
}

fn server_list(servers: &[Server], out: &mut String) {
    if servers.is_empty() {
        return;
    }
    out.push_str("\n## Servers\n\n");
    for server in servers.iter().take(MAX_SERVERS) {
        let _ = write!(out, "- `{}`", server.url);
        if let Some(text) = &server.description {
            let _ = write!(out, ": {}", line(text));
        }
        out.push('\n');
        for variable in &server.variables {
            let _ = writeln!(out, "  - `{}`: `{}`", variable.name, variable.default);
        }
    }
}

fn authorization(document: &ApiDocument, operation: &Operation, out: &mut String) {
    if operation.security.is_empty() {
        return;
    }
    out.push_str("\n## Authorization\n\n");
    for (at, names) in operation.security.iter().enumerate() {
        if names.is_empty() {
            out.push_str("- none\n");
            continue;
        }
        let schemes: Vec<String> = names
            .iter()
            .map(|name| {
                let location = document
                    .security_schemes
                    .get(name)
                    .map(|scheme| scheme_location(&scheme.kind));
                let scopes = operation.scopes.iter();
                let scopes: Vec<&str> = scopes
                    .filter(|scopes| scopes.alternative == at && scopes.scheme == *name)
                    .flat_map(|scopes| scopes.scopes.iter().map(String::as_str))
                    .collect();
                let mut text = format!("`{name}`");
                if let Some(location) = location {
                    let _ = write!(text, " ({location})");
                }
                if !scopes.is_empty() {
                    let _ = write!(text, " with the scopes `{}`", scopes.join("`, `"));
                }
                text
            })
            .collect();
        let _ = writeln!(out, "- {}", schemes.join(" and "));
    }
}

/// Where the credentials of a security scheme are sent.
pub(super) fn scheme_location(kind: &SecurityKind) -> String {
    match kind {
        SecurityKind::ApiKey { name, location } => format!("{} `{name}`", location.as_str()),
        SecurityKind::Basic => "header `Authorization: Basic …`".to_owned(),
        SecurityKind::Bearer { .. } | SecurityKind::OpenIdConnect { .. } => {
            "header `Authorization: Bearer …`".to_owned()
        }
        SecurityKind::OAuth2 => "OAuth 2.0, header `Authorization: Bearer …`".to_owned(),
        SecurityKind::MutualTls => "mutual TLS".to_owned(),
        SecurityKind::Http(other) | SecurityKind::Other(other) => other.clone(),
    }
}

fn parameters(
    document: &ApiDocument,
    parameters: &[Parameter],
    budget: &mut Budget,
    out: &mut String,
) {
    let visible = parameters.iter().filter(|parameter| !parameter.ignored);
    let mut rows = visible.take(MAX_ROWS).peekable();
    if rows.peek().is_none() {
        return;
    }
    out.push_str("\n## Parameters\n\n| Name | In | Type | Required | Description |\n| --- | --- | --- | --- | --- |\n");
    for parameter in rows {
        let view = parameter.schema.as_ref();
        let view = view.and_then(|schema| view_of(document, schema, Direction::Request, budget));
        let text = parameter.description.as_deref();
        let text = text.or_else(|| view.as_ref()?.description.as_deref());
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} |",
            cell(&parameter.name),
            parameter.location.as_str(),
            kind(view.as_ref()),
            yes(parameter.required),
            facts(text, view.as_ref(), parameter.deprecated)
        );
    }
}

fn content(
    document: &ApiDocument,
    content: &[MediaType],
    direction: Direction,
    need: &str,
    budget: &mut Budget,
    out: &mut String,
) {
    for media in content {
        let view = media.schema.as_ref();
        let view = view.and_then(|schema| view_of(document, schema, direction, budget));
        let _ = write!(out, "\n`{}`", media.name);
        if let Some(view) = &view {
            let _ = write!(out, ": {}", kind(Some(view)));
        }
        if !need.is_empty() {
            let _ = write!(out, ", {need}");
        }
        out.push('\n');
        if let Some(view) = view {
            fields(&view, out);
        }
    }
}

/// Writes the properties of a schema as a table.
fn fields(view: &SchemaView, out: &mut String) {
    let mut rows = Vec::new();
    properties(view, "", 0, &mut rows);
    if !rows.is_empty() {
        out.push_str(FIELD_HEAD);
    }
    for row in rows {
        let _ = writeln!(out, "{row}");
    }
}

/// Adds rows for properties and those one level below.
fn properties(view: &SchemaView, prefix: &str, depth: usize, rows: &mut Vec<String>) {
    if depth > 1 {
        return;
    }
    let mut object = view;
    let mut prefix = prefix.to_owned();
    while let Some(items) = object
        .items
        .as_deref()
        .filter(|_| object.properties.is_empty())
    {
        prefix.push_str("[]");
        object = items;
    }
    for property in &object.properties {
        if rows.len() >= MAX_ROWS {
            return;
        }
        let dot = if prefix.is_empty() { "" } else { "." };
        let name = format!("{prefix}{dot}{}", property.name);
        let schema = &property.schema;
        rows.push(format!(
            "| `{}` | {} | {} | {} |",
            cell(&name),
            kind(Some(schema)),
            yes(property.required),
            facts(
                schema.description.as_deref(),
                Some(schema),
                schema.deprecated
            )
        ));
        properties(schema, &name, depth + 1, rows);
    }
    for variant in &object.variants {
        if rows.len() < MAX_ROWS {
            let name = cell(&variant.title);
            let text = variant.schema.description.as_deref().map(line);
            let text = text.unwrap_or_default();
            let kind = kind(Some(&variant.schema));
            rows.push(format!("| one of: {name} | {kind} | | {text} |"));
        }
    }
}

fn view_of(
    document: &ApiDocument,
    schema: &SchemaRef,
    direction: Direction,
    budget: &mut Budget,
) -> Option<SchemaView> {
    let node = document.node(schema)?;
    Some(schema_view_within(document, node, direction, 3, budget))
}

fn kind(view: Option<&SchemaView>) -> String {
    view.map(|view| cell(&view.type_text())).unwrap_or_default()
}

const fn yes(required: bool) -> &'static str {
    if required { "yes" } else { "no" }
}

/// The description, allowed values and default of a field.
fn facts(text: Option<&str>, view: Option<&SchemaView>, deprecated: bool) -> String {
    let mut parts = Vec::new();
    if deprecated {
        parts.push("Deprecated.".to_owned());
    }
    parts.extend(text.map(line).filter(|text| !text.is_empty()));
    let Some(view) = view else {
        return parts.join(" ");
    };
    let of_items = view.items.as_deref();
    let values = of_items.filter(|items| !items.enum_values.is_empty());
    let values = &values.unwrap_or(view).enum_values;
    if !values.is_empty() {
        let shown = values.iter().take(MAX_VALUES);
        let shown: Vec<String> = shown
            .map(|value| format!("`{}`", cell(&plain(value))))
            .collect();
        let more = if values.len() > MAX_VALUES {
            ", …"
        } else {
            ""
        };
        parts.push(format!("One of {}{more}.", shown.join(", ")));
    }
    if let Some(default) = &view.default {
        parts.push(format!("Default: `{}`.", cell(&plain(default))));
    }
    parts.join(" ")
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// A description as a table cell, without HTML.
fn line(text: &str) -> String {
    match text.contains('<') {
        true => cell(&svc_render::document_text(text)),
        false => cell(text),
    }
}

/// A text as a table cell.
fn cell(text: &str) -> String {
    let line = super::text::line(text);
    let boundary = line.char_indices().nth(MAX_CELL_CHARS);
    let line = match boundary {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or("")),
        None => line,
    };
    line.replace('|', "\\|")
}
