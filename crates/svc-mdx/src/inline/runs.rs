//! Runs of backticks or dollars, indexed once, so that the closer of an opener is found in constant
//! time.

use memchr::memchr;

use crate::{source::to_u32, step_counter};

/// All runs of a byte, by length.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// The text was scanned.
    scanned: bool,
    /// Length and start of every run, sorted by length.
    all: Vec<(u32, u32)>,
    /// For each length, the index of the first run that was not passed.
    first: Vec<(u32, usize)>,
}

impl Runs {
    /// Finds all runs of `mark` in `text` from `from` on for which `filter` returns true. Does
    /// nothing if the text was scanned.
    pub(crate) fn find(
        &mut self,
        text: &str,
        from: usize,
        mark: u8,
        filter: impl Fn(usize, usize) -> bool,
    ) {
        if std::mem::replace(&mut self.scanned, true) {
            return;
        }
        let bytes = text.as_bytes();
        let mut at = from;
        step_counter::tick(bytes.len().saturating_sub(from));
        while let Some(offset) = bytes.get(at..).and_then(|rest| memchr(mark, rest)) {
            at += offset;
            let length = run(text, at);
            if filter(at, length) {
                self.all.push((to_u32(length), to_u32(at)));
            }
            at += length;
        }
        // The sort is stable, so runs of the same length stay in order of their offsets.
        self.all.sort_by_key(|run| run.0);
        for (index, (length, _)) in self.all.iter().enumerate() {
            if self.first.last().is_none_or(|last| last.0 != *length) {
                self.first.push((*length, index));
            }
        }
    }

    /// Clears the index for another text; the capacity is retained.
    pub(crate) fn clear(&mut self) {
        self.scanned = false;
        self.all.clear();
        self.first.clear();
    }

    /// Returns the first run of this length at or after `from`, which must not decrease between
    /// calls.
    pub(crate) fn next(&mut self, length: usize, from: usize) -> Option<usize> {
        let (length, from) = (to_u32(length), to_u32(from));
        let group = self.first.binary_search_by_key(&length, |first| first.0);
        let (_, index) = self.first.get_mut(group.ok()?)?;
        loop {
            step_counter::tick(1);
            let (size, at) = *self.all.get(*index)?;
            if size != length {
                return None;
            }
            if at >= from {
                return Some(at as usize);
            }
            *index += 1;
        }
    }
}

/// Returns the length of the run of equal bytes at `at`.
pub(crate) fn run(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes().get(at..).unwrap_or(&[]);
    let Some(first) = bytes.first() else { return 0 };
    let length = bytes.iter().take_while(|byte| *byte == first).count();
    step_counter::tick(length);
    length
}
