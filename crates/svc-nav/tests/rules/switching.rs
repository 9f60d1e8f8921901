//! Divisions: switchers, neighbors, breadcrumbs, layout and sidebars.

use svc_nav::{NavNode, SiteMap};

use crate::rules::test_site::{choice, made, map, node, route};

#[test]
fn the_default_version_and_language_are_first() {
    // spec: nav.rule.5, nav.version.default, nav.language.default accepts
    let versions = |default: &str| {
        let lines = format!(
            r#""navigation": {{"versions": [{{"version": "1", "pages": ["a"]}}, {{"version": "2", {default} "pages": ["b"]}}]}}"#
        );
        let map = map(&lines, "a b", "");
        let chosen = map.default_version().map(str::to_owned);
        (chosen, map.first_page().map(str::to_owned))
    };
    assert_eq!(versions(""), (Some("1".into()), Some("/a".into())));
    assert_eq!(
        versions(r#""default": true,"#),
        (Some("2".into()), Some("/b".into()))
    );
    let map = map(
        r#""navigation": {"products": [{"product": "P", "languages": [{"language": "es", "pages": ["es/a"]}, {"language": "en", "default": true, "versions": [{"version": "9", "pages": ["a"]}]}]}]}"#,
        "a es/a",
        "",
    );
    assert_eq!(
        (map.default_language(), map.default_version()),
        (Some("en"), Some("9"))
    );
    let chain: Vec<&str> = map
        .default_chain()
        .iter()
        .map(|node| node.key.as_str())
        .collect();
    assert_eq!(chain, ["P", "en", "9"]);
    let flags: Vec<bool> = node(&map, "P")
        .children
        .iter()
        .map(|node| node.default)
        .collect();
    assert_eq!(flags, [true, false]);
}

#[test]
fn languages_override_the_layout() {
    // spec: nav.rule.7.banner, nav.rule.7.footer, nav.rule.7.navbar accepts
    let made = made(
        r#""banner": {"content": "all"}, "navbar": {"links": [{"label": "All", "href": "/a"}]}, "footer": {"socials": {"x": "https://x.com/all"}},
        "navigation": {"versions": [{"version": "1", "languages": [{"language": "en", "pages": ["one"]}, {"language": "es", "pages": ["uno"]}]},
          {"version": "2", "languages": [{"language": "en", "pages": ["a"]}, {"language": "es", "pages": ["b"],
            "banner": {"content": "es"}, "navbar": {"links": [{"label": "Es", "href": "/b"}]}, "footer": {"socials": {"x": "https://x.com/es"}}}]}]}"#,
        "one uno a b hidden",
        "",
    );
    let frame = |path: &str| {
        let frame = made.outcome.value.chrome(&made.config, path);
        let label = frame.navbar.links.first().map(|link| link.label.clone());
        (
            frame.banner.map(|banner| banner.content.clone()),
            label,
            frame.footer.clone(),
        )
    };
    for of_all in ["/a", "/one", "/uno", "/hidden"] {
        let (banner, label, footer) = frame(of_all);
        assert_eq!(banner.as_deref(), Some("all"), "{of_all}");
        assert_eq!(
            label.map(|label| format!("{label:?}")),
            frame("/a").1.map(|label| format!("{label:?}"))
        );
        assert_eq!(footer, made.config.footer);
    }
    let (banner, label, footer) = frame("/b");
    assert_eq!(banner.as_deref(), Some("es"));
    assert!(format!("{label:?}").contains("Es"));
    assert!(footer != made.config.footer);
}

#[test]
fn neighbors_are_in_the_same_division() {
    // spec: nav.neighbours accepts
    let map = map(
        r#""navigation": {"tabs": [{"tab": "T", "groups": [{"group": "G", "root": "r", "pages": ["a"]}, {"group": "H", "pages": ["b"]}]}, {"tab": "U", "pages": ["c"]}]}"#,
        "r a b c",
        "",
    );
    let path_at = |index: Option<usize>| Some(map.routes.get_index(index?)?.0.as_str());
    let neighbors = |path: &str| {
        let page = route(&map, path);
        (path_at(page.previous), path_at(page.next))
    };
    assert_eq!(neighbors("/r"), (None, Some("/a")));
    assert_eq!(neighbors("/a"), (Some("/r"), Some("/b")));
    assert_eq!(neighbors("/b"), (Some("/a"), None));
    assert_eq!(neighbors("/c"), (None, None));
}

#[test]
fn breadcrumbs_name_the_elements() {
    // spec: nav.breadcrumbs accepts
    let map = map(
        r#""navigation": {"languages": [{"language": "en", "versions": [{"version": "1", "products": [{"product": "p", "name": "Product", "groups": [{"group": "G", "root": "r", "pages": ["a"]}]}]}]}]}"#,
        "r a",
        "",
    );
    let crumbs = |path: &str| -> Vec<(String, Option<String>)> {
        let crumbs = map.breadcrumbs(path).into_iter();
        crumbs.map(|crumb| (crumb.name, crumb.href)).collect()
    };
    let r = Some("/r".to_owned());
    assert_eq!(
        crumbs("/a"),
        [("Product".into(), r.clone()), ("G".into(), r)]
    );
    assert_eq!(crumbs("/r"), [("Product".into(), None), ("G".into(), None)]);
}

#[test]
fn switching_leads_to_the_matching_page() {
    // spec: nav.switch.version, nav.switch.language accepts
    let map = map(
        r#""navigation": {"products": [
            {"product": "P", "languages": [
              {"language": "en", "versions": [{"version": "v2", "pages": ["p/v2/start", "p/v2/new"]}, {"version": "v1", "pages": ["p/v1/start", "p/v1/old"]}]},
              {"language": "es", "versions": [{"version": "v2", "pages": ["es/p/v2/start"]}, {"version": "v1", "pages": ["es/p/v1/start"]}]}]},
            {"product": "Q", "pages": ["q/v2/start", "q/other"]}, {"product": "L", "href": "https://x.org"}]}"#,
        "p/v2/start p/v2/new p/v1/start p/v1/old es/p/v2/start es/p/v1/start q/v2/start q/other",
        "",
    );
    for (page, key, target) in [
        ("/p/v2/start", "v1", "/p/v1/start"),
        ("/p/v2/new", "v1", "/p/v1/start"),
        ("/p/v1/start", "es", "/es/p/v1/start"),
        // There is no Spanish page, so the first page of the same version is used.
        ("/p/v1/old", "es", "/es/p/v1/start"),
        ("/es/p/v2/start", "en", "/p/v2/start"),
        ("/p/v2/start", "Q", "/q/v2/start"),
        ("/p/v2/start", "L", "https://x.org"),
        ("/q/other", "P", "/p/v2/start"),
    ] {
        assert_eq!(
            choice(&map, page, key).as_deref(),
            Some(target),
            "{page} {key}"
        );
    }
}

