//! Streams of HTTP/2 connections: a stream whose client does not read is reset.
//!
//! A stream without flow-control window writes nothing, so the deadlines of the socket do not
//! apply to it. Each stream is a task that records who it is waiting for: the server while a
//! response is produced, or the client while a chunk of the body waits for the window.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use crate::Limits;
use crate::time_budget::TimeBudget;

/// Number of bytes that are read from a file at a time.
pub(crate) const CHUNK_BYTES: usize = 64 * 1024;

/// Shared counters of the streams of a connection; on HTTP/1, of its requests.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    open: AtomicUsize,
    begun: AtomicUsize,
    sent: AtomicUsize,
    /// Whether bytes wait for the client to read those before them.
    blocked: AtomicBool,
    /// Whether the response to the last request of HTTP/1 is cached.
    cached: AtomicBool,
}

impl Activity {
    /// Number of open streams.
    pub(crate) fn open(&self) -> usize {
        self.open.load(Ordering::Acquire)
    }

    /// Number of streams since the start of the connection.
    pub(crate) fn begun(&self) -> usize {
        self.begun.load(Ordering::Acquire)
    }

    /// Whether no request is being handled and all responses were sent.
    pub(crate) fn is_idle(&self) -> bool {
        self.open() == 0 && !self.blocked.load(Ordering::Acquire)
    }

    /// Records whether bytes wait for the client to read those before them.
    pub(crate) fn set_blocked(&self, is_blocked: bool) {
        self.blocked.store(is_blocked, Ordering::Release);
    }

    /// Whether the response to the last request of HTTP/1 is cached.
    pub(crate) fn is_cached(&self) -> bool {
        self.cached.load(Ordering::Acquire)
    }

    /// Records whether the response to a request of HTTP/1 is cached.
    pub(crate) fn set_cached(&self, is_cached: bool) {
        self.cached.store(is_cached, Ordering::Release);
    }

    /// Counts a stream, or a request of HTTP/1, until the guard is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> ActivityGuard {
        self.begun.fetch_add(1, Ordering::AcqRel);
        self.open.fetch_add(1, Ordering::AcqRel);
        ActivityGuard(Arc::clone(self))
    }

    /// Records bytes of bodies that were sent on the connection.
    pub(crate) fn record_sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes, Ordering::AcqRel);
    }
}

/// A stream or request that is open.
#[derive(Debug)]
pub(crate) struct ActivityGuard(Arc<Activity>);

