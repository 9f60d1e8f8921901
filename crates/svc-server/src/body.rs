//! Response bodies: empty, in memory, a part of a file, or a stream.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use hyper::body::{Bytes, Frame, SizeHint};
use svc_fetch::FetchError;

use crate::file::FilePart;
use crate::in_flight::Permit;
use crate::metrics::RequestCounters;
use crate::streams::{self, ActivityGuard, CHUNK_BYTES};

/// Body of a response.
#[derive(Debug)]
pub struct Body {
    kind: BodyKind,
    /// Permit of the request, held until its last byte was sent.
    permit: Option<Permit>,
    /// Keeps an HTTP/1 connection active until the body is dropped.
    open: Option<ActivityGuard>,
    /// Counters of the project, for the request and for the bytes of the body.
    counters: Option<Arc<RequestCounters>>,
}

enum BodyKind {
    Empty,
    /// Chunks that are still to be sent; none is empty.
    Chunks(VecDeque<Bytes>),
    File {
        part: FilePart,
        reading: Option<ChunkRead>,
    },
    Stream(BodyStream),
}

/// A pending read of a part of a file.
type ChunkRead = Pin<Box<dyn Future<Output = io::Result<Bytes>> + Send>>;

fn length(pieces: &VecDeque<Bytes>) -> u64 {
    pieces.iter().map(|piece| piece.len() as u64).sum()
}

type BodyStream = Pin<Box<dyn hyper::body::Body<Data = Bytes, Error = FetchError> + Send>>;

impl std::fmt::Debug for BodyKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("Empty"),
            Self::Chunks(pieces) => write!(f, "Pieces({} bytes)", length(pieces)),
            Self::File { part, .. } => write!(f, "File({} bytes)", part.remaining()),
            Self::Stream(_) => f.write_str("Stream"),
        }
    }
}

impl Body {
    const fn of(kind: BodyKind) -> Self {
        Self {
            kind,
            permit: None,
            open: None,
            counters: None,
        }
    }

    /// An empty body.
    pub const fn empty() -> Self {
        Self::of(BodyKind::Empty)
    }

    /// A body in memory.
    pub fn full(bytes: impl Into<Bytes>) -> Self {
        Self::chunks([bytes.into()])
    }

    /// A body of several chunks in memory.
    pub(crate) fn chunks(pieces: impl IntoIterator<Item = Bytes>) -> Self {
        let pieces = pieces.into_iter().filter(|piece| !piece.is_empty());
        Self::of(BodyKind::Chunks(pieces.collect()))
    }

    /// A streaming body.
    pub(crate) fn stream(
        body: impl hyper::body::Body<Data = Bytes, Error = FetchError> + Send + 'static,
    ) -> Self {
        Self::of(BodyKind::Stream(Box::pin(body)))
    }

    /// A part of a file.
    pub(crate) const fn file(part: FilePart) -> Self {
        let reading = None;
        Self::of(BodyKind::File { part, reading })
    }

    /// The bytes, if all are in memory in one piece.
    pub(crate) fn in_memory(&self) -> Option<Bytes> {
        match &self.kind {
            BodyKind::Chunks(pieces) if pieces.len() == 1 => pieces.front().cloned(),
            _ => None,
        }
    }

    /// Holds the permit of the request until the last byte was sent.
    pub(crate) fn hold_permit(&mut self, permit: Permit) {
        self.permit = Some(permit);
    }

    /// Keeps its connection active until the body is dropped.
    pub(crate) fn hold_open(&mut self, open: ActivityGuard) {
        self.open = Some(open);
    }

    /// Sets the counters of the project.
    pub(crate) fn set_counters(&mut self, counters: Arc<RequestCounters>) {
        self.counters = Some(counters);
    }

    /// Removes the counters of the project.
    pub(crate) fn take_counters(&mut self) -> Option<Arc<RequestCounters>> {
        self.counters.take()
    }

    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        match &mut self.kind {
            BodyKind::Empty => Poll::Ready(None),
            BodyKind::Chunks(pieces) => Poll::Ready(pieces.pop_front().map(Ok)),
            BodyKind::Stream(body) => loop {
                // Trailers are not forwarded.
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
            BodyKind::File { part, reading } => {
                if part.remaining() == 0 {
                    return Poll::Ready(None);
                }
                let future =
                    reading.get_or_insert_with(|| Box::pin(part.clone().read(CHUNK_BYTES)));
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
        let piece = self.poll_chunk(cx);
        streams::record_chunk(match &piece {
            Poll::Ready(Some(Ok(bytes))) => Some(bytes.len()),
            _ => None,
        });
        let piece = ready!(piece);
        Poll::Ready(piece.map(|bytes| {
            let bytes = bytes?;
            if let Some(counters) = &self.counters {
                counters.sent(bytes.len());
            }
            Ok(Frame::data(match &self.permit {
                Some(permit) => permit.hold(bytes),
                None => bytes,
            }))
        }))
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            BodyKind::Empty => true,
            BodyKind::Chunks(pieces) => pieces.is_empty(),
            BodyKind::File { part, .. } => part.remaining() == 0,
            BodyKind::Stream(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match &self.kind {
            BodyKind::Empty => 0,
            BodyKind::Chunks(pieces) => length(pieces),
            BodyKind::File { part, .. } => part.remaining(),
            BodyKind::Stream(body) => return body.size_hint(),
        })
    }
}
