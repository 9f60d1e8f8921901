//! Blank lines: one between blocks, none at both ends.

use crate::{Kind, Node, walk};

use super::{Change, Page, page::is_blank};

/// Reduces several blank lines to one, inserts a blank line between blocks that have none, and ends
/// the page with one line ending.
pub(super) fn changes(page: &Page<'_>) -> Vec<Change> {
    let mut changes = runs(page);
    let children = &page.document.children;
    let front = page.document.front_matter.as_ref();
    if let (Some(front), Some(first)) = (front, children.first()) {
        let gap = front.span.range().end..first.span.range().start;
        let gap = gap.start..gap.end - trailing_indent(page.slice(gap.clone()));
        if page.slice(gap.clone()).trim().is_empty() {
            changes.extend(Change::new(gap, "\n\n").of(page.text));
        }
    }
    between(page, children, &mut changes);
    walk(children, |node, _| {
        if let Kind::Element(element) = &node.kind
            && element.flow
        {
            between(page, &element.children, &mut changes);
        }
        true
    });
    changes
}

/// Blank lines that follow another one, or are at an end of the page.
fn runs(page: &Page<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    let front = page.document.front_matter.as_ref();
    let is_text = |front: &crate::FrontMatter| page.line_of(front.span.range().end) + 1;
    let mut index = front.map_or(0, is_text);
    let first = index;
    let blank = |index: usize| {
        index < page.line_count() && page.is_blank_line(index) && !is_inside(page, index)
    };
    while index < page.line_count() {
        let start = index;
        while blank(index) {
            index += 1;
        }
        let is_start = start == first && front.is_none();
        let is_end = index == page.line_count();
        let retained = match (is_start, is_end) {
            (true, true) => None,
            (true, false) | (false, true) => Some(0),
            // The lines after front matter are handled together with those that are missing.
            (false, false) if start == first => Some(usize::MAX),
            (false, false) => Some(1),
        };
        match retained {
            None => changes.extend(Change::new(0..page.text.len(), "").of(page.text)),
            // The last line ending belongs to the line before.
            Some(_) if is_end => {
                let end = page.line(start.saturating_sub(1)).end;
                changes.extend(Change::new(end..page.text.len(), "\n").of(page.text));
            }
            Some(retained) if index - start > retained => {
                let range = page.line_start(start + retained)..page.line_start(index);
                changes.push(Change::new(range, ""));
            }
            Some(_) => {}
        }
        index = index.max(start + 1);
        while index < page.line_count() && !blank(index) {
            index += 1;
        }
    }
    let end = page.text.len();
    if !page.text.ends_with('\n') && !page.is_blank_line(page.line_of(end)) {
        changes.push(Change::new(end..end, "\n"));
    }
    changes
}

/// Whether the line ending before a line is inside of code or an expression.
fn is_inside(page: &Page<'_>, index: usize) -> bool {
    let start = page.line_start(index);
    start > 0 && page.is_literal(start - 1)
}

/// Blank lines between siblings that are on lines in a row.
fn between(page: &Page<'_>, nodes: &[Node], changes: &mut Vec<Change>) {
    for pair in nodes.windows(2) {
        let [before, after] = pair else { continue };
        let (end, start) = (before.span.range().end, after.span.range().start);
        let gap = page.slice(end..start);
        if let Some((first, second)) = gap.split_once('\n')
            && is_blank(first)
            && is_blank(second)
            && are_separate(before, after)
        {
            changes.push(Change::new(end..end, "\n"));
        }
    }
}

/// Whether a blank line is between two blocks: not between elements, between definitions, and next
/// to expressions, which are often comments about the next block.
fn are_separate(before: &Node, after: &Node) -> bool {
    let is_element = |node: &Node| matches!(node.kind, Kind::Element(_));
    let is_definition = |node: &Node| {
        matches!(
            node.kind,
            Kind::Definition { .. } | Kind::FootnoteDefinition { .. }
        )
    };
    let is_expression = |node: &Node| matches!(node.kind, Kind::Expression { .. });
    !(is_expression(before)
        || is_expression(after)
        || (is_element(before) && is_element(after))
        || (is_definition(before) && is_definition(after)))
}

/// Length of the white space after the last line ending.
fn trailing_indent(gap: &str) -> usize {
    gap.len() - gap.trim_end_matches([' ', '\t']).len()
}
