//! The relay of the playground, spoken to like a browser does, with an API on this machine.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

// Long because it is a list of requests, each with the answer it must get.

mod api;
mod serving;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::Api;
use serving::Serving;
use svc_fetch::Policy;
use svc_server::{Current, Relay, RelayLimits};
use svc_site::LoadOptions;

/// Stands in every secret of a request.
const CANARY: &str = "canary-5d1c";

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";

/// The document of an API: one operation of each kind that a test needs.
fn document(api: SocketAddr) -> String {
    format!(
        r#"{{"openapi": "3.1.0", "info": {{"title": "Pets", "version": "1"}},
        "servers": [{{"url": "http://{api}/v1"}}, {{"url": "https://{{region}}.api.example/v1", "variables": {{"region": {{"default": "eu", "enum": ["eu", "us"]}}}}}}],
        "components": {{"securitySchemes": {{"token": {{"type": "http", "scheme": "bearer"}}, "session": {{"type": "apiKey", "in": "cookie", "name": "sid"}}}}}},
        "paths": {{"/pets/{{id}}": {{
          "put": {{"summary": "Put", "tags": ["pets"], "security": [{{"token": []}}, {{"session": []}}], "parameters": [{{"name": "X-Trace", "in": "header", "schema": {{"type": "string"}}}}], "responses": {{"200": {{"description": "ok"}}}}}},
          "get": {{"summary": "Get", "tags": ["pets"], "responses": {{"200": {{"description": "ok"}}}}}}}}}}}}"#
    )
}

const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, "api": {"playground": {"proxy": PROXY}},
  "navigation": {"groups": [{"group": "Guides", "pages": ["index", "hand", "quiet"]}, {"group": "API", "openapi": "pets.json"}]}}"##;

const PUT: &str = "/api-reference/pets/put";
const GET: &str = "/api-reference/pets/get";

fn files(folder: &std::path::Path, api: SocketAddr, proxy: bool) {
    let config = CONFIG.replace("PROXY", &proxy.to_string());
    std::fs::write(folder.join("docs.json"), config).unwrap();
    std::fs::write(folder.join("pets.json"), document(api)).unwrap();
    std::fs::write(folder.join("index.mdx"), "Welcome.").unwrap();
    let hand = format!(
        "---\ntitle: By hand\napi: POST http://{api}/v2/things/{{id}}\nauthMethod: bearer\n---\n\n<ParamField path=\"id\" type=\"string\" required />\n\n<ParamField header=\"X-Hand\" type=\"string\" />\n"
    );
    let quiet = hand.replace("authMethod", "playground: simple\nauthMethod");
    std::fs::write(folder.join("hand.mdx"), hand).unwrap();
    std::fs::write(folder.join("quiet.mdx"), quiet).unwrap();
}

struct Site {
    serving: Serving,
    base: &'static str,
    _folder: tempfile::TempDir,
}

struct Options {
    proxy: bool,
    /// Whether the site is loaded for a server that passes requests on.
    wanted: bool,
    base: &'static str,
    /// What the relay may reach; nothing when it is off.
    allowed: Option<&'static [&'static str]>,
    relay: RelayLimits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            proxy: true,
            wanted: true,
            base: "",
            allowed: Some(&["127.0.0.1"]),
            relay: RelayLimits {
                burst: 100_000,
                ..RelayLimits::default()
            },
        }
    }
}

fn serve(api: &Api, options: Options) -> Site {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path(), api.address, options.proxy);
    let load = LoadOptions {
        base_path: options.base.to_owned(),
        relay: options.wanted,
        ..LoadOptions::default()
    };
    let site = Arc::new(svc_site::load(folder.path(), &load).unwrap().value);
    let policy = options
        .allowed
        .map(|allowed| Policy::allowing(allowed).unwrap());
    let current = Current::new(site);
    let relay = Relay::new(current.clone(), policy, options.relay);
    let posts = Some(relay.posts());
    Site {
        serving: Serving::start(serving::limits(), current.responder(), posts),
        base: options.base,
        _folder: folder,
    }
}

