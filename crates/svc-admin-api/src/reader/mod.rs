//! Readers of the sites: tokens of programs that read, and sessions.
//!
//! A token reads the pages for its groups; it is no key, and the API does not accept it. The store
//! has its SHA-256 hash. A session is a signed cookie that the store does not need to know: its
//! record is for administrators, who see it and end it.

mod store;
mod token;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

pub use store::ReaderStore;
pub use token::{
    CreateTokenError, NewReaderToken, ReaderTokenSecret, create_reader_token, revoke_reader_token,
};

use crate::id::{ProjectId, ReaderSessionId, ReaderTokenId};
use crate::time::Timestamp;

/// A token with which a program reads protected pages of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReaderToken {
    /// Public id, which is not part of the secret.
    pub id: ReaderTokenId,
    /// Project whose pages it reads.
    pub project: ProjectId,
    /// Display name.
    pub name: String,
    /// SHA-256 hash of the secret.
    pub hash: [u8; 32],
    /// Groups whose pages it reads, besides those for all readers.
    pub groups: BTreeSet<String>,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Expiry time; `None` if the token does not expire.
    pub expires_at: Option<Timestamp>,
    /// Time of revocation; `None` if the token is not revoked.
    pub revoked_at: Option<Timestamp>,
    /// Time of the last use, with a precision of one minute; `None` if the token was never used.
    pub last_used_at: Option<Timestamp>,
}

impl ReaderToken {
    /// Whether the token is neither revoked nor expired.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

/// How a reader has signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignInMethod {
    /// With a password.
    Password,
    /// At an OpenID Connect provider.
    Oidc,
    /// At a page of the operator.
    Handover,
}

impl SignInMethod {
    /// The method in text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Oidc => "oidc",
            Self::Handover => "handover",
        }
    }

    /// Parses the text form. Returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Password, Self::Oidc, Self::Handover]
            .into_iter()
            .find(|method| method.as_str() == text)
    }
}

/// Record of a session of a reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderSession {
    /// Id, which is not sufficient to read anything.
    pub id: ReaderSessionId,
    /// Project at whose site the reader has signed in.
    pub project: ProjectId,
    /// Name of the reader.
    pub name: String,
    /// E-mail address of the reader, if the sign-in says one.
    pub email: Option<String>,
    /// How the reader has signed in.
    pub method: SignInMethod,
    /// Time at which the reader signed in.
    pub signed_in_at: Timestamp,
    /// Time of a recent request, with a precision of ten minutes.
    pub seen_at: Timestamp,
    /// Time at which the session ends without another request.
    pub expires_at: Timestamp,
    /// Time at which the sign-in was confirmed. Revocations from before do not end the session.
    pub confirmed_at: Timestamp,
    /// Digest of the user at the provider, if there is one.
    pub subject: Option<[u8; 32]>,
    /// Digest of the session at the provider, if there is one.
    pub provider_session: Option<[u8; 32]>,
}

impl ReaderSession {
    /// Digest of a revocation of this session.
    pub fn digest(&self) -> [u8; 32] {
        session_digest(&self.project, &self.id)
    }
}

/// Digest of a revocation of one session.
pub fn session_digest(project: &ProjectId, id: &ReaderSessionId) -> [u8; 32] {
    digest(&[project.as_str(), "id", id.as_str()])
}

/// Digest of a revocation of all sessions of a project.
pub fn all_sessions_digest(project: &ProjectId) -> [u8; 32] {
    digest(&[project.as_str(), "all"])
}

/// SHA-256 of texts and their lengths, so that it differs for each list of texts.
pub fn digest(parts: &[&str]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.len().to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}
