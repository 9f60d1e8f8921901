//! Jobs in the store of the server.

use std::io;
use std::net::{IpAddr, Ipv4Addr};

use svc_admin_api::agent_job::{
    AgentJob, Branch, Job, JobQuery, JobStore as _, Prompt, Status, create_job, send_message,
};
use svc_admin_api::{
    ApiError, Change, ChangeResult, Clock as _, Context, JobId, ProjectId, RateLimiter, StoreError,
};
use svc_server::{SystemClock, SystemRandom};
use svc_store::Database;

use super::super::store_cli;
use super::error::JobError;

impl From<StoreError> for JobError {
    fn from(error: StoreError) -> Self {
        Self::Unreachable(io::Error::other(error))
    }
}

impl From<ApiError> for JobError {
    fn from(error: ApiError) -> Self {
        Self::Rejected(error.body().error)
    }
}

fn change(project: &ProjectId, action: &str, id: &JobId) -> Change {
    let now = SystemClock::default().now();
    Change::new(
        &store_cli::initiator(),
        now,
        project,
        action,
        Some(id.as_str()),
    )
}

/// Converts the result of a change.
fn job_result(
    outcome: ChangeResult<Job>,
    not_allowed: fn(Status) -> ApiError,
) -> Result<AgentJob, JobError> {
    match outcome {
        ChangeResult::Done(job) => Ok(AgentJob::from(&job)),
        ChangeResult::InvalidState(status) => Err(not_allowed(status).into()),
        _ => Err(ApiError::NotFound.into()),
    }
}

pub(super) async fn list(
    store: &Database,
    project: &ProjectId,
    status: Option<Status>,
    limit: usize,
) -> Result<Vec<AgentJob>, JobError> {
    let query = JobQuery {
        project: project.clone(),
        status,
        after: None,
        limit,
    };
    let jobs = store.jobs(&query).await?;
    Ok(jobs.iter().map(AgentJob::from).collect())
}

pub(super) async fn show(
    store: &Database,
    project: &ProjectId,
    id: &JobId,
) -> Result<AgentJob, JobError> {
    let job = store.job(project, id).await?;
    let job = job.ok_or(ApiError::NotFound)?;
    Ok(AgentJob::from(&job))
}

pub(super) async fn create(
    store: &Database,
    project: &ProjectId,
    prompt: &Prompt,
    branch: Option<&Branch>,
) -> Result<AgentJob, JobError> {
    let (clock, limits) = (SystemClock::default(), RateLimiter::default());
    let context = context(store, &clock, &limits);
    let outcome = create_job(&context, project, prompt.clone(), branch.cloned(), |id| {
        Ok(change(project, "createAgentJob", id))
    });
    let (outcome, _) = outcome.await?;
    job_result(outcome, ApiError::NotFinished)
}

pub(super) async fn message(
    store: &Database,
    project: &ProjectId,
    id: &JobId,
    prompt: &Prompt,
) -> Result<AgentJob, JobError> {
    let (clock, limits) = (SystemClock::default(), RateLimiter::default());
    let context = context(store, &clock, &limits);
    let change = change(project, "messageAgentJob", id);
    let outcome = send_message(&context, project, id, prompt, &change).await?;
    job_result(outcome, ApiError::NotCompleted)
}

pub(super) async fn cancel(
    store: &Database,
    project: &ProjectId,
    id: &JobId,
) -> Result<AgentJob, JobError> {
    let change = change(project, "cancelAgentJob", id);
    let canceled = store.cancel(project, id, &change).await?;
    job_result(canceled, ApiError::NotActive)
}

pub(super) async fn archive(
    store: &Database,
    project: &ProjectId,
    id: &JobId,
) -> Result<AgentJob, JobError> {
    let change = change(project, "archiveAgentJob", id);
    let archived = store.archive(project, id, &change).await?;
    job_result(archived, ApiError::NotFinished)
}

pub(super) async fn log(
    store: &Database,
    project: &ProjectId,
    id: &JobId,
) -> Result<String, JobError> {
    let log = store.log(project, id, 0).await?;
    Ok(log.ok_or(ApiError::NotFound)?.text)
}

/// Context without deployments, which these commands do not use.
fn context<'a>(
    store: &'a Database,
    clock: &'a SystemClock,
    limits: &'a RateLimiter,
) -> Context<'a, Database, ()> {
    Context {
        store,
        deployments: &(),
        clock,
        random: &SystemRandom,
        limits,
        peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
        base_url: "",
    }
}
