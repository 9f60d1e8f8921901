//! The relay of the playground: passes a reader's request on to the API that a page documents.
//!
//! It is not an open proxy. A request names a page, and goes out only when it is a call of the
//! operation that the page documents: its method, one of its published servers, its path, its
//! headers. What leaves the machine goes through [`svc_fetch`], which refuses addresses that are
//! not public. Nothing is logged, kept or cached, the reader's cookies stay here, and those of the
//! target are not passed back.

mod header_codec;
mod upload;

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Bytes, Frame, SizeHint};
use svc_admin_api::rate_limit::retry_after;
use svc_fetch::{Client, FetchError, Policy, Request, RequestBody, ResponseBody, Url};
use svc_site::{RelayRejection, RequestTarget, Site};
use tokio::time::Instant;

use crate::body::Body;
use crate::caller::network;
use crate::rate_limit::{ClientLimits, ClientRateLimiter, RatePermit};
use crate::reply::{self, Response};
use crate::service::{BodyHandler, BodyRouter, Upload};
use crate::{SiteHandle, path};
use upload::BoundedBody;

/// Where the relay is, below the base path.
const PATH: &str = "/_svc/relay";

/// What readers may use of the relay.
#[derive(Debug, Clone)]
pub struct RelayLimits {
    /// Largest body of a request, and of an answer after decompression.
    pub body_bytes: u64,
    /// Time for the head of the answer, and between two pieces of a body.
    pub idle_timeout: Duration,
    /// Time for all of it; a stream of events ends then.
    pub total_timeout: Duration,
    /// Requests at once.
    pub max_concurrent: usize,
    /// Requests at once of one client address (IPv6: of one /64 network).
    pub max_concurrent_per_client: usize,
    /// Requests that one client address may send without a pause.
    pub burst: u32,
    /// After a burst, one request each.
    pub interval: Duration,
}

impl Default for RelayLimits {
    fn default() -> Self {
        Self {
            body_bytes: 20 << 20,
            idle_timeout: Duration::from_secs(30),
            total_timeout: Duration::from_secs(300),
            max_concurrent: 64,
            max_concurrent_per_client: 6,
            burst: 30,
            interval: Duration::from_secs(2),
        }
    }
}

/// The relay of a site.
#[derive(Debug, Clone)]
pub struct Relay(Arc<RelayInner>);

#[derive(Debug)]
struct RelayInner {
    current: SiteHandle,
    limits: RelayLimits,
    limiter: ClientRateLimiter,
    /// Nothing when the relay is off.
    client: Option<Client>,
}

/// A refusal: status and a sentence for the reader.
type Rejection = (StatusCode, String);

impl Relay {
    /// The relay of the site of the moment. `policy` says what it may reach besides the public
    /// internet; without one there is no relay.
    pub fn new(current: SiteHandle, policy: Option<Policy>, limits: RelayLimits) -> Self {
        let fetching = svc_fetch::FetchLimits {
            first_byte_timeout: limits.idle_timeout,
            idle_timeout: limits.idle_timeout,
            total_timeout: limits.total_timeout,
            max_body_bytes: limits.body_bytes,
            max_redirects: 0,
            ..svc_fetch::FetchLimits::default()
        };
        Self(Arc::new(RelayInner {
            current,
            limiter: ClientRateLimiter::new(ClientLimits {
                max_concurrent: limits.max_concurrent,
                max_concurrent_per_client: limits.max_concurrent_per_client,
                burst: limits.burst,
                interval: limits.interval,
            }),
            limits,
            client: policy.map(|policy| Client::new(policy, fetching)),
        }))
    }

    /// Takes the requests for the relay.
    pub fn body_router(&self) -> BodyRouter {
        let relay = self.clone();
        Arc::new(move |parts: &Parts| {
            let path = path::normalize(parts.uri.path())?;
            let site = relay.0.current.get();
            let below = path.strip_prefix(site.base_path())?;
            if parts.method != Method::POST || below != PATH {
                return None;
            }
            let relay = relay.clone();
            let taken: BodyHandler = Box::new(move |parts, upload| {
                Box::pin(async move {
                    let answer = relay.relay(site, parts, upload).await;
                    answer.unwrap_or_else(|refusal| rejection_response(&refusal))
                })
            });
            Some(taken)
        })
    }

