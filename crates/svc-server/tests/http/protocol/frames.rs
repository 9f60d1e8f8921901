//! Frames and states of streams.

use super::Outcome::{GoAway, Nothing, Reset, Response};
use super::requests::{literals, with};
use super::*;
use crate::http::frames::{CONTINUATION, DATA, PRIORITY, SETTINGS, WINDOW_UPDATE};

const PUSH_PROMISE: u8 = 5;

/// A setting.
fn setting(id: u16, value: u32) -> Vec<Sent> {
    let payload = [&id.to_be_bytes()[..], &value.to_be_bytes()].concat();
    vec![(SETTINGS, 0, 0, payload)]
}

/// Frames that are ignored or answered.
pub(super) fn unusual() -> Vec<Case> {
    let request = || (HEADERS, COMPLETE_HEADERS, 1, GET.to_vec());
    let padded = [&[2][..], GET, &[0, 0]].concat();
    let priority = [&[0, 0, 0, 0, 7][..], GET].concat();
    vec![
        ("request", vec![request()], &[Response]),
        (
            "unknown type",
            vec![(0xee, 0xff, 0, vec![1; 9]), request()],
            &[Response],
        ),
        (
            "unknown flags",
            vec![(PING, 0xfe, 0, vec![0; 8]), request()],
            &[Response],
        ),
        (
            "reserved bit",
            vec![(HEADERS, COMPLETE_HEADERS, 1 | 1 << 31, GET.to_vec())],
            &[Response],
        ),
        (
            "unknown setting",
            [setting(0xeeee, 7), vec![request()]].concat(),
            &[Response],
        ),
        (
            "padding",
            vec![(HEADERS, COMPLETE_HEADERS | PADDED, 1, padded)],
            &[Response],
        ),
        (
            "priority in HEADERS",
            vec![(HEADERS, COMPLETE_HEADERS | 0x20, 1, priority)],
            &[Response],
        ),
        (
            "CONTINUATION",
            vec![
                (HEADERS, END_STREAM, 1, GET[..2].to_vec()),
                (CONTINUATION, 0, 1, Vec::new()),
                (CONTINUATION, END_HEADERS, 1, GET[2..].to_vec()),
            ],
            &[Response],
        ),
        ("te: trailers", with(&[("te", "trailers")]), &[Response]),
        (
            "priority of an idle stream",
            vec![(PRIORITY, 0, 9, vec![0; 5]), request()],
            &[Response],
        ),
        (
            "trailers",
            vec![
                (HEADERS, END_HEADERS, 1, GET.to_vec()),
                (DATA, 0, 1, vec![7; 100]),
                (HEADERS, COMPLETE_HEADERS, 1, literals(&[("x-sum", "1")])),
            ],
            &[Response],
        ),
        (
            "reply to PING that was not sent",
            vec![(PING, 1, 0, vec![5; 8])],
            &[Nothing],
        ),
        (
            "reset of a finished stream",
            vec![request(), (RST_STREAM, 0, 1, vec![0, 0, 0, 8])],
            &[Response, Nothing],
        ),
    ]
}

