//! Requests that are rejected.

use crate::http::rig::{CANARY, start};

#[test]
fn h08_no_path_leaves_the_site() {
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
        let response = server.request("GET", &path, "");
        assert!(
            matches!(response.status, 400 | 404),
            "{path}: {}",
            response.status
        );
        let text = response.text();
        assert!(
            !text.contains(CANARY) && !text.contains("root:") && !text.contains("\"navigation\""),
            "{path}"
        );
    }
}

#[test]
fn h11_the_host_must_be_valid() {
    let server = start();
    let status = |text: &str| server.response(text.as_bytes()).status;
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
fn h01_ambiguous_framing_is_rejected_and_closes_the_connection() {
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
    for coding in ["gzip, chunked", "chunked, chunked", ",chunked", "identity"] {
        let coding = format!("Transfer-Encoding: {coding}\r\n\r\n");
        let all = server.raw(format!("{head}{coding}{smuggled}").as_bytes());
        let text = String::from_utf8_lossy(&all);
        assert!(text.starts_with("HTTP/1.1 400"), "{coding}: {text}");
        assert_eq!(text.matches("HTTP/1.1 ").count(), 1, "{text}");
    }
    let body = "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    assert_eq!(
        server.response(format!("{head}{body}").as_bytes()).status,
        200
    );
    let bad = "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n";
    assert_eq!(
        server.response(format!("{head}{bad}").as_bytes()).status,
        400
    );
}

#[test]
fn h01_connect_closes_the_connection() {
    let server = start();
    let tunnel = "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n";
    let all = server.raw(format!("{tunnel}GET / HTTP/1.1\r\nHost: a\r\n\r\n").as_bytes());
    let text = String::from_utf8_lossy(&all);
    assert!(text.starts_with("HTTP/1.1 405"), "{text}");
    assert_eq!(text.matches("HTTP/1.1 ").count(), 1, "{text}");
}

#[test]
fn h07_large_requests_and_other_methods_are_rejected() {
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
    let fields = |count: usize| "X: y\r\n".repeat(count);
    // `Host` and `Connection` are two more.
    assert_eq!(server.request("GET", "/", &fields(98)).status, 200);
    assert_eq!(server.request("GET", "/", &fields(99)).status, 431);
    let body = server.request("POST", "/", "Content-Length: 1000000\r\n");
    assert_eq!(body.status, 413);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"] {
        let response = server.request(method, "/", "Content-Length: 0\r\n");
        assert_eq!(
            (response.status, response.header("allow")),
            (405, Some("GET, HEAD")),
            "{method}"
        );
    }
}
