//! `cargo xtask spec`: rows of the specification without an accepting or a refusing test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::sh;

/// The page with the tables.
const PAGE: &str = "docs/contributing/specification.md";

/// Crates whose finished rows must have tests.
static CHECKED_CRATES: &[&str] = &["svc-admin-api", "svc-config", "svc-nav", "svc-source"];

/// Directories with generated files or data.
static SKIPPED_DIRS: &[&str] = &["target", "corpus", "artifacts", "fuzz"];

/// A row of a table.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    id: String,
    section: String,
    crate_name: String,
    done: bool,
    /// Whether an invalid value exists.
    refusable: bool,
}

/// Number of marks of each kind for a row.
#[derive(Debug, Default, Clone, Copy)]
struct MarkCounts {
    accepts: usize,
    refuses: usize,
}

impl Row {
    /// The missing kinds of marks.
    fn missing_marks(&self, marked: MarkCounts) -> Option<&'static str> {
        let refuses = marked.refuses > 0 || !self.refusable;
        match (marked.accepts > 0, refuses) {
            (true, true) => None,
            (true, false) => Some("refuses"),
            (false, true) => Some("accepts"),
            (false, false) => Some("accepts and refuses"),
        }
    }

    fn is_checked(&self) -> bool {
        self.done && CHECKED_CRATES.contains(&self.crate_name.as_str())
    }
}

/// Prints the counts; with `--check` also fails if a finished row lacks a test.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let check = match arguments {
        [] => false,
        [item] if item == "--check" => true,
        _ => return Err("usage: cargo xtask spec [--check]".to_owned()),
    };
    let text = fs::read_to_string(sh::root().join(PAGE))
        .map_err(|error| format!("{PAGE} cannot be read: {error}"))?;
    let mut problems = Vec::new();
    let rows = rows(&text, &mut problems);
    let marked = scan(&rows, &mut problems)?;
    let of = |row: &Row| marked.get(&row.id).copied().unwrap_or_default();

    print_counts(&rows, of);
    let lacking: Vec<String> = rows
        .iter()
        .filter(|row| row.is_checked())
        .filter_map(|row| {
            Some(format!(
                "{}: no test {}",
                row.id,
                row.missing_marks(of(row))?
            ))
        })
        .collect();
    if !lacking.is_empty() {
        println!("\n{}", lacking.join("\n"));
    }
    if check {
        problems.extend(lacking);
    }
    if problems.is_empty() {
        Ok(())
    } else {
        let count = problems.len();
        Err(format!("{count} problems\n{}", problems.join("\n")))
    }
}

/// Prints a line per section: rows, finished rows, and rows with tests.
fn print_counts(rows: &[Row], of: impl Fn(&Row) -> MarkCounts) {
    let mut sections: Vec<&str> = rows.iter().map(|row| row.section.as_str()).collect();
    sections.dedup();
    println!(
        "{:34} {:>5} {:>5} {:>5} {:>9} {:>9}",
        "section", "rows", "done", "open", "accepting", "refusing"
    );
    let line = |name: &str, rows: &[&Row]| {
        let count = |holds: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| holds(row)).count();
        let done = count(&|row| row.done);
        let refusable = count(&|row| row.refusable);
        println!(
            "{name:34} {:>5} {done:>5} {:>5} {:>9} {:>9}",
            rows.len(),
            rows.len() - done,
            count(&|row| of(row).accepts > 0),
            format!("{}/{refusable}", count(&|row| of(row).refuses > 0)),
        );
    };
    for section in sections {
        let own: Vec<&Row> = rows.iter().filter(|row| row.section == section).collect();
        line(section, &own);
    }
    line("all", &rows.iter().collect::<Vec<_>>());
}

