//! A content delivery network in front of the server: headers of responses, and purges.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use svc_server::{Settings, request_server};
use svc_test_support::api::StubApi;
use svc_test_support::wait::wait_until;

use crate::admin::rig::TestResponse;
use crate::admin::server::{TestServer, repository};

const HOST: &str = "docs.example.com";
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// Starts a server whose project has further tables.
fn start(dir: &Path, tables: &str) -> TestServer {
    if !dir.join("site").exists() {
        repository(&dir.join("site"), "The first words.\n");
        fs::write(dir.join("cdn.secret"), "Bearer token-of-the-cdn\n").unwrap();
        let hash = "0a".repeat(32);
        fs::write(dir.join("tokens"), format!("ci:{hash}\n")).unwrap();
    }
    let text = format!(
        "listen = \"127.0.0.1:0\"\ndata = \"data\"\n[admin]\nlisten = \"127.0.0.1:0\"\n\
         [[projects]]\nid = \"docs\"\nhosts = [\"{HOST}\"]\nsource.folder = \"site\"\n{tables}"
    );
    let path = dir.join("server.toml");
    fs::write(&path, text).unwrap();
    let read = Settings::from_file(&path).unwrap();
    let problems = read.render_text();
    let server = TestServer::start(read.settings.expect(&problems));
    wait_until("the site is live", WAIT_TIMEOUT, || {
        server.at(HOST, "GET /", "").status != 503
    });
    server
}

fn deploy(dir: &Path, text: &str) {
    fs::write(dir.join("site/index.mdx"), text).unwrap();
    let path = "/projects/docs/deployments";
    request_server(&dir.join("data"), "POST", path, &json!({})).unwrap();
}

fn is_held(response: &TestResponse) -> bool {
    let control = response.header("cdn-cache-control");
    let is_held = control == "public, max-age=7200";
    assert!(
        is_held || matches!(control, "" | "no-store"),
        "{response:?}"
    );
    assert_eq!(
        is_held,
        !response.header("surrogate-key").is_empty(),
        "{response:?}"
    );
    is_held
}

#[test]
fn public_responses_have_headers_for_a_cdn() {
    let dir = tempfile::tempdir().unwrap();
    let server = start(dir.path(), "[projects.cdn]\nmax_age = \"2h\"\n");
    let page = server.at(HOST, "GET /", "");
    assert!(is_held(&page));
    // Browsers revalidate as without a CDN.
    assert_eq!(page.header("cache-control"), "no-cache");
    assert_eq!(page.header("surrogate-control"), "max-age=7200");
    let keys: Vec<&str> = page.header("surrogate-key").split(' ').collect();
    assert_eq!(keys[0], "svc-docs");
    assert!(keys[1].starts_with("svc-docs-"), "{keys:?}");
    assert_eq!(page.header("cache-tag"), keys.join(","));
    let etag = format!("if-none-match: {}\r\n", page.header("etag"));
    let same = server.at(HOST, "GET /", &etag);
    assert!(same.status == 304 && is_held(&same));
    for line in [
        "GET /none",
        "GET /index.md",
        "GET /llms.txt",
        "GET /sitemap.xml",
    ] {
        assert!(is_held(&server.at(HOST, line, "")), "{line}");
    }
    // Not every CDN respects `Vary: Accept`.
    let markdown = server.at(HOST, "GET /", "accept: text/markdown\r\n");
    assert!(markdown.header("content-type").starts_with("text/markdown"));
    assert!(!is_held(&markdown));
    for line in ["GET /_svc/health", "GET /_svc/ready"] {
        assert!(!is_held(&server.at(HOST, line, "")), "{line}");
    }
    let asset = page.text();
    let asset = asset.split("/_svc/assets/").nth(1).unwrap();
    let asset = format!("GET /_svc/assets/{}", asset.split('"').next().unwrap());
    let asset = server.at(HOST, &asset, "");
    assert!(asset.status == 200 && asset.header("cache-control").contains("immutable"));
    assert_eq!(asset.header("surrogate-key"), "");
    // The tag of the deployment changes with it.
    deploy(dir.path(), "Second words.\n");
    assert!(server.shows(HOST, "Second words."));
    let next = server.at(HOST, "GET /", "");
    assert_ne!(next.header("surrogate-key"), page.header("surrogate-key"));
}

#[test]
fn a_start_page_in_several_languages_is_not_held() {
    let dir = tempfile::tempdir().unwrap();
    let site = dir.path().join("site");
    repository(&site, "The first words.\n");
    let config = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
      "navigation": {"languages": [{"language": "en", "pages": ["index"]}, {"language": "de", "pages": ["de/index"]}]}}"##;
    fs::write(site.join("docs.json"), config).unwrap();
    fs::create_dir(site.join("de")).unwrap();
    fs::write(site.join("de/index.mdx"), "Hallo.\n").unwrap();
    let server = start(dir.path(), "[projects.cdn]\nmax_age = \"2h\"\n");
    let german = server.at(HOST, "GET /", "accept-language: de\r\n");
    assert_eq!(german.status, 302);
    for response in [german, server.at(HOST, "GET /", "")] {
        assert!(!is_held(&response), "{response:?}");
        assert_eq!(response.header("cdn-cache-control"), "no-store");
    }
    assert!(is_held(&server.at(
        HOST,
        "GET /de",
        "accept-language: en\r\n"
    )));
}

#[test]
fn without_a_cdn_and_with_readers_there_are_no_headers() {
    let readers = "[projects.readers]\ntoken_file = \"tokens\"\n";
    for tables in [
        "",
        readers,
        "[projects.readers]\ntoken_file = \"tokens\"\nprivate = true\n",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let server = start(dir.path(), tables);
        for line in ["GET /", "GET /none", "GET /index.md"] {
            let response = server.at(HOST, line, "");
            assert!(!is_held(&response), "{line}");
            assert!(
                !response.header("cache-control").contains("public"),
                "{response:?}"
            );
        }
    }
}

#[test]
fn a_deployment_purges_and_failures_are_retried() {
    let failures = AtomicUsize::new(2);
    let cdn = StubApi::new(move |_, stream| {
        let is_failure = failures
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                left.checked_sub(1)
            })
            .is_ok();
        let status = if is_failure { "503 Busy" } else { "200 OK" };
        let text = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        let _ = stream.write_all(text.as_bytes());
    });
    let dir = tempfile::tempdir().unwrap();
    let table = format!(
        "[projects.cdn]\npurge_url = \"http://{}/purge\"\npurge_secret_file = \"cdn.secret\"\n",
        cdn.addr
    );
    let server = start(dir.path(), &table);
    deploy(dir.path(), "Second words.\n");
    assert!(server.shows(HOST, "Second words."));
    wait_until("the purge succeeds", WAIT_TIMEOUT, || {
        server.log.text().contains("the CDN was purged")
    });
    let all = cdn.requests();
    assert!(all.len() >= 3, "{all:?}");
    for request in &all {
        let lower = request.to_ascii_lowercase();
        assert!(lower.starts_with("post /purge http/1.1\r\n"), "{request}");
        assert!(lower.contains("surrogate-key: svc-docs\r\n"), "{request}");
        assert!(lower.ends_with("{\"tags\":[\"svc-docs\"]}"), "{request}");
        assert!(
            lower.contains("authorization: bearer token-of-the-cdn\r\n"),
            "{request}"
        );
    }
    assert!(!server.log.text().contains("token-of-the-cdn"));
}
