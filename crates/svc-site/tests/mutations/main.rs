//! Mistakes in configurations, pages and OpenAPI documents, as authors make them: each one is reported
//! on its line with the right hint, and its fix solves it.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use svc_diagnostics::{Diagnostic, Severity};
use svc_site::{LoadOptions, Validation, validate};

/// Tables of mutations. An entry replaces `find`, which is once in the file, by `replace`. The
/// problem has the code `code` and is on the first line that differs, or on that of the text `at`.
/// Its hint or its fix contains `hint`. With `fix`, its fix solves it and causes no other error.
const TABLES: [&str; 3] = ["configuration", "page", "openapi"];

/// Minimum share of mutations with the right hint.
const MIN_HINTS: f64 = 0.9;
/// Minimum share of mutations that a fix solves.
const MIN_FIXES: f64 = 0.5;

struct Mutation<'a> {
    file: &'a str,
    find: &'a str,
    replace: &'a str,
    code: &'a str,
    at: Option<&'a str>,
    hint: &'a str,
    has_fix: bool,
}

impl<'a> Mutation<'a> {
    fn new(value: &'a Value) -> Self {
        let text = |key: &str| value[key].as_str().unwrap_or_default();
        Self {
            file: text("file"),
            find: text("find"),
            replace: text("replace"),
            code: text("code"),
            at: value["at"].as_str(),
            hint: text("hint"),
            has_fix: value["fix"] == true,
        }
    }

    /// The mutated text.
    fn apply(&self, text: &str) -> String {
        assert_eq!(text.matches(self.find).count(), 1, "{:?}", self.find);
        text.replacen(self.find, self.replace, 1)
    }

    /// The line that the problem must be on.
    fn line(&self, before: &str, after: &str) -> usize {
        let offset = match self.at {
            Some(at) => after
                .find(at)
                .unwrap_or_else(|| panic!("{at:?} is not in the text")),
            None => {
                let pairs = before.bytes().zip(after.bytes());
                pairs.take_while(|(old, new)| old == new).count()
            }
        };
        1 + after.as_bytes()[..offset]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
    }
}

#[derive(Default)]
struct Tally {
    all: usize,
    lines: usize,
    hints: usize,
    fixes: usize,
    failures: Vec<String>,
}

/// The folder with the tables and the site without mistakes.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutations")
}

/// The files of the site without mistakes.
fn site() -> BTreeMap<String, String> {
    let root = folder().join("site");
    let mut files = BTreeMap::new();
    let mut dirs = vec![root.clone()];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                dirs.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
                files.insert(
                    name.replace('\\', "/"),
                    std::fs::read_to_string(&path).unwrap(),
                );
            }
        }
    }
    files
}

fn check(mutation: &Mutation<'_>, files: &BTreeMap<String, String>, tally: &mut Tally) {
    let dir = tempfile::tempdir().unwrap();
    let before = &files[mutation.file];
    let after = mutation.apply(before);
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = if *name == mutation.file { &after } else { text };
        std::fs::write(path, text).unwrap();
    }
    let options = LoadOptions::default();
    let validation = validate(dir.path(), &options).unwrap();
    let wanted = mutation.line(before, &after);
    let found: Vec<Diagnostic> = validation
        .diagnostics
        .iter()
        .filter(|one| one.code.id == mutation.code)
        .cloned()
        .collect();
    let on_line = found.iter().find(|one| {
        let at = one.location.as_ref();
        at.is_some_and(|at| &*at.file == mutation.file && at.start.line as usize == wanted)
    });
    let label = format!("{}: {:?}", mutation.file, mutation.replace);
    tally.all += 1;
    let Some(problem) = on_line else {
        let lines: Vec<String> = validation.diagnostics.iter().map(summary).collect();
        let wanted = format!("`{}` on line {wanted}", mutation.code);
        tally
            .failures
            .push(format!("{label} has no {wanted}: {lines:#?}"));
        return;
    };
    tally.lines += 1;
    let title = problem.fix.as_ref().map_or("", |fix| &fix.title);
    let hint = problem.hint.as_deref().unwrap_or_default();
    if hint.contains(mutation.hint) || title.contains(mutation.hint) {
        tally.hints += 1;
    } else {
        eprintln!("{label} has the hint {hint:?}, not {:?}", mutation.hint);
    }
    if mutation.has_fix != problem.fix.is_some() {
        let state = if mutation.has_fix { "no fix" } else { "a fix" };
        tally
            .failures
            .push(format!("{label} has {state}: {}", summary(problem)));
        return;
    }
    if mutation.has_fix {
        tally.fixes += 1;
        solve(&label, mutation, validation, tally);
    }
}

