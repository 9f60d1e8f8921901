//! Preconditions and ranges (RFC 9110, sections 13 and 14).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::{HeaderMap, Method, header};

/// Result of evaluating the preconditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Send,
    /// 304 Not Modified.
    NotModified,
    /// 412 Precondition Failed.
    Failed,
}

/// Validators of a representation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Validators {
    /// Strong entity tag with its quotes.
    pub(crate) etag: Option<String>,
    /// Time of the last modification.
    pub(crate) modified: Option<SystemTime>,
}

/// Evaluates the preconditions in the order of RFC 9110, section 13.2.2. All requests are reads.
pub(crate) fn evaluate(method: &Method, headers: &HeaderMap, validators: &Validators) -> Verdict {
    let etag = validators.etag.as_deref();
    let modified = validators.modified.map(truncate_to_seconds);
    if headers.contains_key(header::IF_MATCH) {
        if !tags(headers, header::IF_MATCH, etag, true) {
            return Verdict::Failed;
        }
    } else if let (Some(limit), Some(modified)) =
        (date(headers, header::IF_UNMODIFIED_SINCE), modified)
        && modified > limit
    {
        return Verdict::Failed;
    }
    if headers.contains_key(header::IF_NONE_MATCH) {
        if tags(headers, header::IF_NONE_MATCH, etag, false) {
            let read = method == Method::GET || method == Method::HEAD;
            return if read {
                Verdict::NotModified
            } else {
                Verdict::Failed
            };
        }
    } else if let (Some(since), Some(modified)) =
        (date(headers, header::IF_MODIFIED_SINCE), modified)
        && modified <= since
    {
        return Verdict::NotModified;
    }
    Verdict::Send
}

/// Dates in headers have no fractions of a second, so modification times are truncated for
/// comparison.
fn truncate_to_seconds(time: SystemTime) -> SystemTime {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    UNIX_EPOCH + Duration::from_secs(since.as_secs())
}

fn date(headers: &HeaderMap, name: header::HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(headers.get(name)?.to_str().ok()?).ok()
}

/// Whether a list of entity tags contains this tag; `*` matches every tag.
fn tags(headers: &HeaderMap, name: header::HeaderName, etag: Option<&str>, strong: bool) -> bool {
    let Some(etag) = etag else { return false };
    let values = headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok());
    values
        .flat_map(split_tags)
        .any(|tag| match tag.strip_prefix("W/") {
            Some(_) if strong => false,
            Some(tag) => tag == etag,
            None => tag == "*" || tag == etag,
        })
}

/// Splits a list of entity tags at commas outside of quotes.
fn split_tags(value: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    value
        .split(move |c| {
            quoted ^= c == '"';
            c == ',' && !quoted
        })
        .map(str::trim)
}

/// The byte range that a request selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteRange {
    /// The complete representation: there is no range, it is invalid, or there are several.
    Full,
    /// `start..=end`, within the length.
    Range { start: u64, end: u64 },
    /// The range is outside of the representation: 416.
    Unsatisfiable,
}

