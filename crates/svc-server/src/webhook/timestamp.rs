//! Parses time stamps of forges.

/// Seconds since the Unix epoch of a text such as `2026-02-28T09:30:00Z`, with an optional
/// fraction, an offset or ` UTC` at the end, and with a space instead of the `T`; `None` if it is
/// invalid.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let (date, rest) = (text.get(..10)?, text.get(10..)?);
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (time, rest) = (rest.get(..8)?, rest.get(8..)?);
    let [year, month, day] = three(date, '-')?;
    let [hour, minute, second] = three(time, ':')?;
    let month_is_fine = (1..=12).contains(&month) && (1..=31).contains(&day);
    // A leap second is second 60.
    if !month_is_fine || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|digit: char| digit.is_ascii_digit()),
        None => rest,
    };
    let seconds = hour * 3600 + minute * 60 + second;
    Some(days(year, month, day) * 86_400 + seconds - offset(zone.trim_start())?)
}

fn three(text: &str, separator: char) -> Option<[i64; 3]> {
    let mut parts = text.split(separator).map(number);
    let all = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(all)
}

fn number(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

/// Offset from UTC in seconds.
fn offset(zone: &str) -> Option<i64> {
    if matches!(zone, "Z" | "z" | "UTC") {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let digits: String = zone.strip_prefix(['+', '-'])?.split(':').collect();
    let (hours, minutes) = (digits.get(..2)?, digits.get(2..)?);
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Days since the Unix epoch of a Gregorian date. Years start in March, so that the leap day is the
/// last day.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month < 3 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year
        - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stamps_of_all_forges_are_parsed() {
        for (text, wanted) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("2026-11-21T14:00:00Z", 1_795_269_600),
            ("2026-11-21T14:00:00.123456Z", 1_795_269_600),
            ("2026-11-21 14:00:00 UTC", 1_795_269_600),
            ("2026-11-21T16:00:00+02:00", 1_795_269_600),
            ("2026-11-21 08:30:00 -0530", 1_795_269_600),
            ("1969-12-31T23:59:59Z", -1),
        ] {
            assert_eq!(seconds(text), Some(wanted), "{text}");
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
