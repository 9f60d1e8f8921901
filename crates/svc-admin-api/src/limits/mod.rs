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
const GENERATION: usize = 8_192;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Requests with a key.
    Key,
    /// Requests without a valid key, of a network.
    Stranger,
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
pub struct Rate {
    /// Requests without a pause.
    pub burst: u32,
    /// Afterwards one each.
    pub interval: Duration,
}

impl Rate {
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
pub struct Rates {
    /// Requests with one key.
    pub key: Rate,
    /// Requests without a valid key from one network. While they are used up, nothing of that
    /// network is looked at but keys that were good before.
    pub stranger: Rate,
    /// Public operations from one network.
    pub public: Rate,
    /// Prompts of one project.
    pub prompts: Rate,
    /// Deployments of the site of one project.
    pub updates: Rate,
    /// Deployments of previews of one project.
    pub previews: Rate,
    /// New keys of one project.
    pub new_keys: Rate,
}

impl Default for Rates {
    fn default() -> Self {
        const MINUTE: Duration = Duration::from_secs(60);
        const HOUR: Duration = Duration::from_secs(3600);
        Self {
            key: Rate::per(600, MINUTE),
            stranger: Rate::per(60, MINUTE),
            public: Rate::per(120, MINUTE),
            prompts: Rate::per(100, HOUR),
            updates: Rate::per(10, Duration::from_secs(10)),
            previews: Rate::per(5, MINUTE),
            new_keys: Rate::per(10, HOUR),
        }
    }
}

impl Rates {
    /// Rates that nothing reaches, for whoever counts elsewhere.
    pub const ENDLESS: Self = {
        let rate = Rate {
            burst: u32::MAX,
            interval: Duration::from_nanos(1),
        };
        Self {
            key: rate,
            stranger: rate,
            public: rate,
            prompts: rate,
            updates: rate,
            previews: rate,
            new_keys: rate,
        }
    };

    const fn of(&self, rule: Rule) -> Rate {
        match rule {
            Rule::Key => self.key,
            Rule::Stranger => self.stranger,
            Rule::Public => self.public,
            Rule::Prompts => self.prompts,
            Rule::Updates => self.updates,
            Rule::Previews => self.previews,
            Rule::NewKeys => self.new_keys,
        }
    }
}

/// Counts requests. One for all listeners of a program.
#[derive(Debug, Default)]
pub struct Limits {
    rates: Rates,
    tables: [Table; 7],
    /// Hashes of keys that were good when they were used last.
    good: Mutex<HashSet<[u8; 32]>>,
}

#[derive(Debug, Default)]
struct Table(Mutex<Generations>);

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<String, Duration>,
    old: HashMap<String, Duration>,
}

impl Limits {
    /// With these rates.
    pub fn new(rates: Rates) -> Self {
        Self {
            rates,
            tables: Default::default(),
            good: Mutex::default(),
        }
    }

    /// Notes that a key is good: it is looked up even while the strangers of its network have used
    /// up their rate.
    pub(crate) fn note_good(&self, hash: [u8; 32]) {
        let mut good = self.good.lock().unwrap_or_else(PoisonError::into_inner);
        if good.len() >= GENERATION {
            good.clear();
        }
        good.insert(hash);
    }

    /// Whether a key was good when it was used last.
    pub(crate) fn was_good(&self, hash: &[u8; 32]) -> bool {
        let good = self.good.lock().unwrap_or_else(PoisonError::into_inner);
        good.contains(hash)
    }

    /// Counts one request.
    pub(crate) fn take(&self, rule: Rule, subject: &str, now: Duration) -> Result<(), ApiError> {
        let rate = self.rates.of(rule);
        let mut table = self.table(rule);
        let paid = table.room(rate, subject, now)?;
        table.put(subject, paid.max(now) + rate.interval);
        Ok(())
    }

    /// Whether there is room for one request, without counting it.
    pub(crate) fn look(&self, rule: Rule, subject: &str, now: Duration) -> Result<(), ApiError> {
        let rate = self.rates.of(rule);
        self.table(rule).room(rate, subject, now).map(drop)
    }

