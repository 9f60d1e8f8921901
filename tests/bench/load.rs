//! A simple load generator: many open connections with one pending request each.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Results of a load test.
#[derive(Debug, Clone, Default)]
pub(crate) struct LoadReport {
    /// Responses per second.
    pub(crate) rate: f64,
    /// Size of the last response in bytes, head and body.
    pub(crate) bytes: usize,
    /// Times from a request to its complete response, the shortest first.
    times: Vec<Duration>,
}

impl LoadReport {
    /// Returns the response time that this fraction of the responses did not exceed.
    pub(crate) fn quantile(&self, part: f64) -> Duration {
        let last = self.times.len().saturating_sub(1) as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index of the list"
        )]
        let index = (last * part).ceil() as usize;
        self.times.get(index).copied().unwrap_or_default()
    }

    /// Returns the latency as `p50 1.20 ms, p99 2.40 ms`.
    pub(crate) fn latency(&self) -> String {
        let ms = |part| self.quantile(part).as_secs_f64() * 1e3;
        format!("p50 {:.2} ms, p99 {:.2} ms", ms(0.5), ms(0.99))
    }
}

/// Returns the text of a request.
pub(crate) fn request(host: &str, path: &str, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut text = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    text.into_bytes()
}

/// Sends requests over several connections until the time is over or all are sent. One thread reads
/// the response of one connection after the other and writes the next request there, so that the
/// server always has pending requests. All bodies must have the same length.
pub(crate) fn load<'a>(
    addr: SocketAddr,
    requests: &mut impl Iterator<Item = &'a [u8]>,
    connections: usize,
    time: Duration,
) -> io::Result<LoadReport> {
    let mut open = Vec::new();
    for _ in 0..connections {
        let stream = TcpStream::connect(addr)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        open.push((stream, None));
    }
    let mut buffer = vec![0; 256 * 1024];
    // The first response determines the length of all bodies.
    let mut body = None;
    let mut bytes = 0;
    let mut times = Vec::new();
    let start = Instant::now();
    for (stream, sent) in &mut open {
        write_next(stream, sent, requests)?;
    }
    loop {
        let mut waited = false;
        for (stream, sent) in &mut open {
            let Some(begun) = sent.take() else { continue };
            waited = true;
            bytes = read_response(stream, &mut buffer, &mut body)?;
            if !buffer.starts_with(b"HTTP/1.1 200") {
                let text = String::from_utf8_lossy(buffer.get(..200).unwrap_or_default());
                return Err(io::Error::other(format!("unexpected response: {text}")));
            }
            times.push(Instant::duration_since(&Instant::now(), begun));
            if start.elapsed() < time {
                write_next(stream, sent, requests)?;
            }
        }
        if !waited {
            break;
        }
    }
    let rate = times.len() as f64 / start.elapsed().as_secs_f64().max(1e-9);
    times.sort_unstable();
    Ok(LoadReport { rate, bytes, times })
}

fn write_next<'a>(
    stream: &mut TcpStream,
    sent_at: &mut Option<Instant>,
    requests: &mut impl Iterator<Item = &'a [u8]>,
) -> io::Result<()> {
    if let Some(request) = requests.next() {
        *sent_at = Some(Instant::now());
        stream.write_all(request)?;
    }
    Ok(())
}

/// Reads one response and returns its length, head and body.
fn read_response(
    stream: &mut TcpStream,
    buffer: &mut [u8],
    body: &mut Option<usize>,
) -> io::Result<usize> {
    let mut filled = 0;
    loop {
        let read = stream.read(buffer.get_mut(filled..).unwrap_or_default())?;
        if read == 0 {
            return Err(io::Error::other("a response is not complete"));
        }
        filled += read;
        let Some(head) = memchr::memmem::find(&buffer[..filled], b"\r\n\r\n") else {
            continue;
        };
        let body = match *body {
            Some(body) => body,
            None => *body.insert(body_length(&buffer[..head])?),
        };
        let length = head + 4 + body;
        let rest = buffer.get_mut(filled..length);
        let rest = rest.ok_or_else(|| io::Error::other("a response does not fit the buffer"))?;
        stream.read_exact(rest)?;
        return Ok(length);
    }
}

fn body_length(head: &[u8]) -> io::Result<usize> {
    let head = String::from_utf8_lossy(head);
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse().ok())?
    });
    length.ok_or_else(|| io::Error::other("the response has no content length"))
}
