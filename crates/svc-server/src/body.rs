//! Bodies of answers: nothing, bytes in memory, a part of a file, or what comes from elsewhere.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Bytes, Frame, SizeHint};
use svc_fetch::FetchError;

use crate::file::FilePart;
use crate::in_flight::Permit;
use crate::streams;

/// Bytes of a file that are read at once.
pub(crate) const CHUNK: usize = 64 * 1024;

/// The body of an answer.
#[derive(Debug)]
pub struct Body {
    kind: Kind,
    /// The permit of its request, which all of its bytes keep.
    permit: Option<Permit>,
}

enum Kind {
    Empty,
    /// Pieces that are still to be sent; none is empty.
    Pieces(VecDeque<Bytes>),
    File {
        part: FilePart,
        reading: Option<Reading>,
    },
    Stream(Stream),
}

/// A piece of a file that is being read.
type Reading = Pin<Box<dyn Future<Output = io::Result<Bytes>> + Send>>;

fn length(pieces: &VecDeque<Bytes>) -> u64 {
    pieces.iter().map(|piece| piece.len() as u64).sum()
}

/// A body that comes from elsewhere.
type Stream = Pin<Box<dyn hyper::body::Body<Data = Bytes, Error = FetchError> + Send>>;

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("Empty"),
            Self::Pieces(pieces) => write!(f, "Pieces({} bytes)", length(pieces)),
            Self::File { part, .. } => write!(f, "File({} bytes)", part.left()),
            Self::Stream(_) => f.write_str("Stream"),
        }
    }
}

impl Body {
    const fn of(kind: Kind) -> Self {
        Self { kind, permit: None }
    }

    /// No bytes.
    pub const fn empty() -> Self {
        Self::of(Kind::Empty)
    }

    /// Bytes in memory.
    pub fn full(bytes: impl Into<Bytes>) -> Self {
        Self::pieces([bytes.into()])
    }

    /// Bytes in memory, one piece after the other.
    pub(crate) fn pieces(pieces: impl IntoIterator<Item = Bytes>) -> Self {
        let pieces = pieces.into_iter().filter(|piece| !piece.is_empty());
        Self::of(Kind::Pieces(pieces.collect()))
    }

    /// What comes from elsewhere, as it comes.
    pub(crate) fn stream(
        body: impl hyper::body::Body<Data = Bytes, Error = FetchError> + Send + 'static,
    ) -> Self {
        Self::of(Kind::Stream(Box::pin(body)))
    }

    /// A part of a file.
    pub(crate) const fn file(part: FilePart) -> Self {
        let reading = None;
        Self::of(Kind::File { part, reading })
    }

    /// Keeps the permit of its request until the last byte has gone.
    pub(crate) fn keep(&mut self, permit: Permit) {
        self.permit = Some(permit);
    }

    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        match &mut self.kind {
            Kind::Empty => Poll::Ready(None),
            Kind::Pieces(pieces) => Poll::Ready(pieces.pop_front().map(Ok)),
            Kind::Stream(body) => loop {
                // Trailers of others are not passed on.
                match ready!(body.as_mut().poll_frame(cx)) {
                    Some(Ok(frame)) => {
                        if let Ok(bytes) = frame.into_data() {
                            return Poll::Ready(Some(Ok(bytes)));
                        }
                    }
                    Some(Err(error)) => return Poll::Ready(Some(Err(io::Error::other(error)))),
                    None => return Poll::Ready(None),
                }
            },
            Kind::File { part, reading } => {
                if part.left() == 0 {
                    return Poll::Ready(None);
                }
                let future = reading.get_or_insert_with(|| Box::pin(part.clone().read(CHUNK)));
                let bytes = ready!(future.as_mut().poll(cx));
                *reading = None;
                if let Ok(bytes) = &bytes {
                    part.skip(bytes.len());
                }
                Poll::Ready(Some(bytes))
            }
        }
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let piece = self.poll_piece(cx);
        streams::note_piece(match &piece {
            Poll::Ready(Some(Ok(bytes))) => Some(bytes.len()),
            _ => None,
        });
        let piece = ready!(piece);
        Poll::Ready(piece.map(|bytes| {
            let bytes = bytes?;
            Ok(Frame::data(match &self.permit {
                Some(permit) => permit.hold(bytes),
                None => bytes,
            }))
        }))
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            Kind::Empty => true,
            Kind::Pieces(pieces) => pieces.is_empty(),
            Kind::File { part, .. } => part.left() == 0,
            Kind::Stream(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match &self.kind {
            Kind::Empty => 0,
            Kind::Pieces(pieces) => length(pieces),
            Kind::File { part, .. } => part.left(),
            Kind::Stream(body) => return body.size_hint(),
        })
    }
}
