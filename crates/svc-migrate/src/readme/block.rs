//! Callouts, tabs of code, images, magic blocks and variables.

use svc_diagnostics::{Diagnostic, SourceFile};

use super::magic;
use crate::codes::{MIGRATE_STYLE, MIGRATE_SYNTAX};
use crate::include::report;
use crate::markdown::{Line, attribute, plain_title, track_fence};

/// Icons of callouts and the component for each.
const CALLOUTS: &[(&str, &str)] = &[
    ("📘", "Info"),
    ("ℹ", "Info"),
    ("👍", "Check"),
    ("✅", "Check"),
    ("🚧", "Warning"),
    ("⚠", "Warning"),
    ("❗", "Danger"),
    ("🛑", "Danger"),
    ("⛔", "Danger"),
];

/// Schemes of links to pages, and the folders they stand for.
const SCHEMES: &[(&str, &str)] = &[
    ("doc:", "/docs/"),
    ("ref:", "/reference/"),
    ("recipe:", "/recipes/"),
    ("page:", "/page/"),
];

/// The lines of a page in Markdown.
pub(super) fn prepare(
    file: &SourceFile,
    lines: Vec<Line>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Line> {
    let mut state = State {
        file,
        diagnostics,
        out: Vec::with_capacity(lines.len()),
    };
    let lines = demoted(lines);
    let mut at = 0;
    while at < lines.len() {
        at += state.block(&lines[at..]).max(1);
    }
    state.out
}

/// Headings of level 1 are sections, because the title is in the front matter: all headings of
/// such a page go one level down.
fn demoted(mut lines: Vec<Line>) -> Vec<Line> {
    let mut fence = None;
    let mut headings = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let was_open = fence.is_some();
        track_fence(&line.text, &mut fence);
        let level = line.text.len() - line.text.trim_start_matches('#').len();
        let is_heading = (1..=5).contains(&level) && line.text[level..].starts_with(' ');
        if !was_open && fence.is_none() && is_heading {
            headings.push((index, level));
        }
    }
    if headings.iter().any(|heading| heading.1 == 1) {
        for (index, _) in headings {
            lines[index].text.insert(0, '#');
        }
    }
    lines
}

pub(super) struct State<'a> {
    file: &'a SourceFile,
    diagnostics: &'a mut Vec<Diagnostic>,
    pub(super) out: Vec<Line>,
}

