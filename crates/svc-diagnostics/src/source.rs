//! A text with its path, and places in it.

use std::sync::{Arc, OnceLock};

use serde::Serialize;

use crate::Span;

/// Line and column, both counted from 1; columns count Unicode scalar values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// A range in a named file, resolved to lines and columns.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// Path of the file, relative to the repository, with `/`.
    pub file: Arc<str>,
    /// Byte range.
    pub span: Span,
    /// First character.
    pub start: Position,
    /// One past the last character.
    pub end: Position,
}

/// A text with its path. Cloning is cheap; lines are counted on the first question only.
#[derive(Debug, Clone)]
pub struct SourceFile {
    path: Arc<str>,
    text: Arc<str>,
    line_index: Arc<OnceLock<LineIndex>>,
}

/// Where lines start, and how many characters stand before every [`BLOCK`]th byte: a column far
/// into a long line (a minified document) must not cost a walk over that line.
#[derive(Debug)]
struct LineIndex {
    starts: Vec<u32>,
    characters: Vec<u32>,
}

const BLOCK: usize = 512;

impl LineIndex {
    fn new(text: &str) -> Self {
        let mut lines = Self {
            starts: vec![0],
            characters: Vec::new(),
        };
        let mut characters = 0;
        for (block, bytes) in text.as_bytes().chunks(BLOCK).enumerate() {
            lines.characters.push(characters);
            let begun = bytes.iter().filter(|byte| begins_character(**byte)).count();
            characters += u32::try_from(begun).unwrap_or(u32::MAX);
            for (at, byte) in bytes.iter().enumerate() {
                if *byte == b'\n' {
                    let next = block * BLOCK + at + 1;
                    lines.starts.push(u32::try_from(next).unwrap_or(u32::MAX));
                }
            }
        }
        lines
    }

    fn characters_before(&self, text: &str, offset: usize) -> u32 {
        let Some(known) = self.characters.get(offset / BLOCK) else {
            // The text ends exactly at a block: count on from the block before.
            return self.characters.last().map_or(0, |known| {
                known + count(text, (self.characters.len() - 1) * BLOCK..offset)
            });
        };
        known + count(text, offset / BLOCK * BLOCK..offset)
    }
}

fn count(text: &str, range: std::ops::Range<usize>) -> u32 {
    let bytes = text.as_bytes().get(range).unwrap_or(&[]);
    let found = bytes.iter().filter(|byte| begins_character(**byte)).count();
    u32::try_from(found).unwrap_or(u32::MAX)
}

const fn begins_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

impl SourceFile {
    /// A file of the repository.
    pub fn new(path: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            line_index: Arc::default(),
        }
    }

    /// The path.
    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// The text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The text of a range; empty when the range does not fit the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of a byte offset; an offset past the end means the end.
    pub fn position(&self, offset: u32) -> Position {
        self.position_in(self.line(offset), offset)
    }

    fn line_index(&self) -> &LineIndex {
        self.line_index.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The number of the line, from 1.
    fn line(&self, offset: u32) -> usize {
        let starts = &self.line_index().starts;
        starts.partition_point(|start| *start <= offset).max(1)
    }

    fn position_in(&self, line: usize, offset: u32) -> Position {
        let lines = self.line_index();
        let start = lines
            .starts
            .get(line - 1)
            .map_or(0, |start| *start as usize);
        let mut end = (offset as usize).clamp(start, self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let column = if end - start <= BLOCK {
            count(&self.text, start..end)
        } else {
            let before = |offset| lines.characters_before(&self.text, offset);
            before(end).saturating_sub(before(start))
        };
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: column + 1,
        }
    }

    /// The place of a range.
    pub fn location(&self, span: Span) -> Location {
        let line = self.line(span.start);
        // Most ranges end in the line in which they begin.
        let next = self.line_index().starts.get(line);
        let last = if span.end >= span.start && next.is_none_or(|next| span.end < *next) {
            line
        } else {
            self.line(span.end)
        };
        let start = self.position_in(line, span.start);
        let inside = if last == line {
            self.text.get(span.range())
        } else {
            None
        };
        let end = match inside {
            // Counting on costs less than counting again.
            Some(inside) => Position {
                line: start.line,
                column: start.column + count(inside, 0..inside.len()),
            },
            None => self.position_in(last, span.end),
        };
        Location {
            file: self.path.clone(),
            span,
            start,
            end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_not_bytes() {
        let file = SourceFile::new("a.mdx", "é\nçx\n");
        assert_eq!(file.position(0), Position { line: 1, column: 1 });
        assert_eq!(file.position(5), Position { line: 2, column: 2 });
        assert_eq!(file.position(999), Position { line: 3, column: 1 });
    }

    #[test]
    fn columns_of_long_lines_agree_with_counting_them() {
        for length in [0, 1, 170, 171, 511, 512, 513, 1024, 1500] {
            let text = format!("a\n{}", "é€x".repeat(length));
            let file = SourceFile::new("a.json", text.clone());
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let from = text[..offset].rfind('\n').map_or(0, |at| at + 1);
                let column = u32::try_from(text[from..offset].chars().count()).unwrap() + 1;
                assert_eq!(file.position(u32::try_from(offset).unwrap()).column, column);
            }
        }
    }
}
