//! The address of webhooks: from a request to its answer.

use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use http::{Method, StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::{Body as _, Bytes, Incoming};
use serde_json::json;
use svc_admin_api::rate_limit::retry_after;

use super::WebhookRejection;
use super::receiver::{Preview, Receiver};
use crate::caller::network;
use crate::deploy::{Action, Deployer, Trigger, TriggerError};
use crate::rate_limit::{ClientLimits, ClientRateLimiter};
use crate::reply::{self, Response};
use crate::service::{BodyHandler, BodyRouter, Upload};
use crate::settings::ProjectSettings;
use crate::{Sites, path};

/// Where webhooks arrive, at the root of the host and below the base path.
pub(crate) const PATH: &str = "/_svc/webhook";

/// What forges may use of the webhooks of a server.
#[derive(Debug, Clone)]
pub struct WebhookLimits {
    /// Largest delivery.
    pub body_bytes: usize,
    /// Time for a whole delivery.
    pub body_timeout: Duration,
    /// Deliveries at once.
    pub max_concurrent: usize,
    /// Deliveries at once from one address (IPv6: from one /64 network).
    pub max_concurrent_per_client: usize,
    /// Deliveries that one address may send without a pause.
    pub burst: u32,
    /// After a burst, one delivery each.
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

/// The webhooks of all projects of a server, and the previews that come and go with them. A handle;
/// all copies are the same.
#[derive(Debug, Clone)]
pub struct Webhooks {
    receiver: Receiver,
    limits: Arc<WebhookLimits>,
    limiter: ClientRateLimiter,
}

impl Webhooks {
    /// Hands what forges tell to a deployer. `sites` says which hosts are taken; `tell` gets lines
    /// for the log of the server.
    pub fn new(
        deployer: Deployer,
        sites: Sites,
        limits: WebhookLimits,
        tell: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        let receiver = Receiver::new(deployer, sites, Box::new(tell));
        let rates = ClientRateLimiter::new(ClientLimits {
            max_concurrent: limits.max_concurrent,
            max_concurrent_per_client: limits.max_concurrent_per_client,
            burst: limits.burst,
            interval: limits.interval,
        });
        Self {
            receiver,
            limits: Arc::new(limits),
            limiter: rates,
        }
    }

    /// Knows these projects from now on.
    pub fn set_projects(&self, projects: &[ProjectSettings]) {
        self.receiver.set_projects(projects);
    }

    /// Takes away the previews whose time is over or that the settings do not want any more. `now`
    /// is in milliseconds since 1970. Writes to the disk.
    pub fn expire_previews(&self, now: u64) {
        self.receiver.expire_previews(now);
    }

    /// Deploys a branch as a preview, because a program or a person asks for it. Writes to the disk.
    pub(crate) fn preview(
        &self,
        project: &str,
        branch: &str,
        trigger: &Trigger,
    ) -> Result<String, TriggerError> {
        self.receiver.preview(project, branch, trigger)
    }

    /// Does what another server was asked to do, some time ago. Writes to the disk.
    pub(crate) fn apply_remote(&self, action: Action, age: Duration) -> Result<(), TriggerError> {
        self.receiver.apply_remote(action, age)
    }

    /// The previews of a project that stand or are being made.
    pub(crate) fn previews(&self, project: &str) -> Vec<Preview> {
        self.receiver.previews(project)
    }

    /// Where readers find a host of a project.
    pub(crate) fn host_url(&self, project: &str, host: &str) -> String {
        self.receiver.host_url(project, host)
    }

    /// Where readers find the site of a project.
    pub(crate) fn site(&self, project: &str) -> Option<String> {
        self.receiver.site(project)
    }

    /// Takes the deliveries that arrive at the hosts of a project.
    pub fn body_router(&self, project: &ProjectSettings) -> BodyRouter {
        let webhooks = self.clone();
        let places = [PATH.to_owned(), format!("{}{PATH}", project.base_path)];
        let has_webhook = project.webhook.is_some();
        let project: Arc<str> = project.id.as_str().into();
        Arc::new(move |parts: &Parts| {
            let path = path::normalize(parts.uri.path())?;
            if !places.contains(&path) {
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
        let seat = match self.limiter.enter(client) {
            Ok(seat) => seat,
            Err(wait) => return too_many(wait),
        };
        let body = match body(&parts, upload.body, &self.limits).await {
            Ok(body) => body,
            Err(refused) => return outcome_response(&Err(refused)),
        };
        let receiver = self.receiver.clone();
        // What comes of it is written to the disk before it is answered.
        let work = move || receiver.receive(&project, &parts.headers, &body);
        let done = tokio::task::spawn_blocking(work).await;
        drop(seat);
        outcome_response(&done.unwrap_or_else(|_| {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Err(WebhookRejection::new(status, "internal server error"))
        }))
    }
}

/// What came of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WebhookOutcome {
    /// The deployment that was asked for.
    pub(super) deployment: Option<String>,
    /// A sentence about it.
    pub(super) sentence: String,
}

async fn body(
    parts: &Parts,
    body: Incoming,
    limits: &WebhookLimits,
) -> Result<Bytes, WebhookRejection> {
    let large = || {
        let most = limits.body_bytes >> 20;
        let why = format!("the delivery is larger than {most} MiB");
        WebhookRejection::new(StatusCode::PAYLOAD_TOO_LARGE, why)
    };
    let length = parts.headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let most = limits.body_bytes as u64;
    if length.unwrap_or_else(|| body.size_hint().lower()) > most {
        return Err(large());
    }
    let all = Limited::new(body, limits.body_bytes).collect();
    match tokio::time::timeout(limits.body_timeout, all).await {
        Ok(Ok(all)) => Ok(all.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(large()),
        Ok(Err(_)) => Err(WebhookRejection::bad_request(
            "the delivery ended too early",
        )),
        Err(_) => {
            let status = StatusCode::REQUEST_TIMEOUT;
            Err(WebhookRejection::new(status, "the delivery took too long"))
        }
    }
}

/// 202 with the deployment, 200 when there is nothing to deploy, or the refusal.
fn outcome_response(done: &Result<WebhookOutcome, WebhookRejection>) -> Response {
    match done {
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

/// Whoever looks at the address with a browser learns what it is for.
fn method_not_allowed(parts: &Parts) -> Response {
    let why = "this is the address for webhooks: a forge sends its deliveries here with POST";
    let refused = WebhookRejection::new(StatusCode::METHOD_NOT_ALLOWED, why);
    let mut response = outcome_response(&Err(refused));
    reply::set_header(&mut response, header::ALLOW, "POST");
    if parts.method == Method::HEAD {
        *response.body_mut() = crate::Body::empty();
    }
    response
}

fn too_many(wait: Duration) -> Response {
    let why = "too many deliveries; wait a moment and send it again";
    let mut response = outcome_response(&Err(WebhookRejection::new(
        StatusCode::TOO_MANY_REQUESTS,
        why,
    )));
    let seconds = retry_after(wait).to_string();
    reply::set_header(&mut response, header::RETRY_AFTER, &seconds);
    response
}
