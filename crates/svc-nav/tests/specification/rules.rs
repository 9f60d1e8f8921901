//! Results of resolving a navigation.

use svc_config::Directory;
use svc_nav::{Audience, NavNode};

use crate::specification::{lines, map, problems, route, site, site_for};

fn named<'a>(nodes: &'a [NavNode], name: &str) -> &'a NavNode {
    let all = nodes.iter();
    all.flat_map(|node| std::iter::once(node).chain(&node.children))
        .find(|node| node.name == name)
        .unwrap_or_else(|| panic!("no {name}"))
}

// spec: nav.rule.1, nav.page accepts
#[test]
fn pages_and_nested_groups_are_in_the_order_of_the_file() {
    let site_map = map(
        r#""navigation": {"groups": [{"group": "G", "pages": [
            "b", {"group": "H", "pages": ["c", {"group": "I", "pages": ["d"]}]}, "a"]}]}"#,
        &["a", "b", "c", "d"],
        "",
    );
    assert_eq!(
        lines(&site_map),
        [
            "group:G /b",
            "group:G > group:H /c",
            "group:G > group:H > group:I /d",
            "group:G /a"
        ]
    );
}

// spec: nav.rule.1 refuses
#[test]
fn a_missing_page_is_reported_at_its_line() {
    let resolved = site(
        "\"navigation\": {\"pages\": [\"a\",\n{\"group\": \"G\", \"pages\": [\n\"gone\"]}]}",
        &["a"],
        "",
    );
    assert_eq!(problems(&resolved), ["nav-missing-page docs.json:4"]);
}

// spec: nav.rule.2, nav.group.root accepts
#[test]
fn the_title_of_a_group_leads_to_its_root_page_at_every_depth() {
    let site_map = map(
        r#""navigation": {"groups": [{"group": "G", "root": "r", "pages": [
            "a", {"group": "H", "root": "s", "pages": ["b"]}, {"group": "I", "pages": ["c"]}]}]}"#,
        &["a", "b", "c", "r", "s"],
        "",
    );
    let target = |name| named(&site_map.tree, name).title_target(false);
    assert_eq!(
        (target("G"), target("H"), target("I")),
        (Some("/r"), Some("/s"), None)
    );
}

// spec: nav.rule.2, nav.group.root refuses
#[test]
fn a_missing_root_page_is_reported_at_its_line() {
    let resolved = site(
        "\"navigation\": {\"groups\": [{\"group\": \"G\",\n\"root\": \"gone\", \"pages\": [\"a\"]}]}",
        &["a"],
        "",
    );
    assert_eq!(problems(&resolved), ["nav-missing-page docs.json:3"]);
}

// spec: nav.rule.3, nav.rule.3.inherit, nav.rule.3.root accepts
#[test]
fn groups_inherit_the_listing_style_and_only_root_pages_list() {
    let site_map = map(
        r#""navigation": {"directory": "card", "tabs": [
            {"tab": "T", "groups": [{"group": "G", "root": "r", "pages": [
                "a", {"group": "H", "root": "s", "pages": ["b"]}]}]},
            {"tab": "U", "directory": "accordion", "groups": [
                {"group": "I", "root": "t", "pages": ["c"]},
                {"group": "J", "directory": "none", "root": "u", "pages": ["d"]},
                {"group": "K", "pages": ["e"]}]}]}"#,
        &["a", "b", "c", "d", "e", "r", "s", "t", "u"],
        "",
    );
    let style = |path| site_map.directory(path).map(|(style, _)| style);
    assert_eq!(style("/r"), Some(Directory::Card));
    assert_eq!(style("/s"), Some(Directory::Card));
    assert_eq!(style("/t"), Some(Directory::Accordion));
    for nothing in ["/u", "/a", "/e"] {
        assert_eq!(style(nothing), None, "{nothing}");
    }
    let list: Vec<&str> = site_map
        .directory("/r")
        .map(|(_, nodes)| nodes.iter().map(|node| node.name.as_str()).collect())
        .unwrap();
    assert_eq!(list, ["A", "H"]);
}

