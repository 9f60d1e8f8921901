//! OpenID Connect provider: its metadata, and the HTTP client for it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use http::Response;
use openidconnect::core::CoreProviderMetadata;
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse, IssuerUrl};
use svc_fetch::{Client, FetchLimits, Policy, RequestBody};
use tokio::sync::Mutex;

use super::refusal::Refusal;
use crate::settings::OidcSettings;

/// How long the metadata of a provider is cached.
const METADATA_TTL: Duration = Duration::from_secs(600);
/// Maximum size of a response of the provider in bytes.
const MAX_RESPONSE_BYTES: u64 = 1 << 20;

/// A provider and its cached metadata.
#[derive(Debug)]
pub(super) struct OidcClient {
    pub(super) settings: OidcSettings,
    pub(super) fetch: HttpFetcher,
    cached_metadata: Mutex<Option<(Duration, CoreProviderMetadata)>>,
}

impl OidcClient {
    pub(super) fn new(settings: OidcSettings) -> Self {
        // The provider comes from the settings, so it can be in a private network.
        let url = url::Url::parse(&settings.issuer).ok();
        let rules = url.and_then(|url| {
            let port = url.port_or_known_default()?;
            Some(format!("{}:{port}", url.host_str()?))
        });
        let policy = Policy::from_rules(rules).unwrap_or_default();
        let limits = FetchLimits {
            max_body_bytes: MAX_RESPONSE_BYTES,
            total_timeout: Duration::from_secs(20),
            ..FetchLimits::default()
        };
        Self {
            settings,
            fetch: HttpFetcher(Client::new(policy, limits)),
            cached_metadata: Mutex::default(),
        }
    }

    /// Label of the sign-in button.
    pub(super) fn name(&self) -> &str {
        &self.settings.name
    }

    /// The metadata of the provider, cached for ten minutes.
    pub(super) async fn metadata(&self, now: Duration) -> Result<CoreProviderMetadata, Refusal> {
        let mut known = self.cached_metadata.lock().await;
        if let Some((at, metadata)) = known.as_ref()
            && now.saturating_sub(*at) < METADATA_TTL
        {
            return Ok(metadata.clone());
        }
        let issuer =
            IssuerUrl::new(self.settings.issuer.clone()).map_err(|_| Refusal::Unavailable)?;
        let metadata = CoreProviderMetadata::discover_async(issuer, &self.fetch).await;
        let metadata = metadata.map_err(|_| unavailable())?;
        *known = Some((now, metadata.clone()));
        Ok(metadata)
    }
}

/// An invalid response of the provider.
pub(super) fn unavailable() -> Refusal {
    Refusal::Conflict(
        "the sign-in service returned an invalid response; try again later, or sign in with a password"
            .to_owned(),
    )
}

/// HTTP client of the OpenID Connect library, based on `svc_fetch`.
#[derive(Debug)]
pub(super) struct HttpFetcher(Client);

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
