//! The cases of `tests/cases`: the accepted documents, and the diagnostics of the others with their
//! spans.
//!
//! `UPDATE_EXPECT=1` updates the expected diagnostics; review the difference.

use crate::suite;

use std::{collections::BTreeMap, fs, path::PathBuf};

use suite::{Case, Expectation, annotation, cases, files};
use svc_diagnostics::{Diagnostic, Severity};

/// Warnings of values that are accepted but rendered differently or not at all.
const ACCEPTED: [&str; 2] = ["config-unsupported", "config-not-shown"];

fn actual(case: &Case) -> Vec<Expectation> {
    let mut expectations: Vec<Expectation> = case
        .parse()
        .diagnostics
        .iter()
        .map(|problem| case.expectation(problem))
        .collect();
    expectations.sort();
    expectations
}

#[test]
fn every_case_has_exactly_the_expected_diagnostics() {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        update();
    }
    let mut errors = Vec::new();
    for case in cases() {
        let mut expected = case.expected.clone();
        expected.sort();
        let actual = actual(&case);
        if actual != expected {
            errors.push(format!(
                "{}\n  expected {expected:#?}\n  actual {actual:#?}",
                case.name
            ));
        }
    }
    assert!(
        errors.is_empty(),
        "{} cases\n{}",
        errors.len(),
        errors.join("\n")
    );
}

#[test]
fn there_are_many_cases_and_each_has_a_specification_mark() {
    let cases = cases();
    let (mut accepted, mut refused, mut keys) = (0, 0, BTreeMap::new());
    for case in &cases {
        assert!(!case.files.is_empty(), "{}: no file", case.name);
        assert!(!case.marks.is_empty(), "{}: no mark", case.name);
        let diagnostics = case.parse().diagnostics;
        let worst = diagnostics
            .iter()
            .map(|diagnostic| diagnostic.severity)
            .max();
        // Accepted values that are not rendered are reported too.
        let accepts = |diagnostic: &Diagnostic| {
            diagnostic.severity < Severity::Warning || ACCEPTED.contains(&diagnostic.code.id)
        };
        let clean = diagnostics.iter().all(accepts);
        accepted += usize::from(clean);
        refused += usize::from(!clean);
        for (id, verdict) in &case.marks {
            match verdict.as_str() {
                "accepts" => assert!(clean, "{}: not accepted: {worst:?}", case.name),
                // Values that are only noted are reported too.
                "refuses" => assert!(worst.is_some(), "{}: nothing is wrong", case.name),
                other => panic!("{}: `{other}` is neither accepts nor refuses", case.name),
            }
            *keys.entry(id.clone()).or_insert(0) += 1;
        }
    }
    let named: std::collections::BTreeSet<&str> = cases.iter().map(|case| &*case.name).collect();
    assert_eq!(named.len(), cases.len(), "two cases have one name");
    assert!(cases.len() >= 300, "{} cases", cases.len());
    assert!(
        accepted >= 80 && refused >= 180,
        "{accepted} accepted, {refused} refused"
    );
}

#[test]
fn every_diagnostic_has_a_message_a_location_and_a_hint() {
    for case in cases() {
        for problem in case.parse().diagnostics {
            let text = format!("{}: {problem:?}", case.name);
            let message = &problem.message;
            assert!(!message.is_empty() && !message.ends_with('.'), "{text}");
            let small = !message.starts_with(char::is_uppercase) || message.starts_with("JSON");
            assert!(small, "{text}");
            assert!(
                problem.hint.as_deref().is_some_and(|hint| !hint.is_empty()),
                "{text}"
            );
            assert!(problem.location.is_some(), "{text}");
            assert!(problem.pointer.is_some(), "{text}");
        }
    }
}

#[test]
fn every_code_is_in_a_case() {
    // These need bytes, a repository, size or a migration; other tests have them.
    let elsewhere = [
        "config-encoding",
        "config-file-missing",
        "config-icon-unknown",
        "config-limit",
    ];
    let all: String = files()
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect();
    let unused: Vec<&str> = svc_config::CODES
        .iter()
        .map(|code| code.id)
        .filter(|id| !elsewhere.contains(id) && !id.starts_with("config-migrate-"))
        .filter(|id| !all.contains(&format!("^ {id}")))
        .collect();
    assert_eq!(unused, [""; 0]);
}

/// Writes the actual diagnostics into the files of cases.
fn update() {
    let mut findings: Vec<Vec<Expectation>> = cases().iter().map(actual).collect();
    findings.reverse();
    for path in files() {
        let text = fs::read_to_string(&path).expect("the file is there");
        write(&path, &text, &mut findings);
    }
}

fn write(path: &PathBuf, text: &str, findings: &mut Vec<Vec<Expectation>>) {
    let mut out = String::new();
    let mut current: Vec<Expectation> = Vec::new();
    // The file of the open block and the number of its last line.
    let mut block: Option<(String, usize)> = None;
    for line in text.lines() {
        if block.is_some() && annotation(line).is_some() {
            continue;
        }
        if line.starts_with("## ") {
            current = findings.pop().expect("one for each case");
        }
        if let Some((file, number)) = &mut block {
            if line == "```" {
                // Diagnostics after the last line, as in an empty file.
                let behind = |expectation: &&Expectation| {
                    expectation.file == *file && expectation.line > *number
                };
                current
                    .iter()
                    .filter(behind)
                    .for_each(|expectation| mark(expectation, &mut out));
                block = None;
            } else {
                *number += 1;
                out.push_str(line);
                out.push('\n');
                let here = |expectation: &&Expectation| {
                    expectation.file == *file && expectation.line == *number
                };
                current
                    .iter()
                    .filter(here)
                    .for_each(|expectation| mark(expectation, &mut out));
                continue;
            }
        } else if let Some(info) = line.strip_prefix("```json") {
            let whole = !info.trim().is_empty();
            let file = if whole { info.trim() } else { "docs.json" };
            block = Some((file.to_owned(), usize::from(!whole)));
        }
        out.push_str(line);
        out.push('\n');
    }
    fs::write(path, out).expect("the file can be written");
}

fn mark(expectation: &Expectation, out: &mut String) {
    let marks = "^".repeat(expectation.end - expectation.start);
    let marks = if marks.is_empty() { "|" } else { &marks };
    out.push_str(&format!(
        "{}{marks} {}\n",
        " ".repeat(expectation.start),
        expectation.what
    ));
}
