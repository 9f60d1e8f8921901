//! Which letters a term has, as bits.

/// Letters of a term: a bit for the first and one for the second occurrence of each, where some
/// letters share their bits.
///
/// An edit removes at most one letter and adds at most one, so that most terms of a dictionary can
/// be told from a word without comparing them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Letters(u64);

impl Letters {
    pub(crate) fn new(term: &str) -> Self {
        let mut bits = 0_u64;
        for letter in term.chars() {
            let bit = 1 << (u32::from(letter) % 32);
            bits |= if bits & bit == 0 { bit } else { bit << 32 };
        }
        Self(bits)
    }

    /// Whether a term with other letters may be within `max` edits, at most 2, of this one; with
    /// `prefix` whether a beginning of it may be.
    #[inline]
    pub(crate) const fn are_similar(self, other: Self, max: u8, prefix: bool) -> bool {
        let removed = rest(self.0 & !other.0, max);
        let added = rest(other.0 & !self.0, max);
        if prefix {
            removed == 0
        } else {
            removed | added == 0
        }
    }
}

/// The bits without the lowest `max`, which are 1 or 2.
#[inline]
const fn rest(bits: u64, max: u8) -> u64 {
    let rest = bits & bits.wrapping_sub(1);
    if max < 2 {
        rest
    } else {
        rest & rest.wrapping_sub(1)
    }
}
