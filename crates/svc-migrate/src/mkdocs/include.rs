//! Files that pages include: `--8<--`, `{! … !}` and `{* … *}`.

use svc_diagnostics::{Diagnostic, SourceFile};

use super::config::Config;
use crate::Repository;
use crate::codes::{MIGRATE_LIMIT, MIGRATE_MISSING};
use crate::markdown::{Line, line_span};
use crate::path::{join, parent, resolve};

/// Maximum nesting depth of includes.
const MAX_DEPTH: usize = 8;
/// Maximum number of lines of a page with its includes.
const MAX_LINES: usize = 200_000;

/// Resolves includes.
pub(super) struct Includes<'a> {
    repository: &'a Repository,
    bases: Vec<String>,
    appended: Vec<String>,
}

impl<'a> Includes<'a> {
    pub(super) fn new(repository: &'a Repository, config: &Config) -> Self {
        let options = config.extension("pymdownx.snippets");
        let strings = |key: &str| -> Vec<String> {
            match options.and_then(|options| options.get(key)) {
                Some(serde_json::Value::String(text)) => vec![text.clone()],
                Some(serde_json::Value::Array(all)) => all
                    .iter()
                    .filter_map(|item| item.as_str())
                    .map(str::to_owned)
                    .collect(),
                _ => Vec::new(),
            }
        };
        let named = strings("base_path");
        let mut bases: Vec<String> = named
            .iter()
            .filter_map(|base| resolve(&config.dir, base))
            .collect();
        bases.extend([config.dir.clone(), config.docs_dir.clone()]);
        Self {
            repository,
            bases,
            appended: strings("auto_append"),
        }
    }

    /// Replaces all includes by the lines of the files.
    pub(super) fn expand(
        &self,
        file: &SourceFile,
        lines: Vec<Line>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<Line> {
        let mut state = State {
            file,
            diagnostics,
            out: Vec::with_capacity(lines.len()),
        };
        let last = lines.last().map_or(1, |line| line.number);
        self.lines(lines, 0, &mut state);
        for path in &self.appended {
            state.out.push(Line::new(last, String::new()));
            self.include(path, "", last, 0, &mut state);
        }
        state.out
    }

    fn lines(&self, lines: Vec<Line>, depth: usize, state: &mut State<'_>) {
        let mut in_block = false;
        for line in lines {
            let text = line.text.trim();
            let indent = &line.text[..line.text.len() - line.text.trim_start().len()];
            if text == "--8<--" || text == "-8<-" {
                in_block = !in_block;
            } else if in_block {
                if !text.is_empty() && !text.starts_with(';') {
                    self.include(text, indent, line.number, depth, state);
                }
            } else if let Some(path) = snippet(text).or_else(|| include(text)) {
                self.include(path, indent, line.number, depth, state);
            } else if let Some(inner) = code_include(text) {
                self.code(inner, indent, &line, state);
            } else {
                let text = line.text.replacen(";--8<--", "--8<--", 1);
                state.out.push(Line::new(line.number, text));
            }
        }
    }

    fn include(&self, name: &str, indent: &str, number: u32, depth: usize, state: &mut State<'_>) {
        if depth >= MAX_DEPTH || state.out.len() > MAX_LINES {
            let message = "the includes of the page are too large or nested too deeply";
            state.report(
                &MIGRATE_LIMIT,
                number,
                message.to_owned(),
                "include fewer files",
            );
            return;
        }
        let (path, section) = section(name);
        let Some((_, file)) = self.find(path, state.file) else {
            let message = format!("the included file `{path}` is not in the folder");
            let hint = "copy the text into the page";
            state.report(&MIGRATE_MISSING, number, message, hint);
            return;
        };
        let text = select(file.text(), section);
        let lines = text.iter().map(|text| {
            Line::new(
                number,
                format!("{indent}{}", text.replace('\t', "    "))
                    .trim_end()
                    .to_owned(),
            )
        });
        self.lines(lines.collect(), depth + 1, state);
    }

    /// `{* path ln[1:3] hl[2] *}` of FastAPI's documentation: a code block.
    fn code(&self, inner: &str, indent: &str, line: &Line, state: &mut State<'_>) {
        let mut words = inner.split_whitespace();
        let path = words.next().unwrap_or_default();
        let Some((path, file)) = self.find(path, state.file) else {
            let message = format!("the included file `{path}` is not in the folder");
            state.report(
                &MIGRATE_MISSING,
                line.number,
                message,
                "copy the code into the page",
            );
            return;
        };
        let (mut marked, mut ranges) = (String::new(), String::new());
        for word in words {
            if let Some(lines) = word.strip_prefix("hl[") {
                marked = format!(
                    " hl_lines=\"{}\"",
                    lines.trim_end_matches(']').replace(':', "-")
                );
            } else if let Some(lines) = word.strip_prefix("ln[") {
                ranges = lines.trim_end_matches(']').to_owned();
            }
        }
        let all: Vec<&str> = file.text().trim_end().split('\n').collect();
        let code = if ranges.is_empty() {
            all
        } else {
            let mut code = Vec::new();
            for range in ranges.split(',') {
                let (start, end) = range.split_once(':').unwrap_or((range, range));
                let start = start.parse::<usize>().unwrap_or(1).max(1);
                let end = end.parse::<usize>().unwrap_or(all.len()).min(all.len());
                code.extend(all.get(start - 1..end).unwrap_or_default());
            }
            code
        };
        let language = path.rsplit_once('.').map_or("", |(_, end)| end);
        let info = format!("{language}{marked}");
        for text in crate::markdown::code_fence(&info, &code.join("\n")).split('\n') {
            state
                .out
                .push(Line::new(line.number, format!("{indent}{text}")));
        }
    }

    fn find(&self, path: &str, from: &SourceFile) -> Option<(String, &'a SourceFile)> {
        let near = parent(from.path()).to_owned();
        let bases = self.bases.iter().chain([&near]);
        bases
            .filter_map(|base| resolve("", &join(base, path)).or_else(|| resolve(base, path)))
            .find_map(|path| self.repository.text(&path).map(|file| (path, file)))
    }
}

struct State<'a> {
    file: &'a SourceFile,
    diagnostics: &'a mut Vec<Diagnostic>,
    out: Vec<Line>,
}

