//! Rewriting of Markdown of other generators as MDX.

mod block;
mod code;
mod container;
mod definition_list;
mod directive;
mod fence;
mod grid;
mod html;
mod icon;
mod inline;
mod jsx;
mod link;
mod module;
mod python;
mod repair;
mod shown_attributes;
mod slash_block;
mod steps;

use std::collections::{BTreeMap, BTreeSet};

use svc_diagnostics::{Diagnostic, DiagnosticCode, SourceFile, Span};

pub(crate) use self::fence::{code_fence, track as track_fence};
pub(crate) use self::html::text_of as html_text;
pub(crate) use self::icon::icon_of_path;
pub(crate) use self::inline::plain_title;

/// Maximum number of diagnostics of one page.
const MAX_DIAGNOSTICS: usize = 200;
/// Maximum nesting depth of containers.
const MAX_DEPTH: usize = 32;

/// The Markdown of a generator.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dialect {
    /// The extensions of Python-Markdown that Material for MkDocs uses: `!!!`, `===`, `{ .class }`.
    pub(crate) python: bool,
    /// Containers between `:::`.
    pub(crate) directives: bool,
    /// The text is MDX already: braces and tags keep their meaning.
    pub(crate) mdx: bool,
    /// Only `.mdx` files are MDX.
    pub(crate) has_plain_markdown: bool,
    /// Quotes that begin with `[!NOTE]` are callouts.
    pub(crate) alerts: bool,
    /// Terms with definitions that begin with a colon.
    pub(crate) definition_lists: bool,
    /// Tags that are not HTML are components of the site, in Markdown too.
    pub(crate) custom_tags: bool,
    /// Options of code blocks as VitePress has them: `ts:line-numbers {1} [title]`.
    pub(crate) vue: bool,
    /// `^^`, `==`, `^` and `~` mark text.
    pub(crate) marks: bool,
    /// `{{ name }}` and `{% … %}` are evaluated by a plugin, with these values.
    pub(crate) macros: Option<BTreeMap<String, String>>,
    /// Components of the generator and their names here.
    pub(crate) components: &'static [(&'static str, &'static str)],
}

/// A line and its number in the source file, from 1.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) number: u32,
    pub(crate) text: String,
    /// The text is MDX already and stays as it is.
    pub(crate) is_mdx: bool,
}

impl Line {
    pub(crate) fn new(number: u32, text: impl Into<String>) -> Self {
        Self {
            number,
            text: text.into(),
            is_mdx: false,
        }
    }

    /// A line of MDX, which stays as it is.
    pub(crate) fn mdx(number: u32, text: impl Into<String>) -> Self {
        Self {
            is_mdx: true,
            ..Self::new(number, text)
        }
    }

    fn with_text(&self, text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..*self
        }
    }
}

/// Resolves link destinations of a page.
pub(crate) trait Links {
    /// The destination on the new site.
    fn resolve(&self, from: &str, destination: &str) -> String;

    /// The text of a file of the old repository.
    fn text(&self, from: &str, path: &str) -> Option<&str>;
}

