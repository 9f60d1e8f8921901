//! A simple load: many open connections, one request waiting on each.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Requests for one address over some connections until the time is over: one thread writes one
/// request to every connection, then reads one answer from each. Gives requests per second.
pub(crate) fn requests_per_second(
    address: SocketAddr,
    path: &str,
    connections: usize,
    time: Duration,
) -> io::Result<f64> {
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept-encoding: gzip\r\n\r\n");
    let mut open = Vec::new();
    for _ in 0..connections {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        open.push(stream);
    }
    let mut buffer = vec![0; 256 * 1024];
    // The first answer says how long all of them are.
    let mut length = 0;
    let start = Instant::now();
    let mut answers = 0_u32;
    while start.elapsed() < time {
        for stream in &mut open {
            stream.write_all(request.as_bytes())?;
        }
        for stream in &mut open {
            if length == 0 {
                length = first_length(stream, &mut buffer)?;
            } else {
                stream.read_exact(buffer.get_mut(..length).unwrap_or_default())?;
            }
            if !buffer.starts_with(b"HTTP/1.1 200") {
                return Err(io::Error::other("an answer is not 200"));
            }
            answers += 1;
        }
    }
    Ok(f64::from(answers) / start.elapsed().as_secs_f64())
}

/// Reads one answer and gives its length, head and body.
fn first_length(stream: &mut TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
    let bad = || io::Error::other("the answer has no length");
    let mut filled = 0;
    loop {
        let read = stream.read(buffer.get_mut(filled..).unwrap_or_default())?;
        if read == 0 {
            return Err(bad());
        }
        filled += read;
        let text = String::from_utf8_lossy(&buffer[..filled]);
        let Some((head, _)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let body = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse::<usize>().ok())?
        });
        let length = head.len() + 4 + body.ok_or_else(bad)?;
        let rest = buffer.get_mut(filled..length).ok_or_else(bad)?;
        stream.read_exact(rest)?;
        return Ok(length);
    }
}
