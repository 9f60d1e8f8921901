//! Helpers of all tests, and tests of whole files.

mod cases;
mod real_sites;

use svc_diagnostics::{Checked, Severity, SourceFile};

use crate::{Navigation, SiteConfig, parse};

pub(crate) type ParseOutcome = Checked<Option<SiteConfig>>;

/// Parses the first file, named `docs.json` or `mint.json`; the others are available to `$ref`.
pub(crate) fn site_with(files: &[(&str, &str)]) -> ParseOutcome {
    let get = |path: &str| {
        let (path, text) = files.iter().find(|(name, _)| *name == path)?;
        Some(SourceFile::new(*path, *text))
    };
    let root = get("docs.json").or_else(|| get("mint.json")).unwrap();
    parse(&root, &get)
}

pub(crate) fn root(text: &str) -> ParseOutcome {
    site_with(&[("docs.json", text)])
}

/// Parses a valid document with an additional member.
pub(crate) fn site_of(member: &str) -> ParseOutcome {
    root(&format!(
        r##"{{"theme":"svc","name":"X","colors":{{"primary":"#000"}},"navigation":{{"pages":["a"]}},{member}}}"##
    ))
}

pub(crate) fn in_navigation(json: &str) -> ParseOutcome {
    root(&format!(
        r##"{{"theme":"svc","name":"X","colors":{{"primary":"#000"}},"navigation":{json}}}"##
    ))
}

/// "pointer code" of every diagnostic; also asserts that each one has a location and a hint.
pub(crate) fn pointers(checked: &ParseOutcome) -> Vec<String> {
    let line = |d: &svc_diagnostics::Diagnostic| {
        assert!(d.location.is_some() && d.hint.is_some(), "{d:?}");
        format!("{} {}", d.pointer.as_deref().unwrap_or("?"), d.code.id)
    };
    checked.diagnostics.iter().map(line).collect()
}

fn errors(checked: &ParseOutcome) -> Vec<String> {
    let mut checked = checked.clone();
    checked
        .diagnostics
        .retain(|d| d.severity >= Severity::Error);
    pointers(&checked)
}

pub(crate) fn problems(outcome: &ParseOutcome) -> Vec<String> {
    pointers(outcome)
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
fn all_missing_keys_of_an_empty_object_are_reported() {
    let checked = root("{}");
    assert_eq!(
        pointers(&checked),
        [
            "/theme config-missing",
            "/name config-missing",
            "/colors config-missing",
            "/navigation config-missing"
        ]
    );
    assert!(checked.value.is_some());
}

#[test]
fn a_file_without_object_is_fatal() {
    for text in ["", "[]", "5", "nonsense", "\"x\"", "null"] {
        let checked = root(text);
        assert!(checked.value.is_none(), "{text}");
        assert!(checked.has(Severity::Fatal), "{text}");
    }
}

#[test]
fn a_type_mismatch_has_the_expected_and_the_actual_type() {
    let checked = site_of(r#""favicon":[1]"#);
    let problem = &checked.diagnostics[0];
    assert_eq!(
        problem.message,
        "`favicon` must be a string or an object, not an array"
    );
}

#[test]
fn unknown_keys_are_warnings_with_a_suggestion_and_survive_a_round_trip() {
    let checked = site_of(r#""navbr":{"x":[1,2.5,null,true]}"#);
    assert_eq!(pointers(&checked), ["/navbr config-unknown-key"]);
    assert_eq!(
        checked.diagnostics[0].hint.as_deref(),
        Some("did you mean `navbar`?")
    );
    assert!(!checked.has(Severity::Error));
    let document = checked.value.unwrap().document();
    assert_eq!(
        document.get("/navbr/x").map(svc_data::Node::to_json),
        Some(serde_json::json!([1, 2.5, null, true]))
    );
}

#[test]
fn diagnostics_are_in_the_order_of_the_text() {
    let checked = root(
        "{\"zzz\":1,\"theme\":5,\"name\":\"\",\"colors\":{\"primary\":\"x\"},\"navigation\":{}}",
    );
    let starts: Vec<u32> = checked
        .diagnostics
        .iter()
        .map(|d| d.location.as_ref().unwrap().span.start)
        .collect();
    assert_eq!(starts.len(), 5);
    assert!(starts.is_sorted());
}

#[test]
fn small_keys_are_decoded() {
    let site = site_of(
        r#""description":" d ","public":true,"search":{"prompt":"p"},"metadata":{"timestamp":true},"variations":{}"#,
    );
    assert_eq!(pointers(&site), ["/variations config-unsupported"]);
    let site = site.value.unwrap();
    assert_eq!(site.description.as_deref(), Some("d"));
    assert_eq!((site.public, site.timestamp), (Some(true), true));
    assert_eq!(site.search.prompt.as_deref(), Some("p"));
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
    let checked = site_of(&format!("\"redirects\":[{many}{{}}]"));
    assert_eq!(checked.diagnostics.len(), crate::text::MAX_DIAGNOSTICS + 1);
    assert_eq!(checked.diagnostics.last().unwrap().code.id, "config-limit");
}
