//! Compares the navigation of real sites with the recorded one.
#![allow(clippy::print_stdout, reason = "the differences are printed")]

use serde_json::Value;
use svc_config::SiteConfig;
use svc_nav::{SiteMap, resolve};
use svc_openapi::ApiCatalog;
use svc_source::{Contents, LoadOptions, SourceTree, load, pages};
use svc_test_support::reference_path;

fn catalog(tree: &SourceTree) -> ApiCatalog {
    let documents = tree.iter().filter_map(|(path, contents)| match contents {
        Contents::Text(file)
            if [".json", ".yaml", ".yml"]
                .iter()
                .any(|ending| path.ends_with(ending))
                && svc_openapi::looks_like_openapi(file.text()) =>
        {
            svc_openapi::parse(file).value
        }
        _ => None,
    });
    ApiCatalog::new(documents.collect())
}

fn config(tree: &SourceTree) -> SiteConfig {
    let file = tree.text("docs.json").expect("the site has a docs.json");
    svc_config::parse(file, &|path| tree.text(path).cloned())
        .value
        .expect("it is readable")
}

fn map(site: &str) -> Option<(SiteMap, Vec<svc_diagnostics::Diagnostic>, Vec<Value>)> {
    let root = reference_path(&format!("corpus/sites/{site}"))?;
    let recorded =
        std::fs::read_to_string(reference_path(&format!("oracle/nav/{site}.json"))?).ok()?;
    let tree = load(&root, &LoadOptions::default())
        .expect("the site can be read")
        .value;
    let index = pages(&tree).value;
    let resolved = resolve(&config(&tree), &index, &catalog(&tree));
    let recorded: Value = serde_json::from_str(&recorded).expect("the record is JSON");
    Some((
        resolved.value,
        resolved.diagnostics,
        recorded.as_array().cloned().unwrap_or_default(),
    ))
}

/// Recorded entries that are dropped here, with the row of the decisions: the navigation names
/// these pages, but they have no file.
const EXCLUDED: &[(&str, &str, &str)] = &[
    ("polar", "/merchant-of-record/acceptable-use", "35"),
    ("polar", "/security", "35"),
];

/// Checks that every entry equals the recorded one in all fields, in the same order. Dropped
/// entries are listed above and must be reported. `operations` is the number of entries with an
/// operation.
fn agree(site: &str, operations: usize) {
    let Some((map, diagnostics, recorded)) = map(site) else {
        return;
    };
    let actual = map.to_json().as_array().cloned().unwrap_or_default();
    let excluded: Vec<&str> = EXCLUDED
        .iter()
        .filter(|(of, ..)| *of == site)
        .map(|(_, href, _)| *href)
        .collect();
    let (missing, expected): (Vec<&Value>, Vec<&Value>) = recorded.iter().partition(|entry| {
        entry["href"]
            .as_str()
            .is_some_and(|href| excluded.contains(&href))
    });
    assert_eq!(
        missing.len(),
        excluded.len(),
        "{site}: an exception is out of date"
    );
    for href in excluded {
        let named = format!("`{}`", href.trim_start_matches('/'));
        let reported = diagnostics.iter().any(|problem| {
            problem.code.id == "nav-missing-page" && problem.message.contains(&named)
        });
        assert!(reported, "{site}: {href} is dropped without a diagnostic");
    }
    for (at, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
        assert_eq!(actual, *expected, "{site}: entry {at}");
    }
    assert_eq!(actual.len(), expected.len(), "{site}");
    let named = actual.iter().filter(|entry| entry["openapi"].is_string());
    assert_eq!(named.count(), operations, "{site}");
    let of_documents = map.routes.values().filter(|route| {
        route.in_navigation && !matches!(route.body, svc_nav::RouteBody::Page { .. })
    });
    println!(
        "{site}: {} of {} entries equal in every field, {} pages made from documents, {} routes",
        actual.len(),
        recorded.len(),
        of_documents.count(),
        map.routes.len()
    );
}

/// Checks that problems are reported at the first character of the entry.
#[test]
fn problems_of_a_real_site_point_at_the_entry() {
    let Some((_, diagnostics, _)) = map("polar") else {
        return;
    };
    let root = reference_path("corpus/sites/polar/docs.json").expect("it was read above");
    let text = std::fs::read_to_string(root).expect("it was read above");
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    let missing: Vec<_> = diagnostics
        .iter()
        .filter(|problem| problem.code.id == "nav-missing-page")
        .collect();
    assert!(missing.len() >= 2);
    for problem in missing {
        let at = problem.location.as_ref().expect("it has a location");
        let token = &text[at.span.range()];
        let pointer = problem.pointer.as_deref().expect("it has a pointer");
        let value = document.pointer(pointer).expect("the pointer is valid");
        assert_eq!(value.to_string(), token, "{pointer}");
        assert!(problem.message.contains(token.trim_matches(['"', '/'])));
    }
}

#[test]
fn mcp_agrees() {
    agree("mcp", 0);
}

#[test]
fn fastmcp_agrees() {
    agree("fastmcp", 0);
}

#[test]
fn trigger_agrees() {
    agree("trigger", 62);
}

#[test]
fn polar_agrees() {
    agree("polar", 336);
}

#[test]
fn mintlify_agrees() {
    agree("mintlify", 96);
}
