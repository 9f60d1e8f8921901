//! Protected pages, and files that are served.

use svc_site::{LoadOptions, SiteOptions};

use crate::http::rig::start_files;

const API: &str = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /secret-operation:\n    get: {summary: Secret operation CANARY, x-svc: {groups: [staff]}, responses: {}}\n  /open:\n    get: {summary: Open operation, responses: {}}\n";

const FILES: &[(&str, &str)] = &[
    (
        "docs.json",
        r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, "seo": {"indexing": "all"},
          "contextual": {"options": ["copy", "download-spec"]},
          "redirects": [{"source": "/old", "destination": "/group"}],
          "navigation": {"groups": [
            {"group": "Open", "pages": ["index", "group", "next"]},
            {"group": "CANARY group", "public": false, "pages": ["inner"]},
            {"group": "API", "openapi": "api.yaml"}]}}"##,
    ),
    ("api.yaml", API),
    ("index.mdx", "---\ntitle: Home\n---\n\nWelcome.\n"),
    (
        "group.mdx",
        "---\ntitle: CANARY title\ngroups: [admin]\n---\n\nCANARY text.\n\n<Update label=\"CANARY\">x</Update>\n",
    ),
    ("next.mdx", "---\ntitle: Next\n---\n\nNext.\n"),
    (
        "inner.mdx",
        "---\ntitle: CANARY inner\n---\n\nCANARY text.\n",
    ),
    (
        "hidden.mdx",
        "---\ntitle: CANARY hidden\npublic: false\n---\n\nCANARY text.\n",
    ),
];

#[test]
fn no_output_contains_protected_pages() {
    let server = start_files(FILES, &LoadOptions::default());
    for gone in [
        "/group",
        "/group.md",
        "/group/rss.xml",
        "/inner",
        "/inner.md",
        "/hidden",
        "/hidden.md",
        "/old",
        "/api-reference/secret-operation-canary",
        "/api-reference/secret-operation-canary.md",
        "/_svc/api/api-reference/secret-operation-canary/call.json",
        "/api.yaml",
        "/api-specs.zip",
    ] {
        let response = server.get(gone);
        assert_eq!(response.status, 404, "{gone}");
        assert!(
            !response.text().contains("CANARY"),
            "{gone}: {}",
            response.text()
        );
    }
    for open in [
        "/",
        "/index.md",
        "/next",
        "/api-reference/open-operation",
        "/sitemap.xml",
        "/llms.txt",
        "/llms-full.txt",
        "/_svc/search?q=canary",
        "/_svc/search?q=inner",
        "/search?q=canary+group",
        "/robots.txt",
        "/grup",
        "/_svc/health",
    ] {
        let text = server.get(open).text();
        assert!(
            !text.contains("CANARY") && !text.contains("/inner") && !text.contains("\"/group"),
            "{open}: {text}"
        );
        assert!(!text.contains("api.yaml"), "{open}");
    }
    assert!(
        server.get("/").text().contains("/next"),
        "the pager passes over the page"
    );
}

#[test]
fn an_operator_can_serve_protected_pages() {
    let load = LoadOptions::from(SiteOptions {
        audience: svc_site::Audience::Trusted,
        ..SiteOptions::default()
    });
    let server = start_files(FILES, &load);
    for path in [
        "/group",
        "/group.md",
        "/inner",
        "/api.yaml",
        "/api-reference/secret-operation-canary",
    ] {
        let response = server.get(path);
        assert_eq!(response.status, 200, "{path}");
        assert!(response.text().contains("CANARY"), "{path}");
    }
    assert!(!server.get("/group").text().contains("data-svc-protected"));
    let dev = LoadOptions::from(SiteOptions {
        dev: true,
        ..SiteOptions::default()
    });
    let server = start_files(FILES, &dev);
    assert!(server.get("/group").text().contains("data-svc-protected"));
    assert!(!server.get("/next").text().contains("data-svc-protected"));
}

#[test]
fn a_fully_protected_site_explains_why_it_shows_no_pages() {
    let mut files = vec![
        (
            "docs.json",
            r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, "public": false, "errors": {"404": {"redirect": true}},
              "navigation": {"pages": ["a"]}}"##,
        ),
        ("a.mdx", "CANARY ![p](/p.png)"),
        ("p.png", "CANARY"),
        ("style.css", "b { color: red }"),
    ];
    let server = start_files(&files, &LoadOptions::default());
    for path in ["/", "/a", "/other"] {
        let response = server.get(path);
        assert_eq!(response.status, 403, "{path}");
        assert!(
            response.text().contains("--serve-protected") && !response.text().contains("CANARY")
        );
    }
    assert_eq!(server.get("/style.css").status, 200);
    assert_ne!(
        server.get("/p.png").status,
        200,
        "a picture of a protected page"
    );
    files.push(("b.mdx", "---\npublic: true\n---\n![p](p.png)"));
    let server = start_files(&files, &LoadOptions::default());
    assert_eq!(
        (server.get("/b").status, server.get("/p.png").status),
        (200, 200)
    );
}

#[test]
fn dirs_and_link_pages_redirect() {
    let files = [
        (
            "docs.json",
            r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
              "redirects": [{"source": "/gone", "destination": "/cli"}, {"source": "/old/*", "destination": "/cli/*"}],
              "navigation": {"pages": ["index", "out", "cli/more/b", "cli/a"]}}"##,
        ),
        ("index.mdx", "[a](/cli) [b](/cli/more) [c](/out)"),
        ("out.mdx", "---\nurl: https://example.com/x\n---\n"),
        ("cli/a.mdx", "a"),
        ("cli/more/b.mdx", "b"),
        ("gone.mdx", "forgotten"),
        ("old/a.mdx", "forgotten"),
        ("old/unknown.mdx", "still there"),
    ];
    let server = start_files(&files, &LoadOptions::default());
    let to = |path: &str| {
        let response = server.get(path);
        (
            response.status,
            response.header("location").unwrap_or_default().to_owned(),
        )
    };
    assert_eq!(to("/cli"), (307, "/cli/more/b".to_owned()));
    assert_eq!(to("/cli/more"), (307, "/cli/more/b".to_owned()));
    assert_eq!(to("/out"), (307, "https://example.com/x".to_owned()));
    assert_eq!(to("/out.md"), (307, "https://example.com/x".to_owned()));
    // Pages outside of the navigation are hidden by a redirect with a target.
    assert_eq!(to("/gone"), (308, "/cli".to_owned()));
    assert_eq!(to("/old/a"), (308, "/cli/a".to_owned()));
    assert_eq!(to("/old/unknown").0, 200);
    for list in ["/sitemap.xml", "/llms.txt"] {
        assert!(!server.get(list).text().contains("/out"), "{list}");
    }
    let problems: Vec<_> = server.site.problems("/");
    assert!(problems.is_empty(), "{problems:?}");
}
