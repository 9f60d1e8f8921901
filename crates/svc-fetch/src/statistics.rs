//! Numbers of requests and bytes.

use std::sync::atomic::{AtomicU64, Ordering};

use http::StatusCode;

/// Numbers of the requests of clients.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FetchStatistics {
    /// Requests with a response that is not an error.
    pub successes: u64,
    /// Requests with a response of 400 or above.
    pub error_responses: u64,
    /// Requests that were rejected or got no response.
    pub failures: u64,
    /// Bytes of response bodies, decompressed.
    pub bytes: u64,
}

/// Counts the requests of one or more clients.
#[derive(Debug, Default)]
pub struct FetchCounters {
    successes: AtomicU64,
    error_responses: AtomicU64,
    failures: AtomicU64,
    bytes: AtomicU64,
}

impl FetchCounters {
    /// The numbers so far.
    pub fn read(&self) -> FetchStatistics {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        FetchStatistics {
            successes: load(&self.successes),
            error_responses: load(&self.error_responses),
            failures: load(&self.failures),
            bytes: load(&self.bytes),
        }
    }

    /// Counts a request; `status` is `None` without a response.
    pub(crate) fn record(&self, status: Option<StatusCode>) {
        let counter = match status {
            None => &self.failures,
            Some(status) if status.is_client_error() || status.is_server_error() => {
                &self.error_responses
            }
            Some(_) => &self.successes,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn received(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}
