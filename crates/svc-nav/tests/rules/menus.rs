//! Groups, titles, listings and hidden elements.

use svc_config::Directory;
use svc_nav::{Audience, NodeKind};

use crate::rules::test_site::{choice, hrefs, made_for, map, node, refused, route};

#[test]
fn pages_and_groups_mix_in_order() {
    // spec: nav.rule.1 accepts
    let map = map(
        r#""navigation": {"groups": [{"group": "G", "pages": ["a", {"group": "H", "pages": ["b", {"group": "I", "pages": ["c"]}]}, "d"]}]}"#,
        "a b c d",
        "",
    );
    assert_eq!(
        hrefs(&map),
        [
            "group:G /a",
            "group:G group:H /b",
            "group:G group:H group:I /c",
            "group:G /d"
        ]
    );
    let group = node(&map, "G");
    assert_eq!(group.children[0].kind, NodeKind::Page);
    assert!(group.children[1].element().is_some());
}

#[test]
fn a_missing_entry_in_a_mixed_list_is_reported_at_its_location() {
    // spec: nav.rule.1, nav.missing-page refuses
    let map = refused(
        "\"navigation\": {\"groups\": [{\"group\": \"G\", \"pages\": [\"a\",\n  {\"group\": \"H\", \"pages\": [\"b\",\n    \"bb/start\"]}]}]}",
        "a b bb/starts",
        "",
        [
            "nav-missing-page",
            "docs.json:5:5",
            "/navigation/groups/0/pages/1/pages/1",
            "did you mean `bb/starts`?",
        ],
    );
    assert_eq!(hrefs(&map), ["group:G /a", "group:G group:H /b"]);
}

#[test]
fn the_title_of_a_group_leads_to_its_root_page() {
    // spec: nav.rule.2, nav.first-page accepts
    let map = map(
        r#""navigation": {"tabs": [{"tab": "T", "groups": [{"group": "G", "root": "r", "pages": ["a", {"group": "H", "root": "s", "pages": ["b"]}]}]}]}"#,
        "r s a b",
        "",
    );
    for drilldown in [false, true] {
        assert_eq!(node(&map, "G").title_target(drilldown), Some("/r"));
        assert_eq!(node(&map, "H").title_target(drilldown), Some("/s"));
    }
    assert_eq!(node(&map, "T").target(), Some("/r"));
    assert_eq!(route(&map, "/s").root_of, Some(node(&map, "H").id));
    assert_eq!(hrefs(&map)[0], "tab:T group:G /r root");
}

#[test]
fn a_root_page_without_file_is_reported() {
    // spec: nav.rule.2 refuses
    let map = refused(
        "\"navigation\": {\"groups\": [\n {\"group\": \"G\", \"root\": \"over/view\", \"pages\": [\"a\"]}]}",
        "a overview over/vie",
        "",
        [
            "nav-missing-page",
            "docs.json:4:25",
            "/navigation/groups/0/root",
            "did you mean `over/vie`?",
        ],
    );
    let group = node(&map, "G");
    assert_eq!(
        (group.route.as_deref(), group.first.as_deref()),
        (None, Some("/a"))
    );
    assert_eq!(group.title_target(false), None);
    assert_eq!(group.title_target(true), Some("/a"));
}

#[test]
fn listing_styles_are_inherited() {
    // spec: nav.rule.3.inherit, nav.rule.3.root accepts
    let map = map(
        r#""navigation": {"directory": "card", "tabs": [
            {"tab": "T", "directory": "accordion", "groups": [{"group": "G", "root": "g", "pages": ["a", {"group": "H", "root": "h", "pages": ["b"]}]},
                {"group": "I", "directory": "none", "root": "i", "pages": ["c"]}]},
            {"tab": "U", "groups": [{"group": "J", "root": "j", "pages": ["d"]}, {"group": "K", "pages": ["e"]}]}]}"#,
        "g h i j a b c d e",
        "",
    );
    let listed = |path: &str| {
        map.directory(path)
            .map(|(style, nodes)| (style, nodes.len()))
    };
    assert_eq!(listed("/g"), Some((Directory::Accordion, 2)));
    assert_eq!(listed("/h"), Some((Directory::Accordion, 1)));
    assert_eq!(listed("/j"), Some((Directory::Card, 1)));
    for none in ["/i", "/a", "/e"] {
        assert_eq!(listed(none), None, "{none}");
    }
    assert_eq!(node(&map, "K").directory, Directory::Card);
}

