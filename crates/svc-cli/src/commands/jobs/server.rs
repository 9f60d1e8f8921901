//! Jobs over the Admin API of a server.

use std::io;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use svc_admin_api::agent_job::{AgentJob, AgentJobs, Branch, Prompt, Status};
use svc_admin_api::{ErrorBody, JobId, ProjectId};
use svc_fetch::{Client, FetchLimits, Policy, Request, RequestBody};
use url::Url;

use super::error::JobError;

/// Environment variable with the key.
const KEY_VARIABLE: &str = "SVC_KEY";
/// Number of jobs per request.
const PAGE_SIZE: usize = 100;

/// Client of the Admin API of a server.
pub(super) struct ApiClient {
    base_url: Url,
    key: HeaderValue,
    client: Client,
}

impl ApiClient {
    /// Creates a client with the key in the environment.
    pub(super) fn new(url: &str) -> io::Result<Self> {
        let url = svc_fetch::parse_url(url).map_err(io::Error::other)?;
        let key = std::env::var(KEY_VARIABLE).map_err(|_| {
            let reason =
                format!("set the environment variable `{KEY_VARIABLE}` to a key of the project");
            io::Error::other(reason)
        })?;
        let mut key = HeaderValue::from_str(&format!("Bearer {}", key.trim()))
            .map_err(|_| io::Error::other(format!("`{KEY_VARIABLE}` is not a valid key")))?;
        key.set_sensitive(true);
        // The user chose the server, so it may be private.
        let policy = Policy::from_rules([url.host_str().unwrap_or_default()]);
        let policy = policy.map_err(io::Error::other)?;
        Ok(Self {
            base_url: url,
            key,
            client: Client::new(policy, FetchLimits::default()),
        })
    }

    pub(super) async fn list(
        &self,
        project: &ProjectId,
        status: Option<Status>,
        limit: usize,
    ) -> Result<Vec<AgentJob>, JobError> {
        let mut all: Vec<AgentJob> = Vec::new();
        let mut cursor = None;
        while all.len() < limit {
            let mut query = vec![("limit", (limit - all.len()).min(PAGE_SIZE).to_string())];
            query.extend(status.map(|status| ("status", status.as_str().to_owned())));
            query.extend(cursor.map(|cursor| ("cursor", cursor)));
            let path = format!("/v2/agent/{project}/jobs");
            let page: AgentJobs = self.send(Method::GET, &path, &query, None).await?;
            all.extend(page.jobs);
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(all)
    }

    pub(super) async fn show(&self, project: &ProjectId, id: &JobId) -> Result<AgentJob, JobError> {
        let path = format!("/v2/agent/{project}/job/{id}");
        self.send(Method::GET, &path, &[], None).await
    }

    pub(super) async fn create(
        &self,
        project: &ProjectId,
        prompt: &Prompt,
        branch: Option<&Branch>,
    ) -> Result<AgentJob, JobError> {
        let path = format!("/v2/agent/{project}/job");
        let mut body = json!({ "prompt": prompt });
        if let (Some(branch), Some(body)) = (branch, body.as_object_mut()) {
            body.insert("ref".to_owned(), json!(branch));
        }
        self.send(Method::POST, &path, &[], Some(body)).await
    }

    pub(super) async fn message(
        &self,
        project: &ProjectId,
        id: &JobId,
        prompt: &Prompt,
    ) -> Result<AgentJob, JobError> {
        let path = format!("/v2/agent/{project}/job/{id}/message");
        let body = json!({ "prompt": prompt });
        self.send(Method::POST, &path, &[], Some(body)).await
    }

    pub(super) async fn cancel(
        &self,
        project: &ProjectId,
        id: &JobId,
    ) -> Result<AgentJob, JobError> {
        let path = format!("/v2/agent/{project}/job/{id}/cancel");
        self.send(Method::POST, &path, &[], None).await
    }

    pub(super) async fn archive(
        &self,
        project: &ProjectId,
        id: &JobId,
    ) -> Result<AgentJob, JobError> {
        let path = format!("/v2/agent/{project}/job/{id}/archive");
        self.send(Method::POST, &path, &[], None).await
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        query: &[(&str, String)],
        body: Option<Value>,
    ) -> Result<T, JobError> {
        let mut url = self.base_url.clone();
        url.set_path(&format!("{}{path}", url.path().trim_end_matches('/')));
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let mut headers = HeaderMap::from_iter([(AUTHORIZATION, self.key.clone())]);
        let body = body.map_or(RequestBody::Empty, |body| {
            let json = HeaderValue::from_static("application/json");
            headers.insert(CONTENT_TYPE, json);
            RequestBody::Bytes(body.to_string().into())
        });
        let request = Request {
            method,
            url,
            headers,
            body,
            // The key must not be sent to another server.
            follow_redirects: false,
        };
        let unreachable = |reason: String| JobError::Unreachable(io::Error::other(reason));
        let response = self.client.send(request).await;
        let response = response.map_err(|error| unreachable(error.to_string()))?;
        let status = response.status;
        let bytes = response.body.bytes().await;
        let bytes = bytes.map_err(|error| unreachable(error.to_string()))?;
        if status.is_success() {
            let read = serde_json::from_slice(&bytes);
            return read
                .map_err(|_| unreachable("the response is not from the Admin API".to_owned()));
        }
        match serde_json::from_slice::<ErrorBody>(&bytes) {
            Ok(body) => Err(JobError::Rejected(format!("{} ({status})", body.error))),
            Err(_) => Err(unreachable(format!("the server responded with {status}"))),
        }
    }
}
