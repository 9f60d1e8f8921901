//! Rate limits.
//!
//! Every class of requests allows a burst followed by a steady rate (GCRA). A single number is
//! stored per subject (a key, a project or a network): the time when all its requests so far are
//! paid for at the steady rate. Memory is bounded by two generations of a table: when the younger
//! one is full, the older one is dropped. A client with thousands of networks gains little by this.
//! Limits apply per process.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::error::ApiError;

/// Maximum number of subjects in a generation of a class.
const MAX_GENERATION: usize = 8_192;

/// Class of rate-limited requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitClass {
    /// Authenticated requests, per key.
    Key,
    /// Requests without a valid key, per network.
    Unauthenticated,
    /// Public operations, per network.
    Public,
    /// Prompts for agents, per project.
    Prompts,
    /// Deployments of the site, per project.
    Updates,
    /// Deployments of previews, per project.
    Previews,
    /// New keys, per project.
    NewKeys,
}

/// A burst and a steady rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Maximum number of requests without a pause.
    pub burst: u32,
    /// Interval between further requests.
    pub interval: Duration,
}

impl Quota {
    /// A quota of `burst` requests per period.
    pub const fn per(burst: u32, period: Duration) -> Self {
        let parts = if burst == 0 { 1 } else { burst };
        let nanos = period.as_nanos() / parts as u128;
        Self {
            burst: parts,
            interval: Duration::from_nanos(nanos as u64),
        }
    }

    /// Admits a request at `now` by the generic cell rate algorithm (GCRA). `tat` is the
    /// theoretical arrival time of the subject; the result is the next one.
    ///
    /// # Errors
    /// The time to wait if the quota is exceeded.
    pub fn admit(&self, tat: Duration, now: Duration) -> Result<Duration, Duration> {
        let max_ahead = self.interval.saturating_mul(self.burst.saturating_sub(1));
        match tat.saturating_sub(now).checked_sub(max_ahead) {
            Some(wait) if !wait.is_zero() => Err(wait),
            _ => Ok(tat.max(now).saturating_add(self.interval)),
        }
    }
}

/// Quotas of all classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimits {
    /// Requests with one key.
    pub key: Quota,
    /// Requests without a valid key from one network. While the quota is exceeded, only keys that
    /// were valid at their last use are accepted from this network.
    pub unauthenticated: Quota,
    /// Public operations from one network.
    pub public: Quota,
    /// Prompts of one project.
    pub prompts: Quota,
    /// Deployments of the site of one project.
    pub updates: Quota,
    /// Deployments of previews of one project.
    pub previews: Quota,
    /// New keys of one project.
    pub new_keys: Quota,
}

impl Default for RateLimits {
    fn default() -> Self {
        const MINUTE: Duration = Duration::from_secs(60);
        const HOUR: Duration = Duration::from_secs(3600);
        Self {
            key: Quota::per(600, MINUTE),
            unauthenticated: Quota::per(60, MINUTE),
            public: Quota::per(120, MINUTE),
            prompts: Quota::per(100, HOUR),
            updates: Quota::per(10, Duration::from_secs(10)),
            previews: Quota::per(5, MINUTE),
            new_keys: Quota::per(10, HOUR),
        }
    }
}

impl RateLimits {
    /// Quotas that are never exceeded, for programs with their own rate limits.
    pub const UNLIMITED: Self = {
        let rate = Quota {
            burst: u32::MAX,
            interval: Duration::from_nanos(1),
        };
        Self {
            key: rate,
            unauthenticated: rate,
            public: rate,
            prompts: rate,
            updates: rate,
            previews: rate,
            new_keys: rate,
        }
    };

    const fn quota(&self, rule: LimitClass) -> Quota {
        match rule {
            LimitClass::Key => self.key,
            LimitClass::Unauthenticated => self.unauthenticated,
            LimitClass::Public => self.public,
            LimitClass::Prompts => self.prompts,
            LimitClass::Updates => self.updates,
            LimitClass::Previews => self.previews,
            LimitClass::NewKeys => self.new_keys,
        }
    }
}

/// Counts requests. Shared by all listeners of a program.
#[derive(Debug, Default)]
pub struct RateLimiter {
    rates: RateLimits,
    tables: [Buckets; 7],
    /// Hashes of keys that were valid at their last use.
    valid_keys: Mutex<HashSet<[u8; 32]>>,
}

#[derive(Debug, Default)]
struct Buckets(Mutex<Generations>);

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<String, Duration>,
    old: HashMap<String, Duration>,
}

impl RateLimiter {
    /// Creates a rate limiter.
    pub fn new(rates: RateLimits) -> Self {
        Self {
            rates,
            tables: Default::default(),
            valid_keys: Mutex::default(),
        }
    }

    /// Records that a key is valid, so that it is accepted even while its network exceeds the limit
    /// of unauthenticated requests.
    pub(crate) fn note_valid_key(&self, hash: [u8; 32]) {
        let mut good = self
            .valid_keys
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if good.len() >= MAX_GENERATION {
            good.clear();
        }
        good.insert(hash);
    }

    /// Whether a key was valid at its last use.
    pub(crate) fn is_known_valid(&self, hash: &[u8; 32]) -> bool {
        let good = self
            .valid_keys
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        good.contains(hash)
    }

    /// Counts a request.
    pub(crate) fn acquire(
        &self,
        rule: LimitClass,
        subject: &str,
        now: Duration,
    ) -> Result<(), ApiError> {
        let rate = self.rates.quota(rule);
        let mut table = self.buckets(rule);
        let tat = table.admit(rate, subject, now)?;
        table.set_tat(subject, tat);
        Ok(())
    }

