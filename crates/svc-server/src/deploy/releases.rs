//! Follows what other servers have built or were asked to build.

use std::time::{Duration, Instant};

use svc_store::TargetRecord;

use super::cluster::{Cluster, Release, TargetRecords};
use super::deployer::DeployerInner;
use super::state::{DeployerState, TargetKey};
use super::{
    DeployRequest, Deployer, DeploymentOrigin, ProjectConfig, PublishTarget, TriggerError,
};
use crate::settings::SourceSettings;

/// Delay before a release that could not be loaded is tried another time.
pub(super) const RETRY_DELAY: Duration = Duration::from_secs(2);

impl ProjectConfig {
    /// Whether servers share the deployments of the project. A folder is another one on every
    /// server.
    pub(super) const fn is_shared(&self) -> bool {
        matches!(self.source, SourceSettings::Git(_))
    }
}

impl Deployer {
    /// Serves the releases of targets that this server does not serve yet.
    pub(super) fn follow_targets(&self, records: &TargetRecords) {
        let mut state = self.0.state();
        if state.stopped {
            return;
        }
        for record in records.values() {
            follow_target(&mut state, record);
        }
        drop(state);
        self.0.changed.notify_all();
    }

    /// Takes requests over that no server builds.
    pub(super) fn take_requests(&self, records: &[TargetRecord]) {
        let mut state = self.0.state();
        if state.stopped {
            return;
        }
        for record in records {
            let Some(key) = shared_target(&state, record) else {
                continue;
            };
            let request = record.request.as_deref().unwrap_or_default();
            let request: Option<DeployRequest> = serde_json::from_str(request).ok();
            let fits =
                |request: &DeployRequest| request.project == key.0 && request.target == key.1;
            let Some(request) = request.filter(fits) else {
                continue;
            };
            if !is_busy(&state, &key) {
                let mut new = state.new_deployment(request);
                new.origin = DeploymentOrigin::Request(record.wanted);
                state.enqueue(new);
            }
        }
        drop(state);
        self.0.changed.notify_all();
    }

    /// Compares every release with what is served, as their numbers have begun again.
    pub(super) fn forget_releases(&self) {
        self.0.state().releases.live.clear();
    }
}

impl DeployerInner {
    /// The servers that share the deployments of a project; `None` if they do not.
    pub(super) fn cluster_of(&self, plan: &ProjectConfig) -> Option<&Cluster> {
        self.options.cluster.as_ref().filter(|_| plan.is_shared())
    }

    /// Removes a target at all servers that share it.
    pub(super) fn release_removal(
        &self,
        project: &str,
        target: &PublishTarget,
    ) -> Result<(), TriggerError> {
        let plan = self.state().plans.get(project).cloned();
        let Some(cluster) = plan.as_deref().and_then(|plan| self.cluster_of(plan)) else {
            return Ok(());
        };
        let failed = |error| TriggerError::Storage(format!("cannot record the removal: {error}"));
        let record = cluster.target(project, target).map_err(failed)?;
        let is_done = record.is_none_or(|record| {
            let release = Release::of(&record);
            record.built == record.wanted
                && record.holder.is_none()
                && release.is_none_or(|release| release.snapshot.is_none())
        });
        if !is_done {
            let removed = cluster.put_release(project, target, &Release::removed());
            let number = removed.map_err(failed)?;
            let key = (project.to_owned(), target.clone());
            self.state().releases.live.insert(key, number);
        }
        Ok(())
    }
}

impl DeployerState {
    /// Records that a release is served.
    pub(super) fn record_release(&mut self, key: &TargetKey, number: u64, release: &Release) {
        if let Some(shown) = self.live_targets.get_mut(key) {
            shown.rolled_back_from.clone_from(&release.left);
        }
        let retained = release.snapshots().cloned().collect();
        self.releases.retained.insert(key.clone(), retained);
        self.releases.live.insert(key.clone(), number);
        self.releases.retries.remove(key);
    }

    /// Whether the content of a release is served.
    fn shows(&self, key: &TargetKey, release: &Release) -> bool {
        let shown = self.live_targets.get(key);
        let inputs = shown.and_then(|shown| shown.inputs.as_ref());
        match &release.snapshot {
            Some(snapshot) => inputs.is_some_and(|inputs| inputs.key == *snapshot),
            None => shown.is_none(),
        }
    }
}

/// The target of a record, if the server has its project and shares it.
fn shared_target(state: &DeployerState, record: &TargetRecord) -> Option<TargetKey> {
    let plan = state.plans.get(&record.project)?;
    let target = PublishTarget::parse(&record.target)?;
    plan.is_shared().then(|| (record.project.clone(), target))
}

/// Whether a deployment of the target exists, which begins with the release.
fn is_busy(state: &DeployerState, (project, target): &TargetKey) -> bool {
    state.waiting(project, target).is_some() || state.is_building(project, target)
}

fn follow_target(state: &mut DeployerState, record: &TargetRecord) {
    let number = record.release_number;
    if number == 0 {
        return;
    }
    let Some(key) = shared_target(state, record) else {
        return;
    };
    let is_known = state.releases.live.get(&key) == Some(&number);
    let retry = state.releases.retries.get(&key);
    if is_known || retry.is_some_and(|retry| *retry > Instant::now()) || is_busy(state, &key) {
        return;
    }
    // What a newer version wrote cannot be served.
    let Some(release) = Release::of(record) else {
        return;
    };
    if state.shows(&key, &release) {
        state.record_release(&key, number, &release);
        return;
    }
    let mut new = state.new_deployment(release.request(&key.0, &key.1));
    new.left = release.left;
    new.origin = DeploymentOrigin::Release;
    state.enqueue(new);
}
