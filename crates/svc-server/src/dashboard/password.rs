//! Passwords of accounts: hashing, verification, and accounts with a password.

use std::fmt;
use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use svc_admin_api::account::Account;
use svc_admin_api::audit::Initiator;
use svc_admin_api::{Change, ChangeResult, Clock, Random, RandomError, Store, StoreError};
use tokio::sync::Semaphore;

/// Maximum length of an account name in characters.
const MAX_NAME_CHARS: usize = 100;
/// Minimum length of a password in characters.
pub(super) const MIN_PASSWORD_CHARS: usize = 12;
/// Maximum length of a password in bytes.
const MAX_PASSWORD_BYTES: usize = 1_024;

/// Memory in KiB, iterations and lanes of Argon2id: the second recommended option of RFC 9106,
/// section 4, for machines with limited memory.
const COST: (u32, u32, u32) = (64 * 1024, 3, 4);
/// Maximum number of concurrent hash computations, each with the memory of [`COST`].
const MAX_CONCURRENT: usize = 2;
/// Maximum number of waiting hash computations; further requests are rejected.
const MAX_WAITING: usize = 30;

/// Error of creating or changing an account.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// The name is empty, too long, or contains invalid characters.
    #[error(
        "invalid account name; allowed: 1 to {MAX_NAME_CHARS} letters, digits and characters of `._@+-`"
    )]
    Name,
    /// The password is too short or too long.
    #[error(
        "the password must have at least {MIN_PASSWORD_CHARS} characters and at most {MAX_PASSWORD_BYTES} bytes"
    )]
    Password,
    /// An account with this name exists.
    #[error("an account with this name already exists")]
    AlreadyExists,
    /// No account with this name exists.
    #[error("no account with this name exists")]
    NotFound,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Random numbers are not available.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The password could not be hashed.
    #[error("the password could not be hashed")]
    Hash,
}

/// Creates an account with a password. Hashing is slow and blocks the thread.
///
/// # Errors
/// If the name or password is invalid, the name exists already, or the store fails.
pub async fn create_account(
    store: &impl Store,
    clock: &dyn Clock,
    random: &dyn Random,
    by: &Initiator,
    name: &str,
    password: &str,
) -> Result<(), AccountError> {
    if !is_account_name(name) {
        return Err(AccountError::Name);
    }
    if store.account(name).await?.is_some() {
        return Err(AccountError::AlreadyExists);
    }
    let account = Account {
        name: name.to_owned(),
        password: Some(hash(password, random)?),
        created_at: clock.now(),
        disabled_at: None,
    };
    put(store, clock, by, &account, "createAccount").await
}

/// Changes the password of an account and ends all its sessions.
///
/// # Errors
/// If the account does not exist, the password is invalid, or the store fails.
pub async fn set_password(
    store: &impl Store,
    clock: &dyn Clock,
    random: &dyn Random,
    by: &Initiator,
    name: &str,
    password: &str,
) -> Result<(), AccountError> {
    let account = store.account(name).await?.ok_or(AccountError::NotFound)?;
    let account = Account {
        password: Some(hash(password, random)?),
        ..account
    };
    put(store, clock, by, &account, "setPassword").await?;
    store.end_sessions(name).await?;
    Ok(())
}

async fn put(
    store: &impl Store,
    clock: &dyn Clock,
    by: &Initiator,
    account: &Account,
    action: &str,
) -> Result<(), AccountError> {
    let change = Change::new(by, clock.now(), None, action, Some(&account.name));
    match store.put_account(account, &change).await? {
        ChangeResult::Done(()) => Ok(()),
        _ => Err(AccountError::AlreadyExists),
    }
}

/// Whether a text is a valid account name: characters of names and e-mail addresses.
pub(super) fn is_account_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._@+-".contains(c);
    (1..=MAX_NAME_CHARS).contains(&text.len()) && text.chars().all(fits)
}

/// Checks the length of a password.
///
/// # Errors
/// [`AccountError::Password`] if it is too short or too long.
pub(super) fn check_password(password: &str) -> Result<(), AccountError> {
    if password.chars().count() < MIN_PASSWORD_CHARS || password.len() > MAX_PASSWORD_BYTES {
        return Err(AccountError::Password);
    }
    Ok(())
}

/// Hash of a new password.
///
/// # Errors
/// If the password is too short or too long, or random numbers are not available.
pub(crate) fn hash(password: &str, random: &dyn Random) -> Result<String, AccountError> {
    check_password(password)?;
    let mut salt = [0; 16];
    random.fill(&mut salt)?;
    hash_with(COST, password, &salt).ok_or(AccountError::Hash)
}

/// Whether a hash was computed with other cost parameters than the current ones.
pub(super) fn is_outdated(hash: &str) -> bool {
    let costs = PasswordHash::new(hash).ok().and_then(|hash| {
        let params = Params::try_from(&hash).ok()?;
        let ours = hash.algorithm.as_str() == Algorithm::Argon2id.as_str()
            && hash.version == Some(Version::V0x13.into());
        ours.then(|| (params.m_cost(), params.t_cost(), params.p_cost()))
    });
    costs != Some(COST)
}

