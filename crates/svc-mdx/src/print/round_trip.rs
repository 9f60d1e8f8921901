//! Parses the output to compare it with the tree.

use crate::{
    Attribute, AttributeKind, AttributeValue, Element, Kind, Node,
    block::blocks,
    inline::{PageContext, fill::fill},
};

/// Parses `text` with the definitions of the page; `None` if there are diagnostics.
pub(super) fn read_back(text: &str, page: &mut PageContext<'_>) -> Option<Vec<Node>> {
    let parsed = blocks(text, 0, page.options);
    let mut nodes = parsed.nodes;
    let mut inlines = parsed.inlines;
    let clean = parsed.problems.is_empty();
    fill(&mut nodes, &mut inlines, page);
    let clean = clean && page.problems.is_empty();
    page.problems.clear();
    page.too_deep = false;
    clean.then_some(nodes)
}

/// Compares nodes, ignoring spans.
pub(super) fn eq_ignoring_spans(left: &[Node], right: &[Node]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| {
            same_kind(&left.kind, &right.kind)
                && eq_ignoring_spans(left.children(), right.children())
        })
}

/// Compares kinds without their children.
fn same_kind(left: &Kind, right: &Kind) -> bool {
    match (left, right) {
        (
            Kind::Heading { depth, id, .. },
            Kind::Heading {
                depth: depth_2,
                id: id_2,
                ..
            },
        ) => depth == depth_2 && id == id_2,
        (Kind::Table { align, .. }, Kind::Table { align: align_2, .. }) => align == align_2,
        (
            Kind::Link { url, title, .. },
            Kind::Link {
                url: url_2,
                title: title_2,
                ..
            },
        ) => url == url_2 && title == title_2,
        (
            Kind::LinkReference {
                identifier,
                reference,
                ..
            },
            Kind::LinkReference {
                identifier: identifier_2,
                reference: reference_2,
                ..
            },
        ) => identifier == identifier_2 && reference == reference_2,
        (Kind::Element(left), Kind::Element(right)) => same_element(left, right),
        (
            Kind::Paragraph(_)
            | Kind::TableRow(_)
            | Kind::TableCell(_)
            | Kind::Emphasis(_)
            | Kind::Strong(_)
            | Kind::Delete(_)
            | Kind::Blockquote(_)
            | Kind::List { .. }
            | Kind::ListItem { .. }
            | Kind::FootnoteDefinition { .. },
            _,
        ) => std::mem::discriminant(left) == std::mem::discriminant(right),
        // All other kinds have neither children nor spans.
        _ => left == right,
    }
}

fn same_element(left: &Element, right: &Element) -> bool {
    left.name == right.name
        && left.flow == right.flow
        && left.self_closing == right.self_closing
        && same_attributes(&left.attributes, &right.attributes)
}

/// Compares attributes, ignoring spans.
pub(super) fn same_attributes(left: &[Attribute], right: &[Attribute]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| match (&left.kind, &right.kind) {
                (
                    AttributeKind::Named { name, value },
                    AttributeKind::Named {
                        name: name_2,
                        value: value_2,
                    },
                ) => {
                    let values = match (value, value_2) {
                        (
                            AttributeValue::Expression { value, .. },
                            AttributeValue::Expression { value: value_2, .. },
                        ) => value == value_2,
                        _ => value == value_2,
                    };
                    name == name_2 && values
                }
                (left, right) => left == right,
            })
}
