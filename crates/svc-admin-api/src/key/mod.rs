//! API keys.
//!
//! A secret is shown once, when its key is created. The store has its SHA-256 hash, which is
//! sufficient for 190 random bits, and eight of its characters as lookup prefix. A key belongs to
//! one project.

mod create;
mod network;
mod store;
mod token;

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

pub use create::{CreateKeyError, NewKey, create_key, revoke_key};
pub use network::Network;
pub use store::KeyStore;
pub use token::KeySecret;

use crate::id::{KeyId, ProjectId};
use crate::time::Timestamp;

/// Permission of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Read access.
    Read,
    /// Read and write access.
    Write,
}

impl Scope {
    /// The scope in text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// Parses the text form. Returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Read, Self::Write]
            .into_iter()
            .find(|scope| scope.as_str() == text)
    }
}

/// A stored key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// Public id, which is not part of the secret.
    pub id: KeyId,
    /// Project that the key gives access to.
    pub project: ProjectId,
    /// Display name.
    pub name: String,
    /// The first eight random characters of the secret, which are unique.
    pub lookup: String,
    /// SHA-256 hash of the secret.
    pub hash: [u8; 32],
    /// Permission of the key.
    pub scope: Scope,
    /// Networks that the key may be used from; empty for no restriction.
    pub networks: Vec<Network>,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Expiry time; `None` if the key does not expire.
    pub expires_at: Option<Timestamp>,
    /// Time of revocation; `None` if the key is not revoked.
    pub revoked_at: Option<Timestamp>,
    /// Time of the last use, with a precision of one minute; `None` if the key was never used.
    pub last_used_at: Option<Timestamp>,
}

impl Key {
    /// Whether the key is neither revoked nor expired.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }

    /// Whether the key may be used from an address.
    pub fn allows(&self, ip: std::net::IpAddr) -> bool {
        let mut networks = self.networks.iter();
        self.networks.is_empty() || networks.any(|network| network.contains(ip))
    }

    /// Whether the secret belongs to the key. The comparison takes constant time.
    pub fn matches(&self, secret: &KeySecret) -> bool {
        bool::from(self.hash.ct_eq(&secret.hash()))
    }
}
