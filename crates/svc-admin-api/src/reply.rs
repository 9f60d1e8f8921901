//! Responses.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use serde::Serialize;

/// An uncacheable JSON response.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response<Bytes> {
    // Serialization fails only for maps with keys that are not strings; bodies have none.
    let text = serde_json::to_string(body).unwrap_or_default();
    raw(status, text)
}

/// Like [`json`], for text that is JSON.
pub(crate) fn raw(status: StatusCode, text: impl Into<Bytes>) -> Response<Bytes> {
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
