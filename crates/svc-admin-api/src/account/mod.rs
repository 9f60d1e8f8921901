//! User accounts and sessions, for the dashboard. The API has no operation for them.
//!
//! There is a single role: every account has access to all projects. Verification of passwords and
//! tokens is up to the dashboard. The store has passwords as hashes (PHC strings) and tokens as
//! SHA-256 hashes.

mod store;

pub use store::AccountStore;

use crate::time::Timestamp;

/// An account of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Unique name.
    pub name: String,
    /// Password hash as PHC string; `None` for accounts of an identity provider.
    pub password: Option<String>,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time since when the account is disabled; `None` if it is enabled.
    pub disabled_at: Option<Timestamp>,
}

/// Replacement of a password hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordChange {
    /// Account name.
    pub account: String,
    /// The current hash.
    pub old_hash: String,
    /// The new hash.
    pub new_hash: String,
}

/// A session of a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 hash of the session token.
    pub hash: [u8; 32],
    /// Account name.
    pub account: String,
    /// CSRF token of the session's forms.
    pub csrf: String,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of the last use.
    pub last_seen_at: Timestamp,
    /// Absolute expiry time.
    pub until: Timestamp,
}
