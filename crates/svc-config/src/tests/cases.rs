//! Verdicts of Mintlify on small documents.

use std::fs;

use super::{errors, root};

/// Cases in which svc differs from Mintlify: label, whether svc accepts the document, and why.
const DIFFERENT: &[(&str, bool, &str)] = &[
    ("bad theme", true, "`svc` is a theme here (decision 1)"),
    (
        "colors extra",
        true,
        "unknown keys are warnings (decision 2)",
    ),
    ("bg", true, "unknown keys are warnings (decision 2)"),
    (
        "integr unknown",
        true,
        "unknown keys are warnings (decision 2)",
    ),
    (
        "api openapi obj extra",
        true,
        "unknown keys are warnings (decision 2)",
    ),
    (
        "global pages",
        true,
        "unknown keys are warnings (decision 2)",
    ),
    ("nav two roots", false, "one pattern per level (decision 3)"),
    (
        "nav tab both groups+pages",
        false,
        "one pattern per level (decision 3)",
    ),
    (
        "nav tab anchors+groups",
        false,
        "one pattern per level (decision 3)",
    ),
    (
        "codeblocks dracula",
        true,
        "a theme name may stand alone (decision 10)",
    ),
    (
        "group no pages",
        false,
        "a group needs pages, a document or a root (decision 12)",
    ),
    (
        "global anchor rel",
        true,
        "relative links get a slash (decision 13)",
    ),
    (
        "contextual unk",
        true,
        "an editor that was renamed has both names",
    ),
    (
        "logo href bad",
        true,
        "relative links get a slash (decision 13)",
    ),
];

#[test]
fn verdicts_agree_with_mintlify_unless_a_decision_differs() {
    let Some(path) = svc_test_support::reference_path("oracle/docs-json-cases.json") else {
        return;
    };
    let text = fs::read_to_string(path).unwrap();
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let mut mismatches = Vec::new();
    let mut used = 0;
    for case in &cases {
        let label = case["label"].as_str().unwrap();
        let problems = errors(&root(&case["config"].to_string()));
        let accepts = case["reference"]["accepts"].as_bool().unwrap();
        if let Some((_, ours, reason)) = DIFFERENT.iter().find(|(name, _, _)| *name == label) {
            used += 1;
            if problems.is_empty() != *ours || *ours == accepts {
                mismatches.push(format!("{label}: not as listed ({reason}): {problems:?}"));
            }
            continue;
        }
        if problems.is_empty() != accepts {
            mismatches.push(format!(
                "{label}: the reference says {accepts}, here {problems:?}"
            ));
        }
        let locations = case["reference"]["at"].as_array().unwrap();
        for problem in &problems {
            let pointer = problem.split(' ').next().unwrap();
            let named = |location: &serde_json::Value| {
                let rest = pointer.strip_prefix(location.as_str().unwrap());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            if !locations.iter().any(named) {
                mismatches.push(format!("{label}: {problem} is not at {locations:?}"));
            }
        }
    }
    assert!(mismatches.is_empty(), "{mismatches:#?}");
    assert_eq!(used, DIFFERENT.len(), "a listed case is gone");
    assert!(cases.len() >= 95);
}