#[test]
fn switching_finds_pages_in_other_directories() {
    // spec: nav.switch.version, nav.switch.language accepts
    let map = map(
        r#""navigation": {"languages": [
            {"language": "en", "pages": ["start", "guides/a", "shared"]},
            {"language": "es", "pages": ["es/start", "es/guides/a", "shared", "extra/x"]}]}"#,
        "start guides/a es/start es/guides/a shared extra/x",
        "",
    );
    for (page, key, target) in [
        ("/guides/a", "es", "/es/guides/a"),
        ("/es/guides/a", "en", "/guides/a"),
        ("/shared", "es", "/shared"),
        ("/extra/x", "en", "/start"),
    ] {
        assert_eq!(
            choice(&map, page, key).as_deref(),
            Some(target),
            "{page} {key}"
        );
    }
    let dropdowns = map_of_dropdowns();
    assert_eq!(choice(&dropdowns, "/js/b", "Py").as_deref(), Some("/py/b"));
    assert_eq!(choice(&dropdowns, "/js/c", "Py").as_deref(), Some("/py/a"));
}

#[test]
fn switching_derives_the_directories_from_the_first_pages() {
    // spec: nav.switch.version accepts
    // The name of the version is not a directory, and the shared page prevents a common directory.
    let map = map(
        r#""navigation": {"versions": [
            {"version": "3.0 (rc 1)", "pages": ["start/welcome", "servers/tools", "servers/new", "news"]},
            {"version": "2.14", "pages": ["v2/start/welcome", "v2/servers/tools", "news"]}]}"#,
        "start/welcome servers/tools servers/new news v2/start/welcome v2/servers/tools news",
        "",
    );
    for (page, key, target) in [
        ("/servers/tools", "2.14", "/v2/servers/tools"),
        ("/v2/servers/tools", "3.0 (rc 1)", "/servers/tools"),
        ("/servers/new", "2.14", "/v2/start/welcome"),
        ("/news", "2.14", "/news"),
    ] {
        assert_eq!(
            choice(&map, page, key).as_deref(),
            Some(target),
            "{page} {key}"
        );
    }
}

fn map_of_dropdowns() -> SiteMap {
    map(
        r#""navigation": {"dropdowns": [{"dropdown": "Js", "pages": ["js/a", "js/b", "js/c"]}, {"dropdown": "Py", "pages": ["py/a", "py/b"]}]}"#,
        "js/a js/b js/c py/a py/b",
        "",
    )
}

#[test]
fn tabs_lead_to_their_first_page() {
    let map = map(
        r#""navigation": {"tabs": [{"tab": "T", "pages": ["t/a", "t/b"]}, {"tab": "U", "pages": ["u/a", "u/b"]}, {"tab": "X", "href": "blog"}]}"#,
        "t/a t/b u/a u/b",
        "",
    );
    assert_eq!(choice(&map, "/t/b", "U").as_deref(), Some("/u/a"));
    assert_eq!(choice(&map, "/t/b", "X").as_deref(), Some("/blog"));
}

