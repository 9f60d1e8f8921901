//! The accept loop: takes connections, keeps them inside the limits, and stops in good order.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::Instant;

use crate::caller::network;
use crate::deadline_stream::DeadlineStream;
use crate::framing::Framing;
use crate::idle::{Capacity, IdleTimer};
use crate::in_flight::InFlightRequests;
use crate::service::{BodyRouter, Connection, Handlers, Responder};
use crate::streams::Streams;
use crate::{Limits, LogFn};

/// A listening server that has not begun to answer.
pub struct Server {
    listener: TcpListener,
    limits: Arc<Limits>,
    body_router: Option<BodyRouter>,
    log: Option<LogFn>,
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
            body_router: None,
            log: None,
        })
    }

    /// Tells the log when there is no room for connections.
    #[must_use]
    pub fn with_log(mut self, tell: LogFn) -> Self {
        self.log = Some(tell);
        self
    }

    /// Lets `posts` take requests that bring a body.
    #[must_use]
    pub fn with_body_router(mut self, posts: BodyRouter) -> Self {
        self.body_router = Some(posts);
        self
    }

    /// The address that was taken.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until `stop` is ready, then finishes the requests at hand within `limits.drain`.
    pub async fn run(self, responder: Responder, stop: impl Future<Output = ()>) {
        let places = Arc::new(Semaphore::new(self.limits.connections));
        let capacity = Capacity::new(Arc::clone(&places), self.limits.connections);
        let addresses = ConnectionCounts::default();
        let answers = Handlers {
            responder,
            body_router: self.body_router,
            in_flight: InFlightRequests::new(&self.limits),
        };
        let (stopping, stopped) = watch::channel(false);
        // Closed when the last connection has ended.
        let (open, mut ended) = mpsc::channel::<()>(1);
        let mut log = LogThrottle::new(self.log);
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
                    if !is_connection_error(&error) {
                        log.log(|| format!("connections cannot be accepted: {error}"));
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                    continue;
                }
            };
            let limits = Arc::clone(&self.limits);
            let peer = peer.ip();
            let place = Arc::clone(&places).try_acquire_owned().ok();
            if place.is_none() {
                let all = limits.connections;
                log.log(|| format!("all {all} connections are taken; new ones get 503"));
            }
            let is_proxy = limits.trusted_proxies.iter().any(|one| one.contains(peer));
            let most = match is_proxy {
                true => usize::MAX,
                false => limits.connections_per_addr,
            };
            let seat = place.and_then(|place| addresses.enter(peer, most, place));
            let Some(seat) = seat else {
                reject(&socket);
                continue;
            };
            // Without it small answers wait for the client's acknowledgement.
            let _ = socket.set_nodelay(true);
            let framing = Framing::new();
            let activity = Arc::default();
            let builder = protocol(Streams::new(Arc::clone(&activity), &limits), &limits);
            let idle = IdleTimer::new(activity, capacity.clone(), &limits);
            let socket = DeadlineStream::new(socket, framing.clone(), idle, &limits);
            let service = Connection::new(answers.clone(), peer, Arc::clone(&limits), framing);
            let connection = builder
                .serve_connection(TokioIo::new(socket), service)
                .into_owned();
            let (mut stopped, open) = (stopped.clone(), open.clone());
            tokio::spawn(async move {
                let mut connection = std::pin::pin!(connection);
                tokio::select! {
                    // An error here is the client's: it went away or broke the protocol.
                    _ = connection.as_mut() => {}
                    () = async {
                        let stop = stopped.wait_for(|stopped| *stopped);
                        let _ = tokio::time::timeout(limits.connection_age, stop).await;
                    } => {
                        connection.as_mut().graceful_shutdown();
                        let _ = tokio::time::timeout(LAST_REQUESTS_TIMEOUT, connection).await;
                    }
                }
                drop((seat, open));
            });
        }
        drop((self.listener, open));
        let _ = stopping.send(true);
        let _ = tokio::time::timeout(self.limits.drain, ended.recv()).await;
    }
}

/// How long the requests of a connection that takes no new ones may go on.
const LAST_REQUESTS_TIMEOUT: Duration = Duration::from_secs(600);

fn protocol(streams: Streams, limits: &Limits) -> auto::Builder<Streams> {
    let mut builder = auto::Builder::new(streams);
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

/// Tells of what goes wrong with connections, at most once a minute.
struct LogThrottle {
    log: Option<LogFn>,
    last: Option<Instant>,
}

impl LogThrottle {
    const INTERVAL: Duration = Duration::from_secs(60);

    const fn new(tell: Option<LogFn>) -> Self {
        Self {
            log: tell,
            last: None,
        }
    }

    fn log(&mut self, line: impl FnOnce() -> String) {
        let Some(tell) = &self.log else { return };
        let now = Instant::now();
        if self.last.is_none_or(|last| now - last >= Self::INTERVAL) {
            self.last = Some(now);
            tell(&line());
        }
    }
}

fn is_connection_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    )
}

/// Says "later" to a client that does not get a place; it may not have the time to read it.
fn reject(socket: &TcpStream) {
    let _ = socket.try_write(
        b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
}

/// How many connections each address has open.
#[derive(Debug, Clone, Default)]
struct ConnectionCounts(Arc<Mutex<HashMap<IpAddr, usize>>>);

impl ConnectionCounts {
    fn enter(
        &self,
        address: IpAddr,
        most: usize,
        place: OwnedSemaphorePermit,
    ) -> Option<ConnectionPermit> {
        let address = network(address);
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(ConnectionPermit {
            counts: self.clone(),
            addr: address,
            _permit: place,
        })
    }
}

/// The right to one connection; given back when dropped.
#[derive(Debug)]
struct ConnectionPermit {
    counts: ConnectionCounts,
    addr: IpAddr,
    _permit: OwnedSemaphorePermit,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.addr) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.addr);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_goes_wrong_does_not_fill_the_log() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let tell: LogFn = {
            let lines = Arc::clone(&lines);
            Arc::new(move |line: &str| lines.lock().unwrap().push(line.to_owned()))
        };
        let mut log = LogThrottle::new(Some(tell));
        for second in 0..150 {
            log.log(|| format!("{second}"));
            log.log(|| "again".to_owned());
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert_eq!(*lines.lock().unwrap(), ["0", "60", "120"]);
        LogThrottle::new(None).log(|| unreachable!());
    }
}
