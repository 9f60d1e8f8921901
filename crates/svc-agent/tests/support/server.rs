//! A small HTTP server: `git http-backend` and a forge, whatever the path says.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;

use svc_test_support::request::{RecordedRequest, respond};

type Answers = dyn Fn(usize, &RecordedRequest) -> (u16, String) + Send + Sync;

/// A running server. It ends with the test.
pub(crate) struct Server {
    pub(crate) port: u16,
    /// What the forge was asked.
    pub(crate) asked: Arc<Mutex<Vec<RecordedRequest>>>,
}

struct Shared {
    root: PathBuf,
    /// The value of `Authorization` that Git has to send.
    authorization: Option<String>,
    answer: Box<Answers>,
    asked: Arc<Mutex<Vec<RecordedRequest>>>,
}

impl Server {
    /// Repositories are below `root`; the forge gets the number of its request and the request.
    pub(crate) fn start(
        root: PathBuf,
        authorization: Option<&str>,
        answer: impl Fn(usize, &RecordedRequest) -> (u16, String) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::new(Shared {
            root,
            authorization: authorization.map(str::to_owned),
            answer: Box::new(answer),
            asked: Arc::clone(&asked),
        });
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.serve(stream));
            }
        });
        Self { port, asked }
    }

    pub(crate) fn repository(&self) -> String {
        format!("http://127.0.0.1:{}/team/docs.git", self.port)
    }

    pub(crate) fn asked(&self) -> Vec<RecordedRequest> {
        self.asked.lock().expect("a lock").clone()
    }
}

impl Shared {
    fn serve(&self, mut stream: TcpStream) {
        let Some(asked) = RecordedRequest::read(&stream) else {
            return;
        };
        let wanted = self.authorization.as_ref();
        let found = if asked.target.starts_with("/api/") {
            let mut all = self.asked.lock().expect("a lock");
            all.push(asked.clone());
            let number = all.len();
            drop(all);
            let (status, body) = (self.answer)(number, &asked);
            let lines = "Content-Type: application/json\r\n".to_owned();
            (format!("{status} X"), lines, body.into_bytes())
        } else if wanted.is_some_and(|wanted| wanted != asked.header("authorization")) {
            let lines = "WWW-Authenticate: Basic realm=\"x\"\r\n".to_owned();
            ("401 Unauthorized".to_owned(), lines, Vec::new())
        } else {
            asked.git_response(&self.root, false)
        };
        respond(&mut stream, &found, found.2.len());
    }
}
