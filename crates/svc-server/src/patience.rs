//! Time that a client may make the server wait.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// Waiting uses it up, bytes that the client takes give it back.
pub(crate) struct Patience {
    most: Duration,
    rate: u32,
    left: Duration,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Patience {
    /// `first` to begin with, and later never more than `most`; `rate` bytes give back a second.
    pub(crate) fn new(first: Duration, most: Duration, rate: u32) -> Self {
        Self {
            most,
            rate: rate.max(1),
            left: first,
            waiting: None,
        }
    }

    /// The wait is over; the client took so many bytes.
    pub(crate) fn took(&mut self, bytes: usize) {
        if let Some((since, _)) = self.waiting.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        self.left = self.left.saturating_add(gained(bytes, self.rate));
        self.left = self.left.min(self.most);
    }

    /// Ready when the client has used it up.
    pub(crate) fn poll_exhausted(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let left = self.left;
        let (_, timer) = self.waiting.get_or_insert_with(|| {
            let now = Instant::now();
            (now, Box::pin(sleep_until(now + left)))
        });
        timer.as_mut().poll(cx)
    }
}

/// The time that a client at this rate needs for so many bytes.
pub(crate) fn gained(bytes: usize, rate: u32) -> Duration {
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    Duration::from_secs(1).saturating_mul(bytes) / rate.max(1)
}
