//! Time that a client may make the server wait.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// Waiting uses it up, bytes that the client takes give it back.
pub(crate) struct TimeBudget {
    max: Duration,
    rate: u32,
    remaining: Duration,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl TimeBudget {
    /// `first` to begin with, and later never more than `most`; `rate` bytes give back a second.
    pub(crate) fn new(first: Duration, most: Duration, rate: u32) -> Self {
        Self {
            max: most,
            rate: rate.max(1),
            remaining: first,
            waiting: None,
        }
    }

    /// The wait is over; the client took so many bytes.
    pub(crate) fn record_progress(&mut self, bytes: usize) {
        if let Some((since, _)) = self.waiting.take() {
            self.remaining = self.remaining.saturating_sub(since.elapsed());
        }
        self.remaining = self
            .remaining
            .saturating_add(transfer_time(bytes, self.rate));
        self.remaining = self.remaining.min(self.max);
    }

    /// Ready when the client has used it up.
    pub(crate) fn poll_exhausted(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let left = self.remaining;
        let (_, timer) = self.waiting.get_or_insert_with(|| {
            let now = Instant::now();
            (now, Box::pin(sleep_until(now + left)))
        });
        timer.as_mut().poll(cx)
    }
}

/// The time that a client at this rate needs for so many bytes.
pub(crate) fn transfer_time(bytes: usize, rate: u32) -> Duration {
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    Duration::from_secs(1).saturating_mul(bytes) / rate.max(1)
}
