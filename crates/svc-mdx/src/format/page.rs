//! A page for the rules: its text, tree and lines.

use std::ops::Range;

use crate::{AttributeKind, AttributeValue, Document, Kind, walk};

/// Columns between tab stops.
const TAB: usize = 4;

/// A page with the ranges of its lines and of the text that is never changed.
pub(super) struct Page<'a> {
    pub(super) text: &'a str,
    pub(super) document: &'a Document,
    /// Starts of the lines.
    starts: Vec<usize>,
    /// Ranges in which white space is content: code, formulas, expressions, modules and front
    /// matter, sorted.
    literals: Vec<Range<usize>>,
}

impl<'a> Page<'a> {
    /// Creates the page of a text and its tree.
    pub(super) fn new(text: &'a str, document: &'a Document) -> Self {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut literals = Vec::new();
        literals.extend(document.front_matter.iter().map(|front| front.span.range()));
        walk(&document.children, |node, _| {
            match &node.kind {
                Kind::Code { .. }
                | Kind::Math { .. }
                | Kind::Esm(_)
                | Kind::Expression { .. }
                | Kind::InlineCode(_)
                | Kind::InlineMath(_) => literals.push(node.span.range()),
                Kind::Element(element) => {
                    let values = element.attributes.iter().filter(|attribute| {
                        !matches!(
                            attribute.kind,
                            AttributeKind::Named {
                                value: AttributeValue::None,
                                ..
                            }
                        )
                    });
                    literals.extend(values.map(|attribute| attribute.span.range()));
                }
                _ => {}
            }
            true
        });
        literals.sort_by_key(|range| range.start);
        Self {
            text,
            document,
            starts: std::iter::once(0).chain(starts).collect(),
            literals,
        }
    }

    /// Returns a part of the text; empty if there is none.
    pub(super) fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or("")
    }

    /// Returns the number of lines.
    pub(super) fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the range of a line without its line ending.
    pub(super) fn line(&self, index: usize) -> Range<usize> {
        let start = self.line_start(index);
        let next = self.starts.get(index + 1);
        start..next.map_or(self.text.len(), |next| next - 1)
    }

    /// Returns the start of a line, or the end of the text if there is no such line.
    pub(super) fn line_start(&self, index: usize) -> usize {
        let start = self.starts.get(index);
        start.copied().unwrap_or(self.text.len())
    }

    /// Returns the index of the line that contains an offset.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1)
    }

    /// Returns the leading white space of a line.
    pub(super) fn indent(&self, index: usize) -> Range<usize> {
        let line = self.line(index);
        let rest = self.slice(line.clone());
        line.start..line.end - rest.trim_start_matches([' ', '\t']).len()
    }

    /// Whether only white space is before an offset in its line.
    pub(super) fn starts_line(&self, offset: usize) -> bool {
        let start = self.line_start(self.line_of(offset));
        is_blank(self.slice(start..offset))
    }

    /// Whether a line has only white space.
    pub(super) fn is_blank_line(&self, index: usize) -> bool {
        is_blank(self.slice(self.line(index)))
    }

    /// Returns the column of an offset, from 0, with tabs expanded.
    pub(super) fn column(&self, offset: usize) -> usize {
        let start = self.line_start(self.line_of(offset));
        let before = self.slice(start..offset).chars();
        before.fold(0, |column, c| match c {
            '\t' => column - column % TAB + TAB,
            _ => column + 1,
        })
    }

    /// Whether the white space at an offset is content.
    pub(super) fn is_literal(&self, offset: usize) -> bool {
        let after = self.literals.partition_point(|range| range.start <= offset);
        let before = self.literals.get(..after).unwrap_or_default();
        before.last().is_some_and(|range| offset < range.end)
    }
}

/// Whether a text is empty or white space of one line.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}
