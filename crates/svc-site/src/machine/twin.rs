//! The Markdown twin of a page: its source without what only browsers need.

use std::fmt::Write as _;

use svc_mdx::{AttributeKind, AttributeValue, Element, Kind, Node, Options};
use svc_nav::{OperationRef, Route};

use crate::Site;

/// Bytes of an operation's part of its document.
const SCHEMA: usize = 200_000;

/// The path of the twin.
pub(super) fn path(route: &Route) -> String {
    let path = if route.path == "/" {
        "/index"
    } else {
        &route.path
    };
    format!("{path}.md")
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

/// The page without the block at the top; `sourced` names where it stands.
pub(super) fn page(site: &Site, route: &Route, sourced: bool) -> String {
    let mut out = format!("# {}\n", route.title.trim());
    if sourced {
        let path = svc_render::printed_path(&site.config, &route.path);
        let _ = writeln!(out, "Source: {}", site.public("", &path));
    }
    if let Some(description) = route
        .description
        .as_deref()
        .filter(|text| !text.trim().is_empty())
    {
        let _ = write!(out, "\n> {}\n", description.trim().replace('\n', "\n> "));
    }
    if let Some(page) = site.page_of(route) {
        let body = body(page.body_text());
        if !body.trim().is_empty() {
            let _ = write!(out, "\n{}\n", body.trim());
        }
    }
    if let Some(operation) = &route.operation {
        describe(site, operation, &mut out);
    }
    out
}

/// The body without comments, imports and exports, and what is for people only.
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
                        let inside = element.children.first().zip(element.children.last());
                        let Some((first, last)) = inside else {
                            cuts.push(span);
                            continue;
                        };
                        cuts.push(span.start..first.span.range().start);
                        stack.extend(element.children.iter().rev());
                        // Behind the children: the cuts are sorted below.
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

/// No more than one empty line where something was taken out, but code stays as it is.
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
    let documents = &site.catalog.documents;
    match operation {
        OperationRef::Operation {
            document,
            method,
            path,
        } => {
            let Some(document) = documents.get(*document) else {
                return;
            };
            let _ = write!(out, "\n`{} {path}`\n", method.to_uppercase());
            if let Some(text) = document
                .operation(method, path)
                .and_then(|op| op.description.as_deref())
            {
                let _ = write!(out, "\n{}\n", text.trim());
            }
            let item = document.root.get("paths").and_then(|paths| paths.get(path));
            schema(site, item.and_then(|item| item.get(method)), out);
        }
        OperationRef::Webhook { document, name } => {
            let Some(document) = documents.get(*document) else {
                return;
            };
            let _ = write!(out, "\nWebhook `{name}`\n");
            schema(
                site,
                document
                    .root
                    .get("webhooks")
                    .and_then(|hooks| hooks.get(name)),
                out,
            );
        }
        OperationRef::Schema { document, name } => {
            let Some(document) = documents.get(*document) else {
                return;
            };
            schema(site, document.schema_node(name), out);
        }
    }
}

fn schema(site: &Site, node: Option<&svc_data::Node>, out: &mut String) {
    let Some(node) = node.filter(|_| site.config.markdown.schema) else {
        return;
    };
    let text = serde_json::to_string_pretty(&node.to_json()).unwrap_or_default();
    if text.len() <= SCHEMA {
        let _ = write!(out, "\n## OpenAPI\n\n````json\n{text}\n````\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_for_machines_is_left_out() {
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
}
