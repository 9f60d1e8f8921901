//! The MCP server of a site: `POST /mcp`, and for browsers the page that says how to connect.

mod discovery;
mod limits;
mod page;

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use svc_admin_api::rate_limit::{Quota, retry_after};
use svc_mcp::{MAX_BODY_BYTES, McpHeaders, McpRequest, McpResponse};
use svc_site::Site;
use tokio::sync::Semaphore;

use crate::body::Body;
use crate::caller::network;
use crate::rate_limit::{ClientLimits, ClientRateLimiter};
use crate::reply::{self, Response};
use crate::service::{BodyHandler, BodyRouter, Upload};
use crate::site::origin;
use crate::{SiteHandle, path};

pub(crate) use discovery::discovery_file;
pub(crate) use limits::DEFAULT_CALLS_PER_MINUTE;
pub use limits::McpLimits;
pub(crate) use page::{SETUP_PATH, method_not_allowed, page, wants_stream};

/// Path of the server relative to the base path.
pub(crate) const PATH: &str = "/mcp";

/// The MCP server of a site.
#[derive(Debug, Clone)]
pub struct Mcp(Arc<McpInner>);

#[derive(Debug)]
struct McpInner {
    current: SiteHandle,
    limits: McpLimits,
    limiter: ClientRateLimiter,
    /// Calls that are computed at the same time. More than there are processors would only slow each
    /// other down, so they wait in the order of their arrival.
    working: Semaphore,
}

impl Mcp {
    /// The MCP server of the current site.
    pub fn new(current: SiteHandle, limits: McpLimits) -> Self {
        let limiter = ClientRateLimiter::new(ClientLimits {
            max_concurrent: limits.max_concurrent,
            max_concurrent_per_client: limits.max_concurrent_per_client,
            quota: Quota::per(limits.calls_per_minute, Duration::from_secs(60)),
        });
        Self(Arc::new(McpInner {
            current,
            limits,
            limiter,
            working: Semaphore::new(available_parallelism().map_or(1, NonZero::get)),
        }))
    }

    /// Router for the messages of clients.
    pub fn body_router(&self) -> BodyRouter {
        let mcp = self.clone();
        Arc::new(move |parts: &Parts| {
            if parts.method != Method::POST {
                return None;
            }
            let path = path::normalize(parts.uri.path())?;
            let site = mcp.0.current.get();
            if path.strip_prefix(site.base_path())? != PATH {
                return None;
            }
            let mcp = mcp.clone();
            let taken: BodyHandler = Box::new(move |parts, upload| {
                Box::pin(async move { mcp.handle(site, parts, upload).await })
            });
            Some(taken)
        })
    }

    async fn handle(&self, site: Arc<Site>, parts: Parts, upload: Upload) -> Response {
        let permit = match self.0.limiter.enter(network(upload.client)) {
            Ok(permit) => permit,
            Err(wait) => return too_many(wait),
        };
        let body = match read(upload.body, self.0.limits.body_timeout).await {
            Ok(body) => body,
            Err(response) => return response,
        };
        let turn = self.0.working.acquire().await;
        let task = move || respond(&site, &parts, &body);
        let response = tokio::task::spawn_blocking(task).await;
        drop((turn, permit));
        response.unwrap_or_else(|_| {
            tracing::error!("internal error: an MCP request failed");
            reply::internal_error()
        })
    }
}

async fn read(body: Incoming, timeout: Duration) -> Result<Bytes, Response> {
    // A byte more than is allowed, so that the handler answers a body that is too large.
    let all = Limited::new(body, MAX_BODY_BYTES + 1).collect();
    match tokio::time::timeout(timeout, all).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Ok(Bytes::from(vec![b' '; MAX_BODY_BYTES + 1]))
        }
        Ok(Err(_)) => Err(reply::plain(
            StatusCode::BAD_REQUEST,
            "The request body is malformed.",
        )),
        Err(_) => Err(reply::plain(
            StatusCode::REQUEST_TIMEOUT,
            "The request body took too long.",
        )),
    }
}

fn respond(site: &Site, parts: &Parts, body: &[u8]) -> Response {
    let origin = origin(parts);
    let get = |name: &str| joined(&parts.headers, name);
    let (content_type, own, version, method, name) = (
        get("content-type"),
        get("origin"),
        get("mcp-protocol-version"),
        get("mcp-method"),
        get("mcp-name"),
    );
    let request = McpRequest {
        method: parts.method.as_str(),
        headers: McpHeaders {
            content_type: content_type.as_deref(),
            origin: own.as_deref(),
            protocol_version: version.as_deref(),
            mcp_method: method.as_deref(),
            mcp_name: name.as_deref(),
        },
        body,
        origin: &origin,
    };
    response(svc_mcp::handle(site, &request))
}

/// The values of a header, joined with commas.
fn joined(headers: &HeaderMap, name: &str) -> Option<Vec<u8>> {
    let values: Vec<&[u8]> = headers
        .get_all(name)
        .iter()
        .map(HeaderValue::as_bytes)
        .collect();
    (!values.is_empty()).then(|| values.join(&b", "[..]))
}

fn response(answer: McpResponse) -> Response {
    let length = answer.body.len().to_string();
    let mut response = http::Response::new(Body::full(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::BAD_REQUEST);
    for (name, value) in answer.headers {
        reply::set_header(&mut response, HeaderName::from_static(name), value);
    }
    reply::set_header(&mut response, header::CONTENT_LENGTH, &length);
    reply::set_header(&mut response, header::CACHE_CONTROL, "no-store");
    reply::secure(response.headers_mut());
    response
}

fn too_many(wait: Duration) -> Response {
    let error = serde_json::json!({"error": "too many requests; try again later"});
    let mut response = reply::json(StatusCode::TOO_MANY_REQUESTS, &error);
    let seconds = retry_after(wait).to_string();
    reply::set_header(&mut response, header::RETRY_AFTER, &seconds);
    response
}
