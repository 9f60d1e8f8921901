//! Timestamps and clocks.

use std::fmt;
use std::time::Duration;

use jiff::SignedDuration;
use jiff::civil::DateTime;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
/// Last millisecond of the year 9999, the end of RFC 3339.
const MAX_MILLIS: i64 = 253_402_300_799_999;

/// A timestamp in milliseconds since 1970. The wire format is RFC 3339 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a timestamp from milliseconds since 1970, clamped to the years 1970 to 9999.
    pub const fn from_millis(millis: i64) -> Self {
        Self(if millis < 0 {
            0
        } else if millis > MAX_MILLIS {
            MAX_MILLIS
        } else {
            millis
        })
    }

    /// Milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Adds a duration.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        let more = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self::from_millis(self.0.saturating_add(more))
    }

    /// Subtracts a duration.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        let less = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self::from_millis(self.0.saturating_sub(less))
    }

    /// Parses the output of [`Display`](fmt::Display), `2026-11-21T08:30:00.000Z`. Returns `None`
    /// for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let shape = b"dddd-dd-ddTdd:dd:dd.dddZ";
        let fits = bytes.len() == shape.len()
            && bytes.iter().zip(shape).all(|(byte, kind)| match kind {
                b'd' => byte.is_ascii_digit(),
                _ => byte == kind,
            });
        if !fits {
            return None;
        }
        let read = text.strip_suffix('Z')?.parse::<DateTime>().ok()?;
        let read = Self(i64::try_from(read.duration_since(EPOCH).as_millis()).ok()?);
        // Invalid dates are formatted differently.
        (read.to_string() == text).then_some(read)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The end of the year 9999 is within the range of the type.
        let time = EPOCH.saturating_add(SignedDuration::from_millis(self.0));
        write!(f, "{time:.3}Z")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("not a point in time"))
    }
}

/// A clock. Programs use the system's, tests their own.
pub trait Clock: Sync {
    /// Wall clock time, which may go backward.
    fn now(&self) -> Timestamp;
    /// Monotonic time since an arbitrary point.
    fn monotonic(&self) -> Duration;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn timestamps_are_formatted_as_rfc_3339() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_798_761_599_001, "2026-12-31T23:59:59.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (MAX_MILLIS, "9999-12-31T23:59:59.999Z"),
            (i64::MAX, "9999-12-31T23:59:59.999Z"),
            (i64::MIN, "1970-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(Timestamp::from_millis(millis).to_string(), text);
        }
    }

    #[test]
    fn invalid_timestamps_are_rejected() {
        // spec: admin.job.created-at refuses
        for text in [
            "",
            "2026-11-21",
            "2026-11-21T08:30:00Z",
            "2026-02-29T08:30:00.000Z",
            "2026-13-01T08:30:00.000Z",
            "2026-11-21T24:00:00.000Z",
            "2026-11-21T08:30:60.000Z",
            "2026-11-21T08:30:00.000é",
            "+026-11-21T08:30:00.000Z",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn timestamps_round_trip(millis in 0..=MAX_MILLIS) {
            let time = Timestamp::from_millis(millis);
            prop_assert_eq!(Timestamp::parse(&time.to_string()), Some(time));
        }

        #[test]
        fn no_text_breaks_the_reader(text in "\\PC{0,30}") {
            let _ = Timestamp::parse(&text);
        }
    }
}
