//! Triggering deployments from the dashboard.

use super::{DeployTarget, DeploymentHandle, Deployments};
use crate::audit::Initiator;
use crate::context::Context;
use crate::error::ApiError;
use crate::id::ProjectId;
use crate::store::{Change, Store};

/// Triggers a deployment of a project and adds an audit entry. The same limits apply as for the
/// API.
///
/// # Errors
/// When the rate limit is exceeded, the deployment is not possible, or a dependency is unavailable.
pub async fn trigger_deployment<S: Store, D: Deployments>(
    context: &Context<'_, S, D>,
    by: &Initiator,
    project: &ProjectId,
    target: &DeployTarget,
) -> Result<DeploymentHandle, ApiError> {
    let (rule, subject) = (target.limit_class(), project.as_str());
    let passed = context.clock.monotonic();
    context.limits.acquire(rule, subject, passed)?;
    let made = match context
        .deployments
        .trigger(project, target, &by.actor)
        .await
    {
        Ok(made) => made,
        Err(error) => {
            context.limits.refund(rule, subject);
            return Err(error.into());
        }
    };
    // Ids of the operations of the API that do the same.
    let action = match target {
        DeployTarget::Site => "updateProject",
        DeployTarget::Preview(_) => "createPreview",
    };
    let at = context.clock.now();
    let change = Change::new(by, at, project, action, Some(made.id.as_str()));
    context.store.record(&change.entry).await?;
    Ok(made)
}
