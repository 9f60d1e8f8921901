//! Runs of back-ticks or dollars, found once, so that each opener finds its closer at once.

use memchr::memchr;

use crate::effort;

/// Length and start of all runs of one byte, sorted.
#[derive(Debug)]
pub(crate) struct Runs(Vec<(usize, usize)>);

impl Runs {
    /// All runs of `mark` in `text` from `from` on for which `keep` says so.
    pub(crate) fn new(
        text: &str,
        from: usize,
        mark: u8,
        keep: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let bytes = text.as_bytes();
        let mut runs = Vec::new();
        let mut at = from;
        effort::spend(bytes.len().saturating_sub(from));
        while let Some(found) = bytes.get(at..).and_then(|rest| memchr(mark, rest)) {
            at += found;
            let length = run(text, at);
            if keep(at, length) {
                runs.push((length, at));
            }
            at += length;
        }
        runs.sort_unstable();
        Self(runs)
    }

    /// The first run of this length at or after `from`.
    pub(crate) fn next(&self, length: usize, from: usize) -> Option<usize> {
        let place = self.0.partition_point(|run| *run < (length, from));
        self.0
            .get(place)
            .filter(|run| run.0 == length)
            .map(|run| run.1)
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
