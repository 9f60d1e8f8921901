//! H9 and H10: ranges, preconditions, and what a cache may do with a response.

use crate::http::rig::{TestServer, start};

/// `Range` and other header lines, with the status and the body of `0123456789`.
const RANGES: &[(&str, u16, &str)] = &[
    ("Range: bytes=0-0", 206, "0"),
    ("Range: bytes=9-9", 206, "9"),
    ("Range: bytes=0-9", 206, "0123456789"),
    ("Range: bytes=0-999", 206, "0123456789"),
    ("Range: bytes=-1", 206, "9"),
    ("Range: bytes=-999", 206, "0123456789"),
    ("Range: bytes=5-", 206, "56789"),
    ("Range: BYTES=5-", 206, "56789"),
    // What cannot be satisfied.
    ("Range: bytes=10-11", 416, ""),
    ("Range: bytes=999-", 416, ""),
    ("Range: bytes=-0", 416, ""),
    // Invalid ranges, other units and several ranges get the whole file.
    ("Range: bytes=5-2", 200, "0123456789"),
    ("Range: bytes=a-b", 200, "0123456789"),
    ("Range: bytes=-", 200, "0123456789"),
    ("Range: bytes=", 200, "0123456789"),
    ("Range: bytes", 200, "0123456789"),
    ("Range: bytes=+1-2", 200, "0123456789"),
    ("Range: bytes=0x1-2", 200, "0123456789"),
    ("Range: items=0-1", 200, "0123456789"),
    ("Range: bytes=0-1,2-3", 200, "0123456789"),
    ("Range: bytes=0-5,3-8", 200, "0123456789"),
    // Conditions that are not met, or are not comparable.
    ("Range: bytes=0-1\r\nIf-Range: \"other\"", 200, "0123456789"),
    ("Range: bytes=0-1\r\nIf-Range: W/{tag}", 200, "0123456789"),
    (
        "Range: bytes=0-1\r\nIf-Range: Thu, 01 Jan 1970 00:00:00 GMT",
        200,
        "0123456789",
    ),
    ("Range: bytes=0-1\r\nIf-Range: soon", 200, "0123456789"),
    ("Range: bytes=0-1\r\nIf-Range: {tag}", 206, "01"),
    ("Range: bytes=0-1\r\nIf-None-Match: {tag}", 304, ""),
    ("Range: bytes=99-\r\nIf-None-Match: {tag}", 304, ""),
    ("Range: bytes=0-1\r\nIf-Match: {tag}", 206, "01"),
    ("Range: bytes=0-1\r\nIf-Match: \"other\"", 412, ""),
];

const PRECONDITIONS: &[(&str, u16)] = &[
    ("If-None-Match: {tag}", 304),
    ("If-None-Match: W/{tag}", 304),
    ("If-None-Match: \"a\", {tag}, \"b\"", 304),
    ("If-None-Match: \"a\",{tag}", 304),
    ("If-None-Match: *", 304),
    ("If-None-Match: \"other\"", 200),
    ("If-None-Match: ", 200),
    ("If-None-Match: other", 200),
    ("If-Match: {tag}", 200),
    ("If-Match: *", 200),
    ("If-Match: \"a\", {tag}", 200),
    ("If-Match: W/{tag}", 412),
    ("If-Match: \"other\"", 412),
    ("If-Modified-Since: {date}", 304),
    ("If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT", 200),
    ("If-Modified-Since: soon", 200),
    ("If-Unmodified-Since: {date}", 200),
    ("If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT", 412),
    ("If-Unmodified-Since: soon", 200),
    // A tag counts more than a date.
    ("If-None-Match: \"other\"\r\nIf-Modified-Since: {date}", 200),
    (
        "If-Match: {tag}\r\nIf-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
        200,
    ),
    ("If-Match: {tag}\r\nIf-None-Match: {tag}", 304),
];

/// Header lines with the validators of the file in the place of `{tag}` and `{date}`.
fn lines(server: &TestServer, text: &str) -> String {
    let file = server.get("/picture.png");
    let tag = file.header("etag").unwrap();
    let date = file.header("last-modified").unwrap();
    format!("{}\r\n", text.replace("{tag}", tag).replace("{date}", date))
}

