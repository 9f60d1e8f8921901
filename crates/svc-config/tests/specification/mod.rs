//! Tests of the configurations of valid documents, row by row of
//! `docs/contributing/specification.md`.
//!
//! `tests/cases` has the rejected documents with their spans; these tests check the decoded values.

mod appearance;
mod behavior;
mod file;
mod frame;
mod navigation;

use svc_config::{SiteConfig, parse};
use svc_diagnostics::{Severity, SourceFile};

/// The mark of a row, a member of `docs.json`, and a check of the decoded value.
type Row = (&'static str, &'static str, fn(&SiteConfig) -> bool);

/// A document with this member; required keys that it does not set are added.
fn document(member: &str) -> String {
    let needed = [
        ("theme", r#""theme": "svc""#),
        ("name", r#""name": "T""#),
        ("colors", r##""colors": {"primary": "#0a7d4f"}"##),
        ("navigation", r#""navigation": {"pages": ["a"]}"#),
    ];
    let mut members: Vec<&str> = needed
        .iter()
        .filter(|(key, _)| !member.starts_with(&format!("\"{key}\"")))
        .map(|(_, text)| *text)
        .collect();
    if !member.is_empty() {
        members.push(member);
    }
    format!("{{{}}}", members.join(", "))
}

/// The configuration of a document without errors.
fn site(member: &str) -> SiteConfig {
    let checked = parse(&SourceFile::new("docs.json", document(member)), &|_| None);
    let wrong = checked
        .diagnostics
        .iter()
        .find(|diagnostic| diagnostic.severity >= Severity::Warning);
    assert!(wrong.is_none(), "{member}: {wrong:?}");
    checked.value.expect("it is an object")
}

fn check(rows: &[Row]) {
    for (mark, member, holds) in rows {
        assert!(holds(&site(member)), "{mark}: {member}");
    }
}
