//! Tables.

use super::inlines::inline;
use super::nodes::Element;

/// Maximum number of columns; further cells are added to the last one.
const MAX_COLUMNS: usize = 100;

/// A table of GFM. Cells that contain blocks are written in one line.
pub(super) fn table(element: &Element<'_>) -> String {
    let (mut rows, mut caption) = (Vec::new(), String::new());
    collect(element, &mut rows, &mut caption);
    rows.retain(|row: &Vec<String>| row.iter().any(|cell| !cell.is_empty()));
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    if columns == 0 {
        return caption;
    }
    let mut lines = Vec::with_capacity(rows.len() + 1);
    for (at, row) in rows.iter().enumerate() {
        let mut cells = row.clone();
        cells.resize(columns, String::new());
        lines.push(format!("| {} |", cells.join(" | ")));
        if at == 0 {
            lines.push(format!("|{}", " --- |".repeat(columns)));
        }
    }
    match caption.is_empty() {
        true => lines.join("\n"),
        false => format!("{caption}\n\n{}", lines.join("\n")),
    }
}

fn collect(element: &Element<'_>, rows: &mut Vec<Vec<String>>, caption: &mut String) {
    for child in element.child_elements() {
        match child.tag {
            "tr" => {
                let mut row: Vec<String> = Vec::new();
                for cell in child.child_elements() {
                    let text = inline(&cell.children);
                    let text = text.replace("\\\n", "<br>").replace('|', "\\|");
                    let is_full = row.len() >= MAX_COLUMNS;
                    match row.last_mut().filter(|_| is_full) {
                        Some(last) => {
                            last.push(' ');
                            last.push_str(&text);
                        }
                        None => row.push(text),
                    }
                }
                rows.push(row);
            }
            "caption" => *caption = inline(&child.children),
            _ => collect(child, rows, caption),
        }
    }
}
