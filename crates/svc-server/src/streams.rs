//! The streams of HTTP/2 connections: one that its client does not take is reset.
//!
//! A stream without a window writes nothing, so that no deadline of the socket concerns it. Each
//! stream is a task here that knows whose turn it is: the server's while a response is made, the
//! client's while a piece of its body waits for a window.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use crate::Limits;
use crate::body::CHUNK_BYTES;
use crate::time_budget::TimeBudget;

/// What the tasks of a connection do.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    open: AtomicUsize,
    begun: AtomicUsize,
    sent: AtomicUsize,
}

impl Activity {
    /// Streams whose tasks have not ended.
    pub(crate) fn open(&self) -> usize {
        self.open.load(Ordering::Acquire)
    }

    /// Streams since the connection began.
    pub(crate) fn begun(&self) -> usize {
        self.begun.load(Ordering::Acquire)
    }

    /// Notes that the connection took so many bytes of bodies.
    pub(crate) fn record_sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes, Ordering::AcqRel);
    }
}

/// Runs the streams of one connection.
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
        self.activity.begun.fetch_add(1, Ordering::AcqRel);
        self.activity.open.fetch_add(1, Ordering::AcqRel);
        // A client at the lowest rate needs this long for a piece that it has begun to take.
        let piece = Duration::from_secs(1).saturating_mul(CHUNK_BYTES as u32) / self.rate;
        tokio::spawn(StreamTask {
            future: Box::pin(future),
            progress: Arc::default(),
            patience: TimeBudget::new(self.max_wait, self.max_wait + piece, self.rate),
            seen: self.activity.sent.load(Ordering::Acquire),
            activity: Arc::clone(&self.activity),
        });
    }
}

tokio::task_local! {
    /// The turn of the stream whose task runs.
    static CURRENT: Arc<Mutex<WriteProgress>>;
}

#[derive(Debug, Default)]
struct WriteProgress {
    /// Bytes that wait for the client to take them.
    offered: Option<usize>,
    /// Bytes that it has taken since the task looked last.
    accepted: usize,
}

fn lock(turn: &Mutex<WriteProgress>) -> MutexGuard<'_, WriteProgress> {
    turn.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that a body was asked for a piece, and how many bytes it gave; nothing when it has none
/// yet. What it gave before has been taken then.
pub(crate) fn record_chunk(bytes: Option<usize>) {
    // On HTTP/1 the socket tells.
    let _ = CURRENT.try_with(|turn| {
        let mut turn = lock(turn);
        turn.accepted += turn.offered.take().unwrap_or(0);
        turn.offered = bytes;
    });
}

struct StreamTask<F> {
    future: Pin<Box<F>>,
    progress: Arc<Mutex<WriteProgress>>,
    patience: TimeBudget,
    /// Bytes of the connection that were counted in its favour.
    seen: usize,
    activity: Arc<Activity>,
}

impl<F> StreamTask<F> {
    /// What this stream has of the bytes that the connection took since it was asked last. A client
    /// that takes them one stream after the other does not make the server wait.
    fn share(&mut self) -> usize {
        let sent = self.activity.sent.load(Ordering::Acquire);
        let new = sent.wrapping_sub(self.seen);
        self.seen = sent;
        new / self.activity.open().max(1)
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
            this.patience.record_progress(taken);
            this.share();
        }
        if !waits {
            return Poll::Pending;
        }
        loop {
            ready!(this.patience.poll_exhausted(cx));
            let share = this.share();
            if share == 0 {
                // The end of the task resets the stream.
                return Poll::Ready(());
            }
            this.patience.record_progress(share);
        }
    }
}

impl<F> Drop for StreamTask<F> {
    fn drop(&mut self) {
        self.activity.open.fetch_sub(1, Ordering::AcqRel);
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

    /// When the streams of a connection have ended.
    async fn end(streams: &Streams) -> Duration {
        let start = Instant::now();
        while streams.activity.open() > 0 {
            sleep(Duration::from_millis(100)).await;
        }
        start.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_that_is_not_taken_ends_and_one_that_is_made_goes_on() {
        let streams = streams();
        streams.execute(async {
            record_chunk(Some(5));
            pending::<()>().await;
        });
        let ended = end(&streams).await.as_secs();
        assert!((12..14).contains(&ended), "{ended}");
        streams.execute(async {
            record_chunk(None);
            sleep(Duration::from_secs(1_000)).await;
        });
        assert!(end(&streams).await >= Duration::from_secs(1_000));
        assert_eq!(streams.activity.begun(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_that_waits_for_others_has_its_share_of_what_they_take() {
        let streams = streams();
        for _ in 0..4 {
            streams.execute(async {
                record_chunk(Some(CHUNK_BYTES));
                pending::<()>().await;
            });
        }
        // Each second as much as four streams have to take, for a while.
        for _ in 0..100 {
            sleep(Duration::from_secs(1)).await;
            streams.activity.record_sent(4 * 1024);
        }
        assert_eq!(streams.activity.open(), 4);
        let ended = end(&streams).await.as_secs();
        assert!(ended < 80, "{ended}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_client_that_keeps_to_the_rate_gets_all() {
        let streams = streams();
        streams.execute(async {
            for _ in 0..20 {
                record_chunk(Some(CHUNK_BYTES));
                sleep(Duration::from_secs(60)).await;
            }
        });
        // The first piece has only the patience for a client that takes nothing.
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
