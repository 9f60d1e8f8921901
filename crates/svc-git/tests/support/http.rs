//! A small HTTP server in front of `git http-backend`.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

use svc_test_support::request::{RecordedRequest, respond};

/// Behavior of the server.
#[derive(Debug, Clone, Default)]
pub(crate) struct ServerOptions {
    /// Uses version 0 of the protocol.
    pub(crate) old: bool,
    /// Required value of `Authorization`.
    pub(crate) authorization: Option<String>,
    /// Target of redirects for all requests.
    pub(crate) redirect: Option<String>,
    /// Closes the connection after this number of bytes of a pack.
    pub(crate) breaks_after: Option<usize>,
    /// Never responds.
    pub(crate) sleeps: bool,
}

/// A running server. It stops when it is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) port: u16,
    pub(crate) manner: Arc<Mutex<ServerOptions>>,
    /// Total size of all responses in bytes.
    pub(crate) sent: Arc<Mutex<usize>>,
    pub(crate) requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start(root: PathBuf, manner: ServerOptions) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let server = Self {
            port: listener.local_addr().expect("an address").port(),
            manner: Arc::new(Mutex::new(manner)),
            sent: Arc::default(),
            requests: Arc::default(),
        };
        let (manner, count) = (Arc::clone(&server.manner), Arc::clone(&server.sent));
        let requests = Arc::clone(&server.requests);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let manner = manner.lock().expect("a lock").clone();
                let (root, count, requests) =
                    (root.clone(), Arc::clone(&count), Arc::clone(&requests));
                thread::spawn(move || serve(stream, &root, &manner, &count, &requests));
            }
        });
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/origin.git", self.port)
    }

    pub(crate) fn taken(&self) -> usize {
        std::mem::take(&mut self.sent.lock().expect("a lock"))
    }
}

fn serve(
    mut stream: TcpStream,
    root: &Path,
    manner: &ServerOptions,
    total: &Mutex<usize>,
    requests: &Mutex<Vec<String>>,
) {
    let Some(request) = RecordedRequest::read(&stream) else {
        return;
    };
    requests.lock().expect("a lock").push(request.line());
    if manner.sleeps {
        thread::sleep(std::time::Duration::from_secs(30));
    }
    let required = manner.authorization.as_ref();
    if required.is_some_and(|required| required != request.header("authorization")) {
        let lines = "WWW-Authenticate: Basic realm=\"x\"\r\n";
        let unauthorized = ("401 Unauthorized".to_owned(), lines.to_owned(), Vec::new());
        return respond(&mut stream, &unauthorized, 0);
    }
    let (path, query) = request
        .target
        .split_once('?')
        .unwrap_or((&request.target, ""));
    if let Some(to) = &manner.redirect {
        let lines = format!("Location: {to}?{query}\r\n");
        let moved = ("301 Moved Permanently".to_owned(), lines, Vec::new());
        return respond(&mut stream, &moved, 0);
    }
    let response = request.git_response(root, manner.old);
    let limit = manner.breaks_after;
    let limit = limit.filter(|_| path.ends_with("git-upload-pack"));
    let count = limit.map_or(response.2.len(), |limit| limit.min(response.2.len()));
    *total.lock().expect("a lock") += count;
    respond(&mut stream, &response, count);
}
