//! A stream of which some bytes have been read already.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Buf as _, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream that begins with bytes that were read from it before.
pub(super) struct PrefixedStream<S> {
    prefix: Bytes,
    inner: S,
}

impl<S> PrefixedStream<S> {
    pub(super) const fn new(inner: S) -> Self {
        let prefix = Bytes::new();
        Self { prefix, inner }
    }

    /// Sets the bytes that are read next. Those that were set before must have been read.
    pub(super) fn set_prefix(&mut self, bytes: impl Into<Bytes>) {
        debug_assert!(self.prefix.is_empty(), "no byte is lost");
        self.prefix = bytes.into();
        self.release();
    }

    pub(super) fn has_prefix(&self) -> bool {
        !self.prefix.is_empty()
    }

    /// The bytes that are read next.
    pub(super) fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    /// Removes `count` bytes of the prefix.
    pub(super) fn skip(&mut self, count: usize) {
        self.prefix.advance(count.min(self.prefix.len()));
        self.release();
    }

    /// Releases the memory of a prefix that was read.
    fn release(&mut self) {
        if self.prefix.is_empty() {
            self.prefix = Bytes::new();
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PrefixedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.prefix.is_empty() {
            return Pin::new(&mut self.inner).poll_read(cx, buf);
        }
        let count = self.prefix.len().min(buf.remaining());
        buf.put_slice(&self.prefix.split_to(count));
        self.release();
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PrefixedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(cx, parts)
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
