//! What the deployer knows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use svc_site::{HistoryHead, LoadOptions, Repositories, Site, VariantStore};

use super::{
    DeployRequest, Deployment, DeploymentState, ProjectConfig, PublishTarget, Report, now,
};
use crate::{SiteHandle, VariantCache};

/// Deployments of one project that are remembered beside those that are kept.
pub(super) const MAX_REMEMBERED: usize = 200;

/// A target of a project.
pub(super) type TargetKey = (String, PublishTarget);

/// The place of a deployment among those that wait: live sites do not wait for previews, and nobody
/// waits for strangers.
pub(super) type QueuePriority = (bool, bool, String);

/// Deployments that are made one after the other: those of the site of a project, or those of all
/// its previews (`true`). No preview holds up the site.
pub(super) type Lane = (String, bool);

/// The lane of a target.
pub(super) fn lane(project: &str, target: &PublishTarget) -> Lane {
    (project.to_owned(), *target != PublishTarget::Live)
}

/// All of it, behind one lock that is never held while a site is built.
#[derive(Debug, Default)]
pub(super) struct DeployerState {
    /// The projects.
    pub(super) plans: BTreeMap<String, Arc<ProjectConfig>>,
    /// All deployments that are remembered.
    pub(super) deployments: BTreeMap<String, Deployment>,
    /// Reports of deployments that are not finished; those of the others are files.
    pub(super) reports: BTreeMap<String, Report>,
    /// Ids of those that wait, the oldest first.
    pub(super) queue: Vec<String>,
    /// The deployments that are built now.
    pub(super) building: BTreeMap<Lane, String>,
    /// What is served.
    pub(super) live_targets: BTreeMap<TargetKey, LiveTarget>,
    /// The deployment whose pages are drawn in advance, the number of the page, and how many there are.
    pub(super) prerender: Option<(String, usize, usize)>,
    /// What is known of repositories on GitHub.
    pub(super) repositories: Arc<Repositories>,
    /// The variants of images of all projects.
    pub(super) variants: Option<Arc<VariantCache>>,
    /// Snapshots that a roll-back reads at the moment.
    pub(super) pinned: BTreeSet<(String, String)>,
    /// Projects whose source could not be read when that was tried last.
    pub(super) source_failures: BTreeMap<String, SourceFailure>,
    /// Deployments whose files are there and that wait until they may be built, the next first.
    pub(super) fetched: BTreeSet<QueuePriority>,
    /// How many are built now.
    pub(super) active_builds: usize,
    /// How many may be built at once.
    pub(super) max_builds: usize,
    /// Threads that make deployments.
    pub(super) threads: usize,
    /// The last id that was given, as a number.
    pub(super) last: u64,
    /// Lines of the journal since it was written anew.
    pub(super) lines: usize,
    /// No deployment begins any more.
    pub(super) stopped: bool,
}

/// A source that could not be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceFailure {
    /// When that was clear.
    pub(super) failed_at: Instant,
    /// How long it took.
    pub(super) duration: Duration,
}

/// What is served of one target.
#[derive(Debug)]
pub(super) struct LiveTarget {
    /// Site and change.
    pub(super) current: SiteHandle,
    /// What it was made of; nothing for the report of a first deployment that failed.
    pub(super) inputs: Option<BuildInputs>,
    /// The snapshot that a roll-back led away from.
    pub(super) rolled_back_from: Option<String>,
    /// What was built last and must not be shown.
    pub(super) rejected: Option<BuildInputs>,
    /// Sites that may still be in memory, the newest last.
    pub(super) sites: Vec<(BuildInputs, Weak<Site>)>,
}

/// What a site is made of.
#[derive(Debug, Clone)]
pub(super) struct BuildInputs {
    /// The name of the snapshot.
    pub(super) key: String,
    /// How it was loaded.
    pub(super) options: String,
    /// The OpenAPI documents that it names and that stand elsewhere.
    pub(super) remote_urls: BTreeSet<String>,
    /// The version of those that it was made with.
    pub(super) remote_version: Option<u64>,
    /// Where the days on its pages come from, when they can change while its files do not. Nothing
    /// where no page tells one.
    pub(super) history: Option<HistoryHead>,
}

impl BuildInputs {
    /// What a site is made of that was loaded from a snapshot.
    pub(super) fn new(
        key: &str,
        options: &LoadOptions,
        site: &Site,
        history: Option<HistoryHead>,
    ) -> Self {
        let hosted = options.remote.as_ref();
        Self {
            key: key.to_owned(),
            options: options_key(options),
            remote_urls: site.remote_urls().clone(),
            remote_version: hosted.map(|_| site.remote_version()),
            history,
        }
    }

