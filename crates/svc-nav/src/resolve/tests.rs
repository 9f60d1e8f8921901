//! Tests of resolve.

use svc_diagnostics::SourceFile;
use svc_diagnostics::{Checked, DiagnosticCode, Severity};
use svc_test_support::fixture;

use super::*;
use crate::codes::{
    DUPLICATE_ROUTE, MISSING_DOCUMENT, MISSING_OPERATION, MISSING_PAGE, PAGE_OPERATION, PROTECTED,
    REDIRECT_OVER_PAGE, REPEATED_PAGE,
};

const SPEC: &str = r#"//- /api.json
{"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
 "tags": [{"name": "users", "x-group": "People"}],
 "paths": {
  "/users": {
    "get": {"summary": "List users", "tags": ["users"], "responses": {}},
    "post": {"summary": "List users", "tags": ["users"], "deprecated": true, "responses": {}}},
  "/users/{id}": {
    "get": {"tags": ["users"], "description": "One user", "responses": {}},
    "delete": {"summary": "Secret", "tags": ["users"], "x-hidden": true, "responses": {}}},
  "/ping/": {"get": {"summary": "Ping", "responses": {}, "x-svc": {"href": "/status/ping",
    "metadata": {"title": "Is it up?", "sidebarTitle": "Ping!", "tag": "new"}}}}},
 "webhooks": {"order.paid": {"post": {"summary": "order_paid", "responses": {}}}}}
"#;

/// Resolves a site with this navigation and empty pages.
fn site(navigation: &str, pages: &[&str], more: &str) -> Checked<SiteMap> {
    site_for(Audience::Everyone, navigation, pages, more)
}

fn site_for(audience: Audience, navigation: &str, pages: &[&str], more: &str) -> Checked<SiteMap> {
    let mut text = more.to_owned();
    for page in pages {
        text.push_str(&format!("//- /{page}.mdx\n"));
    }
    let tree = fixture(&text);
    let docs = format!(
        r##"{{"theme": "svc", "name": "T", "colors": {{"primary": "#000000"}}, {navigation}}}"##
    );
    let file = SourceFile::new("docs.json", docs);
    let config = svc_config::parse(&file, &|path| tree.text(path).cloned());
    let errors: Vec<_> = config
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity >= Severity::Error)
        .map(|diagnostic| &diagnostic.message)
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let documents = tree
        .text("api.json")
        .and_then(|file| svc_openapi::parse(file).value);
    let mut catalog = ApiCatalog::new(documents.into_iter().collect());
    if tree.text("old.json").is_some() {
        catalog.unread.push("old.json".to_owned());
    }
    let index = svc_source::pages(&tree).value;
    resolve_for(audience, &config.value.unwrap(), &index, &catalog)
}

fn lines(map: &SiteMap) -> Vec<String> {
    map.entries
        .iter()
        .map(|entry| {
            let target = entry.href.as_ref().or(entry.link.as_ref()).unwrap();
            let root = if entry.root { " (root)" } else { "" };
            format!("{} {target}{root}", entry.trail.join(" > "))
        })
        .collect()
}

fn codes(resolved: &Checked<SiteMap>) -> Vec<&'static DiagnosticCode> {
    resolved
        .diagnostics
        .iter()
        .map(|problem| problem.code)
        .collect()
}

