//! The tools of MCP servers as Markdown.

use std::fmt::Write as _;

use svc_openapi::{ApiDocument, Budget, Direction, Tool, ToolHint};

use super::operation::{MAX_DOCUMENT_BYTES, fields, view_of};

/// Writes the name, hints, description, arguments and result of a tool, and an example of a call.
/// `with_schema` adds the tool as it is in its document.
pub(super) fn tool(document: &ApiDocument, tool: &Tool, with_schema: bool, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = write!(out, "\nMCP tool `{}`\n", tool.name);
    let hints = document
        .tool_hints(tool)
        .into_iter()
        .map(|hint| match hint {
            ToolHint::ReadOnly => "read-only",
            ToolHint::Destructive => "destructive",
            ToolHint::Idempotent => "idempotent",
            ToolHint::OpenWorld => "uses external systems",
        });
    let hints: Vec<&str> = hints.collect();
    if !hints.is_empty() {
        let _ = write!(out, "\nHints: {}\n", hints.join(", "));
    }
    if let Some(text) = &tool.description {
        let _ = write!(out, "\n{}\n", text.trim());
    }
    let budget = &mut Budget::default();
    for (title, part, direction) in [
        ("Arguments", &tool.input, Direction::Request),
        ("Result", &tool.output, Direction::Response),
    ] {
        let view = part.as_ref();
        let view = view.and_then(|schema| view_of(document, schema, direction, budget));
        let mut table = String::new();
        if view.is_some_and(|view| fields(&view, &mut table)) {
            let _ = write!(out, "\n## {title}\n{table}");
        }
    }
    json(
        "Example call",
        &format!("{:#}", svc_openapi::tool_call(document, tool)),
        out,
    );
    let source = document.node(&tool.source);
    let source = source.map(|node| document.file.slice(node.span));
    if let Some(source) = source.filter(|text| with_schema && text.len() <= MAX_DOCUMENT_BYTES) {
        json("Definition", source, out);
    }
}

fn json(title: &str, text: &str, out: &mut String) {
    let _ = write!(out, "\n## {title}\n\n````json\n{text}\n````\n");
}
