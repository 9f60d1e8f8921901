//! Handles deliveries: decides what they change and triggers deployments.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use http::{HeaderMap, StatusCode};
use sha2::{Digest as _, Sha256};
use tracing::{info, warn};

use super::recent_deliveries::{Digest, RecentDeliveries};
use super::{Delivery, Event, PullRequest, WebhookRejection, is_same_repository};
use crate::Sites;
use crate::deploy::{
    Action, Commit, DeployRequest, Deployer, Deployment, PublishTarget, Reference, Trigger,
    TriggerError,
};
use crate::previews::{self, ActivePreview, Decision, Origin, PreviewStep, Situation};
use crate::pull_requests::{EventSender, PullRequestEvent};
use crate::settings::{Host, ProjectSettings, SourceSettings};

/// Maximum delay of the clock of a forge relative to this server, in milliseconds.
const MAX_CLOCK_SKEW: u64 = 120_000;

/// Handles the deliveries of forges and expires previews. A handle; clones share the state.
#[derive(Clone)]
pub(super) struct Receiver(Arc<ReceiverInner>);

struct ReceiverInner {
    deployer: Deployer,
    sites: Sites,
    /// Key of the parts of hosts that cannot be guessed.
    preview_key: [u8; 32],
    projects: RwLock<Arc<BTreeMap<String, ProjectSettings>>>,
    /// Receives what happens to pull requests; set once if anything is shown about them.
    events: OnceLock<EventSender>,
    /// Locked while a delivery is handled, so that the list of previews does not change meanwhile.
    recent: Mutex<RecentDeliveries>,
}

/// Result of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WebhookOutcome {
    /// ID of the triggered deployment; `None` if there is nothing to deploy.
    pub(super) deployment: Option<String>,
    /// Message about the result.
    pub(super) sentence: String,
}

/// A preview for display.
#[derive(Debug)]
pub(crate) struct Preview {
    /// Its newest deployment.
    pub(crate) deployment: Deployment,
    /// Expiry time without further pushes, in milliseconds since the Unix epoch; `None` if the
    /// settings do not allow the preview anymore.
    pub(crate) expires: Option<u64>,
}

impl fmt::Debug for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}

impl Receiver {
    pub(super) fn new(deployer: Deployer, sites: Sites, preview_key: [u8; 32]) -> Self {
        Self(Arc::new(ReceiverInner {
            deployer,
            sites,
            preview_key,
            projects: RwLock::default(),
            events: OnceLock::new(),
            recent: Mutex::default(),
        }))
    }

    /// Applies new settings.
    pub(super) fn set_projects(&self, projects: &[ProjectSettings]) {
        let all = projects.iter().map(|item| (item.id.clone(), item.clone()));
        let mut present = self
            .0
            .projects
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *present = Arc::new(all.collect());
    }

    /// Sends what happens to pull requests from now on.
    pub(super) fn connect(&self, events: EventSender) {
        // Called once.
        let _ = self.0.events.set(events);
    }

    /// Reports a pull request that was closed, or whose branch has a preview of its own. Those of
    /// pull requests are reported with their deployments.
    fn report(&self, project: &ProjectSettings, request: &PullRequest) {
        let (Some(events), project_id) = (self.0.events.get(), project.id.clone()) else {
            return;
        };
        let number = request.number;
        let event = match request.closed {
            true => PullRequestEvent::Closed {
                project: project_id,
                number,
            },
            false if previews::has_branch_preview(project, request) => PullRequestEvent::Branch {
                project: project_id,
                number,
                branch: request.branch.clone(),
                commit: request.commit.clone(),
            },
            false => return,
        };
        // The receiver is gone when the server stops.
        let _ = events.send(event);
    }

    fn projects(&self) -> Arc<BTreeMap<String, ProjectSettings>> {
        let present = self.0.projects.read();
        Arc::clone(&present.unwrap_or_else(PoisonError::into_inner))
    }