/// Parses the rows of all tables.
fn rows(page: &str, problems: &mut Vec<String>) -> Vec<Row> {
    let mut parsed: Vec<Row> = Vec::new();
    let mut ids = BTreeSet::new();
    let mut section = String::new();
    for (index, line) in page.lines().enumerate() {
        if let Some(title) = line.strip_prefix("## ") {
            title.trim().clone_into(&mut section);
        }
        let Some(cells) = line.strip_prefix("| `") else {
            continue;
        };
        let line = index + 1;
        let cells: Vec<&str> = cells
            .trim_end()
            .trim_end_matches('|')
            .split(" | ")
            .map(str::trim)
            .collect();
        let [id, _, holder, state, refused] = cells[..] else {
            problems.push(format!(
                "{PAGE}:{line}: a row must have five cells, not {}",
                cells.len()
            ));
            continue;
        };
        let id = id.trim_end_matches('`');
        if !id.chars().all(is_id) || !id.contains('.') {
            problems.push(format!("{PAGE}:{line}: `{id}` is not an id"));
        }
        if !ids.insert(id.to_owned()) {
            problems.push(format!("{PAGE}:{line}: `{id}` is not unique"));
            continue;
        }
        if !matches!(refused, "yes" | "—") {
            problems.push(format!("{PAGE}:{line}: the last cell must be `yes` or `—`"));
        }
        let open = state
            .strip_prefix("open: ")
            .is_some_and(|text| !text.is_empty());
        if state != "done" && !open {
            problems.push(format!(
                "{PAGE}:{line}: the state must be `done` or `open: reason`"
            ));
        }
        parsed.push(Row {
            id: id.to_owned(),
            section: section.clone(),
            crate_name: holder.to_owned(),
            done: state == "done",
            refusable: refused != "—",
        });
    }
    parsed
}

const fn is_id(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-')
}

/// A mark: row ids, whether it accepts, whether it refuses.
type Mark<'a> = (Vec<&'a str>, bool, bool);

/// Parses the first mark of a line. Returns the mark and the rest of the line; `Err` for a
/// malformed mark, and `None` for a line that only looks similar (`spec: &str`).
fn mark<'a>(line: &'a str, prefixes: &BTreeSet<&str>) -> Option<(Result<Mark<'a>, ()>, &'a str)> {
    let mut rest = line;
    loop {
        let (_, after) = rest.split_once("spec: ")?;
        rest = after;
        let end = after
            .find(|c: char| !is_id(c) && c != ',' && c != ' ')
            .unwrap_or(after.len());
        let (head, tail) = after.split_at(end);
        let ours = head
            .split_once('.')
            .is_some_and(|(prefix, _)| prefixes.contains(prefix));
        if !ours {
            continue;
        }
        let tokens: Vec<&str> = head
            .split([' ', ','])
            .filter(|token| !token.is_empty())
            .collect();
        let ids: Vec<&str> = tokens
            .iter()
            .copied()
            .take_while(|token| token.contains('.'))
            .collect();
        let verbs = &tokens[ids.len()..];
        let mark = match verbs {
            ["accepts", "and", "refuses", ..] => Ok((ids, true, true)),
            ["accepts", ..] => Ok((ids, true, false)),
            ["refuses", ..] => Ok((ids, false, true)),
            _ => Err(()),
        };
        return Some((mark, tail));
    }
}

/// Counts the marks in all test sources and test data.
fn scan(rows: &[Row], problems: &mut Vec<String>) -> Result<BTreeMap<String, MarkCounts>, String> {
    let mut marked: BTreeMap<String, MarkCounts> = rows
        .iter()
        .map(|row| (row.id.clone(), MarkCounts::default()))
        .collect();
    let prefixes: BTreeSet<&str> = rows
        .iter()
        .filter_map(|row| row.id.split('.').next())
        .collect();
    let mut files = Vec::new();
    let root = sh::root();
    for dir in ["crates", "tests/tests"] {
        collect(&root.join(dir), &mut files)?;
    }
    for path in files {
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        let shown = path.strip_prefix(&root).unwrap_or(&path).display();
        for (index, line) in text.lines().enumerate() {
            let mut rest = line;
            while let Some((parsed, tail)) = mark(rest, &prefixes) {
                rest = tail;
                let location = format!("{shown}:{}", index + 1);
                let Ok((ids, accepts, refuses)) = parsed else {
                    problems.push(format!(
                        "{location}: a mark must end with `accepts` or `refuses`"
                    ));
                    continue;
                };
                for id in ids {
                    if let Some(count) = marked.get_mut(id) {
                        count.accepts += usize::from(accepts);
                        count.refuses += usize::from(refuses);
                    } else {
                        problems.push(format!("{location}: `{id}` is not in {PAGE}"));
                    }
                }
            }
        }
    }
    Ok(marked)
}