#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    /// The sentence of a refusal.
    fn error(&self) -> String {
        let json: serde_json::Value = serde_json::from_str(&self.body).unwrap();
        json["error"].as_str().unwrap().to_owned()
    }
}

/// A request for the relay.
struct Call {
    page: &'static str,
    url: String,
    method: &'static str,
    headers: Vec<(&'static str, String)>,
    /// Further lines of the request to the relay itself.
    lines: Vec<String>,
    body: Vec<u8>,
}

impl Call {
    fn put(api: &Api) -> Self {
        Self {
            page: PUT,
            url: format!("http://{}/v1/pets/7", api.address),
            method: "PUT",
            headers: Vec::new(),
            lines: vec!["sec-fetch-site: same-origin".to_owned()],
            body: Vec::new(),
        }
    }

    fn head(&self, site: &Site) -> String {
        let headers = escape(&serde_json::json!(self.headers).to_string());
        let mut head = format!(
            "POST {}/_svc/relay HTTP/1.1\r\nhost: {}\r\nsvc-page: {}\r\nsvc-url: {}\r\nsvc-method: {}\r\nsvc-headers: {headers}\r\nconnection: close\r\n",
            site.base, site.serving.address, self.page, self.url, self.method
        );
        for line in &self.lines {
            head.push_str(&format!("{line}\r\n"));
        }
        head
    }

    fn send(&self, site: &Site) -> Answer {
        let mut text = self.head(site).into_bytes();
        text.extend(format!("content-length: {}\r\n\r\n", self.body.len()).bytes());
        text.extend(&self.body);
        exchange(site.serving.address, &text)
    }
}

fn escape(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn unescape(text: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let hex: String = [bytes.next().unwrap(), bytes.next().unwrap()]
                .map(char::from)
                .iter()
                .collect();
            out.push(u8::from_str_radix(&hex, 16).unwrap());
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).unwrap()
}

fn exchange(address: SocketAddr, request: &[u8]) -> Answer {
    let mut socket = TcpStream::connect(address).unwrap();
    socket
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    // A server that refuses need not read all of it.
    let _ = socket.write_all(request);
    let mut bytes = Vec::new();
    let _ = socket.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).unwrap_or("0").parse().unwrap();
    let mut answer = Answer {
        status,
        head: head.to_owned(),
        body: body.to_owned(),
    };
    if answer.header("transfer-encoding") == Some("chunked") {
        let mut rest = body;
        let mut out = String::new();
        while let Some((size, after)) = rest.split_once("\r\n") {
            let size = usize::from_str_radix(size, 16).unwrap();
            out.push_str(&after[..size]);
            rest = after[size..].strip_prefix("\r\n").unwrap_or("");
        }
        answer.body = out;
    }
    answer
}

