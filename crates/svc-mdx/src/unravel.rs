//! Lifts paragraphs that contain only JSX to flow content.

use crate::{Document, Kind, Node};

/// Replaces each paragraph that contains only elements, expressions and white space by those
/// elements and expressions as flow content, so that `<A>x</A>` alone on a line is not in a
/// paragraph. Paragraphs inside of elements are replaced too.
///
/// # Example
///
/// ```
/// use svc_mdx::{Kind, Options, parse, unravel};
/// let mut page = parse("<A>x</A>", &Options::default()).value;
/// unravel(&mut page);
/// assert!(matches!(page.children[0].kind, Kind::Element(_)));
/// ```
pub fn unravel(document: &mut Document) {
    level(&mut document.children);
}

/// The recursion depth is bounded by the parser.
fn level(nodes: &mut Vec<Node>) {
    let lifts = |node: &Node| match &node.kind {
        Kind::Paragraph(children) => only_jsx(children),
        _ => false,
    };
    if nodes.iter().any(lifts) {
        let mut out = Vec::with_capacity(nodes.len());
        for mut node in std::mem::take(nodes) {
            if lifts(&node) {
                let children = node.children_mut().map(std::mem::take).unwrap_or_default();
                let lifted = children
                    .into_iter()
                    .filter(|child| !matches!(child.kind, Kind::Text(_)));
                out.extend(lifted.map(|mut child| {
                    match &mut child.kind {
                        Kind::Element(element) => element.flow = true,
                        Kind::Expression { flow, .. } => *flow = true,
                        _ => {}
                    }
                    child
                }));
            } else {
                out.push(node);
            }
        }
        *nodes = out;
    }
    for node in nodes {
        if let Some(children) = node.children_mut() {
            level(children);
        }
    }
}

fn only_jsx(children: &[Node]) -> bool {
    let mut any = false;
    children.iter().all(|child| match &child.kind {
        Kind::Element(_) | Kind::Expression { .. } => {
            any = true;
            true
        }
        Kind::Text(text) => text.trim().is_empty(),
        _ => false,
    }) && any
}
