//! Request bodies.

use bytes::Bytes;
use http::{Request, header};
use serde::de::DeserializeOwned;

use crate::MAX_BODY;
use crate::error::ApiError;

/// Maximum length of a reason in characters; it may quote a name from the body.
const MAX_REASON_CHARS: usize = 200;

/// Parses a body that must be a JSON object.
pub(crate) fn parse_object<T: DeserializeOwned>(request: &Request<Bytes>) -> Result<T, ApiError> {
    let body = request.body();
    if body.len() > MAX_BODY {
        return Err(ApiError::TooLarge);
    }
    if !is_json(request) {
        return Err(ApiError::UnsupportedMediaType);
    }
    // The decoder would accept an array of field values.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(ApiError::InvalidBody("it must be a JSON object".to_owned()));
    }
    serde_json::from_slice(body).map_err(|error| {
        let reason = error.to_string();
        ApiError::InvalidBody(reason.chars().take(MAX_REASON_CHARS).collect())
    })
}

/// Verifies that a body is empty or an empty object, which some clients always send.
pub(crate) fn expect_empty(request: &Request<Bytes>) -> Result<(), ApiError> {
    let body = request.body();
    if body.len() > MAX_BODY {
        return Err(ApiError::TooLarge);
    }
    let text = body.trim_ascii();
    let inner = text
        .strip_prefix(b"{")
        .and_then(|rest| rest.strip_suffix(b"}"));
    if text.is_empty() || inner.is_some_and(|inner| inner.trim_ascii().is_empty()) {
        return Ok(());
    }
    Err(ApiError::InvalidBody("it must be empty".to_owned()))
}

fn is_json(request: &Request<Bytes>) -> bool {
    let mut values = request.headers().get_all(header::CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return false;
    };
    let text = value.to_str().unwrap_or_default();
    let mut parts = text.split(';').map(str::trim);
    let kind = parts.next().unwrap_or_default();
    // JSON is always UTF-8.
    let charset = |part: &str| match part.split_once('=') {
        Some((name, value)) if name.eq_ignore_ascii_case("charset") => {
            value.trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    };
    kind.eq_ignore_ascii_case("application/json") && parts.all(charset)
}