fn hash_with(
    (memory, passes, lanes): (u32, u32, u32),
    password: &str,
    salt: &[u8],
) -> Option<String> {
    let params = Params::new(memory, passes, lanes, None).ok()?;
    let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let hash: PasswordHash = hasher
        .hash_password_with_salt(password.as_bytes(), salt)
        .ok()?;
    Some(hash.to_string())
}

/// Verifies passwords with limited concurrency.
#[derive(Clone)]
pub(crate) struct PasswordChecker {
    working: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    /// Hash without a known password, which is verified for unknown accounts so that the response
    /// takes as long.
    dummy_hash: Arc<str>,
}

impl fmt::Debug for PasswordChecker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checker").finish_non_exhaustive()
    }
}

impl Default for PasswordChecker {
    fn default() -> Self {
        let (memory, passes, lanes) = COST;
        let (salt, sum) = ("A".repeat(22), "A".repeat(43));
        let dummy_hash = format!("$argon2id$v=19$m={memory},t={passes},p={lanes}${salt}${sum}");
        Self {
            working: Arc::new(Semaphore::new(MAX_CONCURRENT)),
            waiting: Arc::new(Semaphore::new(MAX_CONCURRENT + MAX_WAITING)),
            dummy_hash: dummy_hash.into(),
        }
    }
}

impl PasswordChecker {
    /// Whether a password matches a hash; `None` if too many requests wait.
    pub(crate) async fn matches(&self, password: &str, hash: Option<&str>) -> Option<bool> {
        let known = hash.is_some();
        let hash: Arc<str> = hash.map_or_else(|| Arc::clone(&self.dummy_hash), Arc::from);
        // Longer passwords cannot be set.
        let password: Arc<str> = password
            .get(..MAX_PASSWORD_BYTES)
            .unwrap_or(password)
            .into();
        let fits = self.run_blocking(move || verify(&password, &hash)).await;
        fits.map(|fits| fits && known)
    }

    /// Hash of a password with the current cost parameters; `None` if too many requests wait or
    /// random numbers are not available.
    pub(super) async fn hash(&self, password: &str, random: &dyn Random) -> Option<String> {
        let mut salt = [0; 16];
        random.fill(&mut salt).ok()?;
        let password: Arc<str> = password
            .get(..MAX_PASSWORD_BYTES)
            .unwrap_or(password)
            .into();
        let hash = self
            .run_blocking(move || hash_with(COST, &password, &salt))
            .await;
        hash.flatten()
    }

    /// Runs slow work on a blocking thread.
    async fn run_blocking<T: Send + 'static>(
        &self,
        task: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let _queued = self.waiting.try_acquire().ok()?;
        let _turn = self.working.acquire().await.ok()?;
        tokio::task::spawn_blocking(task).await.ok()
    }
}

fn verify(password: &str, hash: &str) -> bool {
    let hash = PasswordHash::new(hash);
    // The cost parameters are part of the hash.
    hash.is_ok_and(|hash| {
        let hasher = Argon2::default();
        hasher.verify_password(password.as_bytes(), &hash).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests use fast hashes.
    const CHEAP: (u32, u32, u32) = (64, 1, 1);

    #[test]
    fn a_hash_contains_its_costs_and_matches_only_its_password() {
        let hash = hash_with(CHEAP, "correct horse battery", &[7; 16]).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{hash}");
        assert!(verify("correct horse battery", &hash));
        assert!(!verify("correct horse batterz", &hash) && !verify("", &hash));
        assert!(!verify("x", "no hash") && !verify("", ""));
    }

    #[test]
    fn a_hash_of_other_costs_or_of_another_kind_is_outdated() {
        let present = PasswordChecker::default().dummy_hash;
        assert!(!is_outdated(&present));
        let (memory, passes, lanes) = COST;
        for costs in [
            CHEAP,
            (memory / 2, passes, lanes),
            (memory, passes + 1, lanes),
            (memory, passes, 1),
        ] {
            let hash = hash_with(costs, "correct horse battery", &[7; 16]).unwrap();
            assert!(is_outdated(&hash), "{hash}");
        }
        for other in ["", "no hash"] {
            assert!(is_outdated(other));
        }
        assert!(is_outdated(&present.replace("argon2id", "argon2i")));
        assert!(is_outdated(&present.replace("v=19", "v=16")));
    }

    #[test]
    fn unknown_accounts_cost_as_much_and_have_no_password() {
        let dummy_hash = PasswordChecker::default().dummy_hash;
        let parsed = PasswordHash::new(&dummy_hash).unwrap();
        let params = Params::try_from(&parsed).unwrap();
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), COST);
        assert!(!verify("", &dummy_hash));
    }

    #[test]
    fn account_names_allow_characters_of_names_and_emails() {
        for good in ["anna", "anna.b+c@example.com", "A-1_b"] {
            assert!(is_account_name(good), "{good}");
        }
        for bad in ["", "a b", "ä", "a\n", "<b>", &"a".repeat(101)] {
            assert!(!is_account_name(bad), "{bad}");
        }
    }

    #[tokio::test]
    async fn requests_beyond_the_queue_limit_are_rejected() {
        let checker = PasswordChecker::default();
        let permits = Arc::clone(&checker.waiting);
        let _all = permits
            .acquire_many(u32::try_from(MAX_CONCURRENT + MAX_WAITING).unwrap())
            .await
            .unwrap();
        assert_eq!(checker.matches("x", None).await, None);
    }
}