impl Drop for ActivityGuard {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Executor for the streams of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Streams {
    activity: Arc<Activity>,
    max_wait: Duration,
    rate: u32,
}

impl Streams {
    pub(crate) fn new(activity: Arc<Activity>, limits: &Limits) -> Self {
        Self {
            activity,
            max_wait: limits.write_timeout,
            rate: limits.write_rate.max(1),
        }
    }
}

impl<F> hyper::rt::Executor<F> for Streams
where
    F: Future + Send + 'static,
{
    fn execute(&self, future: F) {
        let open = self.activity.begin();
        // A client at the minimum rate needs this long to read a chunk.
        let piece = Duration::from_secs(1).saturating_mul(CHUNK_BYTES as u32) / self.rate;
        tokio::spawn(StreamTask {
            future: Box::pin(future),
            progress: Arc::default(),
            budget: TimeBudget::new(self.max_wait, self.max_wait + piece, self.rate),
            seen: self.activity.sent.load(Ordering::Acquire),
            open,
        });
    }
}

tokio::task_local! {
    /// Progress of the stream whose task is running.
    static CURRENT: Arc<Mutex<WriteProgress>>;
}

#[derive(Debug, Default)]
struct WriteProgress {
    /// Number of bytes that wait for the client to read them.
    offered: Option<usize>,
    /// Number of bytes that the client has read since the last poll of the task.
    accepted: usize,
}

fn lock(turn: &Mutex<WriteProgress>) -> MutexGuard<'_, WriteProgress> {
    turn.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records that a body was polled for a chunk, and its size; `None` if no chunk was ready. The
/// previous chunk has been read by then.
pub(crate) fn record_chunk(bytes: Option<usize>) {
    // On HTTP/1, the deadlines of the socket apply.
    let _ = CURRENT.try_with(|turn| {
        let mut turn = lock(turn);
        turn.accepted += turn.offered.take().unwrap_or(0);
        turn.offered = bytes;
    });
}

struct StreamTask<F> {
    future: Pin<Box<F>>,
    progress: Arc<Mutex<WriteProgress>>,
    budget: TimeBudget,
    /// Bytes of the connection that were already counted.
    seen: usize,
    open: ActivityGuard,
}

impl<F> StreamTask<F> {
    /// Share of this stream in the bytes that were sent on the connection since the last call. A
    /// client that reads its streams one after another is not slow.
    fn share(&mut self) -> usize {
        let activity = &self.open.0;
        let total = activity.sent.load(Ordering::Acquire);
        let new = total.wrapping_sub(self.seen);
        let open = activity.open().max(1);
        self.seen = total;
        new / open
    }
}

impl<F: Future> Future for StreamTask<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let turn = Arc::clone(&this.progress);
        let polled = CURRENT.sync_scope(turn, || this.future.as_mut().poll(cx));
        if polled.is_ready() {
            return Poll::Ready(());
        }
        let (taken, waits) = {
            let mut turn = lock(&this.progress);
            (std::mem::take(&mut turn.accepted), turn.offered.is_some())
        };
        if taken > 0 || !waits {
            this.budget.record_progress(taken);
            this.share();
        }
        if !waits {
            return Poll::Pending;
        }
        loop {
            ready!(this.budget.poll_exhausted(cx));
            let share = this.share();
            if share == 0 {
                // Ending the task resets the stream.
                return Poll::Ready(());
            }
            this.budget.record_progress(share);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use hyper::rt::Executor as _;
    use tokio::time::{Instant, sleep};

    use super::*;

    fn streams() -> Streams {
        let limits = Limits {
            write_timeout: Duration::from_secs(12),
            write_rate: 1024,
            ..Limits::default()
        };
        Streams::new(Arc::default(), &limits)
    }

    /// Time until the streams of a connection have ended.
    async fn end(streams: &Streams) -> Duration {
        let start = Instant::now();
        while streams.activity.open() > 0 {
            sleep(Duration::from_millis(100)).await;
        }
        start.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn an_unread_stream_is_reset_and_a_pending_one_continues() {
        let streams = streams();
        streams.execute(async {
            record_chunk(Some(5));
            pending::<()>().await;
        });
        let seconds = end(&streams).await.as_secs();
        assert!((12..14).contains(&seconds), "{seconds}");
        streams.execute(async {
            record_chunk(None);
            sleep(Duration::from_secs(1_000)).await;
        });
        assert!(end(&streams).await >= Duration::from_secs(1_000));
        assert_eq!(streams.activity.begun(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_gets_its_share_of_the_progress_of_the_connection() {
        let streams = streams();
        for _ in 0..4 {
            streams.execute(async {
                record_chunk(Some(CHUNK_BYTES));
                pending::<()>().await;
            });
        }
        // Four times the minimum rate of a stream, for a while.
        for _ in 0..100 {
            sleep(Duration::from_secs(1)).await;
            streams.activity.record_sent(4 * 1024);
        }
        assert_eq!(streams.activity.open(), 4);
        let seconds = end(&streams).await.as_secs();
        assert!(seconds < 80, "{seconds}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_at_the_minimum_rate_gets_the_full_response() {
        let streams = streams();
        streams.execute(async {
            for _ in 0..20 {
                record_chunk(Some(CHUNK_BYTES));
                sleep(Duration::from_secs(60)).await;
            }
        });
        // The first chunk gets only the timeout of a client that reads nothing.
        assert!(end(&streams).await < Duration::from_secs(14));
        streams.execute(async {
            record_chunk(Some(CHUNK_BYTES));
            sleep(Duration::from_secs(10)).await;
            for _ in 0..20 {
                record_chunk(Some(CHUNK_BYTES));
                sleep(Duration::from_secs(60)).await;
            }
        });
        assert!(end(&streams).await >= Duration::from_secs(1_200));
    }
}
