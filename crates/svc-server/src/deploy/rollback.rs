//! Rolls back to an earlier deployment.

use std::sync::Arc;

use svc_diagnostics::Severity;
use svc_site::{HistoryHead, LoadOptions, Site};
use tracing::info;

use super::cluster::{Cluster, Release};
use super::deployer::{DeployerInner, find_project};
use super::model::RollbackTarget;
use super::project::ProjectConfig;
use super::source;
use super::state::{BuildInputs, DeployerState, TargetKey};
use super::{
    Action, DeployRequest, Deployer, Deployment, DeploymentState, PublishTarget, Report, Trigger,
    TriggerError, now,
};

impl Deployer {
    /// Rolls back to an earlier deployment; to the previous one if `of` is `None`. Unfinished
    /// deployments of the target are superseded, and only new commits, changed files or a manual
    /// deployment replace it again. Blocks while the site is loaded from the disk, unless it is
    /// still in memory.
    ///
    /// # Errors
    /// If the deployment does not exist or its files are not retained anymore.
    pub fn rollback(&self, project: &str, of: Option<&str>) -> Result<Deployment, TriggerError> {
        let earlier = of.map_or(RollbackTarget::Previous, RollbackTarget::Deployment);
        self.roll_back(project, earlier)
    }

    /// As [`rollback`](Self::rollback), but also for the files of a deployment of another server.
    pub(crate) fn roll_back(
        &self,
        project: &str,
        earlier: RollbackTarget<'_>,
    ) -> Result<Deployment, TriggerError> {
        let plan = find_project(&self.0.state(), project)?;
        if let Some(cluster) = self.0.cluster_of(&plan) {
            return self.roll_back_release(cluster, project, earlier);
        }
        let result = self.roll_back_to(project, earlier)?;
        if let (PublishTarget::Live, Some(snapshot)) = (&result.target, &result.snapshot) {
            (self.0.options.share)(&Action::RollBack {
                project: project.to_owned(),
                snapshot: snapshot.clone(),
            });
        }
        Ok(result)
    }

    /// Rolls back all servers that share the project.
    fn roll_back_release(
        &self,
        cluster: &Cluster,
        project: &str,
        earlier: RollbackTarget<'_>,
    ) -> Result<Deployment, TriggerError> {
        let live = PublishTarget::Live;
        let storage = |error| TriggerError::Storage(format!("cannot record the rollback: {error}"));
        let record = cluster.target(project, &live).map_err(storage)?;
        let release = record.as_ref().and_then(Release::of);
        let release = release.ok_or_else(|| nothing_earlier(project))?;
        let (key, of) = match earlier {
            RollbackTarget::Snapshot(key) => (key.to_owned(), None),
            RollbackTarget::Previous => {
                let previous = release.previous();
                let key = previous.ok_or_else(|| nothing_earlier(project))?;
                (key.to_owned(), None)
            }
            RollbackTarget::Deployment(of) => {
                let known = self.get(of).filter(|known| known.project == project);
                let known = known.ok_or_else(|| unknown_deployment(project, of))?;
                let key = known.snapshot.ok_or_else(|| not_retained(of))?;
                (key, Some(of.to_owned()))
            }
        };
        let snapshots = self.0.snapshots(project);
        // Not withdrawn until it is live.
        let pin = (project.to_owned(), key.clone());
        self.0.state().pinned.insert(pin.clone());
        if let Some(snapshots) = snapshots.filter(|snapshots| !snapshots.has(&key))
            && let Err(error) = cluster.download(project, &key, &snapshots)
        {
            self.0.state().pinned.remove(&pin);
            return Err(TriggerError::Impossible(error.to_string()));
        }
        let of = of.unwrap_or_else(|| key.get(..12).unwrap_or(&key).to_owned());
        let release = release.rolled_back(&key, of);
        let released = cluster.put_release(project, &live, &release);
        let number = match released.map_err(storage) {
            Ok(number) => number,
            Err(error) => {
                self.0.state().pinned.remove(&pin);
                return Err(error);
            }
        };
        let target_key = (project.to_owned(), live);
        // What other threads have begun is older.
        self.0
            .state()
            .releases
            .live
            .insert(target_key.clone(), number);
        let result = self.roll_back_to(project, RollbackTarget::Snapshot(&key));
        let mut state = self.0.state();
        match &result {
            Ok(_) => state.record_release(&target_key, number, &release),
            // Retried as on other servers.
            Err(_) => drop(state.releases.live.remove(&target_key)),
        }
        drop(state);
        result
    }

