//! The HTTP service of a connection.

use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use http::request::Parts;
use http::{HeaderValue, Request, StatusCode, Version, header};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Body as _, Incoming};
use hyper::service::Service;

use tokio::sync::oneshot;
use tracing::{Instrument as _, error};

use crate::body::Body;
use crate::caller::{caller, is_encrypted, is_trusted};
use crate::framing::Framing;
use crate::image_queue::{VariantWork, Work};
use crate::in_flight::InFlightRequests;
use crate::log::{AccessRecord, record_response, request_span};
use crate::metrics::{ListenerMetrics, RequestClass};
use crate::reply::{self, Response, plain};
use crate::request_id::{REQUEST_ID, RequestId, RequestIds};
use crate::response_cache::{self, ResponseCache};
use crate::streams::{Activity, ActivityGuard};
use crate::tls::Encryption;
use crate::{Limits, check, image_queue};

/// Result of a responder.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all replies are ready, and a box would cost them an allocation"
)]
pub enum Reply {
    /// The response is ready.
    Ready(Response),
    /// The response needs computation or disk access and is produced on a blocking thread.
    Blocking(Work),
    /// The response needs an image to be rendered; the number of concurrent and waiting renderings
    /// is limited.
    Image(Work),
    /// As [`Self::Image`], with a fallback response if no permit becomes free in time.
    Variant(VariantWork),
}

impl Reply {
    /// Produces the response on this thread, which may block.
    pub(crate) fn finish(self) -> Response {
        match self {
            Self::Ready(response) => response,
            Self::Blocking(task) | Self::Image(task) => task(),
            Self::Variant(task) => task(false),
        }
    }

    /// Maps the response, now or when it is produced.
    pub(crate) fn map(self, change: impl FnOnce(Response) -> Response + Send + 'static) -> Self {
        match self {
            Self::Ready(response) => Self::Ready(change(response)),
            Self::Blocking(task) => Self::Blocking(Box::new(move || change(task()))),
            Self::Image(task) => Self::Image(Box::new(move || change(task()))),
            Self::Variant(task) => Self::Variant(Box::new(move |turn| change(task(turn)))),
        }
    }
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ready(response) => f.debug_tuple("Ready").field(response).finish(),
            Self::Blocking(_) => f.write_str("Slow"),
            Self::Image(_) => f.write_str("Drawing"),
            Self::Variant(_) => f.write_str("Variant"),
        }
    }
}

/// Responds to well-formed GET and HEAD requests; other requests are rejected before.
pub type Responder = Arc<dyn Fn(&Parts) -> Reply + Send + Sync>;

/// Selects the handler of a well-formed request with a body from its head; `None` if the request is
/// handled like any other.
pub type BodyRouter = Arc<dyn Fn(&Parts) -> Option<BodyHandler> + Send + Sync>;

/// Combines routers; the first match is used.
pub(crate) fn first_of(all: Vec<BodyRouter>) -> BodyRouter {
    Arc::new(move |parts: &Parts| all.iter().find_map(|router| router(parts)))
}

/// Handles a request with a body. The body is not read and has no size limit yet.
pub type BodyHandler =
    Box<dyn FnOnce(Parts, Upload) -> Pin<Box<dyn Future<Output = Response> + Send>> + Send>;

/// The peer of a connection, as an extension of each of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Peer {
    /// Whether it is a trusted proxy.
    pub(crate) is_trusted: bool,
    /// Whether the request was made over HTTPS: to this server, or to a trusted proxy that reports
    /// it.
    pub(crate) is_encrypted: bool,
}

/// Body and origin of a request.
#[derive(Debug)]
pub struct Upload {
    /// The body.
    pub body: Incoming,
    /// IP address of the peer of the connection.
    pub peer: IpAddr,
    /// IP address of the client: the peer, or the client that a trusted proxy reports.
    pub client: IpAddr,
    /// Whether the connection is encrypted. Behind a proxy that terminates TLS it is not.
    pub is_encrypted: bool,
}

/// Handlers for the requests of a listener.
pub(crate) struct Handlers {
    pub(crate) responder: Responder,
    pub(crate) body_router: Option<BodyRouter>,
    pub(crate) in_flight: InFlightRequests,
    /// `None` if the connections are not encrypted.
    pub(crate) encryption: Option<Encryption>,
    pub(crate) metrics: ListenerMetrics,
    pub(crate) ids: RequestIds,
    pub(crate) responses: ResponseCache,
}

/// The service of a connection.
pub(crate) struct Connection {
    pub(crate) handlers: Arc<Handlers>,
    pub(crate) peer: IpAddr,
    limits: Arc<Limits>,
    framing: Framing,
    activity: Arc<Activity>,
    requests: AtomicUsize,
}

