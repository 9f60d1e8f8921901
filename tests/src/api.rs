//! A stub API on the loopback interface that records its requests.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// A recorded request.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    /// Method.
    pub method: String,
    /// Path and query as sent on the wire.
    pub target: String,
    /// Header fields, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: Vec<u8>,
}

impl RecordedRequest {
    /// Returns the first value of a header; empty if it is absent.
    pub fn header(&self, name: &str) -> &str {
        let header = self.headers.iter().find(|header| header.0 == name);
        header.map_or("", |header| &header.1)
    }

    /// Returns the body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A stub API. It listens until the process ends.
#[derive(Debug, Clone)]
pub struct StubApi {
    /// Address it listens on.
    pub addr: SocketAddr,
    requests: Arc<Mutex<Vec<RecordedRequest>>>,
}

impl StubApi {
    /// Starts the API on a free port.
    ///
    /// # Errors
    /// Fails if no port is free.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let api = Self {
            addr: listener.local_addr()?,
            requests: Arc::default(),
        };
        let own = api.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = own.clone();
                // A browser that closes the connection early is no failure.
                thread::spawn(move || own.serve(stream));
            }
        });
        Ok(api)
    }

    /// Returns the origin of the API.
    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// Returns all requests since the last call, without preflights.
    pub fn take(&self) -> Vec<RecordedRequest> {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let all = std::mem::take(&mut *requests);
        all.into_iter()
            .filter(|item| item.method != "OPTIONS")
            .collect()
    }

    fn serve(&self, stream: TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let mut tokens = line.split_whitespace();
        let method = tokens.next().unwrap_or_default().to_owned();
        let target = tokens.next().unwrap_or_default().to_owned();
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
        let length = headers.iter().find(|header| header.0 == "content-length");
        let length: usize = length.and_then(|header| header.1.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let request = RecordedRequest {
            method,
            target,
            headers,
            body,
        };
        if !request.method.is_empty() {
            let mut all = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(request.clone());
        }
        self.respond(&request, reader.get_mut())
    }

    fn respond(&self, request: &RecordedRequest, out: &mut TcpStream) -> io::Result<()> {
        let path = request.target.split('?').next().unwrap_or_default();
        // CORS is disabled below this path.
        let open = !path.starts_with("/closed");
        let mut head = String::from("connection: close\r\n");
        if open {
            head.push_str("access-control-allow-origin: *\r\naccess-control-allow-headers: *, authorization\r\naccess-control-allow-methods: *\r\naccess-control-expose-headers: *\r\n");
        }
        if request.method == "OPTIONS" {
            return write!(out, "HTTP/1.1 204 No Content\r\n{head}\r\n");
        }
        let whole = |out: &mut TcpStream, status: &str, kind: &str, body: &[u8]| {
            write!(
                out,
                "HTTP/1.1 {status}\r\n{head}content-type: {kind}\r\nx-answer: yes\r\ncontent-length: {}\r\n\r\n",
                body.len()
            )?;
            out.write_all(body)
        };
        match path {
            "/events" | "/lines" => {
                let kind = if path == "/events" {
                    "text/event-stream"
                } else {
                    "application/x-ndjson"
                };
                write!(out, "HTTP/1.1 200 OK\r\n{head}content-type: {kind}\r\n\r\n")?;
                for number in 1..=3 {
                    let item = json!({ "number": number });
                    if path == "/events" {
                        write!(out, "event: tick\ndata: {item}\n\n")?;
                    } else {
                        writeln!(out, "{item}")?;
                    }
                    out.flush()?;
                    // The last event waits until the test ends or the reader disconnects.
                    thread::sleep(Duration::from_millis(if number == 2 { 3_000 } else { 50 }));
                }
                Ok(())
            }
            "/slow" => {
                thread::sleep(Duration::from_secs(10));
                whole(out, "200 OK", "text/plain", b"late")
            }
            "/picture" => whole(out, "200 OK", "image/png", &crate::images::png(8, 8)),
            "/page" => whole(
                out,
                "200 OK",
                "text/html",
                b"<script>window.pwned = true</script><img src=x onerror='window.pwned = true'>",
            ),
            "/large" => {
                let text = format!("[\"{}\"]", "x".repeat(700 * 1024));
                whole(out, "200 OK", "application/json", text.as_bytes())
            }
            "/number" => whole(
                out,
                "200 OK",
                "application/json",
                br#"{"id":9007199254740993,"none":[],"word":"\u00e9","half":1.50}"#,
            ),
            "/bytes" => whole(out, "200 OK", "application/octet-stream", &[0, 1, 2, 3]),
            "/nothing" => write!(out, "HTTP/1.1 204 No Content\r\n{head}\r\n"),
            "/oauth/authorize" => {
                let value = |name: &str| query(&request.target, name);
                let mut to = value("redirect_uri");
                if value("response_type") == "token" {
                    to.push_str("#access_token=implicit-token&token_type=bearer");
                } else {
                    to.push_str("?code=the-code");
                }
                to.push_str(&format!("&state={}", value("state")));
                write!(out, "HTTP/1.1 302 Found\r\n{head}location: {to}\r\n\r\n")
            }
            "/oauth/token" => {
                let value = |name: &str| query(&format!("?{}", request.text()), name);
                let grant = value("grant_type");
                // Tokens of this client expire at once.
                let short = value("client_id") == "short";
                let mut token = json!({
                    "access_token": format!("token-of-{grant}"),
                    "expires_in": if short { 5 } else { 3_600 },
                });
                if short && grant == "password" {
                    token["refresh_token"] = "again".into();
                }
                whole(
                    out,
                    "200 OK",
                    "application/json",
                    token.to_string().as_bytes(),
                )
            }
            "/oauth/discovery" => {
                let metadata = json!({
                    "authorization_endpoint": format!("{}/oauth/authorize", self.url()),
                    "token_endpoint": format!("{}/oauth/token", self.url()),
                    "scopes_supported": ["openid", "profile"],
                });
                whole(
                    out,
                    "200 OK",
                    "application/json",
                    metadata.to_string().as_bytes(),
                )
            }
            _ => {
                let status = if path.ends_with("/teapot") {
                    "418 I'm a teapot"
                } else {
                    "200 OK"
                };
                let echo: Value = json!({ "method": request.method, "target": request.target, "body": request.text() });
                whole(out, status, "application/json", echo.to_string().as_bytes())
            }
        }
    }
}

/// Returns the decoded value of a query parameter.
pub fn query(target: &str, name: &str) -> String {
    let query = target.split_once('?').map_or("", |(_, query)| query);
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let pair = pairs.into_iter().find(|(key, _)| *key == name);
    decoded(pair.map_or("", |(_, value)| value))
}

fn decoded(text: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let hex = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        match byte {
            b'%' => {
                let code = hex(bytes.next()).unwrap_or(0) * 16 + hex(bytes.next()).unwrap_or(0);
                out.push(u8::try_from(code).unwrap_or(b'?'));
            }
            b'+' => out.push(b' '),
            byte => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
