//! Numbers of what was sent to forges.

use std::sync::atomic::{AtomicU64, Ordering};

/// How an attempt to send a pull request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// The forge shows the state.
    Success,
    /// It failed and is retried soon.
    Retry,
    /// The forge rejects it, for example the token.
    Failure,
}

/// Counts the attempts to send pull requests.
#[derive(Debug, Default)]
pub(crate) struct PullRequestCounters {
    counts: [AtomicU64; 3],
}

/// Names of the results in the order of the counts.
const NAMES: [&str; 3] = ["success", "retry", "failure"];

impl PullRequestCounters {
    pub(super) fn record(&self, attempt: Attempt) {
        let index = match attempt {
            Attempt::Success => 0,
            Attempt::Retry => 1,
            Attempt::Failure => 2,
        };
        if let Some(count) = self.counts.get(index) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The results with their numbers.
    pub(crate) fn read(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counts = self.counts.iter();
        let counts = counts.map(|count| count.load(Ordering::Relaxed));
        NAMES.into_iter().zip(counts)
    }
}
