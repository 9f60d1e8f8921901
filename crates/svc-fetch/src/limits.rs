//! Every limit of a client in one value, so that a test can make them small.

use std::time::Duration;

/// What one request may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchLimits {
    /// For the name, the connection and its encryption.
    pub connect_timeout: Duration,
    /// From the sent request to the head of the answer; of each redirect anew.
    pub first_byte_timeout: Duration,
    /// Between two pieces of a body.
    pub idle_timeout: Duration,
    /// For all of it, redirects and body included.
    pub total_timeout: Duration,
    /// Largest body, decompressed.
    pub max_body_bytes: u64,
    /// Largest head of an answer.
    pub max_head_bytes: usize,
    /// Redirects that are followed.
    pub max_redirects: u8,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(5),
            first_byte_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(10),
            total_timeout: Duration::from_secs(60),
            max_body_bytes: 20 << 20,
            max_head_bytes: 64 << 10,
            max_redirects: 3,
        }
    }
}
