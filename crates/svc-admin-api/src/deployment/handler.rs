//! Operations of the Deployment API.

use bytes::Bytes;
use http::{Response, StatusCode};
use serde::{Deserialize, Serialize};

use super::{
    DeployError, DeployTarget, DeploymentHandle, Deployments, PreviewResponse, UpdateResponse,
};
use crate::agent_job::Branch;
use crate::audit::Actor;
use crate::context::{AuthenticatedRequest, into_response, to_api_error};
use crate::error::ApiError;
use crate::id::StatusId;
use crate::idempotency::RecordedResponse;
use crate::store::{ChangeResult, Store};
use crate::{body, reply};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Preview {
    branch: Branch,
}

/// `POST /v1/project/update/{projectId}`.
pub(crate) async fn update<S: Store, D: Deployments>(
    call: &AuthenticatedRequest<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    call.project()?;
    body::expect_empty(call.request)?;
    trigger(call, &DeployTarget::Site, |handle| UpdateResponse {
        status_id: handle.id,
    })
    .await
}

/// `POST /v1/project/preview/{projectId}`.
pub(crate) async fn preview<S: Store, D: Deployments>(
    call: &AuthenticatedRequest<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    call.project()?;
    let Preview { branch } = body::parse_object(call.request)?;
    let target = DeployTarget::Preview(branch);
    trigger(call, &target, |handle| PreviewResponse {
        status_id: handle.id,
        preview_url: handle.preview_url,
    })
    .await
}

/// `GET /v1/project/update-status/{statusId}`.
pub(crate) async fn status<S: Store, D: Deployments>(
    call: &AuthenticatedRequest<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let id = StatusId::parse(call.value(0)).ok_or(ApiError::NotFound)?;
    let status = call.context.deployments.status(&id).await?;
    let status = status.filter(|status| status.project_id == call.key.project);
    let status = status.ok_or(ApiError::NotFound)?;
    Ok(reply::json(StatusCode::OK, &status))
}

async fn trigger<S: Store, D: Deployments, B: Serialize>(
    call: &AuthenticatedRequest<'_, S, D>,
    target: &DeployTarget,
    body: impl FnOnce(DeploymentHandle) -> B + Send,
) -> Result<Response<Bytes>, ApiError> {
    let (store, rule) = (call.context.store, target.limit_class());
    let once = call.idempotency_key()?;
    call.acquire(rule)?;
    if let Some(once) = &once {
        match store.reserve(once, call.now).await {
            Ok(ChangeResult::Done(())) => {}
            other => {
                call.refund(rule);
                return match other? {
                    ChangeResult::Replayed(response) => Ok(into_response(response)),
                    other => Err(to_api_error(&other, |_| ApiError::Internal)),
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
            call.refund(rule);
            if let Some(once) = &once {
                // An abandoned reservation expires after a minute.
                let _ = store.complete(once, None).await;
            }
            return Err(error.into());
        }
    };
    let status = call.operation.success();
    let entry = call.audit_entry(Some(made.id.as_str()), status);
    let response = RecordedResponse {
        status,
        body: serde_json::to_string(&body(made)).map_err(|_| ApiError::Internal)?,
    };
    match &once {
        Some(once) => store.complete(once, Some((&response, &entry))).await?,
        None => store.record(&entry).await?,
    }
    Ok(into_response(response))
}

impl From<DeployError> for ApiError {
    fn from(error: DeployError) -> Self {
        match error {
            DeployError::UnknownProject => Self::NotFound,
            DeployError::Rejected(reason) => Self::NotDeployable(reason),
            DeployError::Unavailable(_) => Self::Unavailable,
        }
    }
}
