//! HTTP client of the OpenID Connect library, based on `svc_fetch`.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use http::Response;
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use svc_fetch::{Client, FetchCounters, FetchLimits, Policy, RequestBody};

/// Maximum size of a response of the provider in bytes.
const MAX_RESPONSE_BYTES: u64 = 1 << 20;
/// Timeout of a request to the provider.
const FETCH_TIMEOUT: Duration = Duration::from_secs(20);

/// HTTP client of the OpenID Connect library.
#[derive(Debug)]
pub(super) struct HttpFetcher(Client);

impl HttpFetcher {
    /// A client for a provider with this issuer URL. It comes from the settings, so it can be in a
    /// private network.
    pub(super) fn new(issuer: &str, counters: Arc<FetchCounters>) -> Self {
        let url = url::Url::parse(issuer).ok();
        let policy = url.as_ref().map_or_else(Policy::default, Policy::for_url);
        let limits = FetchLimits {
            max_body_bytes: MAX_RESPONSE_BYTES,
            total_timeout: FETCH_TIMEOUT,
            ..FetchLimits::default()
        };
        Self(Client::new(policy, limits).counted_by(counters))
    }
}

/// Error without details; the texts of the library are for developers.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct OidcFetchError(String);

impl<'c> AsyncHttpClient<'c> for HttpFetcher {
    type Error = OidcFetchError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, OidcFetchError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let failed = |error: &dyn fmt::Display| OidcFetchError(error.to_string());
            let (parts, body) = request.into_parts();
            let url = svc_fetch::parse_url(&parts.uri.to_string()).map_err(|e| failed(&e))?;
            let request = svc_fetch::Request {
                method: parts.method,
                headers: parts.headers,
                body: RequestBody::Bytes(body.into()),
                // A redirect could send the client secret to another host.
                follow_redirects: false,
                ..svc_fetch::Request::get(url)
            };
            let received = self.0.send(request).await.map_err(|e| failed(&e))?;
            let mut response = Response::new(Vec::new());
            *response.status_mut() = received.status;
            *response.headers_mut() = received.headers;
            let body = received.body.bytes().await.map_err(|e| failed(&e))?;
            *response.body_mut() = body.into();
            Ok(response)
        })
    }
}
