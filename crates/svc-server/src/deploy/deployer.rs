//! The deployer: what others call.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use svc_diagnostics::did_you_mean;
use svc_site::{LoadOptions, Repositories};

use super::journal::needs_rewrite;
use super::prerender::PrerenderTask;
use super::rollback::RollbackTarget;
use super::state::{BuildInputs, DeployerState, LiveTarget};
use super::{
    Action, DeployRequest, Deployment, DeploymentState, Journal, PublishTarget, Reference, Report,
    Snapshots, TriggerError, now,
};
use crate::settings::{GitSettings, SourceSettings};
use crate::{SiteHandle, VariantCache};

/// Threads beside those that build, so that sources which do not answer hold up no others.
const FETCH_THREADS: usize = 8;

/// What the deployer has to know of a project.
#[derive(Debug, Clone)]
pub struct ProjectConfig {
    /// Its id.
    pub id: String,
    /// Where its files come from.
    pub source: SourceSettings,
    /// How a Git repository is fetched.
    pub git: GitSettings,
    /// How its site is loaded.
    pub load: LoadOptions,
    /// Whether errors stop a deployment like fatal problems do.
    pub stop_on_errors: bool,
    /// Deployments that are kept for roll-back, with the live one.
    pub keep: usize,
    /// How often the source is looked at.
    pub poll: Option<Duration>,
}

impl ProjectConfig {
    /// How the site of a target is loaded. `foreign` says whether its files come from somebody who
    /// may not change the project.
    pub(super) fn load_options(&self, target: &PublishTarget, foreign: bool) -> LoadOptions {
        let origin = match target {
            PublishTarget::Live => self.load.origin.clone(),
            // It does not stand where readers find the site.
            PublishTarget::Preview { .. } => String::new(),
        };
        LoadOptions {
            origin,
            without_scripts: self.load.without_scripts || foreign,
            // Strangers do not choose what this server connects to.
            relay: self.load.relay && !foreign,
            remote: match &self.load.remote {
                Some(hosted) if foreign => Some(hosted.cache_only()),
                hosted => hosted.clone(),
            },
            ..self.load.clone()
        }
    }
}

/// Where sites are shown. The deployer holds its lock while it calls, so neither may call it back.
pub trait Publisher: Send + Sync {
    /// Shows a target from now on. Later sites of it come through the same `current`; the call may
    /// be repeated.
    fn publish(&self, project: &str, target: &PublishTarget, current: &SiteHandle);
    /// Shows it no longer.
    fn hide(&self, project: &str, target: &PublishTarget);
}

/// How the deployer works.
pub struct DeployerOptions {
    /// The data folder.
    pub data: PathBuf,
    /// What keeps the states.
    pub journal: Box<dyn Journal>,
    /// Where sites are shown.
    pub publisher: Box<dyn Publisher>,
    /// Deployments that are built at once, of different projects.
    pub max_builds: usize,
    /// What is known of repositories on GitHub.
    pub repositories: Arc<Repositories>,
    /// Gets lines for the log of the server.
    pub log: Box<dyn Fn(&str) + Send + Sync>,
    /// Gets what this server has begun to do and others that share its database are to do as well.
    pub share: Box<dyn Fn(&Action) + Send + Sync>,
}

impl fmt::Debug for DeployerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeployerOptions")
            .field("data", &self.data)
            .field("journal", &self.journal)
            .field("at_once", &self.max_builds)
            .finish_non_exhaustive()
    }
}

/// Makes deployments. A handle; all copies are the same.
#[derive(Debug, Clone)]
pub struct Deployer(pub(super) Arc<DeployerInner>);

#[derive(Debug)]
pub(super) struct DeployerInner {
    pub(super) options: DeployerOptions,
    state: Mutex<DeployerState>,
    /// Something changed in the state.
    pub(super) changed: Condvar,
    snapshots: Mutex<BTreeMap<String, Arc<Snapshots>>>,
    pub(super) prerenders: mpsc::Sender<PrerenderTask>,
}

