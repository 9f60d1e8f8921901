//! H1: requests of HTTP/1.1 that are unusual or malformed, byte by byte. Each gets one response, so
//! that a proxy in front of the server counts the same number of requests. Where a standard allows
//! more than one reaction, the stricter one is expected.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use svc_server::Limits;

use crate::http::rig::{TestServer, start_with};

/// Bytes of a part of a request, and the status of the response; 0 if the connection is closed
/// without one.
type Case = (&'static [u8], u16);

/// Request lines.
const LINES: &[Case] = &[
    (b"GET /picture.png HTTP/1.1", 200),
    (b"HEAD /picture.png HTTP/1.1", 200),
    (b"\r\nGET /picture.png HTTP/1.1", 200),
    (b"\r\n\r\nGET /picture.png HTTP/1.1", 200),
    (b"GET http://a/picture.png HTTP/1.1", 200),
    (b"GET HTTP://a/picture.png HTTP/1.1", 200),
    (b"GET /picture.png?a=b?c HTTP/1.1", 200),
    (b"GET /%70icture.png HTTP/1.1", 200),
    (b"get /picture.png HTTP/1.1", 405),
    (b"GETS /picture.png HTTP/1.1", 405),
    (b"OPTIONS * HTTP/1.1", 405),
    (b"TRACE /picture.png HTTP/1.1", 405),
    (b"CONNECT a:443 HTTP/1.1", 400),
    (b"CONNECT a HTTP/1.1", 405),
    (b"GET * HTTP/1.1", 400),
    (b"GET picture.png HTTP/1.1", 400),
    (b"GET a:80 HTTP/1.1", 400),
    (b"GET http:///picture.png HTTP/1.1", 400),
    (b"GET http://b/picture.png HTTP/1.1", 400),
    (b"GET http://u@a/picture.png HTTP/1.1", 400),
    (b"GET  /picture.png HTTP/1.1", 400),
    (b"GET /picture.png  HTTP/1.1", 400),
    (b"GET\t/picture.png HTTP/1.1", 400),
    (b"GET /picture.png\tHTTP/1.1", 400),
    (b" GET /picture.png HTTP/1.1", 400),
    (b"GET /picture.png HTTP/1.1 ", 400),
    (b"GET /picture.png HTTP/1.1 x", 400),
    (b"GET /pic ture.png HTTP/1.1", 400),
    (b"GET /\0picture.png HTTP/1.1", 400),
    (b"GET /\x7fpicture.png HTTP/1.1", 400),
    (b"GET /picture.png", 400),
    (b"GET", 400),
    (b"/picture.png HTTP/1.1", 400),
    (b"GET /picture.png HTTP/1.2", 400),
    (b"GET /picture.png HTTP/1.10", 400),
    (b"GET /picture.png HTTP/01.1", 400),
    (b"GET /picture.png HTTP/0.9", 400),
    (b"GET /picture.png HTTP/2.0", 400),
    (b"GET /picture.png HTTP/3", 400),
    (b"GET /picture.png HTTP/1,1", 400),
    (b"GET /picture.png http/1.1", 400),
    (b"GET /picture.png HTTPS/1.1", 400),
    (b"G(T /picture.png HTTP/1.1", 400),
    (b"G\0T /picture.png HTTP/1.1", 400),
    (b"G\xc3\x89T /picture.png HTTP/1.1", 400),
    (b"GET /picture.png HTTP/1.1\rX: y", 400),
];

/// Header lines after `Host`.
const FIELDS: &[Case] = &[
    (b"X: y", 200),
    (b"X:y", 200),
    (b"X:", 200),
    (b"X: \t y \t ", 200),
    (b"X: a\tb", 200),
    // RFC 9112, section 2.2, allows a line to end without CR.
    (b"X: a\nY: b", 200),
    (b"X: \xc3\xa4", 200),
    (b"X!#$%&'*+-.^_`|~9: y", 200),
    (b"X: y\r\nX: y", 200),
    (b"X : y", 400),
    (b"X\t: y", 400),
    (b"X y: z", 400),
    (b"X", 400),
    (b": y", 400),
    (b" X: y", 400),
    (b"\tX: y", 400),
    (b"X: y\r\n z", 400),
    (b"X: y\r\n\tz", 400),
    (b"X:\r\n y", 400),
    (b"X: a\0b", 400),
    (b"X: a\x01b", 400),
    (b"X: a\x7fb", 400),
    (b"X: a\rb", 400),
    (b"X\0: y", 400),
    (b"X(Y): z", 400),
    (b"X;Y: z", 400),
    (b"X[]: z", 400),
    (b"X\xc3\xa4: y", 400),
    (b"Host: a", 400),
    (b"host:b", 400),
    (b"Content-Length : 0", 400),
    (b"Content-Length\t: 0", 400),
    (b"Transfer-Encoding : chunked", 400),
    (b"Transfer-Encoding\x0b: chunked", 400),
];

/// Values of `Content-Length`, before the body `abc`.
const LENGTHS: &[Case] = &[
    (b" 3", 200),
    (b"3", 200),
    (b"\t3 ", 200),
    (b" 003", 200),
    (b" +3", 400),
    (b" -3", 400),
    (b" 0x3", 400),
    (b" 3.0", 400),
    (b" 3e0", 400),
    (b" 3 3", 400),
    (b" 3, 4", 400),
    (b" 3;a", 400),
    (b" \"3\"", 400),
    (b" three", 400),
    (b"", 400),
    (b" \xef\xbc\x93", 400),
    (b" 18446744073709551616", 400),
    (b" 18446744073709551619", 400),
    (b" 65537", 413),
    (b" 9223372036854775807", 413),
    (b" 3\r\nContent-Length: 4", 400),
    (b" 4\r\nContent-Length: 3", 400),
    (b" 3\r\nTransfer-Encoding: chunked", 400),
    (b" 3\r\nTransfer-Encoding: identity", 400),
    (b" 0\r\nTransfer-Encoding: chunked", 400),
];

/// Values of `Transfer-Encoding`, before an empty chunked body.
const CODINGS: &[Case] = &[
    (b" chunked", 200),
    (b"chunked", 200),
    (b" Chunked", 200),
    (b" CHUNKED", 200),
    (b"\tchunked\t", 200),
    (b"", 400),
    (b" xchunked", 400),
    (b" chunkedx", 400),
    (b" chunke", 400),
    (b" chunked;q=1", 400),
    (b" \"chunked\"", 400),
    (b" chunked,", 400),
    (b" ,chunked", 400),
    (b" chunked chunked", 400),
    (b" chunked, chunked", 400),
    (b" identity", 400),
    (b" identity, chunked", 400),
    (b" gzip", 400),
    (b" gzip, chunked", 400),
    (b" chunked, gzip", 400),
    (b" chunked\x0b", 400),
    (b" \x0bchunked", 400),
    (b" chun\0ked", 400),
    (b" chunked\r\nTransfer-Encoding: chunked", 400),
    (b" chunked\r\nTransfer-Encoding: identity", 400),
    (b" identity\r\nTransfer-Encoding: chunked", 400),
    (b" chunked\r\nContent-Length: 5", 400),
    (b" chunked\r\nContent-Length: 0", 400),
];

/// Chunked bodies.
const CHUNKS: &[Case] = &[
    (b"0\r\n\r\n", 200),
    (b"3\r\nabc\r\n0\r\n\r\n", 200),
    (b"1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", 200),
    (b"A\r\n0123456789\r\n0\r\n\r\n", 200),
    (b"a\r\n0123456789\r\n0\r\n\r\n", 200),
    (b"003\r\nabc\r\n000\r\n\r\n", 200),
    (b"3;a\r\nabc\r\n0\r\n\r\n", 200),
    (b"3;a=b;c=\"d\"\r\nabc\r\n0;e\r\n\r\n", 200),
    (b"0\r\nX: y\r\n\r\n", 200),
    (b"0\r\nContent-Length: 5\r\nHost: b\r\n\r\n", 200),
    (b"0x3\r\nabc\r\n0\r\n\r\n", 400),
    (b"+3\r\nabc\r\n0\r\n\r\n", 400),
    (b"-3\r\nabc\r\n0\r\n\r\n", 400),
    (b" 3\r\nabc\r\n0\r\n\r\n", 400),
    (b"g\r\nabc\r\n0\r\n\r\n", 400),
    (b"\r\nabc\r\n0\r\n\r\n", 400),
    (b";a\r\nabc\r\n0\r\n\r\n", 400),
    (b"3 3\r\nabc\r\n0\r\n\r\n", 400),
    (b"3,3\r\nabc\r\n0\r\n\r\n", 400),
    (b"3\r\nabcd\r\n0\r\n\r\n", 400),
    (b"3\r\nabc0\r\n\r\n", 400),
    (b"3\r\nabc\n0\r\n\r\n", 400),
    (b"3\nabc\r\n0\r\n\r\n", 400),
    (b"3\rabc\r\n0\r\n\r\n", 400),
    (b"3;a\nb\r\nabc\r\n0\r\n\r\n", 400),
    (b"3;a\n\r\nabc\r\n0\r\n\r\n", 400),
    (b"10000000000000003\r\nabc\r\n0\r\n\r\n", 400),
    (b"fffffffffffffffff\r\nabc\r\n0\r\n\r\n", 400),
    // The body is never complete.
    (b"3\r\nab", 408),
    (b"3\r\nabc\r\n", 408),
    (b"0\r\n", 408),
    (b"ffff\r\nabc\r\n0\r\n\r\n", 408),
];

/// The request of a case.
fn request(head: &str, part: &[u8], rest: &str) -> Vec<u8> {
    [head.as_bytes(), part, rest.as_bytes()].concat()
}

/// All requests with the status of their response.
pub(crate) fn requests() -> Vec<(Vec<u8>, u16)> {
    let get = "GET /picture.png HTTP/1.1\r\nHost: a\r\n";
    let length = format!("{get}Content-Length:");
    let coding = format!("{get}Transfer-Encoding:");
    let body = format!("{coding} chunked\r\n\r\n");
    let groups = [
        ("", LINES, "\r\nHost: a\r\n\r\n"),
        (get, FIELDS, "\r\n\r\n"),
        (&length, LENGTHS, "\r\n\r\nabc"),
        (&coding, CODINGS, "\r\n\r\n0\r\n\r\n"),
        (&body, CHUNKS, ""),
    ];
    let all = groups.into_iter().flat_map(|(head, cases, rest)| {
        let one = move |(part, status): &Case| (request(head, part, rest), *status);
        cases.iter().map(one).collect::<Vec<_>>()
    });
    all.collect()
}

/// Describes how the response differs from the expected one.
fn difference(server: &TestServer, bytes: &[u8], expected: u16) -> Option<String> {
    let all = server.raw(bytes);
    let text = String::from_utf8_lossy(&all);
    let statuses: Vec<&str> = text
        .match_indices("HTTP/1.1 ")
        .filter_map(|(at, line)| text.get(at + line.len()..at + line.len() + 3))
        .collect();
    let wanted = expected.to_string();
    let wanted = if expected == 0 {
        vec![]
    } else {
        vec![&*wanted]
    };
    let shown = bytes.escape_ascii();
    (statuses != wanted).then(|| format!("{statuses:?} instead of {wanted:?}: {shown}"))
}

#[test]
fn h01_every_unusual_request_gets_the_response_of_its_grammar() {
    let limits = Limits {
        head_timeout: Duration::from_millis(500),
        idle_timeout: Duration::from_millis(500),
        body_timeout: Duration::from_millis(500),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let all = requests();
    assert!(all.len() >= 125, "{}", all.len());
    // Most of the time is spent waiting for the end of a connection.
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some((bytes, status)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(difference(&server, bytes, *status));
        }
        found
    };
    let found: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}
