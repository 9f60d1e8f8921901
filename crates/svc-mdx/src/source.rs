//! Content without the markers of its containers, with a mapping of offsets to the page. Text is
//! copied only if there are markers in between.

use std::borrow::Cow;
use std::collections::VecDeque;

use svc_diagnostics::Span;

use crate::step_counter;

/// Converts an offset or index to 32 bits, as in spans.
pub(crate) fn to_u32(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Concatenated parts of the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct JoinedText<'a> {
    page: &'a str,
    text: Cow<'a, str>,
    /// Offset of the first part in the page.
    start: usize,
}

impl<'a> JoinedText<'a> {
    /// Creates an empty text.
    pub(crate) const fn new(page: &'a str) -> Self {
        Self {
            page,
            text: Cow::Borrowed(""),
            start: 0,
        }
    }

    /// Returns the text of all parts.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Appends the part `from..to` of the page.
    pub(crate) fn push(&mut self, from: usize, to: usize) {
        let part = self.page.get(from..to).unwrap_or("");
        match &mut self.text {
            Cow::Borrowed("") => {
                self.start = from;
                self.text = Cow::Borrowed(part);
            }
            Cow::Borrowed(text) if self.start + text.len() == from => {
                *text = self.page.get(self.start..from + part.len()).unwrap_or(text);
            }
            text => {
                step_counter::tick(part.len());
                text.to_mut().push_str(part);
            }
        }
    }

    /// Appends spaces that are part of a tab in the page.
    pub(crate) fn push_spaces(&mut self, count: usize) {
        if count > 0 {
            self.text.to_mut().extend(std::iter::repeat_n(' ', count));
        }
    }

    fn cut(&mut self, count: usize) {
        match &mut self.text {
            Cow::Borrowed(text) => *text = text.get(count..).unwrap_or(""),
            Cow::Owned(text) => {
                step_counter::tick(text.len());
                text.drain(..count.min(text.len()));
            }
        }
    }
}

/// Content text with the offset of each part in the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct MappedText<'a> {
    joined: JoinedText<'a>,
    /// Offsets in the text with the corresponding offsets in the page, sorted. Empty if there is
    /// only one part.
    parts: Vec<(usize, usize)>,
}

impl<'a> MappedText<'a> {
    /// Creates an empty text.
    pub(crate) const fn new(page: &'a str) -> Self {
        Self {
            joined: JoinedText::new(page),
            parts: Vec::new(),
        }
    }

    /// Creates the content `from..to` of the page.
    pub(crate) fn from_range(page: &'a str, from: usize, to: usize) -> Self {
        let mut source = Self::new(page);
        source.push(from, to);
        source
    }

    /// Returns the content.
    pub(crate) fn text(&self) -> &str {
        self.joined.text()
    }

    /// Appends the part `from..to` of the page.
    pub(crate) fn push(&mut self, from: usize, to: usize) {
        let length = self.text().len();
        if let Some((here, page)) = self.parts.last() {
            if length - here != from.wrapping_sub(*page) {
                self.parts.push((length, from));
            }
        } else if length > 0 && self.joined.start + length != from {
            self.parts.extend([(0, self.joined.start), (length, from)]);
        }
        self.joined.push(from, to);
    }

    /// Appends spaces that are part of a tab at `at` in the page.
    pub(crate) fn push_spaces(&mut self, count: usize, at: usize) {
        if count == 0 {
            return;
        }
        let length = self.text().len();
        if self.parts.is_empty() && length > 0 {
            self.parts.push((0, self.joined.start));
        }
        self.parts.push((length, at));
        self.joined.push_spaces(count);
    }

    /// Removes the first `count` bytes.
    pub(crate) fn cut(&mut self, count: usize) {
        let at = self.page_offset(count);
        self.joined.cut(count);
        self.joined.start = at;
        if !self.parts.is_empty() {
            step_counter::tick(self.parts.len());
            self.parts.retain(|(here, _)| *here > count);
            for (here, _) in &mut self.parts {
                *here -= count;
            }
            self.parts.insert(0, (0, at));
        }
    }

    /// Removes all but the first `length` bytes.
    pub(crate) fn truncate(&mut self, length: usize) {
        match &mut self.joined.text {
            Cow::Borrowed(text) => *text = text.get(..length).unwrap_or(text),
            Cow::Owned(text) => text.truncate(length),
        }
    }

    /// Converts an offset in the content to an offset in the page.
    pub(crate) fn page_offset(&self, offset: usize) -> usize {
        if self.parts.is_empty() {
            return self.joined.start + offset;
        }
        let index = self.parts.partition_point(|(here, _)| *here <= offset);
        let Some((here, page)) = index.checked_sub(1).and_then(|index| self.parts.get(index))
        else {
            return offset;
        };
        page + (offset - here)
    }

    /// Converts a range of the content to a span in the page.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let last = if end > start {
            self.page_offset(end - 1) + 1
        } else {
            self.page_offset(end)
        };
        Span::from_range(self.page_offset(start)..last)
    }

    /// Converts a span of the content to a span in the page; see [`Self::span`].
    pub(crate) fn relocate(&self, span: Span) -> Span {
        self.span(span.start as usize, span.end as usize)
    }
}

/// Queue of content for the second pass, in the order of the tree. Most content equals a range of
/// the page, of which only the offsets are stored.
#[derive(Debug, Default)]
pub(crate) struct InlineQueue<'a> {
    page: &'a str,
    queue: VecDeque<Content<'a>>,
}

#[derive(Debug)]
enum Content<'a> {
    /// Offsets in the page.
    Plain {
        start: u32,
        end: u32,
    },
    Mapped(Box<MappedText<'a>>),
}

impl<'a> InlineQueue<'a> {
    /// Creates an empty queue for a page.
    pub(crate) const fn new(page: &'a str) -> Self {
        Self {
            page,
            queue: VecDeque::new(),
        }
    }

    fn content(source: MappedText<'a>) -> Content<'a> {
        if let Cow::Borrowed(text) = source.joined.text
            && source.parts.is_empty()
        {
            let start = source.joined.start;
            let Span { start, end } = Span::from_range(start..start + text.len());
            return Content::Plain { start, end };
        }
        Content::Mapped(Box::new(source))
    }

    /// Adds content at the end.
    pub(crate) fn push(&mut self, source: MappedText<'a>) {
        self.queue.push_back(Self::content(source));
    }

    /// Puts back the content that was taken last.
    pub(crate) fn put_back(&mut self, source: MappedText<'a>) {
        self.queue.push_front(Self::content(source));
    }

    /// Takes the first content.
    pub(crate) fn take(&mut self) -> Option<MappedText<'a>> {
        Some(match self.queue.pop_front()? {
            Content::Plain { start, end } => {
                MappedText::from_range(self.page, start as usize, end as usize)
            }
            Content::Mapped(source) => *source,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_in_a_row_are_not_copied() {
        let page = "> one\n> two";
        let mut source = MappedText::from_range(page, 2, 5);
        source.push(5, 6);
        assert!(matches!(source.joined.text, Cow::Borrowed("one\n")));
        source.push(8, 11);
        assert_eq!(source.text(), "one\ntwo");
        assert_eq!((source.page_offset(3), source.page_offset(4)), (5, 8));
        source.cut(5);
        assert_eq!((source.text(), source.page_offset(0)), ("wo", 9));
    }
}
