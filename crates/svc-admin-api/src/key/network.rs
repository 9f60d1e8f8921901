//! Networks that a key may be used from.

use std::fmt;
use std::net::IpAddr;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// An IP network: `192.0.2.0/24`, `2001:db8::/32` or a single address, `192.0.2.1`. It never
/// contains all addresses, and its bits after the prefix are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network(IpNet);

/// The text is not a network, or is the network of all addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a network must be an IP address or `address/bits`, but not all addresses")]
pub struct ParseNetworkError;

impl Network {
    /// Parses a network. Returns `None` for other texts and for the network of all addresses, which
    /// is expressed by an empty list.
    pub fn parse(text: &str) -> Option<Self> {
        let (ip, bits) = match text.split_once('/') {
            None => (text, None),
            Some((ip, bits)) => (ip, Some(bits)),
        };
        let written: IpAddr = ip.parse().ok()?;
        let bits = match bits {
            None => IpNet::from(written).prefix_len(),
            Some(bits) => {
                // Every number has a single spelling, so `+8` and `08` are invalid.
                let number: u8 = bits.parse().ok()?;
                (number.to_string() == bits).then_some(number)?
            }
        };
        let ip = written.to_canonical();
        let bits = if ip.is_ipv4() && written.is_ipv6() {
            // IPv4-mapped addresses begin after 96 bits.
            bits.checked_sub(96)?
        } else {
            bits
        };
        let network = IpNet::new(ip, bits).ok()?;
        (bits > 0).then_some(Self(network.trunc()))
    }

    /// Whether the network contains an address. IPv4-mapped IPv6 addresses are treated as IPv4.
    pub fn contains(&self, ip: IpAddr) -> bool {
        self.0.contains(&ip.to_canonical())
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.prefix_len() == self.0.max_prefix_len() {
            write!(f, "{}", self.0.addr())
        } else {
            write!(f, "{}", self.0)
        }
    }
}

impl TryFrom<String> for Network {
    type Error = ParseNetworkError;

    fn try_from(text: String) -> Result<Self, ParseNetworkError> {
        Self::parse(&text).ok_or(ParseNetworkError)
    }
}

impl From<Network> for String {
    fn from(network: Network) -> Self {
        network.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_round_trip() {
        for (text, shown) in [
            ("192.0.2.7", "192.0.2.7"),
            ("192.0.2.7/32", "192.0.2.7"),
            ("192.0.2.7/24", "192.0.2.0/24"),
            ("10.0.0.0/8", "10.0.0.0/8"),
            ("128.0.0.0/1", "128.0.0.0/1"),
            ("2001:db8::1", "2001:db8::1"),
            ("2001:db8:ffff::/33", "2001:db8:8000::/33"),
            ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
        ] {
            assert_eq!(Network::parse(text).unwrap().to_string(), shown, "{text}");
        }
        for invalid in [
            "",
            "/",
            "/8",
            "10.0.0.0/",
            "10.0.0.0/33",
            "10.0.0.0/-1",
            "10.0.0.0/08",
            "10.0.0.0/+8",
            "0.0.0.0/0",
            "::/0",
            "1.2.3.4/0",
            "::ffff:0:0/96",
            "::ffff:1.2.3.4/64",
            "::/129",
            "10.0.0/8",
            "host",
            "10.0.0.0/8/8",
            " 10.0.0.1",
            "fe80::1%eth0",
            "010.0.0.1",
        ] {
            assert_eq!(Network::parse(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn networks_contain_ips_with_their_prefix() {
        let holds = |network: &str, ip: &str| {
            let network = Network::parse(network).unwrap();
            network.contains(ip.parse().unwrap())
        };
        assert!(holds("192.0.2.0/24", "192.0.2.255"));
        assert!(!holds("192.0.2.0/24", "192.0.3.0"));
        assert!(holds("192.0.2.0/24", "::ffff:192.0.2.9"));
        assert!(holds("192.0.2.1", "192.0.2.1"));
        assert!(!holds("192.0.2.1", "192.0.2.2"));
        assert!(holds("2001:db8::/32", "2001:db8:ffff::"));
        assert!(!holds("2001:db8::/32", "2001:db9::"));
        assert!(!holds("2001:db8::/32", "32.1.13.184"));
        assert!(holds("8000::/1", "ffff::") && !holds("8000::/1", "7fff::"));
    }
}
