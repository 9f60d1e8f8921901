//! H3: frames of HTTP/2 that violate RFC 9113, and unusual ones that do not. After each, the server
//! responds to other clients.

mod frames;
mod requests;

use std::time::Duration;

use svc_server::Limits;

use crate::http::frames::{Frame, GOAWAY, HEADERS, Http2, PING, RST_STREAM};
use crate::http::rig::start_with;

const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const PADDED: u8 = 8;
/// Flags of a request without a body.
const COMPLETE_HEADERS: u8 = END_STREAM | END_HEADERS;
/// `:method: GET`, `:scheme: http`, `:path: /`, `:authority: a`.
const GET: &[u8] = &[0x82, 0x86, 0x84, 0x41, 1, b'a'];

/// A frame to send: its type, flags, stream and payload.
type Sent = (u8, u8, u32, Vec<u8>);

/// What a client may receive first: the response, a reset of the stream, or the end of the
/// connection, with an error code.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Outcome {
    Response,
    Reset(u8),
    GoAway(u8),
    /// The response to PING, and nothing else.
    Nothing,
}

use Outcome::{GoAway, Nothing, Reset, Response};

const PROTOCOL_ERROR: u8 = 1;
const FLOW_CONTROL_ERROR: u8 = 3;
const STREAM_CLOSED: u8 = 5;
const FRAME_SIZE_ERROR: u8 = 6;
const COMPRESSION_ERROR: u8 = 9;

/// What is sent and what may come back first.
type Case = (&'static str, Vec<Sent>, &'static [Outcome]);

/// What the client receives first.
fn outcome(client: &mut Http2) -> Option<Outcome> {
    loop {
        let Frame {
            kind,
            flags,
            payload,
            ..
        } = client.frame()?;
        match kind {
            HEADERS => return Some(Response),
            RST_STREAM => return Some(Reset(payload[3])),
            GOAWAY => return Some(GoAway(payload[7])),
            // The last frame that was sent.
            PING if flags & 1 != 0 && payload == [7; 8] => return Some(Nothing),
            _ => {}
        }
    }
}

/// Sends each case on a connection of its own.
fn check(all: Vec<Case>) {
    let limits = Limits {
        head_timeout: Duration::from_secs(2),
        body_timeout: Duration::from_secs(2),
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut found = Vec::new();
    for (name, frames, expected) in all {
        let mut client = Http2::new(server.serving.addr, 65_535);
        let is_answered = expected.contains(&Nothing);
        for (kind, flags, stream, payload) in frames {
            // The server may close the connection before the last one.
            let _ = client.send(kind, flags, stream, &payload);
        }
        if is_answered {
            let _ = client.ping();
        }
        let received = outcome(&mut client);
        // The general code can always be used in place of a more specific one, and an error of a
        // stream can be one of the connection (RFC 9113, section 5.4).
        let is_error = expected
            .iter()
            .any(|one| matches!(one, Reset(_) | GoAway(_)));
        let is_expected =
            |one: Outcome| expected.contains(&one) || (is_error && one == GoAway(PROTOCOL_ERROR));
        if !received.is_some_and(is_expected) {
            found.push(format!("{name}: {received:?} instead of {expected:?}"));
        }
        assert_eq!(server.get("/picture.png").status, 200, "{name}");
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn h03_unusual_frames_are_accepted() {
    check(frames::unusual());
}

#[test]
fn h03_malformed_frames_end_the_connection() {
    check(frames::malformed());
}

#[test]
fn h03_frames_in_the_wrong_state_of_a_stream_are_errors() {
    check(frames::wrong_states());
}

#[test]
fn h03_malformed_requests_are_errors() {
    check(requests::malformed());
}

#[test]
fn h03_an_invalid_preface_ends_the_connection() {
    let server = start_with(Limits::default(), "");
    for preface in [
        &b"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n"[..],
        b"PRI * HTTP/2.1\r\n\r\nSM\r\n\r\n",
    ] {
        let all = server.raw(&[preface, &[0; 100]].concat());
        assert!(!all.windows(3).any(|part| part == b"200"), "{all:?}");
    }
}
