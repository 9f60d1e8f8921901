//! Requests to the collector.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::header::{AUTHORIZATION, HeaderValue};
use http::{Request, Response};
use opentelemetry_http::{Bytes, HttpClient, HttpError};
use svc_fetch::{BlockingClient, Client, FetchLimits, Policy, RequestBody};
use tracing::{info, warn};

use crate::TracesSettings;

/// Longest time of a request.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a response, which says what was rejected.
const MAX_RESPONSE_BYTES: u64 = 1 << 20;

/// Sends spans from the thread of the export, which may block.
pub(super) struct CollectorClient {
    client: BlockingClient,
    authorization: Option<HeaderValue>,
    /// Whether the last request failed, so that the log has a line for each change only.
    has_failed: AtomicBool,
}

impl fmt::Debug for CollectorClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CollectorClient").finish_non_exhaustive()
    }
}

impl CollectorClient {
    /// A client for the collector of the settings, which can be in a private network.
    pub(super) fn new(settings: &TracesSettings) -> io::Result<Self> {
        let url = svc_fetch::parse_url(&settings.endpoint).map_err(io::Error::other)?;
        let limits = FetchLimits {
            max_body_bytes: MAX_RESPONSE_BYTES,
            total_timeout: TIMEOUT,
            ..FetchLimits::default()
        };
        let authorization = settings.authorization.as_ref().map(|secret| {
            let mut value = HeaderValue::from_str(secret.reveal()).map_err(io::Error::other)?;
            value.set_sensitive(true);
            Ok::<_, io::Error>(value)
        });
        Ok(Self {
            client: BlockingClient::new(Client::new(Policy::for_url(&url), limits))?,
            authorization: authorization.transpose()?,
            has_failed: AtomicBool::new(false),
        })
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let url = svc_fetch::parse_url(&parts.uri.to_string())?;
        let mut headers = parts.headers;
        if let Some(value) = &self.authorization {
            headers.insert(AUTHORIZATION, value.clone());
        }
        let received = self.client.send(svc_fetch::Request {
            method: parts.method,
            headers,
            body: RequestBody::Bytes(body),
            follow_redirects: false,
            ..svc_fetch::Request::get(url)
        })?;
        let status = received.status;
        if !status.is_success() {
            return Err(format!("the collector responded with status {status}").into());
        }
        let mut bytes = Vec::new();
        io::copy(&mut { received.body }, &mut bytes)?;
        Ok(Response::new(bytes.into()))
    }
}

impl HttpClient for CollectorClient {
    fn send_bytes<'a, 'b>(
        &'a self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        let result = self.send(request);
        match &result {
            Ok(_) if self.has_failed.swap(false, Ordering::Relaxed) => {
                info!("spans are sent to the collector again");
            }
            Err(error) if !self.has_failed.swap(true, Ordering::Relaxed) => {
                warn!("spans cannot be sent to the collector and are lost: {error}");
            }
            _ => {}
        }
        Box::pin(std::future::ready(result))
    }
}