#[test]
fn every_root_pattern_is_resolved() {
    for (navigation, expected) in [
        (r#"{"pages": ["a", "b"]}"#, [" /a", " /b"]),
        (
            r#"{"groups": [{"group": "G", "pages": ["a"]}, {"group": "H", "pages": ["b"]}]}"#,
            ["group:G /a", "group:H /b"],
        ),
        (
            r#"{"tabs": [{"tab": "T", "pages": ["a"]}, {"tab": "U", "pages": ["b"]}]}"#,
            ["tab:T /a", "tab:U /b"],
        ),
        (
            r#"{"anchors": [{"anchor": "A", "pages": ["a"]}, {"anchor": "B", "href": "https://x.org"}]}"#,
            ["anchor:A /a", "anchor:B https://x.org"],
        ),
        (
            r#"{"dropdowns": [{"dropdown": "D", "pages": ["a"]}, {"dropdown": "E", "pages": ["b"]}]}"#,
            ["dropdown:D /a", "dropdown:E /b"],
        ),
        (
            r#"{"products": [{"product": "P", "pages": ["a"]}, {"product": "Q", "pages": ["b"]}]}"#,
            ["product:P /a", "product:Q /b"],
        ),
        (
            r#"{"versions": [{"version": "1", "pages": ["a"]}, {"version": "2", "default": true, "pages": ["b"]}]}"#,
            ["version:2 /b", "version:1 /a"],
        ),
        (
            r#"{"languages": [{"language": "en", "pages": ["a"]}, {"language": "es", "pages": ["b"]}]}"#,
            ["language:en /a", "language:es /b"],
        ),
    ] {
        let resolved = site(&format!(r#""navigation": {navigation}"#), &["a", "b"], "");
        assert_eq!(resolved.diagnostics, [], "{navigation}");
        assert_eq!(lines(&resolved.value), expected, "{navigation}");
    }
}

#[test]
fn patterns_nest_in_one_another() {
    let navigation = r#""navigation": {"languages": [{"language": "en", "versions": [
        {"version": "v1", "products": [{"product": "P", "name": "Product", "tabs": [
            {"tab": "T", "dropdowns": [{"dropdown": "D", "anchors": [
                {"anchor": "A", "groups": [{"group": "G", "root": "a", "pages": [
                    "b", {"group": "H", "pages": ["c"]}]}]}]}]},
            {"tab": "M", "menu": [{"item": "I", "pages": ["d"]}]}]}]}]}]}"#;
    let resolved = site(navigation, &["a", "b", "c", "d"], "");
    let map = resolved.value;
    let trail = "language:en > version:v1 > product:P > tab:T > dropdown:D > anchor:A > group:G";
    assert_eq!(
        lines(&map),
        [
            format!("{trail} /a (root)"),
            format!("{trail} /b"),
            format!("{trail} > group:H /c"),
            "language:en > version:v1 > product:P > tab:M > menu:I /d".to_owned(),
        ]
    );
    let crumbs: Vec<String> = map
        .breadcrumbs("/c")
        .into_iter()
        .map(|crumb| crumb.name)
        .collect();
    assert_eq!(crumbs, ["Product", "T", "D", "A", "G", "H"]);
    let route = map.route("/c").unwrap();
    assert_eq!(
        (route.version.as_deref(), route.language.as_deref()),
        (Some("v1"), Some("en"))
    );
    assert_eq!(map.division("/c").map(|node| node.name.as_str()), Some("A"));
    assert_eq!(map.divisions("/c").len(), 6);
    for node in map.nodes_on_trail("/c") {
        assert_eq!(map.node(node.id), Some(node));
    }
}

#[test]
fn neighbors_are_in_the_same_sidebar_and_skip_hidden_pages() {
    let more =
        "//- /secret.mdx\n---\nhidden: true\n---\n//- /out.mdx\n---\nurl: https://x.org\n---\n";
    let navigation = r#""navigation": {"tabs": [
        {"tab": "T", "groups": [
            {"group": "G", "root": "r", "pages": ["a", "secret", "out"]},
            {"group": "H", "hidden": true, "pages": ["h"]},
            {"group": "I", "pages": ["b"]}]},
        {"tab": "U", "pages": ["c"]}]}"#;
    let map = site(navigation, &["r", "a", "h", "b", "c"], more).value;
    let path_at = |index: Option<usize>| Some(map.routes.get_index(index?)?.0.as_str());
    let neighbors = |path: &str| {
        let route = map.route(path).unwrap();
        (path_at(route.previous), path_at(route.next))
    };
    assert_eq!(neighbors("/r"), (None, Some("/a")));
    assert_eq!(neighbors("/a"), (Some("/r"), Some("/b")));
    assert_eq!(neighbors("/b"), (Some("/a"), None));
    for alone in ["/c", "/secret", "/h", "/out"] {
        assert_eq!(neighbors(alone), (None, None), "{alone}");
    }
    assert!(
        map.route("/h")
            .is_some_and(|route| route.hidden && route.noindex)
    );
    let sidebar: Vec<&str> = map
        .sidebar("/a")
        .iter()
        .map(|node| node.name.as_str())
        .collect();
    assert_eq!(sidebar, ["G", "H", "I"]);
}

