//! IP address of the client, behind trusted proxies.

use std::net::{IpAddr, SocketAddr};

use http::header::{self, HeaderMap, HeaderName};
use svc_admin_api::key::Network;

/// Maximum number of proxy hops that are examined.
const MAX_HOPS: usize = 32;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// IP address of the client: the peer, or if the peer is a trusted proxy, the last untrusted
/// address of the forwarding headers. Earlier addresses may be forged.
pub(crate) fn caller(headers: &HeaderMap, peer: IpAddr, trusted: &[Network]) -> IpAddr {
    let peer = peer.to_canonical();
    let is_trusted = |addr: IpAddr| trusted.iter().any(|network| network.contains(addr));
    if !is_trusted(peer) {
        return peer;
    }
    let walked = |chain: Vec<Option<IpAddr>>| {
        let mut last = peer;
        for addr in chain {
            match addr {
                Some(addr) if is_trusted(addr) => last = addr,
                Some(addr) => return addr,
                // A hop that cannot be parsed ends the trusted part.
                None => return last,
            }
        }
        last
    };
    let old = from_right(headers, &X_FORWARDED_FOR).map(|parts| {
        let addrs = parts.iter().map(|part| parse_addr(part));
        walked(addrs.collect())
    });
    let new = from_right(headers, &header::FORWARDED).map(|parts| {
        let addrs = parts.iter().map(|part| forwarded(part));
        walked(addrs.collect())
    });
    match (old, new) {
        // A proxy sets one of the headers and may forward the other as a client sent it.
        (Some(old), Some(new)) if old != new => peer,
        (Some(addr), _) | (None, Some(addr)) => addr,
        (None, None) => peer,
    }
}

/// Whether a peer is a trusted proxy.
pub(crate) fn is_trusted(peer: IpAddr, trusted: &[Network]) -> bool {
    let peer = peer.to_canonical();
    trusted.iter().any(|network| network.contains(peer))
}

/// Whether a trusted proxy reports that the request was made over HTTPS. `None` without a report.
pub(crate) fn is_encrypted(headers: &HeaderMap, peer: IpAddr, trusted: &[Network]) -> Option<bool> {
    if !is_trusted(peer, trusted) {
        return None;
    }
    let scheme = from_right(headers, &X_FORWARDED_PROTO);
    let last = scheme.as_deref().and_then(<[&str]>::first)?;
    Some(last.eq_ignore_ascii_case("https"))
}

/// The network that limits per client apply to: an IPv6 customer has a whole /64.
pub(crate) fn network(addr: IpAddr) -> IpAddr {
    match addr.to_canonical() {
        IpAddr::V4(v4) => IpAddr::V4(v4),
        IpAddr::V6(v6) => IpAddr::V6((u128::from(v6) & !u128::from(u64::MAX)).into()),
    }
}

/// Items of a list header, the last one first; `None` if the header is missing.
fn from_right<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<Vec<&'a str>> {
    let lines: Vec<&str> = headers
        .get_all(name)
        .iter()
        .map(|value| value.to_str().unwrap_or_default())
        .collect();
    let parts = lines.iter().rev().flat_map(|line| line.rsplit(','));
    (!lines.is_empty()).then(|| parts.map(str::trim).take(MAX_HOPS).collect())
}

/// Parses `for=…` of a hop.
fn forwarded(part: &str) -> Option<IpAddr> {
    let pair = part.split(';').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("for")
            .then(|| value.trim())
    });
    let value = pair?;
    let value = value
        .strip_prefix('"')
        .map_or(value, |rest| rest.trim_end_matches('"'));
    parse_addr(value)
}

/// Parses an address with or without a port.
fn parse_addr(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let read = bare.unwrap_or(text).parse::<IpAddr>().ok();
    let read = read.or_else(|| text.parse::<SocketAddr>().ok().map(|both| both.ip()));
    read.map(|addr| addr.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(peer: &str, headers: &[(&'static str, &str)]) -> String {
        let trusted = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"];
        let trusted = trusted.map(|text| Network::parse(text).unwrap());
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        caller(&map, peer.parse().unwrap(), &trusted).to_string()
    }

    #[test]
    fn headers_of_untrusted_peers_are_ignored() {
        let forged = [("x-forwarded-for", "192.0.2.1")];
        assert_eq!(of("198.51.100.7", &forged), "198.51.100.7");
        assert_eq!(
            of("198.51.100.7", &[("forwarded", "for=192.0.2.1")]),
            "198.51.100.7"
        );
        assert_eq!(of("::ffff:198.51.100.7", &forged), "198.51.100.7");
    }

    #[test]
    fn the_last_untrusted_addr_of_a_trusted_proxy_is_used() {
        let resolve = |value: &str| of("127.0.0.1", &[("x-forwarded-for", value)]);
        assert_eq!(resolve("192.0.2.1"), "192.0.2.1");
        assert_eq!(resolve("1.1.1.1, 192.0.2.1"), "192.0.2.1");
        assert_eq!(resolve("1.1.1.1, 192.0.2.1, 10.1.2.3"), "192.0.2.1");
        assert_eq!(resolve("10.9.9.9, 10.1.2.3"), "10.9.9.9");
        assert_eq!(resolve("1.1.1.1, garbage, 10.1.2.3"), "10.1.2.3");
        assert_eq!(resolve("192.0.2.1:4711"), "192.0.2.1");
        assert_eq!(resolve("[2001:db8::1]:4711"), "2001:db8::1");
        assert_eq!(resolve(""), "127.0.0.1");
        let lines = [
            ("x-forwarded-for", "1.1.1.1"),
            ("x-forwarded-for", "192.0.2.1"),
        ];
        assert_eq!(of("fd00::1", &lines), "192.0.2.1");
    }

    #[test]
    fn the_forwarded_header_is_supported() {
        let resolve = |value: &str| of("10.0.0.1", &[("forwarded", value)]);
        assert_eq!(
            resolve("for=192.0.2.60;proto=http;by=203.0.113.43"),
            "192.0.2.60"
        );
        assert_eq!(
            resolve("for=1.1.1.1, For=\"[2001:db8:cafe::17]:4711\""),
            "2001:db8:cafe::17"
        );
        assert_eq!(resolve("for=192.0.2.1, for=_hidden"), "10.0.0.1");
        assert_eq!(resolve("proto=https"), "10.0.0.1");
    }

    #[test]
    fn contradicting_forwarding_headers_are_ignored() {
        let both =
            |old: &str, new: &str| of("127.0.0.1", &[("x-forwarded-for", old), ("forwarded", new)]);
        assert_eq!(both("192.0.2.1", "for=192.0.2.1"), "192.0.2.1");
        assert_eq!(both("192.0.2.1", "for=192.0.2.2"), "127.0.0.1");
    }
}
