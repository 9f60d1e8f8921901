//! Protected pages, which a map for everyone does not contain.

use svc_nav::{Audience, NavNode, SiteMap};

use crate::rules::test_site::{hrefs, made, made_for, route};

const SECRET: &str = r#"//- /secret.json
{"openapi": "3.1.0", "info": {"title": "S", "version": "1"}, "paths": {
  "/staff": {"get": {"summary": "Staff", "x-svc": {"groups": ["staff"], "content": [5]}, "responses": {}}},
  "/free": {"get": {"summary": "Free", "responses": {}}}}}
"#;

fn names(nodes: &[NavNode], out: &mut Vec<String>) {
    for node in nodes {
        out.push(node.name.clone());
        names(&node.children, out);
    }
}

fn paths(map: &SiteMap) -> Vec<&str> {
    map.routes.keys().map(String::as_str).collect()
}

#[test]
fn protected_pages_are_in_no_part_of_the_map() {
    // spec: nav.public.inherit accepts
    let lines = r#""navigation": {"groups": [
        {"group": "Open", "pages": ["a", "groups", "closed", "b"]},
        {"group": "Inner circle", "public": false, "root": "root", "pages": ["inner", {"group": "Deep", "public": true, "pages": ["deep"]}]},
        {"group": "Vault", "public": false, "pages": ["vault"]}]},
        "redirects": [{"source": "/old", "destination": "/closed#x"}, {"source": "/closed", "destination": "/a"},
            {"source": "/go", "destination": "/b"}]"#;
    let more = "//- /groups.mdx\n---\ngroups: [staff]\n---\n//- /closed.mdx\n---\npublic: nobody\n---\n\
        //- /hidden.mdx\n---\ngroups: staff\n---\n//- /broken.mdx\n---\ntitle: [\ngroups: staff\n---\n\
        //- /unclosed.mdx\n---\ntitle: A\ngroups: staff\n";
    let files = "a b root inner deep vault";
    let made = made(lines, files, more);
    let map = made.outcome.value;
    assert_eq!(paths(&map), ["/a", "/b", "/deep"]);
    assert_eq!(route(&map, "/a").next, map.routes.get_index_of("/b"));
    let mut node_names = Vec::new();
    names(&map.tree, &mut node_names);
    assert_eq!(
        node_names,
        ["Open", "A", "B", "Inner circle", "Deep", "Deep"]
    );
    assert_eq!(
        hrefs(&map),
        [
            "group:Open /a",
            "group:Open /b",
            "group:Inner circle group:Deep /deep"
        ]
    );
    for removed in ["/old", "/closed"] {
        assert_eq!(map.redirect(removed), None, "{removed}");
    }
    assert_eq!(map.redirect("/go"), Some(("/b".to_owned(), 308)));

    let warnings = made.outcome.diagnostics.iter();
    let warning = warnings.filter(|diagnostic| diagnostic.code.id == "nav-protected");
    let text: Vec<&str> = warning
        .map(|diagnostic| diagnostic.message.as_str())
        .collect();
    assert_eq!(
        text,
        [
            "8 pages are only for readers who sign in: `/groups`, `/closed`, `/root`, `/inner`, `/vault` and 3 more"
        ]
    );

    let all = made_for(Audience::Trusted, lines, files, more)
        .outcome
        .value;
    assert_eq!(all.routes.len(), 11);
    assert!(route(&all, "/vault").protected && !route(&all, "/deep").protected);
}

#[test]
fn a_site_can_protect_all_its_pages() {
    let pages = r#""navigation": {"pages": ["a", "open"]}"#;
    let more = "//- /open.mdx\n---\npublic: true\n---\n";
    for setting in [
        r#""public": false"#,
        r#""public": "false""#,
        r#""auth": {"method": "oauth"}"#,
        r#""userAuth": {}"#,
    ] {
        let made = made(&format!("{setting}, {pages}"), "a", more);
        assert_eq!(paths(&made.outcome.value), ["/open"], "{setting}");
    }
    let open = made(
        &format!(r#""auth": {{}}, "public": true, {pages}"#),
        "a",
        more,
    );
    assert_eq!(paths(&open.outcome.value), ["/a", "/open"]);
    let closed = made(
        r#""public": false, "navigation": {"pages": ["a"]}"#,
        "a",
        "",
    );
    assert!(closed.outcome.value.routes.is_empty());
    assert!(
        !closed
            .outcome
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code.id == "nav-no-route")
    );
}

#[test]
fn protected_operations_are_removed_and_their_document_is_not_offered() {
    let lines = r#""navigation": {"groups": [{"group": "G", "openapi": "secret.json"}, {"group": "H", "openapi": "api.json"}]}"#;
    let more = format!("{SECRET}{}", crate::rules::test_site::SPEC);
    let map = made(lines, "", &more).outcome.value;
    assert!(
        map.route("/api-reference/free").is_some(),
        "{:?}",
        paths(&map)
    );
    assert!(map.route("/api-reference/staff").is_none());
    assert_eq!(
        map.documents.len(),
        1,
        "only the one where nothing is protected"
    );
    let lines = r#""navigation": {"pages": ["page"]}"#;
    let more = format!("{more}//- /page.mdx\n---\nopenapi: GET /staff\n---\n");
    assert!(made(lines, "", &more).outcome.value.routes.is_empty());
}