/// Violations of sections 4 and 6: sizes, streams and payloads of frames.
pub(super) fn malformed() -> Vec<Case> {
    let open = || (HEADERS, END_HEADERS, 1, GET.to_vec());
    let bytes = |count: usize| vec![0; count];
    vec![
        (
            "large HEADERS",
            vec![(HEADERS, COMPLETE_HEADERS, 1, bytes(20_000))],
            &[GoAway(FRAME_SIZE_ERROR)],
        ),
        (
            "large DATA",
            vec![open(), (DATA, 0, 1, bytes(20_000))],
            &[GoAway(FRAME_SIZE_ERROR), Reset(FRAME_SIZE_ERROR)],
        ),
        (
            "DATA of the connection",
            vec![open(), (DATA, 0, 0, bytes(9))],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "DATA padding",
            vec![open(), (DATA, PADDED, 1, vec![9, 0, 0])],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "HEADERS of the connection",
            vec![(HEADERS, COMPLETE_HEADERS, 0, GET.to_vec())],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "HEADERS padding",
            vec![(HEADERS, COMPLETE_HEADERS | PADDED, 1, vec![9, 0x82])],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "PRIORITY of the connection",
            vec![(PRIORITY, 0, 0, bytes(5))],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "PRIORITY size",
            vec![open(), (PRIORITY, 0, 1, bytes(4))],
            &[GoAway(FRAME_SIZE_ERROR), Reset(FRAME_SIZE_ERROR)],
        ),
        (
            "RST_STREAM of the connection",
            vec![(RST_STREAM, 0, 0, bytes(4))],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "RST_STREAM size",
            vec![open(), (RST_STREAM, 0, 1, bytes(3))],
            &[GoAway(FRAME_SIZE_ERROR)],
        ),
        (
            "SETTINGS of a stream",
            vec![(SETTINGS, 0, 1, bytes(6))],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "SETTINGS size",
            vec![(SETTINGS, 0, 0, bytes(5))],
            &[GoAway(FRAME_SIZE_ERROR)],
        ),
        (
            "SETTINGS reply with settings",
            vec![(SETTINGS, 1, 0, bytes(6))],
            &[GoAway(FRAME_SIZE_ERROR)],
        ),
        ("ENABLE_PUSH 2", setting(2, 2), &[GoAway(PROTOCOL_ERROR)]),
        (
            "INITIAL_WINDOW_SIZE 2^31",
            setting(4, 1 << 31),
            &[GoAway(FLOW_CONTROL_ERROR)],
        ),
        (
            "MAX_FRAME_SIZE 16383",
            setting(5, 16_383),
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "MAX_FRAME_SIZE 2^24",
            setting(5, 1 << 24),
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "PUSH_PROMISE",
            vec![
                open(),
                (PUSH_PROMISE, END_HEADERS, 1, [&[0, 0, 0, 2], GET].concat()),
            ],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "PING of a stream",
            vec![(PING, 0, 1, bytes(8))],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "PING size",
            vec![(PING, 0, 0, bytes(7))],
            &[GoAway(FRAME_SIZE_ERROR)],
        ),
        (
            "GOAWAY of a stream",
            vec![(GOAWAY, 0, 1, bytes(8))],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "WINDOW_UPDATE size",
            vec![(WINDOW_UPDATE, 0, 0, bytes(3))],
            &[GoAway(FRAME_SIZE_ERROR)],
        ),
        (
            "WINDOW_UPDATE by 0",
            vec![(WINDOW_UPDATE, 0, 0, bytes(4))],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "WINDOW_UPDATE of a stream by 0",
            vec![open(), (WINDOW_UPDATE, 0, 1, bytes(4))],
            &[Reset(PROTOCOL_ERROR), GoAway(PROTOCOL_ERROR)],
        ),
        (
            "window over the maximum",
            vec![(WINDOW_UPDATE, 0, 0, vec![0x7f, 255, 255, 255])],
            &[GoAway(FLOW_CONTROL_ERROR)],
        ),
        (
            "window of a stream over the maximum",
            vec![open(), (WINDOW_UPDATE, 0, 1, vec![0x7f, 255, 255, 255])],
            &[Reset(FLOW_CONTROL_ERROR), GoAway(FLOW_CONTROL_ERROR)],
        ),
        (
            "CONTINUATION alone",
            vec![(CONTINUATION, END_HEADERS, 1, GET.to_vec())],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "CONTINUATION of the connection",
            vec![
                (HEADERS, 1, 1, GET.to_vec()),
                (CONTINUATION, END_HEADERS, 0, bytes(0)),
            ],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "CONTINUATION of another stream",
            vec![
                (HEADERS, 1, 1, GET.to_vec()),
                (CONTINUATION, END_HEADERS, 3, bytes(0)),
            ],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "another frame in a header block",
            vec![(HEADERS, 1, 1, GET.to_vec()), (PING, 0, 0, bytes(8))],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "another HEADERS in a header block",
            vec![
                (HEADERS, 1, 1, GET.to_vec()),
                (HEADERS, COMPLETE_HEADERS, 3, GET.to_vec()),
            ],
            &[GoAway(PROTOCOL_ERROR)],
        ),
    ]
}

/// Violations of section 5: states and IDs of streams.
pub(super) fn wrong_states() -> Vec<Case> {
    let request = |stream| (HEADERS, COMPLETE_HEADERS, stream, GET.to_vec());
    vec![
        (
            "DATA of an idle stream",
            vec![(DATA, 1, 1, vec![0; 9])],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "RST_STREAM of an idle stream",
            vec![(RST_STREAM, 0, 1, vec![0; 4])],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        (
            "WINDOW_UPDATE of an idle stream",
            vec![(WINDOW_UPDATE, 0, 1, vec![0, 0, 0, 9])],
            &[GoAway(PROTOCOL_ERROR)],
        ),
        ("even stream", vec![request(2)], &[GoAway(PROTOCOL_ERROR)]),
        (
            "lower stream",
            vec![(HEADERS, END_HEADERS, 5, GET.to_vec()), request(3)],
            &[GoAway(PROTOCOL_ERROR), GoAway(STREAM_CLOSED)],
        ),
        (
            "DATA after the end",
            vec![request(1), (DATA, 1, 1, vec![0; 9])],
            &[Reset(STREAM_CLOSED), GoAway(STREAM_CLOSED), Response],
        ),
        (
            "DATA after a reset",
            vec![
                (HEADERS, END_HEADERS, 1, GET.to_vec()),
                (RST_STREAM, 0, 1, vec![0, 0, 0, 8]),
                (DATA, 1, 1, vec![0; 9]),
            ],
            &[Reset(STREAM_CLOSED), GoAway(STREAM_CLOSED)],
        ),
        (
            "HEADERS after a reset",
            vec![
                (HEADERS, END_HEADERS, 1, GET.to_vec()),
                (RST_STREAM, 0, 1, vec![0, 0, 0, 8]),
                request(1),
            ],
            &[
                Reset(STREAM_CLOSED),
                GoAway(STREAM_CLOSED),
                GoAway(PROTOCOL_ERROR),
            ],
        ),
    ]
}