/// Applies all fixes: the problem is gone, and there is no error that was not there before.
fn solve(label: &str, mutation: &Mutation<'_>, validation: Validation, tally: &mut Tally) {
    let errors = |validation: &Validation| -> Vec<String> {
        let errors = validation.diagnostics.iter();
        let errors = errors.filter(|one| one.severity >= Severity::Error);
        errors
            .map(|one| format!("{}: {}", one.code.id, one.message))
            .collect()
    };
    let before = errors(&validation);
    let solved = validation
        .fix(&LoadOptions::default(), &|_, _| true)
        .unwrap();
    let after = &solved.validation;
    let is_left = after
        .diagnostics
        .iter()
        .any(|one| one.code.id == mutation.code);
    let added: Vec<String> = errors(after)
        .into_iter()
        .filter(|error| !before.contains(error))
        .collect();
    if is_left || !added.is_empty() || solved.fixed.is_empty() {
        let left: Vec<String> = after.diagnostics.iter().map(summary).collect();
        let text = solved.texts.get(mutation.file);
        tally.failures.push(format!(
            "{label} is not solved by its fix: {left:#?} {text:?}"
        ));
    }
}

fn summary(problem: &Diagnostic) -> String {
    let fix = problem.fix.as_ref().map_or("", |fix| &fix.title);
    format!(
        "{} {}: {} ({}; {fix})",
        problem.location_string(),
        problem.code.id,
        problem.message,
        problem.hint.as_deref().unwrap_or_default()
    )
}

#[test]
fn mistakes_are_reported_on_their_lines_with_hints_and_fixes() {
    let files = site();
    let mut total = Tally::default();
    for name in TABLES {
        let table = std::fs::read(folder().join(name).with_extension("json")).unwrap();
        let table: Vec<Value> = serde_json::from_slice(&table).unwrap();
        let mut tally = Tally::default();
        for entry in &table {
            check(&Mutation::new(entry), &files, &mut tally);
        }
        let Tally {
            all,
            lines,
            hints,
            fixes,
            ..
        } = tally;
        eprintln!("{name}: {all} mistakes, {lines} on their lines, {hints} hints, {fixes} fixes");
        total.all += all;
        total.lines += lines;
        total.hints += hints;
        total.fixes += fixes;
        total.failures.extend(tally.failures);
    }
    let Tally {
        all,
        lines,
        hints,
        fixes,
        failures,
    } = total;
    eprintln!("all: {all} mistakes, {lines} on their lines, {hints} hints, {fixes} fixes");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(all >= 250);
    assert_eq!(lines, all);
    let share = |count: usize| count as f64 / all as f64;
    assert!(share(hints) >= MIN_HINTS && share(fixes) >= MIN_FIXES);
}

#[test]
fn the_site_without_mistakes_has_no_problems() {
    let validation = validate(&folder().join("site"), &LoadOptions::default()).unwrap();
    let problems = validation.diagnostics.iter();
    // A note says which data the integration sends.
    let problems = problems.filter(|one| one.severity > Severity::Info);
    let problems: Vec<String> = problems.map(summary).collect();
    assert_eq!(problems, Vec::<String>::new());
}