    pub(super) fn roll_back_to(
        &self,
        project: &str,
        earlier: RollbackTarget<'_>,
    ) -> Result<Deployment, TriggerError> {
        let inner = &self.0;
        let mut state = inner.state();
        let plan = find_project(&state, project)?;
        let previous = find_deployment(inner, &state, project, earlier)?;
        let key = previous.snapshot.clone().unwrap_or_default();
        let options = state.load_options(&plan, &previous.target, previous.foreign);
        let history = source::history(&plan);
        let target_key = (previous.project.clone(), previous.target.clone());
        let shown = state.live_targets.get(&target_key);
        let ready = shown.and_then(|shown| shown.site(&key, &options, history.as_ref()));
        let pin = (project.to_owned(), key.clone());
        state.pinned.insert(pin.clone());
        drop(state);
        let ready = match ready {
            Some(ready) => Ok(ready),
            None => inner.reload_snapshot(&plan, &target_key, &key, &options, history),
        };
        let mut state = inner.state();
        state.pinned.remove(&pin);
        let (inputs, site) = ready?;
        let result = inner.publish_rollback(&mut state, &plan, &previous, inputs, site)?;
        let is_building = state.building_of(project) > 0;
        drop(state);
        // A running build does this at its end; it has named documents but is not live yet.
        if !is_building {
            inner.retain_remote(&plan);
        }
        inner.schedule_prerender(&result);
        inner.changed.notify_all();
        Ok(result)
    }
}

impl DeployerInner {
    fn reload_snapshot(
        &self,
        plan: &ProjectConfig,
        target_key: &TargetKey,
        key: &str,
        options: &LoadOptions,
        history: Option<HistoryHead>,
    ) -> Result<(BuildInputs, Arc<Site>), TriggerError> {
        let unreadable = |reason: &str| {
            TriggerError::Impossible(format!("the snapshot cannot be read: {reason}"))
        };
        let snapshots = self
            .snapshots(&plan.id)
            .ok_or_else(|| unreadable("no project"))?;
        let options = LoadOptions {
            last_modified: source::dates(plan, &snapshots, key),
            ..options.clone()
        };
        let loaded = self.load(target_key, &snapshots.path(key), &options);
        let checked = loaded.map_err(|error| unreadable(&error.to_string()))?;
        if checked.has(Severity::Fatal) {
            return Err(unreadable("the site has a fatal problem"));
        }
        let inputs = BuildInputs::new(key, &options, &checked.value, history);
        Ok((inputs, Arc::new(checked.value)))
    }

    fn publish_rollback(
        &self,
        state: &mut DeployerState,
        plan: &ProjectConfig,
        previous: &Deployment,
        inputs: BuildInputs,
        site: Arc<Site>,
    ) -> Result<Deployment, TriggerError> {
        let (project, target) = (&previous.project, &previous.target);
        let target_key = (project.clone(), target.clone());
        let shown = state.live_targets.get(&target_key);
        let mut next = rollback_deployment(previous, shown.and_then(|shown| shown.inputs.as_ref()));
        let request = DeployRequest {
            trigger: next.trigger.clone(),
            ..DeployRequest::live(project.clone(), Trigger::Command)
        };
        next.id = state.new_deployment(request).id;
        // An earlier unfinished deployment would undo the rollback.
        let mut over: Vec<Deployment> = state
            .of(project, target)
            .filter(|deployment| !deployment.state.is_final())
            .cloned()
            .collect();
        for deployment in &mut over {
            deployment.state = DeploymentState::Superseded;
            deployment.finished = Some(now());
            deployment.summary = format!("superseded by the rollback {}", next.id);
        }
        self.append_journal(state, &over.iter().collect::<Vec<_>>())?;
        for deployment in over {
            state.queue.retain(|id| *id != deployment.id);
            state.deployments.insert(deployment.id.clone(), deployment);
        }
        self.make_live(state, &next)
            .map_err(TriggerError::Storage)?;
        self.publish(state, &next, inputs, site);
        self.options.publisher.updated(project, target);
        let report = Report::with_line(&next.summary);
        report.write(&self.reports_dir(&plan.id), &next.id);
        next.span().in_scope(|| info!("live: {}", next.summary));
        Ok(next)
    }
}

