//! Sockets that the service manager has bound, which stay open while the server restarts.
//!
//! The protocol is that of sd_listen_fds(3): `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`.

use std::io;
use std::net::{SocketAddr, TcpListener};

use tracing::warn;

/// Sockets by their use.
#[derive(Debug, Default)]
pub struct InheritedSockets {
    pub(crate) sites: Option<TcpListener>,
    pub(crate) admin: Option<TcpListener>,
    pub(crate) metrics: Option<TcpListener>,
}

impl InheritedSockets {
    /// The sockets that this process was started with. A socket with the name `admin` or `metrics`
    /// (`FileDescriptorName=` of systemd) is for that listener, any other one for the sites.
    ///
    /// # Errors
    /// If a descriptor is no listening TCP socket.
    pub fn from_environment() -> io::Result<Self> {
        let mut descriptors = listenfd::ListenFd::from_env();
        let names = std::env::var("LISTEN_FDNAMES").unwrap_or_default();
        let names: Vec<&str> = names.split(':').collect();
        let mut sockets = Self::default();
        for index in 0..descriptors.len() {
            let Some(listener) = descriptors.take_tcp_listener(index)? else {
                continue;
            };
            let name = names.get(index).copied().unwrap_or_default();
            let slot = match name {
                "admin" => &mut sockets.admin,
                "metrics" => &mut sockets.metrics,
                _ => &mut sockets.sites,
            };
            if slot.is_some() {
                let text = format!(
                    "the service manager passed two sockets for the same listener; \
                     name one of them `admin` or `metrics`: `{name}` is the second one"
                );
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            }
            *slot = Some(listener);
        }
        Ok(sockets)
    }

    /// Warns about a socket for a listener that the settings do not have.
    pub(crate) fn warn_unused(&self) {
        for (name, socket) in [("admin", &self.admin), ("metrics", &self.metrics)] {
            if socket.is_some() {
                warn!(
                    "the socket `{name}` of the service manager is not used; add `listen` to `[{name}]`"
                );
            }
        }
    }
}

/// Takes over a socket for the listener at an address.
pub(crate) fn inherit(
    socket: TcpListener,
    addr: SocketAddr,
) -> io::Result<tokio::net::TcpListener> {
    let actual = socket.local_addr()?;
    if actual != addr && addr.port() != 0 {
        warn!("listening at {actual}, the socket of the service manager, instead of {addr}");
    }
    socket.set_nonblocking(true)?;
    tokio::net::TcpListener::from_std(socket)
}
