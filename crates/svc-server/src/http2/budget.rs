//! How many frames of each kind a client may send.
//!
//! Frames that the library answers or handles without a request cost the server work that no other
//! limit counts: resets (CVE-2023-44487), PING and SETTINGS (CVE-2019-9512, 9515), empty DATA
//! (CVE-2019-9518), CONTINUATION (CVE-2024-27316), WINDOW_UPDATE and PRIORITY (CVE-2019-9513).

use tokio::time::Instant;

use super::frame_scan::FrameHeader;
use super::{CONTINUATION, DATA, HEADERS, PING, RST_STREAM, SETTINGS, WINDOW_UPDATE, refill};

/// A DATA frame below this size that does not end its stream counts as empty.
const MIN_DATA_BYTES: usize = 32;
/// Number of WINDOW_UPDATE frames per DATA frame to the client: for the stream, for the connection,
/// and twice as many for clients that read in small pieces.
const UPDATES_PER_DATA_FRAME: u32 = 4;
/// Number of other frames per request: PRIORITY and PRIORITY_UPDATE.
const OTHERS_PER_REQUEST: u32 = 2;

/// Kinds of frames with a budget of their own.
const RESETS: usize = 0;
const SETTING_FRAMES: usize = 1;
const PINGS: usize = 2;
const CONTINUATIONS: usize = 3;
const EMPTY_DATA: usize = 4;
const UPDATES: usize = 5;
const OTHERS: usize = 6;

/// Maximum number of frames at once, and number that is added per second, by kind. Browsers stay
/// below a tenth.
const MAX_FRAMES: [(u32, u32); 7] = {
    let mut limits = [(0, 0); 7];
    // A page that is left cancels all its requests.
    limits[RESETS] = (200, 20);
    limits[SETTING_FRAMES] = (50, 5);
    // Some clients measure the bandwidth with them.
    limits[PINGS] = (200, 20);
    // The largest header list that is accepted needs two frames.
    limits[CONTINUATIONS] = (64, 16);
    limits[EMPTY_DATA] = (200, 20);
    limits[UPDATES] = (1000, 100);
    limits[OTHERS] = (500, 50);
    limits
};

/// Number of frames that a client may send now, by kind.
#[derive(Debug)]
pub(super) struct FrameBudget {
    remaining: [u32; MAX_FRAMES.len()],
    refilled: Instant,
}

impl FrameBudget {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            remaining: MAX_FRAMES.map(|(burst, _)| burst),
            refilled: now,
        }
    }

    /// Records that a DATA frame was sent to the client, which may answer with WINDOW_UPDATE.
    pub(super) fn record_data_frame(&mut self) {
        self.add(UPDATES, UPDATES_PER_DATA_FRAME);
    }

    /// Counts a frame of the client. Returns whether it was within the budget.
    pub(super) fn spend(&mut self, frame: FrameHeader, now: Instant) -> bool {
        self.refill(now);
        let kind = match frame.kind {
            HEADERS => {
                self.add(OTHERS, OTHERS_PER_REQUEST);
                return true;
            }
            DATA if frame.length >= MIN_DATA_BYTES || frame.ends_stream() => return true,
            DATA => EMPTY_DATA,
            RST_STREAM => RESETS,
            SETTINGS => SETTING_FRAMES,
            PING => PINGS,
            CONTINUATION => CONTINUATIONS,
            WINDOW_UPDATE => UPDATES,
            _ => OTHERS,
        };
        let Some(remaining) = self.remaining.get_mut(kind) else {
            return false;
        };
        let fits = *remaining > 0;
        *remaining = remaining.saturating_sub(1);
        fits
    }

    fn add(&mut self, kind: usize, frames: u32) {
        if let (Some(remaining), Some((burst, _))) =
            (self.remaining.get_mut(kind), MAX_FRAMES.get(kind))
        {
            // Data in flight is answered later.
            *remaining = remaining
                .saturating_add(frames)
                .min(burst.saturating_mul(4));
        }
    }

    /// Adds what has accrued, at most once per second, so that fractions are not lost.
    fn refill(&mut self, now: Instant) {
        let elapsed = now.saturating_duration_since(self.refilled);
        if elapsed.as_secs() == 0 {
            return;
        }
        self.refilled = now;
        for (remaining, (burst, per_second)) in self.remaining.iter_mut().zip(MAX_FRAMES) {
            let added = u32::try_from(refill(elapsed, per_second)).unwrap_or(u32::MAX);
            // What was added for data and requests may exceed the burst.
            *remaining = remaining.saturating_add(added).min(burst.max(*remaining));
        }
    }
}
