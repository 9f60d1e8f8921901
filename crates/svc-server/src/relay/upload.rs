//! Forwards the body of a reader's request to the target.

use std::future::Future as _;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use svc_fetch::BodyError;
use tokio::time::{Instant, Sleep, sleep};

/// Error state of a body, shared with the handler.
#[derive(Debug, Clone, Default)]
pub(super) struct UploadStatus(Arc<AtomicU8>);

const TOO_LARGE: u8 = 1;
const TOO_SLOW: u8 = 2;

impl UploadStatus {
    pub(super) fn was_too_large(&self) -> bool {
        self.0.load(Ordering::Relaxed) == TOO_LARGE
    }

    pub(super) fn was_too_slow(&self) -> bool {
        self.0.load(Ordering::Relaxed) == TOO_SLOW
    }
}

/// A body that fails if it exceeds its size limit or stalls.
pub(super) struct BoundedBody {
    inner: Incoming,
    remaining: u64,
    idle_timeout: Duration,
    idle: Pin<Box<Sleep>>,
    status: UploadStatus,
}

impl BoundedBody {
    pub(super) fn new(inner: Incoming, max: u64, pause: Duration) -> (Self, UploadStatus) {
        let fate = UploadStatus::default();
        let body = Self {
            inner,
            remaining: max,
            idle_timeout: pause,
            idle: Box::pin(sleep(pause)),
            status: fate.clone(),
        };
        (body, fate)
    }

    fn fail(&self, reason: u8) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        self.status.0.store(reason, Ordering::Relaxed);
        Poll::Ready(Some(Err("the request body was interrupted".into())))
    }
}

impl Body for BoundedBody {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        loop {
            let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(cx) else {
                if self.idle.as_mut().poll(cx).is_ready() {
                    return self.fail(TOO_SLOW);
                }
                return Poll::Pending;
            };
            let Some(frame) = frame else {
                return Poll::Ready(None);
            };
            let Ok(frame) = frame else {
                return self.fail(0);
            };
            // Trailers are not forwarded.
            let Ok(data) = frame.into_data() else {
                continue;
            };
            let next = Instant::now() + self.idle_timeout;
            self.idle.as_mut().reset(next);
            let length = data.len() as u64;
            if length > self.remaining {
                return self.fail(TOO_LARGE);
            }
            self.remaining -= length;
            return Poll::Ready(Some(Ok(Frame::data(data))));
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
