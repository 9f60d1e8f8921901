//! Accounts of people and their sessions, for whoever has pages to sign in to. The API itself has
//! no operation for them.
//!
//! There is one role: whoever has an account sees all projects. Passwords and tokens are the
//! matter of the pages; what is kept of a password is its hash as a PHC string, and of a token its
//! SHA-256.

mod store;

pub use store::AccountStore;

use crate::time::Timestamp;

/// A person who may sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The name, which nobody else has.
    pub name: String,
    /// The hash of the password as a PHC string; nothing for those who sign in elsewhere.
    pub password: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Since when it may not sign in.
    pub disabled_at: Option<Timestamp>,
}

/// A hash of a password in place of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordChange {
    /// The account, by name.
    pub account: String,
    /// The hash that it has now.
    pub old_hash: String,
    /// The hash that it is to have.
    pub new_hash: String,
}

/// One browser that is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 of the token that the browser holds.
    pub hash: [u8; 32],
    /// The account, by name.
    pub account: String,
    /// What the forms of this session carry.
    pub csrf: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used.
    pub last_seen_at: Timestamp,
    /// From when on it counts no longer, however much it is used.
    pub until: Timestamp,
}
