//! Reads the cases of `tests/cases`.
//!
//! A file is Markdown. A heading of level two begins a case, lines `spec: …` list the rows of the
//! specification that it tests, and each block is a file: `json` contains members that are added to
//! a small valid document, `json PATH` the whole file at that path. A line of carets is the
//! expected diagnostic of the line above, with its span:
//!
//! ```text
//! "colors": { "primary": "red" }
//!                        ^^^^^ config-color /colors/primary
//! ```
//!
//! The code is followed by the JSON pointer and, where the hint has one, an arrow and the suggested
//! name. `|` stands for an empty span, as at the end of a file.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::{fs, path::PathBuf};

use svc_config::SiteConfig;
use svc_diagnostics::{Checked, Diagnostic, SourceFile};

/// A case.
pub(crate) struct Case {
    /// The file of the case and its title.
    pub(crate) name: String,
    /// The verdict on rows of the specification: "accepts" or "refuses", and the rows.
    pub(crate) marks: Vec<(String, String)>,
    /// Path and text.
    pub(crate) files: Vec<(String, String)>,
    /// The expected diagnostics.
    pub(crate) expected: Vec<Expectation>,
}

/// A diagnostic and its span, in the notation of a case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Expectation {
    /// Path of the file.
    pub(crate) file: String,
    /// Line, 1-based.
    pub(crate) line: usize,
    /// First column, 0-based.
    pub(crate) start: usize,
    /// One past the last column; for a span of several lines the end of the first.
    pub(crate) end: usize,
    /// Code, pointer and suggestion.
    pub(crate) what: String,
}

/// The keys of the small valid document, unless a case overrides them.
const BASE: &[(&str, &str)] = &[
    ("theme", "\"svc\""),
    ("name", "\"X\""),
    ("colors", "{ \"primary\": \"#000\" }"),
    ("navigation", "{ \"pages\": [\"index\"] }"),
];

fn cases_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// The files of cases, in alphabetical order.
pub(crate) fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(cases_dir())
        .expect("there are cases")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    files.sort();
    files
}

/// All cases.
pub(crate) fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for path in files() {
        let text = fs::read_to_string(&path).expect("it can be read");
        let file = path.file_name().expect("it has a name").to_string_lossy();
        all.extend(cases_of(&file, &text));
    }
    all
}

fn cases_of(file: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut block: Option<(String, Vec<&str>)> = None;
    for line in text.lines() {
        if let Some((path, lines)) = &mut block {
            if line != "```" {
                lines.push(line);
                continue;
            }
            let case = cases.last_mut().expect("a block stands below a heading");
            let (path, lines) = (std::mem::take(path), std::mem::take(lines));
            add_file(case, path, &lines);
            block = None;
        } else if let Some(info) = line.strip_prefix("```json") {
            block = Some((info.trim().to_owned(), Vec::new()));
        } else if let Some(title) = line.strip_prefix("## ") {
            cases.push(Case {
                name: format!("{file}: {title}"),
                marks: Vec::new(),
                files: Vec::new(),
                expected: Vec::new(),
            });
        } else if let Some(mark) = line.strip_prefix("spec: ") {
            let (ids, verdict) = mark.rsplit_once(' ').expect("a mark ends in its verdict");
            let case = cases.last_mut().expect("a mark stands below a heading");
            for id in ids.split(',') {
                case.marks.push((id.trim().to_owned(), verdict.to_owned()));
            }
        }
    }
    assert!(block.is_none(), "{file}: a block is not closed");
    cases
}

fn add_file(case: &mut Case, path: String, lines: &[&str]) {
    let whole = !path.is_empty();
    let path = if whole { path } else { "docs.json".to_owned() };
    let mut retained: Vec<&str> = Vec::new();
    let before = usize::from(!whole);
    for line in lines {
        if let Some((start, end, what)) = annotation(line) {
            case.expected.push(Expectation {
                file: path.clone(),
                // An empty file still has a first line.
                line: (retained.len() + before).max(1),
                start,
                end,
                what: what.to_owned(),
            });
        } else {
            retained.push(line);
        }
    }
    let body = retained.join("\n");
    let text = match (whole, body.is_empty()) {
        (true, true) => body,
        (true, false) => body + "\n",
        (false, _) => around(&body),
    };
    case.files.push((path, text));
}

/// The small valid document with these members, which begin on the second line.
fn around(members: &str) -> String {
    let mut text = String::from("{");
    for (key, value) in BASE {
        let own = members
            .lines()
            .any(|line| line.starts_with(&format!("\"{key}\":")));
        if !own {
            text.push_str(&format!(" \"{key}\": {value},"));
        }
    }
    format!("{text}\n{members}\n}}\n")
}

/// The columns of the carets and the text after them.
pub(crate) fn annotation(line: &str) -> Option<(usize, usize, &str)> {
    let rest = line.trim_start_matches(' ');
    let start = line.len() - rest.len();
    let (marks, what) = rest.split_once(' ')?;
    if marks == "|" {
        return Some((start, start, what));
    }
    let carets = !marks.is_empty() && marks.bytes().all(|byte| byte == b'^');
    carets.then(|| (start, start + marks.len(), what))
}

impl Case {
    /// Parses the configuration of the case.
    pub(crate) fn parse(&self) -> Checked<Option<SiteConfig>> {
        let get = |path: &str| {
            let (path, text) = self.files.iter().find(|(name, _)| name == path)?;
            Some(SourceFile::new(path.as_str(), text.as_str()))
        };
        let root = get("docs.json").or_else(|| get("mint.json"));
        svc_config::parse(&root.expect("a case has a docs.json"), &get)
    }

    /// Converts a diagnostic to the notation of a case.
    pub(crate) fn expectation(&self, problem: &Diagnostic) -> Expectation {
        let at = problem
            .location
            .as_ref()
            .expect("every problem has a location");
        let line = usize::try_from(at.start.line).expect("it fits");
        let start = usize::try_from(at.start.column).expect("it fits") - 1;
        let end = if at.end.line == at.start.line {
            usize::try_from(at.end.column).expect("it fits") - 1
        } else {
            let (_, text) = self
                .files
                .iter()
                .find(|(path, _)| **path == *at.file)
                .expect("the file is one of the case");
            text.lines().nth(line - 1).unwrap_or("").chars().count()
        };
        let mut what = problem.code.id.to_owned();
        if let Some(pointer) = problem
            .pointer
            .as_ref()
            .filter(|pointer| !pointer.is_empty())
        {
            what = format!("{what} {pointer}");
        }
        let meant = problem.hint.as_deref().unwrap_or("");
        if let Some(suggestion) = meant
            .strip_prefix("did you mean `")
            .and_then(|rest| rest.split('`').next())
        {
            what = format!("{what} → {suggestion}");
        }
        Expectation {
            file: at.file.to_string(),
            line,
            start,
            end,
            what,
        }
    }
}
