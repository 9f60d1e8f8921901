//! How often a password may be tried.
//!
//! Each failure is counted for the account and for the network that it came from. After a few of
//! them every further one doubles the wait, up to a limit. A trial counts before the password is
//! looked at, so that many at once are as slow as one after the other. Memory is bounded by two
//! generations of a table: when the younger is full, the older is forgotten.
//!
//! Here is also decided which failures the audit log hears of. It must not be filled by strangers,
//! and whether an entry is written must not depend on whether there is such an account, as writing
//! takes its time: the first failures of an account or a network count, then ever fewer of them,
//! and all together no more than a certain rate.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Subjects in one generation.
const GENERATION: usize = 8_192;

/// When waits begin and end.
#[derive(Debug, Clone, Copy)]
struct Patience {
    /// Failures without a wait.
    free: u32,
    /// The longest wait. For accounts it is short: a stranger must not keep the owner out for long.
    longest: Duration,
}

const ACCOUNT: Patience = Patience {
    free: 5,
    longest: Duration::from_secs(60),
};

const NETWORK: Patience = Patience {
    free: 10,
    longest: Duration::from_secs(15 * 60),
};

/// After this time without a trial everything is forgiven.
const FORGIVEN: Duration = Duration::from_secs(30 * 60);

/// Failures that are noted at once, and the time for each further one.
const NOTED: (u32, Duration) = (200, Duration::from_secs(20));

/// Counts failed trials. One for all requests of a program.
#[derive(Debug, Default)]
pub(super) struct Attempts(Mutex<Tables>);

#[derive(Debug, Default)]
struct Tables {
    accounts: Table,
    networks: Table,
    /// When everything that was noted has had its time.
    noted: Duration,
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
struct Table {
    young: HashMap<String, Count>,
    old: HashMap<String, Count>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    failures: u32,
    last: Duration,
}

impl Attempts {
    /// Counts a trial as failed until [`forget`](Self::forget) says otherwise.
    ///
    /// # Errors
    /// The seconds to wait, when it may not be made yet.
    pub(super) fn begin(&self, account: &str, network: &str, now: Duration) -> Result<Trial, u64> {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let account_wait = tables.accounts.wait(account, ACCOUNT, now);
        let network_wait = tables.networks.wait(network, NETWORK, now);
        let wait = account_wait.max(network_wait);
        if !wait.is_zero() {
            let seconds = wait.as_millis().div_ceil(1000);
            return Err(u64::try_from(seconds).unwrap_or(u64::MAX));
        }
        Ok(Trial {
            account: tables.accounts.count(account, now),
            network: tables.networks.count(network, now),
        })
    }

    /// Whether the audit log hears that a trial has failed.
    pub(super) fn notes(&self, trial: Trial, now: Duration) -> bool {
        let is_step = |count: u32| count <= ACCOUNT.free || count.is_power_of_two();
        (is_step(trial.account) || is_step(trial.network)) && self.has_room(now)
    }

    /// Whether the audit log has room for one more who did not get in.
    pub(super) fn has_room(&self, now: Duration) -> bool {
        let (at_once, each) = NOTED;
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = tables.noted.max(now).saturating_add(each);
        let fits = next.saturating_sub(now) <= each * at_once;
        if fits {
            tables.noted = next;
        }
        fits
    }

    /// The password was right.
    pub(super) fn forget(&self, account: &str, network: &str) {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tables.accounts.forget(account);
        tables.networks.forget(network);
    }
}

impl Table {
    fn get(&self, subject: &str) -> Count {
        let found = self.young.get(subject).or_else(|| self.old.get(subject));
        found.copied().unwrap_or_default()
    }

    fn wait(&self, subject: &str, patience: Patience, now: Duration) -> Duration {
        let Count { failures, last } = self.get(subject);
        let passed = now.saturating_sub(last);
        let Some(over) = failures.checked_sub(patience.free) else {
            return Duration::ZERO;
        };
        if passed >= FORGIVEN {
            return Duration::ZERO;
        }
        let wait = Duration::from_secs(1_u64 << over.min(20));
        wait.min(patience.longest).saturating_sub(passed)
    }