/// Collects all files of a directory, sorted.
fn collect(dir: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(|error| error.to_string())?.path());
    }
    paths.sort();
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str());
        if path.is_dir() {
            if !SKIPPED_DIRS.iter().any(|skipped| Some(*skipped) == name) {
                collect(&path, files)?;
            }
        } else {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes() -> BTreeSet<&'static str> {
        BTreeSet::from(["cfg", "nav"])
    }

    #[test]
    fn a_mark_has_row_ids_and_kinds() {
        let read = |line| mark(line, &prefixes()).map(|(parsed, _)| parsed);
        assert_eq!(
            read("// spec: cfg.a, nav.rule.1 accepts"),
            Some(Ok((vec!["cfg.a", "nav.rule.1"], true, false)))
        );
        assert_eq!(
            read("\"spec: cfg.a-b refuses\","),
            Some(Ok((vec!["cfg.a-b"], false, true)))
        );
        assert_eq!(
            read("# spec: cfg.a accepts and refuses"),
            Some(Ok((vec!["cfg.a"], true, true)))
        );
        assert_eq!(read("spec: cfg.a accept"), Some(Err(())));
        assert_eq!(read("spec: cfg.a"), Some(Err(())));
    }

    #[test]
    fn other_text_is_not_a_mark() {
        for line in ["fn read(spec: &str)", "spec: openapi.yaml refuses", "spec:"] {
            assert_eq!(mark(line, &prefixes()), None, "{line}");
        }
    }

    #[test]
    fn several_marks_on_a_line_are_parsed() {
        let line = "spec: cfg.a accepts; spec: cfg.b refuses";
        let (_, rest) = mark(line, &prefixes()).unwrap();
        assert_eq!(
            mark(rest, &prefixes()).unwrap().0,
            Ok((vec!["cfg.b"], false, true))
        );
    }

    #[test]
    fn rows_are_parsed_and_errors_are_reported() {
        let page = "## A\n\n| Id | x |\n| --- | --- |\n\
            | `cfg.a` | text | svc-config | done | yes |\n\
            | `cfg.b` | text | svc-nav | open: later | — |\n\
            | `cfg.a` | text | svc-nav | done | — |\n\
            | `cfg.c` | text | svc-nav | soon | no |\n\
            | `cfg.d` | text | svc-nav |\n";
        let mut problems = Vec::new();
        let parsed = rows(page, &mut problems);
        assert_eq!(parsed.len(), 3);
        assert!(parsed[0].done && parsed[0].refusable && parsed[0].section == "A");
        assert!(!parsed[1].done && !parsed[1].refusable);
        assert_eq!(problems.len(), 4, "{problems:?}");
    }

    #[test]
    fn a_row_without_tests_is_reported() {
        let row = |refusable| Row {
            id: "cfg.a".to_owned(),
            section: String::new(),
            crate_name: "svc-config".to_owned(),
            done: true,
            refusable,
        };
        let marked = |accepts, refuses| MarkCounts { accepts, refuses };
        assert_eq!(row(true).missing_marks(marked(1, 0)), Some("refuses"));
        assert_eq!(row(false).missing_marks(marked(1, 0)), None);
        assert_eq!(
            row(true).missing_marks(marked(0, 0)),
            Some("accepts and refuses")
        );
        assert_eq!(row(true).missing_marks(marked(0, 1)), Some("accepts"));
    }

    #[test]
    fn the_specification_of_this_repository_is_valid() {
        let text = fs::read_to_string(sh::root().join(PAGE)).unwrap();
        let mut problems = Vec::new();
        let parsed = rows(&text, &mut problems);
        assert_eq!(problems, [""; 0]);
        assert!(parsed.len() > 300);
    }
}
