//! Pages, redirects and limits.

use svc_diagnostics::Severity;

use crate::rules::test_site::{hrefs, made, map, refused, route};

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
fn a_page_that_is_listed_twice_is_reported() {
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
fn a_page_outside_of_the_navigation_has_only_a_path() {
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
fn a_site_without_pages_is_rejected() {
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
fn nesting_is_accepted_within_the_limit_and_truncated_beyond_it() {
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
    let resolved = made(&nested(49), "a b", "").outcome;
    let problem = &resolved.diagnostics[0];
    assert_eq!(
        (
            problem.code.id,
            problem.location.as_ref().map(|at| at.start.line)
        ),
        ("nav-too-deep", Some(4))
    );
    let pointer = format!("/navigation/pages/1{}", "/pages/0".repeat(48));
    assert_eq!(problem.pointer.as_deref(), Some(pointer.as_str()));
    assert!(!route(&resolved.value, "/a").in_navigation);
}

#[test]
fn redirects_capture_and_expand_parameters() {
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
fn a_redirect_that_never_matches_is_reported() {
    // spec: nav.redirect.pattern refuses
    refused(
        "\"navigation\": {\"pages\": [\"a\"]}, \"redirects\": [{\"source\": \"/x\", \"destination\": \"/a\"},\n{\"source\": \"/y#z\", \"destination\": \"/a\"}]",
        "a",
        "",
        [
            "nav-redirect-never-matches",
            "docs.json:4:12",
            "/redirects/1/source",
            "remove `#…` and `?…`; only the path is compared",
        ],
    );
}

#[test]
fn a_redirect_loop_is_reported_and_ignored() {
    // spec: nav.redirect.loop refuses
    let lines = "\"navigation\": {\"pages\": [\"a\"]}, \"redirects\": [\n{\"source\": \"/x\", \"destination\": \"/y\"},\n{\"source\": \"/y\", \"destination\": \"/x\"}, {\"source\": \"/z\", \"destination\": \"/a\"}]";
    let resolved = made(lines, "a", "").outcome;
    let locations: Vec<(&str, String)> = resolved
        .diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.code.id, diagnostic.location_string()))
        .collect();
    assert_eq!(
        locations,
        [
            ("nav-redirect-loop", "docs.json:4:12".to_owned()),
            ("nav-redirect-loop", "docs.json:5:12".to_owned())
        ]
    );
    assert_eq!(resolved.value.redirect("/x"), None);
    assert_eq!(resolved.value.redirect("/z"), Some(("/a".into(), 308)));
}

#[test]
fn a_page_takes_precedence_over_a_redirect() {
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
