//! Operations and schemas of a document as blocks of text.

use std::collections::HashMap;
use std::fmt::Write as _;

use indexmap::IndexMap;
use svc_data::Node;
use svc_openapi::{
    ApiDocument, Body, MediaType, Operation, OperationKind, Parameter, SchemaRef, Server,
    TypeWriter, with_comment,
};

use super::super::operation::scheme_location;
use super::line;

/// Maximum number of characters of the description of an operation; its page has the rest.
const MAX_DESCRIPTION_CHARS: usize = 1_500;
/// Maximum number of characters of the description of a document.
const MAX_ABOUT_CHARS: usize = 3_000;
/// Maximum number of servers and security schemes of a document.
const MAX_SERVERS: usize = 20;

/// A schema as text.
#[derive(Debug)]
pub(super) struct SchemaText {
    pub(super) name: String,
    comment: String,
    text: String,
    /// The schemas that it names.
    pub(super) references: Vec<SchemaRef>,
}

impl SchemaText {
    /// The schema with its name.
    pub(super) fn block(&self) -> String {
        let definition = format!("{} = {}", self.name, self.text);
        format!("```ts\n{}\n```\n", with_comment(&definition, &self.comment))
    }
}

/// Converts parts of a document to text.
pub(super) struct Blocks<'a> {
    document: &'a ApiDocument,
}

impl<'a> Blocks<'a> {
    pub(super) const fn new(document: &'a ApiDocument) -> Self {
        Self { document }
    }

    /// A description in one line.
    pub(super) fn line(&self, text: &str) -> String {
        TypeWriter::new(self.document, &plain).line(text)
    }

    /// An operation, and the schemas that it names. `page` is the path of its Markdown version.
    pub(super) fn operation(
        &mut self,
        operation: &Operation,
        page: &str,
    ) -> (String, Vec<SchemaRef>) {
        let document = self.document;
        let mut types = TypeWriter::new(document, &plain);
        let method = match operation.kind {
            OperationKind::Path => operation.method.to_uppercase(),
            OperationKind::Webhook => "WEBHOOK".to_owned(),
        };
        let mut out = format!("## {method} {}\n\n", line(&operation.path));
        let title = line(&operation.title());
        let _ = writeln!(out, "{title}");
        let description = operation.description.as_deref().map(plain);
        let description = description.map(|text| cut(text.trim(), MAX_DESCRIPTION_CHARS));
        if let Some(text) = description.filter(|text| !text.is_empty() && *text != title) {
            let _ = writeln!(out, "{}", line(&text));
        }
        let mut facts = vec![format!("Page: {page}")];
        if let Some(id) = &operation.operation_id {
            facts.push(format!("id `{}`", line(id)));
        }
        if operation.deprecated {
            facts.push("deprecated".to_owned());
        }
        facts.extend(security(operation));
        if let Some(server) = operation.servers.first() {
            facts.push(format!("base URL {}", line(&server.url)));
        }
        let _ = writeln!(out, "{}", facts.join(" · "));
        let mut body = String::new();
        parameters(document, &operation.parameters, &mut types, &mut body);
        request_body(
            document,
            operation.request_body.as_ref(),
            "body",
            &mut types,
            &mut body,
        );
        for response in &operation.responses {
            let comment = response.description.as_deref().map(|text| types.line(text));
            let comment = comment.unwrap_or_default();
            content(
                document,
                &response.content,
                &line(&response.status),
                &comment,
                &mut types,
                &mut body,
            );
            for header in &response.headers {
                let schema = header.schema.as_ref().and_then(|at| document.node(at));
                let name = format!("{} header {}", line(&response.status), line(&header.name));
                body.push_str(&typed(
                    &name,
                    schema,
                    &comment_of(&types, schema, header.description.as_deref(), &[]),
                    &mut types,
                ));
            }
        }
        for callback in &operation.callbacks {
            let method = callback.method.to_uppercase();
            let name = format!(
                "callback {} {method} {}",
                line(&callback.name),
                line(&callback.expression)
            );
            let _ = writeln!(body, "{name}");
            request_body(
                document,
                callback.request_body.as_ref(),
                "callback body",
                &mut types,
                &mut body,
            );
        }
        if !body.is_empty() {
            let _ = write!(out, "```ts\n{body}```\n");
        }
        (out, types.references().to_vec())
    }

    /// The schemas and all that they name, in the order of first use.
    pub(super) fn schemas<'s>(
        &self,
        first: impl Iterator<Item = &'s SchemaRef>,
    ) -> IndexMap<SchemaRef, SchemaText> {
        let mut schemas: IndexMap<SchemaRef, SchemaText> = IndexMap::new();
        let mut open: Vec<SchemaRef> = first.cloned().collect();
        open.reverse();
        while let Some(schema) = open.pop() {
            let Some(node) = self
                .document
                .node(&schema)
                .filter(|_| !schemas.contains_key(&schema))
            else {
                continue;
            };
            let mut types = TypeWriter::new(self.document, &plain);
            let text = types.text(node, 0);
            open.extend(types.references().iter().rev().cloned());
            let text = SchemaText {
                name: TypeWriter::name(&schema),
                comment: types.comment(node, &[]),
                text,
                references: types.references().to_vec(),
            };
            schemas.insert(schema, text);
        }
        schemas
    }
}