    fn situation<'a>(
        &'a self,
        active: &'a [ActivePreview],
        is_taken: &'a dyn Fn(&Host) -> bool,
    ) -> Situation<'a> {
        Situation {
            active,
            is_taken,
            version_refs: &[],
            key: &self.0.preview_key,
        }
    }

    /// Branches, tags and commits that versions of the live site come from.
    fn version_refs(&self, project: &str) -> Vec<String> {
        let live = self.0.deployer.live_site(project, &PublishTarget::Live);
        let refs = live.iter().flat_map(|(_, site)| site.version_refs());
        refs.map(str::to_owned).collect()
    }

    fn recent(&self) -> MutexGuard<'_, RecentDeliveries> {
        self.0.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles a delivery for a project.
    pub(super) fn receive(
        &self,
        project: &str,
        head: &HeaderMap,
        body: &[u8],
    ) -> Result<WebhookOutcome, WebhookRejection> {
        let projects = self.projects();
        let settings = projects.get(project);
        let Some((project, webhook)) = settings.and_then(|one| Some((one, one.webhook.as_ref()?)))
        else {
            let reason = "webhooks are disabled for this project";
            return Err(WebhookRejection::new(StatusCode::NOT_FOUND, reason));
        };
        let now = i64::try_from(crate::deploy::now() / 1000).unwrap_or(i64::MAX);
        let delivery = super::read_webhook(head, body, &webhook.secret, now)?;
        if let SourceSettings::Git(source) = &project.source {
            let urls = delivery.repository.iter().map(String::as_str);
            if !is_same_repository(&source.url, urls) {
                let reason = "the delivery is about another repository than that of the project";
                return Err(WebhookRejection::new(StatusCode::FORBIDDEN, reason));
            }
        }
        self.act(project, &delivery, Sha256::digest(body).into())
    }

    fn act(
        &self,
        project: &ProjectSettings,
        delivery: &Delivery,
        digest: Digest,
    ) -> Result<WebhookOutcome, WebhookRejection> {
        let mut recent = self.recent();
        let deployments = self.0.deployer.list(Some(&project.id));
        let active = self.active_previews(&project.id, &deployments);
        let event = &delivery.event;
        let version_refs = self.version_refs(&project.id);
        let of_version = matches!(event, Event::Push { branch, .. } if previews::is_version(branch, &version_refs));
        // The files of a version are always those of the last push.
        let stale = stale_reason(&recent, project, event, &digest, &active, &deployments);
        if let Some(reason) = stale.filter(|_| !of_version) {
            return Ok(WebhookOutcome {
                deployment: None,
                sentence: reason.to_owned(),
            });
        }
        let is_taken = |host: &Host| self.is_host_in_use(project, host);
        let situation = Situation {
            version_refs: &version_refs,
            ..self.situation(&active, &is_taken)
        };
        let decision = previews::decide(project, event, situation);
        let result = self.execute(project, delivery.forge, &Trigger::Push, decision);
        let result = result.map_err(unavailable)?;
        // Recorded at the end, so that a failed delivery can be sent again.
        recent.record(digest);
        if let Event::Request(request) = event {
            recent.record_request(&project.id, request.number, request.updated);
            self.report(project, request);
        }
        Ok(result)
    }

    /// Previews of a project that are live or queued, the newest deployment first.
    pub(super) fn previews(&self, project: &str) -> Vec<Preview> {
        let projects = self.projects();
        let known = projects.get(project);
        let settings = known.and_then(|known| known.previews.as_ref());
        let deployments = self.0.deployer.list(Some(project));
        let active = self.active_previews(project, &deployments).into_iter();
        let previews = active.filter_map(|item| {
            let expires = settings.map(|settings| previews::expires(settings, &item));
            let target = PublishTarget::Preview { name: item.name };
            let newest = deployments.iter().find(|known| known.target == target)?;
            Some(Preview {
                deployment: newest.clone(),
                expires,
            })
        });
        previews.collect()
    }

    /// Deploys a branch as a preview, on request of an API client or a user.
    pub(super) fn preview(
        &self,
        project: &str,
        branch: &str,
        trigger: &Trigger,
    ) -> Result<String, TriggerError> {
        let projects = self.projects();
        let Some(project) = projects.get(project) else {
            return Err(TriggerError::Unknown(format!(
                "there is no project `{project}`"
            )));
        };
        let impossible = |reason: &str| Err(TriggerError::Impossible(reason.to_owned()));
        match &project.source {
            SourceSettings::Dir { .. } => {
                return impossible("a project with a folder as source has no previews");
            }
            SourceSettings::Git(source) if source.branch == branch => {
                return impossible("this is the production branch");
            }
            SourceSettings::Git(_) => {}
        }
        let _recent = self.recent();
        let deployments = self.0.deployer.list(Some(&project.id));
        let active = self.active_previews(&project.id, &deployments);
        let event = Event::Push {
            branch: branch.to_owned(),
            commit: None,
            deleted: false,
        };
        let is_taken = |host: &Host| self.is_host_in_use(project, host);
        let decision = previews::decide(project, &event, self.situation(&active, &is_taken));
        let done = self.execute(project, &trigger.to_string(), trigger, decision)?;
        done.deployment
            .ok_or(TriggerError::Impossible(done.sentence))
    }

    /// URL of a host of a project.
    pub(super) fn host_url(&self, project: &str, host: &str) -> String {
        let projects = self.projects();
        let known = projects.get(project);
        let (origin, base) =
            known.map_or(("", ""), |item| (&*item.site.origin, &*item.site.base_path));
        let scheme = origin
            .split_once("://")
            .map_or("https", |(scheme, _)| scheme);
        format!("{scheme}://{host}{base}/")
    }

    /// Whether readers sign in at the site of a project.
    pub(super) fn has_readers(&self, project: &str) -> bool {
        let projects = self.projects();
        let known = projects.get(project);
        known.is_some_and(|project| project.readers.is_some())
    }

    /// URL of the site of a project; `None` for an unknown project.
    pub(super) fn site(&self, project: &str) -> Option<String> {
        let projects = self.projects();
        let known = projects.get(project)?;
        if known.site.origin.is_empty() {
            return Some(self.host_url(project, known.hosts.first()?.as_str()));
        }
        Some(format!("{}{}/", known.site.origin, known.site.base_path))
    }

    fn execute(
        &self,
        project: &ProjectSettings,
        who: &str,
        trigger: &Trigger,
        decision: Decision,
    ) -> Result<WebhookOutcome, TriggerError> {
        let id = &project.id;
        if decision.steps.is_empty() {
            info!(project = &**id, "{who}: {}", decision.sentence);
        }
        let mut deployment = None;
        for step in decision.steps {
            let request = match step {
                PreviewStep::Remove { name, reason } => {
                    self.remove(id, name, reason)?;
                    continue;
                }
                PreviewStep::Live { commit } => DeployRequest {
                    commit: commit.map(commit_of),
                    ..DeployRequest::live(id.clone(), trigger.clone())
                },
                PreviewStep::Preview {
                    name,
                    origin,
                    host,
                    foreign,
                    commit,
                } => DeployRequest {
                    project: id.clone(),
                    target: PublishTarget::Preview { name },
                    trigger: trigger.clone(),
                    reference: reference_of(origin),
                    commit: commit.map(commit_of),
                    foreign,
                    host: Some(host.to_string()),
                },
            };
            let triggered = self.0.deployer.trigger(request)?;
            let sentence = &decision.sentence;
            info!(project = &**id, "{who}: {sentence}, deployment {triggered}");
            deployment = Some(triggered);
        }
        Ok(WebhookOutcome {
            deployment,
            sentence: decision.sentence,
        })
    }

    fn remove(&self, project: &str, name: String, reason: &str) -> Result<(), TriggerError> {
        let target = PublishTarget::Preview { name };
        self.0.deployer.remove(project, &target)?;
        log_removal(project, &target, reason);
        Ok(())
    }

    /// Performs an action that was requested from another server some time ago. Previews that the
    /// settings of this server do not allow or that have expired are ignored.
    pub(super) fn apply_remote(&self, action: Action, age: Duration) -> Result<(), TriggerError> {
        let projects = self.projects();
        let _recent = self.recent();
        let action = match action {
            Action::Deploy(request) => {
                let known = projects.get(&request.project);
                let Some(request) = known.and_then(|known| accept_remote(known, request, age))
                else {
                    return Ok(());
                };
                Action::Deploy(request)
            }
            action => action,
        };
        if let Action::Remove { project, target } = &action
            && self.0.deployer.targets(project).contains(target)
        {
            log_removal(project, target, "on request of another server");
        }
        self.0.deployer.apply_remote(action)
    }

    /// Removes previews that have expired or that the settings do not allow anymore. `now` is in
    /// milliseconds since the Unix epoch.
    pub(super) fn expire_previews(&self, now: u64) {
        let projects = self.projects();
        let _recent = self.recent();
        for project in projects.values() {
            let deployments = self.0.deployer.list(Some(&project.id));
            let active = self.active_previews(&project.id, &deployments);
            for step in previews::expired_previews(project, &active, now) {
                let PreviewStep::Remove { name, reason } = step else {
                    continue;
                };
                let target = PublishTarget::Preview { name };
                // Every server checks this itself, because their settings can differ.
                match self.0.deployer.hide(&project.id, &target) {
                    Ok(()) => log_removal(&project.id, &target, reason),
                    Err(error) => warn!(project = &*project.id, "{error}"),
                }
            }
        }
    }

    /// Previews of a project, derived from its deployments.
    fn active_previews(&self, project: &str, newest_first: &[Deployment]) -> Vec<ActivePreview> {
        let shown = self.0.deployer.targets(project);
        let mut active: Vec<ActivePreview> = Vec::new();
        for item in newest_first {
            let PublishTarget::Preview { name } = &item.target else {
                continue;
            };
            if active.iter().any(|known| known.name == *name) {
                continue;
            }
            if let Some(origin) = origin_of(&item.reference)
                && (shown.contains(&item.target) || !item.state.is_final())
            {
                active.push(ActivePreview {
                    name: name.clone(),
                    origin,
                    foreign: item.foreign,
                    pushed: item.queued,
                });
            }
        }
        active
    }

    /// Whether a host cannot be used for a preview of a project.
    fn is_host_in_use(&self, project: &ProjectSettings, host: &Host) -> bool {
        let projects = self.projects();
        let mut hosts = projects.values().flat_map(|one| &one.hosts);
        let served = self.0.sites.get(host.as_str());
        hosts.any(|other| other == host)
            || served.is_some_and(|served| *served.project != *project.id)
    }
}

