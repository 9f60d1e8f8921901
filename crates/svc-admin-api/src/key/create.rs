//! Creating and revoking keys, for the dashboard and the command line. The API has no operation for
//! it: a key must not create keys.

use super::{Key, KeySecret, Network, Scope};
use crate::audit::Initiator;
use crate::error::ApiError;
use crate::id::{KeyId, ProjectId};
use crate::random::{Random, RandomError};
use crate::rate_limit::{LimitClass, RateLimiter};
use crate::store::{Change, ChangeResult, Store, StoreError};
use crate::time::{Clock, Timestamp};

/// Maximum length of the name of a key in characters.
const MAX_NAME_CHARS: usize = 100;
/// Maximum number of networks of a key.
const MAX_NETWORKS: usize = 64;

/// Parameters of a new key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// Project that the key gives access to.
    pub project: ProjectId,
    /// Display name.
    pub name: String,
    /// Scopes in text form: `read`, `write`.
    pub scopes: Vec<String>,
    /// Networks that the key may be used from, in text form; empty for no restriction.
    pub networks: Vec<String>,
    /// Expiry time; `None` if the key does not expire.
    pub expires_at: Option<Timestamp>,
}

/// Why a key could not be created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CreateKeyError {
    /// The name is empty, too long, or contains control characters.
    #[error(
        "the name of a key must have 1 to {MAX_NAME_CHARS} characters without control characters"
    )]
    Name,
    /// A scope is missing or unknown.
    #[error("the scopes of a key must be `read`, `write` or both")]
    Scope,
    /// The text is not a valid network.
    #[error("`{0}` is not a network; use an IP address or `address/bits`, but not all addresses")]
    Network(String),
    /// Too many networks.
    #[error("a key must have at most {MAX_NETWORKS} networks")]
    Networks,
    /// The expiry time has passed.
    #[error("the expiry time of the key has passed")]
    Expired,
    /// The rate limit is exceeded. Contains the number of seconds to wait.
    #[error("too many new keys; try again in {0} seconds")]
    TooMany(u64),
    /// The project does not exist.
    #[error("the project does not exist")]
    UnknownProject,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The random number generator failed.
    #[error(transparent)]
    Random(#[from] RandomError),
}

/// Creates a key and returns its secret, which is not stored and cannot be shown again.
///
/// # Errors
/// When a parameter is invalid, or the store or the random number generator fails.
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
    let scopes: Option<Vec<Scope>> = new.scopes.iter().map(|scope| Scope::parse(scope)).collect();
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
    // A collision of the lookup prefix is unlikely, so a few attempts suffice.
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

/// Revokes a key, which is rejected from the next request on. Returns `false` if the project has no
/// such key.
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
