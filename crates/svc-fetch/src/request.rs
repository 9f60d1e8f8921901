//! Requests and their bodies.

use http::{HeaderMap, Method};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use url::{Host, Url};

use crate::FetchError;
use crate::ports::is_bad_port;

/// A request.
#[derive(Debug)]
pub struct Request {
    /// HTTP method.
    pub method: Method,
    /// Target of the request; see [`parse_url`].
    pub url: Url,
    /// Headers. The client overwrites `Host`, `Content-Length` and the headers of the connection.
    pub headers: HeaderMap,
    /// Request body.
    pub body: RequestBody,
    /// Whether redirects are followed.
    pub follow_redirects: bool,
}

impl Request {
    /// A `GET` request that follows redirects.
    pub fn get(url: Url) -> Self {
        Self {
            method: Method::GET,
            url,
            headers: HeaderMap::new(),
            body: RequestBody::default(),
            follow_redirects: true,
        }
    }
}

/// The body of a request.
#[derive(Debug, Default)]
pub enum RequestBody {
    /// No body.
    #[default]
    Empty,
    /// Bytes in memory.
    Bytes(Bytes),
    /// A stream of bytes.
    Stream(UnsyncBoxBody<Bytes, BodyError>),
}

/// Error of a streamed body.
pub type BodyError = Box<dyn std::error::Error + Send + Sync>;

impl RequestBody {
    /// The body to send, and a copy for a redirect; `None` for a stream, which can only be sent
    /// once.
    pub(crate) fn take(self) -> (UnsyncBoxBody<Bytes, BodyError>, Option<Self>) {
        let full = |bytes| {
            Full::new(bytes)
                .map_err(|never| match never {})
                .boxed_unsync()
        };
        match self {
            Self::Empty => (full(Bytes::new()), Some(Self::Empty)),
            Self::Bytes(bytes) => (full(bytes.clone()), Some(Self::Bytes(bytes))),
            Self::Stream(stream) => (stream, None),
        }
    }
}

/// Parses a URL that can be fetched: `http` or `https`, with a host, without user name and
/// password. The fragment is removed.
///
/// # Errors
/// [`FetchError::InvalidUrl`] or [`FetchError::BadPort`] for any other URL.
pub fn parse_url(text: &str) -> Result<Url, FetchError> {
    let url = Url::parse(text).map_err(|_| FetchError::InvalidUrl("it is malformed"))?;
    check_url(url)
}

/// Like [`parse_url`], for a parsed URL.
pub(crate) fn check_url(mut url: Url) -> Result<Url, FetchError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FetchError::InvalidUrl(
            "its scheme is neither `http` nor `https`",
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(FetchError::InvalidUrl(
            "it contains a user name or a password",
        ));
    }
    match url.host() {
        None => return Err(FetchError::InvalidUrl("its host is missing")),
        Some(Host::Domain(name)) if !is_name(name) => {
            return Err(FetchError::InvalidUrl("its host name is invalid"));
        }
        Some(_) => {}
    }
    if let Some(port) = url.port().filter(|port| is_bad_port(*port)) {
        return Err(FetchError::BadPort(port));
    }
    url.set_fragment(None);
    Ok(url)
}

/// Whether every label is valid in a host name. The URL parser accepts more, and resolvers differ
/// in how they treat it.
fn is_name(name: &str) -> bool {
    let name = crate::policy::trim_trailing_dot(name);
    let letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let label = |label: &str| (1..=63).contains(&label.len()) && label.bytes().all(letter);
    name.len() <= 253 && name.split('.').all(label)
}
