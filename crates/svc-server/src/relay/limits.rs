//! Limits of the relay.

use std::time::Duration;

/// Limits of the relay.
#[derive(Debug, Clone)]
pub struct RelayLimits {
    /// Maximum size in bytes of a request body, and of a response body after decompression.
    pub body_bytes: u64,
    /// Timeout for the response head, and between two chunks of a body.
    pub idle_timeout: Duration,
    /// Total timeout; also ends event streams.
    pub total_timeout: Duration,
    /// Maximum number of concurrent requests.
    pub max_concurrent: usize,
    /// Maximum number of concurrent requests per client address (IPv6: per /64 network).
    pub max_concurrent_per_client: usize,
    /// Number of requests that a client address can send in a burst.
    pub burst: u32,
    /// Interval between requests after a burst.
    pub interval: Duration,
}

impl Default for RelayLimits {
    fn default() -> Self {
        Self {
            body_bytes: 20 << 20,
            idle_timeout: Duration::from_secs(30),
            total_timeout: Duration::from_secs(300),
            max_concurrent: 64,
            max_concurrent_per_client: 6,
            burst: 30,
            interval: Duration::from_secs(2),
        }
    }
}
