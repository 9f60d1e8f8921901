//! Validation of requests before they are routed.

use http::request::Parts;
use http::{HeaderMap, Method, StatusCode, Version, header};

use crate::{Limits, Response, reply};

/// Rejection of a malformed request; `None` if it is well-formed.
pub(crate) fn malformed(parts: &Parts, limits: &Limits) -> Option<Response> {
    if let Err(reason) = host(parts) {
        return Some(reply::plain(StatusCode::BAD_REQUEST, reason));
    }
    // Hyper already rejects a target that exceeds its own buffer.
    let target = parts
        .uri
        .path_and_query()
        .map_or(0, |target| target.as_str().len());
    if target > limits.uri_bytes {
        return Some(reply::plain(
            StatusCode::URI_TOO_LONG,
            "The URL is too long.",
        ));
    }
    None
}

/// Rejection of a well-formed request that is not a read.
pub(crate) fn refuse(parts: &Parts, limits: &Limits) -> Option<Response> {
    if length(&parts.headers).is_some_and(|length| length > limits.body_bytes) {
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        return Some(reply::plain(status, "The request body is too large."));
    }
    if parts.method != Method::GET && parts.method != Method::HEAD {
        let status = StatusCode::METHOD_NOT_ALLOWED;
        let mut response = reply::plain(status, "Method not allowed; use GET or HEAD.");
        reply::set_header(&mut response, header::ALLOW, "GET, HEAD");
        return Some(response);
    }
    if !parts.uri.path().starts_with('/') {
        return Some(reply::plain(
            StatusCode::BAD_REQUEST,
            "The request target must begin with `/`.",
        ));
    }
    None
}

fn length(headers: &HeaderMap) -> Option<u64> {
    headers
        .get(header::CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .parse()
        .ok()
}

/// Requires exactly one well-formed host, which all parts of the request agree on.
fn host(parts: &Parts) -> Result<(), &'static str> {
    let mut hosts = parts.headers.get_all(header::HOST).iter();
    let (first, second) = (hosts.next(), hosts.next());
    if second.is_some() {
        return Err("The request has more than one Host header.");
    }
    let authority = parts.uri.authority().map(http::uri::Authority::as_str);
    let Some(first) = first else {
        let optional = parts.version < Version::HTTP_11;
        return match authority {
            Some(name) if is_host(name) => Ok(()),
            None if optional => Ok(()),
            Some(_) => Err("The Host header is invalid."),
            None => Err("The Host header is missing."),
        };
    };
    let name = first.to_str().unwrap_or("");
    if !is_host(name) {
        return Err("The Host header is invalid.");
    }
    if authority.is_some_and(|authority| !authority.eq_ignore_ascii_case(name)) {
        return Err("The request target and the Host header name different hosts.");
    }
    Ok(())
}

/// Whether the text is `name`, `1.2.3.4` or `[::1]`, with an optional port.
fn is_host(text: &str) -> bool {
    let (name, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((ip, rest)) => {
            if ip.parse::<std::net::Ipv6Addr>().is_err() {
                return false;
            }
            ("x", rest)
        }
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let port_fits = match port.strip_prefix(':') {
        Some(number) => {
            number.len() <= 5
                && number.bytes().all(|b| b.is_ascii_digit())
                && (number.is_empty() || number.parse::<u16>().is_ok())
        }
        None => port.is_empty(),
    };
    let letters = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
    port_fits
        && (1..=253).contains(&name.len())
        && name.bytes().all(letters)
        && !name.starts_with('.')
        && !name.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_headers_are_validated() {
        for good in [
            "a",
            "docs.example.com",
            "a.b.",
            "127.0.0.1:8080",
            "[::1]:80",
            "[::1]",
            "a:",
        ] {
            assert!(is_host(good), "{good}");
        }
        let bad = [
            "", "a b", "a/b", "a@b", "a:b", "a:99999", "[::1", "[x]", "a..b", ".a", "a,b", "[::1]x",
        ];
        for bad in bad {
            assert!(!is_host(bad), "{bad}");
        }
    }
}
