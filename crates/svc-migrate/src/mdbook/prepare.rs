//! Directives of chapters: `{{#include file:anchor}}` and similar, hidden lines of code.

use svc_diagnostics::{Diagnostic, SourceFile};

use super::admonition::{admonitions, info_of};
use crate::Repository;
use crate::codes::{MIGRATE_LIMIT, MIGRATE_MISSING, MIGRATE_SYNTAX};
use crate::include::{lines_of, report};
use crate::markdown::{Line, track_fence};
use crate::path::{parent, resolve};

/// Maximum depth of files that include each other.
const MAX_DEPTH: usize = 10;
/// Maximum number of lines of a chapter with its includes.
const MAX_LINES: usize = 200_000;

/// What chapters are prepared with.
pub(super) struct Preparation<'a> {
    pub(super) repository: &'a Repository,
    /// Languages of code and the marks of their hidden lines.
    pub(super) hidden: Vec<(String, String)>,
    /// `\\(` and `\\[` begin formulas.
    pub(super) has_math: bool,
}

struct State<'a> {
    file: &'a SourceFile,
    diagnostics: &'a mut Vec<Diagnostic>,
    out: Vec<Line>,
}

impl Preparation<'_> {
    /// The lines of a chapter in Markdown.
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
        };
        self.lines(lines, file.path(), 0, &mut state);
        let mut lines = admonitions(state.out);
        promote_heading(&mut lines);
        self.code(lines)
    }

    fn lines(&self, lines: Vec<Line>, from: &str, depth: usize, state: &mut State<'_>) {
        for line in lines {
            if state.out.len() > MAX_LINES {
                let message = "the includes of the page are too large";
                report(
                    state.file,
                    line.number,
                    &MIGRATE_LIMIT,
                    message,
                    "include fewer files",
                    state.diagnostics,
                );
                return;
            }
            match directive(&line.text) {
                None => {
                    let text = line.text.replace("\\{{#", "{{#");
                    state.out.push(Line { text, ..line });
                }
                Some((start, end)) => self.directive(&line, (start, end), from, depth, state),
            }
        }
    }

    fn directive(
        &self,
        line: &Line,
        (start, end): (usize, usize),
        from: &str,
        depth: usize,
        state: &mut State<'_>,
    ) {
        let inner = line.text[start + 3..end - 2].trim();
        let before = line.text[..start].replace("\\{{#", "{{#");
        let (before, after) = (before.as_str(), &line.text[end..]);
        let (name, argument) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        let argument = argument.trim();
        let texts = match name {
            "title" | "toc" => Vec::new(),
            "include" | "rustdoc_include" | "playground" | "playpen" => {
                let path = argument.split_whitespace().next().unwrap_or_default();
                let Some((path, texts)) = self.select(path, from) else {
                    let message = format!("the included file `{path}` is not in the folder");
                    report(
                        state.file,
                        line.number,
                        &MIGRATE_MISSING,
                        message,
                        "copy the text into the page",
                        state.diagnostics,
                    );
                    return;
                };
                if depth >= MAX_DEPTH {
                    let message = "the includes of the page are nested too deeply";
                    report(
                        state.file,
                        line.number,
                        &MIGRATE_LIMIT,
                        message,
                        "include fewer files",
                        state.diagnostics,
                    );
                    return;
                }
                if name.starts_with("play") {
                    let block = crate::markdown::code_fence("rust", &texts.join("\n"));
                    block.split('\n').map(str::to_owned).collect()
                } else {
                    // What is included in a Markdown file can include more.
                    let mut inner = State {
                        file: state.file,
                        diagnostics: &mut *state.diagnostics,
                        out: Vec::new(),
                    };
                    self.lines(
                        lines_of(&texts, "", line.number),
                        &path,
                        depth + 1,
                        &mut inner,
                    );
                    inner.out.into_iter().map(|line| line.text).collect()
                }
            }
            name => {
                let message = format!("the directive `{{{{#{name}}}}}` is left out");
                let hint = "replace it with the text that its preprocessor writes";
                report(
                    state.file,
                    line.number,
                    &MIGRATE_SYNTAX,
                    message,
                    hint,
                    state.diagnostics,
                );
                Vec::new()
            }
        };
        // The directive can be inside of a line.
        let indent = before.chars().all(char::is_whitespace);
        let mut lines = if indent {
            lines_of(&texts, before, line.number)
        } else {
            let mut lines = lines_of(&texts, "", line.number);
            match lines.first_mut() {
                Some(first) => first.text.insert_str(0, before),
                None => lines.push(Line::new(line.number, before)),
            }
            lines
        };
        if !after.trim().is_empty() {
            match lines.last_mut() {
                Some(last) => last.text.push_str(after),
                None => lines.push(Line::new(line.number, after)),
            }
        }
        state.out.extend(lines);
    }

    /// The path of a file and its selected lines: `a.rs:anchor`, `a.rs:2:10`.
    fn select(&self, spec: &str, from: &str) -> Option<(String, Vec<String>)> {
        let mut parts = spec.split(':');
        let path = resolve(parent(from), parts.next()?)?;
        let text = self.repository.text(&path)?.text();
        let lines: Vec<&str> = text.trim_end().split('\n').collect();
        let is_anchor = |line: &&&str| anchor(line).is_some();
        let own = |lines: &[&str]| -> Vec<String> {
            let lines = lines.iter().filter(|line| !is_anchor(line));
            lines.map(|line| (*line).to_owned()).collect()
        };
        let first = parts.next();
        let selected = match first {
            None => own(&lines),
            Some(name) if !name.is_empty() && name.parse::<usize>().is_err() => {
                let is = |line: &&str, end: bool| anchor(line) == Some((end, name));
                let start = lines.iter().position(|line| is(line, false))?;
                let rest = &lines[start + 1..];
                let end = rest.iter().position(|line| is(line, true));
                own(&rest[..end.unwrap_or(rest.len())])
            }
            Some(number) => {
                let start = number.parse::<usize>().unwrap_or(1).max(1);
                let end = match parts.next() {
                    None => start,
                    Some(end) => end.parse().unwrap_or(lines.len()),
                };
                let end = end.min(lines.len());
                own(lines.get(start - 1..end).unwrap_or_default())
            }
        };
        Some((path, selected))
    }

    /// Removes hidden lines and the options of code blocks, which other generators do not have.
    fn code(&self, lines: Vec<Line>) -> Vec<Line> {
        let mut fence = None;
        let mut mark: Option<String> = None;
        let mut out = Vec::with_capacity(lines.len());
        for mut line in lines {
            let was_open = fence.is_some();
            track_fence(&line.text, &mut fence);
            if !was_open && fence.is_some() {
                let (start, info) = info_of(&line.text);
                let mut words = info.split([',', ' ']).filter(|word| !word.is_empty());
                let language = words.next().unwrap_or_default().to_owned();
                let own = words
                    .find_map(|word| word.strip_prefix("hidelines="))
                    .map(str::to_owned);
                let known = self.hidden.iter().find(|entry| entry.0 == language);
                mark = own.or_else(|| known.map(|entry| entry.1.clone()));
                if mark.is_none() && language == "rust" {
                    mark = Some("#".to_owned());
                }
                line.text = format!("{start}{language}");
            } else if fence.is_some()
                && let Some(mark) = &mark
            {
                match visible(&line.text, mark) {
                    Some(text) => line.text = text,
                    None => continue,
                }
            } else if self.has_math && fence.is_none() && !line.text.contains('`') {
                for (old, new) in [
                    ("\\\\(", "$"),
                    ("\\\\)", "$"),
                    ("\\\\[", "$$"),
                    ("\\\\]", "$$"),
                ] {
                    line.text = line.text.replace(old, new);
                }
            }
            out.push(line);
        }
        out
    }
}

