//! Containers: admonitions, tabs, definition lists.

use super::{Line, Rewriter, attribute, indent_of};
use crate::codes::MIGRATE_SYNTAX;

/// Kinds of admonitions, the component for each, and whether its name is shown as the title.
const ADMONITIONS: &[(&str, &str, bool)] = &[
    ("note", "Note", false),
    ("seealso", "Note", true),
    ("info", "Info", false),
    ("abstract", "Info", true),
    ("summary", "Info", true),
    ("tldr", "Info", true),
    ("todo", "Info", true),
    ("tip", "Tip", false),
    ("hint", "Tip", true),
    ("important", "Tip", true),
    ("success", "Check", true),
    ("check", "Check", false),
    ("done", "Check", true),
    ("question", "Info", true),
    ("help", "Info", true),
    ("faq", "Info", true),
    ("warning", "Warning", false),
    ("caution", "Warning", true),
    ("attention", "Warning", true),
    ("failure", "Danger", true),
    ("fail", "Danger", true),
    ("missing", "Danger", true),
    ("danger", "Danger", false),
    ("error", "Danger", true),
    ("bug", "Danger", true),
    ("example", "Note", true),
    ("quote", "Note", true),
    ("cite", "Note", true),
];

/// `!!! type`, `??? type` and `???+ type`.
pub(super) fn is_admonition(text: &str) -> bool {
    let text = text.trim_start();
    ["!!! ", "??? ", "???+ "]
        .iter()
        .any(|start| text.starts_with(start))
}

/// `=== "Title"`, with `!` or `+` after the marker.
pub(super) fn is_tab(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix("===");
    rest.map(|rest| rest.trim_start_matches(['!', '+']).trim_start())
        .is_some_and(|rest| rest.starts_with('"') && rest.trim_end().len() > 1)
}

