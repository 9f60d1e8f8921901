//! The accept loop: takes connections, keeps them inside the limits, and stops in good order.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::request::Parts;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Limits;
use crate::framing::Framing;
use crate::guarded::Guarded;
use crate::service::{Answers, Connection, Posts, Responder};

/// A listening server that has not begun to answer.
pub struct Server {
    listener: TcpListener,
    limits: Arc<Limits>,
    posts: Option<Posts>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("listener", &self.listener)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// Takes the address; port 0 means any free one.
    ///
    /// # Errors
    /// When the address cannot be taken.
    pub async fn bind(address: SocketAddr, limits: Limits) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        Ok(Self {
            listener,
            limits: Arc::new(limits),
            posts: None,
        })
    }

    /// Lets `posts` take requests that bring a body.
    #[must_use]
    pub fn taking(mut self, posts: Posts) -> Self {
        self.posts = Some(posts);
        self
    }

    /// The address that was taken.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until `stop` is ready, then finishes the requests at hand within `limits.drain`.
    pub async fn run(self, responder: Responder, stop: impl Future<Output = ()>) {
        let builder = Arc::new(protocol(&self.limits));
        let graceful = GracefulShutdown::new();
        let places = Arc::new(Semaphore::new(self.limits.connections));
        let addresses = Addresses::default();
        let answers = Answers {
            responder,
            posts: self.posts,
        };
        let mut stop = std::pin::pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = &mut stop => break,
            };
            let (socket, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of file handles: wait for some to come back instead of spinning.
                    if !is_of_one_connection(&error) {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                    continue;
                }
            };
            let place = Arc::clone(&places).try_acquire_owned().ok();
            let most = self.limits.connections_per_address;
            let seat = place.and_then(|place| addresses.enter(peer.ip(), most, place));
            let Some(seat) = seat else {
                turn_away(&socket);
                continue;
            };
            // Without it small answers wait for the client's acknowledgement.
            let _ = socket.set_nodelay(true);
            let framing = Framing::new();
            let socket = Guarded::new(socket, framing.clone(), &self.limits);
            let limits = Arc::clone(&self.limits);
            let service = Connection::new(answers.clone(), peer.ip(), limits, framing);
            let connection = builder
                .serve_connection(TokioIo::new(socket), service)
                .into_owned();
            let connection = graceful.watch(connection);
            tokio::spawn(async move {
                // An error here is the client's: it went away or broke the protocol.
                let _ = connection.await;
                drop(seat);
            });
        }
        drop(self.listener);
        let _ = tokio::time::timeout(self.limits.drain, graceful.shutdown()).await;
    }
}

fn protocol(limits: &Limits) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .max_buf_size(limits.head_bytes.max(8192))
        .half_close(false);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams)
        .max_header_list_size(u32::try_from(limits.head_bytes).unwrap_or(u32::MAX))
        .max_pending_accept_reset_streams(20)
        .max_local_error_reset_streams(64)
        .max_send_buf_size(256 * 1024)
        .keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(10));
    builder
}

fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    )
}

/// Says "later" to a client that does not get a place; it may not have the time to read it.
fn turn_away(socket: &TcpStream) {
    let _ = socket.try_write(
        b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
}

/// How many connections each address has open.
#[derive(Debug, Clone, Default)]
struct Addresses(Arc<Mutex<HashMap<IpAddr, usize>>>);

impl Addresses {
    fn enter(&self, address: IpAddr, most: usize, place: OwnedSemaphorePermit) -> Option<Seat> {
        let address = network(address);
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Seat {
            addresses: self.clone(),
            address,
            _place: place,
        })
    }
}

/// The address of the client. What is not public is a proxy in front of this server, which says
/// for whom it asks.
pub(crate) fn client(parts: &Parts, peer: IpAddr) -> IpAddr {
    if svc_fetch::not_public(peer).is_none() {
        return peer;
    }
    let forwarded = parts.headers.get_all("x-forwarded-for").iter().next_back();
    let last = forwarded
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.rsplit(',').next())
        .and_then(|value| value.trim().parse().ok());
    last.unwrap_or(peer)
}

/// One IPv6 customer has a whole /64, so that counts as one address.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6((u128::from(v6) & !u128::from(u64::MAX)).into()),
        },
    }
}

/// The right to one connection; given back when dropped.
#[derive(Debug)]
struct Seat {
    addresses: Addresses,
    address: IpAddr,
    _place: OwnedSemaphorePermit,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut open = self
            .addresses
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}
