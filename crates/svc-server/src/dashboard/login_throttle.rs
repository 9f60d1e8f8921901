//! How often a password may be tried.
//!
//! Each failure is counted for the account and for the network that it came from. After a few of
//! them every further one doubles the wait, up to a limit. A trial counts before the password is
//! looked at, so that many at once are as slow as one after the other. Memory is bounded by two
//! generations of a table: when the younger is full, the older is forgotten.
//!
//! Strangers who try an account from everywhere must not keep its owner out. So a browser in which
//! he has signed in before ([`device`](super::device)), and a network from which he has, are counted
//! for themselves and not with the account.
//!
//! Here is also decided which failures the audit log hears of. It must not be filled by strangers,
//! and whether an entry is written must not depend on whether there is such an account, as writing
//! takes its time: the first failures of an account or a network count, then ever fewer of them,
//! and all together no more than a certain rate.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use svc_admin_api::rate_limit::retry_after;

/// Subjects in one generation.
const MAX_GENERATION: usize = 8_192;

/// When waits begin and end.
#[derive(Debug, Clone, Copy)]
struct BackoffPolicy {
    /// Failures without a wait.
    free_attempts: u32,
    /// The longest wait. For accounts it is short: a stranger must not keep the owner out for long.
    max_wait: Duration,
}

const ACCOUNT: BackoffPolicy = BackoffPolicy {
    free_attempts: 5,
    max_wait: Duration::from_secs(60),
};

const NETWORK: BackoffPolicy = BackoffPolicy {
    free_attempts: 10,
    max_wait: Duration::from_secs(15 * 60),
};

/// After this time without a trial everything is forgiven.
const RESET_TTL: Duration = Duration::from_secs(30 * 60);

/// Failures that are noted at once, and the time for each further one.
const AUDIT_QUOTA: (u32, Duration) = (200, Duration::from_secs(20));

/// Counts failed trials. One for all requests of a program.
#[derive(Debug, Default)]
pub(super) struct LoginThrottle(Mutex<Tables>);

#[derive(Debug, Default)]
struct Tables {
    /// Accounts, and devices and networks that are known to belong to one.
    accounts: AttemptTable,
    networks: AttemptTable,
    /// Accounts with networks from which somebody has signed in to them.
    known: AttemptTable,
    /// When everything that was noted has had its time.
    audit_tat: Duration,
}

/// Who tries a password.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) account: &'a str,
    pub(super) network: &'a str,
    /// The browser, when somebody has signed in to the account in it.
    pub(super) device: Option<&'a str>,
}

impl Subject<'_> {
    /// The account at the network. No name of an account has a blank.
    fn network_key(self) -> String {
        format!("{} {}", self.account, self.network)
    }
}

impl Tables {
    /// What a trial is counted under besides its network.
    fn key(&self, subject: Subject<'_>) -> String {
        let place = subject.network_key();
        match subject.device {
            Some(device) => format!("{} device {device}", subject.account),
            None if self.known.get(&place).failures > 0 => place,
            None => subject.account.to_owned(),
        }
    }
}

/// A trial that may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trial {
    /// Which one of the account it is since the last success.
    account: u32,
    /// Which one of the network.
    network: u32,
}

#[derive(Debug, Default)]
struct AttemptTable {
    recent: HashMap<String, Count>,
    previous: HashMap<String, Count>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    failures: u32,
    last: Duration,
}

impl LoginThrottle {
    /// Counts a trial as failed until [`forget`](Self::forget) says otherwise.
    ///
    /// # Errors
    /// The seconds to wait, when it may not be made yet.
    pub(super) fn begin(&self, subject: Subject<'_>, now: Duration) -> Result<Trial, u64> {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (key, network) = (tables.key(subject), subject.network);
        let account_wait = tables.accounts.wait(&key, ACCOUNT, now);
        let network_wait = tables.networks.wait(network, NETWORK, now);
        let wait = account_wait.max(network_wait);
        if !wait.is_zero() {
            return Err(retry_after(wait));
        }
        Ok(Trial {
            account: tables.accounts.count(&key, now),
            network: tables.networks.count(network, now),
        })
    }

