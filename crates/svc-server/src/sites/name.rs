//! The normalized host of a request.

use std::borrow::Cow;
use std::net::Ipv6Addr;

use http::header;
use http::request::Parts;

use crate::settings::MAX_HOST_BYTES;

/// Host of a request: from the request target if it has one, otherwise from the header. Requests
/// with different hosts are rejected before.
pub(crate) fn requested_host(parts: &Parts) -> Option<&str> {
    let header = || parts.headers.get(header::HOST)?.to_str().ok();
    match parts.uri.authority() {
        Some(authority) => Some(authority.as_str()),
        None => header(),
    }
}

/// Splits `name:port`; the port can be missing or empty.
pub(super) fn split(host: &str) -> (&str, &str) {
    let from = host.rfind(']').unwrap_or(0);
    let at = host.get(from..).and_then(|rest| rest.find(':'));
    let (name, port) = host.split_at(at.map_or(host.len(), |at| from + at));
    (name, port.strip_prefix(':').unwrap_or(port))
}

/// Port of a host; `None` if it is missing or not a number.
pub(crate) fn port(host: &str) -> Option<u16> {
    split(host).1.parse().ok()
}

/// The name in lower case without a port and a trailing dot. Borrows the text if it is already
/// normalized, as from most clients.
pub(crate) fn canonical(host: &str) -> Option<Cow<'_, str>> {
    let (name, _) = split(host);
    if let Some(ip_text) = name.strip_prefix('[') {
        let ip: Ipv6Addr = ip_text.strip_suffix(']')?.parse().ok()?;
        return Some(Cow::Owned(format!("[{ip}]")));
    }
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.is_empty() || name.len() > MAX_HOST_BYTES {
        return None;
    }
    if name.bytes().any(|b| b.is_ascii_uppercase()) {
        return Some(Cow::Owned(name.to_ascii_lowercase()));
    }
    Some(Cow::Borrowed(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_normalized() {
        for (host, name) in [
            ("a.example", Some("a.example")),
            ("A.Example.", Some("a.example")),
            ("a.example:8080", Some("a.example")),
            ("a.example.:8080", Some("a.example")),
            ("a.example:", Some("a.example")),
            ("[::1]:80", Some("[::1]")),
            ("[0:0::1]", Some("[::1]")),
            ("", None),
            (":80", None),
            (".", None),
            ("[::1", None),
            ("[x]", None),
        ] {
            assert_eq!(canonical(host).as_deref(), name, "{host}");
        }
        assert!(matches!(canonical("a.example:80"), Some(Cow::Borrowed(_))));
    }
}
