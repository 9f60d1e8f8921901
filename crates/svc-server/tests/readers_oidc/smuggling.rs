//! Headers of a proxy that a client writes itself.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::readers::{ReaderServer, start_behind};

const TABLE: &str = "[projects.readers.header]\nuser = \"X-User\"\ngroups = \"X-Groups\"\n";
/// Headers that a client sends to be somebody else.
const FORGED: &str = "x-user: eve\r\nx-groups: staff, admin\r\n";

/// Sends bytes and returns all responses.
fn raw(server: &ReaderServer, bytes: &str) -> String {
    let mut stream = TcpStream::connect(server.addr).unwrap();
    stream.write_all(bytes.as_bytes()).unwrap();
    let mut all = Vec::new();
    // The server may close the connection before it has read everything.
    let _ = stream.read_to_end(&mut all);
    String::from_utf8_lossy(&all).into_owned()
}

/// Whether any of the responses has something of a protected page.
fn reveals(text: &str) -> bool {
    [
        "Zqstaffonlycanary",
        "Zqadminonlycanary",
        "\"signedIn\":true",
    ]
    .iter()
    .any(|mark| text.contains(mark))
}

#[test]
fn headers_of_untrusted_peers_are_ignored_on_every_path() {
    let server = start_behind("192.0.2.1", "", TABLE);
    for path in [
        "/staff-only",
        "/_svc/reader",
        "/llms.txt",
        "/_svc/search?q=canary",
    ] {
        for forged in [
            "",
            "x-forwarded-for: 192.0.2.1\r\n",
            "x-real-ip: 192.0.2.1\r\n",
            "via: 1.1 192.0.2.1\r\n",
        ] {
            let response = server.get(path, &format!("{FORGED}{forged}"));
            assert!(!reveals(&response.body), "{path} {forged}");
        }
    }
}

#[test]
fn other_spellings_of_the_header_are_other_headers() {
    let server = start_behind("127.0.0.1", "", TABLE);
    let named = server.get("/_svc/reader", "x-user: ada\r\n").body;
    assert!(
        named.contains("\"signedIn\":true"),
        "the proxy is trusted: {named}"
    );
    for header in [
        "x_user: eve",
        "X_USER: eve",
        "x.user: eve",
        "xuser: eve",
        "x-user-: eve",
        "http-x-user: eve",
    ] {
        let response = server.get("/_svc/reader", &format!("{header}\r\n"));
        assert!(response.body.contains("\"signedIn\":false"), "{header}");
    }
    // A second header, in any spelling that is the same, makes both invalid.
    for second in [
        "x-user: eve",
        "X-User: ada",
        "X-USER: eve",
        "x-user: ",
        "x-user:\teve",
    ] {
        let response = server.get("/_svc/reader", &format!("x-user: ada\r\n{second}\r\n"));
        assert!(response.body.contains("\"signedIn\":false"), "{second}");
    }
    for malformed in [
        "x-user : eve",
        " x-user: eve",
        "x-user: ada\r\n eve",
        "x-user: a\0b",
        "x-user",
        "x-user\x0b: eve",
    ] {
        let request = format!(
            "GET /_svc/reader HTTP/1.1\r\nhost: docs.example.com\r\nconnection: close\r\n{malformed}\r\n\r\n"
        );
        let response = raw(&server, &request);
        assert!(
            !response.contains("\"signedIn\":true") || response.starts_with("HTTP/1.1 4"),
            "{malformed}: {response}"
        );
    }
}

#[test]
fn the_header_does_not_count_in_a_body_or_its_trailers() {
    let server = start_behind("127.0.0.1", "", TABLE);
    let head = |line: &str, rest: &str| {
        format!("{line} HTTP/1.1\r\nhost: docs.example.com\r\nconnection: close\r\n{rest}\r\n")
    };
    let chunked = "transfer-encoding: chunked\r\ntrailer: x-user, x-groups\r\n";
    let body = format!("3\r\na=b\r\n0\r\n{FORGED}\r\n");
    for line in [
        "GET /_svc/reader",
        "GET /staff-only",
        "POST /mcp",
        "POST /_svc/sign-in",
        "POST /_svc/sign-in/handover",
    ] {
        let response = raw(&server, &format!("{}{body}", head(line, chunked)));
        assert!(
            !reveals(&response) && !response.contains("set-cookie"),
            "{line}: {response}"
        );
        // A header in the extension or the data of a chunk.
        let odd = format!("3;x=\"\r\n{FORGED}\"\r\na=b\r\n0\r\n\r\n");
        let response = raw(&server, &format!("{}{odd}", head(line, chunked)));
        assert!(!reveals(&response), "{line}: {response}");
    }
}

#[test]
fn a_request_in_the_body_of_another_is_not_one_of_the_proxy() {
    let server = start_behind("127.0.0.1", "", TABLE);
    let inner = format!(
        "GET /_svc/reader HTTP/1.1\r\nhost: docs.example.com\r\nconnection: close\r\n{FORGED}\r\n"
    );
    let size = inner.len();
    for framing in [
        format!("content-length: {size}\r\ntransfer-encoding: chunked\r\n"),
        format!("content-length: 0\r\ncontent-length: {size}\r\n"),
        "transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n".to_owned(),
        "transfer-encoding: xchunked\r\n".to_owned(),
        "transfer-encoding: chunked, identity\r\n".to_owned(),
        "transfer-encoding : chunked\r\n".to_owned(),
        "transfer-encoding:\x0bchunked\r\n".to_owned(),
        format!("content-length: +{size}\r\n"),
        format!("content-length: {size},{size}\r\n"),
        format!("content-length: {size}\r\n"),
    ] {
        for line in ["GET /open", "POST /_svc/sign-in", "POST /mcp"] {
            let chunk = if framing.contains("chunked") {
                "0\r\n\r\n"
            } else {
                ""
            };
            let request =
                format!("{line} HTTP/1.1\r\nhost: docs.example.com\r\n{framing}\r\n{chunk}{inner}");
            let response = raw(&server, &request);
            assert!(!reveals(&response), "{line} {framing}: {response}");
        }
    }
}