// spec: nav.rule.4 accepts
#[test]
fn nested_groups_are_collapsed_by_default() {
    let site_map = map(
        r#""navigation": {"groups": [{"group": "G", "expanded": false, "pages": [
            {"group": "H", "pages": ["a"]}, {"group": "I", "expanded": true, "pages": ["b"]},
            {"group": "J", "expanded": false, "pages": ["c"]}]}]}"#,
        &["a", "b", "c"],
        "",
    );
    let inner: Vec<bool> = site_map.tree[0]
        .children
        .iter()
        .map(|node| node.expanded)
        .collect();
    assert_eq!(inner, [false, true, false]);
}

// spec: nav.rule.5 accepts
#[test]
fn the_first_version_is_the_default_unless_another_one_is_marked() {
    let versions = |second: &str| {
        let members = format!(
            r#""navigation": {{"versions": [{{"version": "1", "pages": ["a"]}},
                {{"version": "2", {second} "pages": ["b"]}}]}}"#
        );
        let site_map = map(&members, &["a", "b"], "");
        let first = site_map.first_page().map(str::to_owned);
        (site_map.default_version().map(str::to_owned), first)
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(versions(""), (some("1"), some("/a")));
    assert_eq!(versions(r#""default": true,"#), (some("2"), some("/b")));
}

// spec: nav.rule.6, nav.rule.8 accepts
#[test]
fn tabs_contain_anchors_that_contain_groups_in_every_language() {
    for code in svc_config::LANGUAGE_CODES {
        let members = format!(
            r#""navigation": {{"languages": [{{"language": "{code}", "tabs": [{{"tab": "T",
                "anchors": [{{"anchor": "A", "groups": [{{"group": "G", "pages": ["a"]}}]}}]}}]}}]}}"#
        );
        let site_map = map(&members, &["a"], "");
        assert_eq!(
            lines(&site_map),
            [format!("language:{code} > tab:T > anchor:A > group:G /a")]
        );
        assert_eq!(route(&site_map, "/a").language.as_deref(), Some(*code));
    }
    assert!(svc_config::LANGUAGE_CODES.len() >= 30);
}

