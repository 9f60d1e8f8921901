//! What a store has to do for jobs.

use std::future::Future;

use super::{Job, Lease, Link, NewJob, Prompt, Status};
use crate::id::{JobId, ProjectId};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

/// Bytes of the log of one job; what comes after is dropped.
pub const MAX_LOG_BYTES: usize = 1 << 20;

/// Which jobs of a project are wanted, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobQuery {
    /// The project.
    pub project: ProjectId,
    /// Only those of one status.
    pub status: Option<Status>,
    /// Only those after this one, by time of creation and name, both falling.
    pub after: Option<(Timestamp, JobId)>,
    /// At most so many.
    pub limit: usize,
}

/// A part of the log of a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogChunk {
    /// The text from the place that was asked for.
    pub text: String,
    /// The place after it.
    pub next: usize,
}

/// Keeps jobs, their prompts and logs.
///
/// Every method that changes a job does one step of [`Job::step`] in one conditional write. Methods
/// for workers name the job alone, as a worker has got it from [`claim`](Self::claim).
pub trait JobStore: Sync {
    /// Adds a job. `NotFound` when the project is not there.
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

    /// Some jobs of a project.
    fn jobs(&self, query: &JobQuery) -> impl Future<Output = Result<Vec<Job>, StoreError>> + Send;

    /// Adds a prompt to a completed job, which is active from then on.
    fn message(
        &self,
        project: &ProjectId,
        id: &JobId,
        prompt: &Prompt,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<Job>, StoreError>> + Send;

    /// Ends an active job, which has failed then. Its worker has lost it and stops.
    fn cancel(
        &self,
        project: &ProjectId,
        id: &JobId,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<Job>, StoreError>> + Send;

    /// Puts a completed or failed job away.
    fn archive(
        &self,
        project: &ProjectId,
        id: &JobId,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<Job>, StoreError>> + Send;

    /// Gives the oldest job that may be taken to a worker, and to no other.
    fn claim(
        &self,
        lease: &Lease,
        now: Timestamp,
    ) -> impl Future<Output = Result<Option<Job>, StoreError>> + Send;

    /// Prolongs a lease. `false` when the worker has lost the job and has to stop.
    fn renew(
        &self,
        id: &JobId,
        lease: &Lease,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Gives a job back, so that another worker can take it at once. This counts for no worker
    /// that was lost. `false` when the worker has lost it.
    fn release(
        &self,
        id: &JobId,
        token: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Completes a job. `false` when the worker has lost it.
    fn finish(
        &self,
        id: &JobId,
        token: &str,
        pull_request: Option<&Link>,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Ends a job that cannot be done. `false` when the worker has lost it.
    fn fail(
        &self,
        id: &JobId,
        token: &str,
        reason: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Ends the jobs whose last worker was lost, and says how many.
    fn fail_abandoned(&self, now: Timestamp) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Puts away what was created before a point in time and is completed or failed, and says how
    /// many.
    fn archive_before(
        &self,
        created: Timestamp,
        now: Timestamp,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// All prompts of a job, the first one first.
    fn prompts(&self, id: &JobId) -> impl Future<Output = Result<Vec<Prompt>, StoreError>> + Send;

    /// Adds to the log of a job. `false` when the worker has lost it.
    fn append_log(
        &self,
        id: &JobId,
        token: &str,
        text: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// The log of a job of a project from a place on; nothing of an unknown one.
    fn log(
        &self,
        project: &ProjectId,
        id: &JobId,
        from: usize,
    ) -> impl Future<Output = Result<Option<LogChunk>, StoreError>> + Send;
}
