//! Hosts that the operator allows although they are not public.

use std::net::IpAddr;

use url::Url;

use crate::{FetchError, Network, special_purpose};

/// Hosts that may be reached although they are not public. None by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    allowed: Vec<AllowRule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct AllowRule {
    host: HostMatcher,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum HostMatcher {
    Host(String),
    Network(Network),
}

/// The text is neither a host nor a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is neither a host nor a network; write `api.internal`, `api.internal:8443`, `10.1.0.0/16` or `[::1]:8080`"
)]
pub struct ParsePolicyError(String);

impl Policy {
    /// Allows a host name, an IP address or a network, each with or without a port.
    ///
    /// # Errors
    /// When the text is none of these.
    pub fn allow(&mut self, text: &str) -> Result<(), ParsePolicyError> {
        let allowed =
            AllowRule::parse(text.trim()).ok_or_else(|| ParsePolicyError(text.to_owned()))?;
        self.allowed.push(allowed);
        Ok(())
    }

    /// Creates a policy from several rules.
    ///
    /// # Errors
    /// For the first rule that is neither a host nor a network.
    pub fn from_rules<T: AsRef<str>>(
        texts: impl IntoIterator<Item = T>,
    ) -> Result<Self, ParsePolicyError> {
        let mut policy = Self::default();
        for text in texts {
            policy.allow(text.as_ref())?;
        }
        Ok(policy)
    }

    /// Creates a policy that allows the host and the port of a URL of a trusted person, who can name
    /// a private network; the default policy if the URL has no host.
    pub fn for_url(url: &Url) -> Self {
        let rule = url.host_str().zip(url.port_or_known_default());
        Self::from_rules(rule.map(|(host, port)| format!("{host}:{port}"))).unwrap_or_default()
    }

    /// Checks whether `host` with the IP address `addr` may be reached.
    ///
    /// # Errors
    /// [`FetchError::NotPublic`] when it may not.
    pub fn check(&self, host: &str, addr: IpAddr, port: u16) -> Result<(), FetchError> {
        let Some(reason) = special_purpose(addr) else {
            return Ok(());
        };
        let fits = |allowed: &AllowRule| {
            allowed.port.is_none_or(|only| only == port)
                && match &allowed.host {
                    HostMatcher::Host(name) => name == trim_trailing_dot(host),
                    HostMatcher::Network(network) => network.contains(addr),
                }
        };
        if self.allowed.iter().any(fits) {
            return Ok(());
        }
        Err(FetchError::NotPublic {
            host: host.to_owned(),
            addr,
            reason,
        })
    }
}

impl AllowRule {
    fn parse(text: &str) -> Option<Self> {
        if let Some(network) = Network::parse(text) {
            return Some(Self {
                host: HostMatcher::Network(network),
                port: None,
            });
        }
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => {
                (name, Some(port.parse().ok()?))
            }
            Some(_) => return None,
            None => (text, None),
        };
        let what = match Network::parse(name) {
            Some(network) => HostMatcher::Network(network),
            // A text that the URL parser reads as an IP address is not a host name.
            None => match url::Host::parse(name).ok()? {
                url::Host::Domain(name) if !name.contains('*') => {
                    HostMatcher::Host(trim_trailing_dot(&name).to_owned())
                }
                _ => return None,
            },
        };
        Some(Self { host: what, port })
    }
}

/// Removes the trailing dot: `a.example.` is the same host as `a.example`.
pub(crate) fn trim_trailing_dot(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(policy: &str, host: &str, addr: &str, port: u16) -> bool {
        let policy = Policy::from_rules(policy.split_whitespace()).expect("a policy");
        let addr = addr.parse().expect("an address");
        policy.check(host, addr, port).is_ok()
    }

    #[test]
    fn only_hosts_that_are_not_public_need_permission() {
        assert!(allows("", "example.com", "93.184.215.14", 443));
        assert!(!allows("", "example.com", "10.0.0.1", 443));
        assert!(!allows("", "localhost", "127.0.0.1", 80));
    }

    #[test]
    fn a_host_a_network_or_a_port_is_allowed_exactly() {
        assert!(allows("api.internal", "api.internal", "10.0.0.1", 443));
        assert!(allows("API.internal", "api.internal.", "10.0.0.1", 443));
        assert!(!allows("api.internal", "x.api.internal", "10.0.0.1", 443));
        assert!(!allows(
            "api.internal:8443",
            "api.internal",
            "10.0.0.1",
            443
        ));
        assert!(allows(
            "api.internal:8443",
            "api.internal",
            "10.0.0.1",
            8443
        ));
        assert!(allows("10.1.0.0/16", "anything", "10.1.9.9", 80));
        assert!(!allows("10.1.0.0/16", "anything", "10.2.0.1", 80));
        assert!(allows("127.0.0.1:9000", "localhost", "127.0.0.1", 9000));
        assert!(!allows("127.0.0.1:9000", "localhost", "127.0.0.1", 9001));
        assert!(allows("[::1]:9000", "localhost", "::1", 9000));
        assert!(allows("::1", "localhost", "::1", 1));
        assert!(!allows("127.0.0.1", "x", "::ffff:127.0.0.1", 80));
    }

    #[test]
    fn invalid_rules_are_an_error() {
        for bad in [
            "",
            " ",
            "*",
            "*.internal",
            "http://a",
            "a/b",
            "a:b",
            "a:99999",
            "10.0.0.0/33",
            "a b",
            "0x7f000001",
            "a@b",
        ] {
            assert!(Policy::from_rules([bad]).is_err(), "{bad}");
        }
    }
}
