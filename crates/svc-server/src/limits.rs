//! Every limit of the server in one value, so that a test can make them small.

use std::time::Duration;

use svc_admin_api::key::Network;

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
    /// Connections open at once from one address (IPv6: from one /64 network). A trusted proxy may
    /// have all of them.
    pub connections_per_addr: usize,
    /// Requests at once, from their heads to the last byte of their responses.
    pub requests: usize,
    /// Requests at once of one client. Eight times as many wait a while for their turn, what is
    /// beyond gets 429.
    pub requests_per_client: usize,
    /// How long writing may stand still before the connection is cut. Every byte that the
    /// client takes gives time back, so this also enforces `write_rate`.
    pub write_timeout: Duration,
    /// Bytes per second a client has to take in the long run.
    pub write_rate: u32,
    /// Streams open at once on an HTTP/2 connection. Each one has the patience and the rate of
    /// writing for itself.
    pub streams: u32,
    /// How long an HTTP/2 connection stays open without a request; `head_timeout` when nearly all
    /// connections are taken.
    pub idle_timeout: Duration,
    /// How long a connection takes new requests.
    pub connection_age: Duration,
    /// How long a stopping server waits for the requests it is answering.
    pub drain: Duration,
    /// Proxies whose word on the address of a client counts.
    pub trusted_proxies: Vec<Network>,
    /// What readers may use of the relay.
    pub relay: RelayLimits,
}

/// The proxies on this machine.
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
            connections: 4096,
            connections_per_addr: 512,
            requests: 4096,
            requests_per_client: 128,
            write_timeout: Duration::from_secs(12),
            write_rate: 1024,
            streams: 100,
            idle_timeout: Duration::from_secs(60),
            connection_age: Duration::from_secs(3600),
            drain: Duration::from_secs(10),
            trusted_proxies: loopback(),
            relay: RelayLimits::default(),
        }
    }
}

impl Limits {
    /// The usual limits, with no more connections than this process may have open descriptors. Its
    /// soft limit of them is raised first, as far as the system allows.
    pub fn of_this_process() -> Self {
        Self::default().within(descriptors::raise())
    }

    /// The limits where so many descriptors are for everything: half of them are for connections.
    #[must_use]
    pub fn within(mut self, descriptors: u64) -> Self {
        let half = usize::try_from(descriptors / 2).unwrap_or(usize::MAX);
        self.connections = self.connections.min(half.max(1));
        let quarter = self.connections.div_ceil(4);
        self.connections_per_addr = self.connections_per_addr.min(quarter);
        self
    }

    /// The limits of a listener for administration beside another one.
    #[must_use]
    pub fn for_admin_listener(mut self) -> Self {
        self.connections = self.connections.div_ceil(4);
        self.connections_per_addr = self.connections_per_addr.div_ceil(4);
        self
    }
}

/// How many descriptors this process may have.
mod descriptors {
    /// More do not help, and some programs that are started close each that there could be.
    const MAX_DESCRIPTORS: u64 = 65_536;

    /// The limit after raising it.
    #[cfg(unix)]
    pub(super) fn raise() -> u64 {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let Some(now) = current else {
            return u64::MAX;
        };
        let wanted = maximum.unwrap_or(u64::MAX).min(MAX_DESCRIPTORS);
        let raised = Rlimit {
            current: Some(wanted),
            maximum,
        };
        match now < wanted && setrlimit(Resource::Nofile, raised).is_ok() {
            true => wanted,
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
    fn connections_fit_into_the_descriptors() {
        let of = |descriptors: u64| {
            let limits = Limits::default().within(descriptors);
            (limits.connections, limits.connections_per_addr)
        };
        assert_eq!(of(u64::MAX), (4096, 512));
        assert_eq!(of(1024), (512, 128));
        assert_eq!(of(64), (32, 8));
        assert_eq!(of(0), (1, 1));
        let beside = Limits::default().within(1024).for_admin_listener();
        assert_eq!((beside.connections, beside.connections_per_addr), (128, 32));
    }

    #[test]
    fn only_this_machine_is_trusted_to_be_a_proxy() {
        let trusts = |text: &str| {
            let address = text.parse().unwrap();
            loopback().iter().any(|network| network.contains(address))
        };
        assert!(trusts("127.0.0.1") && trusts("::1") && trusts("::ffff:127.0.0.9"));
        assert!(!trusts("10.0.0.1") && !trusts("172.17.0.1") && !trusts("fd00::1"));
    }
}
