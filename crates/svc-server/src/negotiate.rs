//! Content negotiation: content coding, media type and language (RFC 9110, section 12).

use http::{HeaderMap, header};

/// Content coding of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContentEncoding {
    Identity,
    Gzip,
    Brotli,
}

impl ContentEncoding {
    /// Value of `Content-Encoding`; `None` for the identity coding.
    pub(crate) const fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }
}

/// The preferred supported coding of the client. Identity is used if no other coding is acceptable,
/// even if the client excludes it: an uncompressed response is better than 406.
pub(crate) fn content_encoding(headers: &HeaderMap) -> ContentEncoding {
    const NAMES: [&str; 5] = ["gzip", "br", "x-gzip", "identity", "*"];
    // The first weight of each coding.
    let mut weights = [None; NAMES.len()];
    for (coding, weight) in list(headers, header::ACCEPT_ENCODING) {
        let index = NAMES
            .iter()
            .position(|name| coding.eq_ignore_ascii_case(name));
        if let Some(own) = index.and_then(|index| weights.get_mut(index)) {
            own.get_or_insert(weight);
        }
    }
    let [gzip, brotli, old_gzip, identity, any] = weights;
    let any = any.unwrap_or(0);
    let gzip = gzip.unwrap_or(any).max(old_gzip.unwrap_or(any));
    let brotli = brotli.unwrap_or(any);
    let identity = identity.unwrap_or(0);
    if brotli > 0 && brotli >= gzip && brotli >= identity {
        ContentEncoding::Brotli
    } else if gzip > 0 && gzip >= identity {
        ContentEncoding::Gzip
    } else {
        ContentEncoding::Identity
    }
}

/// Whether the client names a media type, without wildcards.
pub(crate) fn accepts(headers: &HeaderMap, name: &str) -> bool {
    list(headers, header::ACCEPT)
        .any(|(kind, weight)| kind.eq_ignore_ascii_case(name) && weight > 0)
}

/// Whether the client prefers Markdown or plain text to HTML.
pub(crate) fn prefers_markdown(headers: &HeaderMap) -> bool {
    let (mut html, mut markdown) = (0, 0);
    for (kind, weight) in list(headers, header::ACCEPT) {
        let is_one_of = |names: &[&str]| names.iter().any(|name| kind.eq_ignore_ascii_case(name));
        if is_one_of(&["text/html", "application/xhtml+xml"]) {
            html = html.max(weight);
        } else if is_one_of(&["text/markdown", "text/x-markdown", "text/plain"]) {
            markdown = markdown.max(weight);
        }
    }
    markdown > 0 && markdown > html
}

/// Maximum number of languages of a reader that are examined.
const MAX_LANGUAGES: usize = 16;

/// The language ranges that the client accepts, in the order of preference.
pub(crate) fn languages(headers: &HeaderMap) -> Vec<&str> {
    let ranges = list(headers, header::ACCEPT_LANGUAGE).take(MAX_LANGUAGES);
    let mut ranges: Vec<(&str, u16)> = ranges.filter(|(_, weight)| *weight > 0).collect();
    // The sort is stable: equal weights stay in the order of the client.
    ranges.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
    ranges.into_iter().map(|(range, _)| range).collect()
}

/// Items of a list header, with their weight from 0 to 1000.
fn list(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = (&str, u16)> {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .take(64)
        .filter_map(|item| {
            let mut parts = item.split(';').map(str::trim);
            let name = parts.next().filter(|name| !name.is_empty())?;
            let weight = parts
                .find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")))
                .map_or(1000, thousandths);
            Some((name, weight))
        })
}

fn thousandths(text: &str) -> u16 {
    let value: f32 = text.parse().unwrap_or(0.0);
    // The clamped value is in 0..=1000 (NaN becomes 0), so the conversion is lossless.
    (value.clamp(0.0, 1.0) * 1000.0).round() as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, http::HeaderValue::from_static(value))])
    }

    #[test]
    fn content_coding_follows_quality_values() {
        let cases = [
            ("gzip, deflate, br", ContentEncoding::Brotli),
            ("gzip", ContentEncoding::Gzip),
            ("br;q=0.5, gzip;q=0.9", ContentEncoding::Gzip),
            ("br;q=0, gzip;q=0", ContentEncoding::Identity),
            ("*", ContentEncoding::Brotli),
            ("*, br;q=0", ContentEncoding::Gzip),
            ("identity, gzip;q=0.2", ContentEncoding::Identity),
            ("", ContentEncoding::Identity),
            ("gzip;q=nonsense", ContentEncoding::Identity),
        ];
        for (value, expected) in cases {
            assert_eq!(
                content_encoding(&with(header::ACCEPT_ENCODING, value)),
                expected,
                "{value}"
            );
        }
    }

    #[test]
    fn languages_are_in_the_order_of_preference() {
        let of = |value: &'static str| {
            languages(&with(header::ACCEPT_LANGUAGE, value))
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(of("de-CH, de;q=0.9, en;q=0.8"), ["de-CH", "de", "en"]);
        assert_eq!(of("en;q=0.2, fr; q=0.8, de;q=0, ja"), ["ja", "fr", "en"]);
        assert_eq!(of("fr, de"), ["fr", "de"]);
        assert!(of("").is_empty());
        assert_eq!(
            of("a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a").len(),
            MAX_LANGUAGES
        );
    }

    #[test]
    fn markdown_is_sent_only_if_preferred() {
        let prefers = |value| prefers_markdown(&with(header::ACCEPT, value));
        assert!(prefers("text/markdown"));
        assert!(prefers("text/plain, */*"));
        assert!(prefers("text/html;q=0.8, text/markdown"));
        assert!(!prefers("text/html, text/markdown"));
        assert!(!prefers("text/html,application/xhtml+xml,*/*;q=0.8"));
        assert!(!prefers("*/*"));
    }
}
