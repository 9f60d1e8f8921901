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
    lines: Arc<OnceLock<Vec<u32>>>,
}

impl SourceFile {
    /// A file of the repository.
    pub fn new(path: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self { path: path.into(), text: text.into(), lines: Arc::default() }
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
        let lines = self.lines.get_or_init(|| {
            let starts = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0)
                .chain(starts.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX)))
                .collect()
        });
        let line = lines.partition_point(|start| *start <= offset).max(1);
        let start = lines[line - 1] as usize;
        let mut end = (offset as usize).clamp(start, self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let column = self.text[start..end].chars().count() + 1;
        let cut = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position { line: cut(line), column: cut(column) }
    }

    /// The place of a range.
    pub fn location(&self, span: Span) -> Location {
        Location {
            file: self.path.clone(),
            span,
            start: self.position(span.start),
            end: self.position(span.end),
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
}