impl State<'_> {
    fn report(
        &mut self,
        code: &'static svc_diagnostics::DiagnosticCode,
        number: u32,
        message: String,
        hint: &str,
    ) {
        let at = self.file.location(line_span(self.file, number));
        self.diagnostics
            .push(Diagnostic::new(code, message).at(at).hint(hint));
    }
}

/// `--8<-- "path"`.
fn snippet(text: &str) -> Option<&str> {
    let marks = text.trim_start_matches('-');
    if marks.len() == text.len() {
        return None;
    }
    let rest = marks.strip_prefix("8<")?.trim_start_matches('-').trim();
    rest.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])
}

/// `{! path !}` and `{!> path !}`.
fn include(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("{!")?.strip_suffix("!}")?;
    Some(inner.trim_start_matches('>').trim())
}

/// `{* path *}`.
fn code_include(text: &str) -> Option<&str> {
    Some(text.strip_prefix("{*")?.strip_suffix("*}")?.trim())
}

/// The path and the section or lines of a snippet: `a.py:name`, `a.py:1:3`.
fn section(name: &str) -> (&str, &str) {
    match name.find(':') {
        Some(at) if !name.contains("://") => (&name[..at], &name[at + 1..]),
        _ => (name, ""),
    }
}

/// The lines of a section; markers of sections are removed.
fn select<'t>(text: &'t str, section: &str) -> Vec<&'t str> {
    let lines: Vec<&str> = text.trim_end().split('\n').collect();
    let is_marker = |line: &&str| line.contains("--8<-- [") || line.contains("-8<- [");
    if section.is_empty() {
        return lines.into_iter().filter(|line| !is_marker(line)).collect();
    }
    let mut numbers = section.split(':');
    let first = numbers.next().unwrap_or_default();
    if first.is_empty() || first.parse::<usize>().is_ok() {
        let start = first.parse::<usize>().unwrap_or(1).max(1);
        let end = numbers
            .next()
            .and_then(|end| end.parse().ok())
            .unwrap_or(lines.len());
        let end = end.min(lines.len());
        return lines.get(start - 1..end).unwrap_or_default().to_vec();
    }
    let has = |line: &str, kind: &str| {
        line.contains(&format!("[{kind}:{section}]"))
            || line.contains(&format!("[{kind}: {section}]"))
    };
    let start = lines.iter().position(|line| has(line, "start"));
    let Some(start) = start else {
        return lines;
    };
    let end = lines
        .iter()
        .position(|line| has(line, "end"))
        .unwrap_or(lines.len());
    let inner = lines.get(start + 1..end).unwrap_or_default();
    inner
        .iter()
        .copied()
        .filter(|line| !is_marker(line))
        .collect()
}
