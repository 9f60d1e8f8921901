//! Making and revoking keys, for whoever has a page or a command for it. The API has no operation
//! that does: a key must not make keys.

use super::{Key, KeySecret, Network, Scope};
use crate::audit::Initiator;
use crate::error::ApiError;
use crate::id::{KeyId, ProjectId};
use crate::random::{Random, RandomError};
use crate::rate_limit::{LimitClass, RateLimiter};
use crate::store::{Change, ChangeResult, Store, StoreError};
use crate::time::{Clock, Timestamp};

/// Characters of the name of a key.
const MAX_NAME_CHARS: usize = 100;
/// Networks of one key.
const MAX_NETWORKS: usize = 64;

/// The wish for a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// For which project.
    pub project: ProjectId,
    /// What people call it.
    pub name: String,
    /// What it may be used for, as words.
    pub scopes: Vec<String>,
    /// From where it may be used, as texts; empty means from everywhere.
    pub networks: Vec<String>,
    /// From when on it is refused; nothing means never.
    pub expires_at: Option<Timestamp>,
}

/// Why no key was made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CreateKeyError {
    /// The name is empty or too long, or has control characters.
    #[error("the name of a key has 1 to {MAX_NAME_CHARS} characters, and no control characters")]
    Name,
    /// No scope, or one that does not exist.
    #[error("the scopes of a key are `read`, `write` or both")]
    Scope,
    /// A network that is none.
    #[error("`{0}` is no network: write an address or `address/bits`, and not all addresses")]
    Network(String),
    /// Too many networks.
    #[error("a key has at most {MAX_NETWORKS} networks")]
    Networks,
    /// It would be expired already.
    #[error("the key would have expired already")]
    Expired,
    /// Too many keys in a short time; carries the seconds to wait.
    #[error("too many new keys; try again in {0} seconds")]
    TooMany(u64),
    /// There is no such project.
    #[error("there is no such project")]
    UnknownProject,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing unpredictable to make a key of.
    #[error(transparent)]
    Random(#[from] RandomError),
}

/// Makes a key. The secret is returned this once and kept nowhere.
///
/// # Errors
/// When the wish does not fit, or the store or the randomness fails.
pub async fn create_key(
    store: &impl Store,
    clock: &dyn Clock,
    random: &dyn Random,
    limits: &RateLimiter,
    by: &Initiator,
    new: &NewKey,
) -> Result<(Key, KeySecret), CreateKeyError> {
    let now = clock.now();
    let plain = |name: &str| !name.trim().is_empty() && !name.chars().any(char::is_control);
    if !plain(&new.name) || new.name.chars().count() > MAX_NAME_CHARS {
        return Err(CreateKeyError::Name);
    }
    let scopes: Option<Vec<Scope>> = new.scopes.iter().map(|word| Scope::parse(word)).collect();
    let scope = scopes.and_then(|scopes| scopes.into_iter().max());
    let scope = scope.ok_or(CreateKeyError::Scope)?;
    if new.networks.len() > MAX_NETWORKS {
        return Err(CreateKeyError::Networks);
    }
    let networks = new.networks.iter().map(|text| {
        let wrong = || CreateKeyError::Network(text.chars().take(60).collect());
        Network::parse(text).ok_or_else(wrong)
    });
    let networks = networks.collect::<Result<Vec<Network>, CreateKeyError>>()?;
    if new.expires_at.is_some_and(|end| end <= now) {
        return Err(CreateKeyError::Expired);
    }
    let taken = limits.acquire(LimitClass::NewKeys, new.project.as_str(), clock.monotonic());
    if let Err(ApiError::TooManyRequests(seconds)) = taken {
        return Err(CreateKeyError::TooMany(seconds));
    }
    // Two keys with the same eight characters are as rare as they can be and no reason to fail.
    for _ in 0..3 {
        let secret = KeySecret::generate(random)?;
        let key = Key {
            id: KeyId::generate(random)?,
            project: new.project.clone(),
            name: new.name.clone(),
            lookup: secret.lookup().to_owned(),
            hash: secret.hash(),
            scope,
            networks: networks.clone(),
            created_at: now,
            expires_at: new.expires_at,
            revoked_at: None,
            last_used_at: None,
        };
        let change = Change::new(by, now, &new.project, "createKey", Some(key.id.as_str()));
        match store.create_key(&key, &change).await? {
            ChangeResult::Done(()) => return Ok((key, secret)),
            ChangeResult::AlreadyExists => {}
            _ => return Err(CreateKeyError::UnknownProject),
        }
    }
    Err(RandomError.into())
}

/// Revokes a key; `false` when the project has no such key. It is refused from the next request on.
///
/// # Errors
/// When the store fails.
pub async fn revoke_key(
    store: &impl Store,
    clock: &dyn Clock,
    by: &Initiator,
    project: &ProjectId,
    id: &KeyId,
) -> Result<bool, StoreError> {
    let change = Change::new(by, clock.now(), project, "revokeKey", Some(id.as_str()));
    let outcome = store.revoke_key(project, id, &change).await?;
    Ok(matches!(outcome, ChangeResult::Done(())))
}
