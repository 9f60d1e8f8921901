//! Networks that a key may be used from.

use std::fmt;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

/// An address and the addresses that begin like it: `192.0.2.0/24`, `2001:db8::/32`, `192.0.2.1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network {
    addr: IpAddr,
    /// Bits that are compared; never none.
    prefix: u8,
}

/// A text that is no network, or is every address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a network is an address or `address/bits`, and not all addresses")]
pub struct ParseNetworkError;

impl Network {
    /// Reads one. The network of all addresses is none: leave the list empty to mean that.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, bits) = match text.split_once('/') {
            None => (text, None),
            Some((address, bits)) => (address, Some(bits)),
        };
        let written: IpAddr = address.parse().ok()?;
        let longest = max_prefix(written);
        let bits = match bits {
            None => longest,
            Some(bits) => {
                // Numbers have one spelling; `+8` and `08` have no business here.
                let number: u8 = bits.parse().ok()?;
                (number.to_string() == bits).then_some(number)?
            }
        };
        let address = written.to_canonical();
        let bits = if address.is_ipv4() && written.is_ipv6() {
            // The part of IPv6 that stands for IPv4 begins after 96 bits.
            bits.checked_sub(96)?
        } else {
            bits
        };
        let network = Self {
            addr: address,
            prefix: bits,
        };
        (1..=max_prefix(address)).contains(&bits).then_some(Self {
            addr: network.base_addr(),
            prefix: bits,
        })
    }

    /// Whether an address is part of it. IPv4 within IPv6 is IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv4() == self.addr.is_ipv4()
            && (Self {
                addr: address,
                prefix: self.prefix,
            })
            .base_addr()
                == self.addr
    }

    fn base_addr(&self) -> IpAddr {
        match self.addr {
            IpAddr::V4(address) => {
                let gone = 32_u32.saturating_sub(self.prefix.into());
                let kept = u32::MAX.checked_shl(gone).unwrap_or(0);
                IpAddr::V4((address.to_bits() & kept).into())
            }
            IpAddr::V6(address) => {
                let gone = 128_u32.saturating_sub(self.prefix.into());
                let kept = u128::MAX.checked_shl(gone).unwrap_or(0);
                IpAddr::V6((address.to_bits() & kept).into())
            }
        }
    }
}

const fn max_prefix(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.prefix == max_prefix(self.addr) {
            write!(f, "{}", self.addr)
        } else {
            write!(f, "{}/{}", self.addr, self.prefix)
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
    fn networks_are_read_and_written() {
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
        for wrong in [
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
            assert_eq!(Network::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn addresses_belong_to_networks_by_their_first_bits() {
        let holds = |network: &str, address: &str| {
            let network = Network::parse(network).unwrap();
            network.contains(address.parse().unwrap())
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
