//! Deployments of projects that several servers share.
//!
//! A deployment first serves what other servers have released. Then the server that gets the lease
//! of the target builds, uploads the snapshot and releases it; a server that does not get it waits
//! for that release. A lost lease has no effect: what was built is dropped.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use svc_admin_api::StoreError;
use svc_site::{LastModifiedSource, LoadOptions};
use svc_store::{SnapshotRecord, TargetRecord};
use tracing::{info, warn};

use super::super::cluster::{Cluster, Lease, Release, TransferError};
use super::super::deployer::DeployerInner;
use super::super::project::ProjectConfig;
use super::super::releases::RETRY_DELAY;
use super::super::{
    Commit, Deployment, DeploymentOrigin, DeploymentState, Snapshot, Trigger, now, source,
};
use super::{BuildFailure, BuildOutcome, build_failure};

/// Interval at which a waiting deployment checks its target without a notification.
const WAIT_INTERVAL: Duration = Duration::from_secs(1);

/// A build that this server had the lease for.
enum LeasedBuild {
    /// The lease was held to the end.
    Finished(BuildOutcome),
    /// Another server builds the target.
    Lost,
}

impl DeployerInner {
    /// `None` if the server is stopping.
    pub(super) fn make_shared(
        &self,
        cluster: &Cluster,
        plan: &ProjectConfig,
        deployment: &Deployment,
    ) -> Option<BuildOutcome> {
        match deployment.origin {
            DeploymentOrigin::Release => self.serve_release(cluster, plan, deployment),
            DeploymentOrigin::Accepted(number) | DeploymentOrigin::Request(number) => {
                self.make_request(cluster, plan, deployment, Some(number))
            }
            DeploymentOrigin::Local => match deployment.trigger {
                Trigger::Poll | Trigger::Start | Trigger::Change | Trigger::Signal => {
                    self.check_source(cluster, plan, deployment)
                }
                _ => self.make_request(cluster, plan, deployment, None),
            },
        }
    }

    /// Serves the present release of a target.
    fn serve_release(
        &self,
        cluster: &Cluster,
        plan: &ProjectConfig,
        deployment: &Deployment,
    ) -> Option<BuildOutcome> {
        match cluster.target(&plan.id, &deployment.target) {
            Ok(Some(record)) => self.load_release(cluster, plan, deployment, &record),
            Ok(None) | Err(_) => Some(BuildOutcome::Skipped),
        }
    }

    /// Builds what was requested, or waits until another server has built it.
    fn make_request(
        &self,
        cluster: &Cluster,
        plan: &ProjectConfig,
        deployment: &Deployment,
        mut number: Option<u64>,
    ) -> Option<BuildOutcome> {
        let (project, target) = (&plan.id, &deployment.target);
        let mut waits_for = "";
        loop {
            if self.state().stopped {
                return None;
            }
            if self.is_overtaken(deployment) {
                return Some(BuildOutcome::Skipped);
            }
            let reason = match self.claim_request(cluster, deployment, &mut number) {
                Ok(Some(lease)) => {
                    self.serve_first(cluster, plan, deployment, lease.record())?;
                    let record = lease.record();
                    if number.is_some_and(|number| record.built >= number) {
                        return self.load_release(cluster, plan, deployment, record);
                    }
                    match self.make_leased(cluster, plan, deployment, &lease)? {
                        LeasedBuild::Finished(outcome) => return Some(outcome),
                        LeasedBuild::Lost => continue,
                    }
                }
                Ok(None) => match cluster.target(project, target) {
                    Ok(Some(record)) if number.is_some_and(|number| record.built >= number) => {
                        return self.load_release(cluster, plan, deployment, &record);
                    }
                    Ok(_) => "another server builds it",
                    Err(_) => "waiting for the database",
                },
                Err(_) => "waiting for the database",
            };
            if reason != waits_for {
                self.log_line(&deployment.id, reason);
                waits_for = reason;
            }
            cluster.wait(WAIT_INTERVAL);
        }
    }

