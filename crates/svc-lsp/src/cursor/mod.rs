//! What is at a position of a text, which may be incomplete because it is being written.

mod json;
mod page;
mod tag;

use std::ops::Range;

pub(crate) use json::json_cursor;
pub(crate) use page::page_cursor;

/// A step into a JSON document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// The value of a key.
    Key(String),
    /// An item of an array.
    Item,
}

/// What is at a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A key of JSON, in the object at a path.
    Key(Vec<Step>),
    /// A value of JSON at a path.
    Value(Vec<Step>),
    /// The name of a field of front matter.
    Field,
    /// The value of a field of front matter.
    FieldValue(String),
    /// The name of a tag.
    Tag {
        /// Whether it is in a closing tag.
        closing: bool,
    },
    /// The name of an attribute of a tag.
    Attribute {
        /// The tag.
        tag: String,
    },
    /// The text value of an attribute of a tag.
    AttributeValue {
        /// The tag.
        tag: String,
        /// The attribute.
        name: String,
    },
    /// The destination of a Markdown link.
    Link,
    /// The source of a Markdown image.
    Image,
    /// The file of an import.
    Import,
}

/// What is at a position, and its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) target: Target,
    /// Span of the text, without quotes.
    pub(crate) span: Range<usize>,
    /// Whether the text is in quotes.
    pub(crate) quoted: bool,
}

impl Cursor {
    const fn new(target: Target, span: Range<usize>, quoted: bool) -> Self {
        Self {
            target,
            span,
            quoted,
        }
    }
}

/// The line that contains an offset, without its line ending.
fn line_at(text: &str, offset: usize) -> Range<usize> {
    let before = text.get(..offset).unwrap_or_default();
    let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let after = text.get(offset..).unwrap_or_default();
    let end = after.find(['\n', '\r']).unwrap_or(after.len());
    start..offset + end
}

/// The text in the quotes that begin at an offset, which may not be closed.
fn quoted(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let quote = text.get(start..)?.chars().next()?;
    let inside = text.get(start + 1..end)?;
    let length = inside.find(quote).unwrap_or(inside.len());
    Some(start + 1..start + 1 + length)
}
