//! Object stores of tests: a folder, and the S3 server of `moto` behind a switch.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use svc_test_support::ports::free_port;
use svc_test_support::wait::wait_until;

const BUCKET: &str = "svc-docs";
const SECRET: &str = "a secret access key";

/// An object store that can be away.
pub(super) enum Storage {
    Folder(PathBuf),
    S3(S3Server),
}

impl Storage {
    pub(super) fn folder(dir: &Path) -> Self {
        let path = dir.join("objects");
        fs::create_dir(&path).unwrap();
        Self::Folder(path)
    }

    /// `None` if `cargo xtask ci install` has not installed moto.
    pub(super) fn s3(dir: &Path) -> Option<Self> {
        let program =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/moto_server");
        if !program.is_file() {
            svc_test_support::skip("moto is not installed (`cargo xtask ci install`)");
            return None;
        }
        fs::write(dir.join("objects.secret"), SECRET).unwrap();
        Some(Self::S3(S3Server::start(&program)))
    }

    /// The table of the settings.
    pub(super) fn table(&self) -> String {
        match self {
            Self::Folder(path) => format!("[objects]\nurl = \"file://{}\"\n", path.display()),
            Self::S3(server) => format!(
                "[objects]\nurl = \"s3://{BUCKET}/test\"\nendpoint = \"http://{}\"\naccess_key = \"key\"\nsecret_key_file = \"objects.secret\"\n",
                server.proxy.addr
            ),
        }
    }

    /// Ends all requests, and refuses further ones.
    pub(super) fn stop(&self) {
        match self {
            Self::Folder(path) => fs::rename(path, path.with_extension("away")).unwrap(),
            Self::S3(server) => server.proxy.stop(),
        }
    }

    pub(super) fn resume(&self) {
        match self {
            Self::Folder(path) => fs::rename(path.with_extension("away"), path).unwrap(),
            Self::S3(server) => server.proxy.resume(),
        }
    }
}

/// A running server, which keeps its objects in memory. Clients use the proxy.
pub(super) struct S3Server {
    child: Child,
    proxy: Proxy,
}

impl S3Server {
    fn start(program: &Path) -> Self {
        let addr = SocketAddr::from(([127, 0, 0, 1], free_port()));
        let child = Command::new(program)
            .args(["-H", "127.0.0.1", "-p", &addr.port().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self {
            child,
            proxy: Proxy::start(addr),
        };
        let create = || {
            let mut stream = TcpStream::connect(addr).ok()?;
            let request = format!(
                "PUT /{BUCKET} HTTP/1.1\r\nhost: {addr}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            );
            stream.write_all(request.as_bytes()).ok()?;
            let mut text = String::new();
            stream.read_to_string(&mut text).ok()?;
            text.starts_with("HTTP/1.1 200").then_some(())
        };
        wait_until("moto starts", Duration::from_secs(60), || {
            create().is_some()
        });
        server
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Forwards connections while it is not stopped.
struct Proxy {
    addr: SocketAddr,
    is_stopped: Arc<AtomicBool>,
    connections: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    fn start(to: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Self {
            addr: listener.local_addr().unwrap(),
            is_stopped: Arc::default(),
            connections: Arc::default(),
        };
        let (is_stopped, connections) = (
            Arc::clone(&proxy.is_stopped),
            Arc::clone(&proxy.connections),
        );
        // Ends with the process.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Some(server) = TcpStream::connect(to).ok() else {
                    continue;
                };
                connections
                    .lock()
                    .unwrap()
                    .extend([&client, &server].map(|one| one.try_clone().unwrap()));
                if is_stopped.load(Ordering::SeqCst) {
                    let _ = client.shutdown(Shutdown::Both);
                    continue;
                }
                for (from, into) in [(&client, &server), (&server, &client)] {
                    let (mut from, mut into) =
                        (from.try_clone().unwrap(), into.try_clone().unwrap());
                    thread::spawn(move || {
                        let _ = std::io::copy(&mut from, &mut into);
                        let _ = into.shutdown(Shutdown::Both);
                    });
                }
            }
        });
        proxy
    }

    fn stop(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        for connection in self.connections.lock().unwrap().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    fn resume(&self) {
        self.is_stopped.store(false, Ordering::SeqCst);
    }
}
