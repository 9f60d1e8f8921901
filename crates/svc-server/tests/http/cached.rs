//! Responses that are sent again without the HTTP library.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest as _, Sha256};
use svc_server::{Limits, Responder, Served, SiteHandle, Sites};
use svc_site::LoadOptions;
use svc_source::SourceTree;

use crate::http::rig::{CONFIG, TestResponse, TestServer, start, start_counted};
use crate::serving::RunningServer;

/// Header lines of requests, with and without a cached response.
const HEADERS: &[&str] = &[
    "",
    "Accept-Encoding: gzip\r\n",
    "Accept-Encoding: br\r\n",
    "Accept-Encoding: identity\r\n",
    "Accept: text/markdown\r\n",
    "Accept: text/html\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: de\r\n",
    "User-Agent: a\r\nReferer: http://a/\r\nSec-Fetch-Mode: navigate\r\nDNT: 1\r\nPriority: u=0\r\n",
    "Cookie: svc_language=de\r\n",
    "Range: bytes=0-3\r\n",
    "If-None-Match: *\r\n",
    "If-Match: \"other\"\r\n",
    "X-Forwarded-Proto: https\r\n",
];
const PATHS: &[&str] = &[
    "/",
    "/guides/start",
    "/guides/start?a=b",
    "/guides/start/",
    "/none",
];

/// Reads a response with a length.
fn read(socket: &mut TcpStream) -> TestResponse {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        socket.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap().trim_end().to_owned();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let mut response = TestResponse {
        status,
        head,
        body: Vec::new(),
    };
    let length = response.header("content-length").unwrap_or("0");
    response.body = vec![0; length.parse().unwrap()];
    socket.read_exact(&mut response.body).unwrap();
    response
}

fn get(socket: &mut TcpStream, path: &str, headers: &str) -> TestResponse {
    let text = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
    socket.write_all(text.as_bytes()).unwrap();
    read(socket)
}

/// Head and body of a response, without what each response has of its own.
fn content(response: &TestResponse) -> (Vec<&str>, String) {
    let is_own = |line: &str| {
        let names = ["date:", "connection:", "x-request-id:"];
        names.iter().any(|name| line.starts_with(name))
    };
    let lines = response.head.lines().filter(|line| !is_own(line));
    let mut lines: Vec<&str> = lines.collect();
    lines.sort_unstable();
    let body = format!("{:x}", Sha256::digest(&response.body));
    (lines, body)
}

/// Requests a page until its response is cached, and then on a new connection.
fn get_cached(server: &TestServer, path: &str, headers: &str) -> TestResponse {
    let mut socket = server.connect();
    for _ in 0..2 {
        get(&mut socket, path, headers);
    }
    get(&mut server.connect(), path, headers)
}

#[test]
fn h10_a_cached_response_is_the_same_as_one_of_the_library() {
    let server = start();
    for path in PATHS {
        for headers in HEADERS {
            let cached = get_cached(&server, path, headers);
            let expected = server.request("GET", path, headers);
            assert_eq!(content(&cached), content(&expected), "{path} {headers}");
            assert!(cached.header("date").is_some(), "{path} {headers}");
        }
    }
}

#[test]
fn h10_only_the_first_requests_of_a_page_are_handled() {
    let counter = Arc::new(AtomicUsize::new(0));
    let server = start_counted(Limits::default(), &counter);
    get_cached(&server, "/guides/start", "");
    let first = counter.load(Ordering::SeqCst);
    assert_eq!(first, 2, "one renders the page, and one is cached");
    let mut socket = server.connect();
    for agent in ["a", "b", "c"] {
        let headers = format!("User-Agent: {agent}\r\nConnection: keep-alive\r\n");
        assert_eq!(get(&mut socket, "/guides/start", &headers).status, 200);
    }
    assert_eq!(counter.load(Ordering::SeqCst), first);
    for headers in [
        "Cookie: a=b\r\n",
        "Accept: text/markdown\r\n",
        "If-None-Match: *\r\n",
    ] {
        let before = counter.load(Ordering::SeqCst);
        get(&mut server.connect(), "/guides/start", headers);
        assert_eq!(counter.load(Ordering::SeqCst), before + 1, "{headers}");
    }
}

