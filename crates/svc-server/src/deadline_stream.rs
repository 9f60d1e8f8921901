//! The socket of a connection with deadlines that the HTTP library does not enforce.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::Limits;
use crate::framing::{Framing, HeadScan};
use crate::idle::IdleTimer;
use crate::time_budget::TimeBudget;

/// A socket that fails if the client does not complete a request head in time, does not read the
/// response, or leaves the connection idle. The HTTP library has one timer for heads and for idle
/// connections, and starts it only after it has distinguished HTTP/1 from HTTP/2.
pub(crate) struct DeadlineStream<S> {
    inner: S,
    scan: HeadScan,
    head_timeout: Duration,
    /// Timer of the head that is being received.
    head: Option<Pin<Box<Sleep>>>,
    budget: TimeBudget,
    idle: IdleTimer,
}

impl<S> DeadlineStream<S> {
    pub(crate) fn new(inner: S, framing: Framing, idle: IdleTimer, limits: &Limits) -> Self {
        let timeout = limits.write_timeout;
        Self {
            inner,
            scan: HeadScan::new(framing),
            head_timeout: limits.head_timeout,
            head: Some(Box::pin(sleep(limits.head_timeout))),
            budget: TimeBudget::new(timeout, timeout, limits.write_rate),
            idle,
        }
    }
}

impl<S: AsyncWrite + Unpin> DeadlineStream<S> {
    fn sent(&mut self, bytes: &[u8]) {
        match self.scan.is_http2() {
            true => self.idle.sent(bytes),
            false => self.idle.touch(),
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
            let heads = this.scan.heads();
            this.scan
                .feed(buf.filled().get(before..).unwrap_or_default());
            if this.scan.heads() > heads {
                this.head = None;
            }
            return Poll::Ready(result);
        }
        // The beginning of a pipelined head waits for the response before it, and a body for the
        // response to it, after which the connection ends.
        if this.head.is_none() && this.scan.is_in_head() && !this.idle.is_active() {
            this.head = Some(Box::pin(sleep(this.head_timeout)));
        }
        match &mut this.head {
            Some(timer) => ready!(timer.as_mut().poll(cx)),
            None => ready!(this.idle.poll_over(cx)),
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
