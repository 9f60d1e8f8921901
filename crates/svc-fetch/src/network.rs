//! IP networks, and the special-purpose ranges that are not public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// An IP network in CIDR notation: `10.0.0.0/8`, `fd00::/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Parses `10.0.0.0/8`, `fd00::/8` or a single IP address. Returns `None` for any other text.
    /// Bits after the prefix must be zero: `10.1.2.3/8` is more likely a mistake than intended.
    pub fn parse(text: &str) -> Option<Self> {
        let (addr, prefix) = match text.split_once('/') {
            Some((addr, prefix)) => (addr, Some(prefix)),
            None => (text, None),
        };
        let addr: IpAddr = addr.trim_matches(['[', ']']).parse().ok()?;
        let network = match prefix {
            Some(text) if text.bytes().all(|b| b.is_ascii_digit()) => {
                IpNet::new(addr, text.parse().ok()?).ok()?
            }
            Some(_) => return None,
            None => addr.into(),
        };
        (network.addr() == network.network()).then_some(Self(network))
    }

    /// Whether the network contains the IP address.
    pub fn contains(&self, addr: IpAddr) -> bool {
        self.0.contains(&addr)
    }

    const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Self {
        let addr = Ipv4Addr::new(a, b, c, d);
        Self(IpNet::V4(Ipv4Net::new_assert(addr, prefix)))
    }

    const fn v6(a: u16, b: u16, c: u16, prefix: u8) -> Self {
        let addr = Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0);
        Self(IpNet::V6(Ipv6Net::new_assert(addr, prefix)))
    }
}

/// IPv4: the IANA special-purpose registry (RFC 6890 and later) and multicast.
static SPECIAL_V4: &[(Network, &str)] = &[
    (Network::v4(0, 0, 0, 0, 8), "this machine"),
    (Network::v4(127, 0, 0, 0, 8), "this machine"),
    (Network::v4(10, 0, 0, 0, 8), "a private network"),
    (Network::v4(172, 16, 0, 0, 12), "a private network"),
    (Network::v4(192, 168, 0, 0, 16), "a private network"),
    (
        Network::v4(100, 64, 0, 0, 10),
        "a carrier-grade NAT network",
    ),
    // Clouds serve instance metadata, with credentials, at such addresses.
    (Network::v4(169, 254, 0, 0, 16), "a link-local address"),
    (
        Network::v4(168, 63, 129, 16, 32),
        "a cloud metadata address",
    ),
    (Network::v4(192, 0, 0, 0, 24), "reserved for protocols"),
    (Network::v4(192, 88, 99, 0, 24), "reserved for 6to4"),
    (Network::v4(192, 31, 196, 0, 24), "reserved for protocols"),
    (Network::v4(192, 52, 193, 0, 24), "reserved for protocols"),
    (Network::v4(192, 175, 48, 0, 24), "reserved for protocols"),
    (Network::v4(192, 0, 2, 0, 24), "reserved for documentation"),
    (
        Network::v4(198, 51, 100, 0, 24),
        "reserved for documentation",
    ),
    (
        Network::v4(203, 0, 113, 0, 24),
        "reserved for documentation",
    ),
    (Network::v4(198, 18, 0, 0, 15), "reserved for benchmarking"),
    (Network::v4(224, 0, 0, 0, 4), "a multicast address"),
    (Network::v4(240, 0, 0, 0, 4), "reserved"),
];

/// The only part of IPv6 with global unicast addresses.
const GLOBAL_V6: Network = Network::v6(0x2000, 0, 0, 3);

/// Special-purpose ranges within [`GLOBAL_V6`].
static SPECIAL_V6: &[(Network, &str)] = &[
    // Teredo, ORCHID, benchmarking and others.
    (Network::v6(0x2001, 0, 0, 23), "reserved for protocols"),
    (
        Network::v6(0x2001, 0xdb8, 0, 32),
        "reserved for documentation",
    ),
    (Network::v6(0x3fff, 0, 0, 20), "reserved for documentation"),
    // 6to4 embeds an IPv4 address, which would be reached.
    (Network::v6(0x2002, 0, 0, 16), "a 6to4 address"),
    (
        Network::v6(0x2620, 0x4f, 0x8000, 48),
        "reserved for protocols",
    ),
];

/// Descriptions of ranges outside of [`GLOBAL_V6`], for messages.
static NON_GLOBAL_V6: &[(Network, &str)] = &[
    (Network::v6(0xfc00, 0, 0, 7), "a private network"),
    (Network::v6(0xfe80, 0, 0, 10), "a link-local address"),
    (Network::v6(0xfec0, 0, 0, 10), "a private network"),
    (Network::v6(0xff00, 0, 0, 8), "a multicast address"),
    (Network::v6(0x64, 0xff9b, 0, 32), "a NAT64 address"),
];

/// Why an IP address is not public unicast, for example `a private network`. Returns `None` for
/// public unicast addresses.
pub fn special_purpose(addr: IpAddr) -> Option<&'static str> {
    let within = |table: &'static [(Network, &'static str)]| {
        let entry = table.iter().find(|(network, _)| network.contains(addr));
        entry.map(|(_, reason)| *reason)
    };
    let IpAddr::V6(v6) = addr else {
        return within(SPECIAL_V4);
    };
    if GLOBAL_V6.contains(addr) {
        return within(SPECIAL_V6);
    }
    let named = match v6 {
        Ipv6Addr::LOCALHOST | Ipv6Addr::UNSPECIFIED => Some("this machine"),
        _ if v6.to_ipv4_mapped().is_some() => Some("an IPv4-mapped IPv6 address"),
        _ => within(NON_GLOBAL_V6),
    };
    Some(named.unwrap_or("reserved"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn public_ips_are_public() {
        for public in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2003::1",
            "2606:4700:4700::1111",
            "3ffe::1",
        ] {
            assert_eq!(special_purpose(ip(public)), None, "{public}");
        }
    }

    #[test]
    fn the_bounds_of_every_special_range_are_not_public() {
        for special in [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.0",
            "127.255.255.255",
            "168.63.129.16",
            "169.254.0.0",
            "169.254.169.254",
            "169.254.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.0",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.0",
            "192.168.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "1fff:ffff::1",
            "2001::1",
            "2001:0:7f00:1::",
            "2001:1ff::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2620:4f:8000::1",
            "3fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fdff:ffff::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(special_purpose(ip(special)).is_some(), "{special}");
        }
    }

    #[test]
    fn networks_are_parsed_strictly() {
        let inside = |network: &str, addr: &str| {
            Network::parse(network)
                .expect("a network")
                .contains(ip(addr))
        };
        assert!(inside("10.0.0.0/8", "10.255.0.1"));
        assert!(!inside("10.0.0.0/8", "11.0.0.1"));
        assert!(inside("127.0.0.1", "127.0.0.1"));
        assert!(!inside("127.0.0.1", "127.0.0.2"));
        assert!(inside("0.0.0.0/0", "9.9.9.9"));
        assert!(!inside("0.0.0.0/0", "::1"));
        assert!(inside("fd00::/8", "fd12::1"));
        assert!(inside("[::1]", "::1"));
        assert!(inside("::/0", "::1"));
        for bad in [
            "",
            "x",
            "10.0.0.1/8",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/-1",
            "10.0.0.0/+8",
            "::/129",
            "10.0.0.0/8/8",
            "127.1",
            "0x7f.0.0.1",
        ] {
            assert_eq!(Network::parse(bad), None, "{bad}");
        }
    }
}