#[test]
fn a_call_of_the_operation_goes_out_and_its_answer_comes_back() {
    let api = Api::saying(
        "HTTP/1.1 404 Not Found\r\ncontent-type: text/html\r\nx-own: caf\u{e9}\r\nset-cookie: sid=1\r\nset-cookie: b=2\r\ncontent-length: 25\r\nconnection: close\r\n\r\n<script>alert(1)</script>",
    );
    let site = serve(&api, Options::default());
    let mut call = Call::put(&api);
    call.url.push_str("?q=a%20b#fragment");
    call.headers = vec![
        ("Authorization", "Bearer own".to_owned()),
        ("X-Trace", "t".to_owned()),
        ("Content-Type", "application/json".to_owned()),
        ("Cookie", "sid=own".to_owned()),
    ];
    call.body = b"{\"a\":1}".to_vec();
    call.lines.push("cookie: reader=secret".to_owned());
    call.lines.push("authorization: Basic secret".to_owned());
    call.lines.push("accept-language: xx".to_owned());
    let answer = call.send(&site);
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("svc-status"), Some("404"));
    assert!(answer.header("svc-elapsed").unwrap().parse::<u64>().is_ok());
    assert_eq!(answer.body, "<script>alert(1)</script>");
    let headers = unescape(answer.header("svc-headers").unwrap());
    assert_eq!(
        headers,
        "[[\"content-type\",\"text/html\"],[\"x-own\",\"caf\u{c3}\u{a9}\"],[\"content-length\",\"25\"]]"
    );
    for (name, value) in [
        ("content-type", "application/octet-stream"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "sandbox; default-src 'none'"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(answer.header(name), Some(value));
    }
    assert_eq!(answer.header("set-cookie"), None);
    let sent = api.requests().remove(0);
    assert!(
        sent.starts_with("PUT /v1/pets/7?q=a%20b HTTP/1.1\r\n"),
        "{sent}"
    );
    assert!(sent.ends_with("\r\n\r\n{\"a\":1}"), "{sent}");
    for line in [
        "authorization: Bearer own",
        "x-trace: t",
        "content-type: application/json",
        "cookie: sid=own",
        "accept-encoding: identity",
        "accept: */*",
        "content-length: 7",
        &format!("host: {}", api.address),
    ] {
        assert!(
            sent.contains(&format!("\r\n{line}\r\n")),
            "{line} in {sent}"
        );
    }
    for word in [
        "secret",
        "reader",
        "svc-page",
        "sec-fetch",
        "xx",
        "x-forwarded",
    ] {
        assert!(!sent.contains(word), "{word} in {sent}");
    }
}

#[test]
fn a_page_that_describes_its_endpoint_by_hand_has_a_relay_too() {
    let api = Api::saying(OK);
    let site = serve(&api, Options::default());
    let mut call = Call::put(&api);
    (call.page, call.method) = ("/hand", "POST");
    call.url = format!("http://{}/v2/things/7?x=1", api.address);
    call.headers = vec![
        ("X-Hand", "1".to_owned()),
        ("Authorization", "Bearer own".to_owned()),
    ];
    assert_eq!(call.send(&site).status, 200);
    let sent = api.requests().remove(0);
    assert!(
        sent.starts_with("POST /v2/things/7?x=1 ") && sent.contains("x-hand: 1"),
        "{sent}"
    );
    call.page = "/quiet";
    let answer = call.send(&site);
    assert_eq!(answer.status, 403);
    assert!(answer.error().contains("no playground"), "{answer:?}");
    call.page = "/hand";
    call.headers.push(("X-Other", "1".to_owned()));
    assert_eq!(call.send(&site).status, 403);
    call.headers.clear();
    call.url = format!("http://{}/v2/others/7", api.address);
    assert_eq!(call.send(&site).status, 403);
    assert_eq!(api.connections(), 1);
}

#[test]
fn a_site_below_a_base_path_has_its_relay_there() {
    let api = Api::saying(OK);
    let site = serve(
        &api,
        Options {
            base: "/docs",
            ..Options::default()
        },
    );
    assert_eq!(Call::put(&api).send(&site).status, 200);
    let text = Call::put(&api).head(&site).replace("/docs/_svc", "/_svc");
    assert_eq!(
        exchange(site.serving.address, format!("{text}\r\n").as_bytes()).status,
        405
    );
}

