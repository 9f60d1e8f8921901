//! IDs of requests: in responses, in the access log, and in messages of errors.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue};

/// Header with the ID of a request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Maximum length of an ID from a proxy in bytes.
const MAX_BYTES: usize = 128;

/// Source of IDs: a random start and a counter. A handle; clones share the counter.
#[derive(Debug, Clone)]
pub(crate) struct RequestIds(Arc<IdState>);

#[derive(Debug)]
struct IdState {
    start: u32,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        // Without randomness, IDs repeat after a restart; they only help to find a log line.
        let start = getrandom::u32().unwrap_or_default();
        let next = AtomicU64::new(0);
        Self(Arc::new(IdState { start, next }))
    }

    /// The ID that a trusted proxy has set, or a new one.
    pub(crate) fn of(&self, headers: &HeaderMap, is_trusted: bool) -> RequestId {
        let value = is_trusted.then(|| headers.get(REQUEST_ID)).flatten();
        match value {
            Some(value) if is_valid(value) => RequestId::Proxy(value.clone()),
            _ => self.next(),
        }
    }

    /// A new ID.
    pub(crate) fn next(&self) -> RequestId {
        RequestId::Own(self.0.start, self.0.next.fetch_add(1, Ordering::Relaxed))
    }
}

/// ID of a request. An ID of the server is formatted only where it is shown.
#[derive(Debug, Clone)]
pub(crate) enum RequestId {
    /// Set by a trusted proxy.
    Proxy(HeaderValue),
    /// Start and number.
    Own(u32, u64),
}

impl RequestId {
    /// Whether a trusted proxy has set it, and expects it in the response.
    pub(crate) const fn is_from_proxy(&self) -> bool {
        matches!(self, Self::Proxy(_))
    }

    /// The value of the header.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        match self {
            Self::Proxy(value) => Some(value.clone()),
            Self::Own(..) => HeaderValue::try_from(self.to_string()).ok(),
        }
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proxy(value) => f.write_str(value.to_str().unwrap_or_default()),
            Self::Own(start, number) => write!(f, "{start:08x}-{number:x}"),
        }
    }
}

/// Whether a value has only letters, digits and `-_.:+/=`, as IDs of proxies and traces do.
fn is_valid(value: &HeaderValue) -> bool {
    let bytes = value.as_bytes();
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:+/=".contains(byte);
    !bytes.is_empty() && bytes.len() <= MAX_BYTES && bytes.iter().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_valid_id_of_a_trusted_proxy_is_used() {
        let ids = RequestIds::new();
        let of = |value: &str, is_trusted| {
            let value = HeaderValue::from_str(value).unwrap();
            let headers = HeaderMap::from_iter([(REQUEST_ID, value)]);
            ids.of(&headers, is_trusted)
        };
        assert_eq!(of("a-1:2", true).to_string(), "a-1:2");
        assert!(!of("a-1:2", false).is_from_proxy());
        for invalid in ["", "a b", "a\"b", "ä", &"a".repeat(MAX_BYTES + 1)] {
            assert!(!of(invalid, true).is_from_proxy(), "{invalid}");
        }
        assert!(of(&"a".repeat(MAX_BYTES), true).is_from_proxy());
        let (first, second) = (of("", true).to_string(), of("", true).to_string());
        assert_ne!(first, second);
        assert_eq!(of("", true).header().unwrap().len(), second.len());
    }
}
