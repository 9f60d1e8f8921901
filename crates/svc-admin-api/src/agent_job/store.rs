//! Persistence of jobs.

use std::future::Future;

use super::{Job, Lease, Link, NewJob, Prompt, Status};
use crate::id::{JobId, ProjectId};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

/// Maximum size of the log of a job in bytes; further text is dropped.
pub const MAX_LOG_BYTES: usize = 1 << 20;

/// Query for jobs of a project, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobQuery {
    /// The project.
    pub project: ProjectId,
    /// Only jobs with this status.
    pub status: Option<Status>,
    /// Only jobs after this one, in descending order of creation time and id.
    pub after: Option<(Timestamp, JobId)>,
    /// Maximum number of jobs.
    pub limit: usize,
}

/// A chunk of the log of a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogChunk {
    /// The text from the requested offset on.
    pub text: String,
    /// Offset after the text, in bytes.
    pub next: usize,
}

/// Persistence of jobs, their prompts and logs.
///
/// Every method that changes a job applies one transition of [`Job::apply`] in one conditional
/// write. Methods for workers identify a job by its id alone, as returned by
/// [`claim`](Self::claim).
pub trait JobStore: Sync {
    /// Adds a job. `NotFound` if the project does not exist.
    fn create_job(
        &self,
        new: &NewJob,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<Job>, StoreError>> + Send;

    /// A job of a project.
    fn job(
        &self,
        project: &ProjectId,
        id: &JobId,
    ) -> impl Future<Output = Result<Option<Job>, StoreError>> + Send;

    /// Jobs of a project.
    fn jobs(&self, query: &JobQuery) -> impl Future<Output = Result<Vec<Job>, StoreError>> + Send;

    /// Adds a prompt to a completed job, which becomes active.
    fn message(
        &self,
        project: &ProjectId,
        id: &JobId,
        prompt: &Prompt,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<Job>, StoreError>> + Send;

    /// Cancels an active job, which then has failed. Its worker loses the lease and stops.
    fn cancel(
        &self,
        project: &ProjectId,
        id: &JobId,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<Job>, StoreError>> + Send;

    /// Archives a completed or failed job.
    fn archive(
        &self,
        project: &ProjectId,
        id: &JobId,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<Job>, StoreError>> + Send;

    /// Assigns the oldest available job to a worker, and to no other.
    fn claim(
        &self,
        lease: &Lease,
        now: Timestamp,
    ) -> impl Future<Output = Result<Option<Job>, StoreError>> + Send;

    /// Extends a lease. Returns `false` if the worker has lost it and must stop.
    fn renew(
        &self,
        id: &JobId,
        lease: &Lease,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Releases a job, so that another worker can claim it immediately. It does not count as a lost
    /// worker. Returns `false` if the worker has lost the lease.
    fn release(
        &self,
        id: &JobId,
        token: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Completes a job. Returns `false` if the worker has lost the lease.
    fn finish(
        &self,
        id: &JobId,
        token: &str,
        pull_request: Option<&Link>,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Marks a job as failed. Returns `false` if the worker has lost the lease.
    fn fail(
        &self,
        id: &JobId,
        token: &str,
        reason: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Marks jobs whose last worker disappeared as failed. Returns how many were changed.
    fn fail_abandoned(
        &self,
        now: Timestamp,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Archives completed and failed jobs that were created before a time. Returns how many were
    /// archived.
    fn archive_before(
        &self,
        created: Timestamp,
        now: Timestamp,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// All prompts of a job, in order.
    fn prompts(&self, id: &JobId) -> impl Future<Output = Result<Vec<Prompt>, StoreError>> + Send;

    /// Appends to the log of a job. Returns `false` if the worker has lost the lease.
    fn append_log(
        &self,
        id: &JobId,
        token: &str,
        text: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// The log of a job of a project from an offset on; `None` if the job does not exist.
    fn log(
        &self,
        project: &ProjectId,
        id: &JobId,
        from: usize,
    ) -> impl Future<Output = Result<Option<LogChunk>, StoreError>> + Send;
}
