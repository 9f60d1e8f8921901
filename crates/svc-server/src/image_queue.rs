//! Images that are drawn for a request.
//!
//! A drawing may take its full limit, and anybody may ask for it. So few are made at the same time
//! and few requests wait for one, on no thread; all others are told to come again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::{StatusCode, header};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::reply::{self, Response};
use crate::service::{VariantWork, Work};

/// Drawings that are made for requests at the same time.
const MAX_CONCURRENT: usize = 2;
/// Requests that wait for their drawing.
const MAX_WAITING: usize = 64;
/// How long one waits.
const WAIT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long one waits that has another answer.
const VARIANT_WAIT_TIMEOUT: Duration = Duration::from_secs(2);
/// Seconds after which a request that was refused may come again.
const RETRY_AFTER: &str = "2";

/// Drawings of all sites of this process.
static QUEUE: Queue = Queue::new(MAX_CONCURRENT, MAX_WAITING);

/// A few permits, and a limit on those that wait for one.
#[derive(Debug)]
struct Queue {
    permits: Semaphore,
    waiting: AtomicUsize,
    max_waiting: usize,
}

/// A request that waits, until this is dropped.
struct WaitGuard<'q>(&'q Queue);

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Queue {
    const fn new(permits: usize, most: usize) -> Self {
        Self {
            permits: Semaphore::const_new(permits),
            waiting: AtomicUsize::new(0),
            max_waiting: most,
        }
    }

    /// A permit; nothing when too many wait, or when it takes too long.
    async fn enter(&self, timeout: Duration) -> Option<SemaphorePermit<'_>> {
        if let Ok(permit) = self.permits.try_acquire() {
            return Some(permit);
        }
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _guard = WaitGuard(self);
        if before >= self.max_waiting {
            return None;
        }
        let permit = tokio::time::timeout(timeout, self.permits.acquire());
        permit.await.ok()?.ok()
    }
}

/// Makes the answer in its turn; nothing when that panics.
pub(crate) async fn respond(work: Work) -> Option<Response> {
    let Some(permit) = QUEUE.enter(WAIT_TIMEOUT).await else {
        return Some(busy());
    };
    let draw = move || {
        // Given back when the drawing is done, also when nobody waits for it any more.
        let _permit = permit;
        work()
    };
    tokio::task::spawn_blocking(draw).await.ok()
}

/// Makes the answer in its turn, or soon without one; nothing when that panics.
pub(crate) async fn respond_or_fallback(work: VariantWork) -> Option<Response> {
    let permit = QUEUE.enter(VARIANT_WAIT_TIMEOUT).await;
    let draw = move || {
        let response = work(permit.is_some());
        drop(permit);
        response
    };
    tokio::task::spawn_blocking(draw).await.ok()
}

/// The answer to a request whose image cannot be drawn now.
pub(crate) fn busy() -> Response {
    let mut response = reply::plain(
        StatusCode::SERVICE_UNAVAILABLE,
        "This image waits to be drawn. Come again in a moment.",
    );
    reply::set_header(&mut response, header::RETRY_AFTER, RETRY_AFTER);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn few_wait_and_none_for_long() {
        let queue = Queue::new(1, 1);
        let long = Duration::from_secs(600);
        let first = queue.enter(long).await.expect("it is free");
        // The second one waits, the third one does not.
        let mut second = Box::pin(queue.enter(long));
        let pending = std::future::poll_fn(|cx| {
            let polled = second.as_mut().poll(cx);
            std::task::Poll::Ready(polled.is_pending())
        });
        assert!(pending.await);
        assert!(queue.enter(long).await.is_none());
        drop(first);
        let second = second.await;
        assert!(second.is_some());
        // Who waits too long gets nothing, and counts no more.
        assert!(queue.enter(Duration::ZERO).await.is_none());
        drop(second);
        assert!(queue.enter(long).await.is_some());
    }

    #[test]
    fn a_refusal_says_when_to_come_again() {
        let response = busy();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.headers()[header::RETRY_AFTER], RETRY_AFTER);
    }
}
