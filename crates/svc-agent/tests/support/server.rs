//! A small HTTP server: `git http-backend` and a forge, whatever the path says.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

/// A request, with the names of headers in lower case.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|header| header.0 == name);
        found.map_or("", |header| header.1.as_str())
    }

    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.method, self.target)
    }
}

type Answer = dyn Fn(usize, &Asked) -> (u16, String) + Send + Sync;

/// A running server. It ends with the test.
pub(crate) struct Server {
    pub(crate) port: u16,
    /// What the forge was asked.
    pub(crate) asked: Arc<Mutex<Vec<Asked>>>,
}

struct Shared {
    root: PathBuf,
    /// The value of `Authorization` that Git has to send.
    authorization: Option<String>,
    answer: Box<Answer>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Repositories are below `root`; the forge gets the number of its request and the request.
    pub(crate) fn start(
        root: PathBuf,
        authorization: Option<&str>,
        answer: impl Fn(usize, &Asked) -> (u16, String) + Send + Sync + 'static,
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

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("a lock").clone()
    }
}

impl Shared {
    fn serve(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
        let mut first = String::new();
        if reader.read_line(&mut first).unwrap_or(0) == 0 {
            return;
        }
        let mut parts = first.split(' ');
        let mut asked = Asked {
            method: parts.next().unwrap_or_default().to_owned(),
            target: parts.next().unwrap_or_default().to_owned(),
            headers: Vec::new(),
            body: String::new(),
        };
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            let header = (name.to_ascii_lowercase(), value.trim().to_owned());
            asked.headers.push(header);
        }
        let mut body = Vec::new();
        if asked.header("transfer-encoding") == "chunked" {
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).expect("a length");
                let length = usize::from_str_radix(line.trim(), 16).expect("a length");
                let mut piece = vec![0; length + 2];
                reader.read_exact(&mut piece).expect("a piece");
                if length == 0 {
                    break;
                }
                body.extend_from_slice(&piece[..length]);
            }
        } else {
            body.resize(asked.header("content-length").parse().unwrap_or(0), 0);
            reader.read_exact(&mut body).expect("a body");
        }
        let (status, head, body) = if asked.target.starts_with("/api/") {
            asked.body = String::from_utf8_lossy(&body).into_owned();
            let mut all = self.asked.lock().expect("a lock");
            all.push(asked.clone());
            let number = all.len();
            drop(all);
            let (status, body) = (self.answer)(number, &asked);
            let head = "Content-Type: application/json\r\n".to_owned();
            (format!("{status} X"), head, body.into_bytes())
        } else if self
            .authorization
            .as_ref()
            .is_some_and(|wanted| wanted != asked.header("authorization"))
        {
            let head = "WWW-Authenticate: Basic realm=\"x\"\r\n".to_owned();
            ("401 Unauthorized".to_owned(), head, Vec::new())
        } else {
            self.git(&asked, body)
        };
        let _ = write!(
            stream,
            "HTTP/1.1 {status}\r\n{head}Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        let _ = stream.write_all(&body);
    }

    fn git(&self, asked: &Asked, body: Vec<u8>) -> (String, String, Vec<u8>) {
        let (path, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
        let mut command = Command::new("git");
        command.arg("http-backend");
        command.env("GIT_PROJECT_ROOT", &self.root);
        command.env("GIT_HTTP_EXPORT_ALL", "1");
        command.env("PATH_INFO", path).env("QUERY_STRING", query);
        command.env("REQUEST_METHOD", &asked.method);
        command.env("CONTENT_TYPE", asked.header("content-type"));
        command.env("CONTENT_LENGTH", body.len().to_string());
        command.env("HTTP_CONTENT_ENCODING", asked.header("content-encoding"));
        command.env("REMOTE_ADDR", "127.0.0.1");
        command.env("GIT_PROTOCOL", asked.header("git-protocol"));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("git http-backend");
        let mut pipe = child.stdin.take().expect("a pipe");
        thread::spawn(move || drop(pipe.write_all(&body)));
        let mut output = Vec::new();
        let mut from = child.stdout.take().expect("a pipe");
        from.read_to_end(&mut output).expect("an output");
        let _ = child.wait();
        let end = output.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.expect("a head");
        let mut status = "200 OK".to_owned();
        let mut lines = String::new();
        for line in String::from_utf8_lossy(&output[..end]).lines() {
            match line.strip_prefix("Status: ") {
                Some(other) => status = other.to_owned(),
                None => lines.push_str(&format!("{line}\r\n")),
            }
        }
        (status, lines, output.split_off(end + 4))
    }
}
