//! The audit log: who asked for a change, of what, from where, and what came of it.
//!
//! Every call that may change something and comes with a valid key leaves an entry, refused ones
//! too, except those beyond the rate of the key. No entry holds a secret, a prompt or a body.
//! Entries are kept for as long as the operator says.

use std::future::Future;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::id::{KeyId, ProjectId};
use crate::store::StoreError;
use crate::time::Timestamp;

/// Who asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Actor {
    /// A program with a key.
    Key(KeyId),
    /// A person, by the name of the account.
    Person(String),
    /// Somebody at the shell of the server.
    #[serde(rename = "shell")]
    Cli,
    /// Somebody who did not show who it is.
    #[serde(rename = "stranger")]
    Anonymous,
}

/// Who asked, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Initiator {
    /// Who.
    pub actor: Actor,
    /// From which address; nothing for the shell.
    pub from: Option<IpAddr>,
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// From which address; nothing for the shell.
    pub from: Option<IpAddr>,
    /// The project that the actor acts in; nothing for what belongs to none, as an account.
    pub project: Option<ProjectId>,
    /// What: the id of an operation, or a word of the same form for what is done elsewhere, as
    /// `createKey`, `putProject`, `signIn`, `refuseSignIn`.
    pub action: String,
    /// Of which job, key, deployment, project or account; nothing when it was not to be made out.
    pub subject: Option<String>,
    /// The status that was answered.
    pub status: u16,
}

/// An entry and its place in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// Its number; later entries have larger ones.
    pub sequence: u64,
    /// The entry.
    pub entry: AuditEntry,
}

/// Keeps the log.
pub trait AuditStore: Sync {
    /// Adds an entry that belongs to no change of this store.
    fn record(&self, entry: &AuditEntry) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The latest entries before a number, the newest first: of a project, or all.
    fn entries(
        &self,
        project: Option<&ProjectId>,
        before: Option<u64>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<AuditRecord>, StoreError>> + Send;

    /// Forgets the oldest of the entries from before a point in time, at most so many at once, and
    /// says how many.
    fn delete_entries(
        &self,
        before: Timestamp,
        most: usize,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
}
