//! A minimal HTTP/1.1 client for tests on the loopback interface.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// An HTTP response.
#[derive(Debug, Clone)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// Header fields, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: Vec<u8>,
}

impl Response {
    /// Returns the first value of a header; `None` if it is absent.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|header| header.0 == name)
            .map(|header| header.1.as_str())
    }

    /// Returns the body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A connection that stays open between requests.
#[derive(Debug)]
pub struct Client {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Client {
    /// Connects to a server.
    ///
    /// # Errors
    /// Fails if the server does not accept the connection.
    pub fn connect(addr: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(addr)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(Self {
            stream: BufReader::new(stream),
            host: addr.to_string(),
        })
    }

    /// Sends this host instead of the address.
    #[must_use]
    pub fn with_host(mut self, host: &str) -> Self {
        host.clone_into(&mut self.host);
        self
    }

    /// Sends a GET request with additional header fields.
    ///
    /// # Errors
    /// Fails if the connection breaks or the response is not HTTP.
    pub fn get(&mut self, path: &str, headers: &[(&str, &str)]) -> io::Result<Response> {
        let mut request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n", self.host);
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str("\r\n");
        self.stream.get_mut().write_all(request.as_bytes())?;
        self.read()
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the connection was closed",
            ));
        }
        Ok(line.trim_end().to_owned())
    }

    fn read(&mut self) -> io::Result<Response> {
        let bad = |label: &str| io::Error::new(io::ErrorKind::InvalidData, label.to_owned());
        let status = self.line()?;
        let status = status.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| bad("no status line"))?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line
                .split_once(':')
                .ok_or_else(|| bad("a header without colon"))?;
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let length = headers.iter().find(|header| header.0 == "content-length");
        let length: usize = length.and_then(|header| header.1.parse().ok()).unwrap_or(0);
        let mut body = vec![0; if status == 304 { 0 } else { length }];
        self.stream.read_exact(&mut body)?;
        Ok(Response {
            status,
            headers,
            body,
        })
    }
}
