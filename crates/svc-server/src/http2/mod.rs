//! Frames of HTTP/2 connections that the HTTP library does not limit.

mod budget;
mod frame_scan;

use std::time::Duration;

use tokio::time::Instant;

use budget::FrameBudget;
use frame_scan::FrameScan;

/// Type of DATA frames.
const DATA: u8 = 0;
/// Type of HEADERS frames.
const HEADERS: u8 = 1;
/// Type of RST_STREAM frames.
const RST_STREAM: u8 = 3;
/// Type of SETTINGS frames.
const SETTINGS: u8 = 4;
/// Type of PING frames.
const PING: u8 = 6;
/// Type of GOAWAY frames.
const GOAWAY: u8 = 7;
/// Type of WINDOW_UPDATE frames.
const WINDOW_UPDATE: u8 = 8;
/// Type of CONTINUATION frames.
const CONTINUATION: u8 = 9;

/// Error code of a client that exceeds a limit (RFC 9113, section 7).
const ENHANCE_YOUR_CALM: u8 = 11;

/// What is left of the preface after its first empty line (RFC 9113, section 3.4).
const PREFACE_END_BYTES: usize = 6;

/// The frames of a connection in both directions.
#[derive(Debug)]
pub(crate) struct Frames {
    preface: usize,
    incoming: FrameScan,
    outgoing: FrameScan,
    budget: FrameBudget,
    /// Whether a header block has begun and not ended.
    in_header_block: bool,
    /// Highest stream that the client has opened.
    last_stream: u32,
}

impl Frames {
    pub(crate) fn new() -> Self {
        Self {
            preface: PREFACE_END_BYTES,
            incoming: FrameScan::default(),
            outgoing: FrameScan::default(),
            budget: FrameBudget::new(Instant::now()),
            in_header_block: false,
            last_stream: 0,
        }
    }

    /// Records bytes from the client after the first empty line of the preface. Returns whether the
    /// client is within its budget.
    pub(crate) fn received(&mut self, bytes: &[u8]) -> bool {
        let skipped = self.preface.min(bytes.len());
        self.preface -= skipped;
        let bytes = bytes.get(skipped..).unwrap_or_default();
        let (mut fits, mut now) = (true, None);
        self.incoming.feed(bytes, |frame| {
            let now = *now.get_or_insert_with(Instant::now);
            fits &= self.budget.spend(frame, now);
            match frame.kind {
                HEADERS | CONTINUATION => self.in_header_block = !frame.ends_headers(),
                _ => {}
            }
            if frame.kind == HEADERS {
                self.last_stream = self.last_stream.max(frame.stream);
            }
        });
        fits
    }

    /// Records bytes to the client. Returns the number of bytes of response bodies.
    pub(crate) fn sent(&mut self, bytes: &[u8]) -> usize {
        self.outgoing.feed(bytes, |frame| {
            if frame.kind == DATA {
                self.budget.record_data_frame();
            }
        })
    }

    /// Whether the client has begun a header block or a frame header, which blocks all other
    /// streams until it ends.
    pub(crate) const fn is_in_head(&self) -> bool {
        self.preface > 0 || self.in_header_block || self.incoming.is_in_header()
    }

    /// A GOAWAY frame with ENHANCE_YOUR_CALM; `None` within a frame to the client.
    pub(crate) fn goaway(&self) -> Option<[u8; 17]> {
        let [a, b, c, d] = self.last_stream.to_be_bytes();
        let code = ENHANCE_YOUR_CALM;
        let frame = [0, 0, 8, GOAWAY, 0, 0, 0, 0, 0, a, b, c, d, 0, 0, 0, code];
        self.outgoing.is_between_frames().then_some(frame)
    }
}

/// Number of tokens that are added in a time.
fn refill(elapsed: Duration, per_second: u32) -> u64 {
    let millis = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    millis.saturating_mul(u64::from(per_second)) / 1000
}

#[cfg(test)]
mod tests;