/// The deployment record of a rollback; its ID is set later.
fn rollback_deployment(previous: &Deployment, present: Option<&BuildInputs>) -> Deployment {
    let of = match &previous.trigger {
        Trigger::Rollback { of } => of.clone(),
        _ => previous.id.clone(),
    };
    Deployment {
        id: String::new(),
        state: DeploymentState::Live,
        queued: now(),
        started: Some(now()),
        finished: Some(now()),
        summary: format!("rolled back to {of}"),
        trigger: Trigger::Rollback { of },
        left: present.map(|inputs| inputs.key.clone()),
        ..previous.clone()
    }
}

/// The deployment to roll back to.
fn find_deployment(
    inner: &DeployerInner,
    state: &DeployerState,
    project: &str,
    earlier: RollbackTarget<'_>,
) -> Result<Deployment, TriggerError> {
    let snapshots = inner.snapshots(project);
    let is_retained = |item: &&Deployment| {
        let key = item.snapshot.as_deref();
        key.zip(snapshots.as_ref())
            .is_some_and(|(key, snapshots)| snapshots.has(key))
    };
    if let RollbackTarget::Snapshot(key) = earlier {
        let mut all = state.of(project, &PublishTarget::Live).filter(is_retained);
        let deployment = all
            .find(|item| item.snapshot.as_deref() == Some(key))
            .cloned();
        // Another server may have made it.
        let other = || {
            let has_files = snapshots
                .as_ref()
                .is_some_and(|snapshots| snapshots.has(key));
            (has_files && inner.options.cluster.is_some()).then(|| deployment_of(project, key))
        };
        return deployment.or_else(other).ok_or_else(|| {
            let short = key.get(..12).unwrap_or(key);
            TriggerError::Impossible(format!(
                "the files `{short}` are not available on this server"
            ))
        });
    }
    if let RollbackTarget::Deployment(of) = earlier {
        let deployment = state.deployments.get(of);
        let deployment = deployment
            .filter(|item| item.project == project)
            .ok_or_else(|| unknown_deployment(project, of))?;
        let retained = Some(deployment).filter(is_retained).cloned();
        return retained.ok_or_else(|| not_retained(of));
    }
    let live = state.live(project, &PublishTarget::Live);
    let from = live.map(|live| match &live.trigger {
        Trigger::Rollback { of } => of.as_str(),
        _ => live.id.as_str(),
    });
    let present = live.and_then(|live| live.snapshot.as_ref());
    state
        .of(project, &PublishTarget::Live)
        .filter(|item| from.is_some_and(|from| item.id.as_str() < from))
        .filter(|item| item.snapshot.as_ref() != present)
        .find(is_retained)
        .cloned()
        .ok_or_else(|| nothing_earlier(project))
}

/// A deployment of another server with these files.
fn deployment_of(project: &str, snapshot: &str) -> Deployment {
    let request = DeployRequest::live(project, Trigger::Push);
    let mut deployment = DeployerState::default().new_deployment(request);
    snapshot
        .get(..12)
        .unwrap_or(snapshot)
        .clone_into(&mut deployment.id);
    deployment.snapshot = Some(snapshot.to_owned());
    deployment
}

fn nothing_earlier(project: &str) -> TriggerError {
    TriggerError::Impossible(format!("`{project}` has no deployment to roll back to"))
}

fn unknown_deployment(project: &str, of: &str) -> TriggerError {
    TriggerError::Unknown(format!("`{project}` has no deployment `{of}`"))
}

fn not_retained(of: &str) -> TriggerError {
    TriggerError::Impossible(format!(
        "the files of `{of}` are not retained; increase `keep` of the project to roll back further"
    ))
}