#[test]
fn h09_ranges_and_their_conditions() {
    let server = start();
    for (text, status, body) in RANGES {
        let response = server.request("GET", "/picture.png", &lines(&server, text));
        assert_eq!(response.status, *status, "{text}");
        if matches!(status, 200 | 206) {
            assert_eq!(response.text(), *body, "{text}");
            let length = body.len().to_string();
            assert_eq!(response.header("content-length"), Some(&*length), "{text}");
        }
        assert_eq!(
            response.header("content-range").is_some(),
            matches!(status, 206 | 416),
            "{text}"
        );
        assert!(*status != 304 || response.body.is_empty(), "{text}");
    }
    let parts: Vec<String> = (0..1_000)
        .map(|number| format!("{number}-{number}"))
        .collect();
    let many = format!("Range: bytes={}\r\n", parts.join(","));
    assert_eq!(
        server.request("GET", "/large.png", &many).body.len(),
        3_000_000
    );
}

#[test]
fn h09_preconditions() {
    let server = start();
    for (text, status) in PRECONDITIONS {
        for method in ["GET", "HEAD"] {
            let response = server.request(method, "/picture.png", &lines(&server, text));
            assert_eq!(response.status, *status, "{method} {text}");
            if method == "HEAD" || *status == 304 {
                assert!(response.body.is_empty(), "{method} {text}");
            }
        }
    }
}

/// The URLs of the scripts and styles of a page.
fn assets(page: &str) -> Vec<String> {
    let mut found: Vec<String> = page
        .match_indices("/_svc/assets/")
        .filter_map(|(at, _)| Some(page[at..].split(['"', ' ', ')', '\'']).next()?.to_owned()))
        .filter(|path| path.ends_with(".css") || path.ends_with(".js"))
        .collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn h10_every_response_can_be_cached_and_validated() {
    let server = start();
    let assets = assets(&server.get("/").text());
    assert!(assets.len() >= 2, "{assets:?}");
    let paths = [
        "/",
        "/guides/start",
        "/guides/start.md",
        "/picture.png",
        "/drawing.svg",
        "/spec.json",
        "/sitemap.xml",
        "/robots.txt",
        "/llms.txt",
        "/llms-full.txt",
        "/favicon.ico",
    ];
    let all = paths.into_iter().chain(assets.iter().map(String::as_str));
    for path in all {
        let plain = server.get(path);
        assert_eq!(plain.status, 200, "{path}");
        for name in [
            "etag",
            "date",
            "cache-control",
            "content-type",
            "content-length",
        ] {
            assert!(
                plain.header(name).is_some(),
                "{path} {name}: {}",
                plain.head
            );
        }
        assert_eq!(
            plain.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        let is_asset = path.starts_with("/_svc/assets/");
        let is_immutable = plain.header("cache-control").unwrap().contains("immutable");
        assert_eq!(is_asset, is_immutable, "{path}");
        let coded = server.request("GET", path, "Accept-Encoding: gzip\r\n");
        let tag = coded.header("etag").unwrap();
        if coded.header("content-encoding").is_some() {
            assert_ne!(plain.header("etag"), Some(tag), "{path}");
            for response in [&plain, &coded] {
                let vary = response
                    .header("vary")
                    .unwrap_or_default()
                    .to_ascii_lowercase();
                assert!(
                    vary.contains("accept-encoding"),
                    "{path}: {}",
                    response.head
                );
            }
        }
        let condition = format!("Accept-Encoding: gzip\r\nIf-None-Match: {tag}\r\n");
        let unchanged = server.request("GET", path, &condition);
        assert_eq!((unchanged.status, unchanged.body.len()), (304, 0), "{path}");
        for name in ["etag", "cache-control", "vary", "date"] {
            let (before, now) = (coded.header(name), unchanged.header(name));
            assert!(
                before == now || name == "date" && now.is_some(),
                "{path} {name}"
            );
        }
    }
}

#[test]
fn h10_errors_and_redirects_are_not_stored_forever() {
    let server = start();
    for path in ["/nowhere", "/old", "/soon", "/guides/start/"] {
        let response = server.get(path);
        assert!(matches!(response.status, 300..=404), "{path}");
        let caching = response.header("cache-control").unwrap_or_default();
        assert!(!caching.contains("immutable"), "{path} {caching}");
        assert!(response.header("date").is_some(), "{path}");
    }
}
