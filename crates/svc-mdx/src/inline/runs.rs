//! Runs of back-ticks or dollars, found once, so that each opener finds its closer at once.

use memchr::memchr;

use crate::effort;

use super::short;

/// All runs of one byte, by length.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// They were looked for.
    found: bool,
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
        if std::mem::replace(&mut self.found, true) {
            return;
        }
        let bytes = text.as_bytes();
        let mut at = from;
        effort::spend(bytes.len().saturating_sub(from));
        while let Some(found) = bytes.get(at..).and_then(|rest| memchr(mark, rest)) {
            at += found;
            let length = run(text, at);
            if keep(at, length) {
                self.all.push((short(length), short(at)));
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
        self.found = false;
        self.all.clear();
        self.first.clear();
    }

    /// The first run of this length at or after `from`, which never gets less.
    pub(crate) fn next(&mut self, length: usize, from: usize) -> Option<usize> {
        let (length, from) = (short(length), short(from));
        let group = self.first.binary_search_by_key(&length, |first| first.0);
        let (_, place) = self.first.get_mut(group.ok()?)?;
        loop {
            effort::spend(1);
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
    effort::spend(length);
    length
}
