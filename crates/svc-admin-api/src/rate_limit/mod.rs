//! How often somebody may ask.
//!
//! Each rule allows a burst and then a steady rate, counted for each subject (a key, a project, a
//! network) with one number: when everything it has asked for would be paid at the steady rate.
//! Memory is bounded by two generations of a table: when the younger is full, the older is
//! forgotten. Whoever can send from thousands of networks gains little by making us forget one.
//! Counts are per process.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::error::ApiError;

/// Subjects in one generation of a rule.
const MAX_GENERATION: usize = 8_192;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitClass {
    /// Requests with a key.
    Key,
    /// Requests without a valid key, of a network.
    Unauthenticated,
    /// Public operations, of a network.
    Public,
    /// Prompts for agents, of a project.
    Prompts,
    /// Deployments of the site, of a project.
    Updates,
    /// Deployments of previews, of a project.
    Previews,
    /// New keys, of a project.
    NewKeys,
}

/// A burst and a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Requests without a pause.
    pub burst: u32,
    /// Afterwards one each.
    pub interval: Duration,
}

impl Quota {
    /// So many requests in a period.
    pub const fn per(burst: u32, period: Duration) -> Self {
        let parts = if burst == 0 { 1 } else { burst };
        let nanos = period.as_nanos() / parts as u128;
        Self {
            burst: parts,
            interval: Duration::from_nanos(nanos as u64),
        }
    }
}

/// The rate of every rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimits {
    /// Requests with one key.
    pub key: Quota,
    /// Requests without a valid key from one network. While they are used up, nothing of that
    /// network is looked at but keys that were good before.
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
    /// Rates that nothing reaches, for whoever counts elsewhere.
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

/// Counts requests. One for all listeners of a program.
#[derive(Debug, Default)]
pub struct RateLimiter {
    rates: RateLimits,
    tables: [Buckets; 7],
    /// Hashes of keys that were good when they were used last.
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
    /// With these rates.
    pub fn new(rates: RateLimits) -> Self {
        Self {
            rates,
            tables: Default::default(),
            valid_keys: Mutex::default(),
        }
    }

    /// Notes that a key is good: it is looked up even while the strangers of its network have used
    /// up their rate.
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

    /// Whether a key was good when it was used last.
    pub(crate) fn is_known_valid(&self, hash: &[u8; 32]) -> bool {
        let good = self
            .valid_keys
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        good.contains(hash)
    }

    /// Counts one request.
    pub(crate) fn acquire(
        &self,
        rule: LimitClass,
        subject: &str,
        now: Duration,
    ) -> Result<(), ApiError> {
        let rate = self.rates.quota(rule);
        let mut table = self.buckets(rule);
        let paid = table.check_at(rate, subject, now)?;
        table.set_tat(subject, paid.max(now) + rate.interval);
        Ok(())
    }

    /// Whether there is room for one request, without counting it.
    pub(crate) fn check(
        &self,
        rule: LimitClass,
        subject: &str,
        now: Duration,
    ) -> Result<(), ApiError> {
        let rate = self.rates.quota(rule);
        self.buckets(rule).check_at(rate, subject, now).map(drop)
    }

    /// Gives one request back that had no effect.
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
    /// When all requests so far are paid, if there is room for one more.
    fn check_at(&self, rate: Quota, subject: &str, now: Duration) -> Result<Duration, ApiError> {
        let paid = self.tat(subject);
        let most = rate.interval.saturating_mul(rate.burst.saturating_sub(1));
        match paid.saturating_sub(now).checked_sub(most) {
            Some(wait) if !wait.is_zero() => Err(ApiError::TooManyRequests(retry_after(wait))),
            _ => Ok(paid),
        }
    }

    fn tat(&self, subject: &str) -> Duration {
        let found = self.young.get(subject).or_else(|| self.old.get(subject));
        found.copied().unwrap_or_default()
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

/// A wait as `Retry-After` tells it: whole seconds, rounded up, and never 0, which would ask the
/// client to come again at once.
pub fn retry_after(wait: Duration) -> u64 {
    let seconds = wait.as_nanos().div_ceil(1_000_000_000).max(1);
    u64::try_from(seconds).unwrap_or(u64::MAX)
}

/// The network that an address is counted under: itself, or of IPv6 the part that one customer
/// of a provider has.
pub fn client_network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
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
    fn no_wait_is_told_as_zero_seconds() {
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
    fn a_rate_of_more_than_one_each_millisecond_is_a_rate() {
        let rate = Quota::per(1_000_000, Duration::from_secs(60));
        assert_eq!(rate.interval, Duration::from_nanos(60_000));
        let limits = RateLimiter::new(RateLimits {
            key: rate,
            ..RateLimits::default()
        });
        // Whoever read the clock first may come to the table last.
        for now in [2, 1, 2, 1] {
            assert_eq!(limits.acquire(LimitClass::Key, "a", at(now)), Ok(()));
        }
    }

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let limits = limits();
        for _ in 0..3 {
            limits.acquire(LimitClass::Key, "a", at(0)).unwrap();
        }
        limits.refund(LimitClass::Key, "a");
        assert_eq!(limits.acquire(LimitClass::Key, "a", at(0)), Ok(()));
        assert!(limits.acquire(LimitClass::Key, "a", at(0)).is_err());
    }

    #[test]
    fn any_number_of_subjects_needs_bounded_memory() {
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
    fn a_customer_of_ipv6_is_one_network() {
        let of = |text: &str| client_network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