impl Connection {
    pub(crate) const fn new(
        handlers: Arc<Handlers>,
        peer: IpAddr,
        limits: Arc<Limits>,
        framing: Framing,
        activity: Arc<Activity>,
    ) -> Self {
        Self {
            handlers,
            peer,
            limits,
            framing,
            activity,
            requests: AtomicUsize::new(0),
        }
    }

    /// Counts a request of HTTP/1, which is open until the guard is dropped.
    pub(crate) fn begin_request(&self) -> ActivityGuard {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.activity.begin()
    }
}

impl Service<Request<Incoming>> for Connection {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let begin = Instant::now();
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let ambiguous = request.version() < Version::HTTP_2 && self.framing.is_ambiguous(number);
        // The executor counts the streams of HTTP/2.
        let open = (request.version() < Version::HTTP_2).then(|| self.activity.begin());
        let (handlers, limits) = (Arc::clone(&self.handlers), Arc::clone(&self.limits));
        let activity = Arc::clone(&self.activity);
        let peer = self.peer;
        Box::pin(async move {
            let (mut parts, body) = request.into_parts();
            let record = AccessRecord::new(&mut parts);
            let is_from_proxy = is_trusted(peer, &limits.trusted_proxies);
            let span = request_span(&parts);
            #[cfg(feature = "traces")]
            if is_from_proxy && !span.is_disabled() {
                crate::traces::continue_trace(&span, &parts.headers);
            }
            let class = RequestClass::of(parts.uri.path());
            let id = (handlers.ids).of(&parts.headers, is_from_proxy);
            let key = response_cache::key(&parts);
            let handled = handle((parts, body, &id), &handlers, peer, &limits, ambiguous);
            let mut response = match span.is_disabled() {
                true => handled.await,
                false => {
                    let response = handled.instrument(span.clone()).await;
                    record_response(&span, &response, &id);
                    response
                }
            };
            let shown = shown_request_id(&response, &id, record.is_some());
            let duration = begin.elapsed();
            if let Some(record) = &record {
                record.log(&response, shown.as_ref(), duration);
            }
            let (status, counters) = (response.status(), response.body_mut().take_counters());
            let counters = (handlers.metrics).record(class, status, counters, duration);
            let is_cached = key.is_some_and(|key| {
                let project = record.as_ref().and_then(AccessRecord::project);
                let of = (project, &counters);
                handlers.responses.insert(key, &mut response, class, of)
            });
            activity.set_cached(is_cached);
            if let Some(id) = shown {
                response.headers_mut().entry(REQUEST_ID).or_insert(id);
            }
            response.body_mut().set_counters(counters);
            if let Some(open) = open {
                response.body_mut().hold_open(open);
            }
            Ok(response)
        })
    }
}

/// The ID of a request, which is sent with errors of the server, if a proxy has set it, and if it is
/// in the access log. `None` for other responses, because nothing could be found with it.
fn shown_request_id(response: &Response, id: &RequestId, is_logged: bool) -> Option<HeaderValue> {
    let is_error = response.status().is_server_error();
    let is_shown = is_error || id.is_from_proxy() || is_logged;
    is_shown.then(|| id.header()).flatten()
}

