//! Idle connections.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep, sleep};

use crate::Limits;
use crate::streams::Activity;
use crate::time_budget::transfer_time;

/// Number of free connections of a listener.
#[derive(Debug, Clone)]
pub(crate) struct Capacity {
    permits: Arc<Semaphore>,
    total: usize,
}

impl Capacity {
    pub(crate) const fn new(permits: Arc<Semaphore>, all: usize) -> Self {
        Self {
            permits,
            total: all,
        }
    }

    /// Whether at most an eighth of the connections is free.
    fn is_nearly_used_up(&self) -> bool {
        self.permits.available_permits() < self.total.div_ceil(8)
    }
}

/// Measures how long a connection has been idle. Requests and bytes of response bodies are activity;
/// HTTP/2 frames such as PING are not.
pub(crate) struct IdleTimer {
    activity: Arc<Activity>,
    capacity: Capacity,
    /// Timeout, and the timeout if few connections are free.
    limits: (Duration, Duration),
    rate: u32,
    since: Instant,
    begun: usize,
    frames: FrameScan,
    timer: Pin<Box<Sleep>>,
}

impl IdleTimer {
    pub(crate) fn new(activity: Arc<Activity>, capacity: Capacity, limits: &Limits) -> Self {
        Self {
            activity,
            capacity,
            limits: (
                limits.idle_timeout,
                limits.head_timeout.min(limits.idle_timeout),
            ),
            rate: limits.write_rate,
            since: Instant::now(),
            begun: 0,
            frames: FrameScan::default(),
            timer: Box::pin(sleep(Duration::ZERO)),
        }
    }

    /// Whether a request is being handled.
    pub(crate) fn is_active(&self) -> bool {
        self.activity.open() > 0
    }

    /// Records that bytes were sent on an HTTP/1 connection: the rest of a response, whose reader is
    /// limited by the write budget.
    pub(crate) fn touch(&mut self) {
        self.since = Instant::now();
    }

    /// Records bytes that were sent on an HTTP/2 connection.
    pub(crate) fn sent(&mut self, bytes: &[u8]) {
        let data = self.frames.feed(bytes);
        if data > 0 {
            self.activity.record_sent(data);
            // A client that reads a few bytes from time to time does not count as active.
            let now = Instant::now();
            self.since = (self.since + transfer_time(data, self.rate)).min(now);
        }
    }

    /// Ready when the connection is to be closed.
    pub(crate) fn poll_over(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let (timeout, busy_timeout) = self.limits;
        loop {
            let now = Instant::now();
            let count = self.activity.begun();
            if self.is_active() || count != self.begun {
                self.begun = count;
                self.since = now;
            }
            let limit = if self.capacity.is_nearly_used_up() {
                busy_timeout
            } else {
                timeout
            };
            let end = self.since + limit;
            if now >= end {
                return Poll::Ready(());
            }
            // The number of free connections changes over time.
            let next = end.min(now + busy_timeout.max(Duration::from_millis(1)));
            // Setting the timer costs more than waking up too early once in a while.
            if self.timer.is_elapsed() || self.timer.deadline() > next {
                self.timer.as_mut().reset(next);
            }
            ready!(self.timer.as_mut().poll(cx));
        }
    }
}

/// Length of a frame header (RFC 9113, section 4.1).
const HEAD_BYTES: usize = 9;
/// Type of DATA frames.
const DATA: u8 = 0;

/// Splits the bytes that the server sends into frames.
#[derive(Debug, Default)]
struct FrameScan {
    head: [u8; HEAD_BYTES],
    /// Number of bytes of the header that are known.
    known: usize,
    /// Number of bytes of the frame that are still to come.
    remaining: usize,
}

impl FrameScan {
    /// Returns the number of bytes of response bodies.
    fn feed(&mut self, mut bytes: &[u8]) -> usize {
        let mut data = 0;
        while !bytes.is_empty() {
            if self.remaining > 0 {
                let count = self.remaining.min(bytes.len());
                if self.head.get(3) == Some(&DATA) {
                    data += count;
                }
                self.remaining -= count;
                bytes = bytes.get(count..).unwrap_or_default();
                continue;
            }
            let (byte, rest) = (bytes.first().copied(), bytes.get(1..));
            if let (Some(slot), Some(byte)) = (self.head.get_mut(self.known), byte) {
                *slot = byte;
            }
            self.known += 1;
            bytes = rest.unwrap_or_default();
            if self.known == HEAD_BYTES {
                let [high, middle, low, ..] = self.head;
                self.remaining = u32::from_be_bytes([0, high, middle, low]) as usize;
                self.known = 0;
            }
        }
        data
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use hyper::rt::Executor as _;

    use super::*;
    use crate::streams::Streams;

    fn frame(kind: u8, payload: usize) -> Vec<u8> {
        let length = u32::try_from(payload).unwrap().to_be_bytes();
        let mut bytes = vec![length[1], length[2], length[3], kind, 0, 0, 0, 0, 1];
        bytes.resize(HEAD_BYTES + payload, 0);
        bytes
    }

    #[test]
    fn body_bytes_are_counted_across_splits() {
        let all = [
            frame(4, 6),
            frame(0, 300),
            frame(6, 8),
            frame(0, 0),
            frame(0, 5),
        ]
        .concat();
        for size in [1, 2, 7, 9, 10, all.len()] {
            let mut scan = FrameScan::default();
            let counted: usize = all.chunks(size).map(|part| scan.feed(part)).sum();
            assert_eq!(counted, 305, "{size}");
        }
    }

    fn limits() -> Limits {
        Limits {
            idle_timeout: Duration::from_secs(60),
            head_timeout: Duration::from_secs(5),
            write_rate: 1024,
            ..Limits::default()
        }
    }

    fn idle(activity: &Arc<Activity>, left: usize) -> IdleTimer {
        let capacity = Capacity::new(Arc::new(Semaphore::new(left)), 80);
        IdleTimer::new(Arc::clone(activity), capacity, &limits())
    }

    async fn over(mut idle: IdleTimer) -> u64 {
        let start = Instant::now();
        poll_fn(|cx| idle.poll_over(cx)).await;
        start.elapsed().as_secs()
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_connection_closes_sooner_if_few_are_free() {
        assert_eq!(over(idle(&Arc::default(), 80)).await, 60);
        assert_eq!(over(idle(&Arc::default(), 9)).await, 5);
    }

    #[tokio::test(start_paused = true)]
    async fn requests_and_body_bytes_are_activity_but_pings_are_not() {
        let activity = Arc::default();
        let streams = Streams::new(Arc::clone(&activity), &limits());
        streams.execute(sleep(Duration::from_secs(100)));
        let end = over(idle(&activity, 80)).await;
        assert!((160..=166).contains(&end), "{end}");
        let mut first = idle(&Arc::default(), 80);
        tokio::time::advance(Duration::from_secs(50)).await;
        first.sent(&frame(6, 8));
        assert_eq!(over(first).await, 10);
        let mut first = idle(&Arc::default(), 80);
        tokio::time::advance(Duration::from_secs(50)).await;
        first.sent(&frame(0, 10 * 1024));
        assert_eq!(over(first).await, 20);
    }
}
