//! State of the deployer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use svc_site::{HistoryHead, LoadOptions, Repositories, Site, SiteOptions, VariantStore};

use super::{
    DeployRequest, Deployment, DeploymentOrigin, DeploymentState, ProjectConfig, PublishTarget,
    Report, now,
};
use crate::{SiteHandle, VariantCache};

/// Maximum number of deployments per project that are remembered in addition to the retained ones.
pub(super) const MAX_REMEMBERED: usize = 200;

/// A target of a project.
pub(super) type TargetKey = (String, PublishTarget);

/// Queue priority of a deployment: production sites come before previews, and previews of forks
/// come last.
pub(super) type QueuePriority = (bool, bool, String);

/// Deployments of a lane are built one after another: those of the site of a project, or those of
/// all its previews (`true`). Previews do not delay the site.
pub(super) type Lane = (String, bool);

/// The lane of a target.
pub(super) fn lane(project: &str, target: &PublishTarget) -> Lane {
    (project.to_owned(), *target != PublishTarget::Live)
}

/// The state of the deployer. Its lock is never held while a site is built.
#[derive(Debug, Default)]
pub(super) struct DeployerState {
    /// The projects.
    pub(super) plans: BTreeMap<String, Arc<ProjectConfig>>,
    /// All remembered deployments.
    pub(super) deployments: BTreeMap<String, Deployment>,
    /// Reports of unfinished deployments; those of finished ones are files.
    pub(super) reports: BTreeMap<String, Report>,
    /// IDs of queued deployments, the oldest first.
    pub(super) queue: Vec<String>,
    /// Deployments that are being built.
    pub(super) building: BTreeMap<Lane, String>,
    /// Live targets.
    pub(super) live_targets: BTreeMap<TargetKey, LiveTarget>,
    /// Deployment whose pages are being prerendered, index of the page, and number of pages.
    pub(super) prerender: Option<(String, usize, usize)>,
    /// Information of GitHub about repositories.
    pub(super) repositories: Arc<Repositories>,
    /// Cache of the image variants of all projects.
    pub(super) variants: Option<Arc<VariantCache>>,
    /// Snapshots that are being read by a rollback.
    pub(super) pinned: BTreeSet<(String, String)>,
    /// Projects whose last fetch failed.
    pub(super) source_failures: BTreeMap<String, SourceFailure>,
    /// Deployments that were fetched and wait for a build permit, ordered by priority.
    pub(super) fetched: BTreeSet<QueuePriority>,
    /// Number of running builds.
    pub(super) active_builds: usize,
    /// Maximum number of concurrent builds.
    pub(super) max_builds: usize,
    /// Number of deployer threads.
    pub(super) threads: usize,
    /// Last assigned ID, as a number.
    pub(super) last: u64,
    /// Number of lines of the journal since it was rewritten.
    pub(super) lines: usize,
    /// Releases of other servers and of this one.
    pub(super) releases: ReleaseState,
    /// Whether no further deployments are started.
    pub(super) stopped: bool,
}

/// What is known about the releases that servers share.
#[derive(Debug, Default)]
pub(super) struct ReleaseState {
    /// Numbers of the releases that this server serves.
    pub(super) live: BTreeMap<TargetKey, u64>,
    /// Snapshots that targets can be rolled back to.
    pub(super) retained: BTreeMap<TargetKey, BTreeSet<String>>,
    /// Releases that could not be loaded, and when that is tried another time.
    pub(super) retries: BTreeMap<TargetKey, Instant>,
}

/// A failed fetch.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceFailure {
    /// Time of the failure.
    pub(super) failed_at: Instant,
    /// Duration of the fetch.
    pub(super) duration: Duration,
}

/// State of a live target.
#[derive(Debug)]
pub(super) struct LiveTarget {
    /// Handle of the live site.
    pub(super) current: SiteHandle,
    /// Inputs of the live site; `None` for the placeholder of a failed first deployment.
    pub(super) inputs: Option<BuildInputs>,
    /// Snapshot that was rolled back.
    pub(super) rolled_back_from: Option<String>,
    /// Inputs of the last build that must not be published.
    pub(super) rejected: Option<BuildInputs>,
    /// Earlier sites that may still be in memory, the newest last.
    pub(super) sites: Vec<(BuildInputs, Weak<Site>)>,
}

