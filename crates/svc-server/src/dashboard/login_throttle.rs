//! Throttles password attempts.
//!
//! Each failure counts for the account and for the client network. After a few failures, each
//! further one doubles the delay, up to a limit. An attempt is counted before the password is
//! checked, so concurrent attempts are as slow as consecutive ones. Memory is bounded by two
//! generations of a table: if the younger one is full, the older one is dropped.
//!
//! An attacker who tries an account from many networks must not lock out its owner. So a browser
//! ([`device`](super::device)) or a network from which the user has signed in before is counted
//! separately from the account.
//!
//! This module also decides which failures are written to the audit log. An attacker must not fill
//! it, and whether an entry is written must not depend on the existence of the account, because
//! writing takes time. The first failures of an account or network are recorded, then ever fewer,
//! and the total rate is limited.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use svc_admin_api::rate_limit::{Quota, retry_after};

/// Maximum number of subjects in a generation.
const MAX_GENERATION: usize = 8_192;

/// Limits of a table.
#[derive(Debug, Clone, Copy)]
struct BackoffPolicy {
    /// Number of failures without a delay.
    free_attempts: u32,
    /// Maximum delay. It is short for accounts, so that an attacker cannot lock out the owner for
    /// long.
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

/// Failures expire after this time without an attempt.
const RESET_TTL: Duration = Duration::from_secs(30 * 60);

/// Quota of audit entries.
const AUDIT_QUOTA: Quota = Quota {
    burst: 200,
    interval: Duration::from_secs(20),
};

/// Counts failed attempts. Shared by all requests.
#[derive(Debug, Default)]
pub(crate) struct LoginThrottle(Mutex<Tables>);

#[derive(Debug, Default)]
struct Tables {
    /// Accounts, and known devices and networks of accounts.
    accounts: AttemptTable,
    networks: AttemptTable,
    /// Pairs of an account and a network from which its user has signed in.
    known: AttemptTable,
    /// Theoretical arrival time of the rate limit for audit entries.
    audit_tat: Duration,
}

/// Source of a password attempt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) account: &'a str,
    pub(crate) network: &'a str,
    /// The browser, if a user has signed in to the account with it before.
    pub(crate) device: Option<&'a str>,
}

impl Subject<'_> {
    /// Key for the account and network. Names of accounts contain no space.
    fn network_key(self) -> String {
        format!("{} {}", self.account, self.network)
    }
}

impl Tables {
    /// Key of an attempt besides its network.
    fn key(&self, subject: Subject<'_>) -> String {
        let network_key = subject.network_key();
        match subject.device {
            Some(device) => format!("{} device {device}", subject.account),
            None if self.known.get(&network_key).failures > 0 => network_key,
            None => subject.account.to_owned(),
        }
    }
}

/// An attempt that is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trial {
    /// Number of attempts for the account since the last success.
    account: u32,
    /// Number of attempts from the network.
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
    /// Counts an attempt as failed until [`forget`](Self::forget) is called.
    ///
    /// # Errors
    /// The seconds to wait if the attempt is not allowed yet.
    pub(crate) fn begin(&self, subject: Subject<'_>, now: Duration) -> Result<Trial, u64> {
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

    /// Whether a failed attempt is written to the audit log.
    pub(super) fn should_audit(&self, trial: Trial, now: Duration) -> bool {
        let is_step = |count: u32| count <= ACCOUNT.free_attempts || count.is_power_of_two();
        (is_step(trial.account) || is_step(trial.network)) && self.has_audit_capacity(now)
    }

    /// Whether the rate limit of the audit log allows another rejected sign-in.
    pub(super) fn has_audit_capacity(&self, now: Duration) -> bool {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let admitted = AUDIT_QUOTA.admit(tables.audit_tat, now);
        tables.audit_tat = admitted.unwrap_or(tables.audit_tat);
        admitted.is_ok()
    }

    /// Removes the failures of a subject after a success. Failures from elsewhere remain.
    pub(crate) fn forget(&self, subject: Subject<'_>, now: Duration) {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = tables.key(subject);
        tables.accounts.forget(&key);
        tables.networks.forget(subject.network);
        tables.known.count(&subject.network_key(), now);
    }
}

impl AttemptTable {
    fn get(&self, subject: &str) -> Count {
        let count = self
            .recent
            .get(subject)
            .or_else(|| self.previous.get(subject));
        count.copied().unwrap_or_default()
    }

    fn wait(&self, subject: &str, policy: BackoffPolicy, now: Duration) -> Duration {
        let Count { failures, last } = self.get(subject);
        let passed = now.saturating_sub(last);
        let Some(over) = failures.checked_sub(policy.free_attempts) else {
            return Duration::ZERO;
        };
        if passed >= RESET_TTL {
            return Duration::ZERO;
        }
        let wait = Duration::from_secs(1_u64 << over.min(20));
        wait.min(policy.max_wait).saturating_sub(passed)
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
    fn delays_grow_and_expire() {
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
    fn a_network_that_tries_many_accounts_is_throttled() {
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
    fn attackers_cannot_lock_out_the_owner() {
        let attempts = LoginThrottle::default();
        let device = |network, device| Subject {
            device: Some(device),
            ..of("anna", network)
        };
        attempts.begin(of("anna", "home"), at(0)).unwrap();
        attempts.forget(of("anna", "home"), at(0));
        // An attempt is made as soon as it is allowed.
        for now in 0..600_u64 {
            let network = format!("stranger-{now}");
            let _ = attempts.begin(of("anna", &network), at(now));
        }
        let now = at(600);
        assert!(attempts.begin(of("anna", "elsewhere"), now).is_err());
        assert!(attempts.begin(device("elsewhere", "phone"), now).is_ok());
        assert!(attempts.begin(of("anna", "home"), now).is_ok());
        // A known browser or network has no more attempts than the account.
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
    fn the_throttle_uses_bounded_memory() {
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
    fn repeated_failures_are_audited_ever_less_often() {
        let attempts = LoginThrottle::default();
        let mut audited = Vec::new();
        let mut now = 0;
        for number in 1..=100 {
            let trial = attempts.begin(of("anna", "a"), at(now)).unwrap();
            if attempts.should_audit(trial, at(now)) {
                audited.push(number);
            }
            now += 20 * 60;
        }
        assert_eq!(audited, [1, 2, 3, 4, 5, 8, 16, 32, 64]);
        let elsewhere = attempts.begin(of("anna", "b"), at(now)).unwrap();
        assert!(attempts.should_audit(elsewhere, at(now)), "another network");
    }

    #[test]
    fn audit_entries_of_failed_sign_ins_are_rate_limited() {
        let attempts = LoginThrottle::default();
        let mut audited = 0;
        // Ten attackers per second for an hour.
        for number in 0..36_000_u64 {
            let (name, now) = (number.to_string(), at(number / 10));
            let trial = attempts.begin(of(&name, &name), now).unwrap();
            audited += u64::from(attempts.should_audit(trial, now));
        }
        assert_eq!(audited, 200 + 3_600 / 20 - 1);
    }
}