impl Deployer {
    /// Begins with some projects: shows what was live when the last run ended, asks again for what
    /// that left unfinished, and looks at all sources.
    ///
    /// # Errors
    /// When the data folder cannot be used.
    pub fn start(options: DeployerOptions, plans: Vec<ProjectConfig>) -> io::Result<Self> {
        let (drawings, received) = mpsc::channel();
        let at_once = options.max_builds;
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
            prerenders: drawings,
        }));
        // First: what the last run left half written takes room that the rest may need.
        let plans = deployer.replace_projects(plans)?;
        deployer.0.read_journal()?;
        deployer.0.restore(&plans);
        deployer.set_max_builds(at_once)?;
        let inner = Arc::clone(&deployer.0);
        spawn("svc-pages", move || inner.prerender_all(&received))?;
        let inner = Arc::clone(&deployer.0);
        spawn("svc-poll", move || inner.tick())?;
        for request in deployer.0.poll_all() {
            // The program ends.
            let _ = deployer.trigger(request);
        }
        Ok(deployer)
    }

    /// Builds so many deployments at once from now on.
    ///
    /// # Errors
    /// When threads cannot be started.
    pub fn set_max_builds(&self, at_once: usize) -> io::Result<()> {
        let mut state = self.0.state();
        state.max_builds = at_once.max(1);
        while state.threads < state.max_builds + FETCH_THREADS {
            let inner = Arc::clone(&self.0);
            spawn("svc-deploy", move || inner.run_worker())?;
            state.threads += 1;
        }
        drop(state);
        self.0.changed.notify_all();
        Ok(())
    }

    /// Takes other projects: new ones appear, with what was live when they were there before, and
    /// missing ones are shown no longer. Nothing is deployed yet. Takes as long as loading the new
    /// ones from the disk.
    ///
    /// # Errors
    /// When the folder of a project cannot be used; nothing has changed then.
    pub fn set_projects(&self, plans: Vec<ProjectConfig>) -> io::Result<()> {
        let new = self.replace_projects(plans)?;
        self.0.restore(&new);
        Ok(())
    }

    /// Takes other projects, and gives those that were not there.
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
        let is_left = |id: &mut String| {
            let project = deployments.get(id).map(|one| &one.project);
            !project.is_some_and(|project| plans.contains_key(project))
        };
        let left: Vec<String> = queue.extract_if(.., is_left).collect();
        self.0.cancel_waiting(&mut state, &left);
        drop(state);
        self.0.changed.notify_all();
        Ok(new)
    }

    /// Asks for a deployment. The id that comes back is that of the deployment that will show what
    /// is wanted: where one waits already, looking for news adds nothing to it.
    ///
    /// # Errors
    /// For an unknown project, for a branch of a folder, while the server stops, and when it cannot
    /// be written down.
    pub fn trigger(&self, request: DeployRequest) -> Result<String, TriggerError> {
        let shared = request.trigger.is_shared().then(|| request.clone());
        let id = self.begin(request)?;
        if let Some(request) = shared {
            (self.0.options.share)(&Action::Deploy(request));
        }
        Ok(id)
    }

    /// Does what another server was asked to do.
    ///
    /// # Errors
    /// As if it had been asked of this one.
    pub(crate) fn apply_remote(&self, action: Action) -> Result<(), TriggerError> {
        match action {
            Action::Deploy(request) => self.begin(request).map(drop),
            Action::Remove { project, target } => self.hide(&project, &target),
            Action::RollBack { project, snapshot } => {
                let state = self.0.state();
                let shown = state.live(&project, &PublishTarget::Live);
                let is_shown = shown.is_some_and(|one| one.snapshot.as_ref() == Some(&snapshot));
                // Whoever goes back to what is shown would forget what it led away from before.
                if is_shown
                    && state
                        .of(&project, &PublishTarget::Live)
                        .all(|one| one.state.is_final())
                {
                    return Ok(());
                }
                drop(state);
                let earlier = RollbackTarget::Snapshot(&snapshot);
                self.roll_back_to(&project, earlier).map(drop)
            }
        }
    }

    fn begin(&self, request: DeployRequest) -> Result<String, TriggerError> {
        let mut state = self.0.state();
        if state.stopped {
            return Err(TriggerError::Impossible("the server stops".to_owned()));
        }
        let plan = find_project(&state, &request.project)?;
        if let (SourceSettings::Dir { .. }, PublishTarget::Live) = (&plan.source, &request.target)
            && request.reference != Reference::default()
        {
            let why = "the project shows a folder as it is, not a branch; deploy it without one";
            return Err(TriggerError::Impossible(why.to_owned()));
        }
        let only_looks = request.trigger.is_poll();
        let waiting = state.waiting(&request.project, &request.target).cloned();
        if let Some(waiting) = &waiting
            && only_looks
        {
            return Ok(waiting.id.clone());
        }
        let deployment = state.new_deployment(request);
        let id = deployment.id.clone();
        let old = waiting.map(|mut old| {
            old.state = DeploymentState::Superseded;
            old.finished = Some(now());
            old.summary = format!("{id} was asked for before its turn");
            old
        });
        if !only_looks {
            let old = old.as_ref().filter(|old| !old.trigger.is_poll());
            // The new one first: half of this on the disk loses neither.
            let states: Vec<&Deployment> = [&deployment].into_iter().chain(old).collect();
            self.0.append_journal(&mut state, &states)?;
        }
        if let Some(old) = old {
            state.queue.retain(|waiting| *waiting != old.id);
            state.reports.remove(&old.id);
            if old.trigger.is_poll() {
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

    /// The ids of all projects.
    pub fn projects(&self) -> Vec<String> {
        self.0.state().plans.keys().cloned().collect()
    }

    /// The deployments of a project, or of all, the newest first.
    pub fn list(&self, project: Option<&str>) -> Vec<Deployment> {
        let state = self.0.state();
        let all = state.deployments.values().rev();
        all.filter(|one| project.is_none_or(|project| one.project == project))
            .cloned()
            .collect()
    }

    /// One deployment.
    pub fn get(&self, id: &str) -> Option<Deployment> {
        self.0.state().deployments.get(id).cloned()
    }

    /// Log and problems of a deployment.
    pub fn report(&self, id: &str) -> Option<Report> {
        let state = self.0.state();
        let project = state.deployments.get(id)?.project.clone();
        if let Some(report) = state.reports.get(id) {
            return Some(report.clone());
        }
        drop(state);
        Some(Report::read(&self.0.reports_dir(&project), id))
    }

    /// What is being done for a deployment; nothing while it waits and when all is done.
    pub fn progress(&self, id: &str) -> Option<String> {
        let state = self.0.state();
        if let Some((drawn, page, pages)) = &state.prerender
            && drawn == id
        {
            return Some(format!("drawing page {page} of {pages}"));
        }
        let begun = state.reports.get(id)?.log.last()?;
        Some(begun.text.clone())
    }

    /// Whether a deployment can be brought back.
    pub fn is_restorable(&self, deployment: &Deployment) -> bool {
        let key = deployment.snapshot.as_deref();
        key.is_some_and(|key| self.has_files(&deployment.project, key))
    }

    /// Whether files of before can be brought back.
    pub(crate) fn has_files(&self, project: &str, snapshot: &str) -> bool {
        let snapshots = self.0.snapshots(project);
        snapshots.is_some_and(|snapshots| snapshots.has(snapshot))
    }

    /// Waits until nothing more is done for a deployment. Nothing when it takes longer or when there
    /// is none of this id any more: looking for news leaves nothing when there is none.
    pub fn wait(&self, id: &str, patience: Duration) -> Option<Deployment> {
        let end = Instant::now() + patience;
        let mut state = self.0.state();
        loop {
            let deployment = state.deployments.get(id)?;
            if deployment.state.is_final() {
                return Some(deployment.clone());
            }
            let left = end.checked_duration_since(Instant::now())?;
            let waited = self.0.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes a target away, a preview that is not wanted any more. It does not come back after a
    /// start.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub fn remove(&self, project: &str, target: &PublishTarget) -> Result<(), TriggerError> {
        self.hide(project, target)?;
        (self.0.options.share)(&Action::Remove {
            project: project.to_owned(),
            target: target.clone(),
        });
        Ok(())
    }

    /// Takes a target away here, and leaves other servers alone: they find out by themselves.
    pub(crate) fn hide(&self, project: &str, target: &PublishTarget) -> Result<(), TriggerError> {
        let mut state = self.0.state();
        let mut over: Vec<Deployment> = state
            .of(project, target)
            .filter(|one| !one.state.is_final() || one.state == DeploymentState::Live)
            .cloned()
            .collect();
        for one in &mut over {
            one.state = DeploymentState::Superseded;
            one.finished = one.finished.or_else(|| Some(now()));
            one.removed = Some(now());
        }
        self.0
            .append_journal(&mut state, &over.iter().collect::<Vec<_>>())?;
        for one in over {
            state.queue.retain(|waiting| *waiting != one.id);
            state.deployments.insert(one.id.clone(), one);
        }
        if state
            .live_targets
            .remove(&(project.to_owned(), target.clone()))
            .is_some()
        {
            self.0.options.publisher.hide(project, target);
        }
        drop(state);
        self.0.changed.notify_all();
        Ok(())
    }

    /// The targets of a project that are shown.
    pub fn targets(&self, project: &str) -> Vec<PublishTarget> {
        let state = self.0.state();
        let own = state
            .live_targets
            .keys()
            .filter(|(owner, _)| owner == project);
        own.map(|(_, target)| target.clone()).collect()
    }

    /// Adds a line to the log of the server.
    pub(crate) fn log(&self, line: &str) {
        (self.0.options.log)(line);
    }

    /// Begins no deployment any more. One that is being built is asked for again after the start.
    pub fn stop(&self) {
        self.0.state().stopped = true;
        self.0.changed.notify_all();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let builder = thread::Builder::new().name(name.to_owned());
    builder.stack_size(8 << 20).spawn(work).map(drop)
}

/// A project by its id, or a sentence with the one that was probably meant.
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

    /// The snapshots of a project.
    pub(super) fn snapshots(&self, project: &str) -> Option<Arc<Snapshots>> {
        self.all_snapshots().get(project).map(Arc::clone)
    }

    /// The folder of a project.
    pub(super) fn project_dir(&self, project: &str) -> PathBuf {
        self.options.data.join("projects").join(project)
    }

    /// The folder of its reports.
    pub(super) fn reports_dir(&self, project: &str) -> PathBuf {
        self.project_dir(project).join("deployments")
    }

    /// Appends to the journal, and writes it anew when most of its lines are old.
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
            TriggerError::Storage(format!("the deployment cannot be written down: {error}"))
        })?;
        state.lines += states.len();
        if needs_rewrite(state.lines, state.deployments.len()) {
            let mut all = state.deployments.clone();
            all.extend(states.iter().map(|one| (one.id.clone(), (*one).clone())));
            let kept: Vec<&Deployment> = all.values().filter(|one| is_persisted(one)).collect();
            if journal.rewrite(&kept).is_ok() {
                state.lines = kept.len();
            }
        }
        Ok(())
    }

    /// Ends deployments that waited and whose project left the settings.
    fn cancel_waiting(&self, state: &mut DeployerState, ids: &[String]) {
        let mut over = Vec::new();
        for id in ids {
            state.reports.remove(id);
            let waited = state.deployments.remove(id);
            over.extend(waited.filter(|one| !one.trigger.is_poll()));
        }
        for one in &mut over {
            one.state = DeploymentState::Failed;
            one.finished = Some(now());
            "its project left the settings before its turn".clone_into(&mut one.summary);
        }
        if let Err(why) = self.append_journal(state, &over.iter().collect::<Vec<_>>()) {
            // They end all the same; the next start gives them up once more.
            (self.options.log)(&why.to_string());
        }
        for one in over {
            state.deployments.insert(one.id.clone(), one);
        }
    }

    /// Adds a line to the log of a deployment.
    pub(super) fn log_line(&self, id: &str, text: &str) {
        if let Some(report) = self.state().reports.get_mut(id) {
            report.log(text);
        }
    }

    /// Shows a site from now on. The caller holds the lock and has written it down.
    pub(super) fn publish(
        &self,
        state: &mut DeployerState,
        deployment: &Deployment,
        made: BuildInputs,
        site: Arc<svc_site::Site>,
    ) {
        let place = (deployment.project.clone(), deployment.target.clone());
        if let Some(shown) = state.live_targets.get_mut(&place) {
            shown.record(made, &site);
            shown.rolled_back_from.clone_from(&deployment.left);
            shown.rejected = None;
            shown.current.swap_keeping_previous(site);
            return;
        }
        let mut shown = LiveTarget {
            current: SiteHandle::new(Arc::clone(&site)),
            inputs: None,
            rolled_back_from: deployment.left.clone(),
            rejected: None,
            sites: Vec::new(),
        };
        shown.record(made, &site);
        let stage = &self.options.publisher;
        stage.publish(&deployment.project, &deployment.target, &shown.current);
        state.live_targets.insert(place, shown);
    }

    /// Removes what is too much of a project: snapshots nobody can go back to, old reports.
    pub(super) fn prune(&self, project: &str, keep: usize) {
        let mut state = self.state();
        if state.building_of(project) > 1 {
            // The other one may have a snapshot that nothing names yet; it tidies at its end.
            return;
        }
        let old = state.forgettable(project, keep);
        for id in &old {
            state.deployments.remove(id);
        }
        let needed = state.needed_snapshots(project, keep);
        let snapshots = self.snapshots(project);
        // A roll-back that begins now must find what is there; deleting may take its time.
        let withdrawn = snapshots.map(|snapshots| snapshots.withdraw(|key| needed.contains(key)));
        drop(state);
        drop(withdrawn);
        let folder: &Path = &self.reports_dir(project);
        for id in &old {
            Report::remove(folder, id);
        }
    }
}

/// What looks for news and is not finished was never written down.
fn is_persisted(one: &Deployment) -> bool {
    one.state.is_final() || !one.trigger.is_poll() || one.state == DeploymentState::Building
}