    async fn relay(
        &self,
        site: Arc<Site>,
        parts: Parts,
        upload: Upload,
    ) -> Result<Response, Rejection> {
        let RelayInner {
            limits,
            limiter: rates,
            client,
            ..
        } = &*self.0;
        let client = client.as_ref().filter(|_| site.has_relay());
        let client = client.ok_or_else(|| {
            let why = "this site does not pass requests on";
            (StatusCode::NOT_FOUND, why.to_owned())
        })?;
        if !is_same_origin(&parts) {
            let why = "only the pages of this site may use its relay";
            return Err((StatusCode::FORBIDDEN, why.to_owned()));
        }
        let seat = match rates.enter(network(upload.client)) {
            Ok(seat) => seat,
            Err(wait) => return Ok(too_many(wait)),
        };
        let wanted = RelayRequest::read(&parts.headers)?;
        if upload.body.size_hint().lower() > limits.body_bytes {
            return Err(too_large(limits));
        }
        let wanted = check_permitted(site, wanted).await?;
        let (body, fate) = BoundedBody::new(upload.body, limits.body_bytes, limits.idle_timeout);
        let body = if body.is_end_stream() {
            RequestBody::Empty
        } else {
            RequestBody::Stream(body.boxed_unsync())
        };
        let request = Request {
            method: wanted.method,
            url: wanted.url,
            headers: outgoing_headers(wanted.headers),
            body,
            follow_redirects: false,
        };
        let start = Instant::now();
        let answer = client.send(request).await.map_err(|error| match error {
            FetchError::RequestBody if fate.was_too_large() => too_large(limits),
            FetchError::RequestBody if fate.was_too_slow() => (
                StatusCode::REQUEST_TIMEOUT,
                "the body of the request took too long".to_owned(),
            ),
            error => fetch_rejection(&error),
        })?;
        let mut response = http::Response::new(Body::stream(RelayedBody {
            body: answer.body,
            _permit: seat,
        }));
        let set = |response: &mut Response, name: &'static str, value: &str| {
            reply::set_header(response, HeaderName::from_static(name), value);
        };
        set(&mut response, "svc-status", answer.status.as_str());
        set(
            &mut response,
            "svc-headers",
            &header_codec::encode(&answer.headers),
        );
        let elapsed = start.elapsed().as_millis().to_string();
        set(&mut response, "svc-elapsed", &elapsed);
        set(&mut response, "content-type", "application/octet-stream");
        protect(&mut response);
        Ok(response)
    }
}

/// The request that the reader wants to send.
struct RelayRequest {
    page: String,
    method: Method,
    url: Url,
    headers: HeaderMap,
}

impl RelayRequest {
    fn read(headers: &HeaderMap) -> Result<Self, Rejection> {
        let bad = |why: String| (StatusCode::BAD_REQUEST, why);
        let text = |name: &str| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.ok_or_else(|| bad(format!("the header `{name}` is missing")))
        };
        let page = path::decode(text("svc-page")?);
        let page = page.ok_or_else(|| bad("`svc-page` is not well formed".to_owned()))?;
        let url = svc_fetch::parse_url(text("svc-url")?).map_err(|error| bad(error.to_string()))?;
        let method = Method::from_bytes(text("svc-method")?.as_bytes());
        let method = method.map_err(|_| bad("`svc-method` is not a method".to_owned()))?;
        let headers = header_codec::decode(text("svc-headers")?);
        let headers = headers.map_err(|why| bad(why.to_owned()))?;
        Ok(Self {
            page,
            method,
            url,
            headers,
        })
    }
}

