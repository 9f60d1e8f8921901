//! Messages to the service manager; see sd_notify(3).

/// State of the program.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ServiceState {
    /// Requests are accepted.
    Ready,
    /// The program is about to end.
    Stopping,
}

/// Sends the state to the service manager. Does nothing if none has started this process.
#[cfg(unix)]
pub(crate) fn notify(state: ServiceState) {
    use std::os::unix::net::UnixDatagram;

    let Some(path) = std::env::var_os("NOTIFY_SOCKET") else {
        return;
    };
    let message: &[u8] = match state {
        ServiceState::Ready => b"READY=1",
        ServiceState::Stopping => b"STOPPING=1",
    };
    let sent = UnixDatagram::unbound().and_then(|socket| {
        #[cfg(target_os = "linux")]
        if let Some(name) = path.as_encoded_bytes().strip_prefix(b"@") {
            use std::os::linux::net::SocketAddrExt as _;
            let addr = std::os::unix::net::SocketAddr::from_abstract_name(name)?;
            return socket.send_to_addr(message, &addr);
        }
        socket.send_to(message, &path)
    });
    if let Err(error) = sent {
        tracing::warn!("cannot notify the service manager: {error}");
    }
}

#[cfg(not(unix))]
pub(crate) fn notify(_: ServiceState) {}
