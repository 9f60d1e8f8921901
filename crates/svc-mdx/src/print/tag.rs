//! Tags.

use crate::{Attribute, AttributeKind, AttributeValue, Element};

use super::escape;

/// How a tag is laid out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Layout {
    /// Strings with line endings are written in one line.
    pub(super) flat: bool,
    /// In a table cell.
    pub(super) cell: bool,
    /// Each attribute has a line of its own.
    pub(super) tall: bool,
    /// The same without white space at the start of lines.
    pub(super) broken: bool,
}

/// The opening tag, or the only one.
pub(super) fn open(element: &Element, layout: Layout, out: &mut String) {
    out.push('<');
    out.push_str(element.name.as_deref().unwrap_or(""));
    for found in &element.attributes {
        out.push_str(match (layout.tall, layout.broken) {
            (true, _) => "\n  ",
            (false, true) => "\n",
            (false, false) => " ",
        });
        attribute(found, layout, out);
    }
    let lines = layout.tall || layout.broken;
    if lines {
        out.push('\n');
    }
    out.push_str(match (element.self_closing, lines) {
        (true, true) => "/>",
        (true, false) => " />",
        (false, _) => ">",
    });
}

/// The closing tag.
pub(super) fn close(element: &Element, out: &mut String) {
    out.push_str("</");
    out.push_str(element.name.as_deref().unwrap_or(""));
    out.push('>');
}

fn attribute(attribute: &Attribute, layout: Layout, out: &mut String) {
    match &attribute.kind {
        AttributeKind::Spread(value) => {
            out.push_str("{...");
            escape::expression(value, out);
            // A comment at the end must not swallow the brace.
            if value.contains("//") {
                out.push('\n');
            }
            out.push('}');
        }
        AttributeKind::Named { name, value } => {
            out.push_str(name);
            match value {
                AttributeValue::None => {}
                AttributeValue::String(value) => {
                    out.push('=');
                    escape::attribute(value, layout.flat, layout.cell, out);
                }
                AttributeValue::Expression { value, .. } => {
                    out.push_str("={");
                    escape::expression(value, out);
                    out.push('}');
                }
            }
        }
    }
}