#[test]
fn the_first_page_skips_hidden_elements_and_prefers_the_root_page() {
    let navigation = r#""navigation": {"tabs": [
        {"tab": "T", "hidden": true, "pages": ["a"]},
        {"tab": "U", "groups": [
            {"group": "G", "hidden": true, "pages": ["b"]},
            {"group": "H", "root": "r", "pages": ["c"]}]},
        {"tab": "V", "pages": ["d"]}]}"#;
    let map = site(navigation, &["a", "b", "c", "d", "r"], "").value;
    assert_eq!(map.first_page(), Some("/r"));
    let more = "//- /s.mdx\n---\nhidden: true\n---\n";
    let navigation = r#""navigation": {"groups": [
        {"group": "G", "pages": ["s"]}, {"group": "H", "pages": ["a"]}]}"#;
    assert_eq!(
        site(navigation, &["a"], more).value.first_page(),
        Some("/a")
    );
    let targets: Vec<Option<&str>> = map.tree.iter().map(crate::NavNode::target).collect();
    assert_eq!(targets, [Some("/a"), Some("/r"), Some("/d")]);
    // Hidden tabs are not choices, except for the active one.
    let names = |path: &str| -> Vec<String> {
        let levels = map.divisions(path);
        levels[0]
            .items
            .iter()
            .map(|item| item.node.name.clone())
            .collect()
    };
    assert_eq!(names("/c"), ["U", "V"]);
    assert_eq!(names("/a"), ["T", "U", "V"]);
}

#[test]
fn switching_leads_to_the_same_page_if_it_exists() {
    let navigation = r#""navigation": {"languages": [
        {"language": "en", "versions": [
            {"version": "v2", "pages": ["index", "v2/start", "v2/new"]},
            {"version": "v1", "pages": ["v1/start", "v1/old"]}]},
        {"language": "es", "pages": ["es/index", "es/v2/start"]}]}"#;
    let pages = [
        "index",
        "v2/start",
        "v2/new",
        "v1/start",
        "v1/old",
        "es/index",
        "es/v2/start",
    ];
    let map = site(navigation, &pages, "").value;
    let targets = |path: &str| -> Vec<(String, Option<String>, bool)> {
        let levels = map.divisions(path).into_iter();
        levels
            .flat_map(|level| level.items)
            .map(|item| (item.node.key.clone(), item.href, item.active))
            .collect()
    };
    let target = |path: &str, key: &str| {
        let all = targets(path);
        all.into_iter()
            .find(|(name, ..)| name == key)
            .and_then(|(_, href, _)| href)
    };
    assert_eq!(target("/v2/start", "v1").as_deref(), Some("/v1/start"));
    assert_eq!(target("/v2/new", "v1").as_deref(), Some("/v1/start"));
    assert_eq!(target("/v1/start", "v2").as_deref(), Some("/v2/start"));
    assert_eq!(target("/v2/start", "es").as_deref(), Some("/es/v2/start"));
    assert_eq!(target("/", "es").as_deref(), Some("/es"));
    assert_eq!(target("/es", "en").as_deref(), Some("/"));
    assert_eq!(target("/es/v2/start", "en").as_deref(), Some("/v2/start"));
}

