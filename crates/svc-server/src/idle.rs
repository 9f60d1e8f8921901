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
            timer: Box::pin(sleep(Duration::ZERO)),
        }
    }

    /// Whether a request is being handled.
    pub(crate) fn is_active(&self) -> bool {
        self.activity.open() > 0
    }

    /// Records the result of writing or flushing.
    pub(crate) fn record_write<T>(&self, result: &Poll<T>) {
        self.activity.set_blocked(result.is_pending());
    }

    /// Records that bytes were sent on an HTTP/1 connection: the rest of a response, whose reader is
    /// limited by the write budget.
    pub(crate) fn touch(&mut self) {
        self.since = Instant::now();
    }

    /// Records the number of bytes of response bodies that were sent on an HTTP/2 connection.
    pub(crate) fn record_body(&mut self, data: usize) {
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

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use hyper::rt::Executor as _;

    use super::*;
    use crate::streams::Streams;

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
        first.record_body(0);
        assert_eq!(over(first).await, 10);
        let mut first = idle(&Arc::default(), 80);
        tokio::time::advance(Duration::from_secs(50)).await;
        first.record_body(10 * 1024);
        assert_eq!(over(first).await, 20);
    }
}
