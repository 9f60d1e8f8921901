//! Sends the documents of pull requests to forges.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use svc_admin_api::{Clock as _, Timestamp};
use svc_agent::ForgeError;
use svc_fetch::{Client, FetchCounters};
use svc_store::{Database, PullRequestClaim, PullRequestRecord, PullRequestResult};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::{self, JoinSet};
use tracing::{info, warn};

use super::announcer::read;
use super::counters::Attempt;
use super::{Announcer, PullRequestCounters, PullRequestEvent};
use crate::deploy::Deployer;
use crate::{ProjectSettings, Settings, SystemClock, Webhooks};

/// Interval at which documents are looked for that other servers or earlier attempts have left.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Maximum number of pull requests that are sent at the same time.
const MAX_CONCURRENT: usize = 4;
/// Timeout of all requests for a pull request, and of comparing the sites.
const SEND_TIMEOUT: Duration = Duration::from_secs(600);
/// How long a server that is gone holds its leases.
const LEASE_TTL: Duration = Duration::from_secs(20);
/// Interval at which leases are renewed; several renewals may fail.
const RENEW_INTERVAL: Duration = Duration::from_secs(4);
/// Delay of the first retry; it doubles with each.
const MIN_RETRY_DELAY: Duration = Duration::from_secs(1);
/// Maximum delay of a retry.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(600);
/// Delay after a rejection, which will be repeated until the settings or the forge change.
pub(super) const REJECTION_DELAY: Duration = Duration::from_secs(3600);
/// How long pull requests without changes are stored.
const RETENTION: Duration = Duration::from_secs(180 * 86_400);

/// Sends pull requests to forges. A handle; clones share the state.
#[derive(Clone)]
pub(crate) struct Sender(pub(super) Arc<SenderInner>);

pub(super) struct SenderInner {
    pub(super) database: Database,
    pub(super) deployer: Deployer,
    pub(super) webhooks: Webhooks,
    /// ID of this server.
    holder: String,
    /// Key of the markers of comments.
    pub(super) key: [u8; 32],
    pub(super) counters: Arc<PullRequestCounters>,
    pub(super) fetches: Arc<FetchCounters>,
    /// The client for the hosts of these settings.
    pub(super) client: Mutex<Option<(Arc<Settings>, Client)>>,
}

/// The pull requests that tasks send.
type BusyTasks = HashMap<task::Id, (String, u64)>;

/// Why a pull request was not sent.
pub(super) struct SendFailure {
    pub(super) reason: String,
    pub(super) delay: Duration,
    /// `None` if this server only lacks the preview.
    pub(super) attempt: Option<Attempt>,
}

impl std::fmt::Debug for Sender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl Sender {
    pub(crate) fn new(
        (database, deployer, webhooks): (Database, Deployer, Webhooks),
        (holder, key): (String, [u8; 32]),
        (counters, fetches): (Arc<PullRequestCounters>, Arc<FetchCounters>),
    ) -> Self {
        Self(Arc::new(SenderInner {
            database,
            deployer,
            webhooks,
            holder,
            key,
            counters,
            fetches,
            client: Mutex::default(),
        }))
    }

