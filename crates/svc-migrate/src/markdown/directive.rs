//! Containers between `:::`.

use super::container::dedent;
use super::{Line, Rewriter, attribute, indent_of};

impl Rewriter<'_> {
    /// Admonitions between `:::`.
    pub(super) fn directive(&mut self, lines: &[Line], out: &mut Vec<String>) -> usize {
        let indent = indent_of(&lines[0].text);
        let text = lines[0].text.trim_start();
        let colons = text.len() - text.trim_start_matches(':').len();
        let rest = text[colons..].trim();
        let (kind, title) = kind_and_title(rest);
        let close = ":".repeat(colons);
        let mut fence = None;
        let mut depth = 0_usize;
        let mut end = lines.len();
        for (index, line) in lines.iter().enumerate().skip(1) {
            let inside = fence.is_some();
            super::fence::track(&line.text, &mut fence);
            if inside || fence.is_some() {
                continue;
            }
            let text = line.text.trim();
            if text == close && depth == 0 {
                end = index;
                break;
            }
            if text == close {
                depth -= 1;
            } else if is_directive(text)
                && text.len() - text.trim_start_matches(':').len() == colons
            {
                depth += 1;
            }
        }
        let body = dedent(lines.get(1..end).unwrap_or_default(), indent);
        match kind {
            "details" => {
                let title = title.or_else(|| Some("Details".to_owned()));
                let open = rest.ends_with("{open}");
                let tags = self.callout("details", title.as_deref(), Some(open));
                self.wrap(tags, &body, indent, out);
            }
            "code-group" if self.dialect.vue => {
                let tags = ("<CodeGroup>".to_owned(), "</CodeGroup>".to_owned());
                self.wrap(tags, &body, indent, out);
            }
            "tabs" if self.dialect.vue => self.directive_tabs(&body, indent, out),
            "raw" | "v-pre" if self.dialect.vue => {
                let inner = self.blocks(&body);
                let space = " ".repeat(indent);
                let inner = inner.iter().map(|line| format!("{space}{line}"));
                out.extend(inner.map(|line| line.trim_end().to_owned()));
            }
            kind => {
                let tags = self.callout(kind, title.as_deref(), None);
                self.wrap(tags, &body, indent, out);
            }
        }
        (end + 1).min(lines.len())
    }

    /// Tabs that begin with `== Title`.
    fn directive_tabs(&mut self, body: &[Line], indent: usize, out: &mut Vec<String>) {
        let title = |line: &Line| line.text.strip_prefix("== ").map(super::plain_title);
        let starts: Vec<usize> = (0..body.len())
            .filter(|at| title(&body[*at]).is_some())
            .collect();
        let space = " ".repeat(indent);
        out.push(format!("{space}<Tabs>"));
        for (index, start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(body.len());
            let title = title(&body[*start]).unwrap_or_default();
            let tag = format!("<Tab title={}>", attribute(&title));
            self.wrap(
                (tag, "</Tab>".to_owned()),
                &body[start + 1..end],
                indent,
                out,
            );
        }
        out.push(format!("{space}</Tabs>"));
    }
}

/// The parts of `note[Title]{#id}` and of `note Title {open}`.
fn kind_and_title(text: &str) -> (&str, Option<String>) {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let (kind, rest) = text.split_at(end);
    let rest = rest.trim();
    let title = match rest.strip_prefix('[') {
        Some(title) => title.rsplit_once(']').map_or(title, |(title, _)| title),
        None => match rest.rfind('{') {
            Some(at) if rest.ends_with('}') => &rest[..at],
            _ => rest,
        },
    };
    let title = title.trim();
    (kind, (!title.is_empty()).then(|| title.to_owned()))
}

/// `:::type`.
pub(super) fn is_directive(text: &str) -> bool {
    let text = text.trim_start();
    let colons = text.len() - text.trim_start_matches(':').len();
    colons >= 3
        && text[colons..]
            .trim()
            .starts_with(|c: char| c.is_ascii_alphabetic())
}
