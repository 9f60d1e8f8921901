//! Restarts with a socket of the service manager, under load.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::{Scene, TIMEOUT, is_ready, wait_until};

/// Number of clients; each has one connection at a time.
const CLIENTS: usize = 64;

/// A service manager: it owns the socket, and waits until the server is ready.
struct Manager {
    scene: Scene,
    listener: TcpListener,
    notifications: UnixDatagram,
}

impl Manager {
    fn start(&self) -> Child {
        // The process has the ID of the shell; the socket becomes descriptor 3.
        let script = "LISTEN_PID=$$ exec \"$0\" --config \"$1\" 3<&0 </dev/null";
        let socket: OwnedFd = self.listener.try_clone().unwrap().into();
        let child = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_svc-server")])
            .arg(self.scene.settings())
            .env("LISTEN_FDS", "1")
            .env("LISTEN_FDNAMES", "svc.socket")
            .env("NOTIFY_SOCKET", self.scene.dir.path().join("notify"))
            .stdin(Stdio::from(socket))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.expect("READY=1");
        child
    }

    fn expect(&self, message: &str) {
        let mut buffer = [0; 64];
        let length = self.notifications.recv(&mut buffer).unwrap();
        assert_eq!(std::str::from_utf8(&buffer[..length]), Ok(message));
    }

    fn stop(&self, mut child: Child) {
        let killed = Command::new("kill").arg(child.id().to_string()).status();
        assert!(killed.unwrap().success());
        self.expect("STOPPING=1");
        assert!(child.wait().unwrap().success());
    }
}

/// One request on a connection of its own; returns what went wrong.
fn request(addr: &str) -> Result<(), String> {
    let fail = |error: std::io::Error| error.to_string();
    let mut stream = TcpStream::connect(addr).map_err(fail)?;
    stream.set_read_timeout(Some(TIMEOUT)).map_err(fail)?;
    let head = "GET / HTTP/1.1\r\nHost: one.example\r\nConnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).map_err(fail)?;
    let mut response = String::new();
    stream.read_to_string(&mut response).map_err(fail)?;
    match response.starts_with("HTTP/1.1 200 ") && response.trim_end().ends_with("</html>") {
        true => Ok(()),
        false => Err(response.chars().take(200).collect()),
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "the figures are the result")]
fn restarts_under_load_fail_no_request() {
    let restarts = match std::env::var_os("SVC_THOROUGH") {
        Some(_) => 50,
        None => 5,
    };
    let scene = Scene::new("");
    let notifications = UnixDatagram::bind(scene.dir.path().join("notify")).unwrap();
    notifications.set_read_timeout(Some(TIMEOUT)).unwrap();
    let manager = Manager {
        scene,
        listener: TcpListener::bind("127.0.0.1:0").unwrap(),
        notifications,
    };
    let addr = manager.listener.local_addr().unwrap().to_string();
    let mut child = manager.start();
    wait_until("the site is live", || is_ready(&addr));
    let (stop, served) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicU64::new(0)),
    );
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (stop, served, addr) = (Arc::clone(&stop), Arc::clone(&served), addr.clone());
            std::thread::spawn(move || {
                let mut failures = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    match request(&addr) {
                        Ok(()) => drop(served.fetch_add(1, Ordering::Relaxed)),
                        Err(error) => failures.push(error),
                    }
                }
                failures
            })
        })
        .collect();
    for _ in 0..restarts {
        std::thread::sleep(Duration::from_millis(300));
        manager.stop(child);
        child = manager.start();
    }
    stop.store(true, Ordering::Relaxed);
    let failures: Vec<String> = clients
        .into_iter()
        .flat_map(|client| client.join().unwrap())
        .collect();
    manager.stop(child);
    let served = served.load(Ordering::Relaxed);
    eprintln!(
        "{restarts} restarts, {CLIENTS} connections: {served} requests, {} failed",
        failures.len()
    );
    assert!(
        failures.is_empty(),
        "{} of {served}: {:?}",
        failures.len(),
        failures.first()
    );
    assert!(served > CLIENTS as u64, "{served}");
}