impl State<'_> {
    pub(super) fn mdx(&mut self, number: u32, text: impl Into<String>) {
        self.out.push(Line::new(number, ""));
        self.out.push(Line::mdx(number, text));
        self.out.push(Line::new(number, ""));
    }

    /// Converts the block at the start of `lines` and returns its number of lines.
    fn block(&mut self, lines: &[Line]) -> usize {
        let line = &lines[0];
        let text = line.text.trim();
        let mut fence = None;
        track_fence(&line.text, &mut fence);
        if fence.is_some() {
            return self.code(lines);
        }
        if let Some(kind) = text
            .strip_prefix("[block:")
            .and_then(|rest| rest.strip_suffix(']'))
        {
            return self.magic(lines, kind);
        }
        if let Some((component, title)) = callout(text) {
            return self.callout(lines, component, title);
        }
        if text.starts_with("<HTMLBlock") {
            return self.html(lines);
        }
        if text.starts_with("<Image") {
            return self.image(lines);
        }
        if text.starts_with("<Embed") {
            return self.embed(lines);
        }
        if line.text.starts_with("export ") || line.text.starts_with("import ") {
            return self.module(lines);
        }
        let text = self.inline(line);
        self.out.push(Line::new(line.number, text));
        1
    }

    /// Links to pages and variables outside of code.
    pub(super) fn inline(&mut self, line: &Line) -> String {
        let mut out = String::with_capacity(line.text.len());
        for (index, part) in line.text.split('`').enumerate() {
            if index > 0 {
                out.push('`');
            }
            if index % 2 == 1 {
                out.push_str(part);
                continue;
            }
            let mut part = part.to_owned();
            for (scheme, folder) in SCHEMES {
                for start in ["](", "](<", "href=\""] {
                    part = part.replace(&format!("{start}{scheme}"), &format!("{start}{folder}"));
                }
            }
            while let Some((before, name, after)) = variable(&part) {
                let name = name.to_owned();
                if !name.starts_with("glossary:") {
                    let message = format!("the variable `<<{name}>>` is shown by its name");
                    let hint = "use `variables` of docs.json, or write the value";
                    report(
                        self.file,
                        line.number,
                        &MIGRATE_SYNTAX,
                        message,
                        hint,
                        self.diagnostics,
                    );
                }
                part = format!("{before}{}{after}", name.trim_start_matches("glossary:"));
            }
            out.push_str(&part);
        }
        out
    }

    fn magic(&mut self, lines: &[Line], kind: &str) -> usize {
        let end = lines.iter().position(|line| line.text.trim() == "[/block]");
        let end = end.unwrap_or(lines.len() - 1);
        let number = lines[0].number;
        let text: Vec<&str> = lines[1..end.max(1)]
            .iter()
            .map(|line| line.text.as_str())
            .collect();
        match magic::lines(kind, &text.join("\n")) {
            Some(new) => {
                for (text, is_mdx) in new {
                    if is_mdx {
                        self.mdx(number, text);
                    } else {
                        let text = self.inline(&Line::new(number, text));
                        self.out.push(Line::new(number, text));
                    }
                }
            }
            None => {
                let message = format!("the block `{kind}` is left out");
                let hint = "replace it with a component or with Markdown";
                report(
                    self.file,
                    number,
                    &MIGRATE_SYNTAX,
                    message,
                    hint,
                    self.diagnostics,
                );
            }
        }
        end + 1
    }

    /// `> 📘 Title` and the quote after it.
    fn callout(&mut self, lines: &[Line], component: &str, title: &str) -> usize {
        let is_quote = |line: &&Line| line.text.trim_start().starts_with('>');
        let used = lines.iter().take_while(is_quote).count();
        let number = lines[0].number;
        // Links and code in a title stay what they are as the first line.
        let is_plain = !title.contains(['[', '`', '<', '{']);
        match (is_plain, title.is_empty()) {
            (true, false) => {
                let title = attribute(&plain_title(title));
                self.mdx(number, format!("<{component} title={title}>"));
            }
            (_, is_empty) => {
                self.mdx(number, format!("<{component}>"));
                if !is_empty {
                    let text = self.inline(&Line::new(number, title));
                    self.out.push(Line::new(number, text));
                    self.out.push(Line::new(number, ""));
                }
            }
        }
        let inner: Vec<Line> = lines[1..used]
            .iter()
            .map(|line| {
                let text = line.text.trim_start();
                let text = text.strip_prefix('>').unwrap_or(text);
                Line::new(line.number, text.strip_prefix(' ').unwrap_or(text))
            })
            .collect();
        let mut at = 0;
        while at < inner.len() {
            at += self.block(&inner[at..]).max(1);
        }
        self.mdx(number, format!("</{component}>"));
        used
    }

    /// `export` of components and `import`, up to the next blank line outside of brackets.
    fn module(&mut self, lines: &[Line]) -> usize {
        let mut depth = 0_usize;
        let mut used = 0;
        for line in lines {
            if used > 0 && depth == 0 && line.text.trim().is_empty() {
                break;
            }
            for c in line.text.chars() {
                match c {
                    '{' | '(' | '[' => depth += 1,
                    '}' | ')' | ']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            used += 1;
        }
        if lines[0].text.starts_with("export ") {
            let code: Vec<&str> = lines[..used]
                .iter()
                .map(|line| line.text.as_str())
                .collect();
            self.mdx(lines[0].number, code.join("\n"));
            return used;
        }
        report(
            self.file,
            lines[0].number,
            &MIGRATE_STYLE,
            "an import of the page is left out",
            "write the component as a `.jsx` file below `snippets` and import it from there",
            self.diagnostics,
        );
        used
    }
}

/// The component and the title of the first line of a callout.
fn callout(text: &str) -> Option<(&'static str, &str)> {
    let rest = text
        .strip_prefix('>')?
        .trim_start()
        .trim_start_matches('#')
        .trim_start();
    let (icon, component) = CALLOUTS.iter().find(|entry| rest.starts_with(entry.0))?;
    let title = rest[icon.len()..].trim_start_matches('\u{fe0f}');
    let title = title.trim();
    let bold = title
        .strip_prefix("**")
        .and_then(|rest| rest.strip_suffix("**"));
    Some((
        component,
        bold.filter(|inner| !inner.contains("**")).unwrap_or(title),
    ))
}

/// The text before a variable, its name, and the text after it.
fn variable(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find("<<")?;
    let end = text[start..].find(">>")? + start;
    let name = &text[start + 2..end];
    let is_name = |c: char| c.is_alphanumeric() || "_-:. ".contains(c);
    let valid = !name.is_empty() && name.chars().all(is_name);
    valid.then(|| (&text[..start], name, &text[end + 2..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> String {
        let file = SourceFile::new("docs/a/b.md", text);
        let mut diagnostics = Vec::new();
        let lines = crate::front_matter::split(&file).body;
        let lines = prepare(&file, lines, &mut diagnostics)
            .into_iter()
            .map(|line| line.text);
        let mut lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        lines.extend(diagnostics.iter().map(|one| format!("! {}", one.message)));
        lines.join("\n")
    }

    #[test]
    fn callouts_and_tabs_become_components() {
        assert_eq!(
            page("> 🚧 Take **care**\n>\n> Text [a](doc:b#c).\n\nEnd"),
            "<Warning title=\"Take care\">\nText [a](/docs/b#c).\n</Warning>\nEnd"
        );
        assert_eq!(page("> ❗️\n> a"), "<Danger>\na\n</Danger>");
        assert_eq!(page("> 💼 Quote"), "> 💼 Quote");
        assert_eq!(
            page("```js Node\na\n```\n```curl\nb\n```\n\n```js\nc\n```"),
            "<CodeGroup>\n```js title=\"Node\"\na\n```\n```curl title=\"curl\"\nb\n```\n</CodeGroup>\n```js\nc\n```"
        );
    }

    #[test]
    fn images_embeds_and_html_become_html() {
        assert_eq!(
            page(
                "<Image align=\"center\" alt=\"A\" border={true} src=\"https://a.b/c.png\">\n  The caption\n</Image>\n\nEnd"
            ),
            "<img src=\"https://a.b/c.png\" alt=\"A\" />\nThe caption\nEnd"
        );
        assert_eq!(
            page("<Image\n  src=\"x.png\"\n/>\nEnd"),
            "<img src=\"x.png\" alt=\"\" />\nEnd"
        );
        assert_eq!(page("<HTMLBlock>{`\n<p>a</p>\n`}</HTMLBlock>"), "<p>a</p>");
        assert_eq!(
            page("<Embed url=\"https://a.b\" title=\"T\" />"),
            "[T](<https://a.b>)"
        );
    }

    #[test]
    fn headings_and_variables_are_text() {
        assert_eq!(
            page("# A\n## B\n```\n# c\n```"),
            "## A\n### B\n```\n# c\n```"
        );
        assert_eq!(page("## B"), "## B");
        assert_eq!(
            page("a <<glossary:term>> `<<x>>` <<name>> <<"),
            "a term `<<x>>` name <<\n! the variable `<<name>>` is shown by its name"
        );
        assert_eq!(
            page("export const A = () => {\n\n  return 1;\n};\n\nText"),
            "export const A = () => {\n\n  return 1;\n};\nText"
        );
    }
}
