//! Several sites on one server, tested byte by byte: which host gets which response.

// Long because it is a flat list of requests with their expected responses.

use crate::serving;

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serving::RunningServer;
use svc_fetch::Policy;
use svc_server::{Host, Relay, RelayLimits, Served, SiteHandle, Sites};
use svc_site::{LoadOptions, SiteOptions};
use svc_test_support::api::StubApi;

/// Themes of the sites, in order.
const THEMES: [&str; 10] = [
    "svc", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma", "svc",
];

struct TestServer {
    serving: RunningServer,
    _dirs: Vec<tempfile::TempDir>,
}

/// Text that is unique to a site.
fn mark(number: usize) -> String {
    format!("MARK{number}x7f3a")
}

fn host(number: usize) -> String {
    format!("site{number}.example")
}

/// Color of a site.
fn site_color(number: usize) -> String {
    format!("#{0:x}{0:x}4477", number + 1)
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Writes a site with its unique text in every resource.
fn files(root: &Path, number: usize, api: SocketAddr) {
    let (mark, theme, color) = (mark(number), THEMES[number], site_color(number));
    write(
        root,
        "docs.json",
        &format!(
            r##"{{"theme": "{theme}", "name": "{mark}", "description": "{mark}", "colors": {{"primary": "{color}"}}, "favicon": "/favicon.svg",
            "redirects": [{{"source": "/old", "destination": "https://{mark}.example/new"}}],
            "navigation": {{"groups": [{{"group": "Guides", "pages": ["index", "guides/start", "changes", "only{number}"]}}, {{"group": "API", "openapi": "spec.json"}}]}}}}"##
        ),
    );
    let page_text = format!(
        "---\ntitle: Page of {mark}\n---\n\n{mark} ![]( /picture.png) [data](/files/data.csv) [notes](/notes.txt)\n"
    );
    for page in ["index", "guides/start", &format!("only{number}")] {
        write(root, &format!("{page}.mdx"), &page_text);
    }
    let changes = format!(
        "---\ntitle: Changes\nrss: true\n---\n\n<Update label=\"{mark}\">\n{mark}\n</Update>\n"
    );
    write(root, "changes.mdx", &changes);
    for asset in [
        "picture.png",
        "files/data.csv",
        "notes.txt",
        "film.mp4",
        &format!("own{number}.png"),
    ] {
        write(root, asset, &format!("{mark}\n"));
    }
    let svg = format!("<svg xmlns='http://www.w3.org/2000/svg'><text>{mark}</text></svg>");
    write(root, "favicon.svg", &svg);
    write(root, "images/drawing.svg", &svg);
    write(root, "own.css", &format!(".{mark} {{ color: red }}\n"));
    write(root, "own.js", &format!("window.own = '{mark}';\n"));
    write(
        root,
        "spec.json",
        &format!(
            r#"{{"openapi": "3.1.0", "info": {{"title": "{mark}", "version": "1"}}, "servers": [{{"url": "http://{api}/{mark}"}}],
            "paths": {{"/pets": {{"get": {{"summary": "Get", "tags": ["pets"], "responses": {{"200": {{"description": "{mark}"}}}}}}}}}}}}"#
        ),
    );
}

