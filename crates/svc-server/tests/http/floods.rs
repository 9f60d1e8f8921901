//! H4: floods of frames of HTTP/2. Each ends with GOAWAY or the end of the connection long before
//! its last frame, and other clients are served.

use std::time::{Duration, Instant};

use crate::http::frames::{
    CONTINUATION, DATA, GOAWAY, HEADERS, Http2, PING, PRIORITY, RST_STREAM, SETTINGS, WINDOW_UPDATE,
};
use crate::http::rig::{TestServer, start};

/// Number of frames that a client tries to send.
const FLOOD: u32 = 20_000;
/// `:method: POST`, `:scheme: http`, `:path: /`, `:authority: a`.
const POST: &[u8] = &[0x83, 0x86, 0x84, 0x41, 1, b'a'];
/// `:method: GET`, `:scheme: http`, `:path: /`, `:authority: a`.
const GET: &[u8] = &[0x82, 0x86, 0x84, 0x41, 1, b'a'];

/// Sends frames until the server closes the connection, and checks that it does.
fn flood(server: &TestServer, mut send: impl FnMut(&mut Http2, u32) -> std::io::Result<()>) {
    let mut client = Http2::new(server.serving.addr, 65_535);
    let begin = Instant::now();
    let ended = (0..FLOOD).any(|number| {
        // The server closes while more frames are on their way.
        send(&mut client, number).is_err()
    });
    // All frames may fit into the buffers of the sockets.
    let mut goaway = None;
    let closed = loop {
        match client.frame() {
            None => break true,
            Some(frame) if frame.kind == GOAWAY => goaway = Some(frame.payload[7]),
            Some(_) if begin.elapsed() > Duration::from_secs(30) => break false,
            Some(_) => {}
        }
    };
    assert!(ended || closed, "the connection stays open");
    assert!(
        goaway.is_none_or(|code| code == 11 || code == 1),
        "{goaway:?}"
    );
    assert_eq!(server.get("/picture.png").status, 200);
}

#[test]
fn h04_resets() {
    let server = start();
    flood(&server, |client, number| {
        client.send(HEADERS, 5, 2 * number + 1, GET)?;
        client.send(RST_STREAM, 0, 2 * number + 1, &[0, 0, 0, 8])
    });
}

#[test]
fn h04_settings_and_pings() {
    let server = start();
    flood(&server, |client, _| client.send(SETTINGS, 0, 0, &[]));
    flood(&server, |client, _| client.ping());
    flood(&server, |client, _| client.send(PING, 1, 0, &[0; 8]));
}

#[test]
fn h04_continuations() {
    let server = start();
    flood(&server, |client, number| match number {
        0 => client.send(HEADERS, 0, 1, GET),
        _ => client.send(CONTINUATION, 0, 1, &[]),
    });
}

#[test]
fn h04_empty_data() {
    let server = start();
    flood(&server, |client, number| match number {
        0 => client.send(HEADERS, 4, 1, POST),
        _ => client.send(DATA, 0, 1, &[]),
    });
}

#[test]
fn h04_window_updates_and_priorities() {
    let server = start();
    flood(&server, |client, _| {
        client.send(WINDOW_UPDATE, 0, 0, &1_u32.to_be_bytes())
    });
    flood(&server, |client, _| client.send(PRIORITY, 0, 3, &[0; 5]));
    flood(&server, |client, _| client.send(0xfa, 0, 0, &[0; 5]));
}

#[test]
fn h04_resets_that_the_client_provokes() {
    let server = start();
    // MadeYouReset: an increment of zero is an error of the stream.
    flood(&server, |client, number| {
        client.send(HEADERS, 4, 2 * number + 1, POST)?;
        client.send(WINDOW_UPDATE, 0, 2 * number + 1, &[0; 4])
    });
}

#[test]
fn h04_header_lists_that_expand() {
    let server = start();
    // A field of 4,000 bytes in the dynamic table, which each byte after it repeats: 48 MB.
    let mut bomb = GET.to_vec();
    bomb.extend([0x40, 1, b'x', 127, 0xa1, 0x1e]);
    bomb.extend([b'y'; 4_000]);
    bomb.extend([0xbe; 12_000]);
    let mut client = Http2::new(server.serving.addr, 65_535);
    for number in 0..20 {
        let _ = client.send(HEADERS, 5, 2 * number + 1, &bomb);
    }
    let mut rejected = 0;
    while let Some(frame) = client.frame() {
        // The first byte of the status 200 is its index.
        assert!(frame.kind != HEADERS || frame.payload[0] != 0x88);
        rejected += u32::from([HEADERS, RST_STREAM, GOAWAY].contains(&frame.kind));
        if rejected == 20 || frame.kind == GOAWAY {
            break;
        }
    }
    assert!(rejected > 0);
    assert_eq!(server.get("/picture.png").status, 200);
}

#[test]
fn h04_many_requests_are_no_flood() {
    let server = start();
    let mut client = Http2::new(server.serving.addr, 1 << 20);
    for _ in 0..2_000 {
        let stream = client.get("/picture.png");
        let data = client.wait(DATA, 1);
        assert_eq!(data[0].stream, stream);
        client.allow(0, 10).unwrap();
        client.allow(stream, 10).unwrap();
    }
}