/// Rewrites one page.
pub(crate) struct Rewriter<'a> {
    file: &'a SourceFile,
    links: &'a dyn Links,
    dialect: &'a Dialect,
    abbreviations: Vec<(String, String)>,
    /// Names of imported images and their paths.
    images: Vec<(String, String)>,
    /// Names of components that the page defines.
    own_components: Vec<String>,
    /// Names of imports that are left out.
    left_out: BTreeSet<String>,
    /// Exports of the page.
    constants: String,
    reported: BTreeSet<(&'static str, String)>,
    /// Depth of HTML blocks that are open.
    html_depth: usize,
    depth: usize,
    /// The current line is MDX.
    in_mdx: bool,
    line: u32,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(file: &'a SourceFile, links: &'a dyn Links, dialect: &'a Dialect) -> Self {
        Self {
            file,
            links,
            dialect,
            abbreviations: Vec::new(),
            images: Vec::new(),
            own_components: Vec::new(),
            left_out: BTreeSet::new(),
            constants: String::new(),
            reported: BTreeSet::new(),
            html_depth: 0,
            depth: 0,
            in_mdx: false,
            line: 1,
            diagnostics: Vec::new(),
        }
    }

    /// Rewrites the body of a page. The result has no syntax errors: invalid markup is changed and
    /// reported.
    pub(crate) fn rewrite(&mut self, lines: Vec<Line>) -> String {
        let lines = if self.dialect.python {
            self.take_abbreviations(lines)
        } else {
            lines
        };
        let definitions = lines.iter().filter(|line| line.is_mdx);
        let names = definitions.filter_map(|line| {
            let mut words = line.text.strip_prefix("export ")?.split([' ', '(', '=']);
            words.nth(1).map(str::to_owned)
        });
        self.own_components = names.collect();
        let mut text = self.blocks(&lines).join("\n");
        text.truncate(text.trim_end().len());
        text.push('\n');
        let changes = repair::repair(&mut text);
        for change in changes {
            self.line = self.line_of(&change.context).unwrap_or(1);
            self.report(
                &crate::codes::MIGRATE_MARKUP,
                change.message,
                "check how the page looks there",
            );
        }
        text
    }

    /// Braces and tags keep their meaning.
    fn is_mdx(&self) -> bool {
        self.dialect.mdx || self.in_mdx
    }

    /// Reports a problem of the current line, once for each message.
    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let message = message.into();
        if self.diagnostics.len() < MAX_DIAGNOSTICS
            && self.reported.insert((code.id, message.clone()))
        {
            let span = line_span(self.file, self.line);
            let diagnostic = Diagnostic::new(code, message)
                .at(self.file.location(span))
                .hint(hint);
            self.diagnostics.push(diagnostic);
        }
    }

    fn line_of(&self, context: &str) -> Option<u32> {
        let context = context.trim();
        if context.is_empty() {
            return None;
        }
        // The tag itself may have another form in the source: its neighbors are searched for too.
        let mut parts: Vec<&str> = context
            .split(['<', '>', '{', '}', '\\', '"', '='])
            .map(str::trim)
            .filter(|part| part.len() > 3)
            .collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        parts.insert(0, context);
        let at = parts.iter().find_map(|part| self.file.text().find(part))?;
        Some(self.file.position(u32::try_from(at).ok()?).line)
    }

    /// Removes definitions of abbreviations, `*[HTML]: Hyper Text Markup Language`.
    fn take_abbreviations(&mut self, lines: Vec<Line>) -> Vec<Line> {
        let mut fence: Option<String> = None;
        let mut rest = Vec::with_capacity(lines.len());
        for line in lines {
            fence::track(&line.text, &mut fence);
            let definition = line
                .text
                .trim_start()
                .strip_prefix("*[")
                .and_then(|text| text.split_once("]:"));
            match definition.filter(|_| fence.is_none()) {
                Some((name, text)) if !name.is_empty() => {
                    let entry = (name.to_owned(), text.trim().to_owned());
                    self.abbreviations.push(entry);
                }
                _ => rest.push(line),
            }
        }
        rest
    }
}

/// The span of the text of a line.
pub(crate) fn line_span(file: &SourceFile, number: u32) -> Span {
    let mut start = 0;
    for (index, line) in file.text().split('\n').enumerate() {
        if index + 1 == number as usize {
            let indent = line.len() - line.trim_start().len();
            let range = start + indent..(start + line.trim_end().len()).max(start + indent);
            return Span::from_range(range);
        }
        start += line.len() + 1;
    }
    Span::new(0, 0)
}

/// A diagnostic at the first line that fits, or at the first line of the file.
pub(crate) fn diagnostic_at_line(
    file: &SourceFile,
    code: &'static DiagnosticCode,
    message: impl Into<String>,
    fits: impl Fn(&str) -> bool,
) -> Diagnostic {
    let index = file.text().split('\n').position(fits).unwrap_or(0);
    let span = line_span(file, u32::try_from(index + 1).unwrap_or(1));
    Diagnostic::new(code, message).at(file.location(span))
}

/// The number of columns of white space at the start of a line.
fn indent_of(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// A text as a value of an attribute, with quotes.
pub(crate) fn attribute(text: &str) -> String {
    if text.contains('"') || text.contains('\\') {
        let text = text.replace('&', "&amp;").replace('"', "&quot;");
        return format!("\"{text}\"");
    }
    format!("\"{text}\"")
}
