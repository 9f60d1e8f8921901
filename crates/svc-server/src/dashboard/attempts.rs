//! How often a password may be tried.
//!
//! Each failure is counted for the account and for the network that it came from. After a few of
//! them every further one doubles the wait, up to a limit. A trial counts before the password is
//! looked at, so that many at once are as slow as one after the other. Memory is bounded by two
//! generations of a table: when the younger is full, the older is forgotten.

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

/// Counts failed trials. One for all requests of a program.
#[derive(Debug, Default)]
pub(super) struct Attempts(Mutex<Tables>);

#[derive(Debug, Default)]
struct Tables {
    accounts: Table,
    networks: Table,
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
    pub(super) fn begin(&self, account: &str, network: &str, now: Duration) -> Result<(), u64> {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let account_wait = tables.accounts.wait(account, ACCOUNT, now);
        let network_wait = tables.networks.wait(network, NETWORK, now);
        let wait = account_wait.max(network_wait);
        if !wait.is_zero() {
            let seconds = wait.as_millis().div_ceil(1000);
            return Err(u64::try_from(seconds).unwrap_or(u64::MAX));
        }
        tables.accounts.count(account, now);
        tables.networks.count(network, now);
        Ok(())
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

    fn count(&mut self, subject: &str, now: Duration) {
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
            assert_eq!(attempts.begin("anna", "a", at(100)), Ok(()));
        }
        assert_eq!(attempts.begin("anna", "b", at(100)), Err(1));
        assert_eq!(attempts.begin("anna", "b", at(101)), Ok(()));
        assert_eq!(attempts.begin("anna", "b", at(101)), Err(2));
        assert_eq!(attempts.begin("bert", "b", at(101)), Ok(()), "another one");
        let mut now = 103;
        for _ in 0..10 {
            assert_eq!(attempts.begin("anna", "c", at(now)), Ok(()));
            now += 60;
        }
        assert_eq!(
            attempts.begin("anna", "d", at(now - 60)),
            Err(60),
            "no longer"
        );
        assert_eq!(attempts.begin("anna", "d", at(now + 1_800)), Ok(()));
        assert_eq!(
            attempts.begin("anna", "d", at(now + 1_800)),
            Ok(()),
            "forgiven"
        );
    }

    #[test]
    fn a_network_that_tries_many_accounts_waits_too() {
        let attempts = Attempts::default();
        for number in 0..10 {
            assert_eq!(attempts.begin(&number.to_string(), "a", at(0)), Ok(()));
        }
        assert_eq!(attempts.begin("anna", "a", at(0)), Err(1));
        assert_eq!(attempts.begin("anna", "b", at(0)), Ok(()));
    }

    #[test]
    fn the_right_password_clears_the_count() {
        let attempts = Attempts::default();
        for _ in 0..50 {
            assert_eq!(attempts.begin("anna", "a", at(0)), Ok(()));
            attempts.forget("anna", "a");
        }
    }

    #[test]
    fn any_number_of_names_needs_bounded_memory() {
        let attempts = Attempts::default();
        for number in 0..40_000_u32 {
            let name = number.to_string();
            assert_eq!(attempts.begin(&name, &name, at(0)), Ok(()));
        }
        let tables = attempts.0.lock().unwrap();
        for table in [&tables.accounts, &tables.networks] {
            assert!(table.young.len() + table.old.len() <= 2 * GENERATION);
        }
    }
}
