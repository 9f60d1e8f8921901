//! Responses that are sent again without the HTTP library.
//!
//! For a page from memory, the library and the responders cost more than the system calls. A GET
//! request with the same target and the same headers as one before gets the same response as long
//! as nothing has changed, so only its head has to be parsed. Everything else is left to the
//! library: other methods and versions, bodies, conditions, cookies, and each header that is not
//! known to have no effect.

mod key;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use http::request::Parts;
use http::{Method, StatusCode, Version, header};
use hyper::body::Bytes;

use crate::metrics::{RequestClass, RequestCounters};
use crate::reply::Response;

/// Maximum number of bytes of all cached responses. Most of them are those of the pages of a site,
/// which are in memory anyway.
const MAX_BYTES: usize = 32 << 20;
/// Maximum number of headers of a request that gets a cached response. Browsers send about 15.
const MAX_HEADERS: usize = 32;

/// Marks a response from memory that depends only on the target of the request, on the headers that
/// its `Vary` names, and on the site.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FromMemory;

/// Tells whether the server would still give a response.
#[derive(Clone)]
pub(crate) struct Validity(Arc<dyn Fn() -> bool + Send + Sync>);

impl Validity {
    pub(crate) fn new(check: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(check))
    }

    /// A response that is valid if `check` holds too.
    pub(crate) fn and(self, check: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self::new(move || check() && self.is_valid())
    }

    fn is_valid(&self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for Validity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Validity").field(&self.is_valid()).finish()
    }
}

/// A complete response with status 200.
#[derive(Debug)]
pub(crate) struct CachedResponse {
    /// Status line and headers, without those of a single response and without the empty line.
    pub(crate) head: Box<[u8]>,
    pub(crate) body: Bytes,
    pub(crate) class: RequestClass,
    /// Project in the access log.
    pub(crate) project: Option<Arc<str>>,
    pub(crate) counters: Arc<RequestCounters>,
    validity: Validity,
    /// Number of bytes with its key.
    size: usize,
}

/// Head of a request that may have a cached response.
#[derive(Debug)]
pub(crate) struct RequestHead<'a> {
    /// Number of bytes.
    pub(crate) length: usize,
    pub(crate) target: &'a str,
    pub(crate) host: Option<&'a str>,
    key: Vec<u8>,
}

impl<'a> RequestHead<'a> {
    /// Parses the request with which bytes begin; `None` if it is incomplete or malformed, or must
    /// be handled by the library.
    pub(crate) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let Ok(httparse::Status::Complete(length)) = request.parse(bytes) else {
            return None;
        };
        let target = request.path.filter(|target| target.starts_with('/'))?;
        if request.method != Some("GET") || request.version != Some(1) {
            return None;
        }
        let headers = || request.headers.iter();
        let host = headers().find(|header| header.name.eq_ignore_ascii_case("host"));
        Some(Self {
            length,
            target,
            host: host.and_then(|host| std::str::from_utf8(host.value).ok()),
            key: key::key(target, headers().map(|header| (header.name, header.value)))?,
        })
    }
}

/// Key of the response to a request; `None` if it may not be cached.
pub(crate) fn key(parts: &Parts) -> Option<Vec<u8>> {
    if parts.method != Method::GET
        || parts.version != Version::HTTP_11
        || parts.uri.authority().is_some()
    {
        return None;
    }
    let target = parts.uri.path_and_query()?.as_str();
    let headers = parts.headers.iter();
    key::key(
        target,
        headers.map(|(name, value)| (name.as_str(), value.as_bytes())),
    )
}

/// Cached responses of a listener.
#[derive(Debug, Default)]
pub(crate) struct ResponseCache(RwLock<Responses>);

#[derive(Debug, Default)]
struct Responses {
    by_key: HashMap<Vec<u8>, Arc<CachedResponse>>,
    /// Number of bytes of keys, heads and bodies.
    bytes: usize,
}

impl ResponseCache {
    /// The response to a request.
    pub(crate) fn get(&self, request: &RequestHead<'_>) -> Option<Arc<CachedResponse>> {
        let responses = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let found = Arc::clone(responses.by_key.get(&request.key)?);
        drop(responses);
        if found.validity.is_valid() {
            return Some(found);
        }
        // Others of the site are not valid either, and hold its memory.
        let mut responses = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let all = std::mem::take(&mut *responses);
        drop(responses);
        drop(all);
        None
    }

    /// Whether there is a response that is valid.
    fn contains(&self, key: &[u8]) -> bool {
        let responses = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let found = responses.by_key.get(key);
        found.is_some_and(|found| found.validity.is_valid())
    }

    /// Stores a response if it is from memory and the key contains all that it depends on. Returns
    /// whether it is cached.
    pub(crate) fn insert(
        &self,
        key: Vec<u8>,
        response: &mut Response,
        class: RequestClass,
        (project, counters): (Option<&Arc<str>>, &Arc<RequestCounters>),
    ) -> bool {
        let Some(validity) = response.extensions_mut().remove::<Validity>() else {
            return false;
        };
        if self.contains(&key) {
            return true;
        }
        let Some((head, body)) = parts(response) else {
            return false;
        };
        let size = key.len() + head.len() + body.len();
        let mut responses = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if responses.bytes + size > MAX_BYTES {
            *responses = Responses::default();
        }
        let response = Arc::new(CachedResponse {
            head,
            body,
            class,
            project: project.cloned(),
            counters: Arc::clone(counters),
            validity,
            size,
        });
        responses.bytes += size;
        if let Some(old) = responses.by_key.insert(key, response) {
            responses.bytes -= old.size;
        }
        true
    }
}

/// Head and body of a response that can be sent again.
fn parts(response: &Response) -> Option<(Box<[u8]>, Bytes)> {
    let headers = response.headers();
    let mut vary = headers.get_all(header::VARY).iter();
    let is_public = vary.all(|vary| vary.to_str().is_ok_and(key::covers))
        && !headers.contains_key(header::SET_COOKIE)
        && !headers.contains_key(header::CONNECTION);
    if response.status() != StatusCode::OK || !is_public {
        return None;
    }
    let body = response.body().in_memory()?;
    if body.len() > MAX_BYTES {
        return None;
    }
    let mut head = b"HTTP/1.1 200 OK\r\n".to_vec();
    for (name, value) in headers {
        for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
            head.extend_from_slice(part);
        }
    }
    if !headers.contains_key(header::CONTENT_LENGTH) {
        head.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
    }
    Some((head.into(), body))
}