/// The start and the end of the first directive of a line that is not escaped.
fn directive(text: &str) -> Option<(usize, usize)> {
    let start = text
        .match_indices("{{#")
        .map(|(at, _)| at)
        .find(|at| !text[..*at].ends_with('\\'))?;
    let end = text[start..].find("}}")? + start + 2;
    Some((start, end))
}

/// `ANCHOR: name` and `ANCHOR_END: name`: whether it is the end, and the name.
fn anchor(line: &str) -> Option<(bool, &str)> {
    let (is_end, rest) = match line.split_once("ANCHOR_END:") {
        Some((_, rest)) => (true, rest),
        None => (false, line.split_once("ANCHOR:")?.1),
    };
    let name = rest.split_whitespace().next()?;
    Some((is_end, name))
}

/// A line of code as readers see it; `None` if it is hidden.
fn visible(text: &str, mark: &str) -> Option<String> {
    let indent = text.len() - text.trim_start().len();
    let Some(rest) = text[indent..].strip_prefix(mark) else {
        return Some(text.to_owned());
    };
    if mark != "#" {
        return None;
    }
    if rest.starts_with('#') {
        return Some(format!("{}{rest}", &text[..indent]));
    }
    // Attributes are not hidden.
    (!rest.is_empty() && !rest.starts_with(' ')).then(|| text.to_owned())
}

