//! Routes the requests of the administration.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use http::request::Parts;
use http::{HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::{Body as _, Bytes, Incoming};
use svc_admin_api::key::Network;
use svc_admin_api::rate_limit::Quota;
use svc_admin_api::{ApiError, Context, Deployments, MAX_BODY, RateLimiter, RateLimits, Store};
use tracing::{Instrument as _, error};

use super::clock::{SystemClock, SystemRandom};
use crate::body::Body;
use crate::caller::{caller, is_encrypted};
use crate::dashboard::{self, AuthState, Dashboard};
use crate::rate_limit::{self, ClientLimits};
use crate::reply::{self, Response};
use crate::request_id::REQUEST_ID;
use crate::service::{BodyHandler, BodyRouter, Upload};
use crate::settings::OidcSettings;

/// Timeout for receiving a request body.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// Options of the administration.
#[derive(Debug, Clone, Default)]
pub struct AdministrationOptions {
    /// Public origin, such as `https://admin.example.com`; empty if it is not set.
    pub origin: String,
    /// Proxies whose `X-Forwarded-For` and `Forwarded` headers are trusted.
    pub trusted_proxies: Vec<Network>,
    /// Rate limits.
    pub rates: RateLimits,
    /// OpenID Connect provider; `None` if single sign-on is not configured.
    pub oidc: Option<OidcSettings>,
}

/// The Admin API, the Deployment API, their OpenAPI documents and the dashboard. A handle; clones
/// share the state.
pub struct Administration<S, D>(Arc<AdminInner<S, D>>);

struct AdminInner<S, D> {
    store: S,
    deployments: D,
    live: RwLock<Arc<LiveOptions>>,
    clock: SystemClock,
    random: SystemRandom,
    /// Limits concurrent reads of request bodies.
    bodies: rate_limit::ClientRateLimiter,
    auth: AuthState,
}

/// Options that can change while the administration runs, except the provider of single sign-on.
#[derive(Debug)]
struct LiveOptions {
    options: AdministrationOptions,
    limits: Arc<RateLimiter>,
}

impl<S, D> AdminInner<S, D> {
    fn live(&self) -> Arc<LiveOptions> {
        Arc::clone(&self.live.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<S, D> Clone for Administration<S, D> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S, D> std::fmt::Debug for Administration<S, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Administration")
            .field("options", &self.0.live().options)
            .finish_non_exhaustive()
    }
}

impl<S, D> Administration<S, D>
where
    S: Store + Send + 'static,
    D: Deployments + Send + 'static,
{
    /// Creates the administration on top of a store.
    pub fn new(store: S, deployments: D, options: AdministrationOptions) -> Self {
        let bodies = rate_limit::ClientRateLimiter::new(ClientLimits {
            max_concurrent: 256,
            max_concurrent_per_client: 64,
            // The API has its own rate limit.
            quota: Quota {
                burst: 1,
                interval: Duration::ZERO,
            },
        });
        let limits = Arc::new(RateLimiter::new(options.rates));
        let auth = AuthState::new(options.oidc.clone());
        let live = RwLock::new(Arc::new(LiveOptions { options, limits }));
        Self(Arc::new(AdminInner {
            store,
            deployments,
            live,
            clock: SystemClock::default(),
            random: SystemRandom,
            bodies,
            auth,
        }))
    }

    /// Applies options to the requests that follow. Counts of the rate limits are retained unless
    /// the limits change. Another OpenID Connect provider has no effect.
    pub(super) fn set_options(&self, options: AdministrationOptions) {
        let mut live = self.0.live.write().unwrap_or_else(PoisonError::into_inner);
        let limits = match options.rates == live.options.rates {
            true => Arc::clone(&live.limits),
            false => Arc::new(RateLimiter::new(options.rates)),
        };
        *live = Arc::new(LiveOptions { options, limits });
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.0.store
    }

    /// What makes deployments.
    pub fn deployments(&self) -> &D {
        &self.0.deployments
    }

    /// Router for every request of a separate listener or host.
    pub fn body_router(&self) -> BodyRouter {
        let administration = self.clone();
        Arc::new(move |_: &Parts| {
            let administration = administration.clone();
            let taken: BodyHandler = Box::new(move |parts, upload| {
                Box::pin(async move { administration.respond(parts, upload).await })
            });
            Some(taken)
        })
    }

    async fn respond(self, parts: Parts, upload: Upload) -> Response {
        let id = request_id(&self.0.random);
        let (method, uri) = (parts.method.clone(), parts.uri.clone());
        let endpoint = Endpoint::of(parts.uri.path());
        // A separate task: a request that was started is completed even if the client disconnects,
        // and a panic only affects this request.
        let task = async move { self.0.dispatch(endpoint, parts, upload).await };
        let task = tokio::spawn(task.in_current_span());
        let fault = |_| endpoint.refusal(ApiError::Internal, "");
        let mut response = task.await.unwrap_or_else(fault);
        // A failing health check is not logged, because it is repeated every few seconds.
        if response.status().is_server_error() && endpoint != Endpoint::Health {
            let status = response.status().as_u16();
            let path = redact_path(uri.path());
            error!("administration: {status} for {method} {path}, request {id}");
        }
        if let Ok(id) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(REQUEST_ID, id);
        }
        response.map(Body::full)
    }
}

impl<S: Store, D: Deployments> AdminInner<S, D> {
    async fn dispatch(
        &self,
        endpoint: Endpoint,
        parts: Parts,
        upload: Upload,
    ) -> http::Response<Bytes> {
        let live = self.live();
        let options = &live.options;
        let peer = caller(&parts.headers, upload.peer, &options.trusted_proxies);
        let origin = match options.origin.as_str() {
            "" => {
                let proxies = &options.trusted_proxies;
                let forwarded = is_encrypted(&parts.headers, upload.peer, proxies);
                request_origin(&parts, forwarded.unwrap_or(upload.is_encrypted))
            }
            origin => origin.to_owned(),
        };
        let body = match self.body(&parts, upload.body, peer).await {
            Ok(body) => body,
            Err(error) => return endpoint.refusal(error, &origin),
        };
        let mut request = Request::from_parts(parts, body);
        let context = Context {
            store: &self.store,
            deployments: &self.deployments,
            clock: &self.clock,
            random: &self.random,
            limits: &live.limits,
            peer,
            base_url: &origin,
        };
        match endpoint {
            Endpoint::Health => health(&self.store).await,
            Endpoint::Api => svc_admin_api::handle(request, &context).await,
            Endpoint::Document(path) => {
                *request.uri_mut() = Uri::from_static(path);
                svc_admin_api::handle(request, &context).await
            }
            Endpoint::Dashboard => {
                let dashboard = Dashboard {
                    context,
                    origin: &origin,
                    auth: &self.auth,
                };
                dashboard::handle(request, &dashboard).await
            }
        }
    }

    /// Reads the body of a request. A body that is too large is rejected before it is read.
    async fn body(&self, parts: &Parts, body: Incoming, peer: IpAddr) -> Result<Bytes, ApiError> {
        if body.is_end_stream() || matches!(parts.method, Method::GET | Method::HEAD) {
            return Ok(Bytes::new());
        }
        let length = parts.headers.get(header::CONTENT_LENGTH);
        let length = length.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if length.unwrap_or_else(|| body.size_hint().lower()) > MAX_BODY as u64 {
            return Err(ApiError::TooLarge);
        }
        let _seat = self
            .bodies
            .enter(crate::caller::network(peer))
            .map_err(|_| ApiError::Unavailable)?;
        let all = Limited::new(body, MAX_BODY).collect();
        match tokio::time::timeout(BODY_TIMEOUT, all).await {
            Ok(Ok(all)) => Ok(all.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(ApiError::TooLarge),
            Ok(Err(_)) => Err(ApiError::InvalidBody("it is incomplete".to_owned())),
            Err(_) => Err(ApiError::InvalidBody(
                "timeout while receiving it".to_owned(),
            )),
        }
    }
}

/// The part of the administration that a path belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Endpoint {
    Health,
    Api,
    /// An OpenAPI document and its path.
    Document(&'static str),
    Dashboard,
}

impl Endpoint {
    fn of(path: &str) -> Self {
        let first = path.split('/').nth(1).unwrap_or_default();
        match (path, first) {
            (crate::site::HEALTH, _) => Self::Health,
            ("/openapi/admin.json", _) => Self::Document("/v2/openapi.json"),
            ("/openapi/deployment.json", _) => Self::Document("/v1/openapi.json"),
            (_, "v1" | "v2" | "openapi") => Self::Api,
            _ => Self::Dashboard,
        }
    }

    /// An error response in the format of the endpoint: a page or JSON.
    fn refusal(self, error: ApiError, origin: &str) -> http::Response<Bytes> {
        match self {
            Self::Dashboard => dashboard::refuse(error, origin),
            _ => error.response(),
        }
    }
}

/// Whether a request is for a page of the dashboard, except the assets of pages.
pub(super) fn is_page(parts: &Parts) -> bool {
    let path = parts.uri.path();
    Endpoint::of(path) == Endpoint::Dashboard && !path.starts_with("/assets/")
}

/// Response to a request for a page until the store is open.
pub(super) fn unavailable(parts: &Parts) -> Response {
    let mut response = dashboard::store_unavailable().map(Body::full);
    if parts.method == Method::HEAD {
        *response.body_mut() = Body::empty();
    }
    response
}

/// Health of the administration, which requires its store.
async fn health(store: &impl Store) -> http::Response<Bytes> {
    // A read that always works if the store is available.
    let (status, text) = match store.projects().await {
        Ok(_) => (StatusCode::OK, r#"{"status":"ok","store":"ok"}"#),
        Err(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            r#"{"status":"unavailable","store":"unavailable"}"#,
        ),
    };
    let mut response = http::Response::new(Bytes::from_static(text.as_bytes()));
    *response.status_mut() = status;
    for (name, value) in [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// The origin of a request. Invalid hosts are rejected before.
fn request_origin(parts: &Parts, encrypted: bool) -> String {
    let host = parts.headers.get(header::HOST);
    let host = host.and_then(|value| value.to_str().ok());
    let host = host.or_else(|| parts.uri.authority().map(http::uri::Authority::as_str));
    let scheme = if encrypted { "https" } else { "http" };
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}

/// The path of a request for the log, with possible keys redacted.
fn redact_path(path: &str) -> String {
    let parts = path.split('/').take(8).map(|part| {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
        let fits = part.len() <= 64 && part.bytes().all(plain);
        if fits && !part.contains("svc_") {
            part
        } else {
            "…"
        }
    });
    parts.collect::<Vec<&str>>().join("/")
}

fn request_id(random: &SystemRandom) -> String {
    let mut bytes = [0; 8];
    // Without randomness the ID is not unique; it only helps to find a log line.
    let _ = svc_admin_api::Random::fill(random, &mut bytes);
    hex::encode(bytes)
}

/// A responder for a listener without sites.
pub(super) fn reject_all(_: &Parts) -> crate::Reply {
    crate::Reply::Ready(reply::plain(StatusCode::NOT_FOUND, "Not found."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_routed_to_the_api_or_the_dashboard() {
        for (path, endpoint) in [
            ("/v2/agent/docs/jobs", Endpoint::Api),
            ("/v1", Endpoint::Api),
            (
                "/openapi/admin.json",
                Endpoint::Document("/v2/openapi.json"),
            ),
            ("/openapi/other.json", Endpoint::Api),
            ("/_svc/health", Endpoint::Health),
            ("/", Endpoint::Dashboard),
            ("/v22/agent", Endpoint::Dashboard),
            ("//v2/agent", Endpoint::Dashboard),
            ("*", Endpoint::Dashboard),
            ("", Endpoint::Dashboard),
        ] {
            assert_eq!(Endpoint::of(path), endpoint, "{path}");
        }
    }

    #[test]
    fn possible_keys_are_redacted_in_the_log() {
        let key = format!("svc_{}", "a".repeat(38));
        assert_eq!(
            redact_path("/v2/agent/docs/job/job_1"),
            "/v2/agent/docs/job/job_1"
        );
        assert_eq!(
            redact_path(&format!("/v2/agent/docs/job/{key}")),
            "/v2/agent/docs/job/…"
        );
        assert_eq!(redact_path(&format!("/x{key}")), "/…");
        assert_eq!(redact_path("/a%0Ab/\u{7f}"), "/…/…");
        assert_eq!(redact_path(&format!("/{}", "a".repeat(65))), "/…");
    }
}
