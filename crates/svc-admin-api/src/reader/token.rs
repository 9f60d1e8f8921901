//! Creating and revoking tokens of readers, for the dashboard and the command line.

use std::collections::BTreeSet;
use std::fmt;

use sha2::{Digest as _, Sha256};

use super::{ReaderStore, ReaderToken};
use crate::audit::Initiator;
use crate::error::ApiError;
use crate::id::{ProjectId, ReaderTokenId};
use crate::random::{Random, RandomError, base62};
use crate::rate_limit::{LimitClass, RateLimiter};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::{Clock, Timestamp};

/// Maximum length of the name of a token, and of a group, in characters.
const MAX_NAME_CHARS: usize = 100;
/// Maximum number of groups of a token.
const MAX_GROUPS: usize = 100;
/// Number of random characters of a secret; more than 256 bits.
const RANDOM_LEN: usize = 43;

/// Secret of a token: [`PREFIX`](Self::PREFIX) and random characters. It is redacted in debug
/// output.
#[derive(Clone, PartialEq, Eq)]
pub struct ReaderTokenSecret(String);

impl ReaderTokenSecret {
    /// What a secret begins with, so that scanners of repositories recognize it.
    pub const PREFIX: &str = "svcr_";

    /// Generates a secret.
    ///
    /// # Errors
    /// When the random number generator fails.
    pub fn generate(random: &dyn Random) -> Result<Self, RandomError> {
        Ok(Self(format!(
            "{}{}",
            Self::PREFIX,
            base62(random, RANDOM_LEN)?
        )))
    }

    /// SHA-256 hash of the text of a secret.
    pub fn hash_of(text: &str) -> [u8; 32] {
        Sha256::digest(text).into()
    }

    /// SHA-256 hash, which is stored.
    pub fn hash(&self) -> [u8; 32] {
        Self::hash_of(&self.0)
    }

    /// The secret in plain text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ReaderTokenSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Parameters of a new token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReaderToken {
    /// Project whose pages it reads.
    pub project: ProjectId,
    /// Display name.
    pub name: String,
    /// Groups whose pages it reads, besides those for all readers.
    pub groups: Vec<String>,
    /// Expiry time; `None` if the token does not expire.
    pub expires_at: Option<Timestamp>,
}

/// Why a token could not be created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CreateTokenError {
    /// The name is empty, too long, or contains control characters.
    #[error(
        "the name of a token must have 1 to {MAX_NAME_CHARS} characters without control characters"
    )]
    Name,
    /// The text is not the name of a group.
    #[error(
        "`{0}` is not a group; a group has 1 to {MAX_NAME_CHARS} characters without commas and control characters"
    )]
    Group(String),
    /// Too many groups.
    #[error("a token must have at most {MAX_GROUPS} groups")]
    Groups,
    /// The expiry time has passed.
    #[error("the expiry time of the token has passed")]
    Expired,
    /// The rate limit is exceeded. Contains the number of seconds to wait.
    #[error("too many new tokens; try again in {0} seconds")]
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

/// Creates a token and returns its secret, which is not stored and cannot be shown again.
///
/// # Errors
/// When a parameter is invalid, or the store or the random number generator fails.
pub async fn create_reader_token(
    store: &impl ReaderStore,
    clock: &dyn Clock,
    random: &dyn Random,
    limits: &RateLimiter,
    by: &Initiator,
    new: &NewReaderToken,
) -> Result<(ReaderToken, ReaderTokenSecret), CreateTokenError> {
    let now = clock.now();
    if !is_name(&new.name) {
        return Err(CreateTokenError::Name);
    }
    if new.groups.len() > MAX_GROUPS {
        return Err(CreateTokenError::Groups);
    }
    let is_group = |group: &&String| is_name(group) && !group.contains(',');
    if let Some(wrong) = new.groups.iter().find(|group| !is_group(group)) {
        return Err(CreateTokenError::Group(wrong.chars().take(60).collect()));
    }
    if new.expires_at.is_some_and(|end| end <= now) {
        return Err(CreateTokenError::Expired);
    }
    let taken = limits.acquire(LimitClass::NewKeys, new.project.as_str(), clock.monotonic());
    if let Err(ApiError::TooManyRequests(seconds)) = taken {
        return Err(CreateTokenError::TooMany(seconds));
    }
    let secret = ReaderTokenSecret::generate(random)?;
    let groups = new.groups.iter().map(|group| group.trim().to_owned());
    let token = ReaderToken {
        id: ReaderTokenId::generate(random)?,
        project: new.project.clone(),
        name: new.name.clone(),
        hash: secret.hash(),
        groups: groups.collect::<BTreeSet<String>>(),
        created_at: now,
        expires_at: new.expires_at,
        revoked_at: None,
        last_used_at: None,
    };
    let id = Some(token.id.as_str());
    let change = Change::new(by, now, &new.project, "createReaderToken", id);
    match store.create_reader_token(&token, &change).await? {
        ChangeResult::Done(()) => Ok((token, secret)),
        _ => Err(CreateTokenError::UnknownProject),
    }
}

/// Revokes a token. Returns `false` if the project has no such token.
///
/// # Errors
/// When the store fails.
pub async fn revoke_reader_token(
    store: &impl ReaderStore,
    clock: &dyn Clock,
    by: &Initiator,
    project: &ProjectId,
    id: &ReaderTokenId,
) -> Result<bool, StoreError> {
    let (at, subject) = (clock.now(), Some(id.as_str()));
    let change = Change::new(by, at, project, "revokeReaderToken", subject);
    let outcome = store.revoke_reader_token(project, id, &change).await?;
    Ok(matches!(outcome, ChangeResult::Done(())))
}

fn is_name(text: &str) -> bool {
    let is_plain = !text.trim().is_empty() && !text.chars().any(char::is_control);
    is_plain && text.chars().count() <= MAX_NAME_CHARS
}
