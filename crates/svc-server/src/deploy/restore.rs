//! Restores the state after a start: live sites are published, and unfinished deployments are
//! requested again.

use std::io;
use std::sync::Arc;
use std::thread;

use svc_diagnostics::Severity;
use tracing::warn;

use super::deployer::DeployerInner;
use super::project::ProjectConfig;
use super::state::{BuildInputs, DeployerState, TargetKey, number_of};
use super::{
    DeployRequest, Deployment, DeploymentState, PublishTarget, Report, Trigger, now, source,
};

impl DeployerInner {
    /// Reads the journal. Deployments that were not finished are requested again.
    pub(super) fn read_journal(&self) -> io::Result<()> {
        let deployments = self.options.journal.read()?;
        let mut state = self.state();
        state.lines = deployments.len();
        let mut unfinished = Vec::new();
        for deployment in deployments {
            state.last = state.last.max(number_of(&deployment.id));
            if deployment.state.is_final() {
                state.deployments.insert(deployment.id.clone(), deployment);
            } else {
                unfinished.push(deployment);
            }
        }
        self.requeue(&mut state, unfinished);
        Ok(())
    }

    fn requeue(&self, state: &mut DeployerState, mut unfinished: Vec<Deployment>) {
        let mut requests: Vec<DeployRequest> = Vec::new();
        for old in &mut unfinished {
            old.state = DeploymentState::Failed;
            old.finished = Some(now());
            "the server stopped before it was finished; it was requested again"
                .clone_into(&mut old.summary);
            let is_same =
                |other: &DeployRequest| other.project == old.project && other.target == old.target;
            // As in the queue: the newest is kept, and a poll adds nothing to it.
            if old.trigger.is_poll() && requests.iter().any(is_same)
                || !state.plans.contains_key(&old.project)
            {
                continue;
            }
            requests.retain(|other| !is_same(other));
            requests.push(old.request());
        }
        let requested = requests.into_iter().map(|item| state.new_deployment(item));
        let requested: Vec<Deployment> = requested.collect();
        // In one write with the new ones first: after another crash at any point, the accepted
        // deployments are still requested.
        let written = requested.iter().filter(|item| !item.is_silent());
        let written: Vec<&Deployment> = written.chain(&unfinished).collect();
        if let Err(reason) = self.append_journal(state, &written) {
            // On a full disk, serving must not fail. The deployments are requested again in memory.
            warn!("{reason}");
        }
        for old in unfinished {
            let report = Report::with_line(&old.summary);
            report.write(&self.reports_dir(&old.project), &old.id);
            state.deployments.insert(old.id.clone(), old);
        }
        for new in requested {
            state.enqueue(new);
        }
    }

    /// Publishes the last live deployments of some projects from their snapshots, before anything
    /// is fetched.
    pub(super) fn restore(&self, projects: &[Arc<ProjectConfig>]) {
        let live: Vec<Deployment> = {
            let state = self.state();
            let all = state.deployments.values();
            let is_one = |id: &str| projects.iter().any(|plan| plan.id == id);
            all.filter(|item| item.state == DeploymentState::Live && is_one(&item.project))
                .cloned()
                .collect()
        };
        let workers = thread::available_parallelism().map_or(1, |n| n.get().min(4));
        let next = std::sync::atomic::AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..workers.min(live.len()) {
                let task = || {
                    loop {
                        let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        let Some(item) = live.get(at) else { return };
                        self.restore_target(item);
                    }
                };
                // If a thread cannot be started, the initial deployment does its work.
                let _ = thread::Builder::new()
                    .stack_size(8 << 20)
                    .spawn_scoped(scope, task);
            }
        });
        for plan in projects {
            self.prune(&plan.id, plan.max_retained);
        }
    }

    /// Publishes the newest deployment of a target whose snapshot can be loaded.
    fn restore_target(&self, live: &Deployment) {
        let _span = live.span().entered();
        let target_key: TargetKey = (live.project.clone(), live.target.clone());
        let (plan, keys) = {
            let state = self.state();
            let plan = state.plans.get(&live.project).map(Arc::clone);
            let history = state.history(&live.project, &live.target);
            let others = history.filter_map(|deployment| deployment.snapshot.clone());
            let others = others.filter(|key| Some(key) != live.snapshot.as_ref());
            // The live one is tried first, even after a rollback.
            let keys: Vec<String> = live.snapshot.iter().cloned().chain(others).collect();
            (plan, keys)
        };
        let (Some(plan), Some(snapshots)) = (plan, self.snapshots(&live.project)) else {
            return;
        };
        for key in keys {
            if !snapshots.has(&key) {
                continue;
            }
            let mut options = self.state().load_options(&plan, &live.target, live.foreign);
            options.last_modified = source::dates(&plan, &snapshots, &key);
            let history = source::history(&plan);
            let loaded = svc_site::load(&snapshots.path(&key), &options);
            let Some(checked) = loaded.ok().filter(|checked| !checked.has(Severity::Fatal)) else {
                warn!("cannot load the snapshot {key}, trying the previous one");
                continue;
            };
            let inputs = BuildInputs::new(&key, &options, &checked.value, history);
            let mut state = self.state();
            if state.live_targets.contains_key(&target_key) {
                return;
            }
            self.publish(&mut state, live, inputs, Arc::new(checked.value));
            drop(state);
            self.schedule_prerender(live);
            return;
        }
        if live.target != PublishTarget::Live {
            self.requeue_preview(live);
        }
    }

    /// Requests a preview that cannot be restored again, because only the sources of production
    /// sites are polled.
    fn requeue_preview(&self, live: &Deployment) {
        let mut state = self.state();
        let new = state.new_deployment(live.request());
        let old = Deployment {
            state: DeploymentState::Superseded,
            summary: "its snapshot could not be loaded; it was requested again".to_owned(),
            ..live.clone()
        };
        if let Err(reason) = self.append_journal(&mut state, &[&new, &old]) {
            warn!("{reason}");
        }
        state.deployments.insert(old.id.clone(), old);
        state.enqueue(new);
        drop(state);
        self.changed.notify_all();
    }

    /// Polls all sources.
    pub(super) fn poll_all(&self) -> Vec<DeployRequest> {
        let state = self.state();
        let projects = state.plans.keys();
        projects
            .map(|project| DeployRequest::live(project.clone(), Trigger::Start))
            .collect()
    }
}
