//! Runs of back-ticks or dollars, found once, so that each opener finds its closer at once.

use memchr::memchr;

use crate::step_counter;

use super::to_u32;

/// All runs of one byte, by length.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// They were looked for.
    scanned: bool,
    /// Length and start, sorted.
    all: Vec<(u32, u32)>,
    /// For each length the first run that was not passed by yet.
    first: Vec<(u32, usize)>,
}

impl Runs {
    /// Finds all runs of `mark` in `text` from `from` on for which `keep` says so, once.
    pub(crate) fn find(
        &mut self,
        text: &str,
        from: usize,
        mark: u8,
        keep: impl Fn(usize, usize) -> bool,
    ) {
        if std::mem::replace(&mut self.scanned, true) {
            return;
        }
        let bytes = text.as_bytes();
        let mut at = from;
        step_counter::tick(bytes.len().saturating_sub(from));
        while let Some(found) = bytes.get(at..).and_then(|rest| memchr(mark, rest)) {
            at += found;
            let length = run(text, at);
            if keep(at, length) {
                self.all.push((to_u32(length), to_u32(at)));
            }
            at += length;
        }
        // Stable: there are few lengths, and the runs of one length are in order already.
        self.all.sort_by_key(|run| run.0);
        for (place, (length, _)) in self.all.iter().enumerate() {
            if self.first.last().is_none_or(|last| last.0 != *length) {
                self.first.push((*length, place));
            }
        }
    }

    /// Ready for another text; the room stays.
    pub(crate) fn clear(&mut self) {
        self.scanned = false;
        self.all.clear();
        self.first.clear();
    }

    /// The first run of this length at or after `from`, which never gets less.
    pub(crate) fn next(&mut self, length: usize, from: usize) -> Option<usize> {
        let (length, from) = (to_u32(length), to_u32(from));
        let group = self.first.binary_search_by_key(&length, |first| first.0);
        let (_, place) = self.first.get_mut(group.ok()?)?;
        loop {
            step_counter::tick(1);
            let (size, at) = *self.all.get(*place)?;
            if size != length {
                return None;
            }
            if at >= from {
                return Some(at as usize);
            }
            *place += 1;
        }
    }
}

/// The length of the run of equal bytes at `at`.
pub(crate) fn run(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes().get(at..).unwrap_or(&[]);
    let Some(first) = bytes.first() else { return 0 };
    let length = bytes.iter().take_while(|byte| *byte == first).count();
    step_counter::tick(length);
    length
}