/// `/// type | Title`.
pub(super) fn is_slash_block(text: &str) -> bool {
    let slashes = text.len() - text.trim_start_matches('/').len();
    slashes >= 3
        && text[slashes..]
            .trim()
            .starts_with(|c: char| c.is_ascii_alphabetic())
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

/// The number of lines that are blank or indented by `indent`, without blank lines at the end.
fn body_len(lines: &[Line], indent: usize) -> usize {
    let is_body = |line: &&Line| line.text.trim().is_empty() || indent_of(&line.text) >= indent;
    let mut used = lines.iter().take_while(is_body).count();
    while used > 0 && lines[used - 1].text.trim().is_empty() {
        used -= 1;
    }
    used
}

fn dedent(lines: &[Line], indent: usize) -> Vec<Line> {
    let cut = |line: &Line| Line {
        number: line.number,
        text: line
            .text
            .get(indent.min(indent_of(&line.text))..)
            .unwrap_or_default()
            .to_owned(),
    };
    lines.iter().map(cut).collect()
}

impl Rewriter<'_> {
    /// A callout, or an accordion if it can be collapsed.
    fn callout(&mut self, kind: &str, title: Option<&str>, open: Option<bool>) -> (String, String) {
        let kind = kind.to_lowercase();
        let entry = ADMONITIONS.iter().find(|entry| entry.0 == kind);
        let (component, named) = entry.map_or(("Note", true), |entry| (entry.1, entry.2));
        if entry.is_none() {
            self.report(
                &MIGRATE_SYNTAX,
                format!("the admonition type `{kind}` becomes a note"),
                "use `<Callout>` with an icon and a color for types of your own",
            );
        }
        let default = crate::path::title_of(&kind);
        let title = title.map(super::plain_title);
        match open {
            Some(open) => {
                let title = title.filter(|title| !title.is_empty()).unwrap_or(default);
                let open = if open { " defaultOpen" } else { "" };
                let tag = format!("<Accordion title={}{open}>", attribute(&title));
                (tag, "</Accordion>".to_owned())
            }
            None => {
                let title = title.or(named.then_some(default));
                let title = title.filter(|title| !title.is_empty());
                let title =
                    title.map_or_else(String::new, |title| format!(" title={}", attribute(&title)));
                (format!("<{component}{title}>"), format!("</{component}>"))
            }
        }
    }

    /// Writes a component around lines, with blank lines inside of the tags.
    pub(super) fn wrap(
        &mut self,
        tags: (String, String),
        body: &[Line],
        indent: usize,
        out: &mut Vec<String>,
    ) {
        let depth = std::mem::take(&mut self.html_depth);
        let inner = self.blocks(body);
        self.html_depth = depth;
        let space = " ".repeat(indent);
        out.push(format!("{space}{}", tags.0));
        out.push(String::new());
        for line in inner.join("\n").trim_matches('\n').split('\n') {
            let line = format!("{space}{line}");
            out.push(line.trim_end().to_owned());
        }
        out.push(String::new());
        out.push(format!("{space}{}", tags.1));
    }

    pub(super) fn admonition(&mut self, lines: &[Line], out: &mut Vec<String>) -> usize {
        let text = lines[0].text.trim_start();
        let indent = indent_of(&lines[0].text);
        let open = match &text[..3] {
            "!!!" => None,
            _ => Some(text.starts_with("???+")),
        };
        let rest = text.trim_start_matches(['!', '?', '+']).trim();
        let (kinds, title) = match rest.find('"') {
            Some(at) => (&rest[..at], Some(rest[at..].trim().trim_matches('"'))),
            None => (rest, None),
        };
        let kind = kinds.split_whitespace().next().unwrap_or("note");
        let tags = self.callout(kind, title, open);
        let used = body_len(&lines[1..], indent + 4);
        self.wrap(tags, &dedent(&lines[1..=used], indent + 4), indent, out);
        used + 1
    }

    pub(super) fn tabs(&mut self, lines: &[Line], out: &mut Vec<String>) -> usize {
        let indent = indent_of(&lines[0].text);
        let space = " ".repeat(indent);
        out.push(format!("{space}<Tabs>"));
        let mut at = 0;
        loop {
            let line = &lines[at];
            self.line = line.number;
            let title = line
                .text
                .trim_start()
                .trim_start_matches(['=', '!', '+'])
                .trim();
            let title = super::plain_title(title.trim_matches('"'));
            let used = body_len(&lines[at + 1..], indent + 4);
            let body = dedent(&lines[at + 1..=at + used], indent + 4);
            let tags = (
                format!("<Tab title={}>", attribute(&title)),
                "</Tab>".to_owned(),
            );
            self.wrap(tags, &body, indent, out);
            at += used + 1;
            let blank = lines[at..]
                .iter()
                .take_while(|line| line.text.trim().is_empty())
                .count();
            let next = lines.get(at + blank).filter(|line| {
                is_tab(&line.text)
                    && indent_of(&line.text) == indent
                    && !line.text.trim_start().starts_with("===!")
            });
            if next.is_none() {
                break;
            }
            at += blank;
        }
        out.push(format!("{space}</Tabs>"));
        at
    }

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

    /// Admonitions between `:::`.
    pub(super) fn directive(&mut self, lines: &[Line], out: &mut Vec<String>) -> usize {
        let indent = indent_of(&lines[0].text);
        let text = lines[0].text.trim_start();
        let colons = text.len() - text.trim_start_matches(':').len();
        let rest = text[colons..].trim();
        let (kind, title) = match rest.split_once('[') {
            Some((kind, title)) => {
                let title = title.rsplit_once(']').map_or(title, |(title, _)| title);
                (kind.trim(), Some(title))
            }
            None => match rest.split_once(' ') {
                Some((kind, title)) if !title.trim_start().starts_with('{') => {
                    (kind, Some(title.trim()))
                }
                Some((kind, _)) => (kind, None),
                None => (rest, None),
            },
        };
        let kind = kind.split('{').next().unwrap_or(kind);
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
        if kind == "details" {
            let tags = self.callout("details", title.or(Some("Details")), Some(false));
            self.wrap(tags, &body, indent, out);
        } else {
            let tags = self.callout(kind, title, None);
            self.wrap(tags, &body, indent, out);
        }
        (end + 1).min(lines.len())
    }

    pub(super) fn definition_list(&mut self, lines: &[Line], out: &mut Vec<String>) -> usize {
        let is_definition = |line: &Line| {
            line.text
                .strip_prefix(':')
                .is_some_and(|rest| rest.starts_with(' '))
        };
        out.push("<dl>".to_owned());
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            self.line = line.number;
            if is_definition(line) {
                let used = body_len(&lines[at + 1..], 2);
                let lazy = lines[at + 1..]
                    .iter()
                    .take_while(|line| !line.text.trim().is_empty() && !is_definition(line))
                    .count();
                let used = used.max(lazy);
                let mut body = vec![Line {
                    number: line.number,
                    text: line.text[1..].trim_start().to_owned(),
                }];
                body.extend(dedent(&lines[at + 1..=at + used], 4));
                self.wrap(("<dd>".to_owned(), "</dd>".to_owned()), &body, 0, out);
                at += used + 1;
            } else if line.text.trim().is_empty() {
                let rest = &lines[at..];
                let blank = rest
                    .iter()
                    .take_while(|line| line.text.trim().is_empty())
                    .count();
                let next = rest.get(blank..).unwrap_or_default();
                let continues = next.first().is_some_and(|line| {
                    is_definition(line)
                        || (!line.text.starts_with([' ', '#', '|', '>'])
                            && next.get(1).is_some_and(|next| {
                                is_definition(next)
                                    || next.text.trim().is_empty()
                                        && lines.get(at + blank + 2).is_some_and(is_definition)
                            }))
                });
                if !continues {
                    break;
                }
                at += blank;
            } else if line.text.starts_with(' ') || at > 0 && !self.is_term(lines, at) {
                break;
            } else {
                let term = self.inline(line.text.trim());
                out.push(format!("<dt>{term}</dt>"));
                at += 1;
            }
        }
        out.push("</dl>".to_owned());
        out.push(String::new());
        at
    }

    fn is_term(&self, lines: &[Line], at: usize) -> bool {
        lines[at + 1..]
            .iter()
            .find(|line| !line.text.trim().is_empty())
            .is_some_and(|line| line.text.starts_with(": "))
    }
}