// spec: nav.rule.9 accepts
#[test]
fn drilldown_leads_to_the_first_page_of_a_group() {
    let members = |interaction: &str| {
        format!(
            r#"{interaction} "navigation": {{"groups": [{{"group": "G", "pages": ["a", "b"]}}]}}"#
        )
    };
    let site_map = map(
        &members(r#""interaction": {"drilldown": true},"#),
        &["a", "b"],
        "",
    );
    assert_eq!(site_map.drilldown, Some(true));
    assert_eq!(site_map.tree[0].title_target(true), Some("/a"));
    assert_eq!(site_map.tree[0].title_target(false), None);
    assert_eq!(map(&members(""), &["a", "b"], "").drilldown, None);
}

// spec: nav.missing-page accepts and refuses
#[test]
fn an_entry_without_file_is_dropped_and_a_similar_page_is_suggested() {
    let resolved = site(
        "\"navigation\": {\"pages\": [\"quickstart\",\n\"quikstart\"]}",
        &["quickstart"],
        "",
    );
    assert_eq!(problems(&resolved), ["nav-missing-page docs.json:3"]);
    let hint = resolved.diagnostics[0].hint.as_deref();
    assert_eq!(hint, Some("did you mean `quickstart`?"));
    assert_eq!(lines(&resolved.value), [" /quickstart"]);
}

// spec: nav.repeated-page accepts and refuses
#[test]
fn a_page_that_is_listed_twice_has_one_path_and_is_reported() {
    let resolved = site(
        "\"navigation\": {\"groups\": [{\"group\": \"G\", \"pages\": [\"a\",\n\"a\"]}]}",
        &["a"],
        "",
    );
    assert_eq!(problems(&resolved), ["nav-repeated-page docs.json:3"]);
    assert_eq!(resolved.value.routes.len(), 1);
    let once = map(r#""navigation": {"pages": ["a", "b"]}"#, &["a", "b"], "");
    assert_eq!(once.routes.len(), 2);
}

// spec: nav.index accepts
#[test]
fn index_pages_have_the_path_of_their_directory() {
    let site_map = map(
        r#""navigation": {"pages": ["index", "x/index"]}"#,
        &["index", "x/index"],
        "",
    );
    assert_eq!(site_map.routes.keys().collect::<Vec<_>>(), ["/", "/x"]);
    assert_eq!(site_map.redirect("/x/index"), Some(("/x".to_owned(), 308)));
}

// spec: nav.hidden.page accepts
#[test]
fn a_page_outside_of_the_navigation_is_only_available_at_its_path() {
    let site_map = map(r#""navigation": {"pages": ["a"]}"#, &["a", "secret"], "");
    let secret = route(&site_map, "/secret");
    assert!(!secret.in_navigation && !secret.noindex);
    let visibility = secret.visibility;
    assert!(!visibility.sidebar && !visibility.search && !visibility.sitemap && !visibility.llms);
    assert!(route(&site_map, "/a").visibility.search);
}

// spec: nav.hidden.element, nav.hidden, nav.searchable.inherit, nav.searchable accepts
#[test]
fn hidden_elements_are_not_in_menus_and_only_searchable_if_set() {
    let back = "//- /back.mdx\n---\nhidden: false\n---\n";
    let site_map = map(
        r#""navigation": {"groups": [{"group": "G", "pages": ["a"]},
            {"group": "H", "hidden": true, "pages": ["b", "back"]},
            {"group": "I", "hidden": true, "searchable": true, "pages": ["c"]}]}"#,
        &["a", "b", "c"],
        back,
    );
    let visibility = |path| route(&site_map, path).visibility;
    assert!(visibility("/a").sidebar && !visibility("/b").sidebar && !visibility("/c").sidebar);
    assert!(!visibility("/b").search && visibility("/c").search && visibility("/back").search);
    assert!(route(&site_map, "/b").hidden && route(&site_map, "/b").noindex);
    assert!(named(&site_map.tree, "H").hidden && !named(&site_map.tree, "G").hidden);
}

// spec: nav.public.inherit, nav.public, cfg.public accepts
#[test]
fn the_nearest_public_setting_applies() {
    let text = "//- /own.mdx\n---\npublic: true\n---\n";
    let members = r#""public": true, "navigation": {"groups": [{"group": "G", "public": false, "pages": [
            "a", "own", {"group": "H", "public": true, "pages": ["b"]}]}, {"group": "I", "pages": ["c"]}]}"#;
    let made = |audience| site_for(audience, members, &["a", "b", "c"], text);
    let resolved = made(Audience::Trusted);
    assert_eq!(problems(&resolved), ["nav-protected docs.json:1"]);
    let public = |path| route(&resolved.value, path).public;
    assert_eq!(
        (public("/a"), public("/own"), public("/b"), public("/c")),
        (Some(false), Some(true), Some(true), Some(true))
    );
    let open = made(Audience::Everyone);
    assert_eq!(problems(&open), ["nav-protected docs.json:1"]);
    let paths: Vec<&str> = open.value.routes.keys().map(String::as_str).collect();
    assert_eq!(paths, ["/own", "/b", "/c"]);
}

// spec: nav.boost.inherit, nav.boost accepts
#[test]
fn the_nearest_boost_setting_applies() {
    let text = "//- /own.mdx\n---\nboost: 5\n---\n";
    let site_map = map(
        r#""navigation": {"groups": [{"group": "G", "boost": 2, "pages": [
            "a", "own", {"group": "H", "boost": 0.5, "pages": ["b"]}]}, {"group": "I", "pages": ["c"]}]}"#,
        &["a", "b", "c"],
        text,
    );
    let boost = |path| route(&site_map, path).boost;
    assert_eq!(
        (boost("/a"), boost("/own"), boost("/b"), boost("/c")),
        (Some(2.0), Some(5.0), Some(0.5), None)
    );
}