#[test]
fn expanded_applies_to_nested_groups_only() {
    // spec: nav.rule.4, nav.rule.4.top accepts
    let map = map(
        r#""navigation": {"tabs": [{"tab": "T", "groups": [{"group": "Top", "expanded": false, "pages": ["a",
            {"group": "Open", "expanded": true, "pages": ["b"]}, {"group": "Closed", "pages": ["c"]},
            {"group": "Shut", "expanded": false, "pages": ["d"]}]}]}]}"#,
        "a b c d",
        "",
    );
    let open = ["Top", "Open", "Closed", "Shut"].map(|name| node(&map, name).expanded);
    assert_eq!(open, [true, true, false, false]);
}

#[test]
fn hidden_elements_are_not_in_menus() {
    // spec: nav.hidden.element, nav.searchable.inherit accepts
    let more = "//- /back.mdx\n---\nhidden: false\n---\n//- /self.mdx\n---\nhidden: true\n---\n";
    let map = map(
        r#""navigation": {"tabs": [{"tab": "T", "pages": ["a", "self"]},
            {"tab": "H", "hidden": true, "groups": [{"group": "G", "pages": ["b", "back"]}]},
            {"tab": "S", "hidden": true, "searchable": true, "groups": [{"group": "I", "pages": ["c"]}]}]}"#,
        "a b c",
        more,
    );
    let flags = |path: &str| {
        let page = route(&map, path);
        (
            page.hidden,
            page.noindex,
            page.visibility.search,
            page.visibility.sitemap,
        )
    };
    assert_eq!(flags("/a"), (false, false, true, true));
    assert_eq!(flags("/self"), (true, true, false, false));
    assert_eq!(flags("/b"), (true, true, false, false));
    assert_eq!(flags("/back"), (true, false, true, true));
    assert_eq!(flags("/c"), (true, false, true, true));
    let shown: Vec<bool> = map.tree.iter().map(|node| node.hidden).collect();
    assert_eq!(shown, [false, true, true]);
    assert_eq!(choice(&map, "/a", "H"), None);
}

#[test]
fn the_nearest_setting_applies() {
    // spec: nav.public.inherit, nav.boost.inherit accepts
    let more = "//- /own.mdx\n---\npublic: false\nboost: 9\ngroups: [staff]\n---\n";
    let made = made_for(
        Audience::Trusted,
        r#""public": false, "navigation": {"tabs": [{"tab": "T", "public": true, "boost": 2, "groups": [{"group": "G", "pages": ["a", "own"]},
            {"group": "H", "public": false, "boost": 3, "pages": ["b"]}]}, {"tab": "U", "pages": ["c"]}]}"#,
        "a b c",
        more,
    );
    let map = made.outcome.value;
    let of = |path: &str| {
        let page = route(&map, path);
        (page.public, page.protected, page.boost)
    };
    assert_eq!(of("/a"), (Some(true), false, Some(2.0)));
    assert_eq!(of("/own"), (Some(false), true, Some(9.0)));
    assert_eq!(of("/b"), (Some(false), true, Some(3.0)));
    assert_eq!(of("/c"), (Some(false), true, None));
    assert_eq!(
        route(&map, "/own").groups.as_deref(),
        Some(&["staff".to_owned()][..])
    );
    assert_eq!(
        (node(&map, "G").boost, node(&map, "H").public),
        (Some(2.0), Some(false))
    );
}

#[test]
fn menus_show_the_short_title() {
    // spec: nav.title accepts
    let more = "//- /a.mdx\n---\ntitle: A long title\nsidebarTitle: Short\nicon: book\ntag: new\n---\n//- /b.mdx\n---\ntitle: Plain\n---\n";
    let map = map(
        r#""navigation": {"pages": ["a", "b", "my-page"]}"#,
        "my-page",
        more,
    );
    let names: Vec<&str> = map.tree.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["Short", "Plain", "My page"]);
    assert_eq!(route(&map, "/a").title, "A long title");
    assert!(map.tree[0].icon.is_some());
    assert_eq!(map.tree[0].tag.as_deref(), Some("new"));
}
