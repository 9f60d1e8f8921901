//! Tree traversal: plain text, headings, links and images.

use svc_diagnostics::Span;

use crate::{Document, Kind, Node};

/// Calls `visit` for every node, parents before children, with the depth below `nodes`. If `visit`
/// returns false, the children of the node are skipped. Does not use recursion.
///
/// Example: [crate documentation](crate).
pub fn walk<'a>(nodes: &'a [Node], mut visit: impl FnMut(&'a Node, usize) -> bool) {
    let mut open = vec![nodes.iter()];
    while let Some(level) = open.last_mut() {
        let Some(node) = level.next() else {
            open.pop();
            continue;
        };
        let depth = open.len() - 1;
        if visit(node, depth) && !node.children().is_empty() {
            open.push(node.children().iter());
        }
    }
}

/// Returns the text of the nodes without markup. Line breaks become spaces; expressions and ESM are
/// skipped.
///
/// Example: [crate documentation](crate).
pub fn plain_text(nodes: &[Node]) -> String {
    let mut out = String::new();
    walk(nodes, |node, _| {
        match &node.kind {
            Kind::Text(text) | Kind::InlineCode(text) | Kind::InlineMath(text) => {
                out.push_str(text);
            }
            Kind::Code { value, .. } | Kind::Math { value, .. } => {
                separate(&mut out);
                out.push_str(value);
            }
            Kind::Image { alt, .. } | Kind::ImageReference { alt, .. } => out.push_str(alt),
            Kind::Break => out.push(' '),
            Kind::Paragraph(_)
            | Kind::Heading { .. }
            | Kind::ListItem { .. }
            | Kind::TableCell(_)
            | Kind::FootnoteDefinition { .. } => separate(&mut out),
            _ => {}
        }
        true
    });
    out
}

/// Separates blocks by one line ending.
fn separate(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// A heading of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineEntry<'a> {
    /// Level, from 1 to 6.
    pub depth: u8,
    /// Explicit id: `{#id}`.
    pub id: Option<&'a str>,
    /// Title without markup.
    pub text: String,
    /// Span of the heading.
    pub span: Span,
}

/// Returns all headings in the order of the page, including those inside of elements.
///
/// Example: [crate documentation](crate).
pub fn outline(document: &Document) -> Vec<OutlineEntry<'_>> {
    let mut out = Vec::new();
    walk(&document.children, |node, _| {
        let Kind::Heading {
            depth,
            id,
            children,
        } = &node.kind
        else {
            return true;
        };
        out.push(OutlineEntry {
            depth: *depth,
            id: id.as_deref(),
            text: plain_text(children),
            span: node.span,
        });
        false
    });
    out
}

/// Destination of a link or image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkDestination<'a> {
    /// URL, decoded.
    pub url: &'a str,
    /// Span of the link or image.
    pub span: Span,
}

/// Returns the destinations of all Markdown links and definitions, in the order of the page.
///
/// Example: [crate documentation](crate).
pub fn links(document: &Document) -> Vec<LinkDestination<'_>> {
    let mut out = Vec::new();
    walk(&document.children, |node, _| {
        if let Kind::Link { url, .. } | Kind::Definition { url, .. } = &node.kind {
            out.push(LinkDestination {
                url,
                span: node.span,
            });
        }
        true
    });
    out
}

/// Returns the sources of all Markdown images, in the order of the page.
///
/// Example: [crate documentation](crate).
pub fn images(document: &Document) -> Vec<LinkDestination<'_>> {
    let mut out = Vec::new();
    walk(&document.children, |node, _| {
        if let Kind::Image { url, .. } = &node.kind {
            out.push(LinkDestination {
                url,
                span: node.span,
            });
        }
        true
    });
    out
}
