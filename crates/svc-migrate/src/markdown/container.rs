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

/// The number of lines that are blank or indented by `indent`, without blank lines at the end.
pub(super) fn body_len(lines: &[Line], indent: usize) -> usize {
    let is_body = |line: &&Line| line.text.trim().is_empty() || indent_of(&line.text) >= indent;
    let mut used = lines.iter().take_while(is_body).count();
    while used > 0 && lines[used - 1].text.trim().is_empty() {
        used -= 1;
    }
    used
}

pub(super) fn dedent(lines: &[Line], indent: usize) -> Vec<Line> {
    let cut = |line: &Line| {
        line.with_text(
            line.text
                .get(indent.min(indent_of(&line.text))..)
                .unwrap_or_default()
                .to_owned(),
        )
    };
    lines.iter().map(cut).collect()
}

impl Rewriter<'_> {
    /// A callout, or an accordion if it can be collapsed.
    pub(super) fn callout(
        &mut self,
        kind: &str,
        title: Option<&str>,
        open: Option<bool>,
    ) -> (String, String) {
        let kind = kind.to_lowercase();
        let entry = ADMONITIONS.iter().find(|entry| entry.0 == kind);
        let (component, named) = entry.map_or(("Note", true), |entry| (entry.1, entry.2));
        if entry.is_none() && open.is_none() {
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
}
