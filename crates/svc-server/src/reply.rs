//! Building responses.

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::request::Parts;
use http::{Method, StatusCode};
use hyper::body::Bytes;
use svc_data::percent;

use crate::body::Body;
use crate::conditional::{self, ByteRange, Validators, Verdict};
use crate::file::FilePart;

/// An HTTP response.
pub type Response = http::Response<Body>;

/// Sets a header; an invalid value is ignored.
pub(crate) fn set_header(response: &mut Response, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// A plain-text response for errors.
pub(crate) fn plain(status: StatusCode, text: &'static str) -> Response {
    let mut response = http::Response::new(Body::full(format!("{text}\n")));
    *response.status_mut() = status;
    set_header(
        &mut response,
        header::CONTENT_TYPE,
        "text/plain; charset=utf-8",
    );
    set_header(&mut response, header::CACHE_CONTROL, "no-store");
    secure(response.headers_mut());
    response
}

/// Response to a request that failed in the server.
pub(crate) fn internal_error() -> Response {
    plain(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error.")
}

/// Response to a client that exceeds its limit of requests.
pub(crate) fn too_many() -> Response {
    let status = StatusCode::TOO_MANY_REQUESTS;
    let mut response = plain(
        status,
        "Too many concurrent requests; try again in a moment.",
    );
    set_header(&mut response, header::RETRY_AFTER, "1");
    response
}

/// A JSON response that is not cached.
pub(crate) fn json(status: StatusCode, document: &serde_json::Value) -> Response {
    let mut response = http::Response::new(Body::full(document.to_string()));
    *response.status_mut() = status;
    set_header(&mut response, header::CONTENT_TYPE, "application/json");
    set_header(&mut response, header::CACHE_CONTROL, "no-store");
    secure(response.headers_mut());
    response
}

/// A redirect. Characters that are invalid in a URL are percent-encoded, and so are backslashes,
/// which browsers read as slashes; the rest of `location` must already be encoded.
pub(crate) fn redirect(status: StatusCode, location: &str) -> Response {
    let encoded = percent::encode(location, percent::LOCATION);
    let mut response = http::Response::new(Body::empty());
    *response.status_mut() = status;
    set_header(&mut response, header::LOCATION, &encoded);
    set_header(&mut response, header::CACHE_CONTROL, "no-cache");
    set_header(&mut response, header::CONTENT_LENGTH, "0");
    secure(response.headers_mut());
    response
}

/// Sets the security headers of every response.
pub(crate) fn secure(headers: &mut HeaderMap) {
    let policy = HeaderValue::from_static("strict-origin-when-cross-origin");
    headers.insert(header::REFERRER_POLICY, policy);
    let options = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, options);
}

/// Bytes of a representation.
#[derive(Debug)]
pub(crate) enum Content {
    /// In memory.
    Bytes(Bytes),
    /// In memory, in several chunks. Ranges are not supported.
    Chunks(Vec<Bytes>),
    /// On disk.
    File(FilePart),
}

impl Content {
    fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Chunks(pieces) => pieces.iter().map(|piece| piece.len() as u64).sum(),
            Self::File(file) => file.remaining(),
        }
    }

    fn into_body(self, start: u64, length: u64) -> Body {
        match self {
            Self::Bytes(bytes) => {
                let start = usize::try_from(start)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                Body::full(bytes.slice(start..start.saturating_add(length).min(bytes.len())))
            }
            Self::Chunks(pieces) => Body::chunks(pieces),
            Self::File(file) => Body::file(file.part(start, length)),
        }
    }
}

/// Number of headers of a page, so that their map does not grow.
pub(crate) const EXPECTED_HEADERS: usize = 16;

/// A representation and its metadata.
#[derive(Debug)]
pub(crate) struct Entity {
    pub(crate) status: StatusCode,
    pub(crate) content: Content,
    pub(crate) validators: Validators,
    pub(crate) headers: HeaderMap,
    /// Whether range requests are supported.
    pub(crate) ranges: bool,
}

impl Entity {
    pub(crate) fn new(content: Content, content_type: &str) -> Self {
        let mut headers = HeaderMap::with_capacity(EXPECTED_HEADERS);
        secure(&mut headers);
        Self::with_headers(content, headers).with(header::CONTENT_TYPE, content_type)
    }

    /// A representation with all of its headers, which include those for security.
    pub(crate) fn with_headers(content: Content, headers: HeaderMap) -> Self {
        Self {
            status: StatusCode::OK,
            content,
            validators: Validators::default(),
            headers,
            ranges: false,
        }
    }

    /// Sets a header; an invalid value is ignored.
    #[must_use]
    pub(crate) fn with(mut self, name: HeaderName, value: impl AsRef<str>) -> Self {
        if let Ok(value) = HeaderValue::from_str(value.as_ref()) {
            self.headers.insert(name, value);
        }
        self
    }

    /// The response to this request: the complete representation, a part of it, or 304.
    pub(crate) fn into_response(self, parts: &Parts) -> Response {
        let mut response = http::Response::new(Body::empty());
        *response.headers_mut() = self.headers;
        if let Some(etag) = &self.validators.etag {
            set_header(&mut response, header::ETAG, etag);
        }
        if let Some(modified) = self.validators.modified {
            set_header(
                &mut response,
                header::LAST_MODIFIED,
                &httpdate::fmt_http_date(modified),
            );
        }
        *response.status_mut() = self.status;
        if self.status == StatusCode::OK {
            let verdict = conditional::evaluate(&parts.method, &parts.headers, &self.validators);
            let status = match verdict {
                Verdict::Send => None,
                Verdict::NotModified => Some(StatusCode::NOT_MODIFIED),
                Verdict::Failed => Some(StatusCode::PRECONDITION_FAILED),
            };
            if let Some(status) = status {
                *response.status_mut() = status;
                // A 304 or 412 has no body and so no metadata of one.
                response.headers_mut().remove(header::CONTENT_TYPE);
                response.headers_mut().remove(header::CONTENT_ENCODING);
                return response;
            }
        }
        let length = self.content.length();
        let (mut start, mut count) = (0, length);
        if self.ranges {
            set_header(&mut response, header::ACCEPT_RANGES, "bytes");
            match conditional::byte_range(&parts.method, &parts.headers, length, &self.validators) {
                ByteRange::Full => {}
                ByteRange::Range { start: first, end } => {
                    (start, count) = (first, end - first + 1);
                    *response.status_mut() = StatusCode::PARTIAL_CONTENT;
                    let range = format!("bytes {first}-{end}/{length}");
                    set_header(&mut response, header::CONTENT_RANGE, &range);
                }
                ByteRange::Unsatisfiable => {
                    let mut reply = plain(
                        StatusCode::RANGE_NOT_SATISFIABLE,
                        "The range is outside of the file.",
                    );
                    set_header(
                        &mut reply,
                        header::CONTENT_RANGE,
                        &format!("bytes */{length}"),
                    );
                    return reply;
                }
            }
        }
        let length = HeaderValue::from(count);
        response
            .headers_mut()
            .insert(header::CONTENT_LENGTH, length);
        if parts.method == Method::HEAD {
            return response;
        }
        *response.body_mut() = self.content.into_body(start, count);
        response
    }
}
