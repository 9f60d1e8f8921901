//! A client that talks to the server over pipes.

use std::io::{BufReader, PipeReader, PipeWriter, Write as _};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lsp_server::Message;
use serde_json::{Value, json};
use svc_lsp::{Options, run};
use svc_site::LoadOptions;

/// How long a test waits for a message that must come.
const TIMEOUT: Duration = Duration::from_secs(120);

pub(crate) struct Client {
    input: Option<PipeWriter>,
    messages: Receiver<Value>,
    server: Option<JoinHandle<bool>>,
    /// `file:` URI of the directory of the site, without a slash at the end.
    pub(crate) root: String,
}

impl Client {
    pub(crate) fn start(dir: &Path) -> Self {
        let (server_input, input): (PipeReader, PipeWriter) = std::io::pipe().unwrap();
        let (output, mut server_output) = std::io::pipe().unwrap();
        let server = thread::spawn(move || {
            let options = Options {
                version: "0".to_owned(),
                load: Box::new(|_| LoadOptions::default()),
            };
            run(BufReader::new(server_input), &mut server_output, options).unwrap()
        });
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(body) = read_body(&mut output) {
                // What is not JSON would be a violation of the protocol.
                let value = serde_json::from_slice(&body).unwrap();
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        let root = url::Url::from_file_path(dir).unwrap();
        Self {
            input: Some(input),
            messages,
            server: Some(server),
            root: root.as_str().trim_end_matches('/').to_owned(),
        }
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub(crate) fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        let body = message.to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.send_bytes(framed.as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// The next message of the server.
    pub(crate) fn receive(&self) -> Value {
        self.messages
            .recv_timeout(TIMEOUT)
            .expect("the server sends a message")
    }

    /// Ends the input and returns whether the server was shut down before.
    pub(crate) fn end(mut self) -> bool {
        self.input = None;
        self.server.take().unwrap().join().unwrap()
    }
}

/// Reads a frame strictly: only `Content-Length` and a body that is a message.
fn read_body(output: &mut BufReader<PipeReader>) -> Option<Vec<u8>> {
    use std::io::{BufRead as _, Read as _};
    let mut header = String::new();
    if output.read_line(&mut header).unwrap() == 0 {
        return None;
    }
    let length = header.strip_prefix("Content-Length: ").expect("a header");
    let length: usize = length.trim_end().parse().unwrap();
    let mut blank = String::new();
    output.read_line(&mut blank).unwrap();
    assert_eq!(blank, "\r\n");
    let mut body = vec![0; length];
    output.read_exact(&mut body).unwrap();
    let value: Value = serde_json::from_slice(&body).unwrap();
    // The response to a message without id is the only one that the types of the crate do not have.
    if value.get("id") != Some(&Value::Null) {
        serde_json::from_slice::<Message>(&body).unwrap();
    }
    Some(body)
}
