//! Blocks between `{% … %}`, expandable sections and cards.

use std::collections::BTreeMap;

use svc_diagnostics::{Diagnostic, DiagnosticCode, SourceFile};

use super::card;
use super::reference::embed;
use super::tag::{Part, Tag, parts};
use crate::Repository;
use crate::codes::{MIGRATE_LIMIT, MIGRATE_MISSING, MIGRATE_SYNTAX};
use crate::front_matter;
use crate::include::{lines_of, report};
use crate::markdown::{Line, attribute, html_text, plain_title, track_fence};
use crate::path::{file_name, parent, resolve};

/// Maximum depth of files that include each other.
const MAX_DEPTH: usize = 8;
/// Maximum number of lines of a page with its includes.
const MAX_LINES: usize = 200_000;

/// Tags that enclose Markdown and have no effect of their own here.
const SILENT: &[&str] = &[
    "code",
    "raw",
    "comment",
    "embed",
    "file",
    "swagger",
    "swagger-description",
    "swagger-response",
    "openapi",
    "openapi-operation",
    "openapi-webhook",
    "api-method",
    "api-method-summary",
    "api-method-description",
    "api-method-spec",
    "api-method-request",
    "api-method-path-parameters",
    "api-method-headers",
    "api-method-query-parameters",
    "api-method-body-parameters",
    "api-method-form-data-parameters",
    "api-method-response",
    "api-method-response-example",
    "api-method-response-example-description",
    "if",
    "else",
    "elif",
];

/// What pages are prepared with.
pub(super) struct Blocks<'a> {
    pub(super) repository: &'a Repository,
    /// Titles of pages by path.
    pub(super) titles: &'a BTreeMap<String, String>,
}

/// State of one page.
pub(super) struct State<'a> {
    file: &'a SourceFile,
    diagnostics: &'a mut Vec<Diagnostic>,
    out: Vec<Line>,
    fence: Option<String>,
    /// Tags that are open, and the component for each.
    open: Vec<(String, &'static str)>,
    /// Options of the next code block.
    code: Option<String>,
    /// The lines up to this tag are left out.
    skipped: Option<&'static str>,
    /// The next text is a heading.
    is_heading: bool,
    /// Where the parameters of an old API method are.
    place: &'static str,
    number: u32,
}

impl State<'_> {
    pub(super) fn mdx(&mut self, indent: &str, text: &str) {
        self.blank();
        self.out
            .push(Line::mdx(self.number, format!("{indent}{text}")));
        self.blank();
    }

    pub(super) fn text(&mut self, text: impl Into<String>) {
        self.out.push(Line::new(self.number, text));
    }

    pub(super) fn blank(&mut self) {
        self.text("");
    }

    fn report(&mut self, code: &'static DiagnosticCode, message: String, hint: &str) {
        report(
            self.file,
            self.number,
            code,
            message,
            hint,
            self.diagnostics,
        );
    }
}