/// Some books begin their chapters with a heading of level 2, which is the title.
fn promote_heading(lines: &mut [Line]) {
    let mut in_comment = false;
    for line in lines {
        let text = line.text.trim();
        in_comment |= text.starts_with("<!--");
        let skipped = in_comment || text.is_empty() || text.starts_with("<a id=");
        if text.contains("-->") {
            in_comment = false;
        }
        if skipped {
            continue;
        }
        if text.starts_with("##") && text.trim_start_matches('#').starts_with(' ') {
            line.text = format!("#{}", text.trim_start_matches('#'));
        }
        return;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> String {
        let mut repository = Repository::new();
        repository.insert_text("src/a.rs", "// ANCHOR: all\nfn a() {\n    // ANCHOR: in\n    b();\n    // ANCHOR_END: in\n}\n// ANCHOR_END: all\n");
        repository.insert_text("src/part.md", "Part {{#include a.rs:4}}\n");
        let file = SourceFile::new("src/x.md", text);
        let preparation = Preparation {
            repository: &repository,
            hidden: vec![("python".to_owned(), "~".to_owned())],
            has_math: true,
        };
        let lines = crate::front_matter::split(&file).body;
        let mut diagnostics = Vec::new();
        let lines = preparation.page(&file, lines, &mut diagnostics);
        let mut lines: Vec<String> = lines.into_iter().map(|line| line.text).collect();
        lines.extend(diagnostics.iter().map(|one| format!("! {}", one.message)));
        lines.join("\n")
    }

    #[test]
    fn files_are_included_by_anchor_and_by_lines() {
        assert_eq!(page("{{#include a.rs:in}}"), "    b();");
        assert_eq!(
            page("{{#rustdoc_include a.rs:all}}"),
            "fn a() {\n    b();\n}"
        );
        assert_eq!(page("{{#include a.rs:2:3}}"), "fn a() {");
        assert_eq!(page("x {{#include part.md}} y"), "x Part     b(); y");
        assert_eq!(page("{{#playground a.rs:in}}"), "```rust\n    b();\n```");
        assert_eq!(page("\\{{#include x}}"), "{{#include x}}");
        assert_eq!(page("{{#title T}}"), "");
        assert!(page("{{#include no.rs}}").starts_with("! the included file `no.rs`"));
        assert!(page("{{#other}}").contains("! the directive `{{#other}}`"));
    }

    #[test]
    fn hidden_lines_of_code_are_left_out() {
        assert_eq!(
            page("```rust,ignore\n# hidden\n#\n## shown\n#[derive(A)]\nb\n```"),
            "```rust\n# shown\n#[derive(A)]\nb\n```"
        );
        assert_eq!(page("```python\n~x\n# y\n```"), "```python\n# y\n```");
        assert_eq!(page("```toml\n# y\n```"), "```toml\n# y\n```");
    }

    #[test]
    fn admonitions_formulas_and_titles_are_converted() {
        assert_eq!(
            page("x\n```admonish warning title=\"T\"\nText\n```"),
            "x\n::::::warning[T]\nText\n::::::"
        );
        assert_eq!(page("x \\\\(a\\\\)"), "x $a$");
        assert_eq!(
            page("<!-- c -->\n## Title\n## Next"),
            "<!-- c -->\n# Title\n## Next"
        );
    }
}
