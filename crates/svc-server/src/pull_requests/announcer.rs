//! From events to documents in the database.

use std::collections::BTreeMap;
use std::sync::Arc;

use svc_admin_api::{StoreError, Timestamp};
use svc_store::{Database, PullRequestRecord};
use tracing::warn;

use super::PullRequestEvent;
use super::state::{Phase, RequestState, number_of, source_of};
use crate::Settings;
use crate::deploy::{Deployer, PublishTarget, now};

/// Maximum number of events that wait while the database is unavailable; the oldest are dropped. A
/// start announces the last states again.
const MAX_WAITING: usize = 10_000;
/// How often a document is written if other servers write it at the same time.
const MAX_ATTEMPTS: usize = 10;

/// Writes the documents of pull requests.
pub(crate) struct Announcer {
    pub(crate) database: Database,
    pub(crate) deployer: Deployer,
    /// Returns the current settings.
    pub(crate) settings: Arc<dyn Fn() -> Arc<Settings> + Send + Sync>,
    /// Events that are not written yet, in order.
    pub(crate) waiting: Vec<PullRequestEvent>,
}

impl std::fmt::Debug for Announcer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Announcer").finish_non_exhaustive()
    }
}

impl Announcer {
    pub(super) fn add(&mut self, event: PullRequestEvent) {
        self.waiting.push(event);
    }

    /// Writes the documents of all waiting events. What cannot be written now waits.
    pub(super) async fn announce(&mut self) {
        let excess = self.waiting.len().saturating_sub(MAX_WAITING);
        self.waiting.drain(..excess);
        let settings = (self.settings)();
        let is_enabled = |project: &str| {
            let mut projects = settings.projects.iter();
            projects.any(|item| item.id == project && item.pull_requests.is_some())
        };
        let mut events = latest(std::mem::take(&mut self.waiting)).into_iter();
        while let Some(event) = events.next() {
            if !is_enabled(project_of(&event)) {
                continue;
            }
            match self.write(&event).await {
                Ok(()) => {}
                Err(StoreError::Unavailable(_)) => {
                    self.waiting.push(event);
                    self.waiting.extend(events);
                    return;
                }
                Err(error) => {
                    let project = project_of(&event);
                    warn!(
                        project,
                        "the state of a pull request cannot be stored: {error}"
                    );
                }
            }
        }
    }

    async fn write(&self, event: &PullRequestEvent) -> Result<(), StoreError> {
        match event {
            PullRequestEvent::Deployment(deployment) => {
                let state = RequestState::of(deployment);
                let source = source_of(&deployment.reference);
                let Some((state, source)) = state.zip(source) else {
                    return Ok(());
                };
                let project = &deployment.project;
                if let Some(number) = number_of(&source) {
                    let create = state.phase != Phase::Removed;
                    return self
                        .put(project, number, Some(&source), create, |_| state.clone())
                        .await;
                }
                for record in self.database.pull_requests_of(project, &source).await? {
                    let is_open = read(&record).is_none_or(|old| old.phase != Phase::Closed);
                    if is_open {
                        let number = record.number;
                        self.put(project, number, None, false, |_| state.clone())
                            .await?;
                    }
                }
                Ok(())
            }
            PullRequestEvent::Branch {
                project,
                number,
                branch,
                commit,
            } => {
                let state = self.branch_state(project, branch, commit.as_deref());
                let Some(state) = state else { return Ok(()) };
                let source = format!("refs/heads/{branch}");
                self.put(project, *number, Some(&source), true, |_| state.clone())
                    .await
            }
            PullRequestEvent::Closed { project, number } => {
                let close = |old: Option<&RequestState>| RequestState {
                    phase: Phase::Closed,
                    at: now(),
                    ..old.cloned().unwrap_or_else(|| unknown(""))
                };
                self.put(project, *number, None, false, close).await
            }
        }
    }

    /// State of the preview of a branch; `None` if nothing is known about it.
    fn branch_state(
        &self,
        project: &str,
        branch: &str,
        commit: Option<&str>,
    ) -> Option<RequestState> {
        let deployments = self.deployer.list(Some(project));
        let mut of_branch = deployments.iter().filter(|deployment| {
            deployment.target != PublishTarget::Live
                && deployment.reference.reference.is_none()
                && deployment.reference.branch.as_deref() == Some(branch)
        });
        let state = of_branch.find_map(RequestState::of);
        let state = state.filter(|state| state.phase != Phase::Removed);
        let state = state.or_else(|| commit.map(unknown))?;
        // An event of the forge is newer than the deployment.
        Some(RequestState { at: now(), ..state })
    }

    /// Writes the document of a pull request, if it is another one. `create` is whether it may be the
    /// first.
    async fn put(
        &self,
        project: &str,
        number: u64,
        source: Option<&str>,
        create: bool,
        make: impl Fn(Option<&RequestState>) -> RequestState,
    ) -> Result<(), StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let known = self.database.pull_request(project, number).await?;
            if known.is_none() && !create {
                return Ok(());
            }
            let old = known.as_ref().and_then(read);
            let state = make(old.as_ref());
            let is_known = known.as_ref().map(|known| &*known.source);
            let has_source = source.is_none() || is_known == source;
            if old.as_ref().is_some_and(|old| !state.replaces(old)) && has_source {
                return Ok(());
            }
            let record = PullRequestRecord {
                project: project.to_owned(),
                number,
                source: source.or(is_known).unwrap_or_default().to_owned(),
                document: serde_json::to_string(&state).unwrap_or_default(),
                version: 0,
                comment: None,
                fence: 0,
                attempts: 0,
                failure: None,
                updated_at: Timestamp::from_millis(i64::try_from(now()).unwrap_or(i64::MAX)),
            };
            let replaced = known.as_ref().map_or(0, |known| known.version);
            if self.database.put_pull_request(record, replaced).await? {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The document of a record; `None` if another version of the program wrote it.
pub(super) fn read(record: &PullRequestRecord) -> Option<RequestState> {
    serde_json::from_str(&record.document).ok()
}

/// The state of a commit without a deployment.
fn unknown(commit: &str) -> RequestState {
    RequestState {
        phase: Phase::Pending,
        commit: commit.to_owned(),
        preview: String::new(),
        host: None,
        summary: String::new(),
        at: now(),
    }
}

fn project_of(event: &PullRequestEvent) -> &str {
    match event {
        PullRequestEvent::Deployment(deployment) => &deployment.project,
        PullRequestEvent::Branch { project, .. } | PullRequestEvent::Closed { project, .. } => {
            project
        }
    }
}

/// The events without those of deployments that a later one of the same preview replaces: what a
/// start reads from the journal has many.
fn latest(events: Vec<PullRequestEvent>) -> Vec<PullRequestEvent> {
    let mut newest: BTreeMap<(String, PublishTarget), (u64, usize)> = BTreeMap::new();
    for (index, event) in events.iter().enumerate() {
        if let PullRequestEvent::Deployment(deployment) = event
            && let Some(state) = RequestState::of(deployment)
        {
            let key = (deployment.project.clone(), deployment.target.clone());
            let entry = newest.entry(key).or_default();
            *entry = (*entry).max((state.at, index));
        }
    }
    let is_latest = |(index, event): &(usize, PullRequestEvent)| match event {
        PullRequestEvent::Deployment(deployment) => {
            let key = (deployment.project.clone(), deployment.target.clone());
            newest.get(&key).is_some_and(|(_, newest)| newest == index)
        }
        _ => true,
    };
    let events = events.into_iter().enumerate().filter(is_latest);
    events.map(|(_, event)| event).collect()
}
