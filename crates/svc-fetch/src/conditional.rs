//! Conditional requests (RFC 9110, section 13).

use http::{HeaderMap, HeaderValue, StatusCode, header};
use hyper::body::Bytes;
use url::Url;

use crate::{Client, FetchError, Request};

/// Validators of a response, stored beside its body and sent with the next request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub last_modified: Option<String>,
}

/// Result of a conditional request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionalResponse {
    /// The stored version is still current (304).
    Unchanged,
    /// The resource has another version.
    Changed {
        /// The body of the response.
        bytes: Bytes,
        /// Validators to store with the body.
        validators: Validators,
    },
    /// A response with any other status.
    Failed(StatusCode),
}

impl Validators {
    /// The validators in the headers of a response. Each is `None` if its header is missing.
    pub fn from_headers(headers: &HeaderMap) -> Self {
        let text = |name| Some(headers.get(name)?.to_str().ok()?.to_owned());
        Self {
            etag: text(header::ETAG),
            last_modified: text(header::LAST_MODIFIED),
        }
    }

    fn add_to(&self, headers: &mut HeaderMap) {
        let values = [
            (header::IF_NONE_MATCH, &self.etag),
            (header::IF_MODIFIED_SINCE, &self.last_modified),
        ];
        for (name, value) in values {
            let value = value.as_deref().map(HeaderValue::from_str);
            if let Some(Ok(value)) = value {
                headers.insert(name, value);
            }
        }
    }
}

impl Client {
    /// Fetches a URL unless the resource still has the version that `known` belongs to.
    ///
    /// # Errors
    /// When there is no response. A response with an error status is
    /// [`ConditionalResponse::Failed`].
    pub async fn get_if_changed(
        &self,
        url: Url,
        headers: HeaderMap,
        known: &Validators,
    ) -> Result<ConditionalResponse, FetchError> {
        let mut request = Request {
            headers,
            ..Request::get(url)
        };
        known.add_to(&mut request.headers);
        let response = self.send(request).await?;
        Ok(match response.status {
            StatusCode::NOT_MODIFIED => ConditionalResponse::Unchanged,
            StatusCode::OK => ConditionalResponse::Changed {
                validators: Validators::from_headers(&response.headers),
                bytes: response.body.bytes().await?,
            },
            other => ConditionalResponse::Failed(other),
        })
    }
}
