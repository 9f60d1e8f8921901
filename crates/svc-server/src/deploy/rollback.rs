//! Rolls back to an earlier deployment.

use std::sync::Arc;

use svc_diagnostics::Severity;
use svc_site::{HistoryHead, LoadOptions, Site};
use tracing::info;

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
        let result = self.roll_back_to(project, earlier)?;
        if let (PublishTarget::Live, Some(snapshot)) = (&result.target, &result.snapshot) {
            (self.0.options.share)(&Action::RollBack {
                project: project.to_owned(),
                snapshot: snapshot.clone(),
            });
        }
        Ok(result)
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
        let deployment = all.find(|item| item.snapshot.as_deref() == Some(key));
        return deployment.cloned().ok_or_else(|| {
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
            .ok_or_else(|| {
                TriggerError::Unknown(format!("`{project}` has no deployment `{of}`"))
            })?;
        return Some(deployment).filter(is_retained).cloned().ok_or_else(|| {
            TriggerError::Impossible(format!(
                "the files of `{of}` are not retained; increase `keep` of the project to roll back further"
            ))
        });
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
        .ok_or_else(|| {
            TriggerError::Impossible(format!("`{project}` has no deployment to roll back to"))
        })
}