    /// Adds the request of a deployment, once, and takes the lease.
    fn claim_request(
        &self,
        cluster: &Cluster,
        deployment: &Deployment,
        number: &mut Option<u64>,
    ) -> Result<Option<Lease>, StoreError> {
        if number.is_none() {
            *number = Some(cluster.request(&deployment.request())?);
        }
        cluster.claim(&deployment.project, &deployment.target, None)
    }

    /// Checks the source, unless another server does or did it. The site is also built from the
    /// same files if the settings or documents of this server have changed.
    fn check_source(
        &self,
        cluster: &Cluster,
        plan: &ProjectConfig,
        deployment: &Deployment,
    ) -> Option<BuildOutcome> {
        let min_age = match deployment.trigger {
            // A little less, so that the server which is the first continues to be it.
            Trigger::Poll => plan.poll.map(|every| every * 9 / 10),
            _ => None,
        };
        if let Ok(Some(lease)) = cluster.claim(&plan.id, &deployment.target, min_age) {
            self.serve_first(cluster, plan, deployment, lease.record())?;
            return Some(match self.make_leased(cluster, plan, deployment, &lease)? {
                LeasedBuild::Finished(outcome) => outcome,
                LeasedBuild::Lost => BuildOutcome::Skipped,
            });
        }
        let target_key = (plan.id.clone(), deployment.target.clone());
        let inputs = |shown: &super::LiveTarget| Some(shown.inputs.as_ref()?.key.clone());
        let key = self.state().live_targets.get(&target_key).and_then(inputs);
        match key {
            Some(key) => self.rebuild_snapshot(plan, deployment, &key, None),
            None => Some(BuildOutcome::Skipped),
        }
    }

    /// Serves a release of another server before the deployment begins, so that it is compared with
    /// that. `None` if the server is stopping.
    fn serve_first(
        &self,
        cluster: &Cluster,
        plan: &ProjectConfig,
        deployment: &Deployment,
        record: &TargetRecord,
    ) -> Option<()> {
        let target_key = (plan.id.clone(), deployment.target.clone());
        let is_live = |number: &u64| *number == record.release_number;
        if record.release_number == 0
            || self
                .state()
                .releases
                .live
                .get(&target_key)
                .is_some_and(is_live)
        {
            return Some(());
        }
        let Some(release) = Release::of(record) else {
            return Some(());
        };
        let mut first = {
            let mut state = self.state();
            let mut first = state.new_deployment(release.request(&plan.id, &deployment.target));
            first.state = DeploymentState::Building;
            first.started = Some(now());
            first.left = release.left.clone();
            first.origin = DeploymentOrigin::Release;
            state.deployments.insert(first.id.clone(), first.clone());
            first
        };
        let outcome = self.load_release(cluster, plan, &first, record);
        first.commit = release.commit;
        match outcome {
            Some(outcome) => self.finish(plan, &first, outcome),
            None => {
                self.state().deployments.remove(&first.id);
                return None;
            }
        }
        Some(())
    }

    /// Loads the site of a release; its files come from the object store if this server does not
    /// have them.
    fn load_release(
        &self,
        cluster: &Cluster,
        plan: &ProjectConfig,
        deployment: &Deployment,
        record: &TargetRecord,
    ) -> Option<BuildOutcome> {
        let target_key = (plan.id.clone(), deployment.target.clone());
        let number = record.release_number;
        if let Some(failure) = &record.failure
            && deployment.origin != DeploymentOrigin::Release
        {
            // The request failed at another server.
            return Some(build_failure(failure));
        }
        let Some(release) = Release::of(record) else {
            return Some(BuildOutcome::Skipped);
        };
        let Some(key) = &release.snapshot else {
            // Also ends this deployment.
            if self.hide_target(&plan.id, &deployment.target).is_ok() {
                self.state().record_release(&target_key, number, &release);
            }
            return Some(BuildOutcome::Skipped);
        };
        let Some(snapshots) = self.snapshots(&plan.id) else {
            return Some(BuildOutcome::Skipped);
        };
        let pin = (plan.id.clone(), key.clone());
        // A rollback may have pinned it.
        let is_new = self.state().pinned.insert(pin.clone());
        let outcome = if snapshots.has(key) {
            Ok(())
        } else {
            self.log_line(&deployment.id, "fetching the files from the object store");
            cluster.download(&plan.id, key, &snapshots)
        };
        let outcome = match outcome {
            Ok(()) => self.rebuild_snapshot(plan, deployment, key, Some((number, &release))),
            Err(error) => Some(self.release_failure(&target_key, key, &error)),
        };
        if is_new {
            self.state().pinned.remove(&pin);
        }
        outcome
    }

