//! What is asked for.

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
    /// Method.
    pub method: Method,
    /// Where to; [`parse_url`] makes one.
    pub url: Url,
    /// Headers. `Host`, the length of the body and what concerns the connection are set by the
    /// client, whatever stands here.
    pub headers: HeaderMap,
    /// Body.
    pub body: RequestBody,
    /// Whether redirects are followed.
    pub follow_redirects: bool,
}

impl Request {
    /// Asks for what is at an address, following redirects.
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
    /// None.
    #[default]
    Empty,
    /// Bytes in memory.
    Bytes(Bytes),
    /// Bytes that come while they are sent.
    Stream(UnsyncBoxBody<Bytes, BodyError>),
}

/// What a streamed body fails with.
pub type BodyError = Box<dyn std::error::Error + Send + Sync>;

impl RequestBody {
    /// The body to send, and the one for another request after a redirect; a stream can only be
    /// sent once.
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

/// Reads an address that can be fetched: `http` or `https`, with a host, without name and password.
/// The fragment is left out.
///
/// # Errors
/// [`FetchError::InvalidUrl`] or [`FetchError::BadPort`] for any other.
pub fn parse_url(text: &str) -> Result<Url, FetchError> {
    let url = Url::parse(text).map_err(|_| FetchError::InvalidUrl("it is not well formed"))?;
    check_url(url)
}

/// As [`parse_url`], for one that has been read.
pub(crate) fn check_url(mut url: Url) -> Result<Url, FetchError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FetchError::InvalidUrl("it begins with neither http nor https"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(FetchError::InvalidUrl("it holds a user name or a password"));
    }
    match url.host() {
        None => return Err(FetchError::InvalidUrl("it names no host")),
        Some(Host::Domain(name)) if !is_name(name) => {
            return Err(FetchError::InvalidUrl("its host is not a name"));
        }
        Some(_) => {}
    }
    if let Some(port) = url.port().filter(|port| is_bad_port(*port)) {
        return Err(FetchError::BadPort(port));
    }
    url.set_fragment(None);
    Ok(url)
}

/// Whether every label is one that a name can have. The address parser lets more through, and
/// resolvers differ in what they make of it.
fn is_name(name: &str) -> bool {
    let name = crate::policy::trim_trailing_dot(name);
    let letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let label = |label: &str| (1..=63).contains(&label.len()) && label.bytes().all(letter);
    name.len() <= 253 && name.split('.').all(label)
}
