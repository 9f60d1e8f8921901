//! The socket of one connection with the deadlines the HTTP library does not have.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use crate::Limits;
use crate::framing::{Framing, HeadScan};

/// A socket that fails when its client does not finish the first request head in time (the HTTP
/// library looks at the clock only after it has decided between HTTP/1 and HTTP/2), or does not
/// take the bytes it asked for.
pub(crate) struct Guarded<S> {
    inner: S,
    scan: HeadScan,
    first_head: Option<Pin<Box<Sleep>>>,
    patience: Patience,
}

impl<S> Guarded<S> {
    pub(crate) fn new(inner: S, framing: Framing, limits: &Limits) -> Self {
        Self {
            inner,
            scan: HeadScan::new(framing),
            first_head: Some(Box::pin(sleep(limits.head_timeout))),
            patience: Patience::new(limits),
        }
    }
}

/// Time the client may still make us wait. Waiting uses it up, bytes taken give it back.
struct Patience {
    most: Duration,
    rate: u32,
    left: Duration,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Patience {
    fn new(limits: &Limits) -> Self {
        let most = limits.write_patience;
        Self {
            most,
            rate: limits.write_rate.max(1),
            left: most,
            waiting: None,
        }
    }

    fn took(&mut self, bytes: usize) {
        if let Some((since, _)) = self.waiting.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let gained = Duration::from_secs(1).saturating_mul(bytes) / self.rate;
        self.left = self.left.saturating_add(gained).min(self.most);
    }

    fn poll_exhausted(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let left = self.left;
        let (_, timer) = self.waiting.get_or_insert_with(|| {
            let now = Instant::now();
            (now, Box::pin(sleep_until(now + left)))
        });
        timer.as_mut().poll(cx)
    }
}

impl<S: AsyncWrite + Unpin> Guarded<S> {
    fn account(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(result) = written {
            if let Ok(bytes) = result {
                self.patience.took(bytes);
            }
            return Poll::Ready(result);
        }
        ready!(self.patience.poll_exhausted(cx));
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the client takes no data",
        )))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        if let Poll::Ready(result) = Pin::new(&mut self.inner).poll_read(cx, buf) {
            self.scan
                .feed(buf.filled().get(before..).unwrap_or_default());
            if self.scan.seen_head() {
                self.first_head = None;
            }
            return Poll::Ready(result);
        }
        let Some(timer) = &mut self.first_head else {
            return Poll::Pending;
        };
        ready!(timer.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "no request came",
        )))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.account(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, parts);
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
