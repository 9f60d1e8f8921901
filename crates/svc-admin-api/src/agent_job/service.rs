//! Asking agents for work, by the rules that hold for everybody who may: programs with a key through
//! the API, and people through a page.

use super::{Branch, Job, NewJob, Phase, Prompt};
use crate::context::Context;
use crate::error::ApiError;
use crate::id::{JobId, ProjectId};
use crate::rate_limit::LimitClass;
use crate::store::{Change, ChangeResult, Store, StoreError};

/// Creates a job of a project, which counts as one of its prompts. `change` makes the entry of the
/// audit log for the name of the new job.
///
/// # Errors
/// When the project has no agent, has had too many prompts, or the store fails.
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

/// Sends a further prompt to a completed job, which counts as one of its project.
///
/// # Errors
/// When the project has had too many prompts, or the store fails.
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

/// Only prompts that an agent gets to see count.
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
