//! A real provider: the npm package `oidc-provider`.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::json;
use url::Url;

use super::browser::Browser;
use super::{SECRET, oidc_table};
use crate::readers::start_behind;

/// The program, which ends with the test.
struct ProviderProgram {
    child: Child,
    /// Open until the end: the program must not fail when it writes to it.
    _output: BufReader<ChildStdout>,
    issuer: Url,
    cookies: BTreeMap<String, String>,
}

impl Drop for ProviderProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl ProviderProgram {
    /// Starts the program; `None` if it is not installed.
    fn start() -> Option<Self> {
        let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        let packages = workspace.join("target/npm");
        if !packages.join("node_modules/oidc-provider").is_dir() {
            let packages = packages.display();
            svc_test_support::skip(format_args!(
                "there is no oidc-provider in {packages}; `cargo xtask ci install` fetches it with npm"
            ));
            return None;
        }
        let script = workspace.join("crates/svc-server/tests/readers_oidc/provider.mjs");
        let mut child = Command::new("node")
            .arg(script)
            .arg(packages.canonicalize().unwrap())
            .arg(SECRET)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // It warns that nobody should run it like this.
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        while !line.starts_with("http") {
            line.clear();
            assert_ne!(output.read_line(&mut line).unwrap(), 0, "it has ended");
        }
        Some(Self {
            child,
            _output: output,
            issuer: Url::parse(line.trim()).unwrap(),
            cookies: BTreeMap::new(),
        })
    }

    /// Sends a request as the browser of the user. Returns status, location and body.
    fn send(&mut self, method: &str, url: &str, form: &str) -> (u16, String, String) {
        let url = self.issuer.join(url).unwrap();
        let addr = url.socket_addrs(|| None).unwrap();
        let mut stream = TcpStream::connect(addr[0]).unwrap();
        let target = &url[url::Position::BeforePath..];
        let pairs = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let cookies = pairs.collect::<Vec<_>>().join("; ");
        let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
        write!(
            stream,
            "{method} {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\naccept: text/html\r\ncookie: {cookies}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
            form.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let mut location = String::new();
        for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
            match name.to_ascii_lowercase().as_str() {
                "location" => value.clone_into(&mut location),
                "set-cookie" => {
                    let pair = value.split(';').next().unwrap();
                    let (name, value) = pair.split_once('=').unwrap();
                    match value {
                        "" => self.cookies.remove(name),
                        value => self.cookies.insert(name.to_owned(), value.to_owned()),
                    };
                }
                _ => {}
            }
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, location, body.to_owned())
    }

    /// Follows the provider until it sends the browser back to the site, and signs in and agrees
    /// on the way. Returns the path of the site.
    fn follow(&mut self, url: &str) -> String {
        let mut url = url.to_owned();
        for _ in 0..12 {
            let (status, location, body) = self.send("GET", &url, "");
            if let Some(path) = location.strip_prefix("http://docs.example.com") {
                return path.to_owned();
            }
            if !location.is_empty() {
                url = location;
                continue;
            }
            assert_eq!(status, 200, "{body}");
            let form = match body.contains("name=\"login\"") {
                true => "prompt=login&login=ada&password=x",
                false => "prompt=consent",
            };
            let (status, location, body) = self.send("POST", &url, form);
            assert_eq!(status, 303, "{body}");
            url = location;
        }
        panic!("the provider does not send the browser back: {url}");
    }

    /// Signs out at the provider.
    fn end_session(&mut self) {
        let (_, _, body) = self.send("GET", "/session/end", "");
        let (_, rest) = body.split_once("name=\"xsrf\" value=\"").unwrap();
        let token = rest.split('"').next().unwrap();
        let form = format!("xsrf={token}&logout=yes");
        let (status, _, body) = self.send("POST", "/session/end/confirm", &form);
        assert!(status < 400, "{body}");
    }
}

#[test]
fn readers_sign_in_at_a_real_provider_and_it_ends_their_session() {
    let Some(mut provider) = ProviderProgram::start() else {
        return;
    };
    let issuer = provider.issuer.as_str().trim_end_matches('/').to_owned();
    let table = oidc_table(
        &issuer,
        "scopes = [\"email\", \"profile\", \"groups\"]\nallowed_domains = [\"example.com\"]\n",
    );
    let server = start_behind("192.0.2.1", "", &format!("private = true\n{table}"));
    let mut input = provider.child.stdin.take().unwrap();
    writeln!(input, "{}", server.addr.port()).unwrap();
    let mut ada = Browser::new(&server);
    let begin = ada.open("/_svc/sign-in/start?next=%2Fstaff-only");
    let url = begin.header("location").unwrap().to_owned();
    let callback = provider.follow(&url);
    let response = ada.open(&callback);
    assert_eq!(
        (response.status, response.header("location")),
        (303, Some("/staff-only")),
        "{}",
        response.body
    );
    let reader = ada.reader();
    assert_eq!(
        (&reader["name"], &reader["email"], &reader["groups"]),
        (
            &json!("Name of ada"),
            &json!("ada@example.com"),
            &json!(["staff"])
        )
    );
    assert_eq!(ada.open("/staff-only").status, 200);
    // The code is valid once, whatever the browser sends.
    assert_eq!(ada.open(&callback).status, 400);
    assert!(ada.is_signed_in());
    // The provider confirms the session of its user without a page.
    let begin = ada.open("/_svc/sign-in/start?silent=1&next=%2Fopen");
    let url = begin.header("location").unwrap().to_owned();
    assert!(url.contains("prompt=none"), "{url}");
    let response = ada.open(&provider.follow(&url));
    assert_eq!(response.header("location"), Some("/open"));
    provider.end_session();
    assert!(!ada.is_signed_in(), "back-channel logout");
    // Without a session, the provider does not confirm one.
    let begin = ada.open("/_svc/sign-in/start?next=%2Fopen");
    let url = format!("{}&prompt=none", begin.header("location").unwrap());
    let callback = provider.follow(&url);
    assert!(callback.contains("error=login_required"), "{callback}");
    assert_eq!(ada.open(&callback).status, 400);
}
