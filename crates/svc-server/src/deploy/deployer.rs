//! The public interface of the deployer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use svc_diagnostics::did_you_mean;
use svc_site::{Repositories, Site};
use tracing::{dispatcher, error, warn};

use super::cluster::prune_details;
use super::journal::needs_rewrite;
use super::model::RollbackTarget;
use super::project::ProjectConfig;
use super::state::{BuildInputs, DeployerState, LiveTarget, PrerenderTask};
use super::{
    Action, Cluster, DeployRequest, Deployment, DeploymentOrigin, DeploymentState, Journal,
    PublishTarget, Reference, Report, Snapshots, TriggerError, now,
};
use crate::data_files::storage_hint;
use crate::settings::SourceSettings;
use crate::{SiteHandle, VariantCache};

/// Number of threads in addition to the build threads, so that slow sources do not delay other
/// projects.
const FETCH_THREADS: usize = 8;

/// Publishes sites. The methods are called with the lock of the deployer held, so they must not
/// call the deployer.
pub trait Publisher: Send + Sync {
    /// Publishes a target. Later sites of it are swapped into the same `current`. Can be called
    /// repeatedly.
    fn publish(&self, project: &str, target: &PublishTarget, current: &SiteHandle);
    /// The content of a target has changed, and caches in front of the servers are outdated.
    fn updated(&self, project: &str, target: &PublishTarget);
    /// Stops serving a target.
    fn hide(&self, project: &str, target: &PublishTarget);
}

/// Options of the deployer.
pub struct DeployerOptions {
    /// Data directory.
    pub data: PathBuf,
    /// Storage of the states.
    pub journal: Box<dyn Journal>,
    /// Publisher of the sites.
    pub publisher: Box<dyn Publisher>,
    /// Maximum number of concurrent builds of different projects.
    pub max_builds: usize,
    /// Information of GitHub about repositories.
    pub repositories: Arc<Repositories>,
    /// Receives the actions of this server that other servers of the database must perform as well.
    pub share: Box<dyn Fn(&Action) + Send + Sync>,
    /// The servers that share what they build; `None` if every server builds for itself.
    pub cluster: Option<Cluster>,
}

impl fmt::Debug for DeployerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeployerOptions")
            .field("data", &self.data)
            .field("journal", &self.journal)
            .field("max_builds", &self.max_builds)
            .finish_non_exhaustive()
    }
}

/// Builds and publishes deployments. A handle; clones share the state.
#[derive(Debug, Clone)]
pub struct Deployer(pub(super) Arc<DeployerInner>);

#[derive(Debug)]
pub(super) struct DeployerInner {
    pub(super) options: DeployerOptions,
    state: Mutex<DeployerState>,
    /// Notified on every change of the state.
    pub(super) changed: Condvar,
    snapshots: Mutex<BTreeMap<String, Arc<Snapshots>>>,
    pub(super) prerenders: mpsc::Sender<PrerenderTask>,
}

impl Deployer {
    /// Starts with some projects: publishes what was live at the end of the last run, requests
    /// unfinished deployments again, and polls all sources.
    ///
    /// # Errors
    /// If the data directory cannot be used.
    pub fn start(options: DeployerOptions, plans: Vec<ProjectConfig>) -> io::Result<Self> {
        let (prerenders, received) = mpsc::channel();
        let max_builds = options.max_builds;
        let state = DeployerState {
            repositories: Arc::clone(&options.repositories),
            variants: Some(Arc::new(VariantCache::new(Some(&options.data)))),
            ..DeployerState::default()
        };
        let deployer = Self(Arc::new(DeployerInner {
            options,
            state: Mutex::new(state),
            changed: Condvar::new(),
            snapshots: Mutex::default(),
            prerenders,
        }));
        // First remove partial files of the last run, because they may fill the disk.
        let plans = deployer.replace_projects(plans)?;
        deployer.0.read_journal()?;
        deployer.0.restore(&plans);
        deployer.set_max_builds(max_builds)?;
        let inner = Arc::clone(&deployer.0);
        spawn("svc-pages", move || inner.prerender_all(&received))?;
        let inner = Arc::clone(&deployer.0);
        spawn("svc-poll", move || inner.tick())?;
        for request in deployer.0.poll_all() {
            // Fails only if the deployer is stopping.
            let _ = deployer.trigger(request);
        }
        Ok(deployer)
    }

