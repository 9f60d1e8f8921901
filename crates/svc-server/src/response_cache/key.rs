//! What decides about a response from memory.

/// Request headers that a response from memory may depend on, which its `Vary` names. A site is
/// selected by its host.
static VARYING: [&str; 4] = ["host", "accept", "accept-encoding", "accept-language"];

/// Request headers that have no effect on a response from memory. Those of `Sec-` are added.
static WITHOUT_EFFECT: &[&str] = &[
    "user-agent",
    "referer",
    "cache-control",
    "pragma",
    "priority",
    "dnt",
    "upgrade-insecure-requests",
];

/// Key of the response to a GET request; `None` if one of its headers may have another effect, or
/// occurs more than once.
pub(super) fn key<'a>(
    target: &str,
    headers: impl Iterator<Item = (&'a str, &'a [u8])>,
) -> Option<Vec<u8>> {
    let mut values = [None; VARYING.len()];
    for (name, value) in headers {
        if let Some(index) = index(name) {
            if values.get_mut(index)?.replace(value).is_some() {
                return None;
            }
        } else if !is_without_effect(name, value) {
            return None;
        }
    }
    let length: usize = values.iter().flatten().map(|value| value.len() + 2).sum();
    let mut key = Vec::with_capacity(target.len() + length);
    key.extend_from_slice(target.as_bytes());
    for (index, value) in (b'0'..).zip(values) {
        if let Some(value) = value {
            // No value contains the end of a line.
            key.extend([b'\n', index]);
            key.extend_from_slice(value);
        }
    }
    Some(key)
}

/// Whether keys contain all headers of a `Vary`.
pub(super) fn covers(vary: &str) -> bool {
    vary.split(',').all(|name| index(name.trim()).is_some())
}

fn index(name: &str) -> Option<usize> {
    VARYING
        .iter()
        .position(|known| known.eq_ignore_ascii_case(name))
}

fn is_without_effect(name: &str, value: &[u8]) -> bool {
    let is_named = || {
        let mut known = WITHOUT_EFFECT.iter();
        known.any(|known| known.eq_ignore_ascii_case(name))
    };
    match name.split_at_checked(4) {
        Some((start, _)) if start.eq_ignore_ascii_case("sec-") => true,
        _ if name.eq_ignore_ascii_case("connection") => value.eq_ignore_ascii_case(b"keep-alive"),
        _ => is_named(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(headers: &[(&'static str, &'static str)]) -> Option<Vec<u8>> {
        key(
            "/a",
            headers
                .iter()
                .map(|(name, value)| (*name, value.as_bytes())),
        )
    }

    #[test]
    fn only_varying_headers_are_part_of_the_key() {
        let plain = of(&[("Host", "a"), ("Accept", "b")]);
        assert!(plain.is_some());
        let same = [
            ("accept", "b"),
            ("host", "a"),
            ("Sec-Fetch-Mode", "c"),
            ("DNT", "1"),
        ];
        assert_eq!(of(&same), plain);
        assert_eq!(
            of(&[("host", "a"), ("accept", "b"), ("Connection", "Keep-Alive")]),
            plain
        );
        for other in [
            [("host", "a"), ("accept", "c")],
            [("host", "b"), ("accept", "b")],
            [("host", "a"), ("accept-encoding", "b")],
        ] {
            assert!(of(&other).is_some() && of(&other) != plain, "{other:?}");
        }
        assert_ne!(of(&[("accept", "")]), of(&[]));
    }

    #[test]
    fn requests_with_other_headers_have_no_key() {
        for other in [
            ("Cookie", "a=b"),
            ("Authorization", "Bearer a"),
            ("If-None-Match", "\"a\""),
            ("Range", "bytes=0-1"),
            ("Content-Length", "0"),
            ("Transfer-Encoding", "chunked"),
            ("Expect", "100-continue"),
            ("Upgrade", "h2c"),
            ("Connection", "close"),
            ("Connection", "keep-alive, upgrade"),
            ("X-Forwarded-For", "192.0.2.1"),
            ("Host", "b"),
        ] {
            assert_eq!(of(&[("host", "a"), other]), None, "{other:?}");
        }
    }

    #[test]
    fn a_key_covers_the_headers_of_pages_but_no_cookies() {
        assert!(covers("Accept-Encoding, Accept") && covers("host"));
        for vary in ["Cookie", "Accept, Cookie", "*", ""] {
            assert!(!covers(vary), "{vary}");
        }
    }
}
