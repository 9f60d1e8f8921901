//! Byte ranges.

use std::ops::Range;

/// A half-open range of byte offsets in one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span `start..end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Converts a range; offsets above `u32::MAX` are clamped (texts are limited to 4 GiB before).
    pub fn from_range(range: Range<usize>) -> Self {
        let cut = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            start: cut(range.start),
            end: cut(range.end),
        }
    }

    /// Returns the span as a range for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the smallest span that contains both spans.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns the span moved by `by` bytes, for a text that is part of a larger one.
    #[must_use]
    pub const fn shifted(self, by: u32) -> Self {
        Self {
            start: self.start.saturating_add(by),
            end: self.end.saturating_add(by),
        }
    }
}
