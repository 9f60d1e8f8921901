//! Tables in a horizontally scrollable box.

use svc_mdx::{Align, Kind, Node, plain_text};

use crate::ctx::Ctx;
use crate::html::Html;

pub(super) fn table(cx: &mut Ctx<'_>, align: &[Align], rows: &[Node], out: &mut Html) {
    let numeric = numeric_columns(align.len(), rows);
    out.lit("<div class=\"svc-table\" tabindex=\"0\" role=\"group\"")
        .attr("aria-label", cx.texts.table)
        .lit("><table>");
    for (at, row) in rows.iter().enumerate() {
        cx.out.text.break_line();
        out.lit(match at {
            0 => "<thead><tr>",
            1 => "<tbody><tr>",
            _ => "<tr>",
        });
        let Kind::TableRow(cells) = &row.kind else {
            continue;
        };
        for (column, cell) in cells.iter().enumerate() {
            let Kind::TableCell(children) = &cell.kind else {
                continue;
            };
            out.lit(if at == 0 { "<th" } else { "<td" });
            match align.get(column) {
                Some(Align::Left) => out.attr("data-align", "left"),
                Some(Align::Right) => out.attr("data-align", "right"),
                Some(Align::Center) => out.attr("data-align", "center"),
                Some(Align::None) | None => out,
            };
            out.flag(
                "data-numeric",
                numeric.get(column).copied().unwrap_or(false),
            );
            out.lit(">");
            cx.out.text.last_char = ' ';
            cx.nodes_into(children, out);
            out.lit(if at == 0 { "</th>" } else { "</td>" });
            cx.out.text.push(" ");
        }
        out.lit(if at == 0 { "</tr></thead>" } else { "</tr>" });
    }
    out.lit(if rows.len() > 1 {
        "</tbody></table></div>\n"
    } else {
        "</table></div>\n"
    });
    cx.out.text.break_line();
}

/// Columns in which at least four of five filled cells are numeric.
fn numeric_columns(columns: usize, rows: &[Node]) -> Vec<bool> {
    let mut counts = vec![(0_usize, 0_usize); columns];
    for row in rows.iter().skip(1) {
        let Kind::TableRow(cells) = &row.kind else {
            continue;
        };
        for (cell, (figures, filled)) in cells.iter().zip(&mut counts) {
            let text = plain_text(cell.children());
            let text = text.trim();
            if !text.is_empty() {
                *filled += 1;
                *figures += usize::from(is_figure(text));
            }
        }
    }
    counts
        .iter()
        .map(|(figures, filled)| *filled > 0 && figures * 5 >= filled * 4)
        .collect()
}

/// Whether a text is a number with a unit, a version or a hexadecimal color.
fn is_figure(text: &str) -> bool {
    if text.len() > 24 {
        return false;
    }
    let hex = text.strip_prefix('#').or_else(|| text.strip_prefix("0x"));
    if hex.is_some_and(|digits| digits.len() >= 3 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
    {
        return true;
    }
    let bare = text.trim_start_matches([
        'v', '~', '<', '>', '=', '≤', '≥', '±', '+', '-', '−', '$', '€', '£', ' ',
    ]);
    if !bare.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let unit = bare.trim_start_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, '.' | ',' | '_' | ' ' | '–' | '-' | '/' | ':')
    });
    unit.chars().count() <= 4
        && unit
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '%' | '°' | '+' | 'µ'))
}

#[cfg(test)]
mod tests {
    use super::is_figure;

    #[test]
    fn numbers_are_distinguished_from_words() {
        for yes in [
            "12", "1,200 MB", "v1.2.3", "#ff0000", "99.9%", "$20", "10 ms", "-3",
        ] {
            assert!(is_figure(yes), "{yes}");
        }
        for no in ["", "yes", "a1", "12 apples a day", "#x"] {
            assert!(!is_figure(no), "{no}");
        }
    }
}
