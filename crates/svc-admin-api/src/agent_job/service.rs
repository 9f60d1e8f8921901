//! Creating jobs and sending prompts, with the same rules for API clients and the dashboard.

use super::{Branch, Job, NewJob, Phase, Prompt};
use crate::context::Context;
use crate::error::ApiError;
use crate::id::{JobId, ProjectId};
use crate::rate_limit::LimitClass;
use crate::store::{Change, ChangeResult, Store, StoreError};

/// Creates a job of a project, which counts against its limit of prompts. `change` creates the
/// audit entry for the id of the new job.
///
/// # Errors
/// When the project has no agent, exceeds its limit of prompts, or the store fails.
pub async fn create_job<S: Store, D>(
    context: &Context<'_, S, D>,
    project: &ProjectId,
    prompt: Prompt,
    branch: Option<Branch>,
    change: impl FnOnce(&JobId) -> Result<Change, ApiError>,
) -> Result<(ChangeResult<Job>, Change), ApiError> {
    let known = context.store.project(project).await?;
    let agent = known.ok_or(ApiError::NotFound)?.agent;
    let agent = agent.ok_or(ApiError::NoAgent)?;
    let id = JobId::generate(context.random)?;
    let change = change(&id)?;
    let job = Job {
        id,
        project: project.clone(),
        repository: agent.repository,
        branch: branch.or(agent.branch),
        model: agent.model,
        created_at: change.at,
        turn: 1,
        pull_request: None,
        phase: Phase::Active {
            attempts: 0,
            lease: None,
        },
    };
    let passed = context.clock.monotonic();
    context
        .limits
        .acquire(LimitClass::Prompts, project.as_str(), passed)?;
    let new = NewJob { job, prompt };
    let outcome = context.store.create_job(&new, &change).await;
    Ok((refund_unless_done(context, project, outcome)?, change))
}

/// Adds a prompt to a completed job, which counts against the limit of its project.
///
/// # Errors
/// When the project exceeds its limit of prompts, or the store fails.
pub async fn send_message<S: Store, D>(
    context: &Context<'_, S, D>,
    project: &ProjectId,
    id: &JobId,
    prompt: &Prompt,
    change: &Change,
) -> Result<ChangeResult<Job>, ApiError> {
    let passed = context.clock.monotonic();
    context
        .limits
        .acquire(LimitClass::Prompts, project.as_str(), passed)?;
    let outcome = context.store.message(project, id, prompt, change).await;
    refund_unless_done(context, project, outcome)
}

/// Only prompts that reach an agent are counted.
fn refund_unless_done<S, D>(
    context: &Context<'_, S, D>,
    project: &ProjectId,
    outcome: Result<ChangeResult<Job>, StoreError>,
) -> Result<ChangeResult<Job>, ApiError> {
    if !matches!(outcome, Ok(ChangeResult::Done(_))) {
        context.limits.refund(LimitClass::Prompts, project.as_str());
    }
    Ok(outcome?)
}
