//! The Markdown version of a page: what a reader sees, and what the author wrote for agents.

use std::fmt::Write as _;

use svc_config::Directory;
use svc_nav::{NavNode, OperationRef, Route};
use svc_openapi::Operation;

use super::operation;
use super::text::line;
use super::tokens::estimated_tokens;
use crate::Site;
use crate::render;

/// The percent-encoded URL path of the Markdown version.
pub(super) fn path(route: &Route) -> String {
    let path = if route.path == "/" {
        "/index"
    } else {
        &route.path
    };
    format!("{}.md", svc_source::encoded_path(path))
}

/// The Markdown version with front matter and a note that names the list of all pages.
pub(super) fn markdown(site: &Site, route: &Route, origin: &str) -> String {
    let text = page(site, route, origin);
    let mut out = String::from("---\n");
    let fact = |name: &str, value: &str, out: &mut String| {
        // A JSON string is a YAML string. Writing to a String cannot fail.
        let _ = writeln!(out, "{name}: {}", serde_json::Value::from(value));
    };
    fact("title", route.title.trim(), &mut out);
    if let Some(description) = svc_render::summary(route) {
        let description = line(&description);
        if !description.is_empty() {
            fact("description", &description, &mut out);
        }
    }
    fact("url", &url(site, route, origin), &mut out);
    if let Some(day) = svc_render::last_modified(&site.context(), route) {
        fact("last_modified", &day, &mut out);
    }
    let _ = write!(
        out,
        "tokens: {}\n---\n\n> Documentation index: {}\n",
        estimated_tokens(&text),
        site.public_url(origin, "/llms.txt")
    );
    let instructions = &site.config.markdown.instructions;
    if !instructions.is_empty() {
        out.push_str(">\n> ## Agent Instructions\n>\n");
    }
    for line in instructions.iter().flat_map(|text| text.lines()) {
        let _ = writeln!(out, "> {line}");
    }
    out.push('\n');
    out + &text
}

/// The canonical URL of a page.
pub(super) fn url(site: &Site, route: &Route, origin: &str) -> String {
    let path = svc_render::printed_path(&site.config, &route.path);
    site.public_url(origin, &path)
}

/// The title, description and content of a page.
pub(crate) fn page(site: &Site, route: &Route, origin: &str) -> String {
    let mut out = format!("# {}\n", line(&route.title));
    let operation = route.operation.as_ref();
    if route.deprecated {
        out.push_str("\nDeprecated.\n");
    }
    // The article has the description of an operation.
    let description = route.description.as_deref().map(str::trim);
    let description = description.filter(|text| operation.is_none() && !text.is_empty());
    if let Some(text) = description {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n> {}\n", text.replace('\n', "\n> "));
    }
    let file = site.page_of(route);
    let rendered = render::article(&site.agent_context(), file.map(|page| &page.file), route);
    let body = svc_render::html_to_markdown(&rendered.article.html, &site.origin(origin));
    if !body.is_empty() {
        let _ = write!(out, "\n{body}");
    }
    if let Some(operation) = operation.filter(|_| site.config.markdown.schema) {
        excerpt(site, operation, &mut out);
    }
    if let Some((style, nodes)) = site.map.directory(&route.path)
        && style != Directory::None
    {
        out.push('\n');
        directory(site, nodes, 0, origin, &mut out);
    }
    out
}

/// The list of the pages of a group on its root page.
fn directory(site: &Site, nodes: &[NavNode], depth: usize, origin: &str, out: &mut String) {
    for node in nodes.iter().filter(|node| !node.hidden) {
        let name = line(&node.name);
        let _ = write!(out, "{}- ", "  ".repeat(depth));
        let route = node.target().and_then(|path| site.map.route(path));
        let _ = match route {
            Some(route) => write!(out, "[{name}]({})", url(site, route, origin)),
            None => write!(out, "{name}"),
        };
        let summary = route.and_then(svc_render::summary).unwrap_or_default();
        if node.children.is_empty() && !summary.is_empty() {
            let _ = write!(out, ": {}", line(&summary));
        }
        out.push('\n');
        directory(site, &node.children, depth + 1, origin, out);
    }
}

