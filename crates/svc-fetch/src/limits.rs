//! Limits of a client, in one value so that tests can lower them.

use std::time::Duration;

/// Limits of a single request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchLimits {
    /// Time for name resolution, connecting and the TLS handshake.
    pub connect_timeout: Duration,
    /// Time from sending the request to receiving the head of the response; for each redirect.
    pub first_byte_timeout: Duration,
    /// Time between two chunks of a body.
    pub idle_timeout: Duration,
    /// Time for the whole request, including redirects and the body.
    pub total_timeout: Duration,
    /// Maximum size of the decompressed body in bytes.
    pub max_body_bytes: u64,
    /// Maximum size of the response head in bytes.
    pub max_head_bytes: usize,
    /// Maximum number of redirects.
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