/// Parses `Range` and `If-Range` for a representation of `length` bytes.
pub(crate) fn byte_range(
    method: &Method,
    headers: &HeaderMap,
    length: u64,
    validators: &Validators,
) -> ByteRange {
    let range = headers
        .get(header::RANGE)
        .and_then(|value| value.to_str().ok());
    let (Some(range), true) = (range, method == Method::GET) else {
        return ByteRange::Full;
    };
    if let Some(condition) = headers.get(header::IF_RANGE) {
        let condition = condition.to_str().unwrap_or("").trim();
        let same_tag = validators.etag.as_deref() == Some(condition);
        let same_date = httpdate::parse_http_date(condition)
            .is_ok_and(|date| validators.modified.map(truncate_to_seconds) == Some(date));
        if !same_tag && !same_date {
            return ByteRange::Full;
        }
    }
    let unit = range
        .split_once('=')
        .filter(|(unit, _)| unit.trim().eq_ignore_ascii_case("bytes"));
    let Some((_, spec)) = unit else {
        return ByteRange::Full;
    };
    let Some((first, last)) = spec.trim().split_once('-') else {
        return ByteRange::Full;
    };
    if spec.contains(',') {
        return ByteRange::Full;
    }
    let number = |text: &str| {
        (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()))
            .then(|| text.parse().unwrap_or(u64::MAX))
    };
    match (number(first), number(last)) {
        (Some(start), None) if last.is_empty() && start < length => ByteRange::Range {
            start,
            end: length - 1,
        },
        (Some(start), Some(end)) if start <= end && start < length => ByteRange::Range {
            start,
            end: end.min(length - 1),
        },
        (None, Some(count)) if first.is_empty() && count > 0 && length > 0 => ByteRange::Range {
            start: length.saturating_sub(count),
            end: length - 1,
        },
        (Some(start), Some(end)) if start > end => ByteRange::Full,
        (Some(_), Some(_)) => ByteRange::Unsatisfiable,
        (Some(_), None) if last.is_empty() => ByteRange::Unsatisfiable,
        (None, Some(_)) if first.is_empty() => ByteRange::Unsatisfiable,
        _ => ByteRange::Full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &'static str)]) -> HeaderMap {
        let value = http::HeaderValue::from_static;
        pairs
            .iter()
            .map(|(name, text)| (name.clone(), value(text)))
            .collect()
    }

    fn ours() -> Validators {
        let modified = Some(UNIX_EPOCH + Duration::from_millis(784_111_777_500));
        Validators {
            etag: Some("\"a,b\"".into()),
            modified,
        }
    }

    #[test]
    fn preconditions_are_evaluated_in_order() {
        use header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_UNMODIFIED_SINCE};
        let same = "Sun, 06 Nov 1994 08:49:37 GMT";
        let before = "Sun, 06 Nov 1994 08:49:36 GMT";
        let cases: &[(&[(header::HeaderName, &'static str)], Verdict)] = &[
            (&[], Verdict::Send),
            (&[(IF_NONE_MATCH, "*")], Verdict::NotModified),
            (&[(IF_NONE_MATCH, "\"x\", W/\"a,b\"")], Verdict::NotModified),
            (&[(IF_NONE_MATCH, "\"x\"")], Verdict::Send),
            (
                &[(IF_NONE_MATCH, "\"x\""), (IF_MODIFIED_SINCE, same)],
                Verdict::Send,
            ),
            (&[(IF_MODIFIED_SINCE, same)], Verdict::NotModified),
            (&[(IF_MODIFIED_SINCE, before)], Verdict::Send),
            (&[(IF_MODIFIED_SINCE, "yesterday")], Verdict::Send),
            (&[(IF_MATCH, "\"a,b\"")], Verdict::Send),
            (&[(IF_MATCH, "W/\"a,b\"")], Verdict::Failed),
            (&[(IF_MATCH, "\"x\"")], Verdict::Failed),
            (&[(IF_UNMODIFIED_SINCE, before)], Verdict::Failed),
        ];
        for (input, expected) in cases {
            assert_eq!(
                evaluate(&Method::GET, &headers(input), &ours()),
                *expected,
                "{input:?}"
            );
        }
    }

    #[test]
    fn ranges_are_clamped_to_the_length() {
        let part = |range| {
            byte_range(
                &Method::GET,
                &headers(&[(header::RANGE, range)]),
                10,
                &ours(),
            )
        };
        assert_eq!(part("bytes=0-3"), ByteRange::Range { start: 0, end: 3 });
        assert_eq!(part("bytes=4-"), ByteRange::Range { start: 4, end: 9 });
        assert_eq!(part("bytes=-4"), ByteRange::Range { start: 6, end: 9 });
        assert_eq!(part("bytes=-99"), ByteRange::Range { start: 0, end: 9 });
        assert_eq!(
            part("bytes=5-99999999999999999999999"),
            ByteRange::Range { start: 5, end: 9 }
        );
        assert_eq!(part("bytes=10-"), ByteRange::Unsatisfiable);
        assert_eq!(part("bytes=10-12"), ByteRange::Unsatisfiable);
        assert_eq!(part("bytes=-0"), ByteRange::Unsatisfiable);
        for header in [
            "bytes=3-1",
            "bytes=0-1,3-4",
            "lines=0-1",
            "bytes=",
            "bytes=a-b",
            "bytes=--1",
        ] {
            assert_eq!(part(header), ByteRange::Full, "{header}");
        }
    }

    #[test]
    fn if_range_requires_an_equal_strong_tag() {
        let part = |condition| {
            let request = headers(&[(header::RANGE, "bytes=0-3"), (header::IF_RANGE, condition)]);
            byte_range(&Method::GET, &request, 10, &ours())
        };
        assert_eq!(part("\"a,b\""), ByteRange::Range { start: 0, end: 3 });
        assert_eq!(part("W/\"a,b\""), ByteRange::Full);
        assert_eq!(part("\"old\""), ByteRange::Full);
    }
}
