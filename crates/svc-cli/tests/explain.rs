//! `svc explain`, and what leads to it.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::program::{assert_contains, err, out, svc};

const DOCS: &str = "https://docs.test/svc/";
const PAGE: &str = "https://docs.test/svc/reference/diagnostics/link-broken";

/// A site with one broken link.
fn site() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#0f766e"},
  "navigation": {"pages": ["index"]}}"##;
    std::fs::write(dir.path().join("docs.json"), config).unwrap();
    std::fs::write(dir.path().join("index.mdx"), "[a](/gone)\n").unwrap();
    dir
}

/// The JSON that a command prints when the URL of the documentation is known.
fn linked_json(arguments: &[&str], dir: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_svc"))
        .args(arguments)
        .current_dir(dir)
        .env("SVC_DOCS_URL", DOCS)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_code_is_explained_with_its_files() {
    let dir = tempfile::tempdir().unwrap();
    let output = svc(&["explain", "config-color"], dir.path());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    assert!(text.starts_with("error[config-color]: "), "{text}");
    assert!(text.contains("\nWrong\n\n  docs.json\n\n    {\n"), "{text}");
    assert!(text.contains("\nRight\n"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn an_unknown_code_has_a_suggestion() {
    let dir = tempfile::tempdir().unwrap();
    let output = svc(&["explain", "config-colour"], dir.path());
    assert_eq!(output.status.code(), Some(1));
    assert_contains(&err(&output), "did you mean `config-color`?");
    assert_eq!(out(&output), "");
}

#[test]
fn all_codes_are_listed_by_area() {
    let dir = tempfile::tempdir().unwrap();
    let text = out(&svc(&["explain"], dir.path()));
    assert!(text.contains("docs.json\n  config-alias "), "{text}");
    let output = svc(&["explain", "--format", "json"], dir.path());
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = all.as_array().unwrap();
    let color = all
        .iter()
        .find(|one| one["code"] == "config-color")
        .unwrap();
    assert_eq!(color["area"], "docs.json");
    assert!(color["explanation"].as_str().unwrap().contains("## Wrong"));
}

#[test]
fn validate_names_the_command_that_explains() {
    let dir = site();
    let text = out(&svc(&["validate"], dir.path()));
    let end = "\nfor more about this problem: svc explain link-broken\n1 page: 1 warning\n";
    assert!(text.ends_with(end), "{text}");
    std::fs::write(dir.path().join("index.mdx"), "Text\n").unwrap();
    let text = out(&svc(&["validate"], dir.path()));
    assert_eq!(text, "1 page: no problems\n");
}

#[test]
fn problems_link_to_their_page_if_the_site_of_the_documentation_is_known() {
    let dir = site();
    let output = svc(&["validate", "--format", "json"], dir.path());
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(value["diagnostics"][0].get("url").is_none(), "{value}");
    let value = linked_json(&["validate", "--format", "json"], dir.path());
    assert_eq!(value["diagnostics"][0]["url"], PAGE);
    let value = linked_json(&["explain", "link-broken", "--format", "json"], dir.path());
    assert_eq!(value["url"], PAGE);
    let value = linked_json(&["validate", "--format", "sarif"], dir.path());
    let rule = &value["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(rule["helpUri"], PAGE);
    assert!(
        rule["help"]["markdown"]
            .as_str()
            .unwrap()
            .contains("## Wrong")
    );
}
