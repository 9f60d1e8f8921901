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

/// Iterates over the postings of a term.
#[derive(Debug, Clone)]
pub(crate) struct Postings<'a> {
    bytes: &'a [u8],
    section: u32,
}

impl<'a> Postings<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, section: 0 }
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
