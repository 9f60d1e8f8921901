//! Requests of HTTP/1.1.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep};

use super::LAST_REQUESTS_TIMEOUT;
use super::prefixed_stream::PrefixedStream;
use crate::Limits;
use crate::service::Connection;
use crate::streams::Activity;

/// A connection without a request for at least this time, and at most twice as long, is suspended.
const SUSPEND_INTERVAL: Duration = Duration::from_millis(300);

/// Serves requests until the connection ends. Returns the stream and the service if the client has
/// only paused, or if the last response is cached, so that further requests may not need the
/// library.
pub(super) async fn serve<S>(
    stream: PrefixedStream<S>,
    service: Connection,
    activity: &Activity,
    limits: &Limits,
    mut stop: Pin<&mut impl Future<Output = ()>>,
) -> Option<(PrefixedStream<S>, Connection)>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut connection = http1::Builder::new()
        // The timer of the library runs from the end of the previous response, so it cannot tell an
        // idle connection from a slow head. `DeadlineStream` does.
        .header_read_timeout(None)
        .max_buf_size(limits.head_bytes.max(8192))
        .half_close(false)
        .serve_connection(TokioIo::new(stream), service);
    let mut timer = std::pin::pin!(sleep(SUSPEND_INTERVAL));
    let first = activity.begun();
    let mut begun = None;
    loop {
        let is_cached = poll_fn(|cx| match Pin::new(&mut connection).poll(cx) {
            Poll::Ready(_) => Poll::Ready(false),
            Poll::Pending if activity.is_cached() && activity.is_idle() => Poll::Ready(true),
            Poll::Pending => Poll::Pending,
        });
        tokio::select! {
            biased;
            is_cached = is_cached => match is_cached {
                true => {
                    activity.set_cached(false);
                    begun = Some(activity.begun());
                    break;
                }
                false => return None,
            },
            () = stop.as_mut() => {
                Pin::new(&mut connection).graceful_shutdown();
                let _ = tokio::time::timeout(LAST_REQUESTS_TIMEOUT, connection).await;
                return None;
            }
            () = timer.as_mut() => {}
        }
        let before = begun.replace(activity.begun());
        // Until the first request, the library would wait for the rest of its head and then close the
        // connection.
        if before == begun && begun != Some(first) && activity.is_idle() {
            break;
        }
        timer.as_mut().reset(Instant::now() + SUSPEND_INTERVAL);
    }
    // Without a request and without bytes to send, this ends at once.
    Pin::new(&mut connection).graceful_shutdown();
    let ended = poll_fn(|cx| connection.poll_without_shutdown(cx)).await;
    if ended.is_err() || begun != Some(activity.begun()) {
        return None;
    }
    let parts = connection.into_parts();
    let mut stream = parts.io.into_inner();
    // A copy, because even empty bytes can hold a large buffer.
    stream.set_prefix(parts.read_buf.to_vec());
    Some((stream, parts.service))
}