#[test]
fn of_a_thousand_random_targets_none_is_reached() {
    let api = Api::saying(OK);
    let other = Api::saying(OK);
    let site = serve(&api, Options::default());
    assert_eq!(Call::put(&api).send(&site).status, 200);
    let (own, foreign) = (api.address.to_string(), other.address.to_string());
    let port = api.address.port().to_string();
    let hosts = [
        own.clone(),
        foreign,
        format!("localhost:{port}"),
        format!("127.1:{port}"),
        format!("[::1]:{port}"),
        format!("[::ffff:127.0.0.1]:{port}"),
        format!("127.0.0.1.nip.io:{port}"),
        "cn.api.example".to_owned(),
        "eu.api.example.evil".to_owned(),
        "169.254.169.254".to_owned(),
        "xeu.api.example".to_owned(),
        format!("2130706434:{port}"),
    ];
    let paths = [
        "/v1/pets/7",
        "/v1/pets",
        "/v1/pets/7/8",
        "/v2/pets/7",
        "/pets/7",
        "/",
        "/v1/../v1/users/7",
        "/v1/pets/..%2F7",
        "/v1/pets/7%2f..%2fx",
        "//v1/pets/7",
        "/v1/users/7",
        "/latest/meta-data/",
    ];
    let methods = ["PUT", "GET", "POST", "DELETE", "CONNECT", "TRACE", "put"];
    let schemes = ["http", "https"];
    let mut state: u64 = 11;
    let mut pick = |most: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % most
    };
    let mut tried = 0;
    while tried < 1000 {
        let mut call = Call::put(&api);
        let (scheme, host, path) = (
            schemes[pick(2)],
            &hosts[pick(hosts.len())],
            paths[pick(paths.len())],
        );
        call.method = methods[pick(methods.len())];
        call.url = format!("{scheme}://{host}{path}");
        call.page = [PUT, GET, "/", "/nowhere", "/api-reference/pets"][pick(5)];
        // The one combination that is a call.
        let fits = path == "/v1/pets/7" && scheme == "http" && *host == own;
        if fits && (call.page == PUT || call.page == GET) {
            continue;
        }
        call.headers.push(("Authorization", CANARY.to_owned()));
        let answer = call.send(&site);
        assert_eq!(
            answer.status, 403,
            "{} {} {}: {answer:?}",
            call.page, call.method, call.url
        );
        assert!(!answer.error().contains(CANARY));
        tried += 1;
    }
    assert_eq!((api.connections(), other.connections()), (1, 0));
}

#[test]
fn only_declared_headers_are_sent() {
    let api = Api::saying(OK);
    let site = serve(&api, Options::default());
    let mut call = Call::put(&api);
    for name in [
        "X-Other",
        "X-Forwarded-For",
        "Host",
        "Connection",
        "Proxy-Authorization",
        "Origin",
        "Referer",
        "Sec-Fetch-Site",
    ] {
        call.headers = vec![(name, "1".to_owned())];
        let answer = call.send(&site);
        assert_eq!(answer.status, 403, "{name}");
        assert!(
            answer
                .error()
                .contains(&format!("`{}`", name.to_ascii_lowercase())),
            "{answer:?}"
        );
    }
    // The other operation asks for no credentials.
    call.page = GET;
    call.method = "GET";
    call.headers = vec![("Authorization", "1".to_owned())];
    assert_eq!(call.send(&site).status, 403);
    call.headers = vec![("Accept", "text/plain".to_owned())];
    assert_eq!(call.send(&site).status, 200);
    assert_eq!(api.connections(), 1);
}