    fn count(&mut self, subject: &str, now: Duration) -> u32 {
        let Count { failures, last } = self.get(subject);
        let forgiven = now.saturating_sub(last) >= FORGIVEN;
        let failures = if forgiven { 0 } else { failures };
        let new = Count {
            failures: failures.saturating_add(1),
            last: now,
        };
        if !self.young.contains_key(subject) && self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(subject.to_owned(), new);
        new.failures
    }

    fn forget(&mut self, subject: &str) {
        self.young.remove(subject);
        self.old.remove(subject);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn waits_grow_and_end() {
        let attempts = Attempts::default();
        for _ in 0..5 {
            assert!(attempts.begin("anna", "a", at(100)).is_ok());
        }
        assert_eq!(attempts.begin("anna", "b", at(100)), Err(1));
        assert!(attempts.begin("anna", "b", at(101)).is_ok());
        assert_eq!(attempts.begin("anna", "b", at(101)), Err(2));
        assert!(attempts.begin("bert", "b", at(101)).is_ok(), "another one");
        let mut now = 103;
        for _ in 0..10 {
            assert!(attempts.begin("anna", "c", at(now)).is_ok());
            now += 60;
        }
        assert_eq!(
            attempts.begin("anna", "d", at(now - 60)),
            Err(60),
            "no longer"
        );
        assert!(attempts.begin("anna", "d", at(now + 1_800)).is_ok());
        assert!(
            attempts.begin("anna", "d", at(now + 1_800)).is_ok(),
            "forgiven"
        );
    }

    #[test]
    fn a_network_that_tries_many_accounts_waits_too() {
        let attempts = Attempts::default();
        for number in 0..10 {
            assert!(attempts.begin(&number.to_string(), "a", at(0)).is_ok());
        }
        assert_eq!(attempts.begin("anna", "a", at(0)), Err(1));
        assert!(attempts.begin("anna", "b", at(0)).is_ok());
    }

    #[test]
    fn the_right_password_clears_the_count() {
        let attempts = Attempts::default();
        for _ in 0..50 {
            assert!(attempts.begin("anna", "a", at(0)).is_ok());
            attempts.forget("anna", "a");
        }
    }

    #[test]
    fn any_number_of_names_needs_bounded_memory() {
        let attempts = Attempts::default();
        for number in 0..40_000_u32 {
            let name = number.to_string();
            assert!(attempts.begin(&name, &name, at(0)).is_ok());
        }
        let tables = attempts.0.lock().unwrap();
        for table in [&tables.accounts, &tables.networks] {
            assert!(table.young.len() + table.old.len() <= 2 * GENERATION);
        }
    }

    #[test]
    fn the_log_hears_less_and_less_of_the_same_account_and_network() {
        let attempts = Attempts::default();
        let mut heard = Vec::new();
        let mut now = 0;
        for number in 1..=100 {
            let trial = attempts.begin("anna", "a", at(now)).unwrap();
            if attempts.notes(trial, at(now)) {
                heard.push(number);
            }
            now += 20 * 60;
        }
        assert_eq!(heard, [1, 2, 3, 4, 5, 8, 16, 32, 64]);
        let elsewhere = attempts.begin("anna", "b", at(now)).unwrap();
        assert!(attempts.notes(elsewhere, at(now)), "another network");
    }

    #[test]
    fn any_number_of_names_from_anywhere_fills_no_log() {
        let attempts = Attempts::default();
        let mut heard = 0;
        // Ten strangers each second, for an hour.
        for number in 0..36_000_u64 {
            let (name, now) = (number.to_string(), at(number / 10));
            let trial = attempts.begin(&name, &name, now).unwrap();
            heard += u64::from(attempts.notes(trial, now));
        }
        assert_eq!(heard, 200 + 3_600 / 20 - 1);
    }
}
