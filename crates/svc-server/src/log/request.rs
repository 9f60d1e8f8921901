//! The span of a request.

use std::borrow::Cow;

use http::request::Parts;
use tracing::{Level, Span, debug_span, enabled, field};

use crate::sites::requested_host;

/// Target of the events of the access log.
pub(crate) const ACCESS_TARGET: &str = "svc_server::access";
/// Target of the span of a request.
pub(crate) const REQUEST_TARGET: &str = "svc_server::request";

/// The span of a request, with an empty field `project`. It contains no query and no API key.
pub(crate) fn request_span(parts: &Parts) -> Span {
    debug_span!(
        target: REQUEST_TARGET,
        "request",
        method = parts.method.as_str(),
        host = host(parts),
        path = &*path(parts.uri.path()),
        project = field::Empty,
    )
}

/// Whether requests have spans.
pub(crate) fn is_request_span_enabled() -> bool {
    enabled!(target: REQUEST_TARGET, Level::DEBUG)
}

/// The requested host without the user information that a URL can contain.
fn host(parts: &Parts) -> Option<&str> {
    requested_host(parts)?.rsplit('@').next()
}

/// A path in which segments with an API key are hidden.
fn path(path: &str) -> Cow<'_, str> {
    if !path.contains("svc_") {
        return Cow::Borrowed(path);
    }
    let segments = path.split('/');
    let segments = segments.map(|item| if item.contains("svc_") { "…" } else { item });
    Cow::Owned(segments.collect::<Vec<&str>>().join("/"))
}
