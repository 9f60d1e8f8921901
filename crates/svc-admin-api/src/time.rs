//! Timestamps and clocks.

use std::fmt;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const MILLIS_PER_DAY: i64 = 86_400_000;
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
        let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
        let days = days_before(number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        let within = ((hour * 60 + minute) * 60 + second) * 1000 + number(20, 23)?;
        let read = Self(days.checked_mul(MILLIS_PER_DAY)?.checked_add(within)?);
        // Invalid dates are formatted differently.
        (read.to_string() == text).then_some(read)
    }
}

/// Days from 1970-01-01 to a Gregorian date. Years begin in March, so that the leap day is the last
/// day of a year.
const fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + (153 * month + 2) / 5 + day - 1 - 719_468
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, within) = (
            self.0.div_euclid(MILLIS_PER_DAY),
            self.0.rem_euclid(MILLIS_PER_DAY),
        );
        // The estimated year is off by at most one.
        let mut year = (days + 719_468) * 400 / 146_097;
        if days_before(year, 3, 1) > days {
            year -= 1;
        } else if days_before(year + 1, 3, 1) <= days {
            year += 1;
        }
        let of_year = days - days_before(year, 3, 1);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let (year, month) = if month >= 10 {
            (year + 1, month - 9)
        } else {
            (year, month + 3)
        };
        let (seconds, millis) = (within / 1000, within % 1000);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z"
        )
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
