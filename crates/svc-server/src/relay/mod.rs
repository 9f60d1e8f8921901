//! The relay of the API playground: forwards a reader's request to the API that a page documents.
//!
//! It is not an open proxy. A request names a page and is only sent if it calls the operation
//! that the page documents: the method, a published server, the path and the headers must match.
//! All outgoing requests go through [`svc_fetch`], which rejects addresses outside of the public
//! internet. Requests are not logged, stored or cached; cookies are not forwarded in either
//! direction.

mod header_codec;
mod limits;
mod upload;

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Bytes, Frame, SizeHint};
use svc_admin_api::rate_limit::{Quota, retry_after};
use svc_data::percent;
use svc_fetch::{
    Client, FetchCounters, FetchError, Policy, Request, RequestBody, ResponseBody, Url,
};
use svc_site::{RelayRejection, RequestTarget, Site};
use tokio::time::Instant;

use crate::body::Body;
use crate::caller::network;
use crate::rate_limit::{ClientLimits, ClientRateLimiter, RatePermit};
use crate::reply::{self, Response};
use crate::service::{BodyHandler, BodyRouter, Upload};
use crate::{SiteHandle, path};
use upload::BoundedBody;

pub use limits::RelayLimits;

/// Path of the relay relative to the base path.
const PATH: &str = "/_svc/relay";

/// The relay of a site.
#[derive(Debug, Clone)]
pub struct Relay(Arc<RelayInner>);

#[derive(Debug)]
struct RelayInner {
    current: SiteHandle,
    limits: RelayLimits,
    limiter: ClientRateLimiter,
    /// `None` if the relay is disabled.
    client: Option<Client>,
}

/// A rejection: status and a message for the reader.
type Rejection = (StatusCode, String);

impl Relay {
    /// A relay for the current site. `policy` sets what it can reach in addition to the public
    /// internet; `None` disables the relay.
    pub fn new(current: SiteHandle, policy: Option<Policy>, limits: RelayLimits) -> Self {
        Self::counted_by(current, policy, limits, Arc::default())
    }

    /// As [`new`](Self::new), with counters of the requests.
    pub(crate) fn counted_by(
        current: SiteHandle,
        policy: Option<Policy>,
        limits: RelayLimits,
        counters: Arc<FetchCounters>,
    ) -> Self {
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
                quota: Quota {
                    burst: limits.burst,
                    interval: limits.interval,
                },
            }),
            limits,
            client: policy.map(|policy| Client::new(policy, fetching).counted_by(counters)),
        }))
    }

    /// Router for the requests to the relay.
    pub fn body_router(&self) -> BodyRouter {
        let relay = self.clone();
        Arc::new(move |parts: &Parts| {
            if parts.method != Method::POST {
                return None;
            }
            let path = path::normalize(parts.uri.path())?;
            let site = relay.0.current.get();
            if path.strip_prefix(site.base_path())? != PATH {
                return None;
            }
            let relay = relay.clone();
            let taken: BodyHandler = Box::new(move |parts, upload| {
                Box::pin(async move {
                    let result = relay.relay(site, parts, upload).await;
                    result.unwrap_or_else(|refusal| rejection_response(&refusal))
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
            let reason = "the relay of this site is disabled";
            (StatusCode::NOT_FOUND, reason.to_owned())
        })?;
        if !is_same_origin(&parts) {
            let reason = "only pages of this site can use its relay";
            return Err((StatusCode::FORBIDDEN, reason.to_owned()));
        }
        let permit = match rates.enter(network(upload.client)) {
            Ok(permit) => permit,
            Err(wait) => return Ok(too_many(wait)),
        };
        let target = RelayRequest::read(&parts.headers)?;
        if upload.body.size_hint().lower() > limits.body_bytes {
            return Err(too_large(limits));
        }
        let target = check_permitted(site, target).await?;
        let (body, fate) = BoundedBody::new(upload.body, limits.body_bytes, limits.idle_timeout);
        let body = if body.is_end_stream() {
            RequestBody::Empty
        } else {
            RequestBody::Stream(body.boxed_unsync())
        };
        let request = Request {
            method: target.method,
            url: target.url,
            headers: outgoing_headers(target.headers),
            body,
            follow_redirects: false,
        };
        let start = Instant::now();
        let upstream = client.send(request).await.map_err(|error| match error {
            FetchError::RequestBody if fate.was_too_large() => too_large(limits),
            FetchError::RequestBody if fate.was_too_slow() => (
                StatusCode::REQUEST_TIMEOUT,
                "timeout while receiving the request body".to_owned(),
            ),
            error => fetch_rejection(&error),
        })?;
        let mut response = http::Response::new(Body::stream(RelayedBody {
            body: upstream.body,
            _permit: permit,
        }));
        let set = |response: &mut Response, name: &'static str, value: &str| {
            reply::set_header(response, HeaderName::from_static(name), value);
        };
        set(&mut response, "svc-status", upstream.status.as_str());
        set(
            &mut response,
            "svc-headers",
            &header_codec::encode(&upstream.headers),
        );
        let elapsed = start.elapsed().as_millis().to_string();
        set(&mut response, "svc-elapsed", &elapsed);
        set(&mut response, "content-type", "application/octet-stream");
        protect(&mut response);
        Ok(response)
    }
}

/// The request to send to the target.
struct RelayRequest {
    page: String,
    method: Method,
    url: Url,
    headers: HeaderMap,
}

impl RelayRequest {
    fn read(headers: &HeaderMap) -> Result<Self, Rejection> {
        let bad = |reason: String| (StatusCode::BAD_REQUEST, reason);
        let text = |name: &str| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.ok_or_else(|| bad(format!("the header `{name}` is missing")))
        };
        let page = percent::decode_strict(text("svc-page")?);
        let page = page.ok_or_else(|| bad("`svc-page` is malformed".to_owned()))?;
        let url = svc_fetch::parse_url(text("svc-url")?).map_err(|error| bad(error.to_string()))?;
        let method = Method::from_bytes(text("svc-method")?.as_bytes());
        let method = method.map_err(|_| bad("`svc-method` is invalid".to_owned()))?;
        let headers = header_codec::decode(text("svc-headers")?);
        let headers = headers.map_err(|reason| bad(reason.to_owned()))?;
        Ok(Self {
            page: page.into_owned(),
            method,
            url,
            headers,
        })
    }
}

/// Checks that a request calls the operation that its page documents.
async fn check_permitted(site: Arc<Site>, wanted: RelayRequest) -> Result<RelayRequest, Rejection> {
    let forbidden = |reason: String| (StatusCode::FORBIDDEN, reason);
    // A page that documents its endpoint manually may have to be rendered.
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
        let reason = "internal server error";
        (StatusCode::INTERNAL_SERVER_ERROR, reason.to_owned())
    })?;
    decided.map_err(|reason: RelayRejection| forbidden(reason.to_string()))
}