#[test]
fn h10_requests_in_one_packet_and_in_many_get_their_responses_in_order() {
    let server = start();
    get_cached(&server, "/", "");
    let request = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let paths = ["/", "/", "/spec.json", "/", "/none", "/", "/guides/start"];
    let text: String = paths.iter().map(|path| request(path)).collect();
    let expected = paths.map(|path| server.get(path));
    for size in [1, 7, text.len()] {
        let mut socket = server.connect();
        socket.set_nodelay(true).unwrap();
        let mut other = socket.try_clone().unwrap();
        let text = text.clone();
        let sending = std::thread::spawn(move || {
            for part in text.as_bytes().chunks(size) {
                other.write_all(part).unwrap();
            }
        });
        for (path, expected) in paths.iter().zip(&expected) {
            let response = read(&mut socket);
            assert_eq!(content(&response), content(expected), "{path} {size}");
        }
        sending.join().unwrap();
    }
}

#[test]
fn h01_a_body_that_a_cached_request_does_not_have_is_not_a_request() {
    let server = start();
    get_cached(&server, "/", "");
    for framing in [
        "Content-Length: 4\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
    ] {
        let text = format!(
            "GET / HTTP/1.1\r\nHost: localhost\r\n{framing}\r\nGET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"
        );
        let all = server.raw(text.as_bytes());
        assert_eq!(
            String::from_utf8_lossy(&all).matches("HTTP/1.1 ").count(),
            1
        );
    }
}

fn site(word: &str) -> Arc<svc_site::Site> {
    let page = format!("---\ntitle: Home\n---\n\n{word}\n");
    let files = [
        ("docs.json", CONFIG),
        ("index.mdx", &*page),
        ("guides/start.mdx", "Start."),
        ("guides/index.mdx", "Guides."),
    ];
    let tree = SourceTree::from_files(files);
    Arc::new(
        svc_site::assemble(tree, &LoadOptions::default())
            .unwrap()
            .value,
    )
}

fn serve(responder: Responder) -> RunningServer {
    RunningServer::start(Limits::default(), responder, None)
}

/// Connects, and requests the start page until it is cached.
fn connect(serving: &RunningServer) -> TcpStream {
    let mut socket = TcpStream::connect(serving.addr).unwrap();
    for _ in 0..4 {
        get(&mut socket, "/", "");
    }
    let mut socket = TcpStream::connect(serving.addr).unwrap();
    assert_eq!(get(&mut socket, "/", "").status, 200);
    socket
}

#[test]
fn h10_a_replaced_site_is_served_at_once() {
    let current = SiteHandle::new(site("wordone"));
    let serving = serve(current.responder());
    let mut socket = connect(&serving);
    for word in ["wordtwo", "wordthree"] {
        current.swap(site(word));
        let text = get(&mut socket, "/", "").text();
        assert!(text.contains(word), "{word}");
        connect(&serving);
    }
}

#[test]
fn h10_a_change_of_a_host_takes_effect_at_once() {
    let current = SiteHandle::new(site("wordone"));
    let sites = Sites::default();
    sites.set("localhost", Served::new(current.clone(), "docs"));
    let serving = serve(sites.responder());
    let mut socket = connect(&serving);
    let mut hidden = Served::new(current, "docs");
    hidden.noindex = true;
    sites.set("localhost", hidden);
    let response = get(&mut socket, "/", "");
    assert_eq!(response.header("x-robots-tag"), Some("noindex, nofollow"));
    let mut socket = connect(&serving);
    sites.remove("localhost");
    assert_eq!(get(&mut socket, "/", "").status, 421);
}
