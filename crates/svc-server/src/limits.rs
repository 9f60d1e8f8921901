//! Limits of the server, in one struct so that tests can lower them.

use std::time::Duration;

use svc_admin_api::key::Network;

use crate::{McpLimits, RelayLimits};

/// Limits of a listener. The defaults are suitable for the public internet.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Timeout for a request head: from the connection, or from the first byte of a later head, to
    /// its end.
    pub head_timeout: Duration,
    /// Maximum size of a request head in bytes; a larger one gets 431.
    pub head_bytes: usize,
    /// Maximum length of a request target in bytes; a longer one gets 414.
    pub uri_bytes: usize,
    /// Maximum size of a request body in bytes; a larger one gets 413.
    pub body_bytes: u64,
    /// Timeout for receiving a request body.
    pub body_timeout: Duration,
    /// Maximum number of open connections.
    pub connections: usize,
    /// Maximum number of open connections per client address (IPv6: per /64 network). A trusted
    /// proxy can use all connections.
    pub connections_per_addr: usize,
    /// Maximum number of requests in flight.
    pub requests: usize,
    /// Maximum number of requests in flight per client. Eight times as many can wait for a permit;
    /// further requests get 429.
    pub requests_per_client: usize,
    /// How long writing can stall before the connection is closed. Every byte that the client reads
    /// extends the deadline, so this also enforces `write_rate`.
    pub write_timeout: Duration,
    /// Minimum rate in bytes per second at which a client must read in the long run.
    pub write_rate: u32,
    /// Maximum number of open streams per HTTP/2 connection. `write_timeout` and `write_rate` apply
    /// to each stream.
    pub streams: u32,
    /// How long an idle connection stays open; `head_timeout` applies if few connections are free.
    /// Clients and proxies reuse idle connections for up to a minute, and a request on a connection
    /// that is being closed fails.
    pub idle_timeout: Duration,
    /// How long a connection accepts new requests.
    pub connection_age: Duration,
    /// How long a stopping server waits for requests in flight.
    pub drain: Duration,
    /// Proxies whose `X-Forwarded-For` and `Forwarded` headers are trusted.
    pub trusted_proxies: Vec<Network>,
    /// Limits of the relay.
    pub relay: RelayLimits,
    /// Limits of the MCP server of each site.
    pub mcp: McpLimits,
}

/// Number of file descriptors that are never used for connections: a file for each request in flight,
/// and what Git, the store and child processes open.
const MAX_OTHER_DESCRIPTORS: u64 = 5_000;

/// Loopback networks.
pub(crate) fn loopback() -> Vec<Network> {
    ["127.0.0.0/8", "::1"]
        .into_iter()
        .filter_map(Network::parse)
        .collect()
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head_timeout: Duration::from_secs(5),
            head_bytes: 32 * 1024,
            uri_bytes: 8 * 1024,
            body_bytes: 64 * 1024,
            body_timeout: Duration::from_secs(10),
            connections: 16_384,
            connections_per_addr: 512,
            requests: 4096,
            requests_per_client: 128,
            write_timeout: Duration::from_secs(12),
            write_rate: 1024,
            streams: 100,
            idle_timeout: Duration::from_secs(75),
            connection_age: Duration::from_secs(3600),
            drain: Duration::from_secs(10),
            trusted_proxies: loopback(),
            relay: RelayLimits::default(),
            mcp: McpLimits::default(),
        }
    }
}

impl Limits {
    /// The default limits, with the number of connections reduced to what the file descriptor limit
    /// of this process allows. The soft limit is raised first, as far as possible.
    pub fn of_this_process() -> Self {
        Self::default().within(descriptors::raise())
    }

    /// The limits for a number of file descriptors: connections use half of them, or all but
    /// [`MAX_OTHER_DESCRIPTORS`] if that is more.
    #[must_use]
    pub fn within(mut self, descriptors: u64) -> Self {
        let others = MAX_OTHER_DESCRIPTORS.min(descriptors / 2);
        let rest = usize::try_from(descriptors - others).unwrap_or(usize::MAX);
        self.connections = self.connections.min(rest.max(1));
        let quarter = self.connections.div_ceil(4);
        self.connections_per_addr = self.connections_per_addr.min(quarter);
        self
    }

    /// The limits of a separate listener for the administration.
    #[must_use]
    pub fn for_admin_listener(mut self) -> Self {
        self.connections = self.connections.div_ceil(4);
        self.connections_per_addr = self.connections_per_addr.div_ceil(4);
        self
    }
}

/// File descriptor limit of this process.
mod descriptors {
    /// A higher limit is not useful, and some child processes close every possible descriptor.
    const MAX_DESCRIPTORS: u64 = 65_536;

    /// The limit after raising it.
    #[cfg(unix)]
    pub(super) fn raise() -> u64 {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let Some(now) = current else {
            return u64::MAX;
        };
        let limit = maximum.unwrap_or(u64::MAX).min(MAX_DESCRIPTORS);
        let raised = Rlimit {
            current: Some(limit),
            maximum,
        };
        match now < limit && setrlimit(Resource::Nofile, raised).is_ok() {
            true => limit,
            false => now,
        }
    }

    #[cfg(not(unix))]
    pub(super) fn raise() -> u64 {
        MAX_DESCRIPTORS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connection_limit_respects_the_descriptor_limit() {
        let of = |descriptors: u64| {
            let limits = Limits::default().within(descriptors);
            (limits.connections, limits.connections_per_addr)
        };
        assert_eq!(of(u64::MAX), (16_384, 512));
        assert_eq!(of(20_000), (15_000, 512));
        assert_eq!(of(1024), (512, 128));
        assert_eq!(of(64), (32, 8));
        assert_eq!(of(0), (1, 1));
        let admin = Limits::default().within(1024).for_admin_listener();
        assert_eq!((admin.connections, admin.connections_per_addr), (128, 32));
    }

    #[test]
    fn only_loopback_is_a_trusted_proxy_by_default() {
        let trusts = |text: &str| {
            let addr = text.parse().unwrap();
            loopback().iter().any(|network| network.contains(addr))
        };
        assert!(trusts("127.0.0.1") && trusts("::1") && trusts("::ffff:127.0.0.9"));
        assert!(!trusts("10.0.0.1") && !trusts("172.17.0.1") && !trusts("fd00::1"));
    }
}
