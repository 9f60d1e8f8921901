//! Limits of the MCP server.

use std::time::Duration;

/// Default number of calls of a client address in a minute.
pub(crate) const DEFAULT_CALLS_PER_MINUTE: u32 = 600;

/// Limits of the MCP server of a site. The size of requests and responses is limited by [`svc_mcp`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpLimits {
    /// Maximum number of calls of a client address (IPv6: of a /64 network) in a minute, also in a
    /// burst; further calls get 429.
    pub calls_per_minute: u32,
    /// Maximum number of concurrent calls.
    pub max_concurrent: usize,
    /// Maximum number of concurrent calls per client address (IPv6: per /64 network).
    pub max_concurrent_per_client: usize,
    /// Timeout for receiving a request body.
    pub body_timeout: Duration,
}

impl Default for McpLimits {
    fn default() -> Self {
        Self {
            calls_per_minute: DEFAULT_CALLS_PER_MINUTE,
            max_concurrent: 256,
            max_concurrent_per_client: 64,
            body_timeout: Duration::from_secs(10),
        }
    }
}
