//! Limits the requests in flight per client.
//!
//! A request counts from its head until the last byte of its response has left the process,
//! which bounds the unread responses of a client over all of its connections.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Limits;
use crate::caller::network;

/// How long a request waits for other requests of its client.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum number of waiting requests per permitted request of a client.
const MAX_WAITING: usize = 8;

/// Requests in flight of all clients of a listener. A handle; clones share the state.
#[derive(Debug, Clone)]
pub(crate) struct InFlightRequests(Arc<InFlightState>);

#[derive(Debug)]
struct InFlightState {
    all: Arc<Semaphore>,
    /// Maximum number of concurrent requests per client.
    per_client: usize,
    clients: Mutex<HashMap<IpAddr, ClientRequests>>,
}

#[derive(Debug)]
struct ClientRequests {
    permits: Arc<Semaphore>,
    /// Number of requests with a permit or waiting for one.
    requests: usize,
}

impl InFlightRequests {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self(Arc::new(InFlightState {
            all: Arc::new(Semaphore::new(limits.requests)),
            per_client: limits.requests_per_client,
            clients: Mutex::default(),
        }))
    }

    /// Acquires a permit for a request; `None` if there are too many requests.
    pub(crate) async fn enter(&self, client: IpAddr) -> Option<Permit> {
        let (visit, permits) = self.join(network(client))?;
        if let Some((permit, all)) = self.try_acquire(&permits) {
            return Some(Permit(Arc::new((permit, all, visit))));
        }
        let wait = async {
            let permit = permits.acquire_owned().await.ok()?;
            let all = Arc::clone(&self.0.all);
            Some((permit, all.acquire_owned().await.ok()?))
        };
        let (permit, all) = tokio::time::timeout(QUEUE_TIMEOUT, wait).await.ok()??;
        Some(Permit(Arc::new((permit, all, visit))))
    }

    /// Acquires a permit without waiting.
    pub(crate) fn try_enter(&self, client: IpAddr) -> Option<Permit> {
        let (visit, permits) = self.join(network(client))?;
        let (permit, all) = self.try_acquire(&permits)?;
        Some(Permit(Arc::new((permit, all, visit))))
    }

    fn try_acquire(
        &self,
        of_client: &Arc<Semaphore>,
    ) -> Option<(OwnedSemaphorePermit, OwnedSemaphorePermit)> {
        let permit = Arc::clone(of_client).try_acquire_owned().ok()?;
        let all = Arc::clone(&self.0.all).try_acquire_owned().ok()?;
        Some((permit, all))
    }

    fn join(&self, client: IpAddr) -> Option<(ClientGuard, Arc<Semaphore>)> {
        let per_client = self.0.per_client;
        let mut clients = self.clients();
        let known = clients.entry(client).or_insert_with(|| ClientRequests {
            permits: Arc::new(Semaphore::new(per_client)),
            requests: 0,
        });
        if known.requests >= per_client.saturating_mul(1 + MAX_WAITING) {
            return None;
        }
        known.requests += 1;
        let visit = ClientGuard {
            requests: self.clone(),
            client,
        };
        Some((visit, Arc::clone(&known.permits)))
    }

    fn clients(&self) -> MutexGuard<'_, HashMap<IpAddr, ClientRequests>> {
        self.0
            .clients
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Entry of a client, which exists as long as the client has requests.
#[derive(Debug)]
struct ClientGuard {
    requests: InFlightRequests,
    client: IpAddr,
}

impl Drop for ClientGuard {
    fn drop(&mut self) {
        let mut clients = self.requests.clients();
        if let Some(known) = clients.get_mut(&self.client) {
            known.requests -= 1;
            if known.requests == 0 {
                clients.remove(&self.client);
            }
        }
    }
}

/// Permit for a request, released when all clones are dropped.
#[derive(Debug, Clone)]
pub(crate) struct Permit(
    #[expect(dead_code, reason = "released on drop")]
    Arc<(OwnedSemaphorePermit, OwnedSemaphorePermit, ClientGuard)>,
);

/// Bytes that hold the permit of their request until they were sent.
struct HeldBytes {
    bytes: Bytes,
    _permit: Permit,
}

impl AsRef<[u8]> for HeldBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Permit {
    /// The same bytes, which hold the permit until they are dropped.
    pub(crate) fn hold(&self, bytes: Bytes) -> Bytes {
        Bytes::from_owner(HeldBytes {
            bytes,
            _permit: self.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests() -> InFlightRequests {
        InFlightRequests::new(&Limits {
            requests: 3,
            requests_per_client: 2,
            ..Limits::default()
        })
    }

    fn client(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[tokio::test(start_paused = true)]
    async fn requests_of_a_client_are_limited_and_queued() {
        let requests = requests();
        let held = [
            requests.enter(client(1)).await,
            requests.enter(client(1)).await,
        ];
        assert!(held.iter().all(Option::is_some));
        assert!(requests.enter(client(1)).await.is_none(), "it has waited");
        let other = requests.enter(client(2)).await;
        assert!(other.is_some(), "another client is not affected");
        assert!(requests.enter(client(3)).await.is_none(), "all are taken");
        let next = tokio::spawn({
            let requests = requests.clone();
            async move { requests.enter(client(1)).await.is_some() }
        });
        tokio::task::yield_now().await;
        drop(held);
        assert!(next.await.unwrap(), "it comes as soon as there is a place");
    }

    #[tokio::test(start_paused = true)]
    async fn the_number_of_waiting_requests_is_limited() {
        let requests = requests();
        let visits: Vec<_> = (0..30).map(|_| requests.join(client(1))).collect();
        let taken = visits.iter().flatten().count();
        assert_eq!(taken, 2 * (1 + MAX_WAITING));
        assert!(requests.join(client(2)).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn unsent_bytes_hold_the_permit_and_idle_clients_are_removed() {
        let requests = requests();
        let permit = requests.enter(client(1)).await.unwrap();
        let bytes = permit.hold(Bytes::from_static(b"words"));
        drop(permit);
        let rest = bytes.slice(2..);
        drop(bytes);
        assert_eq!((&rest[..], requests.clients().len()), (&b"rds"[..], 1));
        drop(rest);
        assert!(requests.clients().is_empty());
    }
}
