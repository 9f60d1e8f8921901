//! Servers and resolvers with scripted responses.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_fetch::{Client, FetchLimits, Policy, Resolver};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// A server on the loopback interface that sends scripted bytes.
pub(crate) struct StubServer {
    pub(crate) addr: SocketAddr,
    connections: Arc<AtomicUsize>,
    heads: Arc<Mutex<Vec<String>>>,
}

impl StubServer {
    /// Passes each request (head and the body that arrived with it) to `respond`, sends the returned
    /// bytes, then closes the connection.
    pub(crate) async fn new(respond: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::bind(Ipv4Addr::LOCALHOST, move |request, mut socket| {
            let bytes = respond(&request);
            Box::pin(async move {
                let _ = socket.write_all(&bytes).await;
                let _ = socket.shutdown().await;
            })
        })
        .await
    }

    /// Passes each socket to `respond` after the head of the request was read.
    pub(crate) async fn bind<F>(ip: Ipv4Addr, respond: F) -> Self
    where
        F: Fn(String, TcpStream) -> Pin<Box<dyn Future<Output = ()> + Send>>
            + Send
            + Sync
            + 'static,
    {
        let listener = TcpListener::bind((ip, 0)).await.expect("a free port");
        let addr = listener.local_addr().expect("an address");
        let connections = Arc::new(AtomicUsize::new(0));
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (counted, recorded, respond) = (
            Arc::clone(&connections),
            Arc::clone(&heads),
            Arc::new(respond),
        );
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                let (recorded, respond) = (Arc::clone(&recorded), Arc::clone(&respond));
                tokio::spawn(async move {
                    let request = read(&mut socket).await;
                    recorded.lock().expect("not poisoned").push(request.clone());
                    respond(request, socket).await;
                });
            }
        });
        Self {
            addr,
            connections,
            heads,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// The requests so far, head and body as text, with header names as they were sent.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.heads.lock().expect("not poisoned").clone()
    }
}

/// Reads the head of a request, and the body if its length is given.
async fn read(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length:")?
                    .trim()
                    .parse()
                    .ok()
            });
            let whole = match length {
                Some(length) => body.len() >= length,
                None => {
                    !head
                        .to_ascii_lowercase()
                        .contains("transfer-encoding: chunked")
                        || body.ends_with("0\r\n\r\n")
                }
            };
            if whole {
                return text;
            }
        }
        match socket.read(&mut buffer).await {
            Ok(0) | Err(_) => return text,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

/// A response with status 200 and a body.
pub(crate) fn ok(body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A redirect response.
pub(crate) fn redirect(status: u16, to: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} Elsewhere\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").into_bytes()
}

/// A resolver that returns one scripted result per lookup and repeats the last one.
#[derive(Debug, Clone, Default)]
pub(crate) struct SequenceResolver {
    responses: Arc<Mutex<VecDeque<Vec<IpAddr>>>>,
    pub(crate) lookups: Arc<AtomicUsize>,
}

impl SequenceResolver {
    pub(crate) fn new(responses: &[&[&str]]) -> Self {
        let read = |texts: &&[&str]| {
            texts
                .iter()
                .map(|text| text.parse().expect("an address"))
                .collect()
        };
        Self {
            responses: Arc::new(Mutex::new(responses.iter().map(read).collect())),
            lookups: Arc::default(),
        }
    }
}

impl Resolver for SequenceResolver {
    fn resolve(&self, _: String) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>> {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        let mut responses = self.responses.lock().expect("not poisoned");
        let next = if responses.len() > 1 {
            responses.pop_front()
        } else {
            responses.front().cloned()
        };
        Box::pin(async move { next.ok_or_else(|| io::ErrorKind::NotFound.into()) })
    }
}

pub(crate) fn policy(allowed: &[&str]) -> Policy {
    Policy::from_rules(allowed).expect("a policy")
}

/// A client that may reach the loopback interface.
pub(crate) fn local(limits: FetchLimits) -> Client {
    Client::new(policy(&["127.0.0.0/8"]), limits)
}

/// Limits for tests that wait until they are reached.
pub(crate) fn short_limits() -> FetchLimits {
    let short = Duration::from_millis(200);
    FetchLimits {
        connect_timeout: Duration::from_secs(5),
        first_byte_timeout: short,
        idle_timeout: short,
        total_timeout: Duration::from_secs(20),
        max_body_bytes: 100_000,
        ..FetchLimits::default()
    }
}