#[test]
fn links_of_a_division_are_shown_on_its_pages() {
    let map = map(
        r#""navigation": {"global": {"anchors": [{"anchor": "Blog", "href": "https://x.org"}, {"anchor": "Secret", "hidden": true, "href": "/a"}]},
            "tabs": [{"tab": "T", "pages": ["a"], "global": {"anchors": [{"anchor": "Own", "href": "b"}]}}, {"tab": "U", "pages": ["b"]}]}"#,
        "a b",
        "",
    );
    let links = |path: &str| -> Vec<String> {
        map.global_links(path)
            .iter()
            .map(|link| format!("{} {}", link.name, link.href))
            .collect()
    };
    assert_eq!(links("/a"), ["Blog https://x.org", "Own /b"]);
    assert_eq!(links("/b"), ["Blog https://x.org"]);
}

#[test]
fn drilldown_applies_to_groups_without_root_page() {
    for (text, drilldown) in [
        ("", None),
        (r#""interaction": {"drilldown": true},"#, Some(true)),
    ] {
        let map = map(
            &format!(r#"{text} "navigation": {{"groups": [{{"group": "G", "pages": ["a"]}}]}}"#),
            "a",
            "",
        );
        assert_eq!(map.drilldown, drilldown);
        let target = node(&map, "G").title_target(map.drilldown.unwrap_or(false));
        assert_eq!(target, drilldown.map(|_| "/a"));
    }
}

#[test]
fn a_sidebar_contains_only_its_division() {
    let version = |version: usize| {
        let group = |group: usize| {
            let pages: Vec<String> = (0..5)
                .map(|page| format!("\"v{version}/g{group}/p{page}\""))
                .collect();
            format!(r#"{{"group": "G{group}", "pages": [{}]}}"#, pages.join(","))
        };
        let groups: Vec<String> = (0..4).map(group).collect();
        format!(
            r#"{{"version": "v{version}", "groups": [{}]}}"#,
            groups.join(",")
        )
    };
    let versions: Vec<String> = (0..20).map(version).collect();
    let names = (0..20)
        .flat_map(|v| (0..4).flat_map(move |g| (0..5).map(move |p| format!("v{v}/g{g}/p{p} "))));
    let lines = format!(r#""navigation": {{"versions": [{}]}}"#, versions.join(","));
    let map = map(&lines, &names.collect::<String>(), "");
    assert_eq!((map.routes.len(), map.entries.len()), (400, 400));
    for path in map.routes.keys() {
        let nodes: usize = map.sidebar(path).iter().map(NavNode::count).sum();
        // Four groups of five pages.
        assert_eq!(nodes, 24, "{path}");
    }
    let whole: usize = map.tree.iter().map(NavNode::count).sum();
    assert_eq!(whole, 20 * 25);
}

#[test]
fn languages_have_start_pages() {
    let starts = |lines: &str, pages: &str| -> Vec<String> {
        let map = map(lines, pages, "");
        let starts = map.language_starts().into_iter();
        starts
            .map(|(code, path)| format!("{code} {path}"))
            .collect()
    };
    let languages = r#""navigation": {"languages": [{"language": "de", "pages": ["de/index", "de/a"]}, {"language": "en", "default": true, "pages": ["index", "a"]}, {"language": "fr", "pages": ["fr/b"]}, {"language": "it", "href": "https://it.example.com"}, {"language": "es", "hidden": true, "pages": ["es/a"]}]}"#;
    let pages = "index a de/index de/a fr/b es/a";
    assert_eq!(starts(languages, pages), ["en /", "de /de", "fr /fr/b"]);
    // Without a page at `/`, the first page or the target of a redirect is the start page.
    let nested = r#""navigation": {"versions": [{"version": "2", "languages": [{"language": "en", "pages": ["en/a", "en/b"]}, {"language": "de", "pages": ["de/c", "de/b"]}]}, {"version": "1", "pages": ["old"]}]}"#;
    let pages = "en/a en/b de/b de/c old";
    assert_eq!(starts(nested, pages), ["en /en/a", "de /de/c"]);
    let redirect = |to: &str| {
        let redirect = format!(r#""redirects": [{{"source": "/", "destination": "{to}"}}], "#);
        starts(&(redirect + nested), pages)
    };
    assert_eq!(redirect("/de/b"), ["de /de/b", "en /en/b"]);
    assert!(redirect("/old").is_empty());
    assert!(redirect("https://example.com").is_empty());
    // A start page outside of the navigation is in the default language.
    let outside = r#""navigation": {"languages": [{"language": "en", "pages": ["en/a"]}, {"language": "de", "pages": ["de/a"]}, {"language": "fr", "pages": ["fr/a"]}]}"#;
    let pages = "index de/index en/a de/a fr/a";
    assert_eq!(starts(outside, pages), ["en /", "de /de"]);
    assert!(starts(outside, "index en/a de/a fr/a").is_empty());
    assert!(starts(r#""navigation": {"pages": ["a"]}"#, "a").is_empty());
}
