//! A small HTTP server in front of `git http-backend`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

/// How the server behaves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Manner {
    /// Speaks the older version of the protocol.
    pub(crate) old: bool,
    /// The value of `Authorization` that it wants.
    pub(crate) authorization: Option<String>,
    /// Where it sends everybody.
    pub(crate) redirect: Option<String>,
    /// Breaks off after so many bytes of each pack.
    pub(crate) breaks_after: Option<usize>,
    /// Never answers.
    pub(crate) sleeps: bool,
}

/// A running server. It ends with the test.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) port: u16,
    pub(crate) manner: Arc<Mutex<Manner>>,
    /// The bytes of all answers.
    pub(crate) sent: Arc<Mutex<usize>>,
    pub(crate) requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start(root: PathBuf, manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let server = Self {
            port: listener.local_addr().expect("an address").port(),
            manner: Arc::new(Mutex::new(manner)),
            sent: Arc::default(),
            requests: Arc::default(),
        };
        let (manner, sent) = (Arc::clone(&server.manner), Arc::clone(&server.sent));
        let requests = Arc::clone(&server.requests);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let manner = manner.lock().expect("a lock").clone();
                let (root, sent, requests) =
                    (root.clone(), Arc::clone(&sent), Arc::clone(&requests));
                thread::spawn(move || answer(stream, root, &manner, &sent, &requests));
            }
        });
        server
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/origin.git", self.port)
    }

    pub(crate) fn taken(&self) -> usize {
        std::mem::take(&mut self.sent.lock().expect("a lock"))
    }
}

fn answer(
    mut stream: TcpStream,
    root: PathBuf,
    manner: &Manner,
    sent: &Mutex<usize>,
    requests: &Mutex<Vec<String>>,
) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    let mut first = String::new();
    if reader.read_line(&mut first).unwrap_or(0) == 0 {
        return;
    }
    requests
        .lock()
        .expect("a lock")
        .push(first.trim().to_owned());
    let mut parts = first.split(' ');
    let method = parts.next().unwrap_or_default().to_owned();
    let target = parts.next().unwrap_or_default().to_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut length = 0;
    let (mut kind, mut version, mut who, mut coding) =
        (String::new(), String::new(), String::new(), String::new());
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.trim().to_owned();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap_or(0),
            "content-type" => kind = value,
            "content-encoding" => coding = value,
            "git-protocol" => version = value,
            "authorization" => who = value,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    if manner.sleeps {
        thread::sleep(std::time::Duration::from_secs(30));
    }
    if manner
        .authorization
        .as_ref()
        .is_some_and(|wanted| *wanted != who)
    {
        let head = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\n";
        let _ = write!(
            stream,
            "{head}Content-Length: 0\r\nConnection: close\r\n\r\n"
        );
        return;
    }
    if let Some(to) = &manner.redirect {
        let head = format!("HTTP/1.1 301 Moved Permanently\r\nLocation: {to}?{query}\r\n");
        let _ = write!(
            stream,
            "{head}Content-Length: 0\r\nConnection: close\r\n\r\n"
        );
        return;
    }
    let mut command = Command::new("git");
    command.arg("http-backend");
    command
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1");
    command.env("PATH_INFO", path).env("QUERY_STRING", query);
    command
        .env("REQUEST_METHOD", method)
        .env("CONTENT_TYPE", kind);
    command.env("CONTENT_LENGTH", length.to_string());
    command.env("HTTP_CONTENT_ENCODING", coding);
    command
        .env("REMOTE_ADDR", "127.0.0.1")
        .env_remove("GIT_PROTOCOL");
    if !manner.old {
        command
            .env("HTTP_GIT_PROTOCOL", &version)
            .env("GIT_PROTOCOL", version);
    }
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
    let end = output
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .expect("a head");
    let head = String::from_utf8_lossy(&output[..end]).into_owned();
    let mut status = "200 OK".to_owned();
    let mut lines = String::new();
    for line in head.lines() {
        match line.strip_prefix("Status: ") {
            Some(other) => status = other.to_owned(),
            None => lines.push_str(&format!("{line}\r\n")),
        }
    }
    let mut body = &output[end + 4..];
    let whole = body.len();
    if let Some(most) = manner.breaks_after
        && path.ends_with("git-upload-pack")
    {
        body = &body[..most.min(whole)];
    }
    *sent.lock().expect("a lock") += body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\n{lines}Content-Length: {whole}\r\nConnection: close\r\n\r\n"
    );
    let _ = stream.write_all(body);
}
