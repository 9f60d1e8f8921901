//! Blocks: lines in, lines out.

use super::container::{is_admonition, is_tab};
use super::directive::is_directive;
use super::fence::opening;
use super::module::is_module_line;
use super::slash_block::is_slash_block;
use super::{Line, MAX_DEPTH, Rewriter, code_fence, html, indent_of};
use crate::codes::{MIGRATE_LIMIT, MIGRATE_STYLE, MIGRATE_SYNTAX};

impl Rewriter<'_> {
    /// Rewrites the lines of a container.
    pub(super) fn blocks(&mut self, lines: &[Line]) -> Vec<String> {
        if self.depth >= MAX_DEPTH {
            self.report(
                &MIGRATE_LIMIT,
                "containers are nested too deeply",
                "the content is kept as it is; nest fewer containers",
            );
            return lines.iter().map(|line| line.text.clone()).collect();
        }
        self.depth += 1;
        let mut pass = Pass {
            out: Vec::new(),
            paragraph: Vec::new(),
            list_indent: None,
            blank: true,
        };
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            self.line = line.number;
            at += self.block(&lines[at..], &mut pass).max(1);
        }
        self.flush(&mut pass);
        self.depth -= 1;
        pass.out
    }

    /// Rewrites the block at the start of `lines` and returns its number of lines.
    fn block(&mut self, lines: &[Line], pass: &mut Pass) -> usize {
        let text = lines[0].text.as_str();
        let trimmed = text.trim();
        if lines[0].is_mdx {
            self.flush(pass);
            self.in_mdx = true;
            let text = self.inline(text);
            self.in_mdx = false;
            pass.out.push(text);
            pass.blank = true;
            pass.list_indent = None;
            return 1;
        }
        if trimmed.is_empty() {
            self.flush(pass);
            pass.out.push(String::new());
            pass.blank = true;
            return 1;
        }
        let was_blank = std::mem::replace(&mut pass.blank, false);
        let indent = indent_of(text);
        if was_blank && indent == 0 && !is_list_item(trimmed) {
            pass.list_indent = None;
        }
        if let Some((_, fence, _)) = opening(text) {
            let fence = fence.to_owned();
            self.flush(pass);
            return self.fenced(lines, &fence, pass);
        }
        if self.is_indented_code(lines, was_blank, pass) {
            return self.indented_code(lines, pass);
        }
        if self.dialect.mdx
            && let Some(used) = self.component_lines(lines, pass)
        {
            return used;
        }
        if let Some(used) = self.container(lines, pass) {
            return used;
        }
        if trimmed.starts_with("<!--") {
            self.flush(pass);
            return self.comment(lines, pass);
        }
        if let Some(used) = self.verbatim_html(lines, pass) {
            return used;
        }
        if trimmed.starts_with('>') {
            self.flush(pass);
            return self.quote(lines, pass);
        }
        if self.dialect.mdx && (was_blank || pass.paragraph.is_empty()) && is_module_line(text) {
            return self.module_lines(lines, pass);
        }
        if trimmed.starts_with('#') && trimmed.trim_start_matches('#').starts_with(' ') {
            self.flush(pass);
            let heading = self.heading(text);
            pass.out.push(heading);
            return 1;
        }
        if is_list_item(trimmed) {
            self.flush(pass);
            pass.list_indent = Some(indent);
        } else if trimmed.starts_with('|') {
            self.flush(pass);
        }
        if !self.dialect.mdx {
            self.html_depth = (self.html_depth + html::block_opens(trimmed))
                .saturating_sub(html::block_closes(trimmed));
        }
        pass.paragraph.push(lines[0].clone());
        1
    }

    /// Writes the pending paragraph.
    pub(super) fn flush(&mut self, pass: &mut Pass) {
        if pass.paragraph.is_empty() {
            return;
        }
        let lines = std::mem::take(&mut pass.paragraph);
        let line = self.line;
        self.line = lines[0].number;
        let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        let text = self.inline(&text.join("\n"));
        self.line = line;
        pass.out.extend(text.split('\n').map(str::to_owned));
    }

    fn comment(&mut self, lines: &[Line], pass: &mut Pass) -> usize {
        let last = lines.iter().position(|line| line.text.contains("-->"));
        let used = last.map_or(1, |at| at + 1);
        let text: Vec<&str> = lines[..used]
            .iter()
            .map(|line| line.text.as_str())
            .collect();
        let text = self.inline(&text.join("\n"));
        pass.out.extend(text.split('\n').map(str::to_owned));
        used
    }

    /// `<script>`, `<style>` and `<pre>`, whose content is not Markdown.
    fn verbatim_html(&mut self, lines: &[Line], pass: &mut Pass) -> Option<usize> {
        if self.dialect.mdx {
            return None;
        }
        let text = lines[0].text.trim_start();
        let name = ["script", "style", "pre"].into_iter().find(|name| {
            text.strip_prefix('<')
                .and_then(|rest| rest.strip_prefix(name))
                .is_some_and(|rest| rest.starts_with([' ', '>']) || rest.is_empty())
        })?;
        let close = format!("</{name}>");
        let end = lines.iter().position(|line| line.text.contains(&close))?;
        self.flush(pass);
        if name == "pre" {
            let code: Vec<&str> = lines[..=end]
                .iter()
                .map(|line| line.text.as_str())
                .collect();
            let code = html::text_of(&code.join("\n"));
            let code = code_fence("", code.trim_matches('\n'));
            let space = " ".repeat(indent_of(&lines[0].text));
            pass.out
                .extend(code.split('\n').map(|line| format!("{space}{line}")));
        } else {
            self.report(
                &MIGRATE_STYLE,
                format!("a `<{name}>` element of the page is left out"),
                "put scripts into a `.js` file and styles into a `.css` file of the repository",
            );
        }
        Some(end + 1)
    }

    fn quote(&mut self, lines: &[Line], pass: &mut Pass) -> usize {
        let indent = indent_of(&lines[0].text);
        let is_quote = |line: &&Line| line.text.trim_start().starts_with('>');
        let used = lines.iter().take_while(is_quote).count();
        let inner: Vec<Line> = lines[..used]
            .iter()
            .map(|line| {
                let text = line.text.trim_start();
                let text = text.strip_prefix('>').unwrap_or(text);
                line.with_text(text.strip_prefix(' ').unwrap_or(text).to_owned())
            })
            .collect();
        if let Some((kind, title)) = alert(&inner).filter(|_| self.dialect.alerts) {
            let tags = self.callout(&kind, title.as_deref(), None);
            self.wrap(tags, &inner[1..], indent, &mut pass.out);
            return used;
        }
        let space = " ".repeat(indent);
        for line in self.blocks(&inner) {
            pass.out
                .push(format!("{space}> {line}").trim_end().to_owned());
        }
        used
    }

    fn heading(&mut self, text: &str) -> String {
        let mut text = text.trim_end().to_owned();
        let mut id = None;
        if let Some(at) = text.rfind('{').filter(|_| text.ends_with('}')) {
            let list = text[at + 1..text.len() - 1].trim_start_matches(':').trim();
            let is_comment = list.starts_with("/*");
            let list = list.trim_start_matches("/*").trim_end_matches("*/").trim();
            let names = list.split_whitespace();
            if !is_comment && (self.dialect.python || list.starts_with('#'))
                || list.starts_with('#')
            {
                id = names
                    .filter_map(|name| name.strip_prefix('#').or_else(|| name.strip_prefix("id=")))
                    .next()
                    .map(|id| id.trim_matches(['"', '\'']).to_owned());
                text.truncate(at);
            }
        }
        let heading = self.inline(text.trim_end());
        // A closing sequence of `#` is part of the syntax only at the end of the line.
        let heading = heading.trim_end();
        match id {
            Some(id) => format!("{} {{#{id}}}", heading.trim_end_matches('#').trim_end()),
            None => heading.to_owned(),
        }
    }

    fn container(&mut self, lines: &[Line], pass: &mut Pass) -> Option<usize> {
        let text = lines[0].text.as_str();
        if self.dialect.python {
            if is_admonition(text) {
                self.flush(pass);
                return Some(self.admonition(lines, &mut pass.out));
            }
            if is_tab(text) {
                self.flush(pass);
                return Some(self.tabs(lines, &mut pass.out));
            }
            if is_slash_block(text) {
                self.flush(pass);
                return Some(self.slash_block(lines, &mut pass.out));
            }
            if super::grid::is_card_grid(text) {
                self.flush(pass);
                if let Some(used) = self.card_grid(lines, &mut pass.out) {
                    return Some(used);
                }
            }
            if let Some(module) = text.strip_prefix("::: ") {
                self.flush(pass);
                return Some(self.generated_reference(lines, module));
            }
        }
        if (self.dialect.python || self.dialect.definition_lists)
            && pass.paragraph.is_empty()
            && starts_definition_list(lines)
        {
            return Some(self.definition_list(lines, &mut pass.out));
        }
        if self.dialect.mdx && !self.dialect.components.is_empty() && super::steps::is_steps(text) {
            self.flush(pass);
            return self.steps(lines, &mut pass.out);
        }
        if self.dialect.directives && is_directive(text) {
            self.flush(pass);
            return Some(self.directive(lines, &mut pass.out));
        }
        None
    }

    fn generated_reference(&mut self, lines: &[Line], module: &str) -> usize {
        let module = module.trim();
        self.report(
            &MIGRATE_SYNTAX,
            format!("the reference of `{module}`, which a plugin generates from code, is left out"),
            "generate MDX pages from the code and add them to the repository",
        );
        let is_option = |line: &&Line| line.text.trim().is_empty() || indent_of(&line.text) >= 4;
        1 + lines.iter().skip(1).take_while(is_option).count()
    }
}

