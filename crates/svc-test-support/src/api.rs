//! A stub HTTP API on the loopback interface.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A stub API that handles one request per connection and records it.
#[derive(Debug)]
pub struct StubApi {
    /// Address of the listener.
    pub addr: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl StubApi {
    /// Passes each request, head and body, to a function with the socket for the response.
    ///
    /// # Panics
    /// When no port is free.
    pub fn new(respond: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let addr = listener.local_addr().expect("an address");
        let (connections, requests) = (Arc::default(), Arc::default());
        let api = Self {
            addr,
            connections: Arc::clone(&connections),
            requests: Arc::clone(&requests),
        };
        let respond = Arc::new(respond);
        std::thread::spawn(move || {
            for socket in listener.incoming() {
                let Ok(mut socket) = socket else { continue };
                connections.fetch_add(1, Ordering::SeqCst);
                let (respond, requests) = (Arc::clone(&respond), Arc::clone(&requests));
                std::thread::spawn(move || {
                    let request = read_request(&mut socket);
                    requests.lock().expect("a lock").push(request.clone());
                    respond(&request, &mut socket);
                });
            }
        });
        api
    }

    /// Sends the same bytes as response to all requests.
    pub fn with_response(response: &'static str) -> Self {
        Self::new(move |_, socket| {
            let _ = socket.write_all(response.as_bytes());
        })
    }

    /// The requests so far, head and body.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("a lock").clone()
    }

    /// Number of connections so far.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn read_request(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 65_536];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let whole = match length {
                Some(length) => body.len() >= length.parse::<usize>().unwrap_or(0),
                None => !head.contains("transfer-encoding: chunked") || body.ends_with("0\r\n\r\n"),
            };
            if whole {
                return text;
            }
        }
        match socket.read(&mut buffer) {
            Ok(0) | Err(_) => return text,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}
