//! The socket of a connection with deadlines that the HTTP library does not enforce.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::Limits;
use crate::framing::{Framing, HeadScan};
use crate::idle::IdleTimer;
use crate::time_budget::TimeBudget;

/// A socket that fails if the client does not complete the first request head in time (the HTTP
/// library starts its timer only after it has distinguished HTTP/1 from HTTP/2), does not read the
/// response, or leaves an HTTP/2 connection idle.
pub(crate) struct DeadlineStream<S> {
    inner: S,
    scan: HeadScan,
    first_head: Option<Pin<Box<Sleep>>>,
    budget: TimeBudget,
    idle: IdleTimer,
}

impl<S> DeadlineStream<S> {
    pub(crate) fn new(inner: S, framing: Framing, idle: IdleTimer, limits: &Limits) -> Self {
        let timeout = limits.write_timeout;
        Self {
            inner,
            scan: HeadScan::new(framing),
            first_head: Some(Box::pin(sleep(limits.head_timeout))),
            budget: TimeBudget::new(timeout, timeout, limits.write_rate),
            idle,
        }
    }
}

impl<S: AsyncWrite + Unpin> DeadlineStream<S> {
    fn sent(&mut self, bytes: &[u8]) {
        if self.scan.is_http2() {
            self.idle.sent(bytes);
        }
    }

    fn account(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(result) = written {
            if let Ok(bytes) = result {
                self.budget.record_progress(bytes);
            }
            return Poll::Ready(result);
        }
        ready!(self.budget.poll_exhausted(cx));
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the client does not read the response",
        )))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for DeadlineStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buf.filled().len();
        if let Poll::Ready(result) = Pin::new(&mut this.inner).poll_read(cx, buf) {
            this.scan
                .feed(buf.filled().get(before..).unwrap_or_default());
            if this.scan.seen_head() {
                this.first_head = None;
            }
            return Poll::Ready(result);
        }
        match &mut this.first_head {
            Some(timer) => ready!(timer.as_mut().poll(cx)),
            None if this.scan.is_http2() => ready!(this.idle.poll_over(cx)),
            None => return Poll::Pending,
        }
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "no request was received",
        )))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for DeadlineStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        if let Poll::Ready(Ok(count)) = written {
            self.sent(bytes.get(..count).unwrap_or(bytes));
        }
        self.account(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, parts);
        if let Poll::Ready(Ok(mut count)) = written {
            for part in parts {
                let bytes = part.get(..count.min(part.len())).unwrap_or_default();
                self.sent(bytes);
                count -= bytes.len();
            }
        }
        self.account(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
