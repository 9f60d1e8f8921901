//! What a store has to do: the traits of the rooms in one, and what their methods answer.
//!
//! Methods that change something take a [`Change`]. The change itself, its entry in the audit log
//! and the answer that is remembered under an `Idempotency-Key` belong together: a store writes
//! all of them or none, in one transaction. Every transition of a job is one conditional write
//! (`UPDATE … WHERE … RETURNING`), never a read that a later write trusts.

use crate::account::AccountStore;
use crate::agent_job::{AgentJob, Job, JobStore, Status};
use crate::audit::{AuditEntry, AuditStore, Initiator};
use crate::deployment::DeploymentStore;
use crate::id::ProjectId;
use crate::idempotency::{IdempotencyKey, IdempotencyStore, RecordedResponse};
use crate::key::KeyStore;
use crate::project::ProjectStore;
use crate::time::Timestamp;

/// Everything that the API keeps.
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

/// Why a store could not do its work. The texts are for the operator, never for callers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached at the moment; trying again may help.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// It answered something that cannot be.
    #[error("the store is broken: {0}")]
    Corrupt(String),
}

/// What came of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeResult<T> {
    /// It is done, and lasts.
    Done(T),
    /// There is nothing of that name in the project.
    NotFound,
    /// The job is in a state that does not allow it.
    InvalidState(Status),
    /// The name is in use already.
    AlreadyExists,
    /// It was done before under the same `Idempotency-Key`; that answer counts.
    Replayed(RecordedResponse),
    /// The `Idempotency-Key` belongs to another request.
    KeyReused,
    /// A request with the same `Idempotency-Key` is being answered.
    InProgress,
}

/// Why and when something changes.
#[derive(Debug, Clone)]
pub struct Change {
    /// When.
    pub at: Timestamp,
    /// What the audit log says of it when it succeeds.
    pub entry: AuditEntry,
    /// Under which `Idempotency-Key`, if any.
    pub idempotency_key: Option<IdempotencyKey>,
}

impl Change {
    /// What somebody does in a project, or to what belongs to none, outside of the API's
    /// operations.
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

    /// The answer that is remembered of a job that changed.
    pub fn recorded_response(&self, job: &Job) -> RecordedResponse {
        // A job has no part that JSON cannot say.
        let body = serde_json::to_string(&AgentJob::from(job)).unwrap_or_default();
        let status = self.entry.status;
        RecordedResponse { status, body }
    }
}
