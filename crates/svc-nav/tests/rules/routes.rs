//! Addresses: pages, redirects and limits.

use svc_diagnostics::Severity;

use crate::test_site::{hrefs, made, map, refused, route};

#[test]
fn an_entry_with_a_file_is_shown() {
    // spec: nav.missing-page, nav.repeated-page, nav.index accepts
    let map = map(
        r#""navigation": {"pages": ["index", "x/index", "y"]}"#,
        "index x/index y/index",
        "",
    );
    assert_eq!(hrefs(&map), [" /index", " /x/index", " /y"]);
    let paths: Vec<&String> = map.routes.keys().collect();
    assert_eq!(paths, ["/", "/x", "/y"]);
    assert_eq!(map.redirect("/x/index"), Some(("/x".into(), 308)));
    assert_eq!(map.redirect("/x"), None);
}

#[test]
fn a_page_that_stands_twice_is_noted() {
    // spec: nav.repeated-page refuses
    let map = refused(
        "\"navigation\": {\"pages\": [\"a\",\n\"b\",\n  \"a\"]}",
        "a b",
        "",
        [
            "nav-repeated-page",
            "docs.json:5:3",
            "/navigation/pages/2",
            "remove one of the entries",
        ],
    );
    assert_eq!(map.routes.len(), 2);
    assert_eq!(route(&map, "/a").nodes.len(), 2);
}

#[test]
fn a_page_outside_of_the_navigation_has_an_address_only() {
    // spec: nav.hidden.page accepts
    let map = map(r#""navigation": {"pages": ["a"]}"#, "a b", "");
    let page = route(&map, "/b");
    assert!(page.hidden && !page.in_navigation && !page.noindex && page.node.is_none());
    assert!(!page.visibility.search && !page.visibility.sitemap && !page.visibility.llms);
    assert!((&page.previous, &page.next) == (&None, &None) && map.breadcrumbs("/b").is_empty());
    assert_eq!(map.sidebar("/b"), map.sidebar("/a"));
}

#[test]
fn a_site_with_a_page_is_built() {
    // spec: nav.no-page accepts
    assert_eq!(
        map(r#""navigation": {"pages": []}"#, "a", "").first_page(),
        Some("/a")
    );
}

#[test]
fn a_site_without_page_is_refused() {
    // spec: nav.no-page refuses
    let lines = r#""navigation": {"pages": []}"#;
    let expected = [
        "nav-no-route",
        "docs.json:1:1",
        "/navigation",
        "add an `index.mdx` and name it in `navigation`",
    ];
    let map = refused(lines, "", "", expected);
    assert_eq!(map.first_page(), None);
    assert!(made(lines, "", "").outcome.has(Severity::Fatal));
}

#[test]
fn nesting_within_the_limit_is_shown_and_beyond_it_is_cut() {
    // spec: nav.limits accepts
    let nested = |levels: usize| {
        let open = r#"{"group": "G", "pages": ["#.repeat(levels);
        format!(
            "\"navigation\": {{\"pages\": [\"b\",\n{open}\"a\"{}]}}",
            "]}".repeat(levels)
        )
    };
    let deep = map(&nested(48), "a b", "");
    assert_eq!(route(&deep, "/a").trail.len(), 48);
    // spec: nav.limits refuses
    let found = made(&nested(49), "a b", "").outcome;
    let problem = &found.diagnostics[0];
    assert_eq!(
        (
            problem.code.id,
            problem.location.as_ref().map(|at| at.start.line)
        ),
        ("nav-too-deep", Some(4))
    );
    let pointer = format!("/navigation/pages/1{}", "/pages/0".repeat(48));
    assert_eq!(problem.pointer.as_deref(), Some(pointer.as_str()));
    assert!(!route(&found.value, "/a").in_navigation);
}

#[test]
fn redirects_catch_and_fill_in() {
    // spec: nav.redirect.pattern, nav.redirect.loop, nav.redirect.page accepts
    let map = map(
        r#""navigation": {"pages": ["a"]}, "redirects": [{"source": "/old/:slug*", "destination": "/new/:slug*"}, {"source": "/b-*", "destination": "/c/*", "permanent": false},
            {"source": "/new/:x", "destination": "/a"}]"#,
        "a",
        "",
    );
    assert_eq!(map.redirect("/old/x/y"), Some(("/new/x/y".into(), 308)));
    assert_eq!(map.redirect("/b-x"), Some(("/c/x".into(), 307)));
    assert_eq!(map.redirect("/old/x"), Some(("/new/x".into(), 308)));
    assert_eq!(map.redirect("/other"), None);
}

#[test]
fn a_redirect_that_never_matches_is_named() {
    // spec: nav.redirect.pattern refuses
    refused(
        "\"navigation\": {\"pages\": [\"a\"]}, \"redirects\": [{\"source\": \"/x\", \"destination\": \"/a\"},\n{\"source\": \"/y#z\", \"destination\": \"/a\"}]",
        "a",
        "",
        [
            "nav-redirect-never-matches",
            "docs.json:4:12",
            "/redirects/1/source",
            "leave out `#…` and `?…`; only the path is compared",
        ],
    );
}

#[test]
fn a_redirect_that_leads_in_a_circle_is_named_and_does_nothing() {
    // spec: nav.redirect.loop refuses
    let lines = "\"navigation\": {\"pages\": [\"a\"]}, \"redirects\": [\n{\"source\": \"/x\", \"destination\": \"/y\"},\n{\"source\": \"/y\", \"destination\": \"/x\"}, {\"source\": \"/z\", \"destination\": \"/a\"}]";
    let found = made(lines, "a", "").outcome;
    let places: Vec<(&str, String)> = found
        .diagnostics
        .iter()
        .map(|one| (one.code.id, one.location_string()))
        .collect();
    assert_eq!(
        places,
        [
            ("nav-redirect-loop", "docs.json:4:12".to_owned()),
            ("nav-redirect-loop", "docs.json:5:12".to_owned())
        ]
    );
    assert_eq!(found.value.redirect("/x"), None);
    assert_eq!(found.value.redirect("/z"), Some(("/a".into(), 308)));
}

#[test]
fn a_page_wins_over_a_redirect() {
    // spec: nav.redirect.page refuses
    let map = refused(
        "\"navigation\": {\"pages\": [\"a\", \"b\"]}, \"redirects\": [\n  {\"destination\": \"/b\", \"source\": \"/a/\"}]",
        "a b",
        "",
        [
            "nav-redirect-over-page",
            "docs.json:4:35",
            "/redirects/0/source",
            "remove the redirect or the page",
        ],
    );
    assert_eq!(map.redirect("/a"), None);
    assert_eq!(map.redirect("/a/"), None);
}
