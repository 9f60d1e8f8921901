//! The accept loop: accepts connections within the limits and shuts down gracefully.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::Instant;
use tracing::warn;

use crate::Limits;
use crate::caller::network;
use crate::connection::ConnectionContext;
use crate::idle::Capacity;
use crate::in_flight::InFlightRequests;
use crate::metrics::{ListenerMetrics, Metrics, RefusalReason};
use crate::request_id::RequestIds;
use crate::response_cache::ResponseCache;
use crate::service::{BodyRouter, Handlers, Responder};
use crate::sockets;
use crate::tls::Tls;
use crate::write_deadline::WriteDeadline;

/// A bound server that does not accept connections yet.
pub struct Server {
    listener: TcpListener,
    limits: Arc<Limits>,
    body_router: Option<BodyRouter>,
    tls: Option<Tls>,
    metrics: ListenerMetrics,
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
    /// Binds an address; port 0 selects any free port.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub async fn bind(addr: SocketAddr, limits: Limits) -> io::Result<Self> {
        Self::bind_or_inherit(None, addr, limits).await
    }

    /// Takes over a socket of the service manager if there is one, and binds the address otherwise.
    ///
    /// # Errors
    /// If the address cannot be bound or the socket cannot be used.
    pub(crate) async fn bind_or_inherit(
        socket: Option<std::net::TcpListener>,
        addr: SocketAddr,
        limits: Limits,
    ) -> io::Result<Self> {
        let listener = match socket {
            Some(socket) => sockets::inherit(socket, addr)?,
            None => TcpListener::bind(addr).await?,
        };
        Ok(Self {
            listener,
            limits: Arc::new(limits),
            body_router: None,
            tls: None,
            metrics: Metrics::default().sites(),
        })
    }

    /// Counts connections and requests in `metrics`.
    #[must_use]
    pub fn with_metrics(mut self, metrics: ListenerMetrics) -> Self {
        self.metrics = metrics;
        self
    }

    /// Routes requests with a body through `router`.
    #[must_use]
    pub fn with_body_router(mut self, posts: BodyRouter) -> Self {
        self.body_router = Some(posts);
        self
    }

    /// Encrypts the connections, and reloads the certificates when their files change.
    #[must_use]
    pub fn with_tls(mut self, tls: Option<Tls>) -> Self {
        self.tls = tls;
        self
    }

    /// The bound address.
    ///
    /// # Errors
    /// If the operating system does not return it.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves requests until `stop` completes, then waits up to `limits.drain` for those in flight.
    pub async fn run(self, responder: Responder, stop: impl Future<Output = ()>) {
        let permits = Arc::new(Semaphore::new(self.limits.connections));
        let capacity = Capacity::new(Arc::clone(&permits), self.limits.connections);
        let connections = ConnectionCounts::default();
        let context = ConnectionContext {
            handlers: Arc::new(Handlers {
                responder,
                body_router: self.body_router,
                in_flight: InFlightRequests::new(&self.limits),
                metrics: self.metrics.clone(),
                ids: RequestIds::new(),
                responses: ResponseCache::default(),
                encryption: self.tls.as_ref().map(Tls::encryption),
            }),
            limits: Arc::clone(&self.limits),
            capacity,
        };
        let counters = Arc::clone(self.metrics.connections());
        let (stopping, stopped) = watch::channel(false);
        // Closed when the last connection has ended.
        let (open, mut closed_rx) = mpsc::channel::<()>(1);
        let mut throttle = LogThrottle::default();
        let mut stop = std::pin::pin!(stop);
        let reloads = self.tls.clone().map(|tls| tokio::spawn(tls.watch()));
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = &mut stop => break,
            };
            let (socket, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of file descriptors: wait until some are free instead of spinning.
                    if !is_connection_error(&error) {
                        counters.refused(RefusalReason::Error);
                        if throttle.is_due() {
                            warn!("cannot accept connections: {error}");
                        }
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                    continue;
                }
            };
            let limits = &self.limits;
            let peer = peer.ip();
            let permit = Arc::clone(&permits).try_acquire_owned().ok();
            if permit.is_none() && throttle.is_due() {
                let max = limits.connections;
                warn!("limit of {max} connections reached; rejecting new ones with 503");
            }
            let is_proxy = limits.trusted_proxies.iter().any(|one| one.contains(peer));
            let max = match is_proxy {
                true => usize::MAX,
                false => limits.connections_per_addr,
            };
            let reason = match permit {
                Some(_) => RefusalReason::Client,
                None => RefusalReason::Limit,
            };
            let slot = permit.and_then(|permit| connections.enter(peer, max, permit));
            let Some(slot) = slot else {
                counters.refused(reason);
                if self.tls.is_none() {
                    reject(&socket);
                }
                continue;
            };
            let slot = (slot, counters.open());
            // Without TCP_NODELAY, small responses wait for an acknowledgement of the client.
            let _ = socket.set_nodelay(true);
            let (context, stopped) = (context.clone(), stopped.clone());
            let guard = (slot, open.clone());
            let socket = WriteDeadline::new(socket, &self.limits);
            match self.tls.clone() {
                None => tokio::spawn(async move {
                    context.serve(socket, peer, stopped).await;
                    drop(guard);
                }),
                Some(tls) => tokio::spawn(async move {
                    // On the heap, so that the rest of the connection does not need its space.
                    let handshake = Box::pin(context.handshake(&tls, socket, stopped.clone()));
                    if let Some(stream) = handshake.await {
                        context.serve(stream, peer, stopped).await;
                    }
                    drop(guard);
                }),
            };
        }
        drop((self.listener, open));
        if let Some(reloads) = reloads {
            reloads.abort();
        }
        let _ = stopping.send(true);
        let _ = tokio::time::timeout(self.limits.drain, closed_rx.recv()).await;
    }
}

/// Limits the log of connection problems to one event per minute.
#[derive(Default)]
struct LogThrottle {
    last: Option<Instant>,
}

impl LogThrottle {
    const INTERVAL: Duration = Duration::from_secs(60);

    /// Whether an event is due now; it then counts as logged.
    fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = self.last.is_none_or(|last| now - last >= Self::INTERVAL);
        if is_due {
            self.last = Some(now);
        }
        is_due
    }
}

fn is_connection_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    )
}

/// Sends 503 to a client without reading its request; the client may not read the response.
fn reject(socket: &TcpStream) {
    let _ = socket.try_write(
        b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
}

/// Number of open connections per client address.
#[derive(Debug, Clone, Default)]
struct ConnectionCounts(Arc<Mutex<HashMap<IpAddr, usize>>>);

impl ConnectionCounts {
    fn enter(
        &self,
        addr: IpAddr,
        max: usize,
        permit: OwnedSemaphorePermit,
    ) -> Option<ConnectionPermit> {
        let addr = network(addr);
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(addr).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(ConnectionPermit {
            counts: self.clone(),
            addr,
            _permit: permit,
        })
    }
}

/// Permit for one connection, released on drop.
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
    async fn repeated_errors_are_throttled_in_the_log() {
        let mut logged = Vec::new();
        let mut throttle = LogThrottle::default();
        for second in 0..150 {
            for repetition in 0..2 {
                if throttle.is_due() {
                    logged.push((second, repetition));
                }
            }
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert_eq!(logged, [(0, 0), (60, 0), (120, 0)]);
    }
}
