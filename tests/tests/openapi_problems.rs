//! Every mistake in an OpenAPI document is reported on its line.
#![expect(clippy::print_stderr, reason = "figures must be seen")]

use std::collections::BTreeSet;
use std::error::Error;
use std::process::Command;

use svc_diagnostics::SourceFile;
use svc_tests::mutation::{MutatedDocument, mutated};
use svc_tests::{sites, tools};

/// Diagnostics that are reported once per document, so that their line says nothing about a mistake
/// elsewhere.
const REPORTED_PER_DOCUMENT: [&str; 4] = [
    "openapi-ref-siblings",
    "openapi-dialect",
    "openapi-unquoted-status",
    "openapi-alias",
];

/// Returns real documents of limited size and the edge cases.
fn documents() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    for dir in ["corpus/specs", "oracle/openapi/edge"] {
        let entries =
            svc_test_support::reference_path(dir).and_then(|dir| std::fs::read_dir(dir).ok());
        paths.extend(
            entries
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path()),
        );
    }
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name()?.to_str()?.to_owned();
        let text = std::fs::read_to_string(path).ok()?;
        let wanted =
            text.len() < 300_000 && !name.contains("manifest") && !name.contains("expected");
        // These documents are about the mistake itself.
        let special = name.starts_with("22-") || name.starts_with("23-");
        (wanted && !special).then_some((name, text))
    };
    paths.iter().filter_map(read).collect()
}

fn diagnostics_of(file: &str, text: &str) -> BTreeSet<(String, i64)> {
    let checked = svc_openapi::parse(&SourceFile::new(file, text));
    let problems = checked
        .diagnostics
        .iter()
        .filter(|diagnostic| !REPORTED_PER_DOCUMENT.contains(&diagnostic.code.id));
    problems
        .filter_map(|diagnostic| {
            Some((
                diagnostic.code.id.to_owned(),
                i64::from(diagnostic.location.as_ref()?.start.line),
            ))
        })
        .collect()
}

#[test]
fn a_hundred_mistakes_are_reported_on_their_lines() {
    let documents = documents();
    if documents.is_empty() {
        return;
    }
    let all = mutated(&documents, 120);
    let kinds: BTreeSet<&str> = all
        .iter()
        .filter_map(|item| item.name.split(": ").nth(1))
        .collect();
    let files: BTreeSet<&str> = all.iter().map(|item| item.file.as_str()).collect();
    let mut errors = Vec::new();
    for item in &all {
        let Some((_, before)) = documents.iter().find(|(name, _)| *name == item.file) else {
            continue;
        };
        let moved = |(code, line): (String, i64)| {
            let below = line > i64::from(item.line);
            format!("{code} {}", if below { line + item.added } else { line })
        };
        let before: BTreeSet<String> = diagnostics_of(&item.file, before)
            .into_iter()
            .map(moved)
            .collect();
        let after = diagnostics_of(&item.file, &item.text)
            .into_iter()
            .map(|(code, line)| format!("{code} {line}"));
        let after: BTreeSet<String> = after.collect();
        let new: BTreeSet<String> = after.difference(&before).cloned().collect();
        if new != item.expected {
            errors.push(format!(
                "{}: {new:?} instead of {:?}",
                item.name, item.expected
            ));
        }
    }
    eprintln!(
        "{} mistakes of {} kinds in {} documents",
        all.len(),
        kinds.len(),
        files.len()
    );
    assert!(
        all.len() >= 100 && kinds.len() >= 25 && files.len() >= 15,
        "{} {} {}",
        all.len(),
        kinds.len(),
        files.len()
    );
    assert!(
        errors.is_empty(),
        "{} of {}:\n{}",
        errors.len(),
        all.len(),
        errors.join("\n")
    );
}

/// Returns the lines of errors of the other linter that the original document does not have.
fn lint(
    program: &std::path::Path,
    file: &std::path::Path,
) -> Result<Vec<(i64, String)>, Box<dyn Error>> {
    let output = Command::new("node")
        .arg(program)
        .arg("lint")
        .arg(file)
        .args(["--extends", "spec", "--format", "checkstyle"])
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true")
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let mut errors = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("<error")) {
        let attribute = |name: &str| {
            let (_, rest) = line.split_once(&format!("{name}=\""))?;
            rest.split_once('"').map(|(value, _)| value)
        };
        let number = attribute("line").and_then(|line| line.parse().ok());
        let message = format!(
            "{} {}",
            attribute("source").unwrap_or(""),
            attribute("message").unwrap_or("")
        );
        errors.extend(number.map(|number| (number, message)));
    }
    Ok(errors)
}

#[test]
fn redocly_reports_the_same_lines() -> Result<(), Box<dyn Error>> {
    let Some(program) = tools::npm("@redocly/cli/bin/cli.js") else {
        return Ok(());
    };
    let documents = documents();
    if documents.is_empty() {
        return Ok(());
    }
    let dir = tempfile::tempdir()?;
    let all = mutated(&documents, 120);
    let small = all
        .iter()
        .filter(|item| item.text.len() < 60_000)
        .collect::<Vec<&MutatedDocument>>();
    let (mut same, mut compared) = (0, 0);
    eprintln!("| mistake | ours | redocly |");
    eprintln!("| --- | --- | --- |");
    for item in sites::sample(&small, 20).take(20) {
        let ending = item.file.rsplit('.').next().unwrap_or("yaml");
        let path = dir.path().join(format!("api.{ending}"));
        let (_, original) = documents
            .iter()
            .find(|(name, _)| *name == item.file)
            .ok_or("it has a source")?;
        std::fs::write(&path, original)?;
        let before: BTreeSet<String> = lint(&program, &path)?
            .into_iter()
            .map(|(_, message)| message)
            .collect();
        std::fs::write(&path, &item.text)?;
        let after = lint(&program, &path)?;
        let new: BTreeSet<i64> = after
            .iter()
            .filter(|(_, message)| !before.contains(message))
            .map(|(line, _)| *line)
            .collect();
        let ours: BTreeSet<i64> = item
            .expected
            .iter()
            .filter_map(|item| item.rsplit(' ').next()?.parse().ok())
            .collect();
        let agrees = new.is_empty() || !new.is_disjoint(&ours);
        let expected: Vec<&String> = item.expected.iter().collect();
        eprintln!(
            "| {} | {expected:?} | {} |",
            item.name,
            if new.is_empty() {
                "nothing".to_owned()
            } else {
                format!("{new:?}")
            }
        );
        compared += 1;
        same += usize::from(agrees);
    }
    assert_eq!(compared, 20);
    assert!(same >= 19, "{same} of {compared} name a line in common");
    Ok(())
}