#[test]
fn pages_of_other_sites_may_not_use_it() {
    let api = Api::saying(OK);
    let site = serve(&api, Options::default());
    let own = format!("origin: http://{}", site.serving.address);
    for (lines, status) in [
        (vec!["sec-fetch-site: same-origin"], 200),
        (vec!["sec-fetch-site: cross-site"], 403),
        (vec!["sec-fetch-site: same-site"], 403),
        (vec!["sec-fetch-site: none"], 403),
        (vec![own.as_str()], 200),
        (vec!["origin: https://evil.example"], 403),
        (vec!["origin: null"], 403),
        (vec!["sec-fetch-site: cross-site", own.as_str()], 403),
        (vec![], 200),
    ] {
        let mut call = Call::put(&api);
        call.lines = lines.iter().map(|line| (*line).to_owned()).collect();
        let answer = call.send(&site);
        assert_eq!(answer.status, status, "{lines:?}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    let preflight = format!(
        "OPTIONS /_svc/relay HTTP/1.1\r\nhost: {}\r\norigin: https://evil.example\r\naccess-control-request-method: POST\r\nconnection: close\r\n\r\n",
        site.serving.address
    );
    let answer = exchange(site.serving.address, preflight.as_bytes());
    assert_eq!(answer.status, 405);
    assert!(!answer.head.to_ascii_lowercase().contains("access-control"));
}

#[test]
fn a_broken_request_is_told_what_is_missing() {
    let api = Api::saying(OK);
    let site = serve(&api, Options::default());
    let head = Call::put(&api).head(&site);
    for (name, broken) in [
        ("svc-url", "svc-url: ftp://x/"),
        ("svc-url", "svc-url: /v1/pets/7"),
        ("svc-url", "svc-url: http://user:pass@127.0.0.1/"),
        ("svc-url", "svc-url: http://127.0.0.1:25/"),
        ("svc-url", "x: y"),
        ("svc-page", "x: y"),
        ("svc-page", "svc-page: /%ff"),
        ("svc-method", "x: y"),
        ("svc-method", "svc-method: P UT"),
        ("svc-headers", "x: y"),
        (
            "svc-headers",
            "svc-headers: %5B%5B%22a%0A%22%2C%22b%22%5D%5D",
        ),
    ] {
        let lines = head.split("\r\n").map(|line| {
            if line.starts_with(&format!("{name}:")) {
                broken
            } else {
                line
            }
        });
        let text = format!("{}\r\n", lines.collect::<Vec<_>>().join("\r\n"));
        let answer = exchange(site.serving.address, text.as_bytes());
        assert_eq!(answer.status, 400, "{broken}: {answer:?}");
        assert!(!answer.error().is_empty());
    }
    let get = format!(
        "GET /_svc/relay HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
        site.serving.address
    );
    assert_eq!(exchange(site.serving.address, get.as_bytes()).status, 404);
    assert_eq!(api.connections(), 0);
}

#[test]
fn a_site_or_an_operator_turns_it_off() {
    let api = Api::saying(OK);
    for options in [
        Options {
            proxy: false,
            ..Options::default()
        },
        Options {
            wanted: false,
            ..Options::default()
        },
        Options {
            allowed: None,
            ..Options::default()
        },
    ] {
        let site = serve(&api, options);
        let answer = Call::put(&api).send(&site);
        assert_eq!(answer.status, 404);
        assert_eq!(answer.error(), "this site does not pass requests on");
    }
    assert_eq!(api.connections(), 0);
}

#[test]
fn what_is_not_public_needs_the_word_of_the_operator() {
    let api = Api::saying(OK);
    for allowed in [&[][..], &["10.0.0.0/8"], &["localhost"], &["127.0.0.1:1"]] {
        let allowed: &'static [&'static str] = allowed;
        let site = serve(
            &api,
            Options {
                allowed: Some(allowed),
                ..Options::default()
            },
        );
        let answer = Call::put(&api).send(&site);
        assert_eq!(answer.status, 403);
        assert!(
            answer
                .error()
                .contains("this machine; the operator has not allowed it"),
            "{answer:?}"
        );
    }
    assert_eq!(api.connections(), 0);
}

#[test]
fn bodies_have_limits_in_both_directions() {
    let api = Api::new(|request, socket| {
        let size = if request.contains("big") { 3 << 20 } else { 2 };
        let endless = request.contains("endless");
        let head = if endless {
            "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_owned()
        } else {
            format!("HTTP/1.1 200 OK\r\ncontent-length: {size}\r\nconnection: close\r\n\r\n")
        };
        let _ = socket.write_all(head.as_bytes());
        let mut going = true;
        while going && endless {
            going = socket.write_all(&[b'x'; 65_536]).is_ok();
        }
        let _ = socket.write_all(&vec![b'x'; size]);
    });
    let relay = RelayLimits {
        body_bytes: 1 << 20,
        ..Options::default().relay
    };
    let site = serve(
        &api,
        Options {
            relay,
            ..Options::default()
        },
    );
    let mut call = Call::put(&api);
    call.body = vec![b'a'; (1 << 20) + 1];
    let answer = call.send(&site);
    assert_eq!((answer.status, api.connections()), (413, 0));
    // A body that does not say its length is cut where it gets too large.
    let mut text = format!(
        "{}transfer-encoding: chunked\r\n\r\n",
        Call::put(&api).head(&site)
    )
    .into_bytes();
    for _ in 0..20 {
        text.extend(b"10000\r\n");
        text.extend([b'a'; 65_536]);
        text.extend(b"\r\n");
    }
    text.extend(b"0\r\n\r\n");
    let answer = exchange(site.serving.address, &text);
    assert_eq!(answer.status, 413, "{}", answer.head);
    call.body = vec![b'a'; 1 << 20];
    assert_eq!(call.send(&site).status, 200);
    call.body = Vec::new();
    call.headers = vec![("X-Trace", "big".to_owned())];
    let answer = call.send(&site);
    assert_eq!(answer.status, 502);
    assert!(
        answer.error().contains("larger than 1048576 bytes"),
        "{answer:?}"
    );
    call.headers = vec![("X-Trace", "endless".to_owned())];
    let answer = call.send(&site);
    assert!(answer.body.len() <= 1 << 20, "{}", answer.body.len());
}

