//! HTTP requests recorded by stub servers, optionally handled by Git's `http-backend`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

/// A recorded request.
#[derive(Debug, Clone, Default)]
pub struct RecordedRequest {
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Response of a stub: status, other header lines, body.
pub type StubResponse = (String, String, Vec<u8>);

impl RecordedRequest {
    /// Reads a request from a connection. Returns `None` if there is none.
    ///
    /// # Panics
    /// When the request is incomplete.
    pub fn read(stream: &TcpStream) -> Option<Self> {
        let mut reader = BufReader::new(stream);
        let mut line = || {
            let mut line = String::new();
            let read = reader.read_line(&mut line).unwrap_or(0);
            (read > 0).then(|| line.trim().to_owned())
        };
        let first = line()?;
        let mut parts = first.split(' ');
        let mut request = Self {
            method: parts.next().unwrap_or_default().to_owned(),
            target: parts.next().unwrap_or_default().to_owned(),
            ..Self::default()
        };
        while let Some(line) = line().filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            let header = (name.to_ascii_lowercase(), value.trim().to_owned());
            request.headers.push(header);
        }
        if request.header("transfer-encoding") != "chunked" {
            let length = request.header("content-length").parse().unwrap_or(0);
            request.body.resize(length, 0);
            reader.read_exact(&mut request.body).expect("a body");
            return Some(request);
        }
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a length");
            let length = usize::from_str_radix(line.trim(), 16).expect("a length");
            let mut piece = vec![0; length + 2];
            reader.read_exact(&mut piece).expect("a piece");
            if length == 0 {
                return Some(request);
            }
            request.body.extend_from_slice(&piece[..length]);
        }
    }

    /// Value of a header; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        let header = self.headers.iter().find(|header| header.0 == name);
        header.map_or("", |header| header.1.as_str())
    }

    /// Method and target, for example `GET /path`.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.target)
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Response of `git http-backend` for the repositories below `root`; `old` selects version 0 of
    /// the protocol.
    ///
    /// # Panics
    /// When Git is not installed.
    pub fn git_response(&self, root: &Path, old: bool) -> StubResponse {
        let (path, query) = self.target.split_once('?').unwrap_or((&self.target, ""));
        let mut command = Command::new("git");
        command.arg("http-backend");
        command.env("GIT_PROJECT_ROOT", root);
        command.env("GIT_HTTP_EXPORT_ALL", "1");
        command.env("PATH_INFO", path).env("QUERY_STRING", query);
        command.env("REQUEST_METHOD", &self.method);
        command.env("CONTENT_TYPE", self.header("content-type"));
        command.env("CONTENT_LENGTH", self.body.len().to_string());
        command.env("HTTP_CONTENT_ENCODING", self.header("content-encoding"));
        command.env("REMOTE_ADDR", "127.0.0.1");
        command.env_remove("GIT_PROTOCOL");
        if !old {
            let version = self.header("git-protocol");
            command.env("HTTP_GIT_PROTOCOL", version);
            command.env("GIT_PROTOCOL", version);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("Git");
        let (mut pipe, body) = (child.stdin.take().expect("a pipe"), self.body.clone());
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
                Some(other) => other.clone_into(&mut status),
                None => lines.push_str(&format!("{line}\r\n")),
            }
        }
        (status, lines, output.split_off(end + 4))
    }
}

/// Sends a response with only the first `sent` bytes of the body, to simulate a broken connection.
pub fn respond(stream: &mut TcpStream, (status, lines, body): &StubResponse, sent: usize) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{lines}Content-Length: {length}\r\n");
    // The client may have closed the connection.
    let _ = write!(stream, "{head}Connection: close\r\n\r\n");
    let _ = stream.write_all(&body[..sent.min(length)]);
}