    /// Announces events and sends pull requests until the server stops.
    pub(crate) async fn run(
        self,
        mut announcer: Announcer,
        mut events: UnboundedReceiver<PullRequestEvent>,
    ) {
        let mut tasks: JoinSet<()> = JoinSet::new();
        let mut busy: BusyTasks = HashMap::new();
        let mut known: Option<Arc<Settings>> = None;
        loop {
            while let Ok(event) = events.try_recv() {
                announcer.add(event);
            }
            announcer.announce().await;
            let settings = (announcer.settings)();
            let mut projects = settings.projects.iter();
            let is_used = projects.any(|project| project.pull_requests.is_some());
            if is_used
                && known
                    .as_ref()
                    .is_none_or(|known| !Arc::ptr_eq(known, &settings))
            {
                // A new token may be accepted.
                let now = SystemClock::default().now();
                let database = &self.0.database;
                if database.retry_pull_requests().await.is_ok()
                    && database
                        .delete_pull_requests(now.minus(RETENTION))
                        .await
                        .is_ok()
                {
                    known = Some(Arc::clone(&settings));
                }
            }
            if is_used {
                self.start(&settings, &mut tasks, &mut busy).await;
            }
            tokio::select! {
                event = events.recv() => match event {
                    Some(event) => announcer.add(event),
                    None => return,
                },
                Some(done) = tasks.join_next_with_id(), if !tasks.is_empty() => {
                    let id = match done {
                        Ok((id, ())) => id,
                        Err(error) => {
                            // Its lease expires.
                            warn!("internal error: a pull request was not sent");
                            error.id()
                        }
                    };
                    busy.remove(&id);
                },
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }

    /// Begins to send what is pending.
    async fn start(&self, settings: &Arc<Settings>, tasks: &mut JoinSet<()>, busy: &mut BusyTasks) {
        let now = SystemClock::default().now();
        let pending = self.0.database.pending_pull_requests(&self.0.holder, now);
        // The store reports why it is not available.
        for record in pending.await.unwrap_or_default() {
            let mut projects = settings.projects.iter();
            let Some(project) = projects.find(|project| project.id == record.project) else {
                continue;
            };
            let key = (record.project, record.number);
            if project.pull_requests.is_none() || tasks.len() >= MAX_CONCURRENT {
                continue;
            }
            if busy.values().any(|other| *other == key) {
                continue;
            }
            let (this, project, number) = (self.clone(), project.clone(), key.1);
            let settings = Arc::clone(settings);
            let task = tasks.spawn(async move {
                this.process(&settings, &project, number).await;
            });
            busy.insert(task.id(), key);
        }
    }

    /// Sends a pull request, unless another server does.
    async fn process(&self, settings: &Arc<Settings>, project: &ProjectSettings, number: u64) {
        let now = SystemClock::default().now();
        let claim = PullRequestClaim {
            project: project.id.clone(),
            number,
            holder: self.0.holder.clone(),
            now,
            until: now.plus(LEASE_TTL),
        };
        let Ok(Some(record)) = self.0.database.claim_pull_request(claim).await else {
            return;
        };
        let mut comment = record.comment.clone();
        let sent = self.send(settings, project, &record, &mut comment);
        let sent = tokio::select! {
            sent = tokio::time::timeout(SEND_TIMEOUT, sent) => sent,
            // Another server sends it.
            () = self.renew(&record) => return,
        };
        let result = sent.unwrap_or_else(|_| {
            Err(SendFailure {
                reason: "it took too long".to_owned(),
                delay: MAX_RETRY_DELAY,
                attempt: Some(Attempt::Retry),
            })
        });
        self.log(&record, &result);
        let now = SystemClock::default().now();
        let (failure, counts) = match result {
            Ok(()) => (None, true),
            Err(failure) => {
                let retry_at: Timestamp = now.plus(failure.delay);
                (Some((failure.reason, retry_at)), failure.attempt.is_some())
            }
        };
        let result = PullRequestResult {
            record,
            comment,
            failure,
            counts,
        };
        // Without a result the lease expires, and the same is sent another time.
        let _ = self.0.database.finish_pull_request(result).await;
    }

    /// Renews a lease until it is lost.
    async fn renew(&self, record: &PullRequestRecord) {
        let mut last_renewal = Instant::now();
        while last_renewal.elapsed() < LEASE_TTL {
            tokio::time::sleep(RENEW_INTERVAL).await;
            let started = Instant::now();
            let until = SystemClock::default().now().plus(LEASE_TTL);
            match self.0.database.renew_pull_request(record, until).await {
                Ok(true) => last_renewal = started,
                Ok(false) => return,
                Err(_) => {}
            }
        }
    }

    /// Counts and logs a result. The same failure is logged once.
    fn log(&self, record: &PullRequestRecord, result: &Result<(), SendFailure>) {
        let (project, number) = (&*record.project, record.number);
        let text = match result {
            Ok(()) => {
                self.0.counters.record(Attempt::Success);
                let text = format!("the forge shows the state of pull request {number}");
                info!(project, "{text}");
                text
            }
            Err(failure) => {
                let Some(attempt) = failure.attempt else {
                    return;
                };
                self.0.counters.record(attempt);
                if record.failure.as_ref() == Some(&failure.reason) {
                    return;
                }
                let text = format!(
                    "pull request {number} cannot be updated: {}",
                    failure.reason
                );
                warn!(project, "{text}");
                text
            }
        };
        let state = read(record);
        if let Some(deployment) = state.and_then(|state| self.0.deployment(project, &state)) {
            let deployer = self.0.deployer.clone();
            // Writes to the disk.
            task::spawn_blocking(move || deployer.add_log_line(&deployment.id, &text));
        }
    }
}

/// The failure of an attempt with errors; `None` without any.
pub(super) fn failure(errors: &[ForgeError], attempts: u64) -> Option<SendFailure> {
    let first = errors.first()?;
    let mut reason = first.to_string();
    // A token without permissions fails twice in the same way.
    for other in errors.iter().skip(1).map(ToString::to_string) {
        if other != reason {
            reason = format!("{reason}; {other}");
        }
    }
    if !errors.iter().all(ForgeError::is_transient) {
        return Some(SendFailure {
            reason,
            delay: REJECTION_DELAY,
            attempt: Some(Attempt::Failure),
        });
    }
    let doubled = MIN_RETRY_DELAY.saturating_mul(1 << attempts.min(16));
    let asked = errors.iter().filter_map(ForgeError::retry_after).max();
    let delay = doubled.min(MAX_RETRY_DELAY);
    Some(SendFailure {
        reason,
        delay: delay.max(asked.unwrap_or_default().min(REJECTION_DELAY)),
        attempt: Some(Attempt::Retry),
    })
}