#[test]
fn silence_is_a_timeout_and_nobody_there_a_bad_gateway() {
    let api = Api::new(|request, socket| {
        if request.contains("noise") {
            let _ = socket.write_all(b"220 mail.example ESMTP\r\n");
            return;
        }
        std::thread::sleep(Duration::from_secs(3));
    });
    let relay = RelayLimits {
        patience: Duration::from_millis(300),
        ..Options::default().relay
    };
    let site = serve(
        &api,
        Options {
            relay,
            ..Options::default()
        },
    );
    let answer = Call::put(&api).send(&site);
    assert_eq!(answer.status, 504);
    assert_eq!(answer.error(), "`127.0.0.1` took too long to answer");
    let mut call = Call::put(&api);
    call.headers = vec![("X-Trace", "noise".to_owned())];
    assert_eq!(call.send(&site).status, 502);
    call.url = "https://eu.api.example/v1/pets/7".to_owned();
    let answer = call.send(&site);
    assert_eq!(answer.status, 502, "{answer:?}");
    // A reader whose body stands still.
    let text = format!(
        "{}content-length: 10\r\n\r\nabc",
        Call::put(&api).head(&site)
    );
    let answer = exchange(site.serving.address, text.as_bytes());
    assert!(matches!(answer.status, 408 | 504), "{answer:?}");
}

#[test]
fn a_redirect_is_shown_and_not_followed() {
    let other = Api::saying(OK);
    let to = format!("http://{}/v1/pets/7", other.address);
    let api = Api::new(move |_, socket| {
        let answer = format!(
            "HTTP/1.1 307 Elsewhere\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        let _ = socket.write_all(answer.as_bytes());
    });
    let site = serve(&api, Options::default());
    let answer = Call::put(&api).send(&site);
    assert_eq!(
        (answer.status, answer.header("svc-status")),
        (200, Some("307"))
    );
    assert!(unescape(answer.header("svc-headers").unwrap()).contains("location"));
    assert_eq!(other.connections(), 0);
}

#[test]
fn events_arrive_as_they_are_sent() {
    let (go, wait): (Sender<()>, Receiver<()>) = channel();
    let wait = Mutex::new(wait);
    let api = Api::new(move |_, socket| {
        let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: 1\n\n";
        let _ = socket.write_all(head);
        let _ = wait.lock().unwrap().recv();
        let _ = socket.write_all(b"data: 2\n\n");
    });
    let site = serve(&api, Options::default());
    let mut socket = TcpStream::connect(site.serving.address).unwrap();
    socket
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    socket
        .write_all(format!("{}\r\n", Call::put(&api).head(&site)).as_bytes())
        .unwrap();
    let mut seen = String::new();
    let mut reader = BufReader::new(socket);
    while !seen.contains("data: 1\n") {
        assert!(reader.read_line(&mut seen).unwrap() > 0, "{seen}");
    }
    assert!(!seen.contains("data: 2"));
    // Only now the target goes on.
    go.send(()).unwrap();
    while !seen.contains("data: 2\n") {
        assert!(reader.read_line(&mut seen).unwrap() > 0, "{seen}");
    }
}

#[test]
fn a_client_that_asks_too_often_has_to_wait() {
    let api = Api::saying(OK);
    let relay = RelayLimits {
        burst: 2,
        interval: Duration::from_secs(100),
        ..RelayLimits::default()
    };
    let site = serve(
        &api,
        Options {
            relay,
            ..Options::default()
        },
    );
    assert_eq!(Call::put(&api).send(&site).status, 200);
    assert_eq!(Call::put(&api).send(&site).status, 200);
    let answer = Call::put(&api).send(&site);
    assert_eq!(answer.status, 429);
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=100).contains(&seconds));
    assert_eq!(api.connections(), 2);
    // A proxy on this machine asks for somebody else.
    let mut call = Call::put(&api);
    call.lines
        .push("x-forwarded-for: 203.0.113.9, 198.51.100.7".to_owned());
    assert_eq!(call.send(&site).status, 200);
}

