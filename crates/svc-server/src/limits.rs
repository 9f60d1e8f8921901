//! Every limit of the server in one value, so that a test can make them small.

use std::time::Duration;

use crate::RelayLimits;

/// What one client may use. The defaults are meant for the open internet.
#[derive(Debug, Clone)]
pub struct Limits {
    /// From the connection (or the previous answer) to the end of a request head.
    pub head_timeout: Duration,
    /// Largest request head; a larger one is answered with 431.
    pub head_bytes: usize,
    /// Longest request target; a longer one is answered with 414.
    pub uri_bytes: usize,
    /// Largest request body; a larger one is answered with 413.
    pub body_bytes: u64,
    /// Time for a whole request body.
    pub body_timeout: Duration,
    /// Connections open at once.
    pub connections: usize,
    /// Connections open at once from one address (IPv6: from one /64 network).
    pub connections_per_address: usize,
    /// How long writing may stand still before the connection is cut. Every byte that the
    /// client takes gives time back, so this also enforces `write_rate`.
    pub write_patience: Duration,
    /// Bytes per second a client has to take in the long run.
    pub write_rate: u32,
    /// Streams open at once on an HTTP/2 connection.
    pub streams: u32,
    /// How long a stopping server waits for the requests it is answering.
    pub drain: Duration,
    /// What readers may use of the relay.
    pub relay: RelayLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head_timeout: Duration::from_secs(5),
            head_bytes: 32 * 1024,
            uri_bytes: 8 * 1024,
            body_bytes: 64 * 1024,
            body_timeout: Duration::from_secs(10),
            connections: 4096,
            connections_per_address: 512,
            write_patience: Duration::from_secs(12),
            write_rate: 1024,
            streams: 100,
            drain: Duration::from_secs(10),
            relay: RelayLimits::default(),
        }
    }
}