/// The request, if it is a call of the operation that its page documents.
async fn check_permitted(site: Arc<Site>, wanted: RelayRequest) -> Result<RelayRequest, Rejection> {
    let forbidden = |why: String| (StatusCode::FORBIDDEN, why);
    // A page that describes its endpoint by hand may have to be drawn.
    let decide = move || {
        let target = RequestTarget {
            method: wanted.method.as_str(),
            scheme: wanted.url.scheme(),
            host: wanted.url.host_str().unwrap_or_default(),
            port: wanted.url.port_or_known_default().unwrap_or(0),
            path: wanted.url.path(),
        };
        let names = wanted.headers.keys().map(HeaderName::as_str);
        let decided = site.check_relay(&wanted.page, &target, names);
        decided.map(|()| wanted)
    };
    let decided = tokio::task::spawn_blocking(decide).await;
    let decided = decided.map_err(|_| {
        let why = "something went wrong here";
        (StatusCode::INTERNAL_SERVER_ERROR, why.to_owned())
    })?;
    decided.map_err(|why: RelayRejection| forbidden(why.to_string()))
}

/// What the target is told.
fn outgoing_headers(mut headers: HeaderMap) -> HeaderMap {
    let agent = concat!("svc/", env!("CARGO_PKG_VERSION"), " (playground)");
    headers.insert(header::USER_AGENT, HeaderValue::from_static(agent));
    // The answer is passed on piece by piece and compressed for nobody.
    headers.insert(
        header::ACCEPT_ENCODING,
        HeaderValue::from_static("identity"),
    );
    let anything = HeaderValue::from_static("*/*");
    headers.entry(header::ACCEPT).or_insert(anything);
    headers
}

/// Whether the request comes from a page of this site. Browsers say it in one of two ways, and no
/// script can change what they say; what is no browser has nobody's rights to abuse.
fn is_same_origin(parts: &Parts) -> bool {
    let text = |name: &str| {
        let value = parts.headers.get(name)?;
        Some(value.to_str().unwrap_or(""))
    };
    if let Some(site) = text("sec-fetch-site") {
        return site == "same-origin";
    }
    let Some(origin) = text("origin") else {
        return true;
    };
    let host = parts.uri.authority().map(http::uri::Authority::as_str);
    let host = host.or_else(|| text("host"));
    let named = origin.split_once("://").map(|(_, host)| host);
    matches!((named, host), (Some(named), Some(host)) if named.eq_ignore_ascii_case(host))
}

fn too_large(limits: &RelayLimits) -> Rejection {
    let most = limits.body_bytes >> 20;
    let why = format!("the body of the request is larger than {most} MiB");
    (StatusCode::PAYLOAD_TOO_LARGE, why)
}

fn fetch_rejection(error: &FetchError) -> Rejection {
    let status = match error {
        FetchError::RequestBody => StatusCode::BAD_REQUEST,
        error if error.is_timeout() => StatusCode::GATEWAY_TIMEOUT,
        error if error.is_refusal() => StatusCode::FORBIDDEN,
        _ => StatusCode::BAD_GATEWAY,
    };
    (status, error.to_string())
}

fn too_many(wait: Duration) -> Response {
    let why = "too many requests; wait a moment and try again".to_owned();
    let mut response = rejection_response(&(StatusCode::TOO_MANY_REQUESTS, why));
    let seconds = retry_after(wait).to_string();
    reply::set_header(&mut response, header::RETRY_AFTER, &seconds);
    response
}

fn rejection_response((status, why): &Rejection) -> Response {
    let mut response = reply::json(*status, &serde_json::json!({ "error": why }));
    protect(&mut response);
    response
}

/// Nothing that comes from elsewhere may become a document of this site.
fn protect(response: &mut Response) {
    reply::set_header(response, header::CACHE_CONTROL, "no-store");
    let policy = "sandbox; default-src 'none'";
    reply::set_header(response, header::CONTENT_SECURITY_POLICY, policy);
    reply::secure(response);
}

/// The body of the target's answer, and the place that its request takes.
struct RelayedBody {
    body: ResponseBody,
    _permit: RatePermit,
}

impl hyper::body::Body for RelayedBody {
    type Data = Bytes;
    type Error = FetchError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, FetchError>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