/// Writes the part of its document that the page of an operation, schema or tool is about.
fn excerpt(site: &Site, operation: &OperationRef, out: &mut String) {
    let Some(document) = site.catalog.documents.get(operation.document()) else {
        return;
    };
    match operation {
        OperationRef::Schema { name, .. } => operation::model(document, name, out),
        OperationRef::Tool { name, .. } => {
            if let Some(tool) = document.tool(name) {
                super::tool::definition(document, tool, out);
            }
        }
        OperationRef::Operation { .. } | OperationRef::Webhook { .. } => {
            if let Some(full) = documented(site, operation) {
                operation::excerpt(document, full, out);
            }
        }
    }
}

/// The operation or webhook that a page documents.
fn documented<'a>(site: &'a Site, operation: &OperationRef) -> Option<&'a Operation> {
    let document = site.catalog.documents.get(operation.document())?;
    match operation {
        OperationRef::Operation { method, path, .. } => document.operation(method, path),
        OperationRef::Webhook { name, .. } => document.webhook(name),
        OperationRef::Schema { .. } | OperationRef::Tool { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PETS: &str = r##"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://{zone}.pets.test", "variables": {"zone": {"default": "eu"}}}],
      "security": [{"key": [], "auth": ["read"]}],
      "paths": {"/pets/{id}": {"parameters": [{"name": "id", "in": "path", "required": true, "description": "Which | one", "schema": {"type": "integer"}}],
        "put": {"summary": "Change", "description": "Changes *it*.", "x-noise": {"a": 1},
          "parameters": [{"name": "kind", "in": "query", "schema": {"type": "array", "items": {"type": "string", "enum": ["cat", "dog"]}}}],
          "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}},
          "responses": {"404": {"description": "<p>No <b>such</b> pet</p>"}, "200": {"description": "The pet", "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}}}}}}},
      "webhooks": {"fed": {"post": {"description": "<p>Was <b>fed</b>.</p>", "x-svc": {"metadata": {"description": "A <i>meal</i>"}}, "responses": {}}}},
      "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}, "auth": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://a.test", "scopes": {"read": "r"}}}}},
        "schemas": {"Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "description": "Its name"}, "mate": {"$ref": "#/components/schemas/Pet"}, "home": {"type": "object", "properties": {"city": {"type": "string", "default": "Rome"}}}}}}}}"##;

    #[test]
    fn the_markdown_of_an_operation_is_complete() {
        let config = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
            "navigation": {"groups": [{"group": "API", "openapi": "pets.json"}]}}"##;
        let tree = svc_source::SourceTree::from_files([("docs.json", config), ("pets.json", PETS)]);
        let site = crate::assemble(tree, &crate::LoadOptions::default()).unwrap();
        let site = site.value;
        let twin = |path: &str| markdown(&site, site.map.route(path).unwrap(), "");
        let text = twin("/api-reference/change");
        for line in [
            "`PUT https://eu.pets.test/pets/{id}`",
            "`https://{zone}.pets.test`",
            "- `X-Key` `string` header required",
            "- `Authorization` `OAuth 2.0 token` header required",
            "Scopes\n  - `read` r",
            "- `id` `integer` path required — Which | one",
            "- `kind` `enum<string>[]` query",
            "Allowed: `cat` `dog`",
            "## Body\n\napplication/json",
            "- `name` `string` required — Its name",
            "  - `city` `string` default: `Rome`",
            "### 200 The pet application/json",
            "### 404\n\nNo **such** pet",
            "## Examples",
            "**cURL**\n\n```bash\ncurl",
            "**200**\n\n```json\n",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert_eq!(text.matches("Changes *it*.").count(), 1, "{text}");
        assert!(!text.contains("x-noise"), "{text}");
        let json = text.split("````json\n").nth(1).unwrap();
        let json = json.split("````").next().unwrap();
        let file = svc_diagnostics::SourceFile::new("a.json", json);
        let read = svc_openapi::parse(&file);
        assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
        let schema = read.value.unwrap();
        assert_eq!(schema.operations[0].parameters.len(), 2);
        assert_eq!(schema.security_schemes.len(), 2);
        let fed = twin("/api-reference/fed");
        assert!(
            fed.contains("`WEBHOOK fed`")
                && fed.contains("\nA *meal*\n")
                && fed.contains("Was **fed**."),
            "{fed}"
        );
        assert!(
            !fed.contains("pets.test/") && fed.contains("\"webhooks\""),
            "{fed}"
        );
        let full = super::super::llms::llms_full(&site, "");
        assert!(full.contains("- `name` `string` required — Its name"));
        let list = super::super::llms::llms(&site, "");
        assert!(list.contains("fed.md): A meal ("), "{list}");
    }
}
