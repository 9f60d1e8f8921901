//! Source files, and locations in them.

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

/// A span of a file, resolved to lines and columns.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// Path of the file, relative to the repository, with `/`.
    pub file: Arc<str>,
    /// Byte range in the file.
    pub span: Span,
    /// Position of the first character.
    pub start: Position,
    /// Position after the last character.
    pub end: Position,
}

/// A text with its path. Cheap to clone; the index of lines is built on first use.
#[derive(Debug, Clone)]
pub struct SourceFile {
    path: Arc<str>,
    text: Arc<str>,
    line_index: Arc<OnceLock<LineIndex>>,
}

/// Start offsets of lines, and the number of characters before every [`BLOCK`]th byte, so that a
/// column in a very long line (a minified document) is found without scanning that line.
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
        let Some(count_before) = self.characters.get(offset / BLOCK) else {
            // The text ends exactly at a block: continue from the previous block.
            return self.characters.last().map_or(0, |count_before| {
                count_before + count(text, (self.characters.len() - 1) * BLOCK..offset)
            });
        };
        count_before + count(text, offset / BLOCK * BLOCK..offset)
    }
}

fn count(text: &str, range: std::ops::Range<usize>) -> u32 {
    let bytes = text.as_bytes().get(range).unwrap_or(&[]);
    let characters = bytes.iter().filter(|byte| begins_character(**byte)).count();
    u32::try_from(characters).unwrap_or(u32::MAX)
}

const fn begins_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

impl SourceFile {
    /// Creates a source file from its path and text.
    pub fn new(path: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            line_index: Arc::default(),
        }
    }

    /// Path of the file.
    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// Text of the file.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the text of a span, or an empty string if the span is out of bounds or splits a
    /// character.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Returns line and column of a byte offset. An offset past the end is clamped to the end.
    pub fn position(&self, offset: u32) -> Position {
        self.position_in(self.line(offset), offset)
    }

    fn line_index(&self) -> &LineIndex {
        self.line_index.get_or_init(|| LineIndex::new(&self.text))
    }

    /// Number of the line that contains the offset, from 1.
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

    /// Resolves a span to a location in this file.
    pub fn location(&self, span: Span) -> Location {
        let line = self.line(span.start);
        // Most spans end on the line on which they begin.
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
            // Counting from the start of the span is cheaper than counting from the start of the
            // line.
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
