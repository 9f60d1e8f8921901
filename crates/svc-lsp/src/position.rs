//! Positions of the protocol, and byte offsets.

use std::ops::Range;

use lsp_types::{Position, PositionEncodingKind};
use svc_diagnostics::Span;

/// Unit in which a client counts the characters of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, the default of the protocol.
    #[default]
    Utf16,
}

impl Encoding {
    /// Selects the encoding: UTF-8 if the client offers it.
    pub(crate) fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Self {
        let offered = offered.unwrap_or_default();
        match offered.contains(&PositionEncodingKind::UTF8) {
            true => Self::Utf8,
            false => Self::Utf16,
        }
    }

    pub(crate) const fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn length(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
        }
    }
}

/// Converts between positions and byte offsets of one text. Lines end with `\n`, `\r\n` or `\r`.
#[derive(Debug)]
pub(crate) struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'a> LineIndex<'a> {
    pub(crate) fn new(text: &'a str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends = *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends {
                starts.push(at + 1);
            }
        }
        Self {
            text,
            starts,
            encoding,
        }
    }

    /// The line that contains an offset, without its line ending.
    pub(crate) fn line_at(&self, offset: usize) -> Range<usize> {
        let line = self.starts.partition_point(|start| *start <= offset).max(1) - 1;
        self.line(line)
    }

    fn line(&self, line: usize) -> Range<usize> {
        let Some(start) = self.starts.get(line).copied() else {
            return self.text.len()..self.text.len();
        };
        let end = self.starts.get(line + 1).copied();
        let line = self.text.get(start..end.unwrap_or(self.text.len()));
        let line = line.unwrap_or_default().trim_end_matches(['\r', '\n']);
        start..start + line.len()
    }

    /// The byte offset of a position. A position after the end of its line is the end of the line,
    /// one after the last line is the end of the text, and one inside of a character is its start.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let line = self.line(position.line as usize);
        let mut left = position.character as usize;
        let inside = self.text.get(line.clone()).unwrap_or_default();
        for (at, character) in inside.char_indices() {
            let length = self.encoding.length(character);
            if left < length {
                return line.start + at;
            }
            left -= length;
        }
        line.end
    }

    /// The position of a byte offset. An offset after the end of the text is the end of the text.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset.min(self.text.len()));
        let line = self.starts.partition_point(|start| *start <= offset).max(1) - 1;
        let start = self.starts.get(line).copied().unwrap_or_default();
        let before = self.text.get(start..offset).unwrap_or_default();
        let character = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.encode_utf16().count(),
        };
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position::new(number(line), number(character))
    }

    pub(crate) fn range(&self, range: Range<usize>) -> lsp_types::Range {
        lsp_types::Range::new(self.position(range.start), self.position(range.end))
    }

    pub(crate) fn range_of(&self, span: Span) -> lsp_types::Range {
        self.range(span.range())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_positions_agree_for_all_characters_and_line_endings() {
        let text = "a😀é\r\nb\rc\n\n€";
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let index = LineIndex::new(text, encoding);
            for (offset, character) in text.char_indices() {
                if !matches!(character, '\r' | '\n') {
                    assert_eq!(index.offset(index.position(offset)), offset, "{offset}");
                }
            }
        }
        let index = LineIndex::new(text, Encoding::Utf16);
        assert_eq!(index.position(5), Position::new(0, 3));
        assert_eq!(index.position(text.len()), Position::new(4, 1));
    }

    #[test]
    fn positions_out_of_range_are_clamped() {
        let text = "a😀\nb";
        let index = LineIndex::new(text, Encoding::Utf16);
        // The second half of a surrogate pair.
        assert_eq!(index.offset(Position::new(0, 2)), 1);
        assert_eq!(index.offset(Position::new(0, 99)), 5);
        assert_eq!(index.offset(Position::new(9, 0)), text.len());
        assert_eq!(index.offset(Position::new(u32::MAX, u32::MAX)), text.len());
        assert_eq!(index.position(3), index.position(1));
        assert_eq!(index.position(99), Position::new(1, 1));
    }
}
