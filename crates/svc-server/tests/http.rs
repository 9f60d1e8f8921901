//! A server on a free port, spoken to byte by byte.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

// Long because it is a flat list of requests, each with the answer it must get.

mod serving;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serving::Serving;
use svc_server::{Current, Limits};
use svc_site::LoadOptions;

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
  "redirects": [{"source": "/old", "destination": "/guides/start"}, {"source": "/soon", "destination": "/", "permanent": false}],
  "navigation": {"groups": [{"group": "Guides", "pages": ["index", "guides/start", "guides/index"]}]}}"##;

/// Stands outside of the folder that is served, and in the files that are never served.
const CANARY: &str = "CANARY-7f3a";

struct Running {
    serving: Serving,
    site: Arc<svc_site::Site>,
    _folder: tempfile::TempDir,
}

fn write(root: &Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn start() -> Running {
    start_with(Limits::default(), "")
}

fn start_with(limits: Limits, base_path: &str) -> Running {
    start_config(limits, base_path, CONFIG)
}

fn start_config(limits: Limits, base_path: &str, config: &str) -> Running {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "secret.png", CANARY.as_bytes());
    let root = folder.path().join("site");
    let words = "Words and words. ".repeat(200);
    write(
        &root,
        "docs.json",
        config.replace("Acme", "Acme Docs").as_bytes(),
    );
    write(
        &root,
        "index.mdx",
        format!("---\ntitle: Home\n---\n\nWelcome.\n\n{words}\n").as_bytes(),
    );
    write(
        &root,
        "guides/start.mdx",
        b"---\ntitle: Start\n---\n\nDo it.\n",
    );
    write(
        &root,
        "guides/index.mdx",
        b"---\ntitle: Guides\n---\n\nAll of them.\n",
    );
    write(&root, "picture.png", b"0123456789");
    write(&root, "large.png", &vec![7; 3_000_000]);
    write(
        &root,
        "drawing.svg",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    );
    write(&root, "spec.json", b"{\"a\": 1}");
    write(&root, ".env", CANARY.as_bytes());
    write(&root, ".hidden/x.png", CANARY.as_bytes());
    write(&root, "Makefile", CANARY.as_bytes());
    let load = LoadOptions {
        base_path: base_path.to_owned(),
        ..LoadOptions::default()
    };
    let site = Arc::new(svc_site::load(&root, &load).unwrap().value);
    let responder = Current::new(Arc::clone(&site)).responder();
    Running {
        serving: Serving::start(limits, responder, None),
        site,
        _folder: folder,
    }
}

/// An answer, taken apart.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Running {
    fn connect(&self) -> TcpStream {
        let socket = TcpStream::connect(self.serving.address).unwrap();
        socket
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        socket
    }

    /// Sends bytes and reads until the server closes.
    fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut socket = self.connect();
        // The server may refuse and close before it has read all.
        let _ = socket.write_all(bytes);
        let mut all = Vec::new();
        let _ = socket.read_to_end(&mut all);
        all
    }

    fn answer(&self, bytes: &[u8]) -> Answer {
        let all = self.raw(bytes);
        let end = all
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .expect("a whole head");
        let head = String::from_utf8(all[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer {
            status,
            head,
            body: all[end + 4..].to_vec(),
        }
    }

    fn request(&self, method: &str, path: &str, headers: &str) -> Answer {
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n"
        );
        self.answer(text.as_bytes())
    }

    fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "")
    }
}

