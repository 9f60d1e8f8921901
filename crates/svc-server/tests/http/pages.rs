//! Pages, their URLs and their representations.

use std::io::Read as _;

use svc_server::Limits;

use crate::http::rig::{CONFIG, TestResponse, start, start_config, start_files, start_with};

#[test]
fn a_page_has_its_headers() {
    let server = start();
    let page = server.get("/guides/start");
    assert_eq!(page.status, 200);
    assert!(page.text().contains("Do it."));
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    assert_eq!(
        page.header("content-length"),
        Some(&*page.body.len().to_string())
    );
    assert!(page.header("referrer-policy").is_some() && page.header("date").is_some());
    assert!(page.header("vary").unwrap().contains("Accept-Encoding"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.contains("default-src 'self'") && policy.contains("script-src 'self';"),
        "{policy}"
    );
    let site = server.site.page("/guides/start").unwrap();
    assert_eq!(page.body, &site.html.bytes[..]);
}

#[test]
fn a_page_names_the_files_for_discovery() {
    let server = start();
    let page = server.get("/guides/start");
    assert_eq!(page.header("x-llms-txt"), Some("/llms.txt"));
    assert_eq!(
        page.header("link"),
        Some(
            "</llms.txt>; rel=\"llms-txt\", </llms-full.txt>; rel=\"llms-full-txt\", </.well-known/mcp/server-card.json>; rel=\"mcp-server-card\"; type=\"application/json\", </.well-known/agent-skills/index.json>; rel=\"agent-skills\"; type=\"application/json\", </guides/start.md>; rel=\"alternate\"; type=\"text/markdown\""
        )
    );
    let index = server.get("/.well-known/agent-skills/index.json");
    assert_eq!(index.header("content-type"), Some("application/json"));
    assert_eq!(index.header("access-control-allow-origin"), Some("*"));
    let index: serde_json::Value = serde_json::from_slice(&index.body).unwrap();
    let url = index["skills"][0]["url"].as_str().unwrap();
    let path = url.strip_prefix("http://localhost").unwrap();
    let skill = server.get(path);
    assert_eq!(
        skill.header("content-type"),
        Some("text/markdown; charset=utf-8")
    );
    assert_eq!(server.get("/skill.md").body, skill.body);
    // No API is documented, and the sitemap is one file.
    for missing in ["/.well-known/api-catalog", "/sitemap-1.xml"] {
        assert_eq!(server.get(missing).status, 404, "{missing}");
    }
}

#[test]
fn the_api_catalog_names_itself_also_in_responses_to_head() {
    let config = CONFIG.replace(
        "\"redirects\"",
        "\"api\": {\"openapi\": \"api.json\"}, \"redirects\"",
    );
    let api = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/x": {"get": {"summary": "X"}}}}"#;
    let files = [
        ("docs.json", &*config),
        ("index.mdx", ""),
        ("guides/start.mdx", ""),
        ("guides/index.mdx", ""),
        ("api.json", api),
    ];
    let server = start_files(&files, &svc_site::LoadOptions::default());
    for method in ["GET", "HEAD"] {
        let catalog = server.request(method, "/.well-known/api-catalog", "");
        assert_eq!(catalog.status, 200);
        assert_eq!(
            catalog.header("content-type"),
            Some("application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"")
        );
        assert_eq!(
            catalog.header("link"),
            Some("</.well-known/api-catalog>; rel=\"api-catalog\"")
        );
    }
    let catalog = server.get("/.well-known/api-catalog").text();
    assert!(
        catalog.contains("\"http://localhost/api.json\""),
        "{catalog}"
    );
    let page = server.get("/");
    assert!(page.header("link").unwrap().contains("rel=\"api-catalog\""));
}

#[test]
fn a_site_that_excludes_itself_from_search_engines_has_no_lists_of_pages() {
    let config = CONFIG.replace(
        "\"redirects\"",
        "\"seo\": {\"metatags\": {\"robots\": \"noindex\"}}, \"redirects\"",
    );
    let server = start_config(Limits::default(), "", &config);
    assert_eq!(
        server.get("/robots.txt").text(),
        "User-agent: *\nDisallow: /\n"
    );
    assert!(!server.get("/sitemap.xml").text().contains("<url>"));
    for missing in ["/llms.txt", "/llms-full.txt", "/.well-known/llms.txt"] {
        assert_eq!(server.get(missing).status, 404, "{missing}");
    }
    let page = server.get("/guides/start");
    assert!(page.header("x-llms-txt").is_none());
    assert!(!page.header("link").unwrap().contains("llms"));
}

#[test]
fn h09_a_matching_etag_gets_304() {
    let server = start();
    for path in [
        "/",
        "/picture.png",
        "/drawing.svg",
        "/guides/start.md",
        "/llms.txt",
    ] {
        let first = server.get(path);
        let tag = first
            .header("etag")
            .unwrap_or_else(|| panic!("{path} has a tag"))
            .to_owned();
        for list in [
            tag.clone(),
            format!("W/{tag}"),
            format!("\"x\", {tag}"),
            "*".to_owned(),
        ] {
            let unchanged = server.request("GET", path, &format!("If-None-Match: {list}\r\n"));
            assert_eq!(
                (unchanged.status, unchanged.body.len()),
                (304, 0),
                "{path} {list}"
            );
            assert_eq!(unchanged.header("etag"), Some(&*tag));
        }
        assert_eq!(
            server
                .request("GET", path, "If-None-Match: \"other\"\r\n")
                .status,
            200
        );
        assert_eq!(
            server
                .request("GET", path, "If-Match: \"other\"\r\n")
                .status,
            412
        );
    }
    let file = server.get("/picture.png");
    let since = format!(
        "If-Modified-Since: {}\r\n",
        file.header("last-modified").unwrap()
    );
    assert_eq!(server.request("GET", "/picture.png", &since).status, 304);
}

#[test]
fn h09_head_has_the_headers_of_get_without_a_body() {
    let server = start();
    let paths = [
        "/",
        "/guides/start",
        "/picture.png",
        "/large.png",
        "/nowhere",
        "/old",
        "/sitemap.xml",
    ];
    for path in paths {
        let (get, head) = (server.get(path), server.request("HEAD", path, ""));
        assert!(head.body.is_empty(), "{path}");
        let lines = |response: &TestResponse| {
            let lines = response
                .head
                .lines()
                .map(str::to_ascii_lowercase)
                .filter(|line| !line.starts_with("date:"))
                // Each request has an ID, which is sent while a test reads the access log.
                .filter(|line| !line.starts_with("x-request-id:"));
            lines.collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(lines(&get), lines(&head), "{path}");
    }
}

#[test]
fn h10_pages_use_the_preferred_content_coding() {
    let server = start();
    let plain = server.get("/");
    let gzip = server.request("GET", "/", "Accept-Encoding: gzip\r\n");
    assert_eq!(gzip.header("content-encoding"), Some("gzip"));
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(&gzip.body[..])
        .read_to_end(&mut text)
        .unwrap();
    assert_eq!(text, plain.body);
    assert!(gzip.body.len() < plain.body.len());
    let brotli = server.request("GET", "/", "Accept-Encoding: gzip, br\r\n");
    assert_eq!(brotli.header("content-encoding"), Some("br"));
    let tags: std::collections::BTreeSet<_> = [&plain, &gzip, &brotli]
        .map(|response| response.header("etag").unwrap().to_owned())
        .into();
    assert_eq!(tags.len(), 3);
    assert_eq!(
        server
            .request("GET", "/", "Accept-Encoding: br;q=0\r\n")
            .header("content-encoding"),
        None
    );
}

#[test]
fn paths_redirect_to_the_canonical_form() {
    let server = start();
    for (path, status, location) in [
        ("/guides/start/", 308, "/guides/start"),
        ("/guides/start/?a=b", 308, "/guides/start?a=b"),
        ("//guides//start", 308, "/guides/start"),
        ("/guides/index", 308, "/guides"),
        ("/index", 308, "/"),
        ("/old", 308, "/guides/start"),
        ("/old?a=b", 308, "/guides/start?a=b"),
        ("/soon", 307, "/"),
    ] {
        let response = server.get(path);
        assert_eq!(
            (response.status, response.header("location")),
            (status, Some(location)),
            "{path}"
        );
    }
    assert_eq!(server.get("/guides/%73tart").status, 200);
    for path in [
        "//evil.example/",
        "/%2f%2fevil.example/",
        "/\\evil.example/",
        "//evil.example/%2e%2e",
    ] {
        let response = server.get(path);
        let location = response.header("location").unwrap_or("/");
        assert!(
            location.starts_with('/') && !location.starts_with("//"),
            "{path} {location}"
        );
    }
}

#[test]
fn a_site_with_trailing_slashes_accepts_both_forms() {
    let config = CONFIG.replacen('{', r#"{"seo": {"trailingSlash": true}, "#, 1);
    let server = start_config(Limits::default(), "", &config);
    for path in ["/guides/start/", "/guides/start", "/guides/"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    let stray = server.get("/picture.png/");
    assert_eq!(
        (stray.status, stray.header("location")),
        (308, Some("/picture.png"))
    );
    assert_eq!(server.get("/guides//start/").status, 308);
}

#[test]
fn the_base_path_prefixes_all_urls() {
    let server = start_with(Limits::default(), "/docs");
    assert_eq!(server.get("/docs/guides/start").status, 200);
    assert_eq!(server.get("/docs").status, 200);
    assert_eq!(server.get("/guides/start").status, 404);
    assert_eq!(server.get("/docsguides/start").status, 404);
    assert_eq!(
        server.get("/docs/old").header("location"),
        Some("/docs/guides/start")
    );
    assert_eq!(
        server.get("/docs/guides/start/").header("location"),
        Some("/docs/guides/start")
    );
    for health in ["/_svc/health", "/docs/_svc/health"] {
        assert_eq!(server.get(health).status, 200, "{health}");
    }
    let root = server.get("/?from=a");
    let to = root.header("location");
    assert_eq!((root.status, to), (307, Some("/docs/?from=a")));
}

#[test]
fn a_missing_page_is_a_page_with_suggestions() {
    let server = start();
    let response = server.get("/guides/strat");
    assert_eq!(response.status, 404);
    assert!(
        response.text().contains("/guides/start"),
        "{}",
        response.text()
    );
    let response = server.get("/<script>alert(1)</script>");
    assert!(!response.text().contains("<script>alert"));
}

#[test]
fn markdown_is_sent_on_request() {
    let server = start();
    for response in [
        server.get("/guides/start.md"),
        server.request(
            "GET",
            "/guides/start",
            "Accept: text/markdown, text/html;q=0.5\r\n",
        ),
    ] {
        assert_eq!(response.status, 200);
        assert_eq!(
            response.header("content-type"),
            Some("text/markdown; charset=utf-8")
        );
        assert!(response.text().contains("# Start"));
    }
    let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
    let page = server.request("GET", "/guides/start", browser);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
}

#[test]
fn a_missing_path_gets_suggestions() {
    let server = start();
    let near = server.get("/old/start");
    assert_eq!(near.status, 404);
    assert!(near.text().contains("href=\"/guides/start\">Start</a>"));
    assert!(near.text().ends_with("</html>"));
    let length: usize = near.header("content-length").unwrap().parse().unwrap();
    assert_eq!(length, near.body.len());
    // One is shared by all others, compressed.
    let others = ["/x/y/z", "/nothing-like-it"].map(|path| {
        let response = server.request("GET", path, "Accept-Encoding: gzip\r\n");
        assert_eq!(response.status, 404);
        assert_eq!(response.header("content-encoding"), Some("gzip"));
        response.body
    });
    assert_eq!(others[0], others[1]);
    let head = server.request("HEAD", "/old/start", "");
    assert_eq!((head.status, head.body.len()), (404, 0));
}
