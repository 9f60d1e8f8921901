//! Budgets, and how bytes are split into frames.

use super::*;

fn frame(kind: u8, flags: u8, payload: usize) -> Vec<u8> {
    let length = u32::try_from(payload).unwrap().to_be_bytes();
    let mut bytes = vec![length[1], length[2], length[3], kind, flags, 0, 0, 0, 1];
    bytes.resize(9 + payload, 0);
    bytes
}

fn connection() -> Frames {
    let mut frames = Frames::new();
    assert!(frames.received(b"SM\r\n\r\n"));
    frames
}

#[test]
fn body_bytes_are_counted_across_splits() {
    let all = [
        frame(SETTINGS, 0, 6),
        frame(DATA, 0, 300),
        frame(PING, 0, 8),
        frame(DATA, 0, 0),
        frame(DATA, 0, 5),
    ]
    .concat();
    for size in [1, 2, 7, 9, 10, all.len()] {
        let mut frames = connection();
        let counted: usize = all.chunks(size).map(|part| frames.sent(part)).sum();
        assert_eq!(counted, 305, "{size}");
        assert!(frames.goaway().is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn each_kind_of_frame_has_a_budget_that_is_refilled() {
    for (one, burst, per_second) in [
        (frame(RST_STREAM, 0, 4), 200, 20),
        (frame(SETTINGS, 0, 0), 50, 5),
        (frame(PING, 0, 8), 200, 20),
        (frame(CONTINUATION, 0, 1), 64, 16),
        (frame(DATA, 0, 0), 200, 20),
        (frame(WINDOW_UPDATE, 0, 4), 1000, 100),
        (frame(2, 0, 5), 500, 50),
        (frame(200, 0, 5), 500, 50),
    ] {
        let mut frames = connection();
        let mut accepted = 0;
        while frames.received(&one) {
            accepted += 1;
        }
        assert_eq!(accepted, burst, "{one:?}");
        tokio::time::advance(Duration::from_secs(2)).await;
        accepted = 0;
        while frames.received(&one) {
            accepted += 1;
        }
        assert_eq!(accepted, 2 * per_second, "{one:?}");
        // An idle connection does not accumulate more than the burst.
        tokio::time::advance(Duration::from_secs(3600)).await;
        accepted = 0;
        while frames.received(&one) {
            accepted += 1;
        }
        assert_eq!(accepted, burst, "{one:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn requests_and_uploads_have_no_budget_and_data_allows_updates() {
    let mut frames = connection();
    for _ in 0..100_000 {
        assert!(frames.received(&frame(HEADERS, 5, 20)));
        assert!(frames.received(&frame(2, 0, 5)), "a priority per request");
        assert!(frames.received(&frame(DATA, 0, 1000)));
        assert!(frames.received(&frame(DATA, 1, 0)));
        frames.sent(&frame(DATA, 0, 100));
        for _ in 0..2 {
            assert!(frames.received(&frame(WINDOW_UPDATE, 0, 4)));
        }
    }
}

#[test]
fn a_header_block_ends_with_its_last_frame() {
    let mut frames = Frames::new();
    assert!(frames.is_in_head());
    frames.received(b"SM\r\n\r\n");
    assert!(!frames.is_in_head());
    frames.received(&frame(HEADERS, 0, 3));
    assert!(frames.is_in_head());
    frames.received(&frame(CONTINUATION, 4, 3)[..5]);
    assert!(frames.is_in_head());
    frames.received(&frame(CONTINUATION, 4, 3)[5..]);
    assert!(!frames.is_in_head());
    frames.sent(&frame(DATA, 0, 5)[..10]);
    assert_eq!(frames.goaway(), None, "within a frame");
    frames.sent(&frame(DATA, 0, 5)[10..]);
    assert_eq!(frames.goaway().map(|frame| frame[16]), Some(11));
}
