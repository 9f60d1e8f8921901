//! The operations on jobs.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use serde::Deserialize;

use super::{
    AgentJob, AgentJobs, Branch, JobQuery, Prompt, Status, ask_for_job, cursor, send_message,
};
use crate::call::{Call, changed};
use crate::deployment::Deployments;
use crate::error::ApiError;
use crate::id::JobId;
use crate::store::Store;
use crate::{body, query, reply};

/// Jobs on a page when nothing is said.
const PAGE: usize = 20;
/// The most jobs on a page.
const LARGEST_PAGE: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Create {
    prompt: Prompt,
    #[serde(default, rename = "ref")]
    reference: Option<Branch>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    prompt: Prompt,
}

/// `POST /v2/agent/{projectId}/job`.
pub(crate) async fn create<S: Store, D: Deployments>(
    call: &Call<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let project = call.project()?;
    let Create { prompt, reference } = body::object(call.request)?;
    let asked = ask_for_job(call.context, project, prompt, reference, |id| {
        call.change(id.as_str())
    });
    let (outcome, change) = asked.await?;
    // No state can forbid a job that is not there yet.
    let mut response = changed(outcome, &change, |_| ApiError::Internal)?;
    if let Some(place) = place(&response) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

/// Where the job of a response is. It is read from the body, as a repeated answer is of the job
/// that was created first.
fn place(response: &Response<Bytes>) -> Option<HeaderValue> {
    let job: AgentJob = serde_json::from_slice(response.body()).ok()?;
    // Relative to the address that was posted to, which ends in `job`.
    HeaderValue::from_str(&format!("job/{}", job.id)).ok()
}

/// `GET /v2/agent/{projectId}/job/{id}`.
pub(crate) async fn get<S: Store, D: Deployments>(
    call: &Call<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (project, id) = (call.project()?, job_id(call)?);
    let job = call.context.store.job(project, &id).await?;
    let job = job.ok_or(ApiError::NotFound)?;
    Ok(reply::json(StatusCode::OK, &AgentJob::from(&job)))
}

/// `POST /v2/agent/{projectId}/job/{id}/message`.
pub(crate) async fn message<S: Store, D: Deployments>(
    call: &Call<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (project, id) = (call.project()?, job_id(call)?);
    let Message { prompt } = body::object(call.request)?;
    let change = call.change(id.as_str())?;
    let outcome = send_message(call.context, project, &id, &prompt, &change).await?;
    changed(outcome, &change, ApiError::NotCompleted)
}

/// `POST /v2/agent/{projectId}/job/{id}/cancel`.
pub(crate) async fn cancel<S: Store, D: Deployments>(
    call: &Call<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (project, id) = (call.project()?, job_id(call)?);
    body::nothing(call.request)?;
    let change = call.change(id.as_str())?;
    let outcome = call.context.store.cancel(project, &id, &change).await?;
    changed(outcome, &change, ApiError::NotActive)
}

/// `POST /v2/agent/{projectId}/job/{id}/archive`.
pub(crate) async fn archive<S: Store, D: Deployments>(
    call: &Call<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (project, id) = (call.project()?, job_id(call)?);
    body::nothing(call.request)?;
    let change = call.change(id.as_str())?;
    let outcome = call.context.store.archive(project, &id, &change).await?;
    changed(outcome, &change, ApiError::NotFinished)
}

/// `GET /v2/agent/{projectId}/jobs`.
pub(crate) async fn list<S: Store, D: Deployments>(
    call: &Call<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let project = call.project()?.clone();
    let names = ["limit", "cursor", "status"];
    let [limit, after, status] = query::read(call.request.uri().query(), names)?;
    let limit = limit.map_or(Ok(PAGE), |text| {
        let why = || ApiError::Query(format!("`limit` is a number from 1 to {LARGEST_PAGE}"));
        let number = text.bytes().all(|b| b.is_ascii_digit()) && text.len() <= 3;
        let number = number.then(|| text.parse().ok()).flatten();
        number
            .filter(|number| (1..=LARGEST_PAGE).contains(number))
            .ok_or_else(why)
    })?;
    let after = after.map(|text| {
        let why = || ApiError::Query("`cursor` is none that was given out".to_owned());
        cursor::parse(&text).ok_or_else(why)
    });
    let status = status.map(|text| {
        let why = "`status` is `active`, `completed`, `archived` or `failed`";
        Status::parse(&text).ok_or_else(|| ApiError::Query(why.to_owned()))
    });
    let query = JobQuery {
        project,
        status: status.transpose()?,
        after: after.transpose()?,
        // One more tells whether there is another page.
        limit: limit + 1,
    };
    let mut jobs = call.context.store.jobs(&query).await?;
    let more = jobs.len() > limit;
    jobs.truncate(limit);
    let last = jobs.last().filter(|_| more);
    let page = AgentJobs {
        next_cursor: last.map(cursor::after),
        jobs: jobs.iter().map(AgentJob::from).collect(),
    };
    Ok(reply::json(StatusCode::OK, &page))
}

fn job_id<S: Store, D: Deployments>(call: &Call<'_, S, D>) -> Result<JobId, ApiError> {
    JobId::parse(call.value(1)).ok_or(ApiError::NotFound)
}