#[test]
fn requests_at_once_have_a_limit_and_places_come_back() {
    let (go, wait): (Sender<()>, Receiver<()>) = channel();
    let wait = Mutex::new(wait);
    let api = Api::new(move |_, socket| {
        let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n.");
        let _ = wait.lock().unwrap().recv();
        let _ = socket.write_all(b".");
    });
    let relay = RelayLimits {
        at_once_per_client: 1,
        ..Options::default().relay
    };
    let site = serve(
        &api,
        Options {
            relay,
            ..Options::default()
        },
    );
    let mut first = TcpStream::connect(site.serving.address).unwrap();
    first
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    first
        .write_all(format!("{}\r\n", Call::put(&api).head(&site)).as_bytes())
        .unwrap();
    let mut begun = [0; 12];
    first.read_exact(&mut begun).unwrap();
    assert_eq!(&begun, b"HTTP/1.1 200");
    assert_eq!(
        Call::put(&api).send(&site).status,
        429,
        "the only place is taken"
    );
    go.send(()).unwrap();
    let mut rest = Vec::new();
    first.read_to_end(&mut rest).unwrap();
    drop(go);
    let mut tries = 0;
    while Call::put(&api).send(&site).status == 429 {
        tries += 1;
        assert!(tries < 200, "the place does not come back");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn no_secret_reaches_the_output_of_the_program() {
    let api = Api::saying(OK);
    let folder = tempfile::tempdir().unwrap();
    files(folder.path(), api.address, true);
    let mut child = Command::new(env!("CARGO_BIN_EXE_svc-server"))
        .arg(folder.path())
        .args([
            "--listen",
            "127.0.0.1:0",
            "--verbose",
            "--relay-allow",
            "127.0.0.1",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let address = line
        .split("http://")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .unwrap();
    let site = Site {
        serving: Serving::elsewhere(address.parse().unwrap()),
        base: "",
        _folder: tempfile::tempdir().unwrap(),
    };
    let mut statuses = Vec::new();
    for (url, method) in [
        (
            format!("http://{}/v1/pets/{CANARY}?key={CANARY}", api.address),
            "PUT",
        ),
        (format!("http://{}/v1/{CANARY}", api.address), "PUT"),
        (format!("http://{CANARY}.example/"), "PUT"),
        (format!("https://eu.api.example/v1/pets/{CANARY}"), "PUT"),
    ] {
        let mut call = Call::put(&api);
        (call.url, call.method) = (url, method);
        call.headers = vec![
            ("Authorization", CANARY.to_owned()),
            ("X-Trace", CANARY.to_owned()),
        ];
        call.body = CANARY.as_bytes().to_vec();
        let answer = call.send(&site);
        statuses.push(answer.status);
    }
    assert_eq!(statuses, [200, 403, 403, 502]);
    assert!(api.requests().remove(0).contains(CANARY));
    child.kill().unwrap();
    let mut printed = line;
    out.read_to_string(&mut printed).unwrap();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut printed)
        .unwrap();
    assert!(!printed.contains(CANARY), "{printed}");
    child.wait().unwrap();
}
