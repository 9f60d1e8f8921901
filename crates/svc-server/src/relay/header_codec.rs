//! Codec for the headers of the target's request and response, which are sent in one header: a
//! percent-encoded JSON list of names and values.

use http::{HeaderMap, HeaderName, HeaderValue};
use svc_data::percent::{self, URI_COMPONENT};

/// Maximum number of headers of a request.
const MAX_HEADERS: usize = 64;
/// Maximum size of encoded response headers in bytes; clients reject larger heads.
const MAX_HEADER_BYTES: usize = 48 << 10;

/// Decodes `encodeURIComponent(JSON.stringify([[name, value], …]))`.
pub(super) fn decode(text: &str) -> Result<HeaderMap, &'static str> {
    const FORM: &str = "`svc-headers` is not a list of names and values";
    let text = percent::decode_strict(text).ok_or(FORM)?;
    let pairs: Vec<(String, String)> = serde_json::from_str(&text).map_err(|_| FORM)?;
    if pairs.len() > MAX_HEADERS {
        return Err("the request has too many headers");
    }
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let name = HeaderName::from_bytes(name.as_bytes());
        let name = name.map_err(|_| "a header has an invalid name")?;
        // Header values are bytes; browsers send characters up to U+00FF as one byte each.
        let bytes: Result<Vec<u8>, _> = value.trim().chars().map(u8::try_from).collect();
        let value = bytes
            .ok()
            .and_then(|bytes| HeaderValue::from_bytes(&bytes).ok());
        headers.append(name, value.ok_or("a header has an invalid value")?);
    }
    Ok(headers)
}

/// Encodes response headers in the same form, without connection headers and cookies, which would
/// be set for this site instead of the target.
pub(super) fn encode(headers: &HeaderMap) -> String {
    const EXCLUDED: [&str; 10] = [
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-connection",
        "set-cookie",
        "set-cookie2",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ];
    let mut out = percent::encode("[", URI_COMPONENT).into_owned();
    let mut separator = "";
    for (name, value) in headers {
        if EXCLUDED.contains(&name.as_str()) {
            continue;
        }
        let value: String = value.as_bytes().iter().copied().map(char::from).collect();
        let pair = serde_json::json!([name.as_str(), value]).to_string();
        let pair = format!("{separator}{pair}");
        let pair = percent::encode(&pair, URI_COMPONENT);
        if out.len() + pair.len() > MAX_HEADER_BYTES {
            break;
        }
        out.push_str(&pair);
        separator = ",";
    }
    out.push_str(&percent::encode("]", URI_COMPONENT));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(headers: &HeaderMap) -> String {
        let pairs = headers
            .iter()
            .map(|(name, value)| format!("{name}={value:?}"));
        pairs.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn headers_are_coded_as_in_browsers() {
        let read = decode(
            "%5B%5B%22X-A%22%2C%22caf%C3%A9%201%22%5D%2C%5B%22accept%22%2C%22*%2F*%22%5D%5D",
        )
        .expect("headers");
        assert_eq!(text(&read), "x-a=\"caf\\xe9 1\" accept=\"*/*\"");
        assert_eq!(
            encode(&read),
            "%5B%5B%22x-a%22%2C%22caf%C3%A9%201%22%5D%2C%5B%22accept%22%2C%22*%2F*%22%5D%5D"
        );
        assert_eq!(encode(&HeaderMap::new()), "%5B%5D");
    }

    #[test]
    fn cookies_and_connection_headers_are_removed() {
        let mut headers = HeaderMap::new();
        for name in [
            "set-cookie",
            "connection",
            "transfer-encoding",
            "x-kept",
            "upgrade",
        ] {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static("v"));
        }
        let expected = percent::encode("[[\"x-kept\",\"v\"]]", URI_COMPONENT);
        assert_eq!(encode(&headers), expected);
    }

    #[test]
    fn malformed_headers_are_rejected() {
        for bad in [
            "",
            "%5",
            "[",
            "{}",
            "%5B1%5D",
            "[[\"a\"]]",
            "[[\"a b\",\"c\"]]",
            "[[\"a\",\"b%0Ac\"]]",
            "[[\"a\",\"%00\"]]",
            "[[\"a\",\"%E2%82%AC\"]]",
            "[[\"\",\"c\"]]",
            "%ff",
        ] {
            assert!(decode(bad).is_err(), "{bad}");
        }
        let many: Vec<(&str, &str)> = vec![("a", "b"); 65];
        let many = serde_json::json!(many).to_string();
        assert!(decode(&percent::encode(&many, URI_COMPONENT)).is_err());
    }

    #[test]
    fn a_large_head_is_truncated_between_headers() {
        let mut headers = HeaderMap::new();
        let value = HeaderValue::from_str(&"é".repeat(900)).unwrap_or(HeaderValue::from_static(""));
        for number in 0..60 {
            let name = HeaderName::from_bytes(format!("x-{number}").as_bytes()).expect("a name");
            headers.append(name, value.clone());
        }
        let coded = encode(&headers);
        assert!(coded.len() <= MAX_HEADER_BYTES + 3);
        assert!(decode(&coded).is_ok_and(|read| read.len() < 60));
    }
}
