//! Included files: `<!--@include: part.md-->` and `<<< @/file.ts#region{1,3} [title]`.

use svc_diagnostics::{Diagnostic, SourceFile};

use crate::Repository;
use crate::codes::{MIGRATE_LIMIT, MIGRATE_MISSING};
use crate::include::{lines_of, report};
use crate::markdown::{Line, code_fence, track_fence};
use crate::path::{parent, resolve};

/// Maximum depth of files that include each other.
const MAX_DEPTH: usize = 10;
/// Maximum number of lines of a page with its includes.
const MAX_LINES: usize = 200_000;

/// Resolves includes of pages.
pub(super) struct Includes<'a> {
    pub(super) repository: &'a Repository,
    /// Folder of the pages, for which `@` stands.
    pub(super) root: &'a str,
}

impl Includes<'_> {
    /// The lines of a page with all its includes.
    pub(super) fn resolve(
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
        };
        self.lines(lines, file.path(), 0, &mut state);
        state.out
    }

    fn lines(&self, lines: Vec<Line>, from: &str, depth: usize, state: &mut State<'_>) {
        for line in lines {
            let text = line.text.trim();
            if let Some(path) = include(text) {
                self.include(path, &line, from, depth, state);
                continue;
            }
            if state.fence.is_none() {
                if let Some(rest) = text.strip_prefix("<<<") {
                    self.snippet(rest.trim(), &line, from, state);
                    continue;
                }
                if text.eq_ignore_ascii_case("[[toc]]") {
                    continue;
                }
            }
            track_fence(&line.text, &mut state.fence);
            state.out.push(line);
        }
    }

    fn find(&self, path: &str, from: &str) -> Option<&SourceFile> {
        let path = match path.strip_prefix("@/").or_else(|| path.strip_prefix('@')) {
            Some(rest) => resolve(self.root, rest)?,
            None => resolve(parent(from), path)?,
        };
        self.repository.text(&path)
    }

    /// `path{start,end}` and `path#region`.
    fn include(&self, spec: &str, line: &Line, from: &str, depth: usize, state: &mut State<'_>) {
        if depth >= MAX_DEPTH || state.out.len() > MAX_LINES {
            let message = "the includes of the page are too large or nested too deeply";
            let hint = "include fewer files";
            report(
                state.file,
                line.number,
                &MIGRATE_LIMIT,
                message,
                hint,
                state.diagnostics,
            );
            return;
        }
        let (spec, range) = split_braces(spec);
        let (path, region) = spec.split_once('#').unwrap_or((spec, ""));
        let Some(file) = self.find(path.trim(), from) else {
            state.missing(path, line.number);
            return;
        };
        let parts = crate::front_matter::split(file);
        let all: Vec<String> = match (region.is_empty(), range) {
            (true, None) => parts.body.into_iter().map(|line| line.text).collect(),
            (true, Some(range)) => select(file.text(), range),
            (false, _) => match region_of(file.text(), region) {
                Some(lines) => lines,
                // The region can be the anchor of a section.
                None => section_of(file.text(), region),
            },
        };
        let path = file.path().to_string();
        self.lines(lines_of(&all, "", line.number), &path, depth + 1, state);
    }

    /// `@/path.ts#region{1,3 ts:line-numbers} [title]`.
    fn snippet(&self, spec: &str, line: &Line, from: &str, state: &mut State<'_>) {
        let (spec, title) = match spec.split_once(" [") {
            Some((spec, title)) => (spec.trim(), title.strip_suffix(']')),
            None => (spec, None),
        };
        let (spec, braces) = split_braces(spec);
        let (path, region) = spec.split_once('#').unwrap_or((spec, ""));
        let Some(file) = self.find(path, from) else {
            state.missing(path, line.number);
            return;
        };
        let code: Vec<String> = match region {
            "" => file
                .text()
                .trim_end()
                .split('\n')
                .map(str::to_owned)
                .collect(),
            region => region_of(file.text(), region).unwrap_or_else(|| select(file.text(), "")),
        };
        let own = path.rsplit_once('.').map_or("", |(_, end)| end);
        let mut words = braces.unwrap_or_default().split_whitespace();
        let first = words.next().unwrap_or_default();
        let is_lines = first.starts_with(|c: char| c.is_ascii_digit());
        let language = if is_lines { words.next() } else { Some(first) };
        let language = language.filter(|it| !it.is_empty()).unwrap_or(own);
        let language = match language.starts_with(':') {
            true => format!("{own}{language}"),
            false => language.to_owned(),
        };
        let mut info = language;
        if is_lines {
            info.push_str(&format!(" {{{first}}}"));
        }
        // Code groups need a title; VitePress shows the name of the file there.
        let name = title.unwrap_or_else(|| crate::path::file_name(path));
        info.push_str(&format!(" [{name}]"));
        let indent = &line.text[..line.text.len() - line.text.trim_start().len()];
        let block = code_fence(&info, &code.join("\n"));
        let block: Vec<String> = block.split('\n').map(str::to_owned).collect();
        state.out.extend(lines_of(&block, indent, line.number));
    }
}

