//! A reader without a browser.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// How long an answer may take.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(120);

/// The answer to a request for a path of a host, head and body.
///
/// # Panics
/// When nobody listens or the answer breaks off.
pub fn get(address: SocketAddr, host: &str, path: &str) -> String {
    let mut socket = TcpStream::connect(address).expect("somebody listens");
    let waits = socket.set_read_timeout(Some(RESPONSE_TIMEOUT));
    waits.expect("a time limit");
    let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    let sent = socket.write_all(request.as_bytes());
    sent.expect("a request");
    let mut bytes = Vec::new();
    socket.read_to_end(&mut bytes).expect("an answer");
    String::from_utf8_lossy(&bytes).into_owned()
}
