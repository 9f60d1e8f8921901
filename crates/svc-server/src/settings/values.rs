//! Durations and sizes.

use std::time::Duration;

const DURATIONS: &[(&str, u64)] = &[("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)];

const SIZES: &[(&str, u64)] = &[
    ("B", 1),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];

pub(super) const DURATION: &str = "^([0-9]{1,9}[smhd])+$";
pub(super) const SIZE: &str = "^[0-9]{1,9} ?(B|KB|MB|GB|KiB|MiB|GiB)$";

/// Parses a duration such as `90s`, `5m`, `1h30m` or `14d`; `None` if the text is not one.
pub fn duration(text: &str) -> Option<Duration> {
    let mut seconds = 0_u64;
    let mut rest = text;
    while !rest.is_empty() {
        let (number, after) = digits(rest)?;
        let (unit, length) = DURATIONS.iter().find(|(unit, _)| after.starts_with(unit))?;
        seconds = seconds.checked_add(number.checked_mul(*length)?)?;
        rest = after.get(unit.len()..)?;
    }
    (!text.is_empty()).then(|| Duration::from_secs(seconds))
}

/// Parses a size such as `500B`, `100MB` or `2GiB`.
pub(super) fn size(text: &str) -> Option<u64> {
    let (number, unit) = digits(text)?;
    let unit = unit.strip_prefix(' ').unwrap_or(unit);
    let (_, bytes) = SIZES.iter().find(|(name, _)| *name == unit)?;
    number.checked_mul(*bytes)
}

fn digits(text: &str) -> Option<(u64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    (number.len() <= 9).then_some(())?;
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_are_read_with_their_units() {
        for (text, seconds) in [
            ("90s", 90),
            ("5m", 300),
            ("1h30m", 5400),
            ("14d", 1_209_600),
        ] {
            assert_eq!(duration(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for (text, bytes) in [("500B", 500), ("1GB", 1_000_000_000), ("2 KiB", 2048)] {
            assert_eq!(size(text), Some(bytes), "{text}");
        }
        for text in [
            "",
            "5",
            "m",
            "5 m",
            "5M",
            "-5m",
            "5m3",
            "9999999999d",
            "1.5h",
            "١m",
        ] {
            assert_eq!(duration(text), None, "{text}");
        }
        for text in ["", "5", "GB", "5g", "5  GB", "-5GB", "1.5GB"] {
            assert_eq!(size(text), None, "{text}");
        }
    }
}