/// The head of the index of a document.
pub(super) fn index_head(document: &ApiDocument) -> String {
    let mut out = format!("# {}", line(&document.title));
    if !document.api_version.is_empty() {
        let _ = write!(out, " {}", line(&document.api_version));
    }
    out.push_str("\n\nThe API in a short form for language models. Types are written as in TypeScript: `name?` is optional.\n");
    let about = plain(&document.description);
    let about = cut(about.trim(), MAX_ABOUT_CHARS);
    if !about.is_empty() {
        let _ = write!(out, "\n{about}\n");
    }
    let server = |server: &Server| format!("- Base URL: {}\n", line(&server.url));
    let servers = document.servers.iter().take(MAX_SERVERS).map(server);
    let schemes = document.security_schemes.iter().take(MAX_SERVERS);
    let schemes = schemes.map(|(name, scheme)| {
        let location = scheme_location(&scheme.kind);
        format!("- Authorization `{}`: {}\n", line(name), line(&location))
    });
    let facts: String = servers.chain(schemes).collect();
    if !facts.is_empty() {
        let _ = write!(out, "\n{facts}");
    }
    out.push_str("\n## Files\n");
    out
}

/// The alternatives of authorization.
fn security(operation: &Operation) -> Option<String> {
    let alternatives = operation.security.iter().enumerate();
    let alternatives = alternatives.map(|(at, names)| {
        let names = names.iter().map(|name| {
            let scopes = operation.scopes.iter();
            let scopes = scopes.filter(|scopes| scopes.alternative == at && scopes.scheme == *name);
            let scopes: Vec<&str> = scopes
                .flat_map(|scopes| scopes.scopes.iter().map(String::as_str))
                .collect();
            match scopes.is_empty() {
                true => line(name),
                false => format!("{} ({})", line(name), line(&scopes.join(", "))),
            }
        });
        let names: Vec<String> = names.collect();
        match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(" + "),
        }
    });
    let alternatives: Vec<String> = alternatives.collect();
    (!alternatives.is_empty()).then(|| format!("authorization {}", alternatives.join(" or ")))
}

fn parameters(
    document: &ApiDocument,
    parameters: &[Parameter],
    types: &mut TypeWriter<'_>,
    out: &mut String,
) {
    for parameter in parameters.iter().filter(|parameter| !parameter.ignored) {
        let schema = parameter.schema.as_ref().and_then(|at| document.node(at));
        let optional = if parameter.required { "" } else { "?" };
        let location = parameter.location.as_str();
        let name = format!("{location} {}{optional}", line(&parameter.name));
        let facts: &[&str] = if parameter.deprecated {
            &["deprecated"]
        } else {
            &[]
        };
        let comment = comment_of(types, schema, parameter.description.as_deref(), facts);
        out.push_str(&typed(&name, schema, &comment, types));
    }
}

fn request_body(
    document: &ApiDocument,
    body: Option<&Body>,
    name: &str,
    types: &mut TypeWriter<'_>,
    out: &mut String,
) {
    let Some(body) = body else { return };
    let name = if body.required {
        name.to_owned()
    } else {
        format!("{name}?")
    };
    let comment = body.description.as_deref().map(|text| types.line(text));
    let comment = comment.unwrap_or_default();
    content(document, &body.content, &name, &comment, types, out);
}

/// Writes the types of a body, those of media types with the same one together.
fn content(
    document: &ApiDocument,
    content: &[MediaType],
    name: &str,
    comment: &str,
    types: &mut TypeWriter<'_>,
    out: &mut String,
) {
    let mut media: IndexMap<String, Vec<String>> = IndexMap::new();
    let mut known: HashMap<Option<&SchemaRef>, String> = HashMap::new();
    for one in content {
        let text = known.entry(one.schema.as_ref()).or_insert_with(|| {
            let schema = one.schema.as_ref().and_then(|at| document.node(at));
            schema.map_or_else(|| "any".to_owned(), |schema| types.text(schema, 0))
        });
        media.entry(text.clone()).or_default().push(line(&one.name));
    }
    if media.is_empty() {
        let _ = writeln!(out, "{}", with_comment(name, comment));
    }
    for (text, names) in media {
        let text = format!("{name} {}: {text}", names.join(", "));
        let _ = writeln!(out, "{}", with_comment(&text, comment));
    }
}

fn typed(name: &str, schema: Option<&Node>, comment: &str, types: &mut TypeWriter<'_>) -> String {
    let text = schema.map_or_else(|| "any".to_owned(), |schema| types.text(schema, 0));
    format!("{}\n", with_comment(&format!("{name}: {text}"), comment))
}

/// The facts of a schema with the description of its owner, which precedes its own.
fn comment_of(
    types: &TypeWriter<'_>,
    schema: Option<&Node>,
    description: Option<&str>,
    facts: &[&str],
) -> String {
    let Some(description) = description else {
        return schema
            .map(|schema| types.comment(schema, facts))
            .unwrap_or_default();
    };
    let own = schema.map(|schema| {
        let mut schema = schema.clone();
        if let svc_data::Value::Object(object) = schema.value {
            let mut map = object.into_map();
            map.remove("description");
            schema.value = svc_data::Value::Object(map.into());
        }
        types.comment(&schema, facts)
    });
    let own = own.unwrap_or_else(|| facts.join(", "));
    let text = types.line(description);
    match own.is_empty() {
        true => text,
        false => format!("{own}. {text}"),
    }
}

/// A description without HTML and the targets of links.
fn plain(text: &str) -> String {
    match text.contains('<') || text.contains("](") {
        true => svc_render::document_text(text),
        false => text.to_owned(),
    }
}

fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text.to_owned(),
    }
}
