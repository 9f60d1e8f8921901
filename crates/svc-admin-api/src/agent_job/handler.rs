//! Operations on jobs.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use serde::Deserialize;

use super::{
    AgentJob, AgentJobs, Branch, JobQuery, Prompt, Status, create_job, cursor, send_message,
};
use crate::context::{AuthenticatedRequest, job_response};
use crate::deployment::Deployments;
use crate::error::ApiError;
use crate::id::JobId;
use crate::store::Store;
use crate::{body, query, reply};

/// Default number of jobs on a page.
const DEFAULT_PAGE_SIZE: usize = 20;
/// Maximum number of jobs on a page.
const MAX_PAGE_SIZE: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CreateRequest {
    prompt: Prompt,
    #[serde(default, rename = "ref")]
    reference: Option<Branch>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageRequest {
    prompt: Prompt,
}

/// `POST /v2/agent/{projectId}/job`.
pub(crate) async fn create<S: Store, D: Deployments>(
    call: &AuthenticatedRequest<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let project = call.project()?;
    let CreateRequest { prompt, reference } = body::parse_object(call.request)?;
    let created = create_job(call.context, project, prompt, reference, |id| {
        call.change(id.as_str())
    });
    let (outcome, change) = created.await?;
    // No status can reject a job that does not exist yet.
    let mut response = job_response(outcome, &change, |_| ApiError::Internal)?;
    if let Some(location_value) = location(&response) {
        response
            .headers_mut()
            .insert(header::LOCATION, location_value);
    }
    Ok(response)
}

/// Value of `Location`. The id is read from the body, because a replayed response belongs to the
/// job that was created first.
fn location(response: &Response<Bytes>) -> Option<HeaderValue> {
    let job: AgentJob = serde_json::from_slice(response.body()).ok()?;
    // Relative to the request path, which ends in `job`.
    HeaderValue::from_str(&format!("job/{}", job.id)).ok()
}

/// `GET /v2/agent/{projectId}/job/{id}`.
pub(crate) async fn get<S: Store, D: Deployments>(
    call: &AuthenticatedRequest<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (project, id) = (call.project()?, job_id(call)?);
    let job = call.context.store.job(project, &id).await?;
    let job = job.ok_or(ApiError::NotFound)?;
    Ok(reply::json(StatusCode::OK, &AgentJob::from(&job)))
}

/// `POST /v2/agent/{projectId}/job/{id}/message`.
pub(crate) async fn message<S: Store, D: Deployments>(
    call: &AuthenticatedRequest<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (project, id) = (call.project()?, job_id(call)?);
    let MessageRequest { prompt } = body::parse_object(call.request)?;
    let change = call.change(id.as_str())?;
    let outcome = send_message(call.context, project, &id, &prompt, &change).await?;
    job_response(outcome, &change, ApiError::NotCompleted)
}

/// `POST /v2/agent/{projectId}/job/{id}/cancel`.
pub(crate) async fn cancel<S: Store, D: Deployments>(
    call: &AuthenticatedRequest<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (project, id) = (call.project()?, job_id(call)?);
    body::expect_empty(call.request)?;
    let change = call.change(id.as_str())?;
    let outcome = call.context.store.cancel(project, &id, &change).await?;
    job_response(outcome, &change, ApiError::NotActive)
}

/// `POST /v2/agent/{projectId}/job/{id}/archive`.
pub(crate) async fn archive<S: Store, D: Deployments>(
    call: &AuthenticatedRequest<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (project, id) = (call.project()?, job_id(call)?);
    body::expect_empty(call.request)?;
    let change = call.change(id.as_str())?;
    let outcome = call.context.store.archive(project, &id, &change).await?;
    job_response(outcome, &change, ApiError::NotFinished)
}

/// `GET /v2/agent/{projectId}/jobs`.
pub(crate) async fn list<S: Store, D: Deployments>(
    call: &AuthenticatedRequest<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let project = call.project()?.clone();
    let names = ["limit", "cursor", "status"];
    let [limit, after, status] = query::read(call.request.uri().query(), names)?;
    let limit = limit.map_or(Ok(DEFAULT_PAGE_SIZE), |text| {
        let reason = || {
            ApiError::InvalidQuery(format!(
                "`limit` must be a number from 1 to {MAX_PAGE_SIZE}"
            ))
        };
        let number = text.bytes().all(|b| b.is_ascii_digit()) && text.len() <= 3;
        let number = number.then(|| text.parse().ok()).flatten();
        number
            .filter(|number| (1..=MAX_PAGE_SIZE).contains(number))
            .ok_or_else(reason)
    })?;
    let after = after.map(|text| {
        let reason = || ApiError::InvalidQuery("`cursor` is invalid".to_owned());
        cursor::parse_cursor(&text).ok_or_else(reason)
    });
    let status = status.map(|text| {
        let reason = "`status` must be `active`, `completed`, `archived` or `failed`";
        Status::parse(&text).ok_or_else(|| ApiError::InvalidQuery(reason.to_owned()))
    });
    let query = JobQuery {
        project,
        status: status.transpose()?,
        after: after.transpose()?,
        // One more job than requested shows whether there is another page.
        limit: limit + 1,
    };
    let mut jobs = call.context.store.jobs(&query).await?;
    let more = jobs.len() > limit;
    jobs.truncate(limit);
    let last = jobs.last().filter(|_| more);
    let page = AgentJobs {
        next_cursor: last.map(cursor::cursor_after),
        jobs: jobs.iter().map(AgentJob::from).collect(),
    };
    Ok(reply::json(StatusCode::OK, &page))
}

fn job_id<S: Store, D: Deployments>(
    call: &AuthenticatedRequest<'_, S, D>,
) -> Result<JobId, ApiError> {
    JobId::parse(call.value(1)).ok_or(ApiError::NotFound)
}
