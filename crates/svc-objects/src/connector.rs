//! Requests of the object store through the guarded client.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use svc_fetch::{Client, FetchError, FetchLimits, Policy, Request, RequestBody};

use crate::location::{ParseLocationError, S3Location};
use crate::store::PART_BYTES;

/// Connects only to the endpoint of a location.
#[derive(Debug, Clone)]
pub(crate) struct GuardedConnector(Arc<Client>);

impl GuardedConnector {
    pub(crate) fn new(location: &S3Location) -> Result<Self, ParseLocationError> {
        const HINT: ParseLocationError =
            ParseLocationError("write a scheme, a host and a port: `https://s3.example.com:9000`");
        let mut policy = Policy::default();
        let rule = location.host_rule().ok_or(HINT)?;
        policy.allow(&rule).map_err(|_| HINT)?;
        let limits = FetchLimits {
            // Objects are read in parts.
            max_body_bytes: 2 * PART_BYTES as u64,
            max_redirects: 0,
            ..FetchLimits::default()
        };
        Ok(Self(Arc::new(Client::new(policy, limits))))
    }
}

impl HttpConnector for GuardedConnector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait]
impl HttpService for GuardedConnector {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let url = svc_fetch::parse_url(&parts.uri.to_string()).map_err(error)?;
        let body = body.collect().await?.to_bytes();
        let request = Request {
            method: parts.method,
            url,
            headers: parts.headers,
            body: match body.is_empty() {
                true => RequestBody::Empty,
                false => RequestBody::Bytes(body),
            },
            follow_redirects: false,
        };
        let response = self.0.send(request).await.map_err(error)?;
        let (status, headers) = (response.status, response.headers);
        let bytes: Bytes = response.body.bytes().await.map_err(error)?;
        let body = Full::new(bytes).map_err(|never| match never {});
        let mut result = HttpResponse::new(HttpResponseBody::new(body));
        *result.status_mut() = status;
        *result.headers_mut() = headers;
        Ok(result)
    }
}

fn error(error: FetchError) -> HttpError {
    let kind = match &error {
        FetchError::Timeout { .. } => HttpErrorKind::Timeout,
        FetchError::IncompleteResponse(_) => HttpErrorKind::Interrupted,
        _ => HttpErrorKind::Connect,
    };
    HttpError::new(kind, error)
}
