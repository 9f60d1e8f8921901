//! A histogram of durations that records with two relaxed atomic operations.

use std::array;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Number of buckets, including the last one without an upper bound.
const BUCKETS: usize = 16;

/// Counts of durations in buckets.
#[derive(Debug)]
pub(crate) struct Histogram {
    /// Upper bounds in microseconds; the last bucket has none.
    bounds: &'static [u64; BUCKETS - 1],
    counts: [AtomicU64; BUCKETS],
    /// Sum in microseconds.
    sum: AtomicU64,
}

/// Bounds for responses: 50 µs to 10 s.
pub(super) static RESPONSE_BOUNDS: [u64; BUCKETS - 1] = [
    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
    2_500_000, 10_000_000,
];

/// Bounds for builds: 50 ms to an hour.
pub(super) static BUILD_BOUNDS: [u64; BUCKETS - 1] = [
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    30_000_000,
    60_000_000,
    120_000_000,
    300_000_000,
    600_000_000,
    1_800_000_000,
    3_600_000_000,
];

impl Histogram {
    pub(super) fn new(bounds: &'static [u64; BUCKETS - 1]) -> Self {
        Self {
            bounds,
            counts: array::from_fn(|_| AtomicU64::new(0)),
            sum: AtomicU64::new(0),
        }
    }

    /// Counts a duration.
    pub(crate) fn record(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let bucket = self.bounds.partition_point(|bound| *bound < micros);
        if let Some(count) = self.counts.get(bucket) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.sum.fetch_add(micros, Ordering::Relaxed);
    }

    /// Sum in seconds, and the upper bounds in seconds with the count of each bucket.
    pub(super) fn read(&self) -> (f64, Vec<(f64, u64)>) {
        let bounds = self.bounds.iter().map(|bound| *bound as f64 / 1e6);
        let bounds = bounds.chain([f64::INFINITY]);
        let counts = self
            .counts
            .iter()
            .map(|count| count.load(Ordering::Relaxed));
        let sum = self.sum.load(Ordering::Relaxed) as f64 / 1e6;
        (sum, bounds.zip(counts).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_in_the_first_bucket_that_includes_it() {
        let histogram = Histogram::new(&RESPONSE_BOUNDS);
        for micros in [0, 50, 51, 10_000_000, 10_000_001] {
            histogram.record(Duration::from_micros(micros));
        }
        let (sum, buckets) = histogram.read();
        let counts: Vec<u64> = buckets.iter().map(|bucket| bucket.1).collect();
        assert_eq!(counts, [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert!((sum - 20.000_102).abs() < 1e-9, "{sum}");
        assert!(buckets.last().is_some_and(|bucket| bucket.0.is_infinite()));
    }
}
