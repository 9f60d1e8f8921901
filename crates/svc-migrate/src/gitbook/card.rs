//! Tables that are shown as cards.

use crate::markdown::{Line, attribute, html_text};

/// What a column of the table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Text,
    Target,
    Cover,
    Hidden,
}

/// The cards of a table.
pub(super) fn cards(html: &str, number: u32) -> Vec<Line> {
    let head = between(html, "<thead", "</thead>").unwrap_or_default();
    let columns: Vec<Column> = head
        .split("<th")
        .skip(1)
        .filter(|cell| cell.starts_with([' ', '>']))
        .map(|cell| {
            let tag = cell.split('>').next().unwrap_or_default();
            match () {
                () if tag.contains("data-card-target") => Column::Target,
                () if tag.contains("data-card-cover-dark") => Column::Hidden,
                () if tag.contains("data-card-cover") => Column::Cover,
                () if tag.contains("data-hidden") => Column::Hidden,
                () => Column::Text,
            }
        })
        .collect();
    let body = between(html, "<tbody", "</tbody>").unwrap_or_default();
    let mut out = vec![Line::mdx(number, "<Columns cols={3}>")];
    for row in body.split("<tr").skip(1) {
        card(row, &columns, number, &mut out);
    }
    out.push(Line::mdx(number, "</Columns>"));
    out
}

fn card(row: &str, columns: &[Column], number: u32, out: &mut Vec<Line>) {
    let cells = row.split("<td").skip(1).filter_map(|cell| {
        let (_, rest) = cell.split_once('>')?;
        Some(rest.split("</td>").next().unwrap_or(rest).trim())
    });
    let (mut texts, mut attributes) = (Vec::new(), String::new());
    for (index, cell) in cells.enumerate() {
        let link = between(cell, "href=\"", "\"");
        match (columns.get(index).copied().unwrap_or(Column::Text), link) {
            (Column::Text, _) if !cell.is_empty() => texts.push(cell),
            (Column::Target, Some(link)) => {
                attributes.push_str(&format!(" href={}", attribute(link)));
            }
            (Column::Cover, Some(link)) => {
                attributes.push_str(&format!(" img={}", attribute(link)));
            }
            _ => {}
        }
    }
    // A first cell with links stays a text, as titles have none.
    let title = texts.first().filter(|text| !text.contains("<a ")).copied();
    let title = title.map(|text| html_text(text).trim().to_owned());
    if let Some(title) = title.filter(|title| !title.is_empty()) {
        attributes.push_str(&format!(" title={}", attribute(&title)));
        texts.remove(0);
    }
    out.push(Line::mdx(number, format!("<Card{attributes}>")));
    for text in texts {
        out.push(Line::new(number, ""));
        out.push(Line::new(number, text));
    }
    out.push(Line::new(number, ""));
    out.push(Line::mdx(number, "</Card>"));
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(start)?;
    Some(rest.split(end).next().unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_cards() {
        let html = "<table data-view=\"cards\"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type=\"content-ref\"></th><th data-hidden data-card-cover data-type=\"files\"></th></tr></thead><tbody><tr><td><strong>One</strong></td><td>First <em>text</em></td><td><a href=\"a.md\">a.md</a></td><td><a href=\"b.png\">b.png</a></td></tr></tbody></table>";
        let lines: Vec<String> = cards(html, 1).into_iter().map(|line| line.text).collect();
        assert_eq!(
            lines,
            [
                "<Columns cols={3}>",
                "<Card href=\"a.md\" img=\"b.png\" title=\"One\">",
                "",
                "First <em>text</em>",
                "",
                "</Card>",
                "</Columns>"
            ]
        );
    }
}