impl Blocks<'_> {
    /// The lines of a page without tags.
    pub(super) fn page(
        &self,
        file: &SourceFile,
        lines: Vec<Line>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<Line> {
        let mut state = State {
            file,
            diagnostics,
            out: Vec::with_capacity(lines.len()),
            fence: None,
            open: Vec::new(),
            code: None,
            skipped: None,
            is_heading: false,
            place: "body",
            number: 1,
        };
        self.lines(&lines, file.path(), 0, &mut state);
        while let Some((name, component)) = state.open.pop() {
            state.mdx("", &format!("</{component}>"));
            let message = format!("the block `{name}` is not closed");
            state.report(&MIGRATE_SYNTAX, message, "it ends at the end of the page");
        }
        state.out
    }

    fn lines(&self, lines: &[Line], from: &str, depth: usize, state: &mut State<'_>) {
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            at += 1;
            if depth == 0 {
                state.number = line.number;
            }
            if state.out.len() > MAX_LINES {
                let message = "the includes of the page are too large".to_owned();
                state.report(&MIGRATE_LIMIT, message, "include fewer files");
                return;
            }
            let was_open = state.fence.is_some();
            track_fence(&line.text, &mut state.fence);
            if was_open || state.fence.is_some() {
                let mut text = line.text.clone();
                if !was_open && let Some(options) = state.code.take() {
                    text = format!("{}{options}", text.trim_end());
                }
                if state.skipped.is_none() {
                    state.text(text);
                }
                continue;
            }
            let trimmed = line.text.trim();
            let indent = &line.text[..line.text.len() - line.text.trim_start().len()];
            if trimmed.starts_with("<table") && trimmed.contains("data-view=\"cards\"") {
                let end = lines[at - 1..]
                    .iter()
                    .position(|line| line.text.contains("</table>"));
                let used = end.map_or(1, |end| end + 1);
                let html: Vec<&str> = lines[at - 1..at - 1 + used]
                    .iter()
                    .map(|line| line.text.trim())
                    .collect();
                at += used - 1;
                state.blank();
                state.out.extend(card::cards(&html.join(" "), state.number));
                state.blank();
                continue;
            }
            if trimmed.starts_with("<details")
                && let Some((used, title)) = summary(&lines[at - 1..])
            {
                at += used - 1;
                state.open.push(("details".to_owned(), "Accordion"));
                let title = plain_title(html_text(title).trim());
                state.mdx(indent, &format!("<Accordion title={}>", attribute(&title)));
                continue;
            }
            if trimmed == "</details>" && state.open.iter().any(|open| open.0 == "details") {
                self.close("details", indent, state);
                continue;
            }
            for part in parts(&line.text) {
                match part {
                    Part::Text(_) if state.skipped.is_some() => {}
                    Part::Text(text) if state.is_heading && !text.trim().is_empty() => {
                        state.is_heading = false;
                        state.text(format!("### {}", text.trim()));
                    }
                    Part::Text(text) => state.text(text),
                    Part::Tag(tag, text) => self.tag(&tag, text, (indent, from), depth, state),
                }
            }
        }
    }

    /// Closes the tag and those that are open inside of it.
    fn close(&self, name: &str, indent: &str, state: &mut State<'_>) {
        if !state.open.iter().any(|open| open.0 == name) {
            return;
        }
        while let Some((open, component)) = state.open.pop() {
            state.mdx(indent, &format!("</{component}>"));
            if open == name {
                break;
            }
        }
    }

    fn tag(
        &self,
        tag: &Tag<'_>,
        text: &str,
        (indent, from): (&str, &str),
        depth: usize,
        state: &mut State<'_>,
    ) {
        if let Some(end) = state.skipped {
            if tag.name == end {
                state.skipped = None;
            }
            return;
        }
        if let Some(name) = tag.name.strip_prefix("end") {
            match name {
                "code" => state.code = None,
                "api-method-path-parameters"
                | "api-method-headers"
                | "api-method-query-parameters" => state.place = "body",
                _ => self.close(name, indent, state),
            }
            state.blank();
            return;
        }
        let named = |name: &str| format!("title={}", attribute(&plain_title(tag.get(name))));
        let component = match tag.name {
            "hint" => Some((tag.callout(), String::new())),
            "tabs" => Some(("Tabs", String::new())),
            "tab" => Some(("Tab", named("title"))),
            "stepper" => Some(("Steps", String::new())),
            "step" => Some(("Step", String::new())),
            "columns" => Some(("Columns", "cols={2}".to_owned())),
            "column" => Some(("Column", String::new())),
            "update" => Some(("Update", format!("label={}", attribute(tag.get("date"))))),
            "swagger-parameter" => Some(("ParamField", tag.parameter(tag.get("in")))),
            "api-method-parameter" => Some(("ParamField", tag.parameter(state.place))),
            _ => None,
        };
        if let Some((name, attributes)) = component {
            let space = if attributes.is_empty() { "" } else { " " };
            state.mdx(indent, &format!("<{name}{space}{attributes}>"));
            state.open.push((tag.name.to_owned(), name));
            return;
        }
        match tag.name {
            "code" => state.code = Some(tag.code_options()),
            "content-ref" => {
                self.reference(tag.get("url"), from, indent, state);
                state.skipped = Some("endcontent-ref");
            }
            "page-ref" => self.reference(tag.get("page"), from, indent, state),
            "embed" => embed(tag.get("url"), indent, state),
            "file" => {
                let path = tag.get("src");
                state.text(format!("{indent}[{}](<{path}>)", file_name(path)));
                state.blank();
            }
            "include" => self.include(tag, from, depth, state),
            "swagger" | "api-method" => {
                let title = tag.get("summary");
                if !title.is_empty() {
                    state.text(format!("### {title}"));
                }
                let method = tag.get("method").to_uppercase();
                let host = [tag.get("baseUrl"), tag.get("host")].concat();
                state.blank();
                state.text(format!("`{method} {host}{}`", tag.get("path")));
                state.blank();
            }
            "api-method-summary" => state.is_heading = true,
            "api-method-path-parameters" => state.place = "path",
            "api-method-headers" => state.place = "header",
            "api-method-query-parameters" => state.place = "query",
            "swagger-response" | "api-method-response-example" => {
                let status = [tag.get("status"), tag.get("httpCode")].concat();
                state.blank();
                state.text(
                    format!("#### {status} {}", tag.get("description"))
                        .trim_end()
                        .to_owned(),
                );
                state.blank();
            }
            "openapi" | "openapi-operation" | "openapi-webhook" => {
                let operation = format!("{} {}", tag.get("method").to_uppercase(), tag.get("path"));
                let message = format!("the operation `{}` is shown by its name", operation.trim());
                let hint = "add the document to `api.openapi` of docs.json, and a page with `openapi` in its front matter";
                state.report(&MIGRATE_SYNTAX, message, hint);
                state.text(format!("`{}`", operation.trim()));
                state.blank();
            }
            "if" | "elif" | "else" => {
                let message = format!("the condition `{text}` is left out, its content is shown");
                state.report(
                    &MIGRATE_SYNTAX,
                    message,
                    "use groups of readers for pages, if content is for some only",
                );
            }
            "updates" | "raw" => {}
            name if SILENT.contains(&name) => {}
            name => {
                let message = format!("the block `{name}` is shown as text");
                state.report(
                    &MIGRATE_SYNTAX,
                    message,
                    "replace it with a component or with Markdown",
                );
                state.text(format!("{indent}{text}"));
            }
        }
    }

    fn include(&self, tag: &Tag<'_>, from: &str, depth: usize, state: &mut State<'_>) {
        let path = tag.first();
        let file = resolve(parent(from), path).and_then(|path| self.repository.text(&path));
        let Some(file) = file else {
            let message = format!("the included file `{path}` is not in the folder");
            state.report(&MIGRATE_MISSING, message, "copy the text into the page");
            return;
        };
        if depth >= MAX_DEPTH {
            let message = "the includes of the page are nested too deeply".to_owned();
            state.report(&MIGRATE_LIMIT, message, "include fewer files");
            return;
        }
        let mut body = front_matter::split(file).body;
        // The heading is the name of the included block.
        front_matter::take_title(&mut body);
        let texts: Vec<String> = body.into_iter().map(|line| line.text).collect();
        let lines = lines_of(&texts, "", state.number);
        self.lines(&lines, file.path(), depth + 1, state);
    }
}

/// The number of lines up to the summary of `<details>`, and its text.
fn summary(lines: &[Line]) -> Option<(usize, &str)> {
    for (index, line) in lines.iter().enumerate().take(4) {
        let text = line.text.as_str();
        if let Some((_, rest)) = text.split_once("<summary>") {
            let (title, after) = rest.split_once("</summary>")?;
            return after.trim().is_empty().then_some((index + 1, title));
        }
        if index > 0 && !text.trim().is_empty() {
            return None;
        }
    }
    None
}
