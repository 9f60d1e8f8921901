//! Grids of cards of Material for MkDocs.

use super::icon::{Shortcode, shortcode};
use super::{Line, Rewriter, attribute, indent_of, plain_title};

/// `<div class="grid cards" markdown>`.
pub(super) fn is_card_grid(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("<div")
        && text.contains("markdown")
        && text.contains("class=\"grid")
        && text.contains("cards")
}

impl Rewriter<'_> {
    /// Writes a card for each item of the list; `None` if the grid contains something else.
    pub(super) fn card_grid(&mut self, lines: &[Line], out: &mut Vec<String>) -> Option<usize> {
        let end = lines.iter().position(|line| line.text.trim() == "</div>")?;
        let body = lines.get(1..end)?;
        let base = indent_of(&body.iter().find(|line| !line.text.trim().is_empty())?.text);
        let mut items: Vec<Vec<Line>> = Vec::new();
        for line in body {
            let text = line
                .text
                .get(base.min(indent_of(&line.text))..)
                .unwrap_or_default();
            let start = ["- ", "* "]
                .into_iter()
                .find_map(|mark| text.strip_prefix(mark));
            match (start, items.last_mut()) {
                (Some(text), _) => items.push(vec![line.with_text(text.trim_start().to_owned())]),
                (None, Some(item)) => {
                    let cut = indent_of(text).min(4);
                    item.push(line.with_text(text[cut..].to_owned()));
                }
                (None, None) if text.trim().is_empty() => {}
                (None, None) => return None,
            }
        }
        out.push("<Columns cols={2}>".to_owned());
        for mut item in items {
            let title = title(&mut item);
            self.wrap(
                (format!("<Card{title}>"), "</Card>".to_owned()),
                &item,
                0,
                out,
            );
        }
        out.push("</Columns>".to_owned());
        Some(end + 1)
    }
}

/// Takes the first line if a thematic break follows it: the icon and the title of the card.
fn title(item: &mut Vec<Line>) -> String {
    let next = item
        .iter()
        .skip(1)
        .position(|line| !line.text.trim().is_empty());
    let Some(next) = next
        .map(|at| at + 1)
        .filter(|at| item[*at].text.trim() == "---")
    else {
        return String::new();
    };
    let first = item[0].text.clone();
    item.drain(..=next);
    let icon = first
        .split_whitespace()
        .find_map(|word| match shortcode(word.trim_matches(':'))? {
            Shortcode::Icon(name) if word.starts_with(':') => Some(name),
            _ => None,
        });
    // Attribute lists follow the shortcode.
    let without = match (first.find('{'), first.find('}')) {
        (Some(start), Some(end)) if start < end => {
            format!("{}{}", &first[..start], &first[end + 1..])
        }
        _ => first,
    };
    let mut out = format!(" title={}", attribute(&plain_title(without.trim())));
    if let Some(icon) = icon {
        out.push_str(&format!(" icon={}", attribute(&icon)));
    }
    out
}
