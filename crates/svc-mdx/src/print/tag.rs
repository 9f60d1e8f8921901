//! Printing of tags.

use crate::{Attribute, AttributeKind, AttributeValue, Element};

use super::escape;

/// Layout of a tag.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Layout {
    /// Strings with line endings are printed on one line.
    pub(super) flat: bool,
    /// The tag is in a table cell.
    pub(super) cell: bool,
    /// Each attribute is on a separate line.
    pub(super) tall: bool,
    /// Same as `tall`, without indentation.
    pub(super) broken: bool,
}

/// Appends the opening tag, or the only tag.
pub(super) fn open(element: &Element, layout: Layout, out: &mut String) {
    out.push('<');
    out.push_str(element.name.as_deref().unwrap_or(""));
    for attr in &element.attributes {
        out.push_str(match (layout.tall, layout.broken) {
            (true, _) => "\n  ",
            (false, true) => "\n",
            (false, false) => " ",
        });
        attribute(attr, layout, out);
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

/// Appends the closing tag.
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
            // A comment at the end must not include the closing brace.
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
