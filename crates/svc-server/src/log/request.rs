//! The span of a request, and its line in the access log.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::header::{self, HeaderValue};
use http::request::Parts;
use http::{Method, StatusCode, Uri};
use hyper::body::Body as _;
use tracing::metadata::Kind;
use tracing::{Level, Span, debug_span, enabled, field, info};

use crate::reply::Response;
use crate::request_id::RequestId;
use crate::sites::requested_host;

/// Target of the events of the access log.
pub(super) const ACCESS_TARGET: &str = "svc_server::access";
/// Target of the span of a request.
pub(crate) const REQUEST_TARGET: &str = "svc_server::request";

/// The span of a request, with empty fields for what is known later. It contains no query and no API
/// key.
pub(crate) fn request_span(parts: &Parts) -> Span {
    debug_span!(
        target: REQUEST_TARGET,
        "request",
        method = parts.method.as_str(),
        host = requested_host(parts).and_then(without_user),
        path = &*path(parts.uri.path()),
        project = field::Empty,
        status = field::Empty,
        request_id = field::Empty,
    )
}

/// Whether requests have spans.
pub(crate) fn is_request_span_enabled() -> bool {
    enabled!(kind: Kind::SPAN, target: REQUEST_TARGET, Level::DEBUG)
}

/// Records the response in the span of a request.
pub(crate) fn record_response(span: &Span, response: &Response, id: &RequestId) {
    span.record("status", response.status().as_u16());
    span.record("request_id", field::display(id));
}

/// The project of a request, as an extension of the request if there is an access log.
#[derive(Debug, Clone, Default)]
struct RequestProject(Arc<OnceLock<Arc<str>>>);

/// Records the project of a request for the log.
pub(crate) fn record_project(parts: &Parts, project: &Arc<str>) {
    if is_request_span_enabled() {
        Span::current().record("project", &**project);
    }
    if let Some(slot) = parts.extensions.get::<RequestProject>() {
        // A router and the responder may both have looked for the project.
        let _ = slot.0.set(Arc::clone(project));
    }
}

/// Whether requests are logged.
pub(crate) fn is_access_log_enabled() -> bool {
    enabled!(target: ACCESS_TARGET, Level::INFO)
}

/// A line of the access log.
#[derive(Debug)]
pub(crate) struct AccessLine<'a> {
    pub(crate) method: &'a str,
    /// Host, without user information.
    pub(crate) host: Option<&'a str>,
    /// Path, without the query.
    pub(crate) path: &'a str,
    pub(crate) project: Option<&'a str>,
    pub(crate) status: StatusCode,
    pub(crate) duration: Duration,
    /// Length of the body, if it is known.
    pub(crate) bytes: Option<u64>,
    /// ID of the request.
    pub(crate) id: Option<&'a str>,
}

impl AccessLine<'_> {
    /// Logs the line, without API keys in the path.
    pub(crate) fn log(&self) {
        // Microseconds are enough.
        let duration_ms = self.duration.as_micros() as f64 / 1000.0;
        info!(
            target: ACCESS_TARGET,
            method = self.method,
            host = self.host,
            path = &*path(self.path),
            project = self.project,
            status = self.status.as_u16(),
            duration_ms,
            bytes = self.bytes,
            request_id = self.id,
            "response"
        );
    }
}

/// A request that will be a line of the access log.
#[derive(Debug)]
pub(crate) struct AccessRecord {
    method: Method,
    uri: Uri,
    host: Option<HeaderValue>,
    project: RequestProject,
}

impl AccessRecord {
    /// What is logged of the head of a request; `None` if there is no access log.
    pub(crate) fn new(parts: &mut Parts) -> Option<Self> {
        if !is_access_log_enabled() {
            return None;
        }
        let project = RequestProject::default();
        parts.extensions.insert(project.clone());
        Some(Self {
            method: parts.method.clone(),
            uri: parts.uri.clone(),
            host: parts.headers.get(header::HOST).cloned(),
            project,
        })
    }

    /// Logs the request with its ID when its response begins, after a duration. The line contains no
    /// query and no API key.
    pub(crate) fn log(&self, response: &Response, id: Option<&HeaderValue>, duration: Duration) {
        let authority = self.uri.authority().map(http::uri::Authority::as_str);
        let host = || self.host.as_ref()?.to_str().ok();
        let line = AccessLine {
            method: self.method.as_str(),
            host: authority.or_else(host).and_then(without_user),
            path: self.uri.path(),
            project: self.project().map(|project| &**project),
            status: response.status(),
            duration,
            bytes: response.body().size_hint().exact(),
            id: id.and_then(|id| id.to_str().ok()),
        };
        line.log();
    }

    /// The project of the request.
    pub(crate) fn project(&self) -> Option<&Arc<str>> {
        self.project.0.get()
    }
}

/// A host without the user information that a URL can contain.
fn without_user(host: &str) -> Option<&str> {
    host.rsplit('@').next()
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
