//! Every limit of a client in one value, so that a test can make them small.

use std::time::Duration;

/// What one request may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// For the name, the connection and its encryption.
    pub connect: Duration,
    /// From the sent request to the head of the answer; of each redirect anew.
    pub first_byte: Duration,
    /// Between two pieces of a body.
    pub pause: Duration,
    /// For all of it, redirects and body included.
    pub total: Duration,
    /// Largest body, decompressed.
    pub body_bytes: u64,
    /// Largest head of an answer.
    pub head_bytes: usize,
    /// Redirects that are followed.
    pub redirects: u8,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            first_byte: Duration::from_secs(10),
            pause: Duration::from_secs(10),
            total: Duration::from_secs(60),
            body_bytes: 20 << 20,
            head_bytes: 64 << 10,
            redirects: 3,
        }
    }
}
