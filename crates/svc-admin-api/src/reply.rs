//! Responses.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use serde::Serialize;

/// A response with a body of JSON that nobody keeps.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response<Bytes> {
    // Only maps with other keys than texts fail, and no body has one.
    let text = serde_json::to_string(body).unwrap_or_default();
    raw(status, text)
}

/// The same of a text that is JSON already.
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
