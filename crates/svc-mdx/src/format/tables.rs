//! Tables: columns that are aligned, unless the table is wide and was not aligned before.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use crate::{Align, Kind, Node, walk};

use super::{Change, Page};

/// Maximum width of a table whose columns are always aligned. Cells of wider ones are only padded if
/// the delimiter row is that wide too, as it is in an aligned table.
const MAX_ALIGNED_WIDTH: usize = 120;
/// Minimum width of a column: that of a delimiter cell.
const MIN_COLUMN_WIDTH: usize = 3;

/// Writes the rows of tables with pipes at both ends and one space around each cell, or as many as
/// align the columns.
pub(super) fn changes(page: &Page<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    walk(&page.document.children, |node, _| {
        if let Kind::Table { align, children } = &node.kind {
            changes.extend(change(page, align, children));
        }
        true
    });
    changes
}

fn change(page: &Page<'_>, align: &[Align], rows: &[Node]) -> Option<Change> {
    let cells = |row: &Node| -> Vec<&str> {
        let cells = row.children().iter();
        cells.map(|cell| page.slice(cell.span.range())).collect()
    };
    let texts: Vec<Vec<&str>> = rows.iter().map(cells).collect();
    let mut widths = vec![MIN_COLUMN_WIDTH; align.len()];
    for row in &texts {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let total = widths.iter().map(|width| width + 3).sum::<usize>() + 1;
    let delimiters = delimiter_range(page, rows.first()?)?;
    if total > MAX_ALIGNED_WIDTH && delimiters.len() <= MAX_ALIGNED_WIDTH {
        widths.clear();
    }
    let width = |column: usize| widths.get(column).copied().unwrap_or(0);
    let mut change = Change::default();
    for (row, texts) in rows.iter().zip(&texts) {
        let cells = texts.iter().enumerate().map(|(column, text)| {
            let align = align.get(column).copied().unwrap_or(Align::None);
            padded(text, width(column), align)
        });
        change = change.and(row_range(page, row), line(cells));
    }
    let cells = align.iter().enumerate();
    let cells = cells.map(|(column, align)| delimiter(*align, width(column)));
    change.and(delimiters, line(cells)).of(page.text)
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let mut out = String::from("|");
    for cell in cells {
        if !cell.is_empty() {
            out.push(' ');
            out.push_str(&cell);
        }
        out.push_str(" |");
    }
    out
}

/// A cell with spaces up to a width, before it, after it or at both ends.
fn padded(text: &str, width: usize, align: Align) -> String {
    let spaces = width.saturating_sub(text.width());
    let before = match align {
        Align::None | Align::Left => 0,
        Align::Right => spaces,
        Align::Center => spaces / 2,
    };
    let (before, after) = (" ".repeat(before), " ".repeat(spaces - before));
    format!("{before}{text}{after}")
}

fn delimiter(align: Align, width: usize) -> String {
    let (before, after) = match align {
        Align::None => ("", ""),
        Align::Left => (":", ""),
        Align::Right => ("", ":"),
        Align::Center => (":", ":"),
    };
    let width = width.max(MIN_COLUMN_WIDTH) - before.len() - after.len();
    format!("{before}{}{after}", "-".repeat(width))
}

/// The range of a row without white space at its ends.
fn row_range(page: &Page<'_>, row: &Node) -> Range<usize> {
    let range = row.span.range();
    let text = page.slice(range.clone());
    range.start..range.start + text.trim_end_matches([' ', '\t']).len()
}

/// The range of the delimiter row, which is not in the tree, after the markers of containers.
fn delimiter_range(page: &Page<'_>, head: &Node) -> Option<Range<usize>> {
    let line = page.line(page.line_of(head.span.range().end) + 1);
    let text = page.slice(line.clone());
    let start = text.rfind(|c| !matches!(c, '|' | ':' | '-' | ' ' | '\t'));
    let start = start.map_or(0, |at| at + 1);
    let text = text.get(start..)?;
    let blank = text.len() - text.trim_start_matches([' ', '\t']).len();
    let start = line.start + start + blank;
    Some(start..start + text.trim_matches([' ', '\t']).len())
}
