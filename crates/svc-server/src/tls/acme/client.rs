//! HTTP client of the ACME library, based on `svc_fetch`.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, header};
use http_body_util::{BodyExt as _, Full};
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use svc_fetch::{Client, FetchCounters, FetchLimits, Policy, RequestBody, SystemResolver};

use crate::AcmeSettings;

/// Maximum size of a response of the certificate authority in bytes.
const MAX_RESPONSE_BYTES: u64 = 1 << 20;
/// Timeout of a request to the certificate authority.
const FETCH_TIMEOUT: Duration = Duration::from_secs(30);
/// Media type of errors (RFC 9457).
const PROBLEM: &str = "application/problem+json";

/// HTTP client of the ACME library.
#[derive(Debug, Clone)]
pub(super) struct AcmeHttpClient(Client);

impl AcmeHttpClient {
    /// A client for the directory of the settings, which can be in a private network.
    pub(super) fn new(settings: &AcmeSettings, counters: Arc<FetchCounters>) -> Self {
        let url = svc_fetch::parse_url(&settings.directory).ok();
        let policy = url.as_ref().map_or_else(Policy::default, Policy::for_url);
        let limits = FetchLimits {
            max_body_bytes: MAX_RESPONSE_BYTES,
            total_timeout: FETCH_TIMEOUT,
            ..FetchLimits::default()
        };
        let roots = settings.roots.clone();
        let client = Client::with_resolver(policy, limits, SystemResolver, roots);
        Self(client.counted_by(counters))
    }
}

/// Error without details; those of `svc_fetch` are sentences.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct AcmeFetchError(String);

fn failed(error: &dyn fmt::Display) -> Error {
    Error::Other(Box::new(AcmeFetchError(error.to_string())))
}

impl HttpClient for AcmeHttpClient {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let client = self.0.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let Ok(body) = body.collect().await;
            let url = svc_fetch::parse_url(&parts.uri.to_string()).map_err(|e| failed(&e))?;
            let request = svc_fetch::Request {
                method: parts.method,
                headers: parts.headers,
                body: RequestBody::Bytes(body.to_bytes()),
                // Requests are signed for their URL.
                follow_redirects: false,
                ..svc_fetch::Request::get(url)
            };
            let received = client.send(request).await.map_err(|e| failed(&e))?;
            let (status, host) = (received.status, received.url.host_str().map(str::to_owned));
            let content_type = received.headers.get(header::CONTENT_TYPE);
            let is_problem =
                content_type.is_some_and(|value| value.as_bytes().starts_with(PROBLEM.as_bytes()));
            if !status.is_success() && !is_problem {
                let host = host.unwrap_or_default();
                return Err(failed(&format_args!(
                    "`{host}` responded with status {status}"
                )));
            }
            let mut response = Response::new(());
            *response.status_mut() = status;
            *response.headers_mut() = received.headers;
            let body = received.body.bytes().await.map_err(|e| failed(&e))?;
            Ok(response.map(|()| Full::new(body)).into())
        })
    }
}
