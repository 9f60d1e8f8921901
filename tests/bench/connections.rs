//! Memory of idle connections, plain and encrypted: each has loaded the page and stays open. Needs
//! `taskset` on the `PATH`.

use std::fs;
use std::io::{self, Error, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use svc_test_support::tls::TestCertificate;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::serve::{Peer, start_svc, write_site};
use crate::{BenchRepository, Row};

const CONNECTIONS: usize = 10_000;
/// Minimum limit of open files, for the server and for this program: the server reserves some for
/// other files, and closes idle connections early if few are free.
const MIN_OPEN_FILES: u64 = 16_500;
/// A request for the page.
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n";
const TIMEOUT: Duration = Duration::from_secs(10);
/// Time in which the server releases what it needs only for requests.
const SETTLE_TIME: Duration = Duration::from_secs(4);

trait Connection: Read + Write {}
impl<T: Read + Write> Connection for T {}

/// Opens connections to a server.
struct Client {
    port: u16,
    tls: Option<Arc<ClientConfig>>,
}

impl Client {
    /// Opens a connection and loads the page.
    fn connect(&self) -> io::Result<Box<dyn Connection>> {
        let socket = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        socket.set_read_timeout(Some(TIMEOUT))?;
        socket.set_nodelay(true)?;
        let mut connection: Box<dyn Connection> = match &self.tls {
            None => Box::new(socket),
            Some(config) => {
                let name = ServerName::try_from("localhost").map_err(Error::other)?;
                let state = ClientConnection::new(Arc::clone(config), name);
                Box::new(StreamOwned::new(state.map_err(Error::other)?, socket))
            }
        };
        load(&mut *connection)?;
        Ok(connection)
    }
}

/// Loads the page on an open connection.
fn load(connection: &mut dyn Connection) -> io::Result<()> {
    connection.write_all(REQUEST)?;
    let (mut received, mut buffer) = (Vec::new(), [0; 16 * 1024]);
    loop {
        let count = connection.read(&mut buffer)?;
        if count == 0 {
            return Err(Error::other("the server has closed the connection"));
        }
        received.extend(buffer.iter().take(count));
        let end = received.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        let Some((head, body)) = end.and_then(|end| received.split_at_checked(end + 4)) else {
            continue;
        };
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        let length = head.split("content-length: ").nth(1);
        let length = length.and_then(|rest| rest.lines().next()?.parse::<usize>().ok());
        match length {
            Some(length) if head.starts_with("http/1.1 200") => {
                if body.len() >= length {
                    return Ok(());
                }
            }
            _ => return Err(Error::other(head)),
        }
    }
}

pub(crate) fn connections(_: &[BenchRepository], rows: &mut Vec<Row>) -> io::Result<()> {
    raise_open_files()?;
    let dir = tempfile::tempdir()?;
    write_site(&dir.path().join("site"))?;
    let made = TestCertificate::new(&["localhost"]);
    fs::write(dir.path().join("cert.pem"), &made.chain)?;
    fs::write(dir.path().join("key.pem"), &made.key)?;
    measure("plain", dir.path(), None, rows)?;
    measure("TLS 1.3", dir.path(), Some(&made), rows)
}

/// Raises the limit of open files, which the server inherits.
fn raise_open_files() -> io::Result<()> {
    let limits = getrlimit(Resource::Nofile);
    if limits
        .maximum
        .is_some_and(|maximum| maximum < MIN_OPEN_FILES)
    {
        let message = format!("the limit of open files is below {MIN_OPEN_FILES}: {limits:?}");
        return Err(Error::other(message));
    }
    let raised = Rlimit {
        current: limits.maximum,
        ..limits
    };
    Ok(setrlimit(Resource::Nofile, raised)?)
}

fn measure(
    name: &str,
    dir: &Path,
    certificate: Option<&TestCertificate>,
    rows: &mut Vec<Row>,
) -> io::Result<()> {
    let server = start_svc(dir, certificate.is_some())?;
    let client = Client {
        port: server.port,
        tls: certificate.map(client_config).transpose()?,
    };
    // What the first request loads belongs to the site.
    client.connect()?;
    std::thread::sleep(SETTLE_TIME);
    let (before, begin) = (resident_memory(&server)?, Instant::now());
    let opened = (0..CONNECTIONS).map(|_| client.connect());
    let mut open = opened.collect::<io::Result<Vec<_>>>()?;
    let seconds = begin.elapsed().as_secs_f64();
    std::thread::sleep(SETTLE_TIME);
    let after = resident_memory(&server)?;
    let begin = Instant::now();
    client.connect()?;
    let other = begin.elapsed();
    // All of them were open.
    for connection in &mut open {
        load(&mut **connection)?;
    }
    rows.push(Row {
        name: format!("{CONNECTIONS} idle connections, {name}"),
        figure: format!("{} MB", after / 1000),
        detail: format!(
            "resident memory of svc-server; {} MB before, {:.1} kB per connection; opened in {seconds:.1} s; another client loads the page in {:.1} ms",
            before / 1000,
            kilobytes_each(after.saturating_sub(before)),
            other.as_secs_f64() * 1e3
        ),
    });
    Ok(())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an average needs no more than the digits of a float"
)]
fn kilobytes_each(kilobytes: u64) -> f64 {
    kilobytes as f64 / CONNECTIONS as f64
}

/// The configuration of a client that trusts a certificate.
fn client_config(certificate: &TestCertificate) -> io::Result<Arc<ClientConfig>> {
    let mut roots = RootCertStore::empty();
    let root = CertificateDer::from_pem_slice(certificate.chain.as_bytes());
    roots
        .add(root.map_err(Error::other)?)
        .map_err(Error::other)?;
    let config = ClientConfig::builder()
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

/// Resident memory of a server in kB (1000 bytes).
fn resident_memory(server: &Peer) -> io::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", server.program.id()))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    let kibibytes = kibibytes.ok_or_else(|| Error::other("no VmRSS"))?;
    Ok(kibibytes * 1024 / 1000)
}
