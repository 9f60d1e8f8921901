//! Blocks of pymdownx.

use super::{Line, Rewriter, attribute};

impl Rewriter<'_> {
    /// Blocks of pymdownx: `/// note | Title`, closed by `///`.
    pub(super) fn slash_block(&mut self, lines: &[Line], out: &mut Vec<String>) -> usize {
        let text = lines[0].text.as_str();
        let slashes = text.len() - text.trim_start_matches('/').len();
        let fence = &text[..slashes];
        let is_end = |line: &Line| line.text.trim_end() == fence;
        let end = lines.iter().position(is_end).unwrap_or(lines.len());
        let (kind, title) = match text[slashes..].split_once('|') {
            Some((kind, title)) => (kind.trim(), Some(title.trim())),
            None => (text[slashes..].trim(), None),
        };
        let mut body = lines.get(1..end).unwrap_or_default();
        // Options are indented lines directly after the first line.
        let options = body
            .iter()
            .take_while(|line| line.text.starts_with("    "))
            .count();
        let option_lines: String = body[..options]
            .iter()
            .map(|line| line.text.as_str())
            .collect();
        body = &body[options..];
        match kind {
            "tab" => {
                let title = super::plain_title(title.unwrap_or("Tab"));
                let tags = (
                    format!("<Tab title={}>", attribute(&title)),
                    "</Tab>".to_owned(),
                );
                let follows = out.iter().rev().find(|line| !line.is_empty());
                let continues = follows.is_some_and(|line| line == "</Tabs>");
                if continues {
                    while out.pop().is_some_and(|line| line != "</Tabs>") {}
                } else {
                    out.push("<Tabs>".to_owned());
                }
                self.wrap(tags, body, 0, out);
                out.push("</Tabs>".to_owned());
            }
            "details" => {
                let kind = option_lines.split("type:").nth(1).unwrap_or("note");
                let tags = self.callout(
                    kind.trim(),
                    title,
                    Some(option_lines.contains("open: true")),
                );
                self.wrap(tags, body, 0, out);
            }
            "html" | "caption" | "figure-caption" | "table-caption" | "definition" => {
                let inner = self.blocks(body);
                out.extend(inner);
            }
            "admonition" => {
                let kind = option_lines.split("type:").nth(1).unwrap_or("note");
                let tags = self.callout(kind.trim(), title, None);
                self.wrap(tags, body, 0, out);
            }
            kind => {
                let tags = self.callout(kind, title, None);
                self.wrap(tags, body, 0, out);
            }
        }
        (end + 1).min(lines.len())
    }
}

/// `/// type | Title`.
pub(super) fn is_slash_block(text: &str) -> bool {
    let slashes = text.len() - text.trim_start_matches('/').len();
    slashes >= 3
        && text[slashes..]
            .trim()
            .starts_with(|c: char| c.is_ascii_alphabetic())
}
