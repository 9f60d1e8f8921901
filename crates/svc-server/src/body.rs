//! Bodies of answers: nothing, bytes in memory, a part of a file, or what comes from elsewhere.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Bytes, Frame, SizeHint};
use svc_fetch::FetchError;
use tokio::fs::File;
use tokio::io::{AsyncRead, ReadBuf};

const CHUNK: usize = 64 * 1024;

/// The body of an answer.
#[derive(Debug)]
pub struct Body(Kind);

enum Kind {
    Empty,
    Full(Bytes),
    File {
        file: File,
        left: u64,
        buffer: Vec<u8>,
    },
    Stream(Stream),
}

/// A body that comes from elsewhere.
type Stream = Pin<Box<dyn hyper::body::Body<Data = Bytes, Error = FetchError> + Send>>;

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("Empty"),
            Self::Full(bytes) => write!(f, "Full({} bytes)", bytes.len()),
            Self::File { left, .. } => write!(f, "File({left} bytes)"),
            Self::Stream(_) => f.write_str("Stream"),
        }
    }
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

    /// What comes from elsewhere, as it comes.
    pub(crate) fn stream(
        body: impl hyper::body::Body<Data = Bytes, Error = FetchError> + Send + 'static,
    ) -> Self {
        Self(Kind::Stream(Box::pin(body)))
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
            Kind::Stream(body) => {
                let frame = ready!(body.as_mut().poll_frame(cx));
                return Poll::Ready(frame.map(|frame| frame.map_err(io::Error::other)));
            }
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
            Kind::Stream(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match &self.0 {
            Kind::Empty => 0,
            Kind::Full(bytes) => bytes.len() as u64,
            Kind::File { left, .. } => *left,
            Kind::Stream(body) => return body.size_hint(),
        })
    }
}
