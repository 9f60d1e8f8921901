//! A position in a line, with tabs counted as columns.

use memchr::memchr2;

use crate::step_counter;

/// A position in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// Byte offset in the page.
    pub(crate) pos: usize,
    /// Column, with tabs expanded to multiples of four.
    pub(crate) column: usize,
    /// Remaining columns of a tab before `pos`.
    pub(crate) spare: usize,
}

impl Cursor {
    /// Returns a cursor at the start of the line at `at`.
    pub(crate) const fn start(at: usize) -> Self {
        Self {
            pos: at,
            column: 0,
            spare: 0,
        }
    }

    /// Skips up to `max` columns of white space and returns how many were skipped.
    pub(crate) fn skip(&mut self, text: &str, max: usize) -> usize {
        let bytes = text.as_bytes();
        let start = self.pos;
        let mut end = 0;
        while end < max {
            if self.spare > 0 {
                let step = self.spare.min(max - end);
                self.spare -= step;
                self.column += step;
                end += step;
                continue;
            }
            match bytes.get(self.pos) {
                Some(b' ') => {
                    self.pos += 1;
                    self.column += 1;
                    end += 1;
                }
                Some(b'\t') => {
                    self.pos += 1;
                    self.spare = 4 - self.column % 4;
                }
                _ => break,
            }
        }
        step_counter::tick(1 + self.pos - start);
        end
    }

    /// Skips `count` bytes that are one column each.
    pub(crate) fn advance(&mut self, count: usize) {
        self.pos += count;
        self.column += count;
    }

    /// Returns true if only white space is left in the line.
    pub(crate) fn blank(self, text: &str) -> bool {
        let mut ahead = self;
        ahead.skip(text, usize::MAX);
        matches!(text.as_bytes().get(ahead.pos), None | Some(b'\n' | b'\r'))
    }
}

/// Returns the end of the line at `at`, without and with its line ending.
pub(crate) fn line_end(text: &str, at: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let rest = bytes.get(at..).unwrap_or(&[]);
    let length = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    step_counter::tick(1 + length);
    let end = at + length;
    (end, end + crate::text::line_ending(bytes, end))
}