async fn handle(
    (mut parts, body, id): (Parts, Incoming, &RequestId),
    handlers: &Handlers,
    peer: IpAddr,
    limits: &Limits,
    ambiguous: bool,
) -> Response {
    let (version, has_body) = (parts.version, !body.is_end_stream());
    let client = caller(&parts.headers, peer, &limits.trusted_proxies);
    let forwarded = is_encrypted(&parts.headers, peer, &limits.trusted_proxies);
    parts.extensions.insert(Peer {
        is_trusted: is_trusted(peer, &limits.trusted_proxies),
        is_encrypted: forwarded.unwrap_or(handlers.encryption.is_some()),
    });
    let permit = handlers.in_flight.enter(client).await;
    let malformed = if ambiguous {
        Some(plain(
            StatusCode::BAD_REQUEST,
            "The length of the request is ambiguous.",
        ))
    } else if permit.is_none() {
        Some(reply::too_many())
    } else {
        check::malformed(&parts, limits)
    };
    let taken = match (&malformed, &handlers.body_router) {
        (None, Some(posts)) => posts(&parts),
        _ => None,
    };
    let (mut response, refused) = if let Some(taken) = taken {
        let is_encrypted = handlers.encryption.is_some();
        let upload = Upload {
            body,
            peer,
            client,
            is_encrypted,
        };
        (taken(parts, upload).await, false)
    } else {
        let mut refusal = malformed.or_else(|| check::refuse(&parts, limits));
        if refusal.is_none() && has_body {
            refusal = read_through(body, limits).await;
        }
        match refusal {
            Some(refusal) => {
                // Bytes after a CONNECT may not be an HTTP request.
                let goes_on = refusal.status() == StatusCode::METHOD_NOT_ALLOWED
                    && parts.method != http::Method::CONNECT;
                (refusal, !goes_on)
            }
            None => (respond(&handlers.responder, parts, id).await, false),
        }
    };
    // After a request with a body, the framing of the next one is not certain.
    if (has_body || refused) && version < Version::HTTP_2 {
        response
            .headers_mut()
            .insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    let encryption = handlers.encryption.as_ref();
    if let Some(hsts) = encryption.and_then(|encryption| encryption.hsts.as_ref()) {
        let name = header::STRICT_TRANSPORT_SECURITY;
        response.headers_mut().insert(name, hsts.clone());
    }
    if let Some(permit) = permit {
        response.body_mut().hold_permit(permit);
    }
    response
}

/// Reads and discards a body to detect invalid framing.
async fn read_through(body: Incoming, limits: &Limits) -> Option<Response> {
    let max = usize::try_from(limits.body_bytes).unwrap_or(usize::MAX);
    let mut body = Limited::new(body, max);
    let all = async {
        while let Some(frame) = body.frame().await {
            if let Err(error) = frame {
                let large = error.is::<http_body_util::LengthLimitError>();
                return Some(if large {
                    plain(
                        StatusCode::PAYLOAD_TOO_LARGE,
                        "The request body is too large.",
                    )
                } else {
                    plain(StatusCode::BAD_REQUEST, "The request body is malformed.")
                });
            }
        }
        None
    };
    match tokio::time::timeout(limits.body_timeout, all).await {
        Ok(refusal) => refusal,
        Err(_) => Some(plain(
            StatusCode::REQUEST_TIMEOUT,
            "The request body took too long.",
        )),
    }
}

/// Runs work on a blocking thread; `None` if it panics. Work is skipped if the client has
/// disconnected before it starts.
async fn run_blocking(task: Box<dyn FnOnce() -> Response + Send>) -> Option<Response> {
    let (waits, awaited) = oneshot::channel::<()>();
    let task = move || (!waits.is_closed()).then(task);
    let result = tokio::task::spawn_blocking(task).await;
    drop(awaited);
    result.ok().flatten()
}

async fn respond(responder: &Responder, parts: Parts, id: &RequestId) -> Response {
    let failed = || {
        error!(request_id = %id, "internal error: a request failed");
        let mut response = plain(StatusCode::INTERNAL_SERVER_ERROR, "");
        *response.body_mut() = Body::full(format!("Internal server error. Request {id}.\n"));
        response
    };
    let head = parts.method == http::Method::HEAD;
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| responder(&parts)));
    let mut response = match outcome {
        Ok(Reply::Ready(response)) => response,
        Ok(Reply::Blocking(task)) => run_blocking(task).await.unwrap_or_else(failed),
        Ok(Reply::Image(task)) => image_queue::respond(task).await.unwrap_or_else(failed),
        Ok(Reply::Variant(task)) => image_queue::respond_or_fallback(task)
            .await
            .unwrap_or_else(failed),
        Err(_) => failed(),
    };
    if head && !response.headers().contains_key(header::CONTENT_LENGTH) {
        let length = response.body().size_hint().exact().unwrap_or(0);
        response
            .headers_mut()
            .insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    if head {
        *response.body_mut() = Body::empty();
    }
    response
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc;
    use std::task::Poll;

    use super::*;

    fn done() -> Response {
        plain(StatusCode::OK, "Done.")
    }

    #[test]
    fn abandoned_work_is_skipped() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(1)
            .build()
            .unwrap();
        runtime.block_on(async {
            let (go, held) = mpsc::channel();
            let first = tokio::spawn(run_blocking(Box::new(move || {
                held.recv().unwrap();
                done()
            })));
            tokio::task::yield_now().await;
            let ran = Arc::new(AtomicBool::new(false));
            let task = {
                let ran = Arc::clone(&ran);
                move || {
                    ran.store(true, Ordering::Relaxed);
                    done()
                }
            };
            let mut second = Box::pin(run_blocking(Box::new(task)));
            std::future::poll_fn(|cx| {
                assert!(second.as_mut().poll(cx).is_pending());
                Poll::Ready(())
            })
            .await;
            drop(second);
            go.send(()).unwrap();
            assert!(first.await.unwrap().is_some());
            assert!(
                run_blocking(Box::new(done)).await.is_some(),
                "it was behind it"
            );
            assert!(!ran.load(Ordering::Relaxed));
        });
    }
}
