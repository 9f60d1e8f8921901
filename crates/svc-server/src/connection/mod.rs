//! A connection: its handshake, the version of HTTP, and its requests until it ends.
//!
//! A connection of HTTP/1.1 without requests releases the buffers of the HTTP library, which are
//! most of its memory, until the client sends something.

mod cached;
mod http1;
mod prefixed_stream;

use std::future::{Future, poll_fn};
use std::io;
use std::mem::MaybeUninit;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::server::conn::http2;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;
use tokio_rustls::server::TlsStream;
use tracing::debug;

use crate::Limits;
use crate::deadline_stream::DeadlineStream;
use crate::framing::Framing;
use crate::idle::{Capacity, IdleTimer};
use crate::service::{Connection, Handlers};
use crate::streams::{Activity, Streams};
use crate::tls::Tls;
use prefixed_stream::PrefixedStream;

/// What a client of HTTP/2 sends first (RFC 9113, section 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Number of bytes that are read before the HTTP library: the head of most requests.
const READ_BYTES: usize = 4096;

/// What the connections of a listener share.
#[derive(Clone)]
pub(crate) struct ConnectionContext {
    pub(crate) handlers: Arc<Handlers>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) capacity: Capacity,
}

impl ConnectionContext {
    /// Performs the TLS handshake of a connection; `None` if it fails.
    pub(crate) async fn handshake<S>(
        &self,
        tls: &Tls,
        socket: S,
        mut stopped: watch::Receiver<bool>,
    ) -> Option<Box<TlsStream<S>>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let handshake = tokio::time::timeout(self.limits.head_timeout, tls.handshake(socket));
        let result = tokio::select! {
            result = handshake => result,
            _ = stopped.wait_for(|stopped| *stopped) => return None,
        };
        match result {
            // It is moved between the states of a connection.
            Ok(Ok(stream)) => Some(Box::new(stream)),
            Ok(Err(error)) => {
                debug!("TLS handshake failed: {error}");
                None
            }
            Err(_) => None,
        }
    }

    /// Serves the requests of a connection until it ends, or until it has to because the server
    /// stops or the connection is too old.
    pub(crate) async fn serve<S>(self, stream: S, peer: IpAddr, mut stopped: watch::Receiver<bool>)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let limits = self.limits;
        let framing = Framing::new();
        let activity: Arc<Activity> = Arc::default();
        let idle = IdleTimer::new(Arc::clone(&activity), self.capacity, &limits);
        let stream = DeadlineStream::new(stream, framing.clone(), idle, &limits);
        let mut stream = PrefixedStream::new(stream);
        let mut service = Connection::new(
            self.handlers,
            peer,
            Arc::clone(&limits),
            framing,
            Arc::clone(&activity),
        );
        let mut stop = std::pin::pin!(async {
            let stop = stopped.wait_for(|stopped| *stopped);
            let _ = tokio::time::timeout(limits.connection_age, stop).await;
            first_request(&activity).await;
        });
        let mut is_first = true;
        loop {
            // An error was caused by the client: it disconnected or violated the protocol.
            let is_http2 = tokio::select! {
                is_http2 = begin(&mut stream, is_first) => is_http2,
                () = &mut stop => return,
            };
            is_first = false;
            match is_http2 {
                Ok(true) => {
                    let streams = Streams::new(Arc::clone(&activity), &limits);
                    Box::pin(serve_http2(stream, service, streams, &limits, stop)).await;
                    return;
                }
                Ok(false) => {
                    // Not while waiting for the end of the server: a response is sent completely.
                    match cached::respond(&mut stream, &service).await {
                        Ok(true) => continue,
                        Ok(false) => {}
                        Err(_) => return,
                    }
                    let served = http1::serve(stream, service, &activity, &limits, stop.as_mut());
                    // On the heap, so that a connection without requests does not need its space.
                    match Box::pin(served).await {
                        Some(suspended) => (stream, service) = suspended,
                        None => return,
                    }
                }
                Err(_) => return,
            }
        }
    }
}

/// Waits for the first bytes of a request, which are read again from the stream. Returns whether
/// they are the preface of HTTP/2, which only begins a connection.
async fn begin<S>(
    stream: &mut PrefixedStream<DeadlineStream<S>>,
    is_first: bool,
) -> io::Result<bool>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    if stream.has_prefix() {
        return Ok(false);
    }
    let mut read = Vec::new();
    loop {
        let count = poll_fn(|cx| poll_append(stream, cx, &mut read)).await?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let is_http2 = is_first && read.starts_with(PREFACE);
        let may_be_http2 = is_first && PREFACE.starts_with(&read);
        if is_http2 || !may_be_http2 {
            stream.set_prefix(read);
            return Ok(is_http2);
        }
    }
}

/// Appends bytes of a stream. The buffer exists only while there are bytes to read, so that a
/// connection without requests needs none.
fn poll_append<S>(
    stream: &mut S,
    cx: &mut Context<'_>,
    bytes: &mut Vec<u8>,
) -> Poll<io::Result<usize>>
where
    S: AsyncRead + Unpin,
{
    let mut buffer = [MaybeUninit::uninit(); READ_BYTES];
    let mut buffer = ReadBuf::uninit(&mut buffer);
    ready!(Pin::new(stream).poll_read(cx, &mut buffer))?;
    bytes.extend_from_slice(buffer.filled());
    Poll::Ready(Ok(buffer.filled().len()))
}

async fn serve_http2<S>(
    stream: PrefixedStream<DeadlineStream<S>>,
    service: Connection,
    streams: Streams,
    limits: &Limits,
    stop: Pin<&mut impl Future<Output = ()>>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connection = http2::Builder::new(streams)
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams)
        .max_header_list_size(u32::try_from(limits.head_bytes).unwrap_or(u32::MAX))
        .max_pending_accept_reset_streams(20)
        .max_local_error_reset_streams(64)
        .max_send_buf_size(256 * 1024)
        .keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(10))
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => {}
        () = stop => {
            connection.as_mut().graceful_shutdown();
            let _ = tokio::time::timeout(LAST_REQUESTS_TIMEOUT, connection).await;
        }
    }
}

/// How long a new connection waits for its first request when the server stops.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_millis(500);
/// Interval of the checks for the first request.
const FIRST_REQUEST_INTERVAL: Duration = Duration::from_millis(5);

/// Waits for the first request of a connection, which may be on its way. Clients repeat a request
/// on a connection that was used before, but not on a new one.
async fn first_request(activity: &Activity) {
    let begun = async {
        while activity.begun() == 0 {
            tokio::time::sleep(FIRST_REQUEST_INTERVAL).await;
        }
    };
    let _ = tokio::time::timeout(FIRST_REQUEST_TIMEOUT, begun).await;
}

/// Maximum time for the remaining requests of a connection that accepts no new ones.
const LAST_REQUESTS_TIMEOUT: Duration = Duration::from_secs(600);