    /// Checks whether a request is allowed, without counting it.
    pub(crate) fn check(
        &self,
        rule: LimitClass,
        subject: &str,
        now: Duration,
    ) -> Result<(), ApiError> {
        let rate = self.rates.quota(rule);
        self.buckets(rule).admit(rate, subject, now).map(drop)
    }

    /// Returns the quota of a request without effect.
    pub(crate) fn refund(&self, rule: LimitClass, subject: &str) {
        let rate = self.rates.quota(rule);
        let mut table = self.buckets(rule);
        let paid = table.tat(subject).saturating_sub(rate.interval);
        table.set_tat(subject, paid);
    }

    fn buckets(&self, rule: LimitClass) -> MutexGuard<'_, Generations> {
        let [key, stranger, public, prompts, updates, previews, new_keys] = &self.tables;
        let table = match rule {
            LimitClass::Key => key,
            LimitClass::Unauthenticated => stranger,
            LimitClass::Public => public,
            LimitClass::Prompts => prompts,
            LimitClass::Updates => updates,
            LimitClass::Previews => previews,
            LimitClass::NewKeys => new_keys,
        };
        table.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn admit(&self, rate: Quota, subject: &str, now: Duration) -> Result<Duration, ApiError> {
        rate.admit(self.tat(subject), now)
            .map_err(|wait| ApiError::TooManyRequests(retry_after(wait)))
    }

    fn tat(&self, subject: &str) -> Duration {
        let entry = self.young.get(subject).or_else(|| self.old.get(subject));
        entry.copied().unwrap_or_default()
    }

    fn set_tat(&mut self, subject: &str, paid: Duration) {
        if let Some(known) = self.young.get_mut(subject) {
            *known = paid;
            return;
        }
        if self.young.len() >= MAX_GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(subject.to_owned(), paid);
    }
}

/// Value of `Retry-After` in seconds: rounded up and at least 1, because 0 would make clients retry
/// immediately.
pub fn retry_after(wait: Duration) -> u64 {
    let seconds = wait.as_nanos().div_ceil(1_000_000_000).max(1);
    u64::try_from(seconds).unwrap_or(u64::MAX)
}

/// Network of a client: the address itself, or for IPv6 its /64 prefix, which belongs to a single
/// customer.
pub fn client_network(ip: IpAddr) -> String {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => {
            let [a, b, c, d, ..] = ip.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> RateLimiter {
        let rate = Quota::per(3, Duration::from_secs(6));
        RateLimiter::new(RateLimits {
            key: rate,
            ..RateLimits::default()
        })
    }

    const fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_burst_is_allowed_and_then_a_steady_rate() {
        let limits = limits();
        let take = |subject: &str, millis| limits.acquire(LimitClass::Key, subject, at(millis));
        for _ in 0..3 {
            assert_eq!(take("a", 0), Ok(()));
        }
        assert_eq!(take("a", 0), Err(ApiError::TooManyRequests(2)));
        assert_eq!(take("a", 1_500), Err(ApiError::TooManyRequests(1)));
        assert_eq!(take("b", 0), Ok(()), "another one is not affected");
        assert_eq!(take("a", 2_000), Ok(()));
        assert_eq!(take("a", 2_000), Err(ApiError::TooManyRequests(2)));
        for _ in 0..3 {
            assert_eq!(take("a", 900_000), Ok(()));
        }
        assert!(take("a", 900_000).is_err(), "a burst does not grow");
    }

    #[test]
    fn retry_after_is_at_least_one_second() {
        assert_eq!(retry_after(Duration::ZERO), 1);
        assert_eq!(retry_after(Duration::from_nanos(1)), 1);
        assert_eq!(retry_after(at(1_000)), 1);
        assert_eq!(retry_after(at(1_001)), 2);
        let limits = RateLimiter::new(RateLimits {
            key: Quota::per(1, Duration::from_nanos(7)),
            ..RateLimits::default()
        });
        let take = |nanos| limits.acquire(LimitClass::Key, "a", Duration::from_nanos(nanos));
        assert_eq!(take(0), Ok(()));
        assert_eq!(take(1), Err(ApiError::TooManyRequests(1)));
    }

    #[test]
    fn a_rate_above_one_per_millisecond_is_supported() {
        let rate = Quota::per(1_000_000, Duration::from_secs(60));
        assert_eq!(rate.interval, Duration::from_nanos(60_000));
        let limits = RateLimiter::new(RateLimits {
            key: rate,
            ..RateLimits::default()
        });
        // Threads can reach the table in another order than they read the clock.
        for now in [2, 1, 2, 1] {
            assert_eq!(limits.acquire(LimitClass::Key, "a", at(now)), Ok(()));
        }
    }

    #[test]
    fn a_refunded_request_can_be_acquired() {
        let limits = limits();
        for _ in 0..3 {
            limits.acquire(LimitClass::Key, "a", at(0)).unwrap();
        }
        limits.refund(LimitClass::Key, "a");
        assert_eq!(limits.acquire(LimitClass::Key, "a", at(0)), Ok(()));
        assert!(limits.acquire(LimitClass::Key, "a", at(0)).is_err());
    }

    #[test]
    fn memory_is_bounded_for_any_number_of_subjects() {
        let limits = limits();
        for number in 0..100_000_u32 {
            let subject = client_network(IpAddr::V4(number.into()));
            limits
                .acquire(LimitClass::Unauthenticated, &subject, at(0))
                .unwrap();
        }
        let table = limits.buckets(LimitClass::Unauthenticated);
        assert!(table.young.len() + table.old.len() <= 2 * MAX_GENERATION);
    }

    #[test]
    fn an_ipv6_prefix_is_one_network() {
        let of = |text: &str| client_network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
