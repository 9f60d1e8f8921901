//! Parts of API pages: the endpoint, fields with their limits, and responses.

use super::blocks::{Block, blocks, first_with, tight};
use super::components::{item, part_text};
use super::inlines::{code, inline};
use super::nodes::{Element, Node};

/// Method and path.
pub(super) fn endpoint(element: &Element<'_>) -> Vec<Block> {
    let parts = ["svc-method", "svc-endpoint-path"];
    let parts = parts.map(|class| {
        element
            .find(&|child| child.has_class(class))
            .map(Element::text)
    });
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    vec![Block::text(code(&parts.join(" ")))]
}

/// The heading of a section, without the link to itself, and a note next to it.
pub(super) fn heading(element: &Element<'_>) -> Vec<Block> {
    let title = element.find(&|child| child.tag == "h2");
    let title = title.map(Element::text).unwrap_or_default();
    let mut out = vec![Block::new(format!("## {}", title.trim()))];
    let note = part_text(element, "svc-api-note");
    if !note.is_empty() {
        out.push(Block::text(note));
    }
    out
}

/// A field: its name, type and labels in the order of the page, and its description, limits and
/// nested fields below.
pub(super) fn field(element: &Element<'_>) -> Vec<Block> {
    let part = |class: &str| {
        let mut children = element.child_elements();
        children.find(|child| child.has_class(class))
    };
    let Some(head) = part("svc-field-head") else {
        return blocks(&element.children);
    };
    let body = part("svc-field-body").map(|body| blocks(&body.children));
    described_item(&inline(&head.children), body.unwrap_or_default())
}

/// An alternative of a schema.
pub(super) fn variant(element: &Element<'_>) -> Vec<Block> {
    let (title, body) = folded(element);
    described_item(&format!("**{title}**"), body)
}

/// A response: its status, description and media type as a heading.
pub(super) fn response(element: &Element<'_>) -> Vec<Block> {
    let (mut title, body) = folded(element);
    if title.is_empty() {
        title = part_text(element, "svc-response-head");
    }
    let mut out = vec![Block::new(format!("### {title}"))];
    if element.tag == "details" {
        out.extend(body);
    }
    out
}

/// Limits, which follow the description in the next line.
pub(super) fn limits(element: &Element<'_>) -> Vec<Block> {
    let blocks = blocks(&element.children).into_iter();
    blocks.map(Block::continued).collect()
}

/// Limits of the items of a list.
pub(super) fn items(element: &Element<'_>) -> Vec<Block> {
    let label = part_text(element, "svc-api-of");
    let is_rest = |child: &&Element<'_>| !child.has_class("svc-api-of");
    let rest = element.child_elements().filter(is_rest);
    let rest = rest.flat_map(super::blocks::element_blocks).collect();
    let blocks = first_with(&format!("{label} "), rest).into_iter();
    blocks.map(Block::continued).collect()
}

/// Examples next to the text.
pub(super) fn aside(element: &Element<'_>) -> Vec<Block> {
    let label = element.attribute("aria-label").unwrap_or_default();
    let mut out = blocks(&element.children);
    if !out.is_empty() && !label.is_empty() {
        out.insert(0, Block::new(format!("## {label}")));
    }
    out
}

/// The title and the content of a `details` element.
fn folded(element: &Element<'_>) -> (String, Vec<Block>) {
    match element.children.split_first() {
        Some((Node::Element(title), rest)) if title.tag == "summary" => {
            (inline(&title.children), blocks(rest))
        }
        _ => (String::new(), blocks(&element.children)),
    }
}

fn described_item(head: &str, body: Vec<Block>) -> Vec<Block> {
    let is_text = body.first().is_some_and(Block::is_paragraph);
    let head = match is_text {
        true => format!("{head} — "),
        false => head.to_owned(),
    };
    item("- ", &tight(&first_with(&head, body)))
}