    /// Whether the same comes of a snapshot that is loaded now.
    pub(super) fn is_unchanged(
        &self,
        key: &str,
        options: &LoadOptions,
        history: Option<&HistoryHead>,
    ) -> bool {
        let days = self.history.is_none() || self.history.as_ref() == history;
        let version = || {
            let hosted = options.remote.as_ref();
            hosted.map(|hosted| hosted.version(&self.remote_urls))
        };
        days && self.key == key
            && self.options == options_key(options)
            && self.remote_version == version()
    }
}

/// The options that make another site. What others tell of repositories is none of them.
fn options_key(options: &LoadOptions) -> String {
    format!(
        "{:?}",
        (
            &options.base_path,
            &options.origin,
            options.without_scripts,
            options.without_web_fonts,
            options.relay,
            options.serve_protected,
            options.image_variants,
        )
    )
}

impl LiveTarget {
    /// A site of before, if it is still in memory.
    pub(super) fn site(
        &self,
        key: &str,
        options: &LoadOptions,
        history: Option<&HistoryHead>,
    ) -> Option<(BuildInputs, Arc<Site>)> {
        let all = self.sites.iter().rev();
        let mut fitting = all.filter(|(made, _)| made.is_unchanged(key, options, history));
        fitting.find_map(|(made, site)| Some((made.clone(), site.upgrade()?)))
    }

    /// Notes a site that is shown from now on.
    pub(super) fn record(&mut self, mut made: BuildInputs, site: &Arc<Site>) {
        made.history = made.history.filter(|_| site.shows_last_modified());
        self.sites.retain(|(_, site)| site.strong_count() > 0);
        self.sites.push((made.clone(), Arc::downgrade(site)));
        self.inputs = Some(made);
    }
}

impl DeployerState {
    /// How the site of a target is loaded now.
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

    /// The next id: the time in a form that sorts, and never one twice, also when the clock is set
    /// back.
    fn new_id(&mut self) -> String {
        self.last = now().max(self.last + 1);
        id_of(self.last)
    }

    /// A new deployment, which waits.
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
        }
    }

    /// Takes a new deployment in.
    pub(super) fn enqueue(&mut self, new: Deployment) {
        self.queue.push(new.id.clone());
        self.reports.insert(new.id.clone(), Report::default());
        self.deployments.insert(new.id.clone(), new);
    }

    /// The addresses that sites of a project name, those that must not be shown included: what
    /// they lack may come.
    pub(super) fn remote_urls(&self, project: &str) -> BTreeSet<String> {
        let own = self
            .live_targets
            .iter()
            .filter(|((owner, _), _)| owner == project);
        let made = own.flat_map(|(_, shown)| shown.inputs.iter().chain(&shown.rejected));
        made.flat_map(|made| made.remote_urls.clone()).collect()
    }

    /// The one that waits for a target.
    pub(super) fn waiting(&self, project: &str, target: &PublishTarget) -> Option<&Deployment> {
        let mut waiting = self.queue.iter().filter_map(|id| self.deployments.get(id));
        waiting.find(|other| other.project == project && other.target == *target)
    }

    /// Whether a deployment of a target is being made.
    pub(super) fn is_building(&self, project: &str, target: &PublishTarget) -> bool {
        let id = self.building.get(&lane(project, target));
        let one = id.and_then(|id| self.deployments.get(id));
        one.is_some_and(|one| one.target == *target)
    }

    /// How many deployments of a project are being made.
    pub(super) fn building_of(&self, project: &str) -> usize {
        let all = self.building.keys();
        all.filter(|(owner, _)| owner == project).count()
    }

    /// The deployments of a target, the newest first.
    pub(super) fn of<'a>(
        &'a self,
        project: &'a str,
        target: &'a PublishTarget,
    ) -> impl Iterator<Item = &'a Deployment> {
        let all = self.deployments.values().rev();
        all.filter(move |other| other.project == project && other.target == *target)
    }

    /// The one that is live.
    pub(super) fn live(&self, project: &str, target: &PublishTarget) -> Option<&Deployment> {
        let mut all = self.deployments.values().rev();
        all.find(|one| {
            one.state == DeploymentState::Live && one.project == project && one.target == *target
        })
    }

    /// What readers saw of a target: the newest deployment of each snapshot, the last one that became
    /// live first.
    pub(super) fn history<'a>(
        &'a self,
        project: &'a str,
        target: &'a PublishTarget,
    ) -> impl Iterator<Item = &'a Deployment> {
        let mut known = BTreeSet::new();
        let mut is_new = move |key| known.insert(key);
        self.of(project, target)
            .filter(move |one| one.snapshot.as_ref().is_some_and(&mut is_new))
    }

    /// The deployments of a project that can be gone back to, and the newest one of all that is
    /// shown: nobody would know what it is without.
    fn restorable<'a>(&'a self, project: &'a str, keep: usize) -> Vec<&'a Deployment> {
        let shown = self
            .live_targets
            .keys()
            .filter(|(owner, _)| owner == project);
        let previews = shown
            .map(|(_, target)| target)
            .filter(|target| **target != PublishTarget::Live);
        let mut kept = Vec::new();
        // The site itself counts also while nothing of it is shown.
        for target in previews.chain([&PublishTarget::Live]) {
            let most = match target {
                PublishTarget::Live => keep.max(1),
                PublishTarget::Preview { .. } => 1,
            };
            kept.extend(self.history(project, target).take(most));
            kept.extend(self.of(project, target).find(|one| one.state.is_final()));
        }
        kept
    }

    /// Snapshots of a project that are needed.
    pub(super) fn needed_snapshots(&self, project: &str, keep: usize) -> BTreeSet<String> {
        let kept = self.restorable(project, keep).into_iter();
        let mut needed: BTreeSet<String> = kept.filter_map(|one| one.snapshot.clone()).collect();
        for ((owner, _), shown) in &self.live_targets {
            if owner != project {
                continue;
            }
            needed.extend(shown.inputs.iter().map(|made| made.key.clone()));
            // Their files are read by requests that have begun.
            let alive = shown.sites.iter();
            let alive = alive.filter(|(_, site)| site.strong_count() > 0);
            needed.extend(alive.map(|(made, _)| made.key.clone()));
        }
        let pinned = self.pinned.iter().filter(|(owner, _)| owner == project);
        needed.extend(pinned.map(|(_, key)| key.clone()));
        needed
    }

    /// Ids of finished deployments that are too many, the oldest first. Those that are kept do not
    /// count, however many others came after them.
    pub(super) fn forgettable(&self, project: &str, keep: usize) -> Vec<String> {
        let kept = self.restorable(project, keep);
        let kept: BTreeSet<&str> = kept.into_iter().map(|one| &*one.id).collect();
        let mut others: Vec<&Deployment> = self
            .deployments
            .values()
            .filter(|one| one.project == project && one.state.is_final())
            .filter(|one| one.state != DeploymentState::Live && !kept.contains(&*one.id))
            .collect();
        others.truncate(others.len().saturating_sub(MAX_REMEMBERED));
        others.into_iter().map(|one| one.id.clone()).collect()
    }
}