    /// Sets the maximum number of concurrent builds.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn set_max_builds(&self, max_builds: usize) -> io::Result<()> {
        let mut state = self.0.state();
        state.max_builds = max_builds.max(1);
        while state.threads < state.max_builds + FETCH_THREADS {
            let inner = Arc::clone(&self.0);
            spawn("svc-deploy", move || inner.run_worker())?;
            state.threads += 1;
        }
        drop(state);
        self.0.changed.notify_all();
        Ok(())
    }

    /// Replaces the projects: new ones are published with their last live deployment, and missing
    /// ones are hidden. Nothing is deployed yet. Blocks while the new sites are loaded from the
    /// disk.
    ///
    /// # Errors
    /// If the directory of a project cannot be used; nothing has changed then.
    pub fn set_projects(&self, plans: Vec<ProjectConfig>) -> io::Result<()> {
        let new = self.replace_projects(plans)?;
        self.0.restore(&new);
        Ok(())
    }

    /// Replaces the projects and returns the new ones.
    fn replace_projects(&self, plans: Vec<ProjectConfig>) -> io::Result<Vec<Arc<ProjectConfig>>> {
        let mut opened = BTreeMap::new();
        for plan in &plans {
            let known = self.0.snapshots(&plan.id);
            let snapshots = match known {
                Some(known) => known,
                None => Arc::new(Snapshots::open(
                    &self.0.project_dir(&plan.id).join("snapshots"),
                )?),
            };
            opened.insert(plan.id.clone(), snapshots);
        }
        *self.0.all_snapshots() = opened;
        let mut state = self.0.state();
        let plans = plans.into_iter();
        let plans = plans.map(|plan| (plan.id.clone(), Arc::new(plan)));
        let before = std::mem::replace(&mut state.plans, plans.collect());
        let new = state.plans.values();
        let new = new.filter(|plan| !before.contains_key(&plan.id));
        let new = new.cloned().collect();
        let stage = &self.0.options.publisher;
        let DeployerState {
            plans,
            live_targets: shown,
            queue,
            deployments,
            ..
        } = &mut *state;
        shown.retain(|(project, target), shown| {
            let stays = plans.contains_key(project);
            if stays {
                stage.publish(project, target, &shown.current);
            } else {
                stage.hide(project, target);
            }
            stays
        });
        let is_removed = |id: &mut String| {
            let project = deployments.get(id).map(|deployment| &deployment.project);
            !project.is_some_and(|project| plans.contains_key(project))
        };
        let removed: Vec<String> = queue.extract_if(.., is_removed).collect();
        self.0.cancel_waiting(&mut state, &removed);
        drop(state);
        self.0.changed.notify_all();
        Ok(new)
    }

    /// Requests a deployment. Returns the ID of the deployment that will contain the wanted state:
    /// a poll returns an already queued one.
    ///
    /// # Errors
    /// If the project is unknown, the source is a folder and a branch is given, the server is
    /// stopping, or the deployment cannot be recorded.
    pub fn trigger(&self, request: DeployRequest) -> Result<String, TriggerError> {
        let plan = find_project(&self.0.state(), &request.project)?;
        if let Some(cluster) = self.0.cluster_of(&plan) {
            // Other servers build it if this one cannot. If it cannot be recorded now, it is as
            // soon as it is built.
            let number = match request.trigger.is_request() {
                true => cluster.request(&request).ok(),
                false => None,
            };
            return self.begin(request, number);
        }
        let shared = request.trigger.is_shared().then(|| request.clone());
        let id = self.begin(request, None)?;
        if let Some(request) = shared {
            (self.0.options.share)(&Action::Deploy(request));
        }
        Ok(id)
    }

    /// Performs an action that was requested from another server.
    ///
    /// # Errors
    /// As for the same request to this server.
    pub(crate) fn apply_remote(&self, action: Action) -> Result<(), TriggerError> {
        match action {
            Action::Deploy(request) => self.begin(request, None).map(drop),
            Action::Remove { project, target } => self.0.hide_target(&project, &target),
            Action::RollBack { project, snapshot } => {
                let state = self.0.state();
                let shown = state.live(&project, &PublishTarget::Live);
                let is_shown = shown.is_some_and(|item| item.snapshot.as_ref() == Some(&snapshot));
                // A rollback to the live state would overwrite the state that it was rolled back
                // from.
                if is_shown
                    && state
                        .of(&project, &PublishTarget::Live)
                        .all(|item| item.state.is_final())
                {
                    return Ok(());
                }
                drop(state);
                let earlier = RollbackTarget::Snapshot(&snapshot);
                self.roll_back_to(&project, earlier).map(drop)
            }
        }
    }

    fn begin(&self, request: DeployRequest, number: Option<u64>) -> Result<String, TriggerError> {
        let mut state = self.0.state();
        if state.stopped {
            return Err(TriggerError::Impossible(
                "the server is stopping".to_owned(),
            ));
        }
        let plan = find_project(&state, &request.project)?;
        if let (SourceSettings::Dir { .. }, PublishTarget::Live) = (&plan.source, &request.target)
            && request.reference != Reference::default()
        {
            let reason =
                "the source of the project is a folder, not a branch; deploy it without a branch";
            return Err(TriggerError::Impossible(reason.to_owned()));
        }
        let only_looks = request.trigger.is_poll();
        let queued = state.waiting(&request.project, &request.target).cloned();
        if let Some(queued) = &queued
            && only_looks
        {
            return Ok(queued.id.clone());
        }
        let mut deployment = state.new_deployment(request);
        deployment.origin = number.map_or(DeploymentOrigin::Local, DeploymentOrigin::Accepted);
        let id = deployment.id.clone();
        let old = queued.map(|mut old| {
            old.state = DeploymentState::Superseded;
            old.finished = Some(now());
            old.summary = format!("superseded by {id} before it was built");
            old
        });
        if !only_looks {
            let old = old.as_ref().filter(|old| !old.is_silent());
            // The new one is written first, so that a partial write loses neither.
            let states: Vec<&Deployment> = [&deployment].into_iter().chain(old).collect();
            self.0.append_journal(&mut state, &states)?;
        }
        if let Some(old) = old {
            state.queue.retain(|queued| *queued != old.id);
            state.reports.remove(&old.id);
            if old.is_silent() {
                state.deployments.remove(&old.id);
            } else {
                state.deployments.insert(old.id.clone(), old);
            }
        }
        state.enqueue(deployment);
        drop(state);
        self.0.changed.notify_all();
        Ok(id)
    }

    /// IDs of all projects.
    pub fn projects(&self) -> Vec<String> {
        self.0.state().plans.keys().cloned().collect()
    }

    /// Deployments of a project or of all projects, the newest first.
    pub fn list(&self, project: Option<&str>) -> Vec<Deployment> {
        let state = self.0.state();
        let all = state.deployments.values().rev();
        all.filter(|deployment| project.is_none_or(|project| deployment.project == project))
            .cloned()
            .collect()
    }

    /// A deployment; `None` if it does not exist.
    pub fn get(&self, id: &str) -> Option<Deployment> {
        self.0.state().deployments.get(id).cloned()
    }

    /// The live site of a target and its deployment; `None` if there is none, or only a placeholder.
    pub(crate) fn live_site(
        &self,
        project: &str,
        target: &PublishTarget,
    ) -> Option<(Deployment, Arc<Site>)> {
        let state = self.0.state();
        let shown = state
            .live_targets
            .get(&(project.to_owned(), target.clone()))?;
        shown.inputs.as_ref()?;
        let deployment = state.live(project, target)?;
        Some((deployment.clone(), shown.current.get()))
    }

    /// Current step of a deployment; `None` while it is queued and after it has finished.
    pub fn progress(&self, id: &str) -> Option<String> {
        let state = self.0.state();
        if let Some((deployment, page, pages)) = &state.prerender
            && deployment == id
        {
            return Some(format!("prerendering page {page} of {pages}"));
        }
        let line = state.reports.get(id)?.log.last()?;
        Some(line.text.clone())
    }

    /// Whether a deployment can be restored.
    pub fn is_restorable(&self, deployment: &Deployment) -> bool {
        let key = deployment.snapshot.as_deref();
        key.is_some_and(|key| self.has_files(&deployment.project, key))
    }

    /// Whether the files of a snapshot are available, on this server or in the object store.
    pub(crate) fn has_files(&self, project: &str, snapshot: &str) -> bool {
        let key = (project.to_owned(), PublishTarget::Live);
        let is_retained = |keys: &BTreeSet<String>| keys.contains(snapshot);
        if self
            .0
            .state()
            .releases
            .retained
            .get(&key)
            .is_some_and(is_retained)
        {
            return true;
        }
        let snapshots = self.0.snapshots(project);
        snapshots.is_some_and(|snapshots| snapshots.has(snapshot))
    }

    /// Waits until a deployment has finished. `None` after the timeout or if it does not exist
    /// anymore, because a poll without changes leaves no deployment.
    pub fn wait(&self, id: &str, timeout: Duration) -> Option<Deployment> {
        let end = Instant::now() + timeout;
        let mut state = self.0.state();
        loop {
            let deployment = state.deployments.get(id)?;
            if deployment.state.is_final() {
                return Some(deployment.clone());
            }
            let left = end.checked_duration_since(Instant::now())?;
            let result = self.0.changed.wait_timeout(state, left);
            state = result.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Removes a target, usually a preview. It is not restored after a restart.
    ///
    /// # Errors
    /// If this cannot be recorded.
    pub fn remove(&self, project: &str, target: &PublishTarget) -> Result<(), TriggerError> {
        self.hide(project, target)?;
        if self.has_releases(project) {
            return Ok(());
        }
        (self.0.options.share)(&Action::Remove {
            project: project.to_owned(),
            target: target.clone(),
        });
        Ok(())
    }

    /// Removes a target on this server only: every server expires previews itself. Servers that
    /// share what they build share this too.
    pub(crate) fn hide(&self, project: &str, target: &PublishTarget) -> Result<(), TriggerError> {
        self.0.release_removal(project, target)?;
        self.0.hide_target(project, target)
    }

    /// Whether servers share what they build of a project, so that actions need not be shared.
    fn has_releases(&self, project: &str) -> bool {
        let plan = self.0.state().plans.get(project).cloned();
        plan.is_some_and(|plan| self.0.cluster_of(&plan).is_some())
    }

    /// Live targets of a project.
    pub fn targets(&self, project: &str) -> Vec<PublishTarget> {
        let state = self.0.state();
        let list = state
            .live_targets
            .keys()
            .filter(|(owner, _)| owner == project);
        list.map(|(_, target)| target.clone()).collect()
    }

    /// Starts no further deployments. One that is being built is requested again after a restart.
    pub fn stop(&self) {
        self.0.state().stopped = true;
        self.0.changed.notify_all();
    }
}

/// Starts a thread that logs where the current thread logs.
fn spawn(name: &str, task: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let log = dispatcher::get_default(Clone::clone);
    let task = move || dispatcher::with_default(&log, task);
    let builder = thread::Builder::new().name(name.to_owned());
    builder.stack_size(8 << 20).spawn(task).map(drop)
}

/// Looks up a project by ID; the error suggests a similar one.
pub(super) fn find_project(
    state: &DeployerState,
    project: &str,
) -> Result<Arc<ProjectConfig>, TriggerError> {
    if let Some(plan) = state.plans.get(project) {
        return Ok(Arc::clone(plan));
    }
    let names = state.plans.keys().map(String::as_str);
    let hint = did_you_mean(project, names)
        .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let sentence = format!("there is no project `{project}`{hint}");
    Err(TriggerError::Unknown(sentence))
}

impl DeployerInner {
    pub(super) fn state(&self) -> MutexGuard<'_, DeployerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn all_snapshots(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Snapshots>>> {
        self.snapshots
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Snapshots of a project.
    pub(super) fn snapshots(&self, project: &str) -> Option<Arc<Snapshots>> {
        self.all_snapshots().get(project).map(Arc::clone)
    }

    /// Directory of a project.
    pub(super) fn project_dir(&self, project: &str) -> PathBuf {
        self.options.data.join("projects").join(project)
    }

    /// Directory of the reports of a project.
    pub(super) fn reports_dir(&self, project: &str) -> PathBuf {
        self.project_dir(project).join("deployments")
    }

    /// Appends to the journal, and rewrites it if most of its lines are outdated.
    pub(super) fn append_journal(
        &self,
        state: &mut DeployerState,
        states: &[&Deployment],
    ) -> Result<(), TriggerError> {
        if states.is_empty() {
            return Ok(());
        }
        let journal = &self.options.journal;
        journal.append(states).map_err(|error| {
            let hint = storage_hint(&error);
            let text = format!("cannot record the deployment: {error}; {hint}");
            if let [state, ..] = states {
                error!(project = &*state.project, "{text}");
            }
            TriggerError::Storage(text)
        })?;
        state.lines += states.len();
        if needs_rewrite(state.lines, state.deployments.len()) {
            let mut all = state.deployments.clone();
            all.extend(states.iter().map(|item| (item.id.clone(), (*item).clone())));
            let persisted: Vec<&Deployment> =
                all.values().filter(|item| is_persisted(item)).collect();
            if journal.rewrite(&persisted).is_ok() {
                state.lines = persisted.len();
            }
        }
        Ok(())
    }

    /// Cancels queued deployments of projects that were removed from the settings.
    fn cancel_waiting(&self, state: &mut DeployerState, ids: &[String]) {
        let mut over = Vec::new();
        for id in ids {
            state.reports.remove(id);
            let waited = state.deployments.remove(id);
            over.extend(waited.filter(|deployment| !deployment.is_silent()));
        }
        for deployment in &mut over {
            deployment.state = DeploymentState::Failed;
            deployment.finished = Some(now());
            "the project was removed from the settings before it was built"
                .clone_into(&mut deployment.summary);
        }
        if let Err(reason) = self.append_journal(state, &over.iter().collect::<Vec<_>>()) {
            // They end even if this cannot be written; the next start cancels them again.
            warn!("{reason}");
        }
        for deployment in over {
            state.deployments.insert(deployment.id.clone(), deployment);
        }
    }

    /// Removes a target on this server.
    pub(super) fn hide_target(
        &self,
        project: &str,
        target: &PublishTarget,
    ) -> Result<(), TriggerError> {
        let mut state = self.state();
        let mut over: Vec<Deployment> = state
            .of(project, target)
            .filter(|item| !item.state.is_final() || item.state == DeploymentState::Live)
            .cloned()
            .collect();
        for item in &mut over {
            item.state = DeploymentState::Superseded;
            item.finished = item.finished.or_else(|| Some(now()));
            item.removed = Some(now());
        }
        self.append_journal(&mut state, &over.iter().collect::<Vec<_>>())?;
        for item in over {
            state.queue.retain(|id| *id != item.id);
            state.deployments.insert(item.id.clone(), item);
        }
        if state
            .live_targets
            .remove(&(project.to_owned(), target.clone()))
            .is_some()
        {
            self.options.publisher.hide(project, target);
        }
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Publishes a site. The caller holds the lock and has recorded the change.
    pub(super) fn publish(
        &self,
        state: &mut DeployerState,
        deployment: &Deployment,
        inputs: BuildInputs,
        site: Arc<Site>,
    ) {
        let target_key = (deployment.project.clone(), deployment.target.clone());
        if let Some(shown) = state.live_targets.get_mut(&target_key) {
            let revision = inputs.key.clone();
            shown.record(inputs, &site);
            shown.rolled_back_from.clone_from(&deployment.left);
            shown.rejected = None;
            shown.current.swap_keeping_previous(site);
            shown.current.set_revision(&revision);
            return;
        }
        let mut shown = LiveTarget {
            current: SiteHandle::new(Arc::clone(&site)),
            inputs: None,
            rolled_back_from: deployment.left.clone(),
            rejected: None,
            sites: Vec::new(),
        };
        shown.current.set_revision(&inputs.key);
        shown.record(inputs, &site);
        let stage = &self.options.publisher;
        stage.publish(&deployment.project, &deployment.target, &shown.current);
        state.live_targets.insert(target_key, shown);
    }

    /// Removes snapshots that are not needed for rollback, and old reports.
    pub(super) fn prune(&self, project: &str, max_retained: usize) {
        let mut state = self.state();
        if state.building_of(project) > 1 {
            // The other build may have a snapshot that is not recorded yet; it prunes at its end.
            return;
        }
        let old = state.forgettable(project, max_retained);
        for id in &old {
            state.deployments.remove(id);
        }
        let keys = state.needed_snapshots(project, max_retained);
        let snapshots = self.snapshots(project);
        if let Some(snapshots) = snapshots
            .as_ref()
            .filter(|_| self.options.cluster.is_some())
        {
            prune_details(snapshots, |key| keys.contains(key));
        }
        // Withdrawn under the lock, so that a concurrent rollback finds its snapshot; deleting can
        // take longer.
        let withdrawn = snapshots.map(|snapshots| snapshots.withdraw(|key| keys.contains(key)));
        drop(state);
        drop(withdrawn);
        let dir: &Path = &self.reports_dir(project);
        for id in &old {
            Report::remove(dir, id);
        }
    }
}

/// An unfinished poll was never recorded.
fn is_persisted(item: &Deployment) -> bool {
    // What another server has recorded is only followed.
    let is_poll = item.origin == DeploymentOrigin::Local && item.trigger.is_poll();
    item.state.is_final() || !item.is_silent() || is_poll && item.state == DeploymentState::Building
}