    /// Gives one request back that had no effect.
    pub(crate) fn give_back(&self, rule: Rule, subject: &str) {
        let rate = self.rates.of(rule);
        let mut table = self.table(rule);
        let paid = table.paid(subject).saturating_sub(rate.interval);
        table.put(subject, paid);
    }

    fn table(&self, rule: Rule) -> MutexGuard<'_, Generations> {
        let [key, stranger, public, prompts, updates, previews, new_keys] = &self.tables;
        let table = match rule {
            Rule::Key => key,
            Rule::Stranger => stranger,
            Rule::Public => public,
            Rule::Prompts => prompts,
            Rule::Updates => updates,
            Rule::Previews => previews,
            Rule::NewKeys => new_keys,
        };
        table.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    /// When all requests so far are paid, if there is room for one more.
    fn room(&self, rate: Rate, subject: &str, now: Duration) -> Result<Duration, ApiError> {
        let paid = self.paid(subject);
        let most = rate.interval.saturating_mul(rate.burst.saturating_sub(1));
        match paid.saturating_sub(now).checked_sub(most) {
            Some(wait) if !wait.is_zero() => Err(ApiError::TooMany(retry_after(wait))),
            _ => Ok(paid),
        }
    }

    fn paid(&self, subject: &str) -> Duration {
        let found = self.young.get(subject).or_else(|| self.old.get(subject));
        found.copied().unwrap_or_default()
    }

    fn put(&mut self, subject: &str, paid: Duration) {
        if let Some(known) = self.young.get_mut(subject) {
            *known = paid;
            return;
        }
        if self.young.len() >= GENERATION {
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
pub fn network(address: IpAddr) -> String {
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

    fn limits() -> Limits {
        let rate = Rate::per(3, Duration::from_secs(6));
        Limits::new(Rates {
            key: rate,
            ..Rates::default()
        })
    }

    const fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_burst_is_allowed_and_then_a_steady_rate() {
        let limits = limits();
        let take = |subject: &str, millis| limits.take(Rule::Key, subject, at(millis));
        for _ in 0..3 {
            assert_eq!(take("a", 0), Ok(()));
        }
        assert_eq!(take("a", 0), Err(ApiError::TooMany(2)));
        assert_eq!(take("a", 1_500), Err(ApiError::TooMany(1)));
        assert_eq!(take("b", 0), Ok(()), "another one is not affected");
        assert_eq!(take("a", 2_000), Ok(()));
        assert_eq!(take("a", 2_000), Err(ApiError::TooMany(2)));
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
        let limits = Limits::new(Rates {
            key: Rate::per(1, Duration::from_nanos(7)),
            ..Rates::default()
        });
        let take = |nanos| limits.take(Rule::Key, "a", Duration::from_nanos(nanos));
        assert_eq!(take(0), Ok(()));
        assert_eq!(take(1), Err(ApiError::TooMany(1)));
    }

    #[test]
    fn a_rate_of_more_than_one_each_millisecond_is_a_rate() {
        let rate = Rate::per(1_000_000, Duration::from_secs(60));
        assert_eq!(rate.interval, Duration::from_nanos(60_000));
        let limits = Limits::new(Rates {
            key: rate,
            ..Rates::default()
        });
        // Whoever read the clock first may come to the table last.
        for now in [2, 1, 2, 1] {
            assert_eq!(limits.take(Rule::Key, "a", at(now)), Ok(()));
        }
    }

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let limits = limits();
        for _ in 0..3 {
            limits.take(Rule::Key, "a", at(0)).unwrap();
        }
        limits.give_back(Rule::Key, "a");
        assert_eq!(limits.take(Rule::Key, "a", at(0)), Ok(()));
        assert!(limits.take(Rule::Key, "a", at(0)).is_err());
    }

    #[test]
    fn any_number_of_subjects_needs_bounded_memory() {
        let limits = limits();
        for number in 0..100_000_u32 {
            let subject = network(IpAddr::V4(number.into()));
            limits.take(Rule::Stranger, &subject, at(0)).unwrap();
        }
        let table = limits.table(Rule::Stranger);
        assert!(table.young.len() + table.old.len() <= 2 * GENERATION);
    }

    #[test]
    fn a_customer_of_ipv6_is_one_network() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
