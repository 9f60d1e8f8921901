//! Time budget for waiting for a client.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// Waiting consumes the budget, and bytes that the client reads refill it.
pub(crate) struct TimeBudget {
    max: Duration,
    rate: u32,
    remaining: Duration,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl TimeBudget {
    /// Creates a budget of `first`, which is refilled up to `max` at `rate` bytes per second.
    pub(crate) fn new(first: Duration, max: Duration, rate: u32) -> Self {
        Self {
            max,
            rate: rate.max(1),
            remaining: first,
            waiting: None,
        }
    }

    /// Ends a wait during which the client read some bytes.
    pub(crate) fn record_progress(&mut self, bytes: usize) {
        if let Some((since, _)) = self.waiting.take() {
            self.remaining = self.remaining.saturating_sub(since.elapsed());
        }
        self.remaining = self
            .remaining
            .saturating_add(transfer_time(bytes, self.rate));
        self.remaining = self.remaining.min(self.max);
    }

    /// Ready when the budget is exhausted.
    pub(crate) fn poll_exhausted(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let left = self.remaining;
        let (_, timer) = self.waiting.get_or_insert_with(|| {
            let now = Instant::now();
            (now, Box::pin(sleep_until(now + left)))
        });
        timer.as_mut().poll(cx)
    }
}

/// Time that a client at this rate needs for some bytes.
pub(crate) fn transfer_time(bytes: usize, rate: u32) -> Duration {
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    Duration::from_secs(1).saturating_mul(bytes) / rate.max(1)
}
