//! Persistence of the Admin API: a trait that combines those of all resources, and their common
//! types.
//!
//! Methods that change data take a [`Change`]. A store must commit the change, its audit entry and
//! the response for its `Idempotency-Key` in one transaction. Every transition of a job is one
//! conditional write (`UPDATE … WHERE … RETURNING`), never a read followed by a write that relies
//! on it.

use crate::account::AccountStore;
use crate::agent_job::{AgentJob, Job, JobStore, Status};
use crate::audit::{AuditEntry, AuditStore, Initiator};
use crate::deployment::DeploymentStore;
use crate::id::ProjectId;
use crate::idempotency::{IdempotencyKey, IdempotencyStore, RecordedResponse};
use crate::key::KeyStore;
use crate::project::ProjectStore;
use crate::time::Timestamp;

/// Persistence of the Admin API.
pub trait Store:
    ProjectStore + KeyStore + JobStore + IdempotencyStore + AuditStore + AccountStore + DeploymentStore
{
}

impl<S> Store for S where
    S: ProjectStore
        + KeyStore
        + JobStore
        + IdempotencyStore
        + AuditStore
        + AccountStore
        + DeploymentStore
{
}

/// Error of a store. The texts are for operators and must not be sent to clients.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The store is temporarily unavailable; a retry may succeed.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// The store contains invalid data.
    #[error("the store is corrupt: {0}")]
    Corrupt(String),
}

/// Result of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeResult<T> {
    /// Committed and durable.
    Done(T),
    /// The project has no such resource.
    NotFound,
    /// The status of the job does not allow the change.
    InvalidState(Status),
    /// The id is in use.
    AlreadyExists,
    /// The change was made earlier under the same `Idempotency-Key`. Contains its response.
    Replayed(RecordedResponse),
    /// The `Idempotency-Key` was used with another request.
    KeyReused,
    /// A request with the same `Idempotency-Key` is in progress.
    InProgress,
}

/// Metadata of a change.
#[derive(Debug, Clone)]
pub struct Change {
    /// Time of the change.
    pub at: Timestamp,
    /// Audit entry that is stored if the change succeeds.
    pub entry: AuditEntry,
    /// The `Idempotency-Key`, if there is one.
    pub idempotency_key: Option<IdempotencyKey>,
}

impl Change {
    /// A change outside of the operations of the API, in a project or outside of projects.
    pub fn new<'a>(
        by: &Initiator,
        at: Timestamp,
        project: impl Into<Option<&'a ProjectId>>,
        action: &str,
        subject: Option<&str>,
    ) -> Self {
        let entry = AuditEntry {
            at,
            actor: by.actor.clone(),
            from: by.from,
            project: project.into().cloned(),
            action: action.to_owned(),
            subject: subject.map(str::to_owned),
            status: 200,
        };
        let once = None;
        Self {
            at,
            entry,
            idempotency_key: once,
        }
    }

    /// The response to record for a changed job.
    pub fn recorded_response(&self, job: &Job) -> RecordedResponse {
        let body = serde_json::to_string(&AgentJob::from(job)).unwrap_or_default();
        let status = self.entry.status;
        RecordedResponse { status, body }
    }
}