fn log_removal(project: &str, target: &PublishTarget, reason: &str) {
    info!(project, "the {target} is removed: {reason}");
}

/// The deployment request of another server, adjusted to the settings of this one: the host of a
/// preview is computed again. `None` if this server does not allow it.
fn accept_remote(
    project: &ProjectSettings,
    mut request: DeployRequest,
    age: Duration,
) -> Option<DeployRequest> {
    if let PublishTarget::Preview { name } = &request.target {
        let settings = project.previews.as_ref()?;
        let is_git = matches!(project.source, SourceSettings::Git(_));
        if !is_git || age >= settings.expire {
            return None;
        }
        request.host = Some(settings.host.host(name)?.to_string());
    }
    Some(request)
}

/// Reason why a delivery is outdated; `None` if it is not. A push to an existing target is never
/// outdated, because it only triggers a fetch.
fn stale_reason(
    recent: &RecentDeliveries,
    project: &ProjectSettings,
    event: &Event,
    digest: &Digest,
    active: &[ActivePreview],
    newest_first: &[Deployment],
) -> Option<&'static str> {
    let (origin, ends) = match event {
        Event::Push {
            branch, deleted, ..
        } => (Origin::Branch(branch.clone()), *deleted),
        Event::Request(request) => {
            let origin = Origin::Request(request.reference.clone());
            if recent.is_stale(&project.id, request.number, request.updated) {
                return Some("a newer delivery about this request was already processed");
            }
            (origin, request.closed)
        }
        Event::Ping | Event::Other(_) => return None,
    };
    let is_live = matches!(
        (&project.source, &origin),
        (SourceSettings::Dir { .. }, Origin::Branch(_))
    ) || matches!(
        (&project.source, &origin),
        (SourceSettings::Git(source), Origin::Branch(branch)) if source.branch == *branch
    );
    let is_active = active.iter().any(|item| item.origin == origin);
    if is_live || (is_active && !ends) {
        return None;
    }
    if recent.contains(digest) {
        return Some("this delivery was already processed");
    }
    // A closed request is not reopened by an older event.
    if let Event::Request(request) = event
        && !ends
        && let Some(updated) = request.updated.and_then(|time| u64::try_from(time).ok())
        && let Some(removed) = removed_at(newest_first, &origin)
        && updated.saturating_mul(1000).saturating_add(MAX_CLOCK_SKEW) < removed
    {
        return Some("the request was closed after this event");
    }
    None
}

/// Time at which the last preview of a source was removed.
fn removed_at(newest_first: &[Deployment], origin: &Origin) -> Option<u64> {
    let previews = newest_first
        .iter()
        .filter(|item| origin_of(&item.reference).as_ref() == Some(origin));
    previews.filter_map(|item| item.removed).max()
}

fn origin_of(reference: &Reference) -> Option<Origin> {
    match (&reference.reference, &reference.branch) {
        (Some(reference), _) => Some(Origin::Request(reference.clone())),
        (None, Some(branch)) => Some(Origin::Branch(branch.clone())),
        (None, None) => None,
    }
}

fn reference_of(origin: Origin) -> Reference {
    match origin {
        Origin::Branch(branch) => Reference {
            branch: Some(branch),
            reference: None,
        },
        Origin::Request(reference) => Reference {
            branch: None,
            reference: Some(reference),
        },
    }
}

fn commit_of(id: String) -> Commit {
    Commit {
        id,
        ..Commit::default()
    }
}

/// The forge shows the delivery as failed, and it can be sent again.
fn unavailable(error: TriggerError) -> WebhookRejection {
    WebhookRejection::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
}

#[cfg(test)]
mod tests;