    /// Whether the audit log hears that a trial has failed.
    pub(super) fn should_audit(&self, trial: Trial, now: Duration) -> bool {
        let is_step = |count: u32| count <= ACCOUNT.free_attempts || count.is_power_of_two();
        (is_step(trial.account) || is_step(trial.network)) && self.has_audit_capacity(now)
    }

    /// Whether the audit log has room for one more who did not get in.
    pub(super) fn has_audit_capacity(&self, now: Duration) -> bool {
        let (at_once, each) = AUDIT_QUOTA;
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = tables.audit_tat.max(now).saturating_add(each);
        let fits = next.saturating_sub(now) <= each * at_once;
        if fits {
            tables.audit_tat = next;
        }
        fits
    }

    /// The password was right. What strangers have tried elsewhere stays counted.
    pub(super) fn forget(&self, subject: Subject<'_>, now: Duration) {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = tables.key(subject);
        tables.accounts.forget(&key);
        tables.networks.forget(subject.network);
        tables.known.count(&subject.network_key(), now);
    }
}

impl AttemptTable {
    fn get(&self, subject: &str) -> Count {
        let found = self
            .recent
            .get(subject)
            .or_else(|| self.previous.get(subject));
        found.copied().unwrap_or_default()
    }

    fn wait(&self, subject: &str, patience: BackoffPolicy, now: Duration) -> Duration {
        let Count { failures, last } = self.get(subject);
        let passed = now.saturating_sub(last);
        let Some(over) = failures.checked_sub(patience.free_attempts) else {
            return Duration::ZERO;
        };
        if passed >= RESET_TTL {
            return Duration::ZERO;
        }
        let wait = Duration::from_secs(1_u64 << over.min(20));
        wait.min(patience.max_wait).saturating_sub(passed)
    }

    fn count(&mut self, subject: &str, now: Duration) -> u32 {
        let Count { failures, last } = self.get(subject);
        let forgiven = now.saturating_sub(last) >= RESET_TTL;
        let failures = if forgiven { 0 } else { failures };
        let new = Count {
            failures: failures.saturating_add(1),
            last: now,
        };
        if !self.recent.contains_key(subject) && self.recent.len() >= MAX_GENERATION {
            self.previous = std::mem::take(&mut self.recent);
        }
        self.recent.insert(subject.to_owned(), new);
        new.failures
    }

