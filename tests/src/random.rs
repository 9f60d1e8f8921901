//! Deterministic random numbers.

/// A xorshift generator: the same seed gives the same sequence.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Creates a generator; any seed works.
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns the next number.
    pub const fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % end).unwrap_or(0)
    }

    /// Returns one of the items; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Returns the text with one mistake: truncated, with an inserted token, or with a piece
    /// removed or repeated.
    pub fn mutate(&mut self, text: &str, tokens: &[&str]) -> String {
        let mut boundary = |limit: usize| {
            let mut at = self.below(limit + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (a, b) = (boundary(text.len()), boundary(text.len()));
        let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 400));
        let mut end = end;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        match self.below(4) {
            0 => text[..start].to_owned(),
            1 => {
                let token = self.pick(tokens).copied().unwrap_or("");
                [&text[..start], token, &text[start..]].concat()
            }
            2 => [&text[..start], &text[end..]].concat(),
            _ => [&text[..end], &text[start..]].concat(),
        }
    }
}