/// State of the rewriting of one container.
pub(super) struct Pass {
    pub(super) out: Vec<String>,
    pub(super) paragraph: Vec<Line>,
    /// Indentation of the last list item.
    pub(super) list_indent: Option<usize>,
    /// The previous line was blank.
    blank: bool,
}

/// The kind and the title of a quote that is a callout: `[!NOTE] Title`.
fn alert(lines: &[Line]) -> Option<(String, Option<String>)> {
    let rest = lines.first()?.text.trim().strip_prefix("[!")?;
    let (kind, title) = rest.split_once(']')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_kind = !kind.is_empty() && kind.chars().all(is_name);
    let title = title.trim();
    is_kind.then(|| {
        let title = (!title.is_empty()).then(|| title.to_owned());
        (kind.to_lowercase(), title)
    })
}

/// Returns whether a line begins a list item.
pub(super) fn is_list_item(text: &str) -> bool {
    if text.starts_with("- ") || text.starts_with("* ") || text.starts_with("+ ") {
        return true;
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    digits > 0
        && digits < 10
        && [". ", ") "]
            .iter()
            .any(|end| text[digits..].starts_with(end))
}

/// Returns whether the lines are a term and its definition: `:   text`.
fn starts_definition_list(lines: &[Line]) -> bool {
    let is_definition = |line: &Line| {
        line.text
            .strip_prefix(':')
            .is_some_and(|rest| rest.starts_with(' '))
    };
    let is_term = !lines[0].text.starts_with([' ', ':', '#', '|', '>']);
    let next = lines.get(1);
    let after_blank = next
        .filter(|line| line.text.trim().is_empty())
        .and(lines.get(2));
    is_term && after_blank.or(next).is_some_and(is_definition)
}
