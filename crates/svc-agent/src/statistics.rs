//! Numbers of jobs that this process ran.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::RunOutcome;

/// Names of the outcomes, in the order of the counters.
const OUTCOMES: [&str; 4] = ["completed", "failed", "lost", "released"];

/// Counts the jobs of workers.
#[derive(Debug, Default)]
pub struct JobCounters {
    running: AtomicU64,
    finished: [OutcomeCounter; OUTCOMES.len()],
}

#[derive(Debug, Default)]
struct OutcomeCounter {
    jobs: AtomicU64,
    millis: AtomicU64,
}

/// Runs with one outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutcomeStatistics {
    /// `completed`, `failed`, `lost` (canceled, or claimed by another worker) or `released` for
    /// other workers.
    pub outcome: &'static str,
    /// Number of runs.
    pub jobs: u64,
    /// Time that they took, summed.
    pub time: Duration,
}

impl JobCounters {
    /// Number of jobs that run now.
    pub fn running(&self) -> u64 {
        self.running.load(Ordering::Relaxed)
    }

    /// The runs that have ended, by outcome.
    pub fn finished(&self) -> impl Iterator<Item = OutcomeStatistics> {
        let counters = OUTCOMES.into_iter().zip(&self.finished);
        counters.map(|(outcome, counter)| OutcomeStatistics {
            outcome,
            jobs: counter.jobs.load(Ordering::Relaxed),
            time: Duration::from_millis(counter.millis.load(Ordering::Relaxed)),
        })
    }

    /// Counts a job as running until the guard is dropped.
    pub(crate) fn begin(&self) -> RunningJob<'_> {
        self.running.fetch_add(1, Ordering::Relaxed);
        RunningJob {
            counters: self,
            begin: Instant::now(),
        }
    }
}

/// A job that runs.
#[derive(Debug)]
pub(crate) struct RunningJob<'a> {
    counters: &'a JobCounters,
    begin: Instant,
}

impl RunningJob<'_> {
    /// Counts the outcome.
    pub(crate) fn end(self, outcome: &RunOutcome) {
        let index = match outcome {
            RunOutcome::Completed(_) => 0,
            RunOutcome::Failed(_) => 1,
            RunOutcome::Lost => 2,
            RunOutcome::Released => 3,
        };
        if let Some(counter) = self.counters.finished.get(index) {
            let millis = u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(u64::MAX);
            counter.jobs.fetch_add(1, Ordering::Relaxed);
            counter.millis.fetch_add(millis, Ordering::Relaxed);
        }
    }
}

impl Drop for RunningJob<'_> {
    fn drop(&mut self) {
        self.counters.running.fetch_sub(1, Ordering::Relaxed);
    }
}