/// Digits that sort as their numbers do.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Ten digits hold the milliseconds of 35,000 years.
pub(super) fn id_of(number: u64) -> String {
    (0..10)
        .rev()
        .filter_map(|at| DIGITS.get((number >> (5 * at)) as usize & 31))
        .map(|digit| char::from(*digit))
        .collect()
}

/// The number of an id.
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
    fn ids_sort_as_their_numbers_and_are_never_given_twice() {
        let numbers = [0, 1, 31, 32, 1_795_270_000_000, 1_795_270_000_001];
        let ids = numbers.map(id_of);
        assert!(ids.is_sorted(), "{ids:?}");
        assert_eq!(ids.map(|id| number_of(&id)), numbers);
        // As after a start with a clock that is years behind.
        let last = now() + 1_000_000_000;
        let mut state = DeployerState {
            last,
            ..DeployerState::default()
        };
        let (first, second) = (state.new_id(), state.new_id());
        assert!(number_of(&first) > last);
        assert!(second > first);
    }

    /// A deployment that is over; readers saw it when it has a snapshot.
    fn over(state: &mut DeployerState, target: &PublishTarget, snapshot: Option<String>) {
        let one = Deployment {
            state: if snapshot.is_some() {
                DeploymentState::Superseded
            } else {
                DeploymentState::Failed
            },
            target: target.clone(),
            snapshot,
            ..state.new_deployment(DeployRequest::live("docs", Trigger::Push))
        };
        state.deployments.insert(one.id.clone(), one);
    }

    #[test]
    fn what_can_be_gone_back_to_is_kept_however_much_comes_after_it() {
        let mut state = DeployerState::default();
        for number in 0..500 {
            over(&mut state, &PublishTarget::Live, Some(number.to_string()));
        }
        for number in 0..300 {
            let name = number.to_string();
            over(&mut state, &PublishTarget::Preview { name }, None);
        }
        for (keep, forgotten) in [(500, 100), (5, 495)] {
            let ids = state.forgettable("docs", keep);
            assert_eq!(ids.len(), forgotten);
            for id in ids {
                state.deployments.remove(&id);
            }
            let needed = state.needed_snapshots("docs", keep);
            assert_eq!(needed.len(), keep);
            assert!(needed.contains("499") && needed.contains(&(500 - keep).to_string()));
            let left = state.deployments.len();
            assert_eq!(left, keep + MAX_REMEMBERED);
        }
    }
}
