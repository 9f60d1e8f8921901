//! H5 and H6: slow clients with TLS, and more connections than a server has.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use svc_server::Limits;
use svc_test_support::tls::TestCertificate;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::http::rig::{TestServer, start_encrypted, start_with};

type TlsStream = StreamOwned<ClientConnection, TcpStream>;

const GET: &[u8] = b"GET /picture.png HTTP/1.1\r\nHost: a\r\n\r\n";

fn connect(server: &TestServer, certificate: &TestCertificate) -> TlsStream {
    let mut roots = RootCertStore::empty();
    let root = CertificateDer::from_pem_slice(certificate.chain.as_bytes());
    roots.add(root.unwrap()).unwrap();
    let config = ClientConfig::builder()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let state = ClientConnection::new(Arc::new(config), name).unwrap();
    StreamOwned::new(state, server.connect())
}

/// Whether a connection that the client has not read from is still open.
fn is_open(socket: &TcpStream) -> bool {
    socket.set_nonblocking(true).unwrap();
    let result = socket.peek(&mut [0]);
    result.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
}

#[test]
fn h05_a_handshake_has_the_timeout_of_heads() {
    let certificate = TestCertificate::new(&["localhost"]);
    let limits = Limits {
        head_timeout: Duration::from_millis(300),
        ..Limits::default()
    };
    let server = start_encrypted(limits, &certificate);
    for begin in [
        &b""[..],
        b"\x16",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
        b"GET / HTTP/1.1\r\n",
    ] {
        let mut socket = server.connect();
        socket.write_all(begin).unwrap();
        let mut all = Vec::new();
        // Ends only because the server closes the connection: the client waits much longer.
        let end = socket.read_to_end(&mut all).map_err(|error| error.kind());
        assert!(
            matches!(end, Ok(_) | Err(std::io::ErrorKind::ConnectionReset)),
            "{end:?}"
        );
        assert!(!all.starts_with(b"HTTP"), "{begin:?}");
    }
    let mut client = connect(&server, &certificate);
    client.write_all(GET).unwrap();
    let mut status = [0; 12];
    client.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 200");
}

#[test]
fn h05_a_client_that_does_not_read_is_disconnected_with_tls() {
    let certificate = TestCertificate::new(&["localhost"]);
    let limits = Limits {
        write_timeout: Duration::from_millis(200),
        ..Limits::default()
    };
    let server = start_encrypted(limits, &certificate);
    let mut client = connect(&server, &certificate);
    // More than the socket buffers of both sides hold.
    for _ in 0..8 {
        client
            .write_all(b"GET /large.png HTTP/1.1\r\nHost: a\r\n\r\n")
            .unwrap();
    }
    std::thread::sleep(Duration::from_secs(2));
    let mut all = Vec::new();
    let _ = client.read_to_end(&mut all);
    assert!(all.starts_with(b"HTTP/1.1 200"));
    assert!(all.len() < 8 * 3_000_000, "{}", all.len());
}

#[test]
fn h06_connections_count_before_their_handshake() {
    let certificate = TestCertificate::new(&["localhost"]);
    let limits = Limits {
        connections_per_addr: 2,
        trusted_proxies: Vec::new(),
        head_timeout: Duration::from_secs(60),
        ..Limits::default()
    };
    let server = start_encrypted(limits, &certificate);
    let held: Vec<TcpStream> = (0..2).map(|_| server.connect()).collect();
    let mut third = server.connect();
    assert_eq!(third.read(&mut [0]).ok(), Some(0));
    assert!(held.iter().all(is_open));
    drop(held);
    let served = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        let mut client = connect(&server, &certificate);
        client.write_all(GET).is_ok() && client.read_exact(&mut [0; 12]).is_ok()
    });
    assert!(served, "they are free again");
}

#[test]
fn h06_a_server_without_a_free_connection_recovers() {
    let limits = Limits {
        head_timeout: Duration::from_secs(2),
        idle_timeout: Duration::from_secs(600),
        connections: 64,
        ..Limits::default()
    };
    let server = start_with(limits, "");
    let mut held: Vec<TcpStream> = (0..64).map(|_| server.connect()).collect();
    for socket in &mut held {
        socket.write_all(GET).unwrap();
        socket.read_exact(&mut [0; 12]).unwrap();
    }
    let refused = server.response(b"");
    assert_eq!(refused.status, 503);
    assert_eq!(refused.header("retry-after"), Some("5"));
    let served = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        server
            .raw(b"GET /picture.png HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            .starts_with(b"HTTP/1.1 200")
    });
    assert!(served, "idle connections are closed to make room");
}
