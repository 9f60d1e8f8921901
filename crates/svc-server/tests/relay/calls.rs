//! Requests to the target and their responses.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use crate::relay::rig::{Call, OK, Options, exchange, serve, unescape};
use svc_test_support::api::StubApi;

#[test]
fn a_call_of_the_operation_is_relayed() {
    let api = StubApi::with_response(
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
    let response = call.send(&site);
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.header("svc-status"), Some("404"));
    assert!(
        response
            .header("svc-elapsed")
            .unwrap()
            .parse::<u64>()
            .is_ok()
    );
    assert_eq!(response.body, "<script>alert(1)</script>");
    let headers = unescape(response.header("svc-headers").unwrap());
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
        assert_eq!(response.header(name), Some(value));
    }
    assert_eq!(response.header("set-cookie"), None);
    let request = api.requests().remove(0);
    assert!(
        request.starts_with("PUT /v1/pets/7?q=a%20b HTTP/1.1\r\n"),
        "{request}"
    );
    assert!(request.ends_with("\r\n\r\n{\"a\":1}"), "{request}");
    for line in [
        "authorization: Bearer own",
        "x-trace: t",
        "content-type: application/json",
        "cookie: sid=own",
        "accept-encoding: identity",
        "accept: */*",
        "content-length: 7",
        &format!("host: {}", api.addr),
    ] {
        assert!(
            request.contains(&format!("\r\n{line}\r\n")),
            "{line} in {request}"
        );
    }
    for value in [
        "secret",
        "reader",
        "svc-page",
        "sec-fetch",
        "xx",
        "x-forwarded",
    ] {
        assert!(!request.contains(value), "{value} in {request}");
    }
}

#[test]
fn a_manually_documented_endpoint_has_a_relay() {
    let api = StubApi::with_response(OK);
    let site = serve(&api, Options::default());
    let mut call = Call::put(&api);
    (call.page, call.method) = ("/hand", "POST");
    call.url = format!("http://{}/v2/things/7?x=1", api.addr);
    call.headers = vec![
        ("X-Hand", "1".to_owned()),
        ("Authorization", "Bearer own".to_owned()),
    ];
    assert_eq!(call.send(&site).status, 200);
    let request = api.requests().remove(0);
    assert!(
        request.starts_with("POST /v2/things/7?x=1 ") && request.contains("x-hand: 1"),
        "{request}"
    );
    call.page = "/quiet";
    let response = call.send(&site);
    assert_eq!(response.status, 403);
    assert!(response.error().contains("no playground"), "{response:?}");
    call.page = "/hand";
    call.headers.push(("X-Other", "1".to_owned()));
    assert_eq!(call.send(&site).status, 403);
    call.headers.clear();
    call.url = format!("http://{}/v2/others/7", api.addr);
    assert_eq!(call.send(&site).status, 403);
    assert_eq!(api.connections(), 1);
}

#[test]
fn the_relay_is_below_the_base_path() {
    let api = StubApi::with_response(OK);
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
        exchange(site.serving.addr, format!("{text}\r\n").as_bytes()).status,
        405
    );
}

#[test]
fn a_redirect_is_returned_and_not_followed() {
    let other = StubApi::with_response(OK);
    let to = format!("http://{}/v1/pets/7", other.addr);
    let api = StubApi::new(move |_, socket| {
        let response = format!(
            "HTTP/1.1 307 Elsewhere\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        let _ = socket.write_all(response.as_bytes());
    });
    let site = serve(&api, Options::default());
    let response = Call::put(&api).send(&site);
    assert_eq!(
        (response.status, response.header("svc-status")),
        (200, Some("307"))
    );
    assert!(unescape(response.header("svc-headers").unwrap()).contains("location"));
    assert_eq!(other.connections(), 0);
}

#[test]
fn events_arrive_as_they_are_sent() {
    let (go, wait): (Sender<()>, Receiver<()>) = channel();
    let wait = Mutex::new(wait);
    let api = StubApi::new(move |_, socket| {
        let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: 1\n\n";
        let _ = socket.write_all(head);
        let _ = wait.lock().unwrap().recv();
        let _ = socket.write_all(b"data: 2\n\n");
    });
    let site = serve(&api, Options::default());
    let mut socket = TcpStream::connect(site.serving.addr).unwrap();
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
    // Only now does the target continue.
    go.send(()).unwrap();
    while !seen.contains("data: 2\n") {
        assert!(reader.read_line(&mut seen).unwrap() > 0, "{seen}");
    }
}
