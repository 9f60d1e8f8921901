//! Keys: making, reading, keeping and refusing them.
//!
//! A key is shown once, when it is made. What is kept is SHA-256 of it, which for 190 random bits
//! needs no slow function, and eight of its characters to find it by. A key belongs to one project.

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

/// What a key may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// To look.
    Read,
    /// To change something, and to look.
    Write,
}

impl Scope {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// Reads the word for it.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Read, Self::Write]
            .into_iter()
            .find(|scope| scope.as_str() == text)
    }
}

/// A key as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// Its name, which is no part of the secret.
    pub id: KeyId,
    /// The project that it belongs to.
    pub project: ProjectId,
    /// What people call it.
    pub name: String,
    /// The first eight random characters of the secret; no two keys share them.
    pub lookup: String,
    /// SHA-256 of the secret.
    pub hash: [u8; 32],
    /// What it may be used for.
    pub scope: Scope,
    /// From where it may be used; empty means from everywhere.
    pub networks: Vec<Network>,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
    /// Since when it is refused.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
}

impl Key {
    /// Whether it is neither revoked nor expired.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }

    /// Whether it may be used from an address.
    pub fn allows(&self, address: std::net::IpAddr) -> bool {
        let mut networks = self.networks.iter();
        self.networks.is_empty() || networks.any(|network| network.contains(address))
    }

    /// Whether it was made for a secret; takes the same time for every wrong one.
    pub fn matches(&self, secret: &KeySecret) -> bool {
        bool::from(self.hash.ct_eq(&secret.hash()))
    }
}
