//! The webhook endpoint.

use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use http::{Method, StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::{Body as _, Bytes, Incoming};
use serde_json::json;
use svc_admin_api::rate_limit::{Quota, retry_after};

use super::WebhookRejection;
use super::receiver::{Preview, Receiver, WebhookOutcome};
use crate::caller::network;
use crate::deploy::{Action, Deployer, Trigger, TriggerError};
use crate::pull_requests::EventSender;
use crate::rate_limit::{ClientLimits, ClientRateLimiter};
use crate::reply::{self, Response};
use crate::service::{BodyHandler, BodyRouter, Upload};
use crate::settings::ProjectSettings;
use crate::{Sites, path};

/// Path of the endpoint, at the root of the host and below the base path.
pub(crate) const PATH: &str = "/_svc/webhook";

/// Limits of the webhook endpoint.
#[derive(Debug, Clone)]
pub struct WebhookLimits {
    /// Maximum size of a delivery in bytes.
    pub body_bytes: usize,
    /// Timeout for receiving a delivery.
    pub body_timeout: Duration,
    /// Maximum number of concurrent deliveries.
    pub max_concurrent: usize,
    /// Maximum number of concurrent deliveries from one client address (IPv6: from one /64
    /// network).
    pub max_concurrent_per_client: usize,
    /// Number of deliveries that a client address can send in a burst.
    pub burst: u32,
    /// Interval between deliveries after a burst.
    pub interval: Duration,
}

impl Default for WebhookLimits {
    fn default() -> Self {
        Self {
            body_bytes: 5 << 20,
            body_timeout: Duration::from_secs(10),
            max_concurrent: 16,
            max_concurrent_per_client: 6,
            burst: 60,
            interval: Duration::from_secs(1),
        }
    }
}

/// Webhooks of all projects of a server, and the lifecycle of previews. A handle; clones share the
/// state.
#[derive(Debug, Clone)]
pub struct Webhooks {
    receiver: Receiver,
    limits: Arc<WebhookLimits>,
    limiter: ClientRateLimiter,
}

impl Webhooks {
    /// Creates webhooks that trigger deployments. `sites` is used to find free hosts, and
    /// `preview_key` for the part of a preview's host that cannot be guessed.
    pub fn new(
        deployer: Deployer,
        sites: Sites,
        limits: WebhookLimits,
        preview_key: [u8; 32],
    ) -> Self {
        let receiver = Receiver::new(deployer, sites, preview_key);
        let rates = ClientRateLimiter::new(ClientLimits {
            max_concurrent: limits.max_concurrent,
            max_concurrent_per_client: limits.max_concurrent_per_client,
            quota: Quota {
                burst: limits.burst,
                interval: limits.interval,
            },
        });
        Self {
            receiver,
            limits: Arc::new(limits),
            limiter: rates,
        }
    }

    /// Sends what happens to pull requests from now on. Called once.
    pub(crate) fn connect(&self, events: EventSender) {
        self.receiver.connect(events);
    }

    /// Replaces the projects.
    pub fn set_projects(&self, projects: &[ProjectSettings]) {
        self.receiver.set_projects(projects);
    }

    /// Removes previews that have expired or that the settings do not allow anymore. `now` is in
    /// milliseconds since the Unix epoch. Writes to the disk.
    pub fn expire_previews(&self, now: u64) {
        self.receiver.expire_previews(now);
    }

    /// Deploys a branch as a preview, on request of an API client or a user. Writes to the disk.
    pub(crate) fn preview(
        &self,
        project: &str,
        branch: &str,
        trigger: &Trigger,
    ) -> Result<String, TriggerError> {
        self.receiver.preview(project, branch, trigger)
    }

    /// Performs an action that was requested from another server some time ago. Writes to the disk.
    pub(crate) fn apply_remote(&self, action: Action, age: Duration) -> Result<(), TriggerError> {
        self.receiver.apply_remote(action, age)
    }

    /// Previews of a project that are live or queued.
    pub(crate) fn previews(&self, project: &str) -> Vec<Preview> {
        self.receiver.previews(project)
    }

    /// URL of a host of a project.
    pub(crate) fn host_url(&self, project: &str, host: &str) -> String {
        self.receiver.host_url(project, host)
    }

    /// Whether readers sign in at the site of a project.
    pub(crate) fn has_readers(&self, project: &str) -> bool {
        self.receiver.has_readers(project)
    }

    /// URL of the site of a project; `None` for an unknown project.
    pub(crate) fn site(&self, project: &str) -> Option<String> {
        self.receiver.site(project)
    }

    /// Router for the deliveries that arrive at the hosts of a project.
    pub fn body_router(&self, project: &ProjectSettings) -> BodyRouter {
        let webhooks = self.clone();
        let paths = [PATH.to_owned(), format!("{}{PATH}", project.site.base_path)];
        let has_webhook = project.webhook.is_some();
        let project: Arc<str> = project.id.as_str().into();
        Arc::new(move |parts: &Parts| {
            let path = path::normalize(parts.uri.path())?;
            if !paths.contains(&path) {
                return None;
            }
            if parts.method != Method::POST && !has_webhook {
                return None;
            }
            if parts.method != Method::POST {
                let taken: BodyHandler =
                    Box::new(|parts, _| Box::pin(async move { method_not_allowed(&parts) }));
                return Some(taken);
            }
            let (webhooks, project) = (webhooks.clone(), Arc::clone(&project));
            let taken: BodyHandler = Box::new(move |parts, upload| {
                Box::pin(async move { webhooks.handle(project, parts, upload).await })
            });
            Some(taken)
        })
    }

    async fn handle(&self, project: Arc<str>, parts: Parts, upload: Upload) -> Response {
        let client = network(upload.client);
        let permit = match self.limiter.enter(client) {
            Ok(permit) => permit,
            Err(wait) => return too_many(wait),
        };
        let body = match body(&parts, upload.body, &self.limits).await {
            Ok(body) => body,
            Err(error) => return outcome_response(&Err(error)),
        };
        let receiver = self.receiver.clone();
        // The result is written to the disk before the response is sent.
        let task = move || receiver.receive(&project, &parts.headers, &body);
        let result = tokio::task::spawn_blocking(task).await;
        drop(permit);
        outcome_response(&result.unwrap_or_else(|_| {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Err(WebhookRejection::new(status, "internal server error"))
        }))
    }
}

async fn body(
    parts: &Parts,
    body: Incoming,
    limits: &WebhookLimits,
) -> Result<Bytes, WebhookRejection> {
    let large = || {
        let max = limits.body_bytes >> 20;
        let reason = format!("the delivery exceeds the limit of {max} MiB");
        WebhookRejection::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
    };
    let length = parts.headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let max = limits.body_bytes as u64;
    if length.unwrap_or_else(|| body.size_hint().lower()) > max {
        return Err(large());
    }
    let all = Limited::new(body, limits.body_bytes).collect();
    match tokio::time::timeout(limits.body_timeout, all).await {
        Ok(Ok(all)) => Ok(all.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(large()),
        Ok(Err(_)) => Err(WebhookRejection::bad_request("the delivery is incomplete")),
        Err(_) => {
            let status = StatusCode::REQUEST_TIMEOUT;
            Err(WebhookRejection::new(
                status,
                "timeout while receiving the delivery",
            ))
        }
    }
}

/// 202 with a deployment, 200 if there is nothing to deploy, or the rejection.
fn outcome_response(result: &Result<WebhookOutcome, WebhookRejection>) -> Response {
    match result {
        Ok(WebhookOutcome {
            deployment: Some(id),
            sentence,
        }) => {
            let text = json!({ "deployment": id, "message": sentence });
            reply::json(StatusCode::ACCEPTED, &text)
        }
        Ok(WebhookOutcome { sentence, .. }) => {
            reply::json(StatusCode::OK, &json!({ "message": sentence }))
        }
        Err(WebhookRejection { status, sentence }) => {
            reply::json(*status, &json!({ "error": sentence }))
        }
    }
}

/// Response to a request with another method, which explains the endpoint.
fn method_not_allowed(parts: &Parts) -> Response {
    let reason = "method not allowed; this is the webhook endpoint, to which forges send deliveries with POST";
    let error = WebhookRejection::new(StatusCode::METHOD_NOT_ALLOWED, reason);
    let mut response = outcome_response(&Err(error));
    reply::set_header(&mut response, header::ALLOW, "POST");
    if parts.method == Method::HEAD {
        *response.body_mut() = crate::Body::empty();
    }
    response
}

fn too_many(wait: Duration) -> Response {
    let reason = "too many deliveries; try again in a moment";
    let mut response = outcome_response(&Err(WebhookRejection::new(
        StatusCode::TOO_MANY_REQUESTS,
        reason,
    )));
    let seconds = retry_after(wait).to_string();
    reply::set_header(&mut response, header::RETRY_AFTER, &seconds);
    response
}