/// Paths of a site; those with its number only exist there.
fn paths(number: usize) -> Vec<String> {
    let mut paths: Vec<String> = [
        "/",
        "/index",
        "/index.md",
        "/guides/start",
        "/guides/start.md",
        "/guides/start/",
        "/changes",
        "/changes/rss.xml",
        "/picture.png",
        "/files/data.csv",
        "/notes.txt",
        "/film.mp4",
        "/favicon.svg",
        "/images/drawing.svg",
        "/own.css",
        "/own.js",
        "/spec.json",
        "/spec.yaml",
        "/docs.json",
        "/old",
        "/api-reference/pets/get",
        "/api-reference/pets/get.md",
        "/llms.txt",
        "/llms-full.txt",
        "/robots.txt",
        "/sitemap.xml",
        "/skill.md",
        "/.well-known/llms.txt",
        "/.well-known/skills/index.json",
        "/search.json",
        "/_svc/health",
        "/_svc/search",
        "/_svc/search.json",
        "/_svc/relay",
        "/_svc/call/api-reference/pets/get",
        "/_svc/islands/x.js",
        "/_svc/assets/x.css",
        "/_svc/webhook",
        "/_svc/sites",
        "/nowhere",
        "//picture.png",
        "/%2e%2e/picture.png",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.extend([
        format!("/only{number}"),
        format!("/only{number}.md"),
        format!("/own{number}.png"),
        format!("/{}/picture.png", host(number)),
        format!("//{}/picture.png", host(number)),
        format!("/http://{}/picture.png", host(number)),
        format!("/..%2f{}/picture.png", host(number)),
        format!("/?host={}", host(number)),
    ]);
    paths
}

fn start(count: usize, api: SocketAddr) -> TestServer {
    let sites = Sites::default();
    let mut dirs = Vec::new();
    for number in 0..count {
        let dir = tempfile::tempdir().unwrap();
        files(dir.path(), number, api);
        let load = LoadOptions::from(SiteOptions {
            relay: true,
            ..SiteOptions::default()
        });
        let loaded = svc_site::load(dir.path(), &load).unwrap();
        let current = SiteHandle::new(Arc::new(loaded.value));
        let policy = Policy::from_rules(["127.0.0.1"]).unwrap();
        let mut entry = Served::new(current.clone(), &host(number));
        let relay = Relay::new(current, Some(policy), RelayLimits::default());
        entry.body_router = Some(relay.body_router());
        assert!(sites.set(&host(number), entry.clone()));
        if number == 0 {
            assert!(sites.set("Bücher.example", entry.clone()));
            assert!(sites.set("[::1]", entry.clone()));
            entry.redirect = Host::parse(&host(0)).ok();
            assert!(sites.set("www.site0.example", entry));
        }
        dirs.push(dir);
    }
    let (responder, posts) = (sites.responder(), sites.body_router());
    TestServer {
        serving: RunningServer::start(serving::limits(), responder, Some(posts)),
        _dirs: dirs,
    }
}

/// Sends bytes and reads the complete response.
fn exchange(addr: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(addr).unwrap();
    let timeout = Some(Duration::from_secs(60));
    stream.set_read_timeout(timeout).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn status(response: &str) -> u16 {
    response.split(' ').nth(1).unwrap_or("0").parse().unwrap()
}

/// A connection for several requests.
struct Line(BufReader<TcpStream>);

impl Line {
    fn to(addr: SocketAddr) -> Self {
        let stream = TcpStream::connect(addr).unwrap();
        let timeout = Some(Duration::from_secs(60));
        stream.set_read_timeout(timeout).unwrap();
        Self(BufReader::new(stream))
    }

    /// Head and body of a response.
    fn get(&mut self, host: &str, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n");
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let (mut text, mut length) = (String::new(), 0);
        loop {
            let before = text.len();
            self.0.read_line(&mut text).unwrap();
            let line = text.get(before..).unwrap().trim().to_ascii_lowercase();
            if let Some(number) = line.strip_prefix("content-length: ") {
                length = number.parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        text.push_str(&String::from_utf8_lossy(&body));
        text
    }
}

#[test]
fn h11_no_host_gets_content_of_another_site() {
    let api = StubApi::with_response(
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok",
    );
    let program = start(10, api.addr);
    assert_eq!(paths(0).len(), 50);
    let (mut requests, mut seen) = (0, BTreeSet::new());
    for origin in 0..10 {
        let mut line = Line::to(program.serving.addr);
        for target in 0..10 {
            for path in paths(target) {
                let response = line.get(&host(origin), &path);
                requests += 1;
                for other in (0..10).filter(|other| *other != origin) {
                    let foreign = response.contains(&mark(other));
                    assert!(!foreign, "{} {path}\n{response}", host(origin));
                }
                if response.contains(&mark(origin)) && status(&response) == 200 {
                    seen.insert((origin, path));
                }
            }
        }
    }
    assert_eq!(requests, 5000);
    // Without successful responses, the test would prove nothing.
    let least = seen.iter().filter(|(origin, _)| *origin == 3).count();
    assert!(least >= 20 && seen.len() >= 200, "{least} of {seen:#?}");
}

/// Sends a playground request from the site `origin` for a page of the site `target` and its API.
fn relay(addr: SocketAddr, origin: usize, target: usize, api: SocketAddr) -> String {
    let (host, mark) = (host(origin), mark(target));
    exchange(
        addr,
        &format!(
            "POST /_svc/relay HTTP/1.1\r\nhost: {host}\r\nsec-fetch-site: same-origin\r\nsvc-page: /api-reference/pets/get\r\nsvc-url: http://{api}/{mark}/pets\r\nsvc-method: GET\r\nsvc-headers: %5B%5D\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        ),
    )
}

#[test]
fn the_relay_of_a_host_only_calls_the_api_of_its_site() {
    let api = StubApi::with_response(
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok",
    );
    let program = start(4, api.addr);
    for origin in 0..4 {
        for target in 0..4 {
            let response = relay(program.serving.addr, origin, target, api.addr);
            let expected = if origin == target { 200 } else { 403 };
            assert_eq!(status(&response), expected, "{origin} {target} {response}");
        }
    }
    assert_eq!(api.connections(), 4);
    let unknown = relay(program.serving.addr, 9, 0, api.addr);
    assert_eq!(status(&unknown), 421);
    assert_eq!(api.connections(), 4);
}

#[test]
fn ten_sites_have_ten_themes() {
    let program = start(10, ([127, 0, 0, 1], 9).into());
    let mut line = Line::to(program.serving.addr);
    for (number, theme) in THEMES.into_iter().enumerate() {
        let page = line.get(&host(number), "/");
        assert_eq!(status(&page), 200);
        let theme = format!("data-theme=\"{theme}\"");
        assert!(page.contains(&theme), "{number} {theme}");
        for other in 0..10 {
            let has = page.contains(&site_color(other));
            assert_eq!(has, other == number, "{number} {other}");
        }
    }
}

/// Request heads with the expected status; `200` is a page of the first site.
const HOSTS: &[(&str, u16)] = &[
    // Every spelling of a known host.
    ("GET / HTTP/1.1\r\nhost: site0.example", 200),
    ("GET / HTTP/1.1\r\nhost: SITE0.Example", 200),
    ("GET / HTTP/1.1\r\nhost: site0.example:80", 200),
    ("GET / HTTP/1.1\r\nhost: site0.example:65535", 200),
    ("GET / HTTP/1.1\r\nhost: site0.example:", 200),
    ("GET / HTTP/1.1\r\nhost: site0.example.", 200),
    ("GET / HTTP/1.1\r\nhost: Site0.example.:8080", 200),
    ("GET / HTTP/1.1\r\nhost:   site0.example  ", 200),
    ("GET / HTTP/1.1\r\nhost: xn--bcher-kva.example", 200),
    ("GET / HTTP/1.1\r\nhost: XN--BCHER-KVA.example", 200),
    ("GET / HTTP/1.1\r\nhost: [::1]:8080", 200),
    ("GET / HTTP/1.1\r\nhost: [0:0:0::1]", 200),
    ("GET / HTTP/1.0\r\nhost: site0.example", 200),
    (
        "GET http://site0.example/ HTTP/1.1\r\nhost: site0.example",
        200,
    ),
    (
        "GET http://SITE0.example/ HTTP/1.1\r\nhost: site0.EXAMPLE",
        200,
    ),
    // Other mentions of hosts are ignored.
    (
        "GET / HTTP/1.1\r\nhost: site0.example\r\nx-forwarded-host: site1.example",
        200,
    ),
    (
        "GET / HTTP/1.1\r\nhost: site0.example\r\nforwarded: host=site1.example",
        200,
    ),
    (
        "GET / HTTP/1.1\r\nhost: site0.example\r\nx-host: site1.example\r\nx-original-host: site1.example",
        200,
    ),
    (
        "GET / HTTP/1.1\r\nhost: unknown.example\r\nx-forwarded-host: site0.example",
        421,
    ),
    // Unknown hosts, however similar.
    ("GET / HTTP/1.1\r\nhost: unknown.example", 421),
    ("GET / HTTP/1.1\r\nhost: a.site0.example", 421),
    ("GET / HTTP/1.1\r\nhost: site0.example.evil.example", 421),
    ("GET / HTTP/1.1\r\nhost: xsite0.example", 421),
    ("GET / HTTP/1.1\r\nhost: site0", 421),
    ("GET / HTTP/1.1\r\nhost: 127.0.0.1", 421),
    ("GET / HTTP/1.1\r\nhost: localhost", 421),
    ("GET / HTTP/1.1\r\nhost: xn--bcher-kvb.example", 421),
    (
        "GET http://unknown.example/ HTTP/1.1\r\nhost: unknown.example",
        421,
    ),
    ("GET / HTTP/1.0", 421),
    (
        "POST / HTTP/1.1\r\nhost: unknown.example\r\ncontent-length: 0",
        421,
    ),
    ("GET /_svc/health HTTP/1.1\r\nhost: 127.0.0.1", 200),
    ("GET /_svc/health HTTP/1.0", 200),
    // Requests with no host, two hosts or an invalid host.
    ("GET / HTTP/1.1", 400),
    ("GET / HTTP/1.1\r\nhost:", 400),
    (
        "GET / HTTP/1.1\r\nhost: site0.example\r\nhost: site0.example",
        400,
    ),
    (
        "GET / HTTP/1.1\r\nhost: site0.example\r\nhost: site1.example",
        400,
    ),
    ("GET / HTTP/1.1\r\nhost: site0.example, site1.example", 400),
    ("GET / HTTP/1.1\r\nhost: site0.example/..", 400),
    ("GET / HTTP/1.1\r\nhost: site1.example@site0.example", 400),
    ("GET / HTTP/1.1\r\nhost: site0.example:port", 400),
    ("GET / HTTP/1.1\r\nhost: site0.example..", 400),
    ("GET / HTTP/1.1\r\nhost: bücher.example", 400),
    ("GET / HTTP/1.1\r\nhost: b%C3%BCcher.example", 400),
    (
        "GET http://site0.example/ HTTP/1.1\r\nhost: site1.example",
        400,
    ),
    (
        "GET http://site1.example/ HTTP/1.1\r\nhost: site0.example",
        400,
    ),
    (
        "GET http://x@site0.example/ HTTP/1.1\r\nhost: site0.example",
        400,
    ),
];

#[test]
fn h11_every_spelling_of_a_host_selects_its_site() {
    let program = start(2, ([127, 0, 0, 1], 9).into());
    for (head, expected) in HOSTS {
        let request = format!("{head}\r\nconnection: close\r\n\r\n");
        let response = exchange(program.serving.addr, &request);
        assert_eq!(status(&response), *expected, "{head}\n{response}");
        let page = *expected == 200 && !head.contains("health");
        assert_eq!(response.contains(&mark(0)), page, "{head}");
        assert!(!response.contains(&mark(1)), "{head}");
    }
}

#[test]
fn a_second_host_redirects_to_the_first() {
    let program = start(1, ([127, 0, 0, 1], 9).into());
    let response = exchange(
        program.serving.addr,
        "GET /guides/start?a=b HTTP/1.1\r\nhost: www.site0.example:8080\r\nconnection: close\r\n\r\n",
    );
    assert_eq!(status(&response), 308);
    let location = "\r\nlocation: //site0.example:8080/guides/start?a=b\r\n";
    assert!(response.contains(location), "{response}");
}
