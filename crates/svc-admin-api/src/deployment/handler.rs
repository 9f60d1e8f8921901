//! The operations of the Deployment API.

use bytes::Bytes;
use http::{Response, StatusCode};
use serde::{Deserialize, Serialize};

use super::{DeployError, Deployments, Previewing, Target, Triggered, Updating};
use crate::agent_job::Branch;
use crate::audit::Actor;
use crate::call::{Call, again, refusal};
use crate::error::ApiError;
use crate::id::StatusId;
use crate::idempotency::Answer;
use crate::store::{Outcome, Store};
use crate::{body, reply};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Preview {
    branch: Branch,
}

/// `POST /v1/project/update/{projectId}`.
pub(crate) async fn update<S: Store, D: Deployments>(
    call: &Call<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    call.project()?;
    body::nothing(call.request)?;
    trigger(call, &Target::Site, |made| Updating { status_id: made.id }).await
}

/// `POST /v1/project/preview/{projectId}`.
pub(crate) async fn preview<S: Store, D: Deployments>(
    call: &Call<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    call.project()?;
    let Preview { branch } = body::object(call.request)?;
    let target = Target::Preview(branch);
    trigger(call, &target, |made| Previewing {
        status_id: made.id,
        preview_url: made.preview_url,
    })
    .await
}

/// `GET /v1/project/update-status/{statusId}`.
pub(crate) async fn status<S: Store, D: Deployments>(
    call: &Call<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let id = StatusId::parse(call.value(0)).ok_or(ApiError::NotFound)?;
    let found = call.context.deployments.status(&id).await?;
    let found = found.filter(|status| status.project_id == call.key.project);
    let found = found.ok_or(ApiError::NotFound)?;
    Ok(reply::json(StatusCode::OK, &found))
}

async fn trigger<S: Store, D: Deployments, B: Serialize>(
    call: &Call<'_, S, D>,
    target: &Target,
    body: impl FnOnce(Triggered) -> B + Send,
) -> Result<Response<Bytes>, ApiError> {
    let (store, rule) = (call.context.store, target.rule());
    let once = call.once()?;
    call.take(rule)?;
    if let Some(once) = &once {
        match store.reserve(once, call.now).await {
            Ok(Outcome::Done(())) => {}
            other => {
                call.give_back(rule);
                return match other? {
                    Outcome::Again(answer) => Ok(again(answer)),
                    other => Err(refusal(&other, |_| ApiError::Internal)),
                };
            }
        }
    }
    let actor = Actor::Key(call.key.id.clone());
    let made = call
        .context
        .deployments
        .trigger(&call.key.project, target, &actor)
        .await;
    let made = match made {
        Ok(made) => made,
        Err(error) => {
            call.give_back(rule);
            if let Some(once) = &once {
                // What stays reserved lapses after a minute.
                let _ = store.settle(once, None).await;
            }
            return Err(error.into());
        }
    };
    let status = call.operation.success();
    let entry = call.entry(Some(made.id.as_str()), status);
    let answer = Answer {
        status,
        body: serde_json::to_string(&body(made)).map_err(|_| ApiError::Internal)?,
    };
    match &once {
        Some(once) => store.settle(once, Some((&answer, &entry))).await?,
        None => store.record(&entry).await?,
    }
    Ok(again(answer))
}

impl From<DeployError> for ApiError {
    fn from(error: DeployError) -> Self {
        match error {
            DeployError::UnknownProject => Self::NotFound,
            DeployError::NotPossible(why) => Self::NotDeployable(why),
            DeployError::Unavailable(_) => Self::Unavailable,
        }
    }
}
