//! H2: the requests of H1 through nginx. The proxy and the server count the same requests, so that
//! no response gets to another client.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use svc_server::Limits;

use crate::http::grammar::requests;
use crate::http::rig::start_counted;

const PROGRAM: &str = "/usr/sbin/nginx";

/// nginx in front of a server; it is killed when it is dropped.
struct Proxy {
    addr: SocketAddr,
    dir: tempfile::TempDir,
    child: Child,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Proxy {
    fn start(upstream: SocketAddr) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let addr = free.local_addr().unwrap();
        drop(free);
        let base = dir.path().display();
        // Idle connections to the server are reused, so that what remains on one of them would be
        // read with the next request.
        let text = format!(
            "daemon off; master_process off; pid {base}/pid; error_log {base}/error;
events {{ worker_connections 256; }}
http {{
  log_format counts '$upstream_status'; access_log {base}/access counts;
  client_header_timeout 1s; client_body_timeout 1s; keepalive_timeout 1s;
  client_body_temp_path {base}/a; proxy_temp_path {base}/b; fastcgi_temp_path {base}/c;
  uwsgi_temp_path {base}/d; scgi_temp_path {base}/e;
  upstream server {{ server {upstream}; keepalive 1; }}
  server {{
    listen {addr};
    location / {{
      proxy_pass http://server; proxy_http_version 1.1; proxy_set_header Connection '';
      proxy_set_header Host $host; proxy_request_buffering off; proxy_next_upstream off;
    }}
  }}
}}
"
        );
        let file = dir.path().join("conf");
        fs::write(&file, text).unwrap();
        let child = Command::new(PROGRAM)
            .arg("-c")
            .arg(&file)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let proxy = Self { addr, dir, child };
        let listens = (0..600).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            TcpStream::connect(addr).is_ok()
        });
        assert!(listens);
        proxy
    }

    /// Sends bytes and reads until the connection is closed.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut socket = TcpStream::connect(self.addr).unwrap();
        let timeout = Some(Duration::from_secs(20));
        socket.set_read_timeout(timeout).unwrap();
        let _ = socket.write_all(bytes);
        let mut all = Vec::new();
        let _ = socket.read_to_end(&mut all);
        String::from_utf8_lossy(&all).into_owned()
    }

    /// Number of requests that were sent to the server.
    fn forwarded(&self) -> usize {
        let log = fs::read_to_string(self.dir.path().join("access")).unwrap_or_default();
        log.lines().filter(|line| *line != "-").count()
    }
}

#[test]
fn h02_a_proxy_and_the_server_count_the_same_requests() {
    if !Path::new(PROGRAM).is_file() {
        svc_test_support::skip("nginx is not installed; run `cargo xtask ci install`");
        return;
    }
    let limits = Limits {
        body_timeout: Duration::from_millis(500),
        ..Limits::default()
    };
    let counter = Arc::new(AtomicUsize::new(0));
    let server = start_counted(limits, &counter);
    let proxy = Proxy::start(server.serving.addr);
    let mut passed = 0;
    for (bytes, _) in requests() {
        let shown = bytes.escape_ascii();
        let before = (proxy.forwarded(), counter.load(Ordering::SeqCst));
        proxy.raw(&bytes);
        // Another client, whose request may be sent on the same connection.
        let probe = "GET /guides/start HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        let response = proxy.raw(probe.as_bytes());
        assert!(response.contains("<title>Start"), "{shown}\n{response}");
        let forwarded = proxy.forwarded() - before.0;
        let handled = counter.load(Ordering::SeqCst) - before.1;
        // The server rejects some requests before it handles them.
        assert!(handled <= forwarded, "{shown}: {handled} of {forwarded}");
        passed += usize::from(handled > 1);
    }
    assert!(passed >= 20, "{passed} were forwarded and handled");
}
