//! Images that are rendered for a request.
//!
//! Rendering can take up to its full time limit, and every client can request it. So only a few
//! images are rendered concurrently, and only a few requests wait, without occupying a thread; all
//! others are rejected with `Retry-After`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::{StatusCode, header};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::reply::{self, Response};

/// Produces a response.
pub type Work = Box<dyn FnOnce() -> Response + Send>;

/// Produces a response; the argument says whether there is a permit to render an image.
pub type VariantWork = Box<dyn FnOnce(bool) -> Response + Send>;

/// Maximum number of images that are rendered concurrently.
const MAX_CONCURRENT: usize = 2;
/// Maximum number of waiting requests.
const MAX_WAITING: usize = 64;
const WAIT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for a request that has a fallback response.
const VARIANT_WAIT_TIMEOUT: Duration = Duration::from_secs(2);
/// Value of `Retry-After` in seconds.
const RETRY_AFTER: &str = "2";

/// Queue of all sites of this process.
static QUEUE: Queue = Queue::new(MAX_CONCURRENT, MAX_WAITING);

/// A semaphore with a limited number of waiters.
#[derive(Debug)]
struct Queue {
    permits: Semaphore,
    waiting: AtomicUsize,
    max_waiting: usize,
}

/// Counts a waiting request until it is dropped.
struct WaitGuard<'q>(&'q Queue);

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Queue {
    const fn new(permits: usize, max: usize) -> Self {
        Self {
            permits: Semaphore::const_new(permits),
            waiting: AtomicUsize::new(0),
            max_waiting: max,
        }
    }

    /// Acquires a permit; `None` if too many requests wait or the timeout has elapsed.
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

/// Numbers of images that are being rendered and of requests that wait for a permit.
pub(crate) fn load() -> (usize, usize) {
    let free = QUEUE.permits.available_permits();
    let waiting = QUEUE.waiting.load(Ordering::Relaxed);
    (MAX_CONCURRENT.saturating_sub(free), waiting)
}

/// Produces the response after waiting for a permit; `None` if there is no permit or the work
/// panics.
pub(crate) async fn respond(task: Work) -> Option<Response> {
    let Some(permit) = QUEUE.enter(WAIT_TIMEOUT).await else {
        return Some(busy());
    };
    let render = move || {
        // Held until the rendering ends, even if the client has disconnected.
        let _permit = permit;
        task()
    };
    tokio::task::spawn_blocking(render).await.ok()
}

/// Produces the response with or without a permit; `None` if the work panics.
pub(crate) async fn respond_or_fallback(task: VariantWork) -> Option<Response> {
    let permit = QUEUE.enter(VARIANT_WAIT_TIMEOUT).await;
    let render = move || {
        let response = task(permit.is_some());
        drop(permit);
        response
    };
    tokio::task::spawn_blocking(render).await.ok()
}

/// The response if the image cannot be rendered now.
pub(crate) fn busy() -> Response {
    let mut response = reply::plain(
        StatusCode::SERVICE_UNAVAILABLE,
        "This image is not rendered yet. Try again in a moment.",
    );
    reply::set_header(&mut response, header::RETRY_AFTER, RETRY_AFTER);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_queue_is_bounded_and_times_out() {
        let queue = Queue::new(1, 1);
        let long = Duration::from_secs(600);
        let first = queue.enter(long).await.expect("it is free");
        // The second request waits; the third is rejected.
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
        // A request that timed out no longer counts as waiting.
        assert!(queue.enter(Duration::ZERO).await.is_none());
        drop(second);
        assert!(queue.enter(long).await.is_some());
    }

    #[test]
    fn a_busy_response_has_retry_after() {
        let response = busy();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.headers()[header::RETRY_AFTER], RETRY_AFTER);
    }
}
