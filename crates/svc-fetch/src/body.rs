//! Request bodies with progress tracking, and response bodies with limits.

use std::future::Future as _;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use crate::connect::{AbortOnDrop, OutgoingBody};
use crate::decode::{ContentEncoding, DecodeError, Decoder};
use crate::request::BodyError;
use crate::{FetchCounters, FetchError};

/// Progress of a request body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress(Arc<(AtomicU64, AtomicBool)>);

impl Progress {
    /// Number of chunks sent so far.
    pub(crate) fn sent(&self) -> u64 {
        self.0.0.load(Ordering::Relaxed)
    }

    /// Whether the source of the body failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.0.1.load(Ordering::Relaxed)
    }
}

/// A request body that records its progress.
pub(crate) struct ProgressBody {
    pub(crate) inner: OutgoingBody,
    pub(crate) progress: Progress,
}

impl Body for ProgressBody {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(cx));
        let (sent, failed) = &*self.progress.0;
        sent.fetch_add(1, Ordering::Relaxed);
        if matches!(frame, Some(Err(_))) {
            failed.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Body of a response: decompressed chunks as they arrive, within the limits of the client.
pub struct ResponseBody {
    inner: Incoming,
    decoder: Option<Decoder>,
    host: String,
    max: u64,
    remaining: u64,
    idle_timeout: Duration,
    idle: Pin<Box<Sleep>>,
    deadline: Pin<Box<Sleep>>,
    done: bool,
    counters: Arc<FetchCounters>,
    /// Keeps the connection open as long as the body exists.
    _task: AbortOnDrop,
}

impl std::fmt::Debug for ResponseBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResponseBody")
            .field("host", &self.host)
            .field("left", &self.remaining)
            .field("done", &self.done)
            .finish_non_exhaustive()
    }
}

/// Parameters of a [`ResponseBody`].
pub(crate) struct BodyParams {
    pub(crate) host: String,
    pub(crate) coding: Option<ContentEncoding>,
    pub(crate) max: u64,
    pub(crate) idle_timeout: Duration,
    pub(crate) deadline: Instant,
    pub(crate) task: AbortOnDrop,
    pub(crate) counters: Arc<FetchCounters>,
}

impl ResponseBody {
    pub(crate) fn new(inner: Incoming, terms: BodyParams) -> Result<Self, FetchError> {
        let announced = inner.size_hint().lower();
        if announced > terms.max {
            return Err(FetchError::TooLarge {
                host: terms.host,
                max: terms.max,
            });
        }
        Ok(Self {
            inner,
            decoder: terms.coding.map(Decoder::new),
            host: terms.host,
            max: terms.max,
            remaining: terms.max,
            idle_timeout: terms.idle_timeout,
            idle: Box::pin(sleep(terms.idle_timeout)),
            deadline: Box::pin(sleep_until(terms.deadline)),
            done: false,
            counters: terms.counters,
            _task: terms.task,
        })
    }

    /// Reads the whole body.
    ///
    /// # Errors
    /// When the response is incomplete or exceeds a limit.
    pub async fn bytes(self) -> Result<Bytes, FetchError> {
        Ok(self.collect().await?.to_bytes())
    }

    /// Reads the next chunk. Returns `None` at the end of the body.
    ///
    /// # Errors
    /// When the response is incomplete or exceeds a limit.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        while let Some(frame) = self.frame().await {
            if let Ok(bytes) = frame?.into_data() {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// Decompresses a chunk and counts its bytes against the limit.
    fn decode(&mut self, piece: Bytes) -> Result<Bytes, FetchError> {
        let plain = match &mut self.decoder {
            None if piece.len() as u64 > self.remaining => Err(DecodeError::TooLarge),
            None => Ok(piece),
            Some(decoder) => decoder.push(&piece, self.remaining),
        };
        self.count_bytes(plain)
    }

    fn count_bytes(&mut self, plain: Result<Bytes, DecodeError>) -> Result<Bytes, FetchError> {
        match plain {
            Ok(bytes) => {
                self.remaining = self.remaining.saturating_sub(bytes.len() as u64);
                self.counters.received(bytes.len());
                Ok(bytes)
            }
            Err(DecodeError::TooLarge) => Err(FetchError::TooLarge {
                host: self.host.clone(),
                max: self.max,
            }),
            Err(DecodeError::Malformed) => Err(FetchError::Compression(self.host.clone())),
        }
    }

    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, FetchError>>> {
        loop {
            let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(cx) else {
                let over = self.deadline.as_mut().poll(cx).is_ready()
                    || self.idle.as_mut().poll(cx).is_ready();
                if !over {
                    return Poll::Pending;
                }
                return Poll::Ready(Some(Err(FetchError::Timeout {
                    host: self.host.clone(),
                    what: "send its response",
                })));
            };
            let plain = match frame {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(piece) => {
                        self.idle.as_mut().reset(Instant::now() + self.idle_timeout);
                        self.decode(piece)
                    }
                    // Trailers are ignored.
                    Err(_) => continue,
                },
                Some(Err(_)) => Err(FetchError::IncompleteResponse(self.host.clone())),
                None => {
                    self.done = true;
                    let Some(mut decoder) = self.decoder.take() else {
                        return Poll::Ready(None);
                    };
                    let last = decoder.finish();
                    self.count_bytes(last)
                }
            };
            match plain {
                Ok(bytes) if bytes.is_empty() && self.done => return Poll::Ready(None),
                Ok(bytes) if bytes.is_empty() => {}
                result => return Poll::Ready(Some(result)),
            }
        }
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = FetchError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, FetchError>>> {
        if self.done {
            return Poll::Ready(None);
        }
        let piece = ready!(self.poll_chunk(cx));
        if !matches!(piece, Some(Ok(_))) {
            self.done = true;
        }
        Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.done || (self.decoder.is_none() && self.inner.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        match self.decoder {
            None => self.inner.size_hint(),
            Some(_) => SizeHint::default(),
        }
    }
}
