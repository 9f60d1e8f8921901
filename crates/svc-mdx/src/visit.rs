//! Walks over a tree: plain text, headings, links.

use svc_diagnostics::Span;

use crate::{Document, Kind, Node};

/// Calls `visit` for every node, parents before children, with the depth below `nodes`. Children
/// of a node for which `visit` gives `false` are left out. Uses no call stack.
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

/// The words of these nodes without any markup; a line break becomes a space. Expressions and ESM
/// count for nothing.
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

/// Blocks stand apart by one line ending, and nothing begins with one.
fn separate(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// One heading of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineEntry<'a> {
    /// 1 to 6.
    pub depth: u8,
    /// From `{#id}`.
    pub id: Option<&'a str>,
    /// The title without markup.
    pub text: String,
    /// Where the heading is.
    pub span: Span,
}

/// All headings, in the order of the page, also those inside elements.
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

/// One address that a page points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkDestination<'a> {
    /// As written, decoded.
    pub url: &'a str,
    /// Where the link or picture is.
    pub span: Span,
}

/// All links of Markdown syntax, definitions included, in the order of the page.
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

/// All pictures of Markdown syntax, in the order of the page.
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
