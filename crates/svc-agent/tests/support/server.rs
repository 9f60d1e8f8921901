//! A small HTTP server: `git http-backend` and a forge.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;

use svc_test_support::request::{RecordedRequest, respond};

type Responder = dyn Fn(usize, &RecordedRequest) -> (u16, String) + Send + Sync;

/// A running server. It stops with the test.
pub(crate) struct Server {
    pub(crate) port: u16,
    /// Requests to the forge.
    pub(crate) requests: Arc<Mutex<Vec<RecordedRequest>>>,
}

struct Shared {
    root: PathBuf,
    /// Required value of `Authorization` for Git.
    authorization: Option<String>,
    responder: Box<Responder>,
    requests: Arc<Mutex<Vec<RecordedRequest>>>,
}

impl Server {
    /// Starts a server with the repositories below `root`; `respond` gets the number of a request to
    /// the forge and the request.
    pub(crate) fn start(
        root: PathBuf,
        authorization: Option<&str>,
        respond: impl Fn(usize, &RecordedRequest) -> (u16, String) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::new(Shared {
            root,
            authorization: authorization.map(str::to_owned),
            responder: Box::new(respond),
            requests: Arc::clone(&requests),
        });
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.serve(stream));
            }
        });
        Self { port, requests }
    }

    pub(crate) fn repository(&self) -> String {
        format!("http://127.0.0.1:{}/team/docs.git", self.port)
    }

    pub(crate) fn requests(&self) -> Vec<RecordedRequest> {
        self.requests.lock().expect("a lock").clone()
    }
}

impl Shared {
    fn serve(&self, mut stream: TcpStream) {
        let Some(request) = RecordedRequest::read(&stream) else {
            return;
        };
        let required = self.authorization.as_ref();
        let response = if request.target.starts_with("/api/") {
            let mut all = self.requests.lock().expect("a lock");
            all.push(request.clone());
            let number = all.len();
            drop(all);
            let (status, body) = (self.responder)(number, &request);
            let lines = "Content-Type: application/json\r\n".to_owned();
            (format!("{status} X"), lines, body.into_bytes())
        } else if required.is_some_and(|required| required != request.header("authorization")) {
            let lines = "WWW-Authenticate: Basic realm=\"x\"\r\n".to_owned();
            ("401 Unauthorized".to_owned(), lines, Vec::new())
        } else {
            request.git_response(&self.root, false)
        };
        respond(&mut stream, &response, response.2.len());
    }
}