struct State<'a> {
    file: &'a SourceFile,
    diagnostics: &'a mut Vec<Diagnostic>,
    out: Vec<Line>,
    fence: Option<String>,
}

impl State<'_> {
    fn missing(&mut self, path: &str, number: u32) {
        let message = format!("the included file `{path}` is not in the folder");
        let hint = "copy the text into the page";
        report(
            self.file,
            number,
            &MIGRATE_MISSING,
            message,
            hint,
            self.diagnostics,
        );
    }
}

/// The file that `<!--@include: path-->` names.
fn include(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    Some(inner.strip_prefix("@include:")?.trim())
}

/// A text without the braces at its end, and their content.
fn split_braces(text: &str) -> (&str, Option<&str>) {
    match text
        .strip_suffix('}')
        .and_then(|text| text.rsplit_once('{'))
    {
        Some((path, inner)) => (path, Some(inner)),
        None => (text, None),
    }
}

/// The lines of a range: `3,`, `,10`, `1,10`; all lines for the empty one.
fn select(text: &str, range: &str) -> Vec<String> {
    let lines: Vec<&str> = text.trim_end().split('\n').collect();
    let (start, end) = range.split_once(',').unwrap_or((range, range));
    let start = start.trim().parse::<usize>().unwrap_or(1).max(1);
    let end = end
        .trim()
        .parse::<usize>()
        .unwrap_or(lines.len())
        .min(lines.len());
    let lines = lines.get(start - 1..end).unwrap_or_default();
    lines.iter().map(|line| (*line).to_owned()).collect()
}

/// The lines between `#region name` and its end, without the indentation they share.
fn region_of(text: &str, name: &str) -> Option<Vec<String>> {
    let lines: Vec<&str> = text.split('\n').collect();
    let words = |line: &str| -> Vec<String> {
        let is_word = |c: char| c.is_alphanumeric() || "-_#".contains(c);
        let words = line.split(|c| !is_word(c)).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    let is_mark = |line: &str, mark: &str| {
        let words = words(line);
        let at = words
            .iter()
            .position(|word| word.trim_start_matches('#') == mark);
        at.is_some_and(|at| words.get(at + 1).is_none_or(|word| word == name))
    };
    let is_start = |line: &&str| is_mark(line, "region") && words(line).iter().any(|it| it == name);
    let start = lines.iter().position(is_start)?;
    let rest = &lines[start + 1..];
    let end = rest.iter().position(|line| is_mark(line, "endregion"));
    let inner = &rest[..end.unwrap_or(rest.len())];
    let is_nested = |line: &&&str| {
        words(line)
            .iter()
            .any(|word| matches!(word.as_str(), "#region" | "#endregion"))
    };
    let inner: Vec<&str> = inner
        .iter()
        .filter(|line| !is_nested(line))
        .copied()
        .collect();
    let indents = inner.iter().filter(|line| !line.trim().is_empty());
    let indent = indents
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    Some(
        inner
            .iter()
            .map(|line| line.get(indent..).unwrap_or_default().to_owned())
            .collect(),
    )
}

/// The section of a page whose heading has an anchor.
fn section_of(text: &str, anchor: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let level = |line: &str| {
        let level = line.len() - line.trim_start_matches('#').len();
        (level > 0 && line[level..].starts_with(' ')).then_some(level)
    };
    let slug = |line: &str| {
        let text = line.trim_start_matches('#').trim().to_lowercase();
        let text = text
            .rsplit_once("{#")
            .map_or(text.clone(), |(_, id)| id.trim_end_matches('}').to_owned());
        let words = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join("-")
    };
    let start = lines
        .iter()
        .position(|line| level(line).is_some() && slug(line) == anchor);
    let Some(start) = start else {
        return lines.iter().map(|line| (*line).to_owned()).collect();
    };
    let own = level(lines[start]).unwrap_or(1);
    let end = lines[start + 1..]
        .iter()
        .position(|line| level(line).is_some_and(|level| level <= own))
        .map_or(lines.len(), |at| start + 1 + at);
    lines[start..end]
        .iter()
        .map(|line| (*line).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_and_ranges_are_selected() {
        let text = "a\n// #region one\n  b\n    c\n// #endregion one\nd\n";
        assert_eq!(region_of(text, "one").unwrap(), ["b", "  c"]);
        assert_eq!(region_of(text, "two"), None);
        assert_eq!(
            region_of("<!-- #region x -->\na\n<!-- #endregion -->", "x").unwrap(),
            ["a"]
        );
        assert_eq!(select("a\nb\nc\n", "2,"), ["b", "c"]);
        assert_eq!(select("a\nb\nc\n", ",2"), ["a", "b"]);
        assert_eq!(select("a\nb\nc\n", "2"), ["b"]);
        assert_eq!(section_of("# A\n## B c\nx\n## D\n", "b-c"), ["## B c", "x"]);
    }
}
