//! The MCP tool `search` over HTTP on 25,000 pages.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use svc_tests::loaded_site::threads;
use svc_tests::server;

use crate::{BenchRepository, Row, corpus};

const PAGES: usize = 25_000;
const CONNECTIONS: usize = 64;
const QUERIES: usize = 500;
const REQUESTS: usize = 20_000;

/// Measures the time from a request to its complete response. A request with a body is the last one
/// of its connection, so each has a connection of its own, and its time includes connecting.
pub(crate) fn mcp(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    corpus::write(dir.path(), PAGES)?;
    let running = server::start(dir.path())?;
    eprintln!("mcp: indexing {PAGES} pages …");
    running.site.render_all(threads(), &|| true);
    let requests = requests(&running.site, running.addr);
    // The first calls count the tokens of the pages that they find.
    let (cold, _) = measure(running.addr, &requests, 1, requests.len())?;
    for connections in [1, CONNECTIONS] {
        let (times, bytes) = measure(running.addr, &requests, connections, REQUESTS)?;
        let total: Duration = times.iter().sum();
        let rate = REQUESTS as f64 * connections as f64 / total.as_secs_f64().max(1e-9);
        rows.push(Row {
            name: format!("mcp search, {PAGES} pages, {connections} connections"),
            figure: format!("p99 {}", ms(&times, 0.99)),
            detail: format!(
                "p50 {}, max {}, {rate:.0} /s, {} queries, {} bytes on average; first call of each query: p50 {}; clients share the machine",
                ms(&times, 0.5),
                ms(&times, 1.0),
                requests.len(),
                bytes / REQUESTS,
                ms(&cold, 0.5),
            ),
        });
    }
    Ok(())
}

/// A request for each of some queries with words of the pages.
fn requests(site: &svc_site::Site, addr: SocketAddr) -> Vec<Vec<u8>> {
    let pages = site.search_index().pages();
    let step = (pages.len() / QUERIES).max(1);
    let queries = pages.iter().step_by(step).take(QUERIES).enumerate();
    let requests = queries.map(|(number, page)| {
        let section = page.sections.get(number % page.sections.len().max(1));
        let text = section.map_or("", |section| section.text.as_str());
        let words = text.split_whitespace().skip(number % 7);
        let words: Vec<&str> = words.take(2 + number % 3).collect();
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "search",
            "arguments": {"query": format!("{} {}", page.title, words.join(" "))},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}
            }
        }})
        .to_string();
        let head = format!(
            "POST {}/mcp HTTP/1.1\r\nhost: {addr}\r\ncontent-type: application/json\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: search\r\ncontent-length: {}\r\n\r\n",
            site.base_path(),
            body.len()
        );
        (head + &body).into_bytes()
    });
    requests.collect()
}

/// Sends `count` requests over a number of connections at the same time. Returns their times, the
/// shortest first, and the bytes of all responses.
fn measure(
    addr: SocketAddr,
    requests: &[Vec<u8>],
    connections: usize,
    count: usize,
) -> io::Result<(Vec<Duration>, usize)> {
    let next = AtomicUsize::new(0);
    let run = || -> io::Result<(Vec<Duration>, usize)> {
        let (mut times, mut bytes) = (Vec::new(), 0);
        let mut buffer = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return Ok((times, bytes));
            }
            let request = requests.get(number % requests.len().max(1));
            let begin = Instant::now();
            let mut stream = TcpStream::connect(addr)?;
            stream.set_nodelay(true)?;
            stream.write_all(request.map_or(&[][..], Vec::as_slice))?;
            buffer.clear();
            stream.read_to_end(&mut buffer)?;
            times.push(begin.elapsed());
            bytes += buffer.len();
            if !buffer.starts_with(b"HTTP/1.1 200") {
                let text =
                    String::from_utf8_lossy(buffer.get(..300).unwrap_or(&buffer)).into_owned();
                return Err(io::Error::other(format!("unexpected response: {text}")));
            }
        }
    };
    let results: Vec<_> = thread::scope(|scope| {
        let running: Vec<_> = (0..connections).map(|_| scope.spawn(run)).collect();
        running.into_iter().map(|thread| thread.join()).collect()
    });
    let (mut times, mut bytes) = (Vec::new(), 0);
    for result in results {
        let result = result.map_err(|_| io::Error::other("a client panicked"))?;
        let (own, read) = result?;
        times.extend(own);
        bytes += read;
    }
    times.sort_unstable();
    Ok((times, bytes))
}

fn ms(times: &[Duration], part: f64) -> String {
    let last = times.len().saturating_sub(1) as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index of the list"
    )]
    let index = (last * part).ceil() as usize;
    let time = times.get(index).copied().unwrap_or_default();
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