/// A site to prerender.
#[derive(Debug)]
pub(super) struct PrerenderTask {
    pub(super) current: SiteHandle,
    pub(super) site: Weak<Site>,
    pub(super) project: String,
    pub(super) deployment: String,
}

impl PrerenderTask {
    /// Whether the site is still live.
    pub(super) fn is_current(&self, site: &Arc<Site>) -> bool {
        Arc::ptr_eq(site, &self.current.get())
    }
}

/// Inputs of a build.
#[derive(Debug, Clone)]
pub(super) struct BuildInputs {
    /// Name of the snapshot.
    pub(super) key: String,
    /// Options of the site.
    pub(super) options: SiteOptions,
    /// URLs of the remote OpenAPI documents that the site names.
    pub(super) remote_urls: BTreeSet<String>,
    /// Version of these documents at the time of the build.
    pub(super) remote_version: Option<u64>,
    /// Git head of the dates on the pages, if it can change while the files stay the same; `None`
    /// if no page shows a date.
    pub(super) history: Option<HistoryHead>,
}

impl BuildInputs {
    /// Inputs of a site that was loaded from a snapshot.
    pub(super) fn new(
        key: &str,
        options: &LoadOptions,
        site: &Site,
        history: Option<HistoryHead>,
    ) -> Self {
        let provider = options.remote.as_ref();
        Self {
            key: key.to_owned(),
            options: options.site.clone(),
            remote_urls: site.remote_urls().clone(),
            remote_version: provider.map(|_| site.remote_version()),
            history,
        }
    }

    /// Whether a build of the snapshot with the current options and documents would result in the
    /// same site.
    pub(super) fn is_unchanged(
        &self,
        key: &str,
        options: &LoadOptions,
        history: Option<&HistoryHead>,
    ) -> bool {
        let days = self.history.is_none() || self.history.as_ref() == history;
        let version = || {
            let provider = options.remote.as_ref();
            provider.map(|provider| provider.version(&self.remote_urls))
        };
        days && self.key == key && self.options == options.site && self.remote_version == version()
    }
}

impl LiveTarget {
    /// An earlier site, if it is still in memory.
    pub(super) fn site(
        &self,
        key: &str,
        options: &LoadOptions,
        history: Option<&HistoryHead>,
    ) -> Option<(BuildInputs, Arc<Site>)> {
        let all = self.sites.iter().rev();
        let mut fitting = all.filter(|(inputs, _)| inputs.is_unchanged(key, options, history));
        fitting.find_map(|(inputs, site)| Some((inputs.clone(), site.upgrade()?)))
    }

    /// Records a published site.
    pub(super) fn record(&mut self, mut inputs: BuildInputs, site: &Arc<Site>) {
        inputs.history = inputs.history.filter(|_| site.depends_on_history());
        self.sites.retain(|(_, site)| site.strong_count() > 0);
        self.sites.push((inputs.clone(), Arc::downgrade(site)));
        self.inputs = Some(inputs);
    }
}

impl DeployerState {
    /// Current options for loading the site of a target.
    pub(super) fn load_options(
        &self,
        plan: &ProjectConfig,
        target: &PublishTarget,
        foreign: bool,
    ) -> LoadOptions {
        LoadOptions {
            repositories: Arc::clone(&self.repositories),
            variant_store: self
                .variants
                .clone()
                .map(|cache| cache as Arc<dyn VariantStore>),
            ..plan.load_options(target, foreign)
        }
    }

    /// The next ID: a sortable form of the time, and unique even if the clock is set back.
    fn new_id(&mut self) -> String {
        self.last = now().max(self.last + 1);
        id_of(self.last)
    }

