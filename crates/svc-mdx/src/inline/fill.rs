//! Fills the tree of blocks with inline content.

use crate::{
    Kind, Node,
    source::{InlineQueue, MappedText},
};

use super::{PageContext, inline};

/// Fills paragraphs, headings and cells, in the order of the tree.
pub(crate) fn fill(nodes: &mut [Node], sources: &mut InlineQueue<'_>, page: &mut PageContext<'_>) {
    for node in nodes {
        match &mut node.kind {
            Kind::Paragraph(children) | Kind::Heading { children, .. } => {
                if let Some(source) = sources.take() {
                    *children = inline(&source, false, page);
                }
            }
            Kind::TableCell(children) => {
                if let Some(source) = sources.take() {
                    *children = inline(&source, true, page);
                }
            }
            Kind::ListItem {
                checked, children, ..
            } => {
                if let Some(Node {
                    kind: Kind::Paragraph(_),
                    ..
                }) = children.first()
                    && let Some(mut source) = sources.take()
                {
                    *checked = take_check(&mut source);
                    sources.put_back(source);
                }
                fill(children, sources, page);
            }
            // Recursion is bounded: the first pass limits the depth of blocks.
            _ => {
                if let Some(children) = node.children_mut() {
                    fill(children, sources, page);
                }
            }
        }
    }
}

/// Removes `[ ]` or `[x]` from the start of an item and returns its state.
fn take_check(source: &mut MappedText<'_>) -> Option<bool> {
    let bytes = source.text().as_bytes();
    let checked = match (bytes.first()?, bytes.get(1)?, bytes.get(2)?) {
        (b'[', b' ' | b'\t' | b'\n' | b'\r', b']') => false,
        (b'[', b'x' | b'X', b']') => true,
        _ => return None,
    };
    let rest = source.text().get(3..).unwrap_or("");
    let after = rest.trim_start_matches([' ', '\t']);
    let length = match bytes.get(3)? {
        b'\n' | b'\r' | b' ' | b'\t' if after.starts_with(['\n', '\r']) => {
            if rest.starts_with("  ") {
                // Two spaces are a hard break here as well.
                source.cut(3);
                return Some(checked);
            }
            let next = after
                .get(crate::text::line_ending(after.as_bytes(), 0)..)
                .unwrap_or("");
            source.text().len() - next.trim_start_matches([' ', '\t']).len()
        }
        b' ' | b'\t' if !after.is_empty() => 4,
        _ => return None,
    };
    source.cut(length);
    Some(checked)
}
