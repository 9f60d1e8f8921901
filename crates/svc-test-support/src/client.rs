//! A minimal HTTP client.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Timeout for a response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(120);

/// Requests a path of a host and returns the response, head and body.
///
/// # Panics
/// When the connection fails.
pub fn get(addr: SocketAddr, host: &str, path: &str) -> String {
    let mut socket = TcpStream::connect(addr).expect("a listener");
    let waits = socket.set_read_timeout(Some(RESPONSE_TIMEOUT));
    waits.expect("a time limit");
    let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    let result = socket.write_all(request.as_bytes());
    result.expect("a request");
    let mut bytes = Vec::new();
    socket.read_to_end(&mut bytes).expect("a result");
    String::from_utf8_lossy(&bytes).into_owned()
}
