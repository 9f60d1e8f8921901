//! Rate and concurrency limits per client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use svc_admin_api::rate_limit::Quota;
use tokio::time::Instant;

/// Maximum number of tracked clients; beyond it, requests are rejected until some expire.
const MAX_CLIENTS: usize = 10_000;

/// Limits per client.
#[derive(Debug, Clone)]
pub(crate) struct ClientLimits {
    /// Maximum number of concurrent requests.
    pub(crate) max_concurrent: usize,
    /// Maximum number of concurrent requests per client.
    pub(crate) max_concurrent_per_client: usize,
    /// Rate of the requests of a client.
    pub(crate) quota: Quota,
}

/// Rate limiter over all clients.
#[derive(Debug, Clone)]
pub(crate) struct ClientRateLimiter(Arc<LimiterInner>);

#[derive(Debug)]
struct LimiterInner {
    limits: ClientLimits,
    start: Instant,
    state: Mutex<LimiterState>,
}

#[derive(Debug, Default)]
struct LimiterState {
    open: usize,
    clients: HashMap<IpAddr, ClientUsage>,
}

#[derive(Debug)]
struct ClientUsage {
    open: usize,
    /// Theoretical arrival time, since the start of the limiter.
    tat: Duration,
}

impl ClientRateLimiter {
    pub(crate) fn new(limits: ClientLimits) -> Self {
        Self(Arc::new(LimiterInner {
            limits,
            start: Instant::now(),
            state: Mutex::default(),
        }))
    }

    /// Acquires a permit for a request, or returns the time to wait.
    pub(crate) fn enter(&self, client: IpAddr) -> Result<RatePermit, Duration> {
        const RETRY_DELAY: Duration = Duration::from_secs(1);
        let limits = &self.0.limits;
        let mut known = self.state();
        // The clock is read under the lock: otherwise another request could store a later time
        // first, and this one would be ahead of the rate.
        let now = self.0.start.elapsed();
        if known.open >= limits.max_concurrent {
            return Err(RETRY_DELAY);
        }
        if known.clients.len() >= MAX_CLIENTS {
            let waits = |_: &IpAddr, client: &mut ClientUsage| client.open > 0 || client.tat > now;
            known.clients.retain(waits);
            if known.clients.len() >= MAX_CLIENTS {
                return Err(limits.quota.interval);
            }
        }
        let fresh = ClientUsage { open: 0, tat: now };
        let entry = known.clients.entry(client).or_insert(fresh);
        if entry.open >= limits.max_concurrent_per_client {
            return Err(RETRY_DELAY);
        }
        entry.tat = limits.quota.admit(entry.tat, now)?;
        entry.open += 1;
        known.open += 1;
        Ok(RatePermit {
            limiter: self.clone(),
            client,
        })
    }

    fn state(&self) -> MutexGuard<'_, LimiterState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Permit for a request, released on drop.
#[derive(Debug)]
pub(crate) struct RatePermit {
    limiter: ClientRateLimiter,
    client: IpAddr,
}

impl Drop for RatePermit {
    fn drop(&mut self) {
        let mut known = self.limiter.state();
        known.open = known.open.saturating_sub(1);
        if let Some(client) = known.clients.get_mut(&self.client) {
            client.open = client.open.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates() -> ClientRateLimiter {
        ClientRateLimiter::new(ClientLimits {
            max_concurrent: 4,
            max_concurrent_per_client: 2,
            quota: Quota {
                burst: 3,
                interval: Duration::from_secs(2),
            },
        })
    }

    fn client(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_followed_by_a_steady_rate() {
        let rates = rates();
        for _ in 0..3 {
            assert!(rates.enter(client(1)).is_ok());
        }
        assert_eq!(rates.enter(client(1)).err(), Some(Duration::from_secs(2)));
        assert!(
            rates.enter(client(2)).is_ok(),
            "another client is not affected"
        );
        tokio::time::advance(Duration::from_secs(2)).await;
        assert!(rates.enter(client(1)).is_ok());
        assert!(rates.enter(client(1)).is_err());
        tokio::time::advance(Duration::from_secs(60)).await;
        for _ in 0..3 {
            assert!(rates.enter(client(1)).is_ok());
        }
        assert!(
            rates.enter(client(1)).is_err(),
            "a burst does not grow while nobody asks"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn concurrent_requests_are_limited() {
        let rates = rates();
        let permits = [rates.enter(client(1)), rates.enter(client(1))];
        assert!(rates.enter(client(1)).is_err());
        let two = [rates.enter(client(2)), rates.enter(client(2))];
        assert!(rates.enter(client(3)).is_err(), "all places are taken");
        drop(permits);
        assert!(rates.enter(client(3)).is_ok());
        drop(two);
    }

    #[tokio::test(start_paused = true)]
    async fn clients_expire_when_there_are_too_many() {
        let rates = rates();
        for number in 0..3 * MAX_CLIENTS as u32 {
            tokio::time::advance(Duration::from_millis(10)).await;
            let _ = rates.enter(IpAddr::V4(number.into()));
        }
        assert!(rates.state().clients.len() <= MAX_CLIENTS);
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!(rates.enter(client(1)).is_ok());
    }

    #[test]
    fn concurrent_requests_pass_without_a_rate() {
        let rates = ClientRateLimiter::new(ClientLimits {
            max_concurrent: 8,
            max_concurrent_per_client: 8,
            quota: Quota {
                burst: 1,
                interval: Duration::ZERO,
            },
        });
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50_000 {
                        assert!(rates.enter(client(1)).is_ok());
                    }
                });
            }
        });
    }
}
