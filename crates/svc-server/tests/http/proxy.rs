//! H2: the requests of H1 through nginx, Caddy and HAProxy. The proxy and the server count the same
//! requests, so that no response gets to another client.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use svc_test_support::ports::free_port;

use svc_server::Limits;

use crate::http::grammar::requests;
use crate::http::rig::start_counted;

/// A program in front of a server. It reuses idle connections to the server, so that what remains on
/// one of them would be read with the next request.
struct ProxyProgram {
    path: &'static str,
    arguments: &'static [&'static str],
    /// Its settings. `BASE`, `ADDR`, `PORT` and `UPSTREAM` are replaced.
    settings: &'static str,
    /// What the lines of its log have for requests that were sent to the server.
    forwarded: fn(&str) -> bool,
}

const NGINX: ProxyProgram = ProxyProgram {
    path: "/usr/sbin/nginx",
    arguments: &["-c"],
    settings: "daemon off; master_process off; pid BASE/pid; error_log BASE/error;
events { worker_connections 256; }
http {
  log_format counts '$upstream_status $request_uri'; access_log BASE/access counts;
  client_header_timeout 1s; client_body_timeout 1s; keepalive_timeout 1s;
  client_body_temp_path BASE/a; proxy_temp_path BASE/b; fastcgi_temp_path BASE/c;
  uwsgi_temp_path BASE/d; scgi_temp_path BASE/e;
  upstream server { server UPSTREAM; keepalive 1; }
  server {
    listen ADDR;
    location / {
      proxy_pass http://server; proxy_http_version 1.1; proxy_set_header Connection '';
      proxy_set_header Host $host; proxy_request_buffering off; proxy_next_upstream off;
    }
  }
}
",
    forwarded: |line| !line.starts_with("- "),
};

const CADDY: ProxyProgram = ProxyProgram {
    path: "/usr/bin/caddy",
    arguments: &["run", "--adapter", "caddyfile", "--config"],
    settings: "{
	admin off
	auto_https off
	servers {
		timeouts {
			read_header 1s
			read_body 1s
			idle 1s
		}
	}
}
http://:PORT {
	bind 127.0.0.1
	log {
		output file BASE/access
		format json
	}
	reverse_proxy UPSTREAM {
		flush_interval -1
		transport http {
			keepalive_idle_conns 1
			keepalive_idle_conns_per_host 1
		}
	}
}
",
    // Requests that are not forwarded get no response from its handler and are not in the log.
    forwarded: |line| line.contains("\"logger\":\"http.log.access"),
};

const HAPROXY: ProxyProgram = ProxyProgram {
    path: "/usr/sbin/haproxy",
    arguments: &["-db", "-f"],
    settings: "defaults
  mode http
  retries 0
  timeout connect 5s
  timeout client 1s
  timeout server 20s
  timeout http-request 1s
  timeout http-keep-alive 1s
  log stdout format raw local0
  log-format \"%s %HU\"
frontend clients
  bind ADDR
  default_backend server
backend server
  http-reuse always
  server upstream UPSTREAM
",
    forwarded: |line| line.starts_with("upstream "),
};

/// A running proxy; it is killed when it is dropped.
struct Proxy {
    addr: SocketAddr,
    dir: tempfile::TempDir,
    child: Child,
    forwarded: fn(&str) -> bool,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Proxy {
    fn start(program: &ProxyProgram, upstream: SocketAddr) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let addr = SocketAddr::from(([127, 0, 0, 1], free_port()));
        let base = dir.path();
        let settings = program
            .settings
            .replace("BASE", &base.display().to_string())
            .replace("ADDR", &addr.to_string())
            .replace("PORT", &addr.port().to_string())
            .replace("UPSTREAM", &upstream.to_string());
        let file = base.join("conf");
        fs::write(&file, settings).unwrap();
        let child = Command::new(program.path)
            .args(program.arguments)
            .arg(&file)
            .env("HOME", base)
            .env("XDG_DATA_HOME", base)
            .env("XDG_CONFIG_HOME", base)
            // HAProxy writes its log there.
            .stdout(File::create(base.join("access")).unwrap())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let forwarded = program.forwarded;
        let proxy = Self {
            addr,
            dir,
            child,
            forwarded,
        };
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

    /// Number of requests that were sent to the server, up to and including the one for `url`: a
    /// proxy writes to its log after the response.
    fn forwarded_until(&self, url: &str) -> usize {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let log = fs::read_to_string(self.dir.path().join("access")).unwrap_or_default();
            if log.contains(url) {
                return log.lines().filter(|line| (self.forwarded)(line)).count();
            }
            assert!(Instant::now() < end, "no request for {url}:\n{log}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn assert_equal_counts(program: &ProxyProgram) {
    if !Path::new(program.path).is_file() {
        svc_test_support::skip(format_args!(
            "{} is not installed; run `cargo xtask ci install`",
            program.path
        ));
        return;
    }
    let limits = Limits {
        body_timeout: Duration::from_millis(500),
        ..Limits::default()
    };
    let counter = Arc::new(AtomicUsize::new(0));
    let server = start_counted(limits, &counter);
    let proxy = Proxy::start(program, server.serving.addr);
    let (mut passed, mut before) = (0, (0, 0));
    for (number, (bytes, _)) in requests().into_iter().enumerate() {
        let shown = bytes.escape_ascii();
        proxy.raw(&bytes);
        // Another client, whose request may be sent on the same connection.
        let url = format!("/guides/start?probe={number}.");
        let probe = format!("GET {url} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        let response = proxy.raw(probe.as_bytes());
        assert!(response.contains("<title>Start"), "{shown}\n{response}");
        let now = (proxy.forwarded_until(&url), counter.load(Ordering::SeqCst));
        let (forwarded, handled) = (now.0 - before.0, now.1 - before.1);
        // The server rejects some requests before it handles them.
        assert!(handled <= forwarded, "{shown}: {handled} of {forwarded}");
        passed += usize::from(handled > 1);
        before = now;
    }
    assert!(passed >= 20, "{passed} were forwarded and handled");
}

#[test]
fn h02_nginx_and_the_server_count_the_same_requests() {
    assert_equal_counts(&NGINX);
}

#[test]
fn h02_caddy_and_the_server_count_the_same_requests() {
    assert_equal_counts(&CADDY);
}

#[test]
fn h02_haproxy_and_the_server_count_the_same_requests() {
    assert_equal_counts(&HAPROXY);
}
