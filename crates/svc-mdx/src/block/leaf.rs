//! The open leaf block.

use crate::{
    Align, Node,
    source::{JoinedText, to_u32},
};

use super::cursor::Cursor;

/// A line of a paragraph, not yet copied. Small, because a page may be one paragraph of short
/// lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    start: u32,
    pub(super) end: u32,
    /// Column of the cursor modulo four, as tabs reach to the next multiple of four.
    column: u8,
    spare: u8,
}

impl Line {
    /// Creates the line from the cursor to `end`, where its line ending begins.
    pub(crate) fn new(cursor: Cursor, end: usize) -> Self {
        let small = |n: usize| u8::try_from(n % 4).unwrap_or(0);
        Self {
            start: to_u32(cursor.pos),
            end: to_u32(end),
            column: small(cursor.column),
            spare: small(cursor.spare),
        }
    }

    /// Returns the cursor at the start of the line.
    pub(super) fn cursor(self) -> Cursor {
        Cursor {
            pos: self.start as usize,
            column: usize::from(self.column),
            spare: usize::from(self.spare),
        }
    }
}

/// An open fence.
#[derive(Debug)]
pub(crate) struct Fence<'a> {
    /// Offset of the opening fence.
    pub(crate) start: usize,
    pub(crate) mark: u8,
    pub(crate) size: usize,
    /// Columns before the opening fence.
    pub(crate) indent: usize,
    /// Range of the info string.
    pub(crate) info: (usize, usize),
    /// Content so far, with line endings.
    pub(crate) value: JoinedText<'a>,
    /// Range of the line ending of the last line, which is not yet in `value`.
    pub(crate) ending: (usize, usize),
}

/// The open leaf block.
#[derive(Debug, Default)]
pub(crate) enum Leaf<'a> {
    #[default]
    None,
    /// A paragraph, definitions, or the text of a heading. Its lines are in the parser.
    Paragraph,
    /// A table.
    Table {
        start: usize,
        align: Vec<Align>,
        rows: Vec<Node>,
    },
    /// A code or math block.
    Fence(Fence<'a>),
}

impl Leaf<'_> {
    /// Returns true if all lines belong to the leaf, whatever they contain.
    pub(crate) const fn is_concrete(&self) -> bool {
        matches!(self, Self::Fence(_))
    }

    /// Returns true for a paragraph, which only some blocks may interrupt.
    pub(crate) const fn is_content(&self) -> bool {
        matches!(self, Self::Paragraph)
    }
}
