//! Indentation: two spaces inside of elements, and the width of the marker inside of lists.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::{Element, Kind, Node};

use super::{Change, Page, attributes::tag_end};

/// Spaces inside of an element and before its attributes.
const INDENT: usize = 2;

/// Indents the blocks of the page. A block with an expression, module or attribute of several lines
/// that would have to be moved stays as it is.
pub(super) fn changes(page: &Page<'_>) -> Vec<Change> {
    let nodes = page.document.children.iter();
    nodes.filter_map(|node| change(page, node)).collect()
}

fn change(page: &Page<'_>, node: &Node) -> Option<Change> {
    let mut plan = Plan {
        page,
        lines: BTreeMap::new(),
        change: Change::default(),
    };
    let start = node.span.range().start;
    if page.starts_line(start) {
        plan.block(node, Position::own_line(page, node, 0))?;
    }
    let Plan { lines, change, .. } = plan;
    let indents = lines.into_iter().map(|(index, indent)| {
        let old = page.indent(index);
        let new = indent.apply(page.slice(old.clone()), page.is_blank_line(index));
        (old, new)
    });
    let change = indents.fold(change, |change, (old, new)| change.and(old, new));
    change.of(page.text)
}

/// The white space at the start of a line.
#[derive(Debug, Clone, Copy)]
enum Indent {
    /// This many spaces.
    Spaces(usize),
    /// More spaces, or fewer.
    Shift(isize),
}

impl Indent {
    fn apply(self, old: &str, is_blank: bool) -> String {
        match self {
            Self::Spaces(count) => " ".repeat(count),
            // A blank line of code may be shorter than the indentation.
            Self::Shift(by) if by > 0 && is_blank && old.is_empty() => String::new(),
            Self::Shift(by) if by > 0 => " ".repeat(by.unsigned_abs()) + old,
            Self::Shift(by) => {
                let spaces = old.len() - old.trim_start_matches(' ').len();
                let removed = spaces.min(by.unsigned_abs());
                old.get(removed..).unwrap_or("").to_owned()
            }
        }
    }
}

/// The columns of a block.
#[derive(Debug, Clone, Copy)]
struct Position {
    /// New column.
    target: usize,
    /// Distance from the old column.
    shift: isize,
    /// The block begins on its own line, not after the marker of a list item.
    is_on_own_line: bool,
}

impl Position {
    fn own_line(page: &Page<'_>, node: &Node, target: usize) -> Self {
        Self {
            target,
            shift: distance(page.column(node.span.range().start), target),
            is_on_own_line: true,
        }
    }
}

fn distance(from: usize, to: usize) -> isize {
    to.cast_signed() - from.cast_signed()
}

/// The new indentation of the lines of a block. Methods return `None` if the block is to stay.
struct Plan<'a> {
    page: &'a Page<'a>,
    lines: BTreeMap<usize, Indent>,
    change: Change,
}

