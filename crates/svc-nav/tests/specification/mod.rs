//! Rules of the navigation, one test each, marked with the rows of
//! `docs/contributing/specification.md`.

mod generated;
mod rules;

use svc_diagnostics::{Checked, SourceFile};
use svc_nav::{Audience, Route, SiteMap, resolve_for};
use svc_openapi::ApiCatalog;
use svc_test_support::fixture;

const PETS: &str = r#"//- /pets.json
{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"},
 "tags": [{"name": "pets", "x-group": "Animals"}, {"name": "shops"}],
 "paths": {
  "/pets": {
    "get": {"summary": "List pets", "tags": ["pets"], "responses": {}},
    "post": {"summary": "Add a pet", "tags": ["pets", "shops"], "responses": {}},
    "delete": {"summary": "Forget all", "tags": ["pets"], "x-hidden": true, "responses": {}}},
  "/shops": {"get": {"summary": "List shops", "tags": ["shops"], "responses": {}}}},
 "webhooks": {"pet.sold": {"post": {"summary": "Pet sold", "responses": {}}}},
 "components": {"schemas": {"Pet": {"type": "object"}}}}
//- /empty.json
{"openapi": "3.1.0", "info": {"title": "Nothing", "version": "1"}, "paths": {
  "/a": {"get": {"summary": "A", "x-hidden": true, "responses": {}}}}}
//- /toys.json
{"openapi": "3.1.0", "info": {"title": "Toys", "version": "1"}, "paths": {
  "/toys": {"get": {"summary": "List toys", "responses": {}}}}}
"#;

/// Resolves a site with these members of `docs.json`, empty pages, and further files.
fn site(members: &str, pages: &[&str], more: &str) -> Checked<SiteMap> {
    site_for(Audience::Everyone, members, pages, more)
}

fn site_for(audience: Audience, members: &str, pages: &[&str], more: &str) -> Checked<SiteMap> {
    let empty: String = pages
        .iter()
        .map(|page| format!("//- /{page}.mdx\n"))
        .collect();
    let tree = fixture(&format!("{more}{empty}"));
    let docs = format!(
        "{{\"theme\": \"svc\", \"name\": \"T\", \"colors\": {{\"primary\": \"#0a7d4f\"}},\n{members}}}"
    );
    let config = svc_config::parse(&SourceFile::new("docs.json", docs), &|_| None);
    assert!(
        !config.has(svc_diagnostics::Severity::Error),
        "{:?}",
        config.diagnostics
    );
    let documents = ["pets.json", "empty.json", "toys.json"]
        .iter()
        .filter_map(|path| svc_openapi::parse(tree.text(path)?).value)
        .collect();
    let index = svc_source::pages(&tree).value;
    resolve_for(
        audience,
        &config.value.expect("it is an object"),
        &index,
        &ApiCatalog::new(documents),
    )
}

/// Returns the map of a site without diagnostics.
fn map(members: &str, pages: &[&str], more: &str) -> SiteMap {
    let resolved = site(members, pages, more);
    assert_eq!(resolved.diagnostics, [], "{members}");
    resolved.value
}

/// Returns the diagnostics: code, file and line.
fn problems(resolved: &Checked<SiteMap>) -> Vec<String> {
    let lines = resolved.diagnostics.iter().map(|problem| {
        assert!(problem.hint.is_some(), "{problem:?}");
        let location = problem
            .location
            .as_ref()
            .map(|at| format!("{}:{}", at.file, at.start.line));
        format!("{} {}", problem.code.id, location.unwrap_or_default())
    });
    lines.collect()
}

fn route<'a>(map: &'a SiteMap, path: &str) -> &'a Route {
    map.route(path).unwrap_or_else(|| panic!("no {path}"))
}

/// Returns the printed navigation: `tab:T > group:G /a`.
fn lines(map: &SiteMap) -> Vec<String> {
    let line = |entry: &svc_nav::NavEntry| {
        let target = entry.href.as_ref().or(entry.link.as_ref());
        format!("{} {}", entry.trail.join(" > "), target.map_or("", |to| to))
    };
    map.entries.iter().map(line).collect()
}