// spec: nav.title, page.sidebar-title accepts
#[test]
fn menus_show_the_short_title_or_else_the_title() {
    let more = "//- /a.mdx\n---\ntitle: A long title\nsidebarTitle: Short\n---\n//- /b.mdx\n---\ntitle: Plain\n---\n";
    let site_map = map(
        r#""navigation": {"pages": ["a", "b", "c-d"]}"#,
        &["c-d"],
        more,
    );
    let names: Vec<&str> = site_map
        .tree
        .iter()
        .map(|node| node.name.as_str())
        .collect();
    assert_eq!(names, ["Short", "Plain", "C d"]);
}

// spec: nav.first-page accepts
#[test]
fn an_element_leads_to_its_first_visible_page() {
    let site_map = map(
        r#""navigation": {"tabs": [{"tab": "T", "groups": [
            {"group": "G", "hidden": true, "pages": ["a"]},
            {"group": "H", "root": "r", "pages": ["b"]}]}, {"tab": "U", "pages": ["c"]}]}"#,
        &["a", "b", "c", "r"],
        "",
    );
    let targets: Vec<Option<&str>> = site_map.tree.iter().map(NavNode::target).collect();
    assert_eq!(targets, [Some("/r"), Some("/c")]);
    assert_eq!(site_map.first_page(), Some("/r"));
}

// spec: nav.neighbours accepts
#[test]
fn previous_and_next_are_inverse_and_in_the_same_division() {
    let site_map = map(
        r#""navigation": {"tabs": [{"tab": "T", "pages": ["a", "b"]}, {"tab": "U", "pages": ["c", "d"]}]}"#,
        &["a", "b", "c", "d"],
        "",
    );
    let path_at = |index: Option<usize>| Some(site_map.routes.get_index(index?)?.0.as_str());
    let neighbors = |path| {
        let route = route(&site_map, path);
        (path_at(route.previous), path_at(route.next))
    };
    assert_eq!(neighbors("/a"), (None, Some("/b")));
    assert_eq!(neighbors("/b"), (Some("/a"), None));
    assert_eq!(neighbors("/c"), (None, Some("/d")));
}

// spec: nav.breadcrumbs accepts
#[test]
fn breadcrumbs_omit_versions_and_languages() {
    let site_map = map(
        r#""navigation": {"languages": [{"language": "en", "versions": [{"version": "v1", "products": [
            {"product": "p", "name": "Product", "tabs": [{"tab": "T", "groups": [
                {"group": "G", "pages": ["a"]}]}]}]}]}]}"#,
        &["a"],
        "",
    );
    let crumbs: Vec<String> = site_map
        .breadcrumbs("/a")
        .into_iter()
        .map(|crumb| crumb.name)
        .collect();
    assert_eq!(crumbs, ["Product", "T", "G"]);
}

// spec: nav.switch.version, nav.switch.language accepts
#[test]
fn another_version_or_language_leads_to_the_same_page_or_the_first_one() {
    let site_map = map(
        r#""navigation": {"languages": [
            {"language": "en", "versions": [{"version": "v2", "pages": ["v2/start", "v2/new"]},
                {"version": "v1", "pages": ["v1/intro", "v1/start"]}]},
            {"language": "es", "pages": ["es/intro", "es/v2/start"]}]}"#,
        &[
            "v2/start",
            "v2/new",
            "v1/intro",
            "v1/start",
            "es/intro",
            "es/v2/start",
        ],
        "",
    );
    let to = |path: &str, key: &str| {
        let levels = site_map.divisions(path).into_iter();
        levels
            .flat_map(|level| level.items)
            .find(|item| item.node.key == key)
            .and_then(|item| item.href)
    };
    assert_eq!(to("/v2/start", "v1").as_deref(), Some("/v1/start"));
    assert_eq!(to("/v2/new", "v1").as_deref(), Some("/v1/intro"));
    assert_eq!(to("/v2/start", "es").as_deref(), Some("/es/v2/start"));
    assert_eq!(to("/v2/new", "es").as_deref(), Some("/es/intro"));
}

