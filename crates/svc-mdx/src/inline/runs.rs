//! Runs of back-ticks or dollars, found once, so that each opener finds its closer at once.

use std::collections::BTreeMap;

/// Starts of all runs of one byte, by length.
#[derive(Debug)]
pub(crate) struct Runs(BTreeMap<usize, Vec<usize>>);

impl Runs {
    /// All runs of `mark` in `text` for which `keep` says so.
    pub(crate) fn new(text: &str, mark: u8, keep: impl Fn(usize, usize) -> bool) -> Self {
        let bytes = text.as_bytes();
        let mut runs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut at = 0;
        while at < bytes.len() {
            if bytes.get(at) != Some(&mark) {
                at += 1;
                continue;
            }
            let length = run(text, at);
            if keep(at, length) {
                runs.entry(length).or_default().push(at);
            }
            at += length;
        }
        Self(runs)
    }

    /// The first run of this length at or after `from`.
    pub(crate) fn next(&self, length: usize, from: usize) -> Option<usize> {
        let starts = self.0.get(&length)?;
        starts
            .get(starts.partition_point(|start| *start < from))
            .copied()
    }
}

/// The length of the run of equal bytes at `at`.
pub(crate) fn run(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let Some(first) = bytes.get(at) else { return 0 };
    bytes
        .iter()
        .skip(at)
        .take_while(|byte| *byte == first)
        .count()
}
