//! Asking only for what has changed.

use http::{HeaderMap, HeaderValue, StatusCode, header};
use hyper::body::Bytes;
use url::Url;

use crate::{Client, FetchError, Request};

/// What a server said about the version of something, kept beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub last_modified: Option<String>,
}

/// What became of a conditional request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionalResponse {
    /// What is known is still right.
    Unchanged,
    /// There is another version.
    Changed {
        /// Its bytes.
        bytes: Bytes,
        /// What to keep for the next time.
        validators: Validators,
    },
    /// The server answered, but not with this.
    Failed(StatusCode),
}

impl Validators {
    /// Those of an answer.
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
    /// What is at an address, if it is another version than the one that `known` belongs to.
    ///
    /// # Errors
    /// When there is no answer; an answer that is an error is [`ConditionalResponse::Failed`].
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
        let answer = self.send(request).await?;
        Ok(match answer.status {
            StatusCode::NOT_MODIFIED => ConditionalResponse::Unchanged,
            StatusCode::OK => ConditionalResponse::Changed {
                validators: Validators::from_headers(&answer.headers),
                bytes: answer.body.bytes().await?,
            },
            other => ConditionalResponse::Failed(other),
        })
    }
}
