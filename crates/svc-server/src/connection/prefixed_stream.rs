//! A stream of which some bytes have been read already.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::Bytes;
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
    pub(super) fn set_prefix(&mut self, bytes: &[u8]) {
        debug_assert!(self.prefix.is_empty(), "no byte is lost");
        // A copy, because even empty bytes can hold a large buffer.
        self.prefix = Bytes::copy_from_slice(bytes);
    }

    pub(super) fn has_prefix(&self) -> bool {
        !self.prefix.is_empty()
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
        if self.prefix.is_empty() {
            // Releases the memory.
            self.prefix = Bytes::new();
        }
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
