//! `<Steps>` of Starlight, which contains an ordered list.

use super::{Line, Rewriter, attribute, indent_of};

/// `<Steps>` at the start of a line.
pub(super) fn is_steps(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix("<Steps");
    rest.is_some_and(|rest| rest.starts_with([' ', '>'])) && !text.contains("</Steps>")
}

impl Rewriter<'_> {
    /// Writes a `Step` for each item of the list; `None` if there is something else.
    pub(super) fn steps(&mut self, lines: &[Line], out: &mut Vec<String>) -> Option<usize> {
        let indent = indent_of(&lines[0].text);
        let end = lines
            .iter()
            .position(|line| line.text.trim() == "</Steps>")?;
        let body = lines.get(1..end)?;
        let base = indent_of(&body.iter().find(|line| !line.text.trim().is_empty())?.text);
        let mut items: Vec<(usize, Vec<Line>)> = Vec::new();
        for line in body {
            let own = indent_of(&line.text);
            let text = line.text.get(base.min(own)..).unwrap_or_default();
            let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let start = text[digits..].strip_prefix(". ").filter(|_| digits > 0);
            match (start, items.last_mut()) {
                (Some(text), _) => {
                    let text = text.trim_start().to_owned();
                    items.push((digits + 2, vec![line.with_text(text)]));
                }
                (None, Some((width, item))) => {
                    let cut = indent_of(text).min(*width);
                    item.push(line.with_text(text[cut..].to_owned()));
                }
                (None, None) if text.trim().is_empty() => {}
                (None, None) => return None,
            }
        }
        let space = " ".repeat(indent);
        out.push(format!("{space}<Steps>"));
        for (_, mut item) in items {
            let title = title(&mut item);
            self.wrap(
                (format!("<Step{title}>"), "</Step>".to_owned()),
                &item,
                indent,
                out,
            );
        }
        out.push(format!("{space}</Steps>"));
        Some(end + 1)
    }
}

/// Takes a first line that is a paragraph of its own and plain text as the title.
fn title(item: &mut Vec<Line>) -> String {
    let is_alone = item.get(1).is_none_or(|line| line.text.trim().is_empty());
    let text = item[0].text.trim().to_owned();
    let is_plain = text.len() < 90 && !text.contains(['[', '`', '<', '{', '*', '_', '"']);
    if !is_alone || !is_plain || text.is_empty() {
        return String::new();
    }
    item.remove(0);
    format!(" title={}", attribute(text.trim_end_matches(':')))
}
