//! A piece of content without the markers of its containers, and the way back to the page.

use svc_diagnostics::Span;

/// Content text and where each part of it stands in the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    /// The content.
    pub(crate) text: String,
    /// Offset in `text`, offset in the page; sorted.
    parts: Vec<(usize, usize)>,
}

impl Source {
    /// Appends a part that stands at `at` in the page.
    pub(crate) fn push(&mut self, part: &str, at: usize) {
        let follows = self
            .parts
            .last()
            .is_some_and(|(here, page)| self.text.len() - here == at.wrapping_sub(*page));
        if !follows {
            self.parts.push((self.text.len(), at));
        }
        self.text.push_str(part);
    }

    /// Appends spaces that are part of a tab in the page.
    pub(crate) fn push_spaces(&mut self, count: usize, at: usize) {
        if count > 0 {
            self.parts.push((self.text.len(), at));
            self.text.extend(std::iter::repeat_n(' ', count));
        }
    }

    /// Removes the first `count` bytes.
    pub(crate) fn cut(&mut self, count: usize) {
        let at = self.place(count);
        self.text.drain(..count.min(self.text.len()));
        self.parts.retain(|(here, _)| *here > count);
        for (here, _) in &mut self.parts {
            *here -= count;
        }
        self.parts.insert(0, (0, at));
    }

    /// The place in the page of an offset in the content.
    pub(crate) fn place(&self, offset: usize) -> usize {
        let index = self.parts.partition_point(|(here, _)| *here <= offset);
        let Some((here, page)) = index.checked_sub(1).and_then(|index| self.parts.get(index))
        else {
            return offset;
        };
        page + (offset - here)
    }

    /// The span in the page of a range of the content.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let last = if end > start {
            self.place(end - 1) + 1
        } else {
            self.place(end)
        };
        Span::from_range(self.place(start)..last)
    }

    /// [`Self::span`] for a range that was kept as a span.
    pub(crate) fn relocate(&self, span: Span) -> Span {
        self.span(span.start as usize, span.end as usize)
    }
}