    /// Creates a queued deployment.
    pub(super) fn new_deployment(&mut self, request: DeployRequest) -> Deployment {
        let DeployRequest {
            project,
            target,
            trigger,
            reference,
            commit,
            foreign,
            host,
        } = request;
        Deployment {
            id: self.new_id(),
            project,
            target,
            trigger,
            state: DeploymentState::Queued,
            reference,
            commit,
            foreign,
            queued: now(),
            started: None,
            finished: None,
            summary: String::new(),
            snapshot: None,
            host,
            removed: None,
            left: None,
            origin: DeploymentOrigin::Local,
        }
    }

    /// Adds a deployment to the queue.
    pub(super) fn enqueue(&mut self, new: Deployment) {
        self.queue.push(new.id.clone());
        self.reports.insert(new.id.clone(), Report::default());
        self.deployments.insert(new.id.clone(), new);
    }

    /// URLs of remote documents of all sites of a project, including sites that must not be
    /// published, because missing documents may become available.
    pub(super) fn remote_urls(&self, project: &str) -> BTreeSet<String> {
        let targets = self
            .live_targets
            .iter()
            .filter(|((owner, _), _)| owner == project);
        let build = targets.flat_map(|(_, shown)| shown.inputs.iter().chain(&shown.rejected));
        build.flat_map(|build| build.remote_urls.clone()).collect()
    }

    /// The queued deployment of a target.
    pub(super) fn waiting(&self, project: &str, target: &PublishTarget) -> Option<&Deployment> {
        let mut waiting = self.queue.iter().filter_map(|id| self.deployments.get(id));
        waiting.find(|other| other.project == project && other.target == *target)
    }

    /// Whether a deployment of a target is being built.
    pub(super) fn is_building(&self, project: &str, target: &PublishTarget) -> bool {
        let id = self.building.get(&lane(project, target));
        let deployment = id.and_then(|id| self.deployments.get(id));
        deployment.is_some_and(|deployment| deployment.target == *target)
    }

    /// Number of running builds of a project.
    pub(super) fn building_of(&self, project: &str) -> usize {
        let all = self.building.keys();
        all.filter(|(owner, _)| owner == project).count()
    }

    /// Deployments of a target, the newest first.
    pub(super) fn of<'a>(
        &'a self,
        project: &'a str,
        target: &'a PublishTarget,
    ) -> impl Iterator<Item = &'a Deployment> {
        let all = self.deployments.values().rev();
        all.filter(move |other| other.project == project && other.target == *target)
    }

    /// The live deployment of a target.
    pub(super) fn live(&self, project: &str, target: &PublishTarget) -> Option<&Deployment> {
        let mut all = self.deployments.values().rev();
        all.find(|item| {
            item.state == DeploymentState::Live && item.project == project && item.target == *target
        })
    }

    /// Live and formerly live deployments of a target: the newest one of each snapshot, the last
    /// published first.
    pub(super) fn history<'a>(
        &'a self,
        project: &'a str,
        target: &'a PublishTarget,
    ) -> impl Iterator<Item = &'a Deployment> {
        let mut known = BTreeSet::new();
        let mut is_new = move |key| known.insert(key);
        self.of(project, target)
            .filter(move |deployment| deployment.snapshot.as_ref().is_some_and(&mut is_new))
    }

    /// Deployments of a project that can be rolled back to, and the newest deployment of each live
    /// target, which describes it.
    fn restorable<'a>(&'a self, project: &'a str, max_retained: usize) -> Vec<&'a Deployment> {
        let shown = self
            .live_targets
            .keys()
            .filter(|(owner, _)| owner == project);
        let previews = shown
            .map(|(_, target)| target)
            .filter(|target| **target != PublishTarget::Live);
        let mut retained = Vec::new();
        // The production site counts even while it is not published.
        for target in previews.chain([&PublishTarget::Live]) {
            let max = match target {
                PublishTarget::Live => max_retained.max(1),
                PublishTarget::Preview { .. } => 1,
            };
            retained.extend(self.history(project, target).take(max));
            retained.extend(self.of(project, target).find(|item| item.state.is_final()));
        }
        retained
    }

    /// Names of the snapshots of a project that are needed.
    pub(super) fn needed_snapshots(&self, project: &str, max_retained: usize) -> BTreeSet<String> {
        let retained = self.restorable(project, max_retained).into_iter();
        let mut keys: BTreeSet<String> =
            retained.filter_map(|item| item.snapshot.clone()).collect();
        for ((owner, _), shown) in &self.live_targets {
            if owner != project {
                continue;
            }
            keys.extend(shown.inputs.iter().map(|inputs| inputs.key.clone()));
            // Requests in flight read the files of these sites.
            let alive = shown.sites.iter();
            let alive = alive.filter(|(_, site)| site.strong_count() > 0);
            keys.extend(alive.map(|(inputs, _)| inputs.key.clone()));
        }
        let pinned = self.pinned.iter().filter(|(owner, _)| owner == project);
        keys.extend(pinned.map(|(_, key)| key.clone()));
        keys
    }

    /// IDs of finished deployments above the limit, the oldest first. Retained deployments do not
    /// count.
    pub(super) fn forgettable(&self, project: &str, max_retained: usize) -> Vec<String> {
        let retained = self.restorable(project, max_retained);
        let retained: BTreeSet<&str> = retained.into_iter().map(|item| &*item.id).collect();
        let mut others: Vec<&Deployment> = self
            .deployments
            .values()
            .filter(|item| item.project == project && item.state.is_final())
            .filter(|item| item.state != DeploymentState::Live && !retained.contains(&*item.id))
            .collect();
        others.truncate(others.len().saturating_sub(MAX_REMEMBERED));
        others.into_iter().map(|item| item.id.clone()).collect()
    }
}

