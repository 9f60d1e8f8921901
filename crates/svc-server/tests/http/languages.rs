//! The start page in the language of the reader.

use svc_site::{LoadOptions, SiteOptions};

use crate::http::rig::{TestResponse, TestServer, start_files};

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, I18N
  "navigation": {"languages": [
    {"language": "en", "pages": ["index", "a"]},
    {"language": "de", "pages": ["de/index", "de/a"]},
    {"language": "zh-Hant", "pages": ["tw/start"]}]}}"##;

fn start_at(base_path: &str, i18n: &str) -> TestServer {
    let config = CONFIG.replace("I18N", i18n);
    let files = [
        ("docs.json", &*config),
        ("index.mdx", "Hello."),
        ("a.mdx", "A."),
        ("de/index.mdx", "Hallo."),
        ("de/a.mdx", "Ein A."),
        ("tw/start.mdx", "你好."),
    ];
    let load = LoadOptions::from(SiteOptions {
        base_path: base_path.to_owned(),
        ..SiteOptions::default()
    });
    start_files(&files, &load)
}

fn request(server: &TestServer, line: &str, headers: &str) -> TestResponse {
    let head = format!("{line} HTTP/1.1\r\nHost: docs.example.com\r\nConnection: close\r\n");
    server.response(format!("{head}{headers}\r\n").as_bytes())
}

/// Where a request leads: the location of a redirect, or the status.
fn lead(server: &TestServer, line: &str, headers: &str) -> String {
    let response = request(server, line, headers);
    let location = response.header("location").map(str::to_owned);
    match response.status {
        302 => location.unwrap(),
        status => status.to_string(),
    }
}

#[test]
fn the_start_page_is_in_the_preferred_language() {
    let server = start_at("", "");
    for (headers, expected) in [
        ("", "200"),
        ("Accept-Language: de\r\n", "/de"),
        ("Accept-Language: de-CH, de;q=0.9, en;q=0.8\r\n", "/de"),
        ("Accept-Language: en;q=0.5, de;q=0.6\r\n", "/de"),
        ("Accept-Language: zh-TW,zh;q=0.9\r\n", "/tw/start"),
        ("Accept-Language: en-GB, de\r\n", "200"),
        ("Accept-Language: fr, *\r\n", "200"),
        ("Accept-Language: de;q=0, fr\r\n", "200"),
        ("Accept-Language: ;;q=x,,-,_\r\n", "200"),
        // A selected language wins.
        (
            "Accept-Language: de\r\nCookie: a=b; svc_language=en\r\n",
            "200",
        ),
        ("Accept-Language: en\r\nCookie: svc_language=de\r\n", "/de"),
        ("Cookie: svc_language=zh-Hant\r\n", "/tw/start"),
        (
            "Accept-Language: de\r\nCookie: svc_language=//evil.example\r\n",
            "/de",
        ),
        // Links of the site lead where they say, also in browsers without scripts.
        (
            "Accept-Language: de\r\nReferer: http://docs.example.com/de\r\n",
            "200",
        ),
        (
            "Accept-Language: de\r\nReferer: http://docs.example.com.evil.test/\r\n",
            "/de",
        ),
        (
            "Accept-Language: de\r\nReferer: https://search.example/\r\n",
            "/de",
        ),
    ] {
        for method in ["GET", "HEAD"] {
            assert_eq!(
                lead(&server, &format!("{method} /"), headers),
                expected,
                "{headers}"
            );
        }
    }
    let german = "Accept-Language: de\r\n";
    assert_eq!(lead(&server, "GET /?a=1", german), "/de?a=1");
    // Agents get the Markdown of the page that they request.
    let markdown = format!("{german}Accept: text/markdown\r\n");
    let response = request(&server, "GET /", &markdown);
    assert!(response.status == 200 && response.text().contains("Hello."));
}

#[test]
fn only_the_start_page_depends_on_the_language() {
    let server = start_at("", "");
    for path in [
        "/a",
        "/de",
        "/de/a",
        "/tw/start",
        "/index.md",
        "/llms.txt",
        "/sitemap.xml",
        "/robots.txt",
    ] {
        let plain = request(&server, &format!("GET {path}"), "");
        let german = "Accept-Language: de\r\nCookie: svc_language=de\r\n";
        let german = request(&server, &format!("GET {path}"), german);
        assert_eq!((plain.status, german.status), (200, 200), "{path}");
        assert_eq!(plain.body, german.body, "{path}");
        let vary = plain.header("vary").unwrap_or_default();
        assert!(
            !vary.contains("Language") && !vary.contains("Cookie"),
            "{path}: {vary}"
        );
    }
    // Also that redirect is the same for everybody.
    assert_eq!(
        request(&server, "GET /index", "Accept-Language: de\r\n").status,
        308
    );
}

#[test]
fn caches_do_not_mix_languages() {
    let server = start_at("", "");
    let page = request(&server, "GET /", "");
    let redirect = request(&server, "GET /", "Accept-Language: de\r\n");
    let etag = format!("If-None-Match: {}\r\n", page.header("etag").unwrap());
    let same = request(&server, "GET /", &etag);
    assert_eq!((page.status, redirect.status, same.status), (200, 302, 304));
    for response in [&page, &redirect, &same] {
        let vary = response.header("vary").unwrap();
        assert!(
            vary.contains("Accept-Language") && vary.contains("Cookie"),
            "{vary}"
        );
        assert_eq!(response.header("cache-control"), Some("private, no-cache"));
    }
    // The stored page is not shown to a reader who has selected another language since.
    let selected = format!("{etag}Cookie: svc_language=de\r\n");
    assert_eq!(lead(&server, "GET /", &selected), "/de");
}

#[test]
fn a_site_below_a_path_has_its_own_start_page() {
    let server = start_at("/docs", "");
    let german = "Accept-Language: de\r\n";
    assert_eq!(lead(&server, "GET /docs/", german), "/docs/de");
    assert_eq!(lead(&server, "GET /docs", german), "/docs/de");
    let referer = |path: &str| format!("{german}Referer: http://docs.example.com{path}\r\n");
    // Only pages of this site know both languages.
    assert_eq!(
        lead(&server, "GET /docs/", &referer("/pricing")),
        "/docs/de"
    );
    assert_eq!(
        lead(&server, "GET /docs/", &referer("/docsearch")),
        "/docs/de"
    );
    assert_eq!(lead(&server, "GET /docs/", &referer("/docs/de")), "200");
}

#[test]
fn the_setting_turns_it_off() {
    let server = start_at("", r#""i18n": {"detect": false},"#);
    let response = request(&server, "GET /", "Accept-Language: de\r\n");
    assert_eq!(response.status, 200);
    assert_eq!(response.header("cache-control"), Some("no-cache"));
    assert!(!response.text().contains("data-svc-language"));
    assert!(
        request(&start_at("", ""), "GET /", "")
            .text()
            .contains("data-svc-language=\"de\"")
    );
}