#[test]
fn a_page_comes_with_its_headers() {
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
fn the_entity_tag_saves_the_body() {
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
            let again = server.request("GET", path, &format!("If-None-Match: {list}\r\n"));
            assert_eq!((again.status, again.body.len()), (304, 0), "{path} {list}");
            assert_eq!(again.header("etag"), Some(&*tag));
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
fn head_says_what_get_says_without_a_body() {
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
        let lines = |answer: &Answer| {
            let lines = answer
                .head
                .lines()
                .filter(|line| !line.to_ascii_lowercase().starts_with("date:"));
            lines
                .map(str::to_ascii_lowercase)
                .collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(lines(&get), lines(&head), "{path}");
    }
}

#[test]
fn parts_of_files_are_sent() {
    let server = start();
    let part = |range: &str| server.request("GET", "/picture.png", &format!("Range: {range}\r\n"));
    let found = part("bytes=2-4");
    assert_eq!((found.status, &*found.text()), (206, "234"));
    assert_eq!(found.header("content-range"), Some("bytes 2-4/10"));
    assert_eq!(
        (part("bytes=-3").status, &*part("bytes=-3").text()),
        (206, "789")
    );
    assert_eq!(part("bytes=7-").text(), "789");
    assert_eq!(part("bytes=10-").status, 416);
    assert_eq!(
        part("bytes=10-").header("content-range"),
        Some("bytes */10")
    );
    assert_eq!(
        (part("bytes=0-1,4-5").status, &*part("bytes=0-1,4-5").text()),
        (200, "0123456789")
    );
    let tag = server
        .get("/picture.png")
        .header("etag")
        .unwrap()
        .to_owned();
    let with = |tag: &str| {
        let headers = format!("Range: bytes=0-1\r\nIf-Range: {tag}\r\n");
        server.request("GET", "/picture.png", &headers).status
    };
    assert_eq!((with(&tag), with("\"old\"")), (206, 200));
    let text = server.request(
        "GET",
        "/spec.json",
        "Range: bytes=0-0\r\nAccept-Encoding: gzip\r\n",
    );
    assert_eq!((text.status, &*text.text()), (206, "{"));
}

#[test]
fn a_large_file_arrives_whole() {
    let server = start();
    let file = server.get("/large.png");
    assert_eq!((file.status, file.body.len()), (200, 3_000_000));
    assert!(file.body.iter().all(|byte| *byte == 7));
}

#[test]
fn pages_are_compressed_as_the_client_likes() {
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
        .map(|answer| answer.header("etag").unwrap().to_owned())
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
fn addresses_have_one_spelling() {
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
        let answer = server.get(path);
        assert_eq!(
            (answer.status, answer.header("location")),
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
        let answer = server.get(path);
        let location = answer.header("location").unwrap_or("/");
        assert!(
            location.starts_with('/') && !location.starts_with("//"),
            "{path} {location}"
        );
    }
}

#[test]
fn a_site_that_prints_slashes_answers_with_and_without() {
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
fn pictures_that_the_site_draws_are_sent() {
    let server = start();
    let page = server.get("/guides/start").text();
    let (_, rest) = page.split_once("rel=\"apple-touch-icon\" href=\"").unwrap();
    let (icon, _) = rest.split_once('"').unwrap();
    let (_, rest) = page.split_once("property=\"og:image\" content=\"").unwrap();
    let (card, _) = rest.split_once('"').unwrap();
    for path in [icon, card] {
        let answer = server.get(path);
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, Some("image/png"))
        );
        assert!(answer.body.starts_with(b"\x89PNG"), "{path}");
        let caching = answer.header("cache-control").unwrap();
        assert!(caching.contains("immutable"), "{path} {caching}");
    }
    let usual = server.get("/favicon.ico");
    assert_eq!(
        (usual.status, usual.header("content-type")),
        (200, Some("image/x-icon"))
    );
    assert!(!usual.header("cache-control").unwrap().contains("immutable"));
    assert_eq!(server.get("/_svc/icons/0/favicon.ico").status, 404);
    assert_eq!(server.get("/_svc/cards/0/../../secret.png").status, 404);
}

#[test]
fn a_missing_page_is_a_page_with_suggestions() {
    let server = start();
    let answer = server.get("/guides/strat");
    assert_eq!(answer.status, 404);
    assert!(answer.text().contains("/guides/start"), "{}", answer.text());
    let answer = server.get("/<script>alert(1)</script>");
    assert!(!answer.text().contains("<script>alert"));
}

#[test]
fn markdown_is_sent_to_those_who_ask_for_it() {
    let server = start();
    for answer in [
        server.get("/guides/start.md"),
        server.request(
            "GET",
            "/guides/start",
            "Accept: text/markdown, text/html;q=0.5\r\n",
        ),
    ] {
        assert_eq!(answer.status, 200);
        assert_eq!(
            answer.header("content-type"),
            Some("text/markdown; charset=utf-8")
        );
        assert!(answer.text().contains("# Start"));
    }
    let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
    let page = server.request("GET", "/guides/start", browser);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
}

// spec: site.reserved accepts
#[test]
fn the_files_of_the_program_and_for_machines_are_there() {
    let server = start();
    let health = server.get("/_svc/health");
    assert_eq!(
        (health.status, health.header("content-type")),
        (200, Some("application/json"))
    );
    assert!(health.text().contains("\"status\":\"ok\""));
    let page = server.get("/").text();
    let at = page.find("/_svc/assets/").unwrap();
    let path = page[at..].split('"').next().unwrap();
    let asset = server.get(path);
    assert_eq!(asset.status, 200);
    assert!(asset.header("cache-control").unwrap().contains("immutable"));
    assert_eq!(server.get("/_svc/assets/none.css").status, 404);
    let sitemap = server.get("/sitemap.xml").text();
    assert!(
        sitemap.contains("<loc>http://localhost/guides/start</loc>"),
        "{sitemap}"
    );
    for path in [
        "/robots.txt",
        "/llms.txt",
        "/llms-full.txt",
        "/search-index.json",
        "/spec.json",
    ] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    let policy = server.get("/drawing.svg");
    assert!(
        policy
            .header("content-security-policy")
            .unwrap()
            .contains("sandbox")
    );
}

#[test]
fn the_schema_of_docs_json_is_there_for_editors() {
    let server = start();
    let schema = server.get("/schema/docs.json");
    assert_eq!(
        (schema.status, schema.header("content-type")),
        (200, Some("application/schema+json"))
    );
    assert_eq!(schema.header("access-control-allow-origin"), Some("*"));
    let cache = schema.header("cache-control").unwrap();
    assert!(
        cache.contains("public") && cache.contains("max-age"),
        "{cache}"
    );
    assert!(schema.header("etag").is_some());
    let schema: serde_json::Value = serde_json::from_str(&schema.text()).unwrap();
    assert!(schema["properties"]["theme"].is_object());
}

#[test]
fn no_path_leaves_the_site() {
    let server = start();
    let mut paths: Vec<String> = [
        "/../secret.png",
        "/..%2fsecret.png",
        "/%2e%2e/secret.png",
        "/%2e%2e%2fsecret.png",
        "/%252e%252e/secret.png",
        "/..%5csecret.png",
        "/..\\secret.png",
        "/guides/../../secret.png",
        "/./../secret.png",
        "//../secret.png",
        "/%c0%ae%c0%ae/secret.png",
        "/%00/../secret.png",
        "/secret.png%00.png",
        "/....//secret.png",
        "/..;/secret.png",
        "/_svc/assets/../../secret.png",
        "/_svc/assets/..%2f..%2fsecret.png",
        "/.env",
        "/%2eenv",
        "/./.env",
        "/.env/",
        "/.env.",
        "/.hidden/x.png",
        "/Makefile",
        "/docs.json",
        "/docs.json/",
        "/%64ocs.json",
        "/DOCS.JSON",
        "/docs.json%20",
        "/guides/start.mdx",
        "/../site/docs.json",
        "/file:///etc/passwd",
        "/etc/passwd",
    ]
    .map(str::to_owned)
    .into();
    for depth in 1..12 {
        paths.push(format!("/{}etc/passwd", "../".repeat(depth)));
        paths.push(format!("/{}etc/passwd", "%2e%2e%2f".repeat(depth)));
        paths.push(format!("/guides/{}secret.png", "..%2F".repeat(depth)));
    }
    for path in paths {
        let answer = server.request("GET", &path, "");
        assert!(
            matches!(answer.status, 400 | 404),
            "{path}: {}",
            answer.status
        );
        let text = answer.text();
        assert!(
            !text.contains(CANARY) && !text.contains("root:") && !text.contains("\"navigation\""),
            "{path}"
        );
    }
}

#[test]
fn the_host_has_to_be_right() {
    let server = start();
    let status = |text: &str| server.answer(text.as_bytes()).status;
    assert_eq!(status("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), 400);
    assert_eq!(
        status("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n"),
        400
    );
    for host in ["a b", "a/b", "a@b", "", "a:x", "[::1", "a,b"] {
        assert_eq!(
            status(&format!(
                "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            )),
            400,
            "{host}"
        );
    }
    assert_eq!(
        status("GET http://a/ HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n"),
        400
    );
    assert_eq!(
        status("GET http://a/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
        200
    );
    assert_eq!(status("GET / HTTP/1.0\r\n\r\n"), 200);
}

#[test]
fn a_request_framed_twice_is_refused_and_ends_the_connection() {
    let server = start();
    let head = "GET / HTTP/1.1\r\nHost: a\r\n";
    let smuggled = "0\r\n\r\nGET /guides/start HTTP/1.1\r\nHost: a\r\n\r\n";
    for both in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
    ] {
        let all = server.raw(format!("{head}{both}{smuggled}").as_bytes());
        let text = String::from_utf8_lossy(&all);
        assert!(text.starts_with("HTTP/1.1 400"), "{text}");
        assert_eq!(text.matches("HTTP/1.1 ").count(), 1, "{text}");
    }
    let body = "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    assert_eq!(
        server.answer(format!("{head}{body}").as_bytes()).status,
        200
    );
    let bad = "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n";
    assert_eq!(server.answer(format!("{head}{bad}").as_bytes()).status, 400);
}

#[test]
fn requests_that_are_too_large_or_of_other_kinds_are_refused() {
    let server = start();
    assert_eq!(
        server.get(&format!("/{}", "a".repeat(8 * 1024 - 1))).status,
        404
    );
    assert_eq!(
        server.get(&format!("/{}", "a".repeat(8 * 1024))).status,
        414
    );
    assert_eq!(
        server
            .request("GET", "/", &format!("X: {}\r\n", "a".repeat(40_000)))
            .status,
        431
    );
    let body = server.request("POST", "/", "Content-Length: 1000000\r\n");
    assert_eq!(body.status, 413);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"] {
        let answer = server.request(method, "/", "Content-Length: 0\r\n");
        assert_eq!(
            (answer.status, answer.header("allow")),
            (405, Some("GET, HEAD")),
            "{method}"
        );
    }
}

#[test]
fn several_requests_share_a_connection() {
    let server = start();
    let one = "GET /guides/start HTTP/1.1\r\nHost: a\r\n\r\n";
    let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    let all = server.raw(format!("{one}{one}{last}").as_bytes());
    assert_eq!(
        String::from_utf8_lossy(&all)
            .matches("HTTP/1.1 200 OK")
            .count(),
        3
    );
}

#[test]
fn slow_heads_and_silent_connections_are_closed() {
    let limits = Limits {
        head_timeout: Duration::from_millis(150),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    for begin in [
        "",
        "G",
        "GET / HTTP/1.1\r\nHost: a\r\nX: y",
        "PRI * HTTP/2.0\r\n",
    ] {
        let mut socket = server.connect();
        socket.write_all(begin.as_bytes()).unwrap();
        let mut all = Vec::new();
        // Ends only because the server closes: the client waits much longer.
        match socket.read_to_end(&mut all) {
            Ok(_) => {}
            Err(error) => assert_eq!(
                error.kind(),
                std::io::ErrorKind::ConnectionReset,
                "{begin:?}"
            ),
        }
        assert!(!all.starts_with(b"HTTP/1.1 200"), "{begin:?}");
    }
}

#[test]
fn a_client_that_takes_nothing_is_cut_off() {
    let limits = Limits {
        write_patience: Duration::from_millis(200),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut socket = server.connect();
    // More than the buffers of both sides hold.
    for _ in 0..8 {
        socket
            .write_all(b"GET /large.png HTTP/1.1\r\nHost: a\r\n\r\n")
            .unwrap();
    }
    std::thread::sleep(Duration::from_millis(700));
    let mut all = Vec::new();
    let _ = socket.read_to_end(&mut all);
    assert!(all.len() < 8 * 3_000_000, "{}", all.len());
}

#[test]
fn one_address_gets_only_its_share_of_connections() {
    let limits = Limits {
        connections_per_address: 2,
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut held: Vec<TcpStream> = (0..2).map(|_| server.connect()).collect();
    for socket in &mut held {
        socket
            .write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            .unwrap();
        assert!(socket.read(&mut [0; 64]).unwrap() > 0);
    }
    let text = server.raw(b"");
    assert!(
        text.starts_with(b"HTTP/1.1 503"),
        "{}",
        String::from_utf8_lossy(&text)
    );
}

#[test]
fn a_base_path_stands_before_everything() {
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
    assert_eq!(server.get("/_svc/health").status, 200);
}

#[test]
fn a_stopping_server_finishes_what_it_has_begun() {
    let mut server = start();
    let mut socket = server.connect();
    socket
        .write_all(b"GET /large.png HTTP/1.1\r\nHost: a\r\n\r\n")
        .unwrap();
    let mut all = vec![0; 1000];
    socket.read_exact(&mut all).unwrap();
    server.serving.stop();
    socket.read_to_end(&mut all).unwrap();
    assert!(all.len() > 3_000_000);
    server.serving.join().unwrap();
    assert!(TcpStream::connect(server.serving.address).is_err());
}
