//! Connections: reused, slow, many, and those of a stopping server.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use svc_server::Limits;

use crate::http::rig::{start, start_with};

#[test]
fn several_requests_share_a_connection() {
    let server = start();
    let request = "GET /guides/start HTTP/1.1\r\nHost: a\r\n\r\n";
    let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    let all = server.raw(format!("{request}{request}{last}").as_bytes());
    assert_eq!(
        String::from_utf8_lossy(&all)
            .matches("HTTP/1.1 200 OK")
            .count(),
        3
    );
}

#[test]
fn h05_slow_heads_and_connections_without_a_request_are_closed() {
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
        // Ends only because the server closes the connection: the client waits much longer.
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

/// Reads one response with a `Content-Length`.
fn read_response(socket: &mut TcpStream) -> bool {
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(b"\r\n\r\n") {
        if !matches!(socket.read(&mut byte), Ok(1)) {
            return false;
        }
        text.push(byte[0]);
    }
    let text = String::from_utf8_lossy(&text).to_ascii_lowercase();
    let length = text.split("content-length: ").nth(1).unwrap();
    let length = length.lines().next().unwrap().parse().unwrap();
    let mut body = vec![0; length];
    text.starts_with("http/1.1 200") && socket.read_exact(&mut body).is_ok()
}

const GET: &[u8] = b"GET /picture.png HTTP/1.1\r\nHost: a\r\n\r\n";

#[test]
fn an_idle_connection_is_reused_after_the_timeout_of_heads() {
    let limits = Limits {
        head_timeout: Duration::from_millis(200),
        idle_timeout: Duration::from_secs(60),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut socket = server.connect();
    for _ in 0..3 {
        socket.write_all(GET).unwrap();
        assert!(read_response(&mut socket));
        std::thread::sleep(Duration::from_millis(600));
    }
}

#[test]
fn h06_a_connection_continues_after_it_was_suspended() {
    let limits = Limits {
        head_timeout: Duration::from_secs(60),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut socket = server.connect();
    for request in [
        GET,
        b"GET /picture.png HTTP/1.1\r\n",
        b"Host: a\r\n\r\n",
        GET,
    ] {
        // In several parts, also of a head, with more time between them than before a suspension.
        socket.write_all(&request[..1]).unwrap();
        std::thread::sleep(Duration::from_millis(1_200));
        socket.write_all(&request[1..]).unwrap();
        if request.ends_with(b"\r\n\r\n") {
            assert!(read_response(&mut socket));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    // The end of a connection is noticed, too.
    std::thread::sleep(Duration::from_millis(1_200));
    socket.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(socket.read(&mut [0; 9]).unwrap(), 0);
}

#[test]
fn h06_a_connection_with_an_unread_response_is_not_suspended() {
    let limits = Limits {
        write_timeout: Duration::from_secs(60),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut socket = server.connect();
    let large = b"GET /large.png HTTP/1.1\r\nHost: a\r\n\r\n";
    socket.write_all(&large.repeat(3)).unwrap();
    for _ in 0..3 {
        // The last bytes wait in the buffers of the server while the client reads nothing.
        std::thread::sleep(Duration::from_millis(1_200));
        assert!(read_response(&mut socket));
    }
}

#[test]
fn h05_a_later_head_has_the_timeout_of_heads() {
    let limits = Limits {
        head_timeout: Duration::from_millis(200),
        idle_timeout: Duration::from_secs(600),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    for length in ["", "Content-Length: 0\r\n", "Content-Length: 000\r\n"] {
        let mut socket = server.connect();
        let first = format!("GET /picture.png HTTP/1.1\r\nHost: a\r\n{length}\r\n");
        socket.write_all(first.as_bytes()).unwrap();
        assert!(read_response(&mut socket));
        // A byte from time to time, and empty lines before the request, do not extend it.
        let head = format!("\r\n\r\nGET / HTTP/1.1\r\nX: {}", "y".repeat(2_000));
        let closed = head.bytes().position(|byte| {
            std::thread::sleep(Duration::from_millis(20));
            socket.write_all(&[byte]).is_err()
        });
        assert!(closed.is_some(), "{length:?}");
    }
}

#[test]
fn h06_an_idle_connection_is_closed_and_sooner_if_few_are_free() {
    // How long it takes until the first of some connections is closed, including the requests.
    let idle = |count: usize, idle_timeout: Duration| {
        let limits = Limits {
            head_timeout: Duration::from_secs(2),
            idle_timeout,
            connections: 8,
            ..Limits::default()
        };
        let server = start_with(limits, "");
        let begin = Instant::now();
        let mut sockets: Vec<TcpStream> = (0..count).map(|_| server.connect()).collect();
        for socket in &mut sockets {
            socket.write_all(GET).unwrap();
        }
        for socket in &mut sockets {
            assert!(read_response(socket));
            socket.set_nonblocking(true).unwrap();
        }
        let is_closed = |socket: &mut TcpStream| matches!(socket.read(&mut [0]), Ok(0));
        while !sockets.iter_mut().any(is_closed) {
            std::thread::sleep(Duration::from_millis(20));
        }
        begin.elapsed()
    };
    let timeout = Duration::from_secs(4);
    let alone = idle(1, timeout);
    assert!(alone >= timeout, "{alone:?}");
    // Far below the other timeout, even on a busy machine.
    let crowded = idle(8, Duration::from_secs(120));
    assert!(crowded < Duration::from_secs(60), "{crowded:?}");
}

#[test]
fn h05_a_client_that_does_not_read_is_disconnected() {
    let limits = Limits {
        write_timeout: Duration::from_millis(200),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut socket = server.connect();
    // More than the socket buffers of both sides hold.
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
fn h06_connections_per_addr_are_limited() {
    let limits = Limits {
        connections_per_addr: 2,
        trusted_proxies: Vec::new(),
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
fn a_trusted_proxy_is_not_limited_per_addr() {
    let limits = Limits {
        connections_per_addr: 2,
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut held: Vec<TcpStream> = (0..20).map(|_| server.connect()).collect();
    for socket in &mut held {
        socket
            .write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            .unwrap();
        let mut status = [0; 12];
        socket.read_exact(&mut status).unwrap();
        assert_eq!(&status, b"HTTP/1.1 200");
    }
}

#[test]
fn a_connection_accepts_requests_for_a_limited_time() {
    let limits = Limits {
        connection_age: Duration::from_millis(300),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut socket = server.connect();
    let request = "GET /picture.png HTTP/1.1\r\nHost: a\r\n\r\n";
    let is_closed = (0..2_000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        let result = socket.write_all(request.as_bytes());
        result.is_err() || socket.read(&mut [0; 1_000]).is_ok_and(|count| count == 0)
    });
    assert!(is_closed, "a busy connection has to end, too");
}

#[test]
fn a_stopping_server_finishes_requests_in_flight() {
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
    assert!(TcpStream::connect(server.serving.addr).is_err());
}
