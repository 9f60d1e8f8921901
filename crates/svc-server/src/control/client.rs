//! Client of the control socket.

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::socket_path;

/// Timeout for a response; reloading a large site takes longest.
const REPLY_TIMEOUT: Duration = Duration::from_secs(120);
/// Maximum size of a response in bytes.
const MAX_REPLY_BYTES: u64 = 64 << 20;

/// Error of a control request.
#[derive(Debug)]
pub enum ControlError {
    /// No server responds.
    Unreachable(String),
    /// The server rejected the request, with a reason.
    Rejected(String),
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(text) | Self::Rejected(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ControlError {}

/// Sends a request to the server that uses a data directory.
///
/// # Errors
/// If no server responds or the request is rejected.
pub fn request_server(
    data: &Path,
    method: &str,
    path: &str,
    body: &Value,
) -> Result<Value, ControlError> {
    // User input; IDs of projects and deployments contain no such character.
    if path.bytes().any(|byte| byte <= b' ' || byte >= 0x7f) {
        let name = path
            .rsplit('/')
            .find(|part| part.bytes().any(|byte| byte <= b' ' || byte >= 0x7f));
        let reason = format!("`{}` does not exist", name.unwrap_or(path));
        return Err(ControlError::Rejected(reason));
    }
    let response = exchange(data, method, path, body).map_err(|error| {
        ControlError::Unreachable(format!(
            "no server responds at `{}`: {error}; check that a server with this data folder is running as your user",
            socket_path(data).display()
        ))
    })?;
    let (status, value) = response;
    if (200..300).contains(&status) {
        return Ok(value);
    }
    let reason = value.get("error").and_then(Value::as_str);
    let reason = reason.unwrap_or("the server rejected the request without a reason");
    Err(ControlError::Rejected(reason.to_owned()))
}

fn exchange(data: &Path, method: &str, path: &str, body: &Value) -> io::Result<(u16, Value)> {
    let mut stream = UnixStream::connect(socket_path(data))?;
    stream.set_read_timeout(Some(REPLY_TIMEOUT))?;
    stream.set_write_timeout(Some(REPLY_TIMEOUT))?;
    let body = if method == "GET" {
        String::new()
    } else {
        body.to_string()
    };
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: svc\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut text = Vec::new();
    stream.take(MAX_REPLY_BYTES).read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let garbled = || io::Error::other("malformed response");
    let (head, body) = text.split_once("\r\n\r\n").ok_or_else(garbled)?;
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    Ok((status.ok_or_else(garbled)?, serde_json::from_str(body)?))
}