#[test]
fn index_pages_have_the_path_of_their_directory() {
    let navigation = r#""navigation": {"pages": ["index", "x/index", "y"]}"#;
    let map = site(navigation, &["index", "x/index", "y/index"], "").value;
    assert_eq!(lines(&map), [" /index", " /x/index", " /y"]);
    let paths: Vec<&str> = map.routes.keys().map(String::as_str).collect();
    assert_eq!(paths, ["/", "/x", "/y"]);
    assert_eq!(map.redirects.find("/x/index"), Some(("/x".into(), 308)));
    assert_eq!(map.redirects.find("/index"), Some(("/".into(), 308)));
    assert_eq!(map.redirects.find("/y/index"), Some(("/y".into(), 308)));
}

#[test]
fn listed_operations_get_pages() {
    let navigation = r#""navigation": {"groups": [{"group": "G", "openapi": "api.json", "pages": [
        "GET /users", "POST /users", "GET /users/{id}", "DELETE /users/{id}", "GET /ping",
        "webhook order.paid", "api get /users"]}]}"#;
    let resolved = site(navigation, &[], SPEC);
    let map = resolved.value;
    assert_eq!(
        lines(&map),
        [
            "group:G /api-reference/users/list-users",
            "group:G /api-reference/users/list-users-1",
            "group:G /api-reference/users/get-users",
            "group:G /status/ping",
            "group:G /api-reference/order_paid",
            "group:G /api-reference/users/list-users",
        ]
    );
    let route = |path: &str| map.route(path).unwrap();
    let post = route("/api-reference/users/list-users-1");
    assert_eq!(
        (post.method.as_deref(), post.deprecated),
        (Some("POST"), true)
    );
    assert_eq!(post.openapi.as_deref(), Some("/api.json post /users"));
    let one = route("/api-reference/users/get-users");
    assert_eq!(
        (one.title.as_str(), one.description.as_deref()),
        ("Get users by id", Some("One user"))
    );
    let ping = route("/status/ping");
    assert_eq!(
        (ping.title.as_str(), ping.short_title()),
        ("Is it up?", "Ping!")
    );
    assert_eq!(ping.tag.as_deref(), Some("new"));
    assert_eq!(route("/api-reference/order_paid").title, "Order paid");
}

#[test]
fn child_tags_are_nested_groups() {
    let spec = r#"//- /api.json
{"openapi": "3.2.0", "info": {"title": "T", "version": "1"},
 "tags": [{"name": "shop", "summary": "Shop"}, {"name": "carts", "parent": "shop", "x-group": "Carts"},
  {"name": "lines", "parent": "carts"}, {"name": "new", "kind": "badge"}],
 "paths": {"/lines": {"get": {"summary": "Lines", "tags": ["new", "lines"]}},
  "/shop": {"query": {"summary": "Ask", "tags": ["shop"], "x-svc": {"groups": ["staff"]}}},
  "/carts": {"additionalOperations": {"COPY": {"summary": "Copy", "tags": ["carts"]}}},
  "/x": {"get": {"summary": "X"}}}}
"#;
    let navigation = r#""navigation": {"tabs": [{"tab": "API", "openapi": "api.json"}]}"#;
    let expected = [
        "tab:API > group:Shop /api-reference/shop/ask",
        "tab:API > group:Shop > group:Carts /api-reference/carts/copy",
        "tab:API > group:Shop > group:Carts > group:lines /api-reference/lines/lines",
        "tab:API > group:API Reference /api-reference/x",
    ];
    // One operation is restricted to some readers.
    let open = site(navigation, &[], spec);
    assert_eq!(codes(&open), [&PROTECTED]);
    assert_eq!(lines(&open.value), expected[1..]);
    let resolved = site_for(Audience::Trusted, navigation, &[], spec);
    assert_eq!(resolved.diagnostics, open.diagnostics);
    assert_eq!(lines(&resolved.value), expected);
    let restricted = resolved.value.route("/api-reference/shop/ask").unwrap();
    assert_eq!(restricted.groups, Some(vec!["staff".to_owned()]));
    let copy = resolved.value.route("/api-reference/carts/copy").unwrap();
    assert_eq!(copy.openapi.as_deref(), Some("/api.json copy /carts"));
    for entry in ["COPY /carts", "api.json COPY /carts"] {
        let navigation = format!(
            r#""navigation": {{"tabs": [{{"tab": "API", "openapi": "api.json", "pages": ["{entry}"]}}]}}"#
        );
        let resolved = site(&navigation, &[], spec);
        assert_eq!(resolved.diagnostics, []);
        assert_eq!(
            lines(&resolved.value),
            ["tab:API /api-reference/carts/copy"]
        );
    }
}