    fn release_failure(
        &self,
        target_key: &(String, super::PublishTarget),
        key: &str,
        error: &TransferError,
    ) -> BuildOutcome {
        let mut state = self.state();
        let delay = match error.is_transient() {
            true => RETRY_DELAY,
            false => 30 * RETRY_DELAY,
        };
        let retry = Instant::now() + delay;
        let before = state.releases.retries.insert(target_key.clone(), retry);
        if before.is_none() {
            warn!("cannot serve the release {key}, retrying: {error}");
        }
        BuildOutcome::Skipped
    }

    /// Builds the site from a snapshot of this server.
    fn rebuild_snapshot(
        &self,
        plan: &ProjectConfig,
        deployment: &Deployment,
        key: &str,
        release: Option<(u64, &Release)>,
    ) -> Option<BuildOutcome> {
        let snapshots = self.snapshots(&plan.id)?;
        let target_key = (plan.id.clone(), deployment.target.clone());
        let state = self.state();
        let live = state.live(&plan.id, &deployment.target);
        let commit = match release {
            Some((_, release)) => release.commit.clone(),
            None => live.and_then(|live| live.commit.clone()),
        };
        let mut options = state.load_options(plan, &deployment.target, deployment.foreign);
        drop(state);
        options.last_modified = source::dates(plan, &snapshots, key);
        self.fetch_remote(deployment, &options);
        let history = source::history(plan);
        {
            let mut state = self.state();
            let shown = state.live_targets.get(&target_key);
            let inputs = shown.and_then(|shown| shown.inputs.as_ref());
            if inputs.is_some_and(|inputs| inputs.is_unchanged(key, &options, history.as_ref())) {
                if let Some((number, release)) = release {
                    state.record_release(&target_key, number, release);
                }
                return Some(BuildOutcome::Unchanged(Some(key.to_owned())));
            }
        }
        let snapshot = Snapshot {
            dir: snapshots.path(key),
            key: key.to_owned(),
            commit,
            dates: None,
            diagnostics: Vec::new(),
        };
        let mut outcome = self.make_site(plan, deployment, snapshot, &options, history)?;
        if let (BuildOutcome::Ready(built), Some((number, release))) = (&mut outcome, release) {
            built.release = Some((number, release.clone()));
        }
        Some(outcome)
    }