    fn forget(&mut self, subject: &str) {
        self.recent.remove(subject);
        self.previous.remove(subject);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const fn of<'a>(account: &'a str, network: &'a str) -> Subject<'a> {
        Subject {
            account,
            network,
            device: None,
        }
    }

    #[test]
    fn waits_grow_and_end() {
        let attempts = LoginThrottle::default();
        for _ in 0..5 {
            assert!(attempts.begin(of("anna", "a"), at(100)).is_ok());
        }
        assert_eq!(attempts.begin(of("anna", "b"), at(100)), Err(1));
        assert!(attempts.begin(of("anna", "b"), at(101)).is_ok());
        assert_eq!(attempts.begin(of("anna", "b"), at(101)), Err(2));
        assert!(
            attempts.begin(of("bert", "b"), at(101)).is_ok(),
            "another one"
        );
        let mut now = 103;
        for _ in 0..10 {
            assert!(attempts.begin(of("anna", "c"), at(now)).is_ok());
            now += 60;
        }
        assert_eq!(
            attempts.begin(of("anna", "d"), at(now - 60)),
            Err(60),
            "no longer"
        );
        assert!(attempts.begin(of("anna", "d"), at(now + 1_800)).is_ok());
        assert!(
            attempts.begin(of("anna", "d"), at(now + 1_800)).is_ok(),
            "forgiven"
        );
    }

    #[test]
    fn a_network_that_tries_many_accounts_waits_too() {
        let attempts = LoginThrottle::default();
        for number in 0..10 {
            assert!(attempts.begin(of(&number.to_string(), "a"), at(0)).is_ok());
        }
        assert_eq!(attempts.begin(of("anna", "a"), at(0)), Err(1));
        assert!(attempts.begin(of("anna", "b"), at(0)).is_ok());
    }

    #[test]
    fn the_right_password_clears_the_count() {
        let attempts = LoginThrottle::default();
        for _ in 0..50 {
            assert!(attempts.begin(of("anna", "a"), at(0)).is_ok());
            attempts.forget(of("anna", "a"), at(0));
        }
    }

    #[test]
    fn strangers_do_not_keep_the_owner_out() {
        let attempts = LoginThrottle::default();
        let device = |network, device| Subject {
            device: Some(device),
            ..of("anna", network)
        };
        attempts.begin(of("anna", "home"), at(0)).unwrap();
        attempts.forget(of("anna", "home"), at(0));
        // Whenever the account may be tried, somebody does.
        for now in 0..600_u64 {
            let network = format!("stranger-{now}");
            let _ = attempts.begin(of("anna", &network), at(now));
        }
        let now = at(600);
        assert!(attempts.begin(of("anna", "elsewhere"), now).is_err());
        assert!(attempts.begin(device("elsewhere", "phone"), now).is_ok());
        assert!(attempts.begin(of("anna", "home"), now).is_ok());
        // A browser or a network that is known has no more trials than the account.
        for _ in 0..4 {
            assert!(attempts.begin(device("elsewhere", "phone"), now).is_ok());
            assert!(attempts.begin(of("anna", "home"), now).is_ok());
        }
        assert!(attempts.begin(device("elsewhere", "phone"), now).is_err());
        assert!(attempts.begin(of("anna", "home"), now).is_err());
        assert!(attempts.begin(device("elsewhere", "laptop"), now).is_ok());
        attempts.forget(device("elsewhere", "laptop"), now);
        assert!(
            attempts.begin(of("anna", "stranger"), now).is_err(),
            "what strangers tried stays counted"
        );
    }

    #[test]
    fn any_number_of_names_needs_bounded_memory() {
        let attempts = LoginThrottle::default();
        for number in 0..40_000_u32 {
            let name = number.to_string();
            assert!(attempts.begin(of(&name, &name), at(0)).is_ok());
        }
        let tables = attempts.0.lock().unwrap();
        for table in [&tables.accounts, &tables.networks] {
            assert!(table.recent.len() + table.previous.len() <= 2 * MAX_GENERATION);
        }
    }

    #[test]
    fn the_log_hears_less_and_less_of_the_same_account_and_network() {
        let attempts = LoginThrottle::default();
        let mut heard = Vec::new();
        let mut now = 0;
        for number in 1..=100 {
            let trial = attempts.begin(of("anna", "a"), at(now)).unwrap();
            if attempts.should_audit(trial, at(now)) {
                heard.push(number);
            }
            now += 20 * 60;
        }
        assert_eq!(heard, [1, 2, 3, 4, 5, 8, 16, 32, 64]);
        let elsewhere = attempts.begin(of("anna", "b"), at(now)).unwrap();
        assert!(attempts.should_audit(elsewhere, at(now)), "another network");
    }

    #[test]
    fn any_number_of_names_from_anywhere_fills_no_log() {
        let attempts = LoginThrottle::default();
        let mut heard = 0;
        // Ten strangers each second, for an hour.
        for number in 0..36_000_u64 {
            let (name, now) = (number.to_string(), at(number / 10));
            let trial = attempts.begin(of(&name, &name), now).unwrap();
            heard += u64::from(attempts.should_audit(trial, now));
        }
        assert_eq!(heard, 200 + 3_600 / 20 - 1);
    }
}