#[test]
fn a_section_without_pages_shows_the_whole_document() {
    let navigation = r#""navigation": {"tabs": [{"tab": "API",
        "openapi": {"source": "api.json", "directory": "ref/v1"}}]}"#;
    let resolved = site(navigation, &[], SPEC);
    assert_eq!(resolved.diagnostics, []);
    assert_eq!(
        lines(&resolved.value),
        [
            "tab:API > group:People /ref/v1/users/list-users",
            "tab:API > group:People /ref/v1/users/list-users-1",
            "tab:API > group:People /ref/v1/users/get-users",
            "tab:API > group:API Reference /status/ping",
            "tab:API > group:API Reference /ref/v1/order_paid",
        ]
    );
}

#[test]
fn children_inherit_the_document() {
    let navigation = r#""navigation": {"tabs": [{"tab": "API", "openapi": "api.json",
        "versions": [{"version": "v1"}, {"version": "v2", "groups": [
            {"group": "G", "pages": ["intro", "GET /users"]}]}]}]}"#;
    let map = site(navigation, &["intro"], SPEC).value;
    assert_eq!(lines(&map).len(), 7);
    assert_eq!(lines(&map)[5], "tab:API > version:v2 > group:G /intro");
}

#[test]
fn pages_can_document_an_operation() {
    let more = format!(
        "{SPEC}//- /a.mdx\n---\nopenapi: GET /users/{{id}}\n---\n//- /b.mdx\n---\nopenapi: api.json PUT /users\n---\n//- /c.mdx\n---\napi: post https://x.org/y\n---\n"
    );
    let resolved = site(r#""navigation": {"pages": ["a", "b", "c"]}"#, &[], &more);
    assert_eq!(codes(&resolved), [&PAGE_OPERATION]);
    assert_eq!(resolved.diagnostics[0].location_string(), "b.mdx:2:10");
    let map = resolved.value;
    let route = map.route("/a").unwrap();
    assert!(
        matches!(&route.operation, Some(crate::OperationRef::Operation { path, .. }) if path == "/users/{id}")
    );
    assert_eq!(route.method.as_deref(), Some("GET"));
    assert_eq!(map.route("/c").unwrap().method.as_deref(), Some("POST"));
}

#[test]
fn missing_pages_and_operations_are_reported_and_dropped() {
    let navigation = r#""navigation": {"pages": ["guides/intro", "parts/x", "GET /user",
        {"group": "G", "openapi": "nope.yaml", "pages": ["b", "b"]}]}"#;
    let more = format!("{SPEC}//- /snippets/x.mdx\n");
    let resolved = site(navigation, &["guides/intros", "b"], &more);
    assert_eq!(
        codes(&resolved),
        [
            &MISSING_PAGE,
            &MISSING_PAGE,
            &MISSING_OPERATION,
            &MISSING_DOCUMENT,
            &REPEATED_PAGE
        ]
    );
    let first = &resolved.diagnostics[0];
    assert_eq!(first.hint.as_deref(), Some("did you mean `guides/intros`?"));
    assert!(first.location.is_some());
    assert_eq!(
        resolved.diagnostics[2].hint.as_deref(),
        Some("did you mean `GET /users`?")
    );
    assert_eq!(lines(&resolved.value), ["group:G /b", "group:G /b"]);
    let resolved = site(
        r#""navigation": {"pages": ["quikstart", "old/moved"]}"#,
        &["quickstart", "new/moved"],
        "",
    );
    let hints: Vec<_> = resolved
        .diagnostics
        .iter()
        .filter_map(|diagnostic| diagnostic.hint.as_deref())
        .collect();
    assert_eq!(
        hints[..2],
        ["did you mean `quickstart`?", "did you mean `new/moved`?"]
    );
}

