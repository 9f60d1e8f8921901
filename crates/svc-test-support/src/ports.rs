//! Ports for programs that cannot choose a free one themselves.

use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::sync::atomic::{AtomicU32, Ordering};

/// The first port, and how many there are. Systems give higher ones to connections and to listeners
/// on port 0, so that no other test gets these between a call and the start of a program.
const FIRST: u32 = 10_240;
const COUNT: u32 = 20_000;

/// A port of the loopback interface at which nothing listens, for TCP and UDP. The tests of a
/// process get different ones.
///
/// # Panics
/// If no port is free.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Processes that run at the same time begin at different ports.
    let offset = std::process::id().wrapping_mul(61) % COUNT;
    for _ in 0..COUNT {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let port = FIRST + offset.wrapping_add(number) % COUNT;
        let port = u16::try_from(port).expect("below 32,768");
        let addr = (Ipv4Addr::LOCALHOST, port);
        if TcpListener::bind(addr).is_ok() && UdpSocket::bind(addr).is_ok() {
            return port;
        }
    }
    panic!("no port is free")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_free_and_different() {
        let ports: Vec<u16> = (0..50).map(|_| free_port()).collect();
        let mut listeners = Vec::new();
        for port in ports {
            listeners.push(TcpListener::bind((Ipv4Addr::LOCALHOST, port)).unwrap());
        }
        assert_eq!(listeners.len(), 50);
    }
}
