//! The stream of a connection with limits that the HTTP library does not enforce.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::Limits;
use crate::framing::{Framing, HeadScan};
use crate::http2::Frames;
use crate::idle::IdleTimer;

/// A stream that fails if the client does not complete a request head in time, leaves the connection
/// idle, or sends too many frames of HTTP/2. The HTTP library has one timer for heads and for idle
/// connections, and starts it only after it has distinguished HTTP/1 from HTTP/2.
pub(crate) struct DeadlineStream<S> {
    inner: S,
    scan: HeadScan,
    /// Frames of HTTP/2, after its preface.
    frames: Option<Box<Frames>>,
    head_timeout: Duration,
    /// Timer of the head that is being received.
    head: Option<Pin<Box<Sleep>>>,
    idle: IdleTimer,
}

impl<S> DeadlineStream<S> {
    pub(crate) fn new(inner: S, framing: Framing, idle: IdleTimer, limits: &Limits) -> Self {
        Self {
            inner,
            scan: HeadScan::new(framing),
            frames: None,
            head_timeout: limits.head_timeout,
            head: Some(Box::pin(sleep(limits.head_timeout))),
            idle,
        }
    }

    /// Records bytes from the client. Returns whether it is within the budget of its frames.
    fn received(&mut self, bytes: &[u8]) -> bool {
        let heads = self.scan.heads();
        let scanned = self.scan.feed(bytes);
        if self.scan.heads() > heads {
            self.head = None;
        }
        let rest = bytes.get(scanned..).unwrap_or_default();
        if rest.is_empty() {
            return true;
        }
        let frames = self.frames.get_or_insert_with(|| Box::new(Frames::new()));
        frames.received(rest)
    }

    fn sent(&mut self, bytes: &[u8]) {
        match &mut self.frames {
            Some(frames) => self.idle.record_body(frames.sent(bytes)),
            None => self.idle.touch(),
        }
    }

    /// Whether the client has begun a head that it must complete.
    fn is_in_head(&self) -> bool {
        match &self.frames {
            Some(frames) => frames.is_in_head(),
            // The beginning of a pipelined head waits for the response before it, and a body for
            // the response to it, after which the connection ends.
            None => self.scan.is_in_head() && !self.idle.is_active(),
        }
    }
}

impl<S: AsyncWrite + Unpin> DeadlineStream<S> {
    /// Sends GOAWAY to a client that exceeds its budget, if the socket accepts it at once.
    fn refuse(&mut self, cx: &mut Context<'_>) -> io::Error {
        if let Some(goaway) = self.frames.as_ref().and_then(|frames| frames.goaway()) {
            let _ = Pin::new(&mut self.inner).poll_write(cx, &goaway);
            let _ = Pin::new(&mut self.inner).poll_flush(cx);
        }
        tracing::debug!("a client has sent too many frames of HTTP/2; its connection is closed");
        io::Error::other("too many frames")
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for DeadlineStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buf.filled().len();
        if let Poll::Ready(result) = Pin::new(&mut this.inner).poll_read(cx, buf) {
            let fits = this.received(buf.filled().get(before..).unwrap_or_default());
            return Poll::Ready(match fits {
                true => result,
                false => Err(this.refuse(cx)),
            });
        }
        let is_in_head = this.is_in_head();
        if this.head.is_none() && is_in_head {
            this.head = Some(Box::pin(sleep(this.head_timeout)));
        } else if this.frames.is_some() && !is_in_head {
            this.head = None;
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
        self.idle.record_write(&written);
        if let Poll::Ready(Ok(count)) = written {
            self.sent(bytes.get(..count).unwrap_or(bytes));
        }
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, parts);
        self.idle.record_write(&written);
        if let Poll::Ready(Ok(mut count)) = written {
            for part in parts {
                let bytes = part.get(..count.min(part.len())).unwrap_or_default();
                self.sent(bytes);
                count -= bytes.len();
            }
        }
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(cx);
        self.idle.record_write(&flushed);
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