#[test]
fn a_missing_document_is_reported_once_and_not_on_every_page() {
    let page = |name: &str, text: &str| format!("//- /{name}.mdx\n---\nopenapi: {text}\n---\n");
    let pages = page("a", "GET /things") + &page("b", "PUT /things");
    // The group names the document, so its entries and pages do not report it.
    let group = r#""navigation": {"groups": [{"group": "G", "openapi": "nope.yaml", "pages": ["a", "b", "GET /x", "nope.yaml GET /y"]}]}"#;
    let resolved = site(group, &[], &format!("{SPEC}{pages}"));
    assert_eq!(codes(&resolved), [&MISSING_DOCUMENT]);
    // Only pages name the document.
    let own = page("a", "gone.yaml GET /things") + &page("b", "gone.yaml PUT /things");
    let resolved = site(r#""navigation": {"pages": ["a", "b"]}"#, &[], &own);
    assert_eq!(codes(&resolved), [&MISSING_DOCUMENT]);
    let at = resolved.diagnostics[0]
        .location
        .as_ref()
        .map(|at| at.start.line);
    assert_eq!(at, Some(2));
    // A file that could not be parsed was already reported.
    let old = "//- /old.json\n{\"swagger\": \"1.2\"}\n";
    for navigation in [
        r#""navigation": {"groups": [{"group": "G", "openapi": "old.json", "pages": ["a", "b", "GET /x"]}]}"#,
        r#""navigation": {"pages": ["a", "b", "old.json GET /x"]}"#,
        r#""navigation": {"openapi": "/old.json"}"#,
    ] {
        let resolved = site(navigation, &[], &format!("{old}{pages}"));
        assert_eq!(codes(&resolved), [] as [&DiagnosticCode; 0], "{navigation}");
    }
    // Errors in an existing document are still reported.
    let wrong = r#""navigation": {"groups": [{"group": "G", "openapi": "api.json", "pages": ["c", "GET /x"]}]}"#;
    let resolved = site(wrong, &["c"], &format!("{SPEC}{old}"));
    assert_eq!(codes(&resolved), [&MISSING_OPERATION]);
}

#[test]
fn operations_without_tag_are_grouped_in_the_language_of_their_pages() {
    let navigation = r#""navigation": {"languages": [{"language": "fr", "openapi": "api.json"}, {"language": "ja", "openapi": {"source": "api.json", "directory": "ja"}}]}"#;
    let map = site(navigation, &[], SPEC).value;
    let printed = lines(&map).join("\n");
    for expected in [
        "group:Référence de l’API /status/ping",
        "group:API リファレンス /ja/order_paid",
    ] {
        assert!(printed.contains(expected), "{printed}");
    }
}

#[test]
fn excessive_nesting_is_truncated() {
    let levels = 55;
    let open = r#"{"group": "G", "pages": ["#.repeat(levels);
    let close = "]}".repeat(levels);
    let navigation = format!(r#""navigation": {{"pages": ["a", {open}"b"{close}]}}"#);
    let resolved = site(&navigation, &["a", "b"], "");
    assert_eq!(codes(&resolved), [&crate::codes::TOO_DEEP]);
    assert_eq!(lines(&resolved.value), [" /a"]);
}

#[test]
fn entries_and_diagnostics_over_the_limits_are_dropped_and_reported() {
    let pages = vec![r#""a""#; MAX_NODES + 500].join(",");
    let lines = format!("\"navigation\": {{\"pages\": [{pages}]}}");
    let resolved = site(&lines, &["a"], "");
    assert_eq!(resolved.value.entries.len(), MAX_NODES);
    let count = |code: &DiagnosticCode| codes(&resolved).iter().filter(|one| **one == code).count();
    assert_eq!(
        (count(&ENTRY_LIMIT), count(&REPEATED_PAGE)),
        (1, MAX_NODES - 1)
    );

    let pages = vec![r#""nowhere""#; MAX_DIAGNOSTICS + 10].join(",");
    let lines = format!("\"navigation\": {{\"pages\": [\"a\",{pages}]}}");
    let resolved = site(&lines, &["a"], "");
    assert_eq!(resolved.diagnostics.len(), MAX_DIAGNOSTICS + 1);
    assert_eq!(codes(&resolved).last(), Some(&&TRUNCATED));
}

#[test]
fn a_document_that_exceeds_the_node_limit_is_dropped() {
    let tabs = (0..MAX_NODES / 3).map(|at| format!(r#"{{"tab": "T{at}", "openapi": "api.json"}}"#));
    let lines = format!(
        r#""navigation": {{"tabs": [{}]}}"#,
        tabs.collect::<Vec<_>>().join(",")
    );
    let resolved = site(&lines, &[], SPEC);
    assert!(codes(&resolved).contains(&&ENTRY_LIMIT));
    let nodes: usize = resolved.value.tree.iter().map(crate::NavNode::count).sum();
    assert!(nodes <= MAX_NODES && nodes > MAX_NODES / 2, "{nodes}");
}

#[test]
fn pages_outside_of_the_navigation_have_a_route_and_no_node() {
    let resolved = site(
        r#""navigation": {"pages": ["a"]}"#,
        &["a", "b", "x", "x/index"],
        "",
    );
    assert_eq!(codes(&resolved), [&DUPLICATE_ROUTE]);
    let map = resolved.value;
    let route = map.route("/b").unwrap();
    assert!(!route.in_navigation && route.hidden && !route.noindex && route.node.is_none());
    assert!(!route.visibility.search && map.nodes_on_trail("/b").is_empty());
    assert_eq!(map.sidebar("/b").len(), 1);
    assert!(
        matches!(&map.route("/x").unwrap().body, crate::RouteBody::Page { slug } if &**slug == "x")
    );
}

#[test]
fn redirects_over_pages_are_reported() {
    let resolved = site(
        r#""navigation": {"pages": ["a"]}, "redirects": [
            {"source": "/a", "destination": "/b"},
            {"source": "/old/:slug*", "destination": "/:slug*", "permanent": false}]"#,
        &["a"],
        "",
    );
    assert_eq!(codes(&resolved), [&REDIRECT_OVER_PAGE]);
    assert_eq!(
        resolved.value.redirects.find("/old/a"),
        Some(("/a".into(), 307))
    );
}

#[test]
fn only_root_pages_list_their_group() {
    let navigation = r#""navigation": {"directory": "card", "groups": [
        {"group": "G", "root": "r", "pages": ["a"]},
        {"group": "H", "directory": "none", "root": "s", "pages": ["b"]}]}"#;
    let map = site(navigation, &["r", "s", "a", "b"], "").value;
    let listed = map.directory("/r").unwrap();
    assert_eq!((listed.0, listed.1.len()), (Directory::Card, 1));
    assert!(map.directory("/s").is_none() && map.directory("/a").is_none());
}

#[test]
fn global_links_are_not_part_of_the_tree() {
    let navigation = r#""navigation": {"pages": ["a"], "global": {"anchors": [
        {"anchor": "Blog", "href": "https://x.org"}, {"anchor": "Log", "href": "/a"}]}}"#;
    let map = site(navigation, &["a"], "").value;
    let links: Vec<&str> = map.global.iter().map(|link| link.href.as_str()).collect();
    assert_eq!(
        (lines(&map), links),
        (vec![" /a".to_owned()], vec!["https://x.org", "/a"])
    );
}

#[test]
fn an_empty_site_is_fatal() {
    let resolved = site(r#""navigation": {"pages": ["a"]}"#, &[], "");
    assert!(resolved.has(Severity::Fatal));
    assert_eq!(resolved.value.first_page(), None);
}
