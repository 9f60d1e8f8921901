//! Counts sign-ins by their result.

use std::sync::atomic::{AtomicU64, Ordering};

use svc_site::SignInFailure;

/// Names of the results, in the order of the counters.
const RESULTS: [&str; 6] = [
    "success",
    "wrong_password",
    "too_many_attempts",
    "incomplete",
    "no_access",
    "too_many_groups",
];

/// Numbers of completed and failed sign-ins of all projects.
#[derive(Debug, Default)]
pub(super) struct SignInCounters([AtomicU64; RESULTS.len()]);

impl SignInCounters {
    /// Counts a sign-in.
    pub(super) fn record(&self, result: Result<(), SignInFailure>) {
        let index = match result {
            Ok(()) => 0,
            Err(SignInFailure::Wrong) => 1,
            Err(SignInFailure::TooMany) => 2,
            Err(SignInFailure::Incomplete) => 3,
            Err(SignInFailure::NoAccess) => 4,
            Err(SignInFailure::TooManyGroups) => 5,
        };
        if let Some(count) = self.0.get(index) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The results with their numbers.
    pub(super) fn read(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counts = self.0.iter().map(|count| count.load(Ordering::Relaxed));
        RESULTS.into_iter().zip(counts)
    }
}
