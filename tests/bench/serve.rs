//! One page from memory on one core: `svc-server`, nginx with `gzip_static` and an open file cache,
//! and a bare loop of hyper, in turns. Needs `nginx`, `wrk` and `taskset` on the `PATH`; servers run
//! on the first processor, clients on the second.
//!
//! `wrk` needs about as much time for a page as the servers do. Without TLS the client is therefore
//! [`load`], which needs less: the servers are the limit.

use std::convert::Infallible;
use std::fs;
use std::io::{self, Error};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use svc_test_support::ports::free_port;
use svc_test_support::program::Program;
use svc_test_support::tls::TestCertificate;
use svc_tests::http::Client;
use svc_tests::random::Random;
use svc_tests::tools;

use crate::peers::own_program;
use crate::{BenchRepository, Row, load, processor_time_of};

/// Runs of each server, in turns.
const RUNS: usize = 15;
const RUN_SECONDS: u64 = 2;
const CONNECTIONS: usize = 64;
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Terms of the page: its compressed form has about 20 kB.
const TERMS: usize = 3_600;
/// The letters of the page, the frequent ones of English.
const LETTERS: &[char] = &[
    'e', 't', 'a', 'o', 'i', 'n', 's', 'h', 'r', 'd', 'l', 'u', 'c', 'm', 'f', 'w',
];
/// The argument that makes this program the bare loop, followed by its port and file.
const LOOP_ARGUMENT: &str = "--hyper-loop";

/// A server under test. It is killed when it is dropped.
pub(crate) struct Peer {
    name: &'static str,
    pub(crate) port: u16,
    tls: bool,
    pub(crate) program: Program,
}

/// The result of one run.
struct Run {
    /// Responses per second.
    rate: f64,
    /// 99 % of the responses took at most so many milliseconds.
    p99: f64,
    /// Responses per second of processor time of the server.
    core_rate: f64,
}

pub(crate) fn serve(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    let missing: Vec<&str> = ["nginx", "wrk", "taskset"]
        .into_iter()
        .filter(|name| tools::program(name).is_none())
        .collect();
    if !missing.is_empty() {
        return Err(Error::other(format!("not installed: {missing:?}")));
    }
    let dir = tempfile::tempdir()?;
    write_site(&dir.path().join("site"))?;
    let certificate = TestCertificate::new(&["localhost"]);
    fs::write(dir.path().join("cert.pem"), certificate.chain)?;
    fs::write(dir.path().join("key.pem"), certificate.key)?;
    let svc = start_svc(dir.path(), false)?;
    let page = page(svc.port)?;
    write_files(dir.path(), &page)?;
    let peers = [
        svc,
        start_nginx(dir.path(), false)?,
        start_loop(dir.path())?,
    ];
    compare(&peers, page.len(), rows)?;
    drop(peers);
    let peers = [start_svc(dir.path(), true)?, start_nginx(dir.path(), true)?];
    compare(&peers, page.len(), rows)
}

/// Words that compress like text.
pub(crate) fn write_site(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let mut text = String::from("---\ntitle: Page\n---\n\n");
    let mut random = Random::new(1);
    for term in 0..TERMS {
        for _ in 0..3 + random.below(6) {
            text.push(random.pick(LETTERS).copied().unwrap_or('e'));
        }
        text.push(if term % 40 == 39 { '\n' } else { ' ' });
    }
    fs::write(dir.join("index.mdx"), text)?;
    let config = r##"{"theme": "svc", "name": "Docs", "colors": {"primary": "#0a7d4f"}, "navigation": {"pages": ["index"]}}"##;
    fs::write(dir.join("docs.json"), config)
}

