//! Audit log: actor, action, subject, origin and result of changes.
//!
//! Every authenticated call that may change something adds an entry, even if it is rejected, unless
//! it exceeds the rate limit of its key. Entries contain no secrets, prompts or bodies. The
//! operator configures how long they are retained.

use std::future::Future;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::id::{KeyId, ProjectId};
use crate::store::StoreError;
use crate::time::Timestamp;

/// Actor of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Actor {
    /// A program with a key.
    Key(KeyId),
    /// A person, by account name.
    Person(String),
    /// A user of the command line on the server.
    #[serde(rename = "shell")]
    Cli,
    /// An unauthenticated user.
    #[serde(rename = "stranger")]
    Anonymous,
}

/// An actor and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Initiator {
    /// The actor.
    pub actor: Actor,
    /// IP address of the client; `None` for the command line.
    pub from: Option<IpAddr>,
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// Time of the call.
    pub at: Timestamp,
    /// The actor.
    pub actor: Actor,
    /// IP address of the client; `None` for the command line.
    pub from: Option<IpAddr>,
    /// Project of the change; `None` for changes outside of projects, for example of accounts.
    pub project: Option<ProjectId>,
    /// Action: an operation id, or a name of the same form for changes outside of the API, such as
    /// `createKey`, `putProject`, `signIn`, `refuseSignIn`.
    pub action: String,
    /// Id of the changed job, key, deployment, project or account; `None` if it cannot be
    /// determined.
    pub subject: Option<String>,
    /// HTTP status of the response.
    pub status: u16,
}

/// An entry with its sequence number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// Sequence number; later entries have larger ones.
    pub sequence: u64,
    /// The entry.
    pub entry: AuditEntry,
}

/// Persistence of the audit log.
pub trait AuditStore: Sync {
    /// Adds an entry that does not belong to a change of this store.
    fn record(&self, entry: &AuditEntry) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The latest entries before a sequence number, newest first: of a project, or all.
    fn entries(
        &self,
        project: Option<&ProjectId>,
        before: Option<u64>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<AuditRecord>, StoreError>> + Send;

    /// Deletes the oldest entries before a time, up to a maximum number. Returns how many were
    /// deleted.
    fn delete_entries(
        &self,
        before: Timestamp,
        max: usize,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
}
