//! The tools of MCP servers below the Markdown of their pages.

use std::fmt::Write as _;

use svc_openapi::{ApiDocument, Tool};

use super::operation::MAX_DOCUMENT_BYTES;

/// Writes a tool as it is in its document, unless it is too large.
pub(super) fn definition(document: &ApiDocument, tool: &Tool, out: &mut String) {
    let source = document.node(&tool.source);
    let source = source.map(|node| document.file.slice(node.span));
    if let Some(source) = source.filter(|text| text.len() <= MAX_DOCUMENT_BYTES) {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n## Definition\n\n````json\n{source}\n````\n");
    }
}