// spec: nav.no-page accepts and refuses
#[test]
fn a_site_requires_a_page() {
    let none = site("\"navigation\": {\"pages\": []}", &[], "");
    assert!(none.has(svc_diagnostics::Severity::Fatal));
    assert_eq!(problems(&none)[0].split(' ').next(), Some("nav-no-route"));
    assert_eq!(
        map(r#""navigation": {"pages": ["a"]}"#, &["a"], "")
            .routes
            .len(),
        1
    );
}

// spec: nav.limits accepts and refuses
#[test]
fn the_nesting_depth_is_limited() {
    let nested = |levels: usize| {
        let open = "{\"group\": \"G\", \"pages\": [".repeat(levels);
        format!(
            "\"navigation\": {{\"pages\": [\"a\", {open}\"b\"{}]}}",
            "]}".repeat(levels)
        )
    };
    assert_eq!(map(&nested(20), &["a", "b"], "").entries.len(), 2);
    let resolved = site(&nested(55), &["a", "b"], "");
    assert_eq!(problems(&resolved), ["nav-too-deep docs.json:2"]);
    assert_eq!(lines(&resolved.value), [" /a"]);
}

// spec: nav.redirect.pattern accepts and refuses
#[test]
fn patterns_capture_parameters_of_the_destination() {
    let resolved = site(
        "\"navigation\": {\"pages\": [\"a\"]}, \"redirects\": [
            {\"source\": \"/old/:slug*\", \"destination\": \"/new/:slug*\"},
            {\"source\": \"/user/:id/show\", \"destination\": \"/people/:id\", \"permanent\": false},
            {\"source\": \"/blog/*\", \"destination\": \"https://example.org/\"},
            {\"source\": \"/x?y\", \"destination\": \"/a\"}]",
        &["a"],
        "",
    );
    assert_eq!(
        problems(&resolved),
        ["nav-redirect-never-matches docs.json:6"]
    );
    let to = |path| resolved.value.redirect(path);
    assert_eq!(to("/old/b/c"), Some(("/new/b/c".to_owned(), 308)));
    assert_eq!(to("/user/7/show"), Some(("/people/7".to_owned(), 307)));
    assert_eq!(to("/user/7/edit"), None);
    assert_eq!(
        to("/blog/z"),
        Some(("https://example.org/".to_owned(), 308))
    );
}

// spec: nav.redirect.loop accepts and refuses
#[test]
fn redirect_loops_are_rejected() {
    let members = |end: &str| {
        format!(
            "\"navigation\": {{\"pages\": [\"a\"]}}, \"redirects\": [\n\
             {{\"source\": \"/x\", \"destination\": \"/y\"}},\n\
             {{\"source\": \"/y\", \"destination\": \"{end}\"}}]"
        )
    };
    assert_eq!(
        map(&members("/a"), &["a"], "").redirect("/x"),
        Some(("/y".to_owned(), 308))
    );
    let resolved = site(&members("/x"), &["a"], "");
    let diagnostics = problems(&resolved);
    assert!(
        diagnostics.contains(&"nav-redirect-loop docs.json:3".to_owned()),
        "{diagnostics:?}"
    );
    assert_eq!(resolved.value.redirect("/x"), None);
}

// spec: nav.redirect.page accepts and refuses
#[test]
fn a_page_takes_precedence_over_a_redirect() {
    let resolved = site(
        "\"navigation\": {\"pages\": [\"a\"]}, \"redirects\": [\n{\"source\": \"/a\", \"destination\": \"/b\"}]",
        &["a", "b"],
        "",
    );
    assert_eq!(problems(&resolved), ["nav-redirect-over-page docs.json:3"]);
    assert_eq!(resolved.value.redirect("/a"), None);
}
