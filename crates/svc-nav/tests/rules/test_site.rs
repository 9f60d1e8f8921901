//! Repositories for a test, and helpers to query their map.

use svc_config::SiteConfig;
use svc_diagnostics::{Checked, Diagnostic, SourceFile};
use svc_nav::{Audience, NavNode, Route, SiteMap, resolve_for};
use svc_openapi::ApiCatalog;
use svc_test_support::fixture;

pub(crate) const SPEC: &str = r#"//- /api.json
{"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
 "tags": [{"name": "users", "x-group": "People"}],
 "paths": {
  "/users": {
    "get": {"summary": "List users", "tags": ["users"], "responses": {}},
    "post": {"summary": "Add user", "tags": ["users"], "responses": {}}},
  "/gone": {"get": {"summary": "Gone", "x-hidden": true, "responses": {}}},
  "/ping": {"get": {"summary": "Ping", "responses": {}}}}}
//- /other.json
{"openapi": "3.1.0", "info": {"title": "O", "version": "1"},
 "paths": {"/ping": {"get": {"summary": "Other ping", "responses": {}}}}}
//- /empty.json
{"openapi": "3.1.0", "info": {"title": "E", "version": "1"},
 "paths": {"/x": {"get": {"x-hidden": true, "responses": {}}}}}
"#;

pub(crate) struct TestSite {
    pub(crate) config: SiteConfig,
    pub(crate) outcome: Checked<SiteMap>,
}

/// Resolves a site with these lines in `docs.json`, from line 3 on, and files as a fixture. A name
/// without text is an empty page.
pub(crate) fn made(lines: &str, pages: &str, more: &str) -> TestSite {
    made_for(Audience::Everyone, lines, pages, more)
}

pub(crate) fn made_for(audience: Audience, lines: &str, pages: &str, more: &str) -> TestSite {
    let mut text = more.to_owned();
    for page in pages.split_whitespace() {
        text.push_str(&format!("//- /{page}.mdx\n"));
    }
    let tree = fixture(&text);
    let docs = format!(
        "{{\n\"theme\": \"svc\", \"name\": \"T\", \"colors\": {{\"primary\": \"#000000\"}},\n{lines}\n}}"
    );
    let file = SourceFile::new("docs.json", docs);
    let config = svc_config::parse(&file, &|path| tree.text(path).cloned());
    let config = config.value.expect("it is an object");
    let names = ["api.json", "other.json", "empty.json", "secret.json"];
    let documents = names
        .iter()
        .filter_map(|name| svc_openapi::parse(tree.text(name)?).value);
    let catalog = ApiCatalog::new(documents.collect());
    let index = svc_source::pages(&tree).value;
    let outcome = resolve_for(audience, &config, &index, &catalog);
    TestSite { config, outcome }
}

pub(crate) fn map(lines: &str, pages: &str, more: &str) -> SiteMap {
    let made = made(lines, pages, more);
    let problems: Vec<&Diagnostic> = made.outcome.diagnostics.iter().collect();
    assert!(problems.is_empty(), "{problems:?}");
    made.outcome.value
}

pub(crate) fn hrefs(map: &SiteMap) -> Vec<String> {
    let line = |entry: &svc_nav::NavEntry| {
        let trail: Vec<&str> = entry.trail.iter().map(|part| &**part).collect();
        let target = entry.href.as_ref().or(entry.link.as_ref());
        let root = if entry.root { " root" } else { "" };
        format!(
            "{} {}{root}",
            trail.join(" "),
            target.map_or("", String::as_str)
        )
    };
    map.entries.iter().map(line).collect()
}

pub(crate) fn route<'m>(map: &'m SiteMap, path: &str) -> &'m Route {
    map.route(path).unwrap_or_else(|| panic!("no route {path}"))
}

/// Returns the map of a site with exactly one diagnostic: code, location, JSON pointer and hint.
#[track_caller]
pub(crate) fn refused(lines: &str, pages: &str, more: &str, expected: [&str; 4]) -> SiteMap {
    let resolved = made(lines, pages, more).outcome;
    let all: Vec<[String; 4]> = resolved
        .diagnostics
        .iter()
        .map(|diagnostic| {
            [
                diagnostic.code.id.to_owned(),
                diagnostic.location_string(),
                diagnostic.pointer.clone().unwrap_or_default(),
                diagnostic.hint.clone().unwrap_or_default(),
            ]
        })
        .collect();
    assert_eq!(all, [expected.map(str::to_owned)], "{lines}");
    resolved.value
}

pub(crate) fn find<'m>(nodes: &'m [NavNode], name: &str) -> Option<&'m NavNode> {
    nodes.iter().find_map(|node| {
        let matching = (node.name == name).then_some(node);
        matching.or_else(|| find(&node.children, name))
    })
}

pub(crate) fn node<'m>(map: &'m SiteMap, name: &str) -> &'m NavNode {
    find(&map.tree, name).unwrap_or_else(|| panic!("no node {name}"))
}

/// Returns the target of a choice in a switcher on a page.
pub(crate) fn choice(map: &SiteMap, path: &str, key: &str) -> Option<String> {
    let items = map
        .divisions(path)
        .into_iter()
        .flat_map(|level| level.items);
    items
        .filter(|item| item.node.key == key)
        .find_map(|item| item.href)
}
