//! Bodies of answers: nothing, bytes in memory, or a part of a file.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Bytes, Frame, SizeHint};
use tokio::fs::File;
use tokio::io::{AsyncRead, ReadBuf};

const CHUNK: usize = 64 * 1024;

/// The body of an answer.
#[derive(Debug)]
pub struct Body(Kind);

#[derive(Debug)]
enum Kind {
    Empty,
    Full(Bytes),
    File {
        file: File,
        left: u64,
        buffer: Vec<u8>,
    },
}

impl Body {
    /// No bytes.
    pub const fn empty() -> Self {
        Self(Kind::Empty)
    }

    /// Bytes in memory.
    pub fn full(bytes: impl Into<Bytes>) -> Self {
        Self(Kind::Full(bytes.into()))
    }

    /// The next `length` bytes of an open file.
    pub(crate) fn file(file: std::fs::File, length: u64) -> Self {
        Self(Kind::File {
            file: File::from_std(file),
            left: length,
            buffer: Vec::new(),
        })
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let bytes = match &mut self.0 {
            Kind::Empty => return Poll::Ready(None),
            Kind::Full(bytes) => std::mem::take(bytes),
            Kind::File { left: 0, .. } => return Poll::Ready(None),
            Kind::File { file, left, buffer } => {
                buffer.resize(CHUNK.min(usize::try_from(*left).unwrap_or(CHUNK)), 0);
                let mut into = ReadBuf::new(buffer);
                if let Err(error) = ready!(Pin::new(file).poll_read(cx, &mut into)) {
                    return Poll::Ready(Some(Err(error)));
                }
                let read = into.filled().len();
                if read == 0 {
                    // The length was promised: a file that shrank must break the connection.
                    return Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into())));
                }
                *left = left.saturating_sub(read as u64);
                return Poll::Ready(Some(Ok(Frame::data(Bytes::copy_from_slice(into.filled())))));
            }
        };
        self.0 = Kind::Empty;
        Poll::Ready((!bytes.is_empty()).then(|| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Empty => true,
            Kind::Full(bytes) => bytes.is_empty(),
            Kind::File { left, .. } => *left == 0,
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match &self.0 {
            Kind::Empty => 0,
            Kind::Full(bytes) => bytes.len() as u64,
            Kind::File { left, .. } => *left,
        })
    }
}