impl Plan<'_> {
    /// The lines of a range, without the first one if it begins with something else.
    fn lines_of(&self, range: Range<usize>, with_first: bool) -> Range<usize> {
        let first = self.page.line_of(range.start);
        let last = self
            .page
            .line_of(range.end.saturating_sub(1).max(range.start));
        first + usize::from(!with_first)..last + 1
    }

    fn set(&mut self, lines: Range<usize>, indent: Indent) {
        self.lines.extend(lines.map(|index| (index, indent)));
    }

    /// Moves all lines of a range by the same distance.
    fn shift(&mut self, node: &Node, at: Position) -> Option<()> {
        let lines = self.lines_of(node.span.range(), at.is_on_own_line);
        if at.shift != 0 && has_lines_of_script(self.page, node) {
            return None;
        }
        self.set(lines, Indent::Shift(at.shift));
        Some(())
    }

    fn block(&mut self, node: &Node, at: Position) -> Option<()> {
        match &node.kind {
            Kind::Element(element) if element.flow => self.element(node, element, at),
            Kind::List {
                ordered, children, ..
            } => children.iter().enumerate().try_for_each(|(index, item)| {
                // The first item of a list can follow the marker of an outer list.
                let at = match index {
                    0 => at,
                    _ => Position::own_line(self.page, item, at.target),
                };
                self.item(item, *ordered, at)
            }),
            Kind::Paragraph(children) | Kind::Heading { children, .. }
                if !children
                    .iter()
                    .any(|child| has_markup_of_lines(self.page, child)) =>
            {
                let lines = self.lines_of(node.span.range(), at.is_on_own_line);
                self.set(lines, Indent::Spaces(at.target));
                Some(())
            }
            Kind::Table { .. } | Kind::ThematicBreak => {
                let lines = self.lines_of(node.span.range(), at.is_on_own_line);
                self.set(lines, Indent::Spaces(at.target));
                Some(())
            }
            _ => self.shift(node, at),
        }
    }

    fn item(&mut self, item: &Node, is_ordered: bool, at: Position) -> Option<()> {
        let start = item.span.range().start;
        if at.is_on_own_line {
            let line = self.page.line_of(start);
            self.set(line..line + 1, Indent::Spaces(at.target));
        }
        let text = self
            .page
            .slice(start..self.page.line(self.page.line_of(start)).end);
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let marker = if is_ordered { digits + 1 } else { 1 };
        let rest = text.get(marker..)?;
        let content = rest.trim_start_matches([' ', '\t']);
        let column = self.page.column(start + text.len() - content.len());
        let target = at.target + marker + 1;
        let first_line = self.page.line_of(start);
        if !content.is_empty() {
            let gap = start + marker..start + text.len() - content.len();
            self.change = std::mem::take(&mut self.change).and(gap, " ");
        }
        item.children().iter().try_for_each(|child| {
            let start = child.span.range().start;
            let at = match self.page.line_of(start) == first_line {
                true => Position {
                    target,
                    shift: distance(column, target),
                    is_on_own_line: false,
                },
                false => Position::own_line(self.page, child, target),
            };
            self.block(child, at)
        })
    }

    fn element(&mut self, node: &Node, element: &Element, at: Position) -> Option<()> {
        let page = self.page;
        let range = node.span.range();
        let first = page.line_of(range.start);
        if at.is_on_own_line {
            self.set(first..first + 1, Indent::Spaces(at.target));
        }
        let mut end = element.name_span.range().end;
        for attribute in &element.attributes {
            let attribute = attribute.span.range();
            let line = page.line_of(attribute.start);
            let mut shift = at.shift;
            if page.starts_line(attribute.start) && line > first {
                let target = at.target + INDENT;
                shift = distance(page.column(attribute.start), target);
                self.set(line..line + 1, Indent::Spaces(target));
            }
            let has_lines = page.slice(attribute.clone()).contains('\n');
            if has_lines && shift != 0 {
                return None;
            }
            end = attribute.end;
        }
        let close = tag_end(page, end).start;
        let line = page.line_of(close);
        if page.starts_line(close) && line > first {
            self.set(line..line + 1, Indent::Spaces(at.target));
        }
        for child in &element.children {
            let start = child.span.range().start;
            let inside = Position::own_line(page, child, at.target + INDENT);
            let at = match page.starts_line(start) {
                true => inside,
                false => Position {
                    is_on_own_line: false,
                    ..at
                },
            };
            match page.starts_line(start) {
                true => self.block(child, at)?,
                false => self.shift(child, at)?,
            }
        }
        let last = page.line_of(range.end.saturating_sub(1));
        let is_closing = page
            .slice(page.indent(last).end..range.end)
            .starts_with("</");
        if is_closing && last > first {
            self.set(last..last + 1, Indent::Spaces(at.target));
        }
        Some(())
    }
}

/// Whether a node has an expression, a module or an attribute of several lines.
fn has_lines_of_script(page: &Page<'_>, node: &Node) -> bool {
    let has_lines = |range: Range<usize>| page.slice(range).contains('\n');
    let mut any = false;
    crate::walk(std::slice::from_ref(node), |node, _| {
        any |= match &node.kind {
            Kind::Esm(_) | Kind::Expression { .. } => has_lines(node.span.range()),
            Kind::Element(element) => {
                let mut attributes = element.attributes.iter();
                attributes.any(|attribute| has_lines(attribute.span.range()))
            }
            _ => false,
        };
        !any
    });
    any
}

/// Whether inline content has a tag or an expression of several lines, whose lines are aligned with
/// each other.
fn has_markup_of_lines(page: &Page<'_>, node: &Node) -> bool {
    let mut any = false;
    crate::walk(std::slice::from_ref(node), |node, _| {
        any |= matches!(node.kind, Kind::Element(_) | Kind::Expression { .. })
            && page.slice(node.span.range()).contains('\n');
        !any
    });
    any
}
