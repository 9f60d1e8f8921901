//! Changes of a store and their results.

use crate::agent_job::{AgentJob, Job, Status};
use crate::audit::{AuditEntry, Initiator};
use crate::id::ProjectId;
use crate::idempotency::{IdempotencyKey, RecordedResponse};
use crate::time::Timestamp;

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
