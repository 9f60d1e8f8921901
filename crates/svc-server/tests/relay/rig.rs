//! A site with an OpenAPI document, its relay, and a browser that calls it.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use svc_fetch::Policy;
use svc_server::{Relay, RelayLimits, SiteHandle};
use svc_site::{LoadOptions, SiteOptions};

use crate::serving::{self, RunningServer};
use svc_test_support::api::StubApi;

/// Part of every secret of a request.
pub(crate) const CANARY: &str = "canary-5d1c";

pub(crate) const OK: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";

/// An OpenAPI document with one operation of each kind that a test needs.
pub(crate) fn document(api: SocketAddr) -> String {
    format!(
        r#"{{"openapi": "3.1.0", "info": {{"title": "Pets", "version": "1"}},
        "servers": [{{"url": "http://{api}/v1"}}, {{"url": "https://{{region}}.api.example/v1", "variables": {{"region": {{"default": "eu", "enum": ["eu", "us"]}}}}}}],
        "components": {{"securitySchemes": {{"token": {{"type": "http", "scheme": "bearer"}}, "session": {{"type": "apiKey", "in": "cookie", "name": "sid"}}}}}},
        "paths": {{"/pets/{{id}}": {{
          "put": {{"summary": "Put", "tags": ["pets"], "security": [{{"token": []}}, {{"session": []}}], "parameters": [{{"name": "X-Trace", "in": "header", "schema": {{"type": "string"}}}}], "responses": {{"200": {{"description": "ok"}}}}}},
          "get": {{"summary": "Get", "tags": ["pets"], "responses": {{"200": {{"description": "ok"}}}}}}}}}}}}"#
    )
}

pub(crate) const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"}, "api": {"playground": {"proxy": PROXY}},
  "navigation": {"groups": [{"group": "Guides", "pages": ["index", "hand", "quiet"]}, {"group": "API", "openapi": "pets.json"}]}}"##;

pub(crate) const PUT: &str = "/api-reference/pets/put";
pub(crate) const GET: &str = "/api-reference/pets/get";

pub(crate) fn files(dir: &std::path::Path, api: SocketAddr, proxy: bool) {
    let config = CONFIG.replace("PROXY", &proxy.to_string());
    std::fs::write(dir.join("docs.json"), config).unwrap();
    std::fs::write(dir.join("pets.json"), document(api)).unwrap();
    std::fs::write(dir.join("index.mdx"), "Welcome.").unwrap();
    let hand = format!(
        "---\ntitle: By hand\napi: POST http://{api}/v2/things/{{id}}\nauthMethod: bearer\n---\n\n<ParamField path=\"id\" type=\"string\" required />\n\n<ParamField header=\"X-Hand\" type=\"string\" />\n"
    );
    let quiet = hand.replace("authMethod", "playground: simple\nauthMethod");
    std::fs::write(dir.join("hand.mdx"), hand).unwrap();
    std::fs::write(dir.join("quiet.mdx"), quiet).unwrap();
}

pub(crate) struct Site {
    pub(crate) serving: RunningServer,
    pub(crate) base: &'static str,
    pub(crate) _dir: tempfile::TempDir,
}

pub(crate) struct Options {
    pub(crate) proxy: bool,
    /// Whether the site is loaded for a server with a relay.
    pub(crate) wanted: bool,
    pub(crate) base: &'static str,
    /// Targets that the relay can reach; `None` if it is disabled.
    pub(crate) allowed: Option<&'static [&'static str]>,
    pub(crate) relay: RelayLimits,
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

pub(crate) fn serve(api: &StubApi, options: Options) -> Site {
    let dir = tempfile::tempdir().unwrap();
    files(dir.path(), api.addr, options.proxy);
    let load = LoadOptions::from(SiteOptions {
        base_path: options.base.to_owned(),
        relay: options.wanted,
        ..SiteOptions::default()
    });
    let site = Arc::new(svc_site::load(dir.path(), &load).unwrap().value);
    let policy = options
        .allowed
        .map(|allowed| Policy::from_rules(allowed).unwrap());
    let current = SiteHandle::new(site);
    let relay = Relay::new(current.clone(), policy, options.relay);
    let posts = Some(relay.body_router());
    Site {
        serving: RunningServer::start(serving::limits(), current.responder(), posts),
        base: options.base,
        _dir: dir,
    }
}

#[derive(Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl TestResponse {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    /// The error message of a rejection.
    pub(crate) fn error(&self) -> String {
        let json: serde_json::Value = serde_json::from_str(&self.body).unwrap();
        json["error"].as_str().unwrap().to_owned()
    }
}

/// A request to the relay.
pub(crate) struct Call {
    pub(crate) page: &'static str,
    pub(crate) url: String,
    pub(crate) method: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    /// Additional header lines of the request to the relay.
    pub(crate) lines: Vec<String>,
    pub(crate) body: Vec<u8>,
}

impl Call {
    pub(crate) fn put(api: &StubApi) -> Self {
        Self {
            page: PUT,
            url: format!("http://{}/v1/pets/7", api.addr),
            method: "PUT",
            headers: Vec::new(),
            lines: vec!["sec-fetch-site: same-origin".to_owned()],
            body: Vec::new(),
        }
    }

    pub(crate) fn head(&self, site: &Site) -> String {
        let headers = escape(&serde_json::json!(self.headers).to_string());
        let mut head = format!(
            "POST {}/_svc/relay HTTP/1.1\r\nhost: {}\r\nsvc-page: {}\r\nsvc-url: {}\r\nsvc-method: {}\r\nsvc-headers: {headers}\r\nconnection: close\r\n",
            site.base, site.serving.addr, self.page, self.url, self.method
        );
        for line in &self.lines {
            head.push_str(&format!("{line}\r\n"));
        }
        head
    }

    pub(crate) fn send(&self, site: &Site) -> TestResponse {
        let mut text = self.head(site).into_bytes();
        text.extend(format!("content-length: {}\r\n\r\n", self.body.len()).bytes());
        text.extend(&self.body);
        exchange(site.serving.addr, &text)
    }
}

pub(crate) fn escape(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

pub(crate) fn unescape(text: &str) -> String {
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

pub(crate) fn exchange(addr: SocketAddr, request: &[u8]) -> TestResponse {
    let mut socket = TcpStream::connect(addr).unwrap();
    socket
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    // A server that rejects a request need not read it completely.
    let _ = socket.write_all(request);
    let mut bytes = Vec::new();
    let _ = socket.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).unwrap_or("0").parse().unwrap();
    let mut response = TestResponse {
        status,
        head: head.to_owned(),
        body: body.to_owned(),
    };
    if response.header("transfer-encoding") == Some("chunked") {
        let mut rest = body;
        let mut out = String::new();
        while let Some((size, after)) = rest.split_once("\r\n") {
            let size = usize::from_str_radix(size, 16).unwrap();
            out.push_str(&after[..size]);
            rest = after[size..].strip_prefix("\r\n").unwrap_or("");
        }
        response.body = out;
    }
    response
}
