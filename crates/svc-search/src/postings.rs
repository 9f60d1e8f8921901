//! Lists of the sections that contain a term, as bytes.

/// Appends a number in groups of seven bits, the lowest first.
pub(crate) fn write_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(low_byte(number & 0x7f) | 0x80);
        number >>= 7;
    }
    out.push(low_byte(number));
}

fn low_byte(number: u32) -> u8 {
    u8::try_from(number & 0xff).unwrap_or_default()
}

/// Reads a number and advances `at`. Missing bytes count as 0.
pub(crate) fn read_number(bytes: &[u8], at: &mut usize) -> u32 {
    let mut number = 0;
    let mut shift = 0;
    loop {
        let byte = bytes.get(*at).copied().unwrap_or(0);
        *at += 1;
        number |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 || shift > 28 {
            return number;
        }
    }
}

/// An occurrence of a term in a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posting {
    pub(crate) section: u32,
    pub(crate) impact: u8,
}

/// Number of postings from one [`SkipPoint`] to the next.
const SKIP_INTERVAL: usize = 64;

/// A place in a list of postings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SkipPoint {
    /// Section of the posting before this place.
    section: u32,
    /// Number of bytes before this place.
    start: u32,
}

/// Returns places in a long list of postings at equal distances.
pub(crate) fn skip_points(bytes: &[u8]) -> Vec<SkipPoint> {
    let mut postings = Postings::new(bytes, &[]);
    let mut points = Vec::new();
    while let Some(posting) = postings.by_ref().nth(SKIP_INTERVAL - 1) {
        let start = bytes.len() - postings.bytes.len();
        points.push(SkipPoint {
            section: posting.section,
            start: u32::try_from(start).unwrap_or(u32::MAX),
        });
    }
    points
}

/// Iterates over the postings of a term.
#[derive(Debug, Clone)]
pub(crate) struct Postings<'a> {
    all: &'a [u8],
    bytes: &'a [u8],
    section: u32,
    skip_points: &'a [SkipPoint],
}

impl<'a> Postings<'a> {
    pub(crate) const fn new(bytes: &'a [u8], skip_points: &'a [SkipPoint]) -> Self {
        Self {
            all: bytes,
            bytes,
            section: 0,
            skip_points,
        }
    }

    /// Skips postings before a section, not necessarily all of them.
    #[inline]
    pub(crate) fn skip_towards(&mut self, section: u32) {
        if self
            .skip_points
            .first()
            .is_none_or(|point| point.section >= section)
        {
            return;
        }
        let count = self
            .skip_points
            .partition_point(|point| point.section < section);
        let (skipped, rest) = self.skip_points.split_at(count);
        self.skip_points = rest;
        if let Some(point) = skipped.last().filter(|point| point.section > self.section) {
            self.section = point.section;
            self.bytes = self.all.get(point.start as usize..).unwrap_or(&[]);
        }
    }
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    #[inline]
    fn next(&mut self) -> Option<Posting> {
        let (gap, impact, rest) = match self.bytes {
            [gap @ 0..0x80, impact, rest @ ..] => (u32::from(*gap), *impact, rest),
            [] => return None,
            bytes => {
                let mut at = 0;
                let gap = read_number(bytes, &mut at);
                let (impact, rest) = bytes.get(at..)?.split_first()?;
                (gap, *impact, rest)
            }
        };
        self.bytes = rest;
        self.section += gap;
        Some(Posting {
            section: self.section,
            impact,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Postings, skip_points, write_number};

    #[test]
    fn a_list_is_read_from_any_skip_point() {
        let sections: Vec<u32> = (1..1_000).map(|number| number * number).collect();
        let mut bytes = Vec::new();
        let mut last = 0;
        for &section in &sections {
            write_number(&mut bytes, section - last);
            bytes.push(7);
            last = section;
        }
        let points = skip_points(&bytes);
        assert_eq!(points.len(), sections.len() / 64);
        for step in [1, 50, 5_000, 200_000] {
            let mut postings = Postings::new(&bytes, &points);
            for target in (0..=last).step_by(step) {
                postings.skip_towards(target);
                let mut rest = postings.clone().map(|posting| posting.section);
                let next = rest.find(|&section| section >= target);
                let expected = sections.iter().copied().find(|&section| section >= target);
                assert_eq!(next, expected, "{target} {step}");
                if target > 20_000 && step == 1 {
                    break;
                }
            }
        }
    }
}
