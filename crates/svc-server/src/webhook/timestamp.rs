//! Parses time stamps of forges.

use jiff::Timestamp;

/// Seconds since the Unix epoch of a text such as `2026-02-28T09:30:00Z`, with an optional
/// fraction, an offset or ` UTC` at the end, and with a space instead of the `T`; `None` if it is
/// invalid.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let text = text
        .replace(" UTC", "Z")
        .replace(" +", "+")
        .replace(" -", "-");
    Some(text.parse::<Timestamp>().ok()?.as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stamps_of_all_forges_are_parsed() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("2026-11-21T14:00:00Z", 1_795_269_600),
            ("2026-11-21T14:00:00.123456Z", 1_795_269_600),
            ("2026-11-21 14:00:00 UTC", 1_795_269_600),
            ("2026-11-21T16:00:00+02:00", 1_795_269_600),
            ("2026-11-21 08:30:00 -0530", 1_795_269_600),
            ("1969-12-31T23:59:59Z", -1),
        ] {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn invalid_time_stamps_are_rejected() {
        for text in [
            "",
            "2026-11-21",
            "2026-13-21T14:00:00Z",
            "2026-11-21T24:00:00Z",
            "2026-11-21T14:00:00",
            "2026-11-21T14:00:00+2",
            "2026-11-2éT14:00:00Z",
            "+026-11-21T14:00:00Z",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
