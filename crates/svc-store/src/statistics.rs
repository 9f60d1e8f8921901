//! Numbers of operations.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// Numbers of operations of a store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoreStatistics {
    /// Reads, without those that the cache responds to.
    pub reads: u64,
    /// Reads for which the database was not available.
    pub read_errors: u64,
    /// Changes.
    pub changes: u64,
    /// Changes for which the database was not available.
    pub change_errors: u64,
    /// Time that reads took, summed.
    pub read_time: Duration,
    /// Time that changes took, summed, with their time in the queue.
    pub change_time: Duration,
}

#[derive(Debug, Default)]
pub(crate) struct OperationCounters {
    reads: AtomicU64,
    read_errors: AtomicU64,
    changes: AtomicU64,
    change_errors: AtomicU64,
    read_micros: AtomicU64,
    change_micros: AtomicU64,
    /// Whether the last operation could not reach the database.
    is_unreachable: AtomicBool,
}

impl OperationCounters {
    pub(crate) fn record_read(&self, is_error: bool, begin: Instant) {
        self.read_micros
            .fetch_add(micros_since(begin), Ordering::Relaxed);
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.read_errors
            .fetch_add(u64::from(is_error), Ordering::Relaxed);
        self.is_unreachable.store(is_error, Ordering::Relaxed);
    }

    pub(crate) fn record_change(&self, is_error: bool, begin: Instant) {
        self.change_micros
            .fetch_add(micros_since(begin), Ordering::Relaxed);
        self.changes.fetch_add(1, Ordering::Relaxed);
        self.change_errors
            .fetch_add(u64::from(is_error), Ordering::Relaxed);
        self.is_unreachable.store(is_error, Ordering::Relaxed);
    }

    pub(crate) fn is_reachable(&self) -> bool {
        !self.is_unreachable.load(Ordering::Relaxed)
    }

    pub(crate) fn read(&self) -> StoreStatistics {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        StoreStatistics {
            reads: load(&self.reads),
            read_errors: load(&self.read_errors),
            changes: load(&self.changes),
            change_errors: load(&self.change_errors),
            read_time: Duration::from_micros(load(&self.read_micros)),
            change_time: Duration::from_micros(load(&self.change_micros)),
        }
    }
}

fn micros_since(begin: Instant) -> u64 {
    u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX)
}