/// Digits whose order is that of their values.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Ten digits are sufficient for 35,000 years in milliseconds.
pub(super) fn id_of(number: u64) -> String {
    (0..10)
        .rev()
        .filter_map(|at| DIGITS.get((number >> (5 * at)) as usize & 31))
        .map(|digit| char::from(*digit))
        .collect()
}

/// Parses an ID.
pub(super) fn number_of(id: &str) -> u64 {
    id.bytes().fold(0, |number, digit| {
        let value = DIGITS.iter().position(|known| *known == digit);
        (number << 5) | value.unwrap_or(0) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deploy::Trigger;

    #[test]
    fn ids_are_sortable_and_unique() {
        let numbers = [0, 1, 31, 32, 1_795_270_000_000, 1_795_270_000_001];
        let ids = numbers.map(id_of);
        assert!(ids.is_sorted(), "{ids:?}");
        assert_eq!(ids.map(|id| number_of(&id)), numbers);
        // Simulates a start with a clock that is years behind.
        let last = now() + 1_000_000_000;
        let mut state = DeployerState {
            last,
            ..DeployerState::default()
        };
        let (first, second) = (state.new_id(), state.new_id());
        assert!(number_of(&first) > last);
        assert!(second > first);
    }

    /// A finished deployment; it was live if it has a snapshot.
    fn over(state: &mut DeployerState, target: &PublishTarget, snapshot: Option<String>) {
        let deployment = Deployment {
            state: if snapshot.is_some() {
                DeploymentState::Superseded
            } else {
                DeploymentState::Failed
            },
            target: target.clone(),
            snapshot,
            ..state.new_deployment(DeployRequest::live("docs", Trigger::Push))
        };
        state.deployments.insert(deployment.id.clone(), deployment);
    }

    #[test]
    fn restorable_deployments_are_retained() {
        let mut state = DeployerState::default();
        for number in 0..500 {
            over(&mut state, &PublishTarget::Live, Some(number.to_string()));
        }
        for number in 0..300 {
            let name = number.to_string();
            over(&mut state, &PublishTarget::Preview { name }, None);
        }
        for (max_retained, forgotten) in [(500, 100), (5, 495)] {
            let ids = state.forgettable("docs", max_retained);
            assert_eq!(ids.len(), forgotten);
            for id in ids {
                state.deployments.remove(&id);
            }
            let keys = state.needed_snapshots("docs", max_retained);
            assert_eq!(keys.len(), max_retained);
            assert!(keys.contains("499") && keys.contains(&(500 - max_retained).to_string()));
            let left = state.deployments.len();
            assert_eq!(left, max_retained + MAX_REMEMBERED);
        }
    }
}