    /// Fetches and builds with the lease, and releases the result.
    fn make_leased(
        &self,
        cluster: &Cluster,
        plan: &ProjectConfig,
        deployment: &Deployment,
        lease: &Lease,
    ) -> Option<LeasedBuild> {
        let mut outcome = self.make(plan, deployment)?;
        let (key, commit) = match &outcome {
            BuildOutcome::Ready(built) => (Some(&built.inputs.key), built.commit.clone()),
            BuildOutcome::Unchanged(key) => (key.as_ref(), self.live_commit(deployment)),
            BuildOutcome::Failed(_) | BuildOutcome::Skipped => (None, None),
        };
        let before = Release::of(lease.record());
        let released = before.as_ref().and_then(|before| before.snapshot.as_ref());
        let mut next = None;
        if let Some(key) = key.filter(|key| Some(*key) != released).cloned() {
            let snapshot = match self.upload(cluster, plan, deployment, lease, &key)? {
                Ok(snapshot) => snapshot,
                Err(LeasedBuild::Lost) => return Some(LeasedBuild::Lost),
                Err(finished) => return Some(finished),
            };
            let built = (key, commit);
            let release = Release::of_build(deployment, built, before.as_ref(), plan.max_retained);
            next = Some((release, snapshot));
        }
        let release = next.as_ref().map(|(release, snapshot)| (release, snapshot));
        let failure = match &outcome {
            BuildOutcome::Failed(failure) => Some(failure.summary.clone()),
            _ => None,
        };
        let number = loop {
            if lease.is_lost() {
                break None;
            }
            match cluster.finish(lease, release, failure.clone()) {
                Ok(number) => break number,
                Err(StoreError::Unavailable(_)) => {
                    if self.state().stopped {
                        return None;
                    }
                    cluster.wait(WAIT_INTERVAL);
                }
                Err(error) => {
                    let text = format!("the deployment cannot be recorded: {error}");
                    return Some(LeasedBuild::Finished(build_failure(&text)));
                }
            }
        };
        let Some(number) = number else {
            self.log_line(&deployment.id, "another server has taken over");
            return Some(LeasedBuild::Lost);
        };
        let Some((release, snapshot)) = next else {
            return Some(LeasedBuild::Finished(outcome));
        };
        let fence = lease.record().fence;
        info!("released {} as {number}, fence {fence}", snapshot.key);
        match &mut outcome {
            BuildOutcome::Ready(built) => built.release = Some((number, release)),
            _ => {
                let target_key = (plan.id.clone(), deployment.target.clone());
                self.state().record_release(&target_key, number, &release);
            }
        }
        Some(LeasedBuild::Finished(outcome))
    }

    /// Uploads a snapshot, however long the object store is away. `None` if the server is stopping.
    fn upload(
        &self,
        cluster: &Cluster,
        plan: &ProjectConfig,
        deployment: &Deployment,
        lease: &Lease,
        key: &str,
    ) -> Option<Result<SnapshotRecord, LeasedBuild>> {
        let snapshots = self.snapshots(&plan.id)?;
        let dates = match source::dates(plan, &snapshots, key) {
            LastModifiedSource::Fixed(dates) => dates.as_ref().clone(),
            _ => BTreeMap::new(),
        };
        self.log_line(&deployment.id, "uploading the files");
        let mut is_logged = false;
        loop {
            let files = snapshots.path(key);
            match cluster.upload(&plan.id, (key, &files), dates.clone()) {
                Ok(snapshot) => return Some(Ok(snapshot)),
                Err(_) if self.state().stopped => return None,
                Err(_) if lease.is_lost() || self.is_overtaken(deployment) => {
                    return Some(Err(LeasedBuild::Lost));
                }
                // A poll is repeated anyway.
                Err(error) if deployment.trigger.is_poll() || !error.is_transient() => {
                    let failure = BuildFailure {
                        summary: format!("the files cannot be uploaded: {error}"),
                        unread: Some(Duration::ZERO),
                        ..BuildFailure::default()
                    };
                    return Some(Err(LeasedBuild::Finished(BuildOutcome::Failed(failure))));
                }
                Err(error) => {
                    if !is_logged {
                        let text = format!("waiting for the object store: {error}");
                        self.log_line(&deployment.id, &text);
                        is_logged = true;
                    }
                    cluster.wait(WAIT_INTERVAL);
                }
            }
        }
    }

    fn live_commit(&self, deployment: &Deployment) -> Option<Commit> {
        let state = self.state();
        let live = state.live(&deployment.project, &deployment.target)?;
        live.commit.clone()
    }

    /// Whether a rollback or a removal has ended the deployment.
    fn is_overtaken(&self, deployment: &Deployment) -> bool {
        let state = self.state();
        let known = state.deployments.get(&deployment.id);
        known.is_none_or(|known| known.state != DeploymentState::Building)
    }

    /// Fetches remote documents that are missing; all of them if a deployment was requested.
    pub(super) fn fetch_remote(&self, deployment: &Deployment, options: &LoadOptions) {
        if let Some(remote) = &options.remote {
            // A deployment may be requested because a remote document has changed.
            match deployment.is_silent() {
                true => remote.fetch_missing(),
                false => remote.refresh(),
            }
        }
    }
}
