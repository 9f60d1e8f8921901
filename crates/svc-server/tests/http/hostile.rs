//! Clients that request much and read nothing.

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use svc_server::Limits;
use svc_test_support::program::Program;

use crate::http::frames::{DATA, HEADERS, Http2, PING, RST_STREAM};
use crate::http::rig::{start_with, write};

#[test]
fn h05_unread_streams_are_reset_and_the_connection_continues() {
    let limits = Limits {
        write_timeout: Duration::from_millis(300),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut client = Http2::new(server.serving.addr, 0);
    let streams: Vec<u32> = (0..90).map(|_| client.get("/large.png")).collect();
    let mut reset: Vec<u32> = client
        .wait(RST_STREAM, streams.len())
        .into_iter()
        .map(|frame| frame.stream)
        .collect();
    reset.sort_unstable();
    assert_eq!(reset, streams);
    let stream = client.get("/picture.png");
    client.allow(stream, 100).unwrap();
    let data = client.wait(DATA, 1);
    assert_eq!(
        (data[0].stream, &*data[0].payload),
        (stream, &b"0123456789"[..])
    );
}

#[cfg(target_os = "linux")]
#[test]
fn h05_unread_files_are_closed() {
    let server = start_with(Limits::default(), "");
    let mut client = Http2::new(server.serving.addr, 1);
    for _ in 0..100 {
        client.get("/large.png");
    }
    // After the first byte of each, all files are being read.
    client.wait(DATA, 100);
    let open = || {
        let all = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
        let paths = all.filter_map(|entry| std::fs::read_link(entry.path()).ok());
        paths
            .filter(|path| path.starts_with(server._dir.path()))
            .count()
    };
    let closed = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        open() == 0
    });
    assert!(closed, "{} files are open", open());
}

#[test]
fn h06_an_idle_connection_is_closed_despite_ping_replies() {
    let limits = Limits {
        idle_timeout: Duration::from_millis(400),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut client = Http2::new(server.serving.addr, 1 << 20);
    client.get("/picture.png");
    client.wait(DATA, 1);
    let is_closed = (0..2_000).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        client.ping().is_err() || {
            // Replies to PING until the connection is closed.
            let frame = client.frame();
            assert!(frame.as_ref().is_none_or(|frame| frame.kind != DATA));
            frame.is_none()
        }
    });
    assert!(is_closed);
}

#[test]
fn a_connection_with_a_slowly_read_response_is_not_idle() {
    let limits = Limits {
        idle_timeout: Duration::from_millis(400),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut client = Http2::new(server.serving.addr, 1024);
    let stream = client.get("/large.png");
    for _ in 0..20 {
        client.wait(DATA, 1);
        std::thread::sleep(Duration::from_millis(60));
        client.allow(stream, 1024).unwrap();
        client.allow(0, 1024).unwrap();
    }
    client.ping().unwrap();
    client.wait(PING, 1);
}

#[test]
fn h06_requests_per_client_are_limited_over_all_connections() {
    let limits = Limits {
        requests_per_client: 6,
        write_timeout: Duration::from_secs(120),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut clients = [0, 0].map(|window| Http2::new(server.serving.addr, window));
    for client in &mut clients {
        for _ in 0..3 {
            client.get("/large.png");
        }
        client.wait(HEADERS, 3);
    }
    // Behind a proxy, clients are distinguished by the forwarding header.
    let from = |ip: &str| {
        let header = format!("X-Forwarded-For: {ip}\r\n");
        server.request("GET", "/picture.png", &header).status
    };
    assert_eq!(from("198.51.100.7"), 200);
    let response = server.get("/picture.png");
    assert_eq!(response.status, 429, "{}", response.head);
    let wait: u64 = response.header("retry-after").unwrap().parse().unwrap();
    assert!(wait > 0);
    drop(clients);
    let served = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        server.get("/picture.png").status == 200
    });
    assert!(served, "they are gone");
}

#[test]
fn the_client_addr_is_used_only_from_a_trusted_proxy() {
    let limits = Limits {
        requests_per_client: 2,
        write_timeout: Duration::from_secs(120),
        trusted_proxies: Vec::new(),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut client = Http2::new(server.serving.addr, 0);
    client.get("/large.png");
    client.get("/large.png");
    client.wait(HEADERS, 2);
    let header = "X-Forwarded-For: 198.51.100.7\r\n";
    let response = server.request("GET", "/picture.png", header);
    assert_eq!(response.status, 429);
}

/// Resident memory in bytes and open descriptors of a process.
#[cfg(target_os = "linux")]
fn usage(id: u32) -> (usize, usize) {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    let kilobytes: usize = kilobytes.unwrap().parse().unwrap();
    let open = std::fs::read_dir(format!("/proc/{id}/fd")).unwrap().count();
    (kilobytes << 10, open)
}

#[cfg(target_os = "linux")]
#[test]
fn h05_unread_responses_use_little_memory_and_no_descriptors() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("site");
    let config = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}"##;
    write(&root, "docs.json", config.as_bytes());
    write(&root, "index.mdx", b"Words.");
    write(&root, "film.mp4", &vec![7; 20_000_000]);
    let mut text = String::from("[0");
    for number in 0..1_500_000 {
        let _ = write!(text, ",{number}");
    }
    text.push(']');
    assert!(text.len() > 10_000_000);
    write(&root, "data.json", text.as_bytes());
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    command
        .arg(&root)
        .args(["--listen", "127.0.0.1:0", "--offline", "--data"])
        .arg(dir.path().join("data"))
        .stderr(Stdio::null());
    let mut program = Program::start(&mut command);
    let addr = program.url().parse().unwrap();
    let mut first = Http2::new(addr, 1 << 20);
    first.get("/data.json");
    first.wait(DATA, 1);
    let (memory, open) = usage(program.id());
    let mut clients = Vec::new();
    for path in ["/data.json", "/film.mp4"].repeat(3) {
        let mut client = Http2::new(addr, 1);
        for _ in 0..20 {
            client.get(path);
        }
        client.wait(DATA, 20);
        clients.push(client);
    }
    let (more_memory, more_open) = usage(program.id());
    // 60 copies of the text would use 600 MB.
    let grown = more_memory.saturating_sub(memory) >> 20;
    assert!(grown < 120, "{grown} MB");
    assert!(more_open < open + 40, "{open} and then {more_open}");
    drop(clients);
}
