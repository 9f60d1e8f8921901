//! Has a CDN drop the pages of a site after a deployment.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use http::header::{self, HeaderName};
use http::{HeaderMap, HeaderValue, Method};
use serde_json::json;
use svc_fetch::{Client, FetchCounters, FetchLimits, Policy, Request, RequestBody};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tracing::{info, warn};

use super::tag_of;
use crate::settings::PurgeSettings;

/// Delay after a deployment, so that all servers serve it: a page of a server that is behind would
/// be held another time.
pub(crate) const PURGE_DELAY: Duration = Duration::from_secs(3);
/// First delay between two attempts; it doubles after each attempt.
const MIN_RETRY_DELAY: Duration = Duration::from_secs(1);
/// Maximum delay between two attempts.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(60);
/// Maximum number of attempts, which take about ten minutes.
const MAX_ATTEMPTS: u32 = 15;

/// Requests purges. A handle; clones share the queue.
#[derive(Debug, Clone)]
pub(crate) struct PurgeSender(UnboundedSender<(String, PurgeSettings)>);

/// The purges that are requested.
#[derive(Debug)]
pub(crate) struct PurgeQueue(UnboundedReceiver<(String, PurgeSettings)>);

impl PurgeSender {
    /// A sender and its queue.
    pub(crate) fn new() -> (Self, PurgeQueue) {
        let (sender, queue) = unbounded_channel();
        (Self(sender), PurgeQueue(queue))
    }

    /// Has a project purged soon.
    pub(crate) fn purge(&self, project: &str, settings: &PurgeSettings) {
        // The receiver is gone when the server stops.
        let _ = self.0.send((project.to_owned(), settings.clone()));
    }
}

impl PurgeQueue {
    /// Sends purges, forever. A later one of a project replaces an earlier one that is still being
    /// tried. `counters` count the requests.
    pub(crate) async fn run(mut self, counters: Arc<FetchCounters>) {
        let mut running: BTreeMap<String, JoinHandle<()>> = BTreeMap::new();
        while let Some((project, settings)) = self.0.recv().await {
            running.retain(|_, task| !task.is_finished());
            let task = tokio::spawn(purge(project.clone(), settings, Arc::clone(&counters)));
            if let Some(earlier) = running.insert(project, task) {
                earlier.abort();
            }
        }
    }
}

async fn purge(project: String, settings: PurgeSettings, counters: Arc<FetchCounters>) {
    tokio::time::sleep(PURGE_DELAY).await;
    let begin = Instant::now();
    let mut delay = MIN_RETRY_DELAY;
    for attempt in 1..=MAX_ATTEMPTS {
        match send(&project, &settings, &counters).await {
            Ok(()) => {
                info!(project = &*project, "the CDN was purged");
                return;
            }
            Err(reason) if attempt == MAX_ATTEMPTS => {
                let seconds = begin.elapsed().as_secs();
                warn!(
                    project = &*project,
                    "the CDN was not purged, and holds old pages until they expire: {reason}; gave up after {seconds} s"
                );
            }
            Err(reason) => {
                if attempt == 1 {
                    warn!(
                        project = &*project,
                        "the CDN was not purged, retrying: {reason}"
                    );
                }
                tokio::time::sleep(delay).await;
                delay = (delay * 2).min(MAX_RETRY_DELAY);
            }
        }
    }
}

async fn send(
    project: &str,
    settings: &PurgeSettings,
    counters: &Arc<FetchCounters>,
) -> Result<(), String> {
    let url = svc_fetch::parse_url(&settings.url).map_err(|error| error.to_string())?;
    let mut policy = Policy::default();
    if let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) {
        // The operator chose it. What is not a host fails when it is resolved.
        let _ = policy.allow(&format!("{host}:{port}"));
    }
    let tag = tag_of(project);
    let mut headers = HeaderMap::new();
    let json = HeaderValue::from_static("application/json");
    headers.insert(header::CONTENT_TYPE, json);
    if let Ok(key) = HeaderValue::from_str(&tag) {
        headers.insert(HeaderName::from_static("surrogate-key"), key);
    }
    if let Some((name, secret)) = &settings.header {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| error.to_string())?;
        let value = HeaderValue::from_str(secret.reveal());
        let mut value = value.map_err(|_| "the secret is not a header value".to_owned())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    let request = Request {
        method: Method::POST,
        url,
        headers,
        body: RequestBody::Bytes(json!({ "tags": [tag] }).to_string().into()),
        follow_redirects: false,
    };
    let client = Client::new(policy, FetchLimits::default()).counted_by(Arc::clone(counters));
    let response = client
        .send(request)
        .await
        .map_err(|error| error.to_string())?;
    match response.status.is_success() {
        true => Ok(()),
        false => Err(format!("the response was {}", response.status)),
    }
}
