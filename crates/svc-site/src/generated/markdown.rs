//! The Markdown version of a page: its source without the parts that only browsers need.

use std::fmt::Write as _;

use svc_mdx::{AttributeKind, AttributeValue, Element, Kind, Node, Options};
use svc_nav::{OperationRef, Route};
use svc_openapi::Operation;

use super::operation;
use crate::Site;

/// The percent-encoded URL path of the Markdown version.
pub(super) fn path(route: &Route) -> String {
    let path = if route.path == "/" {
        "/index"
    } else {
        &route.path
    };
    format!("{}.md", svc_source::encoded_path(path))
}

pub(super) fn markdown(site: &Site, route: &Route) -> String {
    let mut out = String::new();
    let instructions = &site.config.markdown.instructions;
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "> ## Documentation Index\n> All pages of this documentation are listed at {}\n",
        site.href("/llms.txt")
    );
    for text in instructions.iter().flat_map(|text| text.lines()) {
        let _ = writeln!(out, "> {text}");
    }
    out.push('\n');
    out + &page(site, route, false)
}

/// The page without the note at the top. `sourced` adds a line with the URL of the page.
pub(super) fn page(site: &Site, route: &Route, sourced: bool) -> String {
    let mut out = format!("# {}\n", route.title.trim());
    if sourced {
        let path = svc_render::printed_path(&site.config, &route.path);
        let _ = writeln!(out, "Source: {}", site.public("", &path));
    }
    // The description of an operation is written below in its original form.
    let operation = route.operation.as_ref();
    let described = operation.and_then(|operation| documented(site, operation));
    let described = described.and_then(|operation| operation.description.as_deref());
    let description = route.description.as_deref().map(str::trim);
    if let Some(text) =
        description.filter(|text| !text.is_empty() && Some(*text) != described.map(str::trim))
    {
        let text = match operation {
            Some(_) => svc_render::document_text(text),
            None => text.replace('\n', "\n> "),
        };
        let _ = write!(out, "\n> {text}\n");
    }
    if let Some(page) = site.page_of(route) {
        let body = body(page.body_text());
        if !body.trim().is_empty() {
            let _ = write!(out, "\n{}\n", body.trim());
        }
    }
    if let Some(operation) = operation {
        describe(site, operation, &mut out);
    }
    out
}

/// The body without comments, imports, exports and content for humans only.
fn body(text: &str) -> String {
    let document = svc_mdx::parse(text, &Options::default()).value;
    let mut cuts = Vec::new();
    // The parser limits the depth of the tree.
    let mut stack: Vec<&Node> = document.children.iter().rev().collect();
    while let Some(node) = stack.pop() {
        let span = node.span.range();
        match &node.kind {
            Kind::Esm(_) => cuts.push(span),
            Kind::Expression { value, .. } if is_comment(value) => cuts.push(span),
            Kind::Element(element) if element.name.as_deref() == Some("Visibility") => {
                match audience(element) {
                    Some("agents") => {
                        let ends = element.children.first().zip(element.children.last());
                        let Some((first, last)) = ends else {
                            cuts.push(span);
                            continue;
                        };
                        cuts.push(span.start..first.span.range().start);
                        stack.extend(element.children.iter().rev());
                        // The cuts are sorted below.
                        cuts.push(last.span.range().end..span.end);
                    }
                    _ => cuts.push(span),
                }
            }
            _ => stack.extend(node.children().iter().rev()),
        }
    }
    cuts.sort_by_key(|cut| (cut.start, cut.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for cut in cuts {
        out.push_str(text.get(at..cut.start).unwrap_or(""));
        at = at.max(cut.end);
    }
    out.push_str(text.get(at..).unwrap_or(""));
    squeeze(&out)
}

fn is_comment(value: &str) -> bool {
    let value = value.trim();
    value.starts_with("/*") && value.find("*/").is_some_and(|end| end + 2 == value.len())
}

fn audience(element: &Element) -> Option<&str> {
    element
        .attributes
        .iter()
        .find_map(|attribute| match &attribute.kind {
            AttributeKind::Named {
                name,
                value: AttributeValue::String(value),
            } if &**name == "for" => Some(&**value),
            _ => None,
        })
}

/// Collapses consecutive empty lines outside of code blocks.
fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let start = line.trim_start();
        let marks = start.len() - start.trim_start_matches(['`', '~']).len();
        match fence {
            None if marks >= 3 => fence = start.get(..marks),
            Some(open)
                if start.trim_end() == start.get(..marks).unwrap_or("")
                    && start.starts_with(open) =>
            {
                fence = None;
            }
            _ => {}
        }
        empty = if line.trim().is_empty() && fence.is_none() {
            empty + 1
        } else {
            0
        };
        if empty <= 1 {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

fn describe(site: &Site, operation: &OperationRef, out: &mut String) {
    let Some(document) = site.catalog.documents.get(operation.document()) else {
        return;
    };
    let with_schema = site.config.markdown.schema;
    if let OperationRef::Schema { name, .. } = operation {
        if with_schema {
            operation::model(document, name, out);
        }
        return;
    }
    let Some(full) = documented(site, operation) else {
        return;
    };
    operation::operation(document, full, out);
    if with_schema {
        operation::excerpt(document, full, out);
    }
}

/// The operation or webhook that a page documents.
fn documented<'a>(site: &'a Site, operation: &OperationRef) -> Option<&'a Operation> {
    let document = site.catalog.documents.get(operation.document())?;
    match operation {
        OperationRef::Operation { method, path, .. } => document.operation(method, path),
        OperationRef::Webhook { name, .. } => document.webhook(name),
        OperationRef::Schema { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_imports_and_content_for_humans_are_removed() {
        let text = "import A from \"/a.mdx\"\n\n{/* secret */}\n\n# Hello\n\n<Visibility for=\"humans\">\nno\n</Visibility>\n\n<Visibility for=\"agents\">\nyes\n</Visibility>\n\n```js\n\n\n{/* stays */}\n```\n";
        let body = body(text);
        assert!(
            !body.contains("import") && !body.contains("secret") && !body.contains("no\n"),
            "{body}"
        );
        assert!(
            body.contains("# Hello")
                && body.contains("yes")
                && body.contains("\n\n\n{/* stays */}"),
            "{body}"
        );
    }

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
        let twin = |path: &str| markdown(&site, site.map.route(path).unwrap());
        let text = twin("/api-reference/change");
        for line in [
            "`PUT /pets/{id}`",
            "- `https://{zone}.pets.test`",
            "- `key` (header `X-Key`) and `auth` (OAuth 2.0, header `Authorization: Bearer …`) with the scopes `read`",
            "| `id` | path | integer | yes | Which \\| one |",
            "One of `cat`, `dog`.",
            "`application/json`: object, required",
            "| `name` | string | yes | Its name |",
            "| `home.city` | string | no | Default: `Rome`. |",
            "### 200 The pet",
            "### 404 No such pet",
            "| `[].name` | string | yes | Its name |",
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
            fed.contains("Webhook `fed`") && fed.contains("\n> A meal\n"),
            "{fed}"
        );
        assert!(
            !fed.contains("## Servers") && fed.contains("\"webhooks\""),
            "{fed}"
        );
        let full = super::super::llms::llms_full(&site);
        assert!(full.contains("| `name` | string | yes | Its name |"));
        let list = super::super::llms::llms(&site);
        assert!(list.contains("fed.md): A meal\n"), "{list}");
    }
}