/// Headers for the target.
fn outgoing_headers(mut headers: HeaderMap) -> HeaderMap {
    let agent = concat!("svc/", env!("CARGO_PKG_VERSION"), " (playground)");
    headers.insert(header::USER_AGENT, HeaderValue::from_static(agent));
    // The response is forwarded in chunks without compression.
    headers.insert(
        header::ACCEPT_ENCODING,
        HeaderValue::from_static("identity"),
    );
    let anything = HeaderValue::from_static("*/*");
    headers.entry(header::ACCEPT).or_insert(anything);
    headers
}

/// Whether the request comes from a page of this site. Browsers report it in one of two headers
/// that scripts cannot forge; other clients have no session to abuse.
pub(crate) fn is_same_origin(parts: &Parts) -> bool {
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
    let authority = origin.split_once("://").map(|(_, host)| host);
    matches!((authority, host), (Some(authority), Some(host)) if authority.eq_ignore_ascii_case(host))
}

fn too_large(limits: &RelayLimits) -> Rejection {
    let max = limits.body_bytes >> 20;
    let reason = format!("the request body exceeds the limit of {max} MiB");
    (StatusCode::PAYLOAD_TOO_LARGE, reason)
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
    let reason = "too many requests; try again in a moment".to_owned();
    let mut response = rejection_response(&(StatusCode::TOO_MANY_REQUESTS, reason));
    let seconds = retry_after(wait).to_string();
    reply::set_header(&mut response, header::RETRY_AFTER, &seconds);
    response
}

fn rejection_response((status, why): &Rejection) -> Response {
    let mut response = reply::json(*status, &serde_json::json!({ "error": why }));
    protect(&mut response);
    response
}

/// Prevents a response from being shown as a document of this site.
fn protect(response: &mut Response) {
    reply::set_header(response, header::CACHE_CONTROL, "no-store");
    let policy = "sandbox; default-src 'none'";
    reply::set_header(response, header::CONTENT_SECURITY_POLICY, policy);
    reply::secure(response.headers_mut());
}

/// Body of the target's response, with the permit of its request.
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