/// Starts a program on the first processor, and waits until it listens.
fn start(name: &'static str, command: &[&str], (port, tls): (u16, bool)) -> io::Result<Peer> {
    let mut pinned = Command::new("taskset");
    pinned.args(["-c", "0"]).args(command);
    let program = Program::start(pinned.stdin(Stdio::null()).stderr(Stdio::null()));
    let peer = Peer {
        name,
        port,
        tls,
        program,
    };
    let begin = Instant::now();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        if begin.elapsed() > START_TIMEOUT {
            return Err(Error::other(format!("{name} does not listen")));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(peer)
}

/// The server of the same build, with access log.
pub(crate) fn start_svc(dir: &Path, is_encrypted: bool) -> io::Result<Peer> {
    let program = own_program("svc-server");
    let program = program.ok_or_else(|| Error::other("`svc-server` was not built"))?;
    let port = free_port();
    let listen = format!("127.0.0.1:{port}");
    let (site, data) = (dir.join("site"), dir.join("data"));
    let text = |path: &Path| path.display().to_string();
    let mut arguments = vec![text(&program), text(&site)];
    for argument in ["--listen", &listen, "--access-log", "--data", &text(&data)] {
        arguments.push(argument.to_owned());
    }
    if is_encrypted {
        for (option, file) in [("--tls-cert", "cert.pem"), ("--tls-key", "key.pem")] {
            arguments.extend([option.to_owned(), text(&dir.join(file))]);
        }
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    start("svc-server", &arguments, (port, is_encrypted))
}

/// The compressed page, as the server sends it.
fn page(port: u16) -> io::Result<Vec<u8>> {
    let addr = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let response = Client::connect(addr)?.get("/", &[("accept-encoding", "gzip")])?;
    match response.header("content-encoding") {
        Some("gzip") => Ok(response.body),
        other => Err(Error::other(format!("the page is encoded as {other:?}"))),
    }
}

/// Writes the page for nginx and for the loop.
fn write_files(dir: &Path, page: &[u8]) -> io::Result<()> {
    let root = dir.join("root");
    fs::create_dir_all(&root)?;
    fs::write(
        root.join("index.html"),
        "<!doctype html><title>Page</title>",
    )?;
    fs::write(root.join("index.html.gz"), page)
}

fn start_nginx(dir: &Path, is_encrypted: bool) -> io::Result<Peer> {
    let port = free_port();
    let base = dir.display();
    let listen = match is_encrypted {
        false => format!("listen 127.0.0.1:{port};"),
        true => format!(
            "listen 127.0.0.1:{port} ssl; ssl_certificate {base}/cert.pem; ssl_certificate_key {base}/key.pem; ssl_protocols TLSv1.3;"
        ),
    };
    let text = format!(
        "daemon off; worker_processes 1; pid {base}/nginx-{port}.pid; error_log {base}/nginx.log;
events {{ worker_connections 4096; }}
http {{
  types {{ text/html html; }}
  access_log {base}/access-{port}.log combined buffer=64k;
  sendfile on; tcp_nopush on; keepalive_requests 100000000;
  open_file_cache max=1000; open_file_cache_valid 60s; open_file_cache_errors on;
  client_body_temp_path {base}/tmp; proxy_temp_path {base}/tmp; fastcgi_temp_path {base}/tmp;
  uwsgi_temp_path {base}/tmp; scgi_temp_path {base}/tmp;
  server {{ {listen} root {base}/root; gzip_static on; }}
}}
"
    );
    let file = dir.join(format!("nginx-{port}.conf"));
    fs::write(&file, text)?;
    let file = file.display().to_string();
    start("nginx", &["nginx", "-c", &file], (port, is_encrypted))
}

fn start_loop(dir: &Path) -> io::Result<Peer> {
    let own = std::env::current_exe()?.display().to_string();
    let port = free_port();
    let file = dir.join("root/index.html.gz").display().to_string();
    let command = [&*own, LOOP_ARGUMENT, &port.to_string(), &file];
    start("hyper", &command, (port, false))
}

/// Runs the bare loop if the arguments of this program say so.
pub(crate) fn run_loop_if_named() -> Option<io::Result<()>> {
    let mut arguments = std::env::args().skip(1);
    arguments.next().filter(|first| first == LOOP_ARGUMENT)?;
    let (port, file) = (arguments.next()?.parse().ok()?, arguments.next()?);
    Some(run_loop(port, Path::new(&file)))
}

fn run_loop(port: u16, file: &Path) -> io::Result<()> {
    let page = Bytes::from(fs::read(file)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let page = page.clone();
            let service = service_fn(move |_: Request<Incoming>| {
                let mut response = Response::new(Full::new(page.clone()));
                let headers = response.headers_mut();
                headers.insert("content-type", http::HeaderValue::from_static("text/html"));
                headers.insert("content-encoding", http::HeaderValue::from_static("gzip"));
                async { Ok::<_, Infallible>(response) }
            });
            tokio::spawn(async move {
                let mut server = hyper::server::conn::http1::Builder::new();
                server.timer(TokioTimer::new());
                // The client may end the connection at any time.
                let _ = server.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    })
}

/// Measures the servers in turns; the first is svc.
fn compare(peers: &[Peer], bytes: usize, rows: &mut Vec<Row>) -> io::Result<()> {
    let mut turns: Vec<Vec<Run>> = Vec::new();
    for _ in 0..RUNS {
        turns.push(peers.iter().map(run).collect::<io::Result<_>>()?);
    }
    for (index, peer) in peers.iter().enumerate() {
        let of = |value: fn(&Run) -> f64| {
            median(turns.iter().filter_map(|turn| turn.get(index)).map(value))
        };
        // Of the runs of a turn: the machine may be slower in the next.
        let ratio = |value: fn(&Run) -> f64| {
            median(turns.iter().filter_map(|turn| {
                let (own, other) = (turn.first()?, turn.get(index)?);
                Some(value(own) / value(other))
            }))
        };
        let scheme = if peer.tls { "https" } else { "http" };
        rows.push(Row {
            name: format!("one page, {scheme}, {}", peer.name),
            figure: format!("{:.0} /s", of(|run| run.rate)),
            detail: format!(
                "svc-server has {:.2} times this rate, and {:.2} times per second of processor time; p99 {:.2} ms, that of svc-server is {:.2} times this; {bytes} bytes (gzip), {CONNECTIONS} connections, one core, {RUNS} runs of {RUN_SECONDS} s in turns",
                ratio(|run| run.rate),
                ratio(|run| run.core_rate),
                of(|run| run.p99),
                ratio(|run| run.p99),
            ),
        });
    }
    Ok(())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = values.collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or_default()
}

/// Sends requests to a server for [`RUN_SECONDS`].
fn run(peer: &Peer) -> io::Result<Run> {
    let no_time = || Error::other("no `/proc` to read the processor time of a server from");
    let before = processor_time_of_tree(peer.program.id()).ok_or_else(no_time)?;
    let (rate, p99) = match peer.tls {
        true => wrk(peer.port)?,
        // A thread of its own, whose processor changes nothing for later benchmarks.
        false => std::thread::scope(|scope| scope.spawn(|| load_page(peer.port)).join())
            .map_err(|_| Error::other("the client panicked"))??,
    };
    let after = processor_time_of_tree(peer.program.id()).ok_or_else(no_time)?;
    let busy = after.saturating_sub(before).as_secs_f64().max(0.01);
    let core_rate = rate * RUN_SECONDS as f64 / busy;
    Ok(Run {
        rate,
        p99,
        core_rate,
    })
}

/// Loads the page without TLS, like [`wrk`].
fn load_page(port: u16) -> io::Result<(f64, f64)> {
    let thread = fs::read_link("/proc/thread-self")?;
    let thread = thread.file_name().unwrap_or_default();
    let pinned = Command::new("taskset")
        .args(["-cp", "1"])
        .arg(thread)
        .output()?;
    if !pinned.status.success() {
        return Err(Error::other(String::from_utf8_lossy(&pinned.stderr)));
    }
    let addr = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let request = load::request("localhost", "/", &[("accept-encoding", "gzip")]);
    let mut requests = std::iter::repeat(request.as_slice());
    let time = Duration::from_secs(RUN_SECONDS);
    let report = load::load(addr, &mut requests, CONNECTIONS, time)?;
    Ok((report.rate, report.quantile(0.99).as_secs_f64() * 1e3))
}

/// Processor time of a process and of its children, such as the workers of nginx.
fn processor_time_of_tree(process: u32) -> Option<Duration> {
    let path = format!("/proc/{process}/task/{process}/children");
    let children = fs::read_to_string(path).ok()?;
    let mut sum = processor_time_of(&process.to_string())?;
    for child in children.split_whitespace() {
        sum += processor_time_of_tree(child.parse().ok()?)?;
    }
    Some(sum)
}

/// Runs `wrk` with TLS. Returns the responses per second and the 99 % quantile in milliseconds.
fn wrk(port: u16) -> io::Result<(f64, f64)> {
    let seconds = format!("-d{RUN_SECONDS}");
    let connections = format!("-c{CONNECTIONS}");
    let output = Command::new("taskset")
        .args(["-c", "1", "wrk", "-t1", &connections, &seconds, "--latency"])
        .args(["-H", "Accept-Encoding: gzip"])
        .arg(format!("https://127.0.0.1:{port}/"))
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(name));
        line.map(str::trim)
    };
    let failed = || Error::other(format!("wrk: {text}"));
    if text.contains("Non-2xx") || text.contains("Socket errors") {
        return Err(failed());
    }
    let rate = value("Requests/sec:").and_then(|rate| rate.parse().ok());
    let p99 = value("99%").and_then(milliseconds);
    Ok((rate.ok_or_else(failed)?, p99.ok_or_else(failed)?))
}

/// A time of `wrk`, such as `850.00us`.
fn milliseconds(text: &str) -> Option<f64> {
    let units = [("us", 1e-3), ("ms", 1.0), ("s", 1e3)];
    let (unit, factor) = units.into_iter().find(|(unit, _)| text.ends_with(unit))?;
    let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
    Some(number * factor)
}
