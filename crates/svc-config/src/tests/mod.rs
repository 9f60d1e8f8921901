//! What the tests of all modules share, and tests over whole files.

mod cases;
mod real_sites;

use svc_diagnostics::{Checked, Severity, SourceFile};

use crate::{Navigation, SiteConfig, parse};

pub(crate) type ParseOutcome = Checked<Option<SiteConfig>>;

/// Parses the first file named `docs.json` or `mint.json`; the others are there for `$ref`.
pub(crate) fn site_with(files: &[(&str, &str)]) -> ParseOutcome {
    let get = |path: &str| {
        let (path, text) = files.iter().find(|(name, _)| *name == path)?;
        Some(SourceFile::new(*path, *text))
    };
    let root = get("docs.json").or_else(|| get("mint.json")).unwrap();
    parse(&root, &get)
}

/// Parses a whole document.
pub(crate) fn root(text: &str) -> ParseOutcome {
    site_with(&[("docs.json", text)])
}

/// Parses a good document with one member more.
pub(crate) fn site_of(member: &str) -> ParseOutcome {
    root(&format!(
        r##"{{"theme":"svc","name":"X","colors":{{"primary":"#000"}},"navigation":{{"pages":["a"]}},{member}}}"##
    ))
}

fn in_navigation(json: &str) -> ParseOutcome {
    root(&format!(
        r##"{{"theme":"svc","name":"X","colors":{{"primary":"#000"}},"navigation":{json}}}"##
    ))
}

/// "pointer code" of everything found; also asserts that every problem has place and hint.
pub(crate) fn pointers(found: &ParseOutcome) -> Vec<String> {
    let line = |d: &svc_diagnostics::Diagnostic| {
        assert!(d.location.is_some() && d.hint.is_some(), "{d:?}");
        format!("{} {}", d.pointer.as_deref().unwrap_or("?"), d.code.id)
    };
    found.diagnostics.iter().map(line).collect()
}

fn errors(found: &ParseOutcome) -> Vec<String> {
    let mut found = found.clone();
    found.diagnostics.retain(|d| d.severity >= Severity::Error);
    pointers(&found)
}

pub(crate) fn problems(found: &ParseOutcome) -> Vec<String> {
    pointers(found)
}

pub(crate) fn problems_of(member: &str) -> Vec<String> {
    pointers(&site_of(member))
}

pub(crate) fn errors_of(member: &str) -> Vec<String> {
    errors(&site_of(member))
}

pub(crate) fn navigation(json: &str) -> Navigation {
    in_navigation(json).value.unwrap().navigation
}

pub(crate) fn problems_in_navigation(json: &str) -> Vec<String> {
    pointers(&in_navigation(json))
}

pub(crate) fn errors_in_navigation(json: &str) -> Vec<String> {
    errors(&in_navigation(json))
}

#[test]
fn an_empty_object_lists_all_that_is_missing() {
    let found = root("{}");
    assert_eq!(
        pointers(&found),
        [
            "/theme config-missing",
            "/name config-missing",
            "/colors config-missing",
            "/navigation config-missing"
        ]
    );
    assert!(found.value.is_some());
}

#[test]
fn a_file_without_object_is_fatal() {
    for text in ["", "[]", "5", "nonsense", "\"x\"", "null"] {
        let found = root(text);
        assert!(found.value.is_none(), "{text}");
        assert!(found.has(Severity::Fatal), "{text}");
    }
}

#[test]
fn wrong_types_name_what_is_expected_and_what_is_there() {
    let found = site_of(r#""favicon":[1]"#);
    let problem = &found.diagnostics[0];
    assert_eq!(
        problem.message,
        "`favicon` must be a string or an object, not an array"
    );
}

#[test]
fn unknown_keys_are_warnings_with_a_suggestion_and_survive_a_round_trip() {
    let found = site_of(r#""navbr":{"x":[1,2.5,null,true]}"#);
    assert_eq!(pointers(&found), ["/navbr config-unknown-key"]);
    assert_eq!(
        found.diagnostics[0].hint.as_deref(),
        Some("did you mean `navbar`?")
    );
    assert!(!found.has(Severity::Error));
    let document = found.value.unwrap().document();
    assert_eq!(
        document.get("/navbr/x").map(svc_data::Node::to_json),
        Some(serde_json::json!([1, 2.5, null, true]))
    );
}

#[test]
fn problems_come_in_the_order_of_the_text() {
    let found = root(
        "{\"zzz\":1,\"theme\":5,\"name\":\"\",\"colors\":{\"primary\":\"x\"},\"navigation\":{}}",
    );
    let starts: Vec<u32> = found
        .diagnostics
        .iter()
        .map(|d| d.location.as_ref().unwrap().span.start)
        .collect();
    assert_eq!(starts.len(), 5);
    assert!(starts.is_sorted());
}

#[test]
fn one_small_key_each() {
    let site = site_of(
        r#""description":" d ","public":true,"search":{"prompt":"p"},"metadata":{"timestamp":true},"variations":{}"#,
    );
    assert_eq!(pointers(&site), ["/variations config-unsupported"]);
    let site = site.value.unwrap();
    assert_eq!(site.description.as_deref(), Some("d"));
    assert_eq!((site.public, site.timestamp), (Some(true), true));
    assert_eq!(site.search_prompt.as_deref(), Some("p"));
    assert_eq!(errors_of(r#""$schema":"x""#), ["/$schema config-url"]);
    assert_eq!(
        errors_of(r#""metadata":{"timestamp":"yes"}"#),
        ["/metadata/timestamp config-type"]
    );
}

#[test]
fn codes_are_listed_once_and_in_kebab_case() {
    let ids: std::collections::BTreeSet<&str> = crate::CODES.iter().map(|code| code.id).collect();
    assert_eq!(ids.len(), crate::CODES.len());
    assert!(
        ids.iter()
            .all(|id| id.starts_with("config-") || id.starts_with("nav-"))
    );
}

#[test]
fn the_number_of_problems_is_limited() {
    let many = "{},".repeat(20_000);
    let found = site_of(&format!("\"redirects\":[{many}{{}}]"));
    assert_eq!(found.diagnostics.len(), crate::decode::MAX_DIAGNOSTICS + 1);
    assert_eq!(found.diagnostics.last().unwrap().code.id, "config-limit");
}
