//! After a start: what was live is live again, and what was begun is begun anew.

use std::io;
use std::sync::Arc;
use std::thread;

use svc_diagnostics::Severity;

use super::deployer::Inner;
use super::state::{Made, Place, number_of};
use super::{Deployment, Report, Request, State as Step, Trigger, now, source};

impl Inner {
    /// Reads the journal. What comes back was not finished when the program ended.
    pub(super) fn read_journal(&self) -> io::Result<Vec<Request>> {
        let deployments = self.options.journal.read()?;
        let mut state = self.state();
        state.lines = deployments.len();
        let mut unfinished = Vec::new();
        for mut deployment in deployments {
            state.last = state.last.max(number_of(&deployment.id));
            if !deployment.state.is_final() {
                unfinished.push(Request {
                    project: deployment.project.clone(),
                    target: deployment.target.clone(),
                    trigger: deployment.trigger.clone(),
                    reference: deployment.reference.clone(),
                    commit: deployment.commit.clone(),
                    foreign: deployment.foreign,
                    host: deployment.host.clone(),
                });
                deployment.state = Step::Failed;
                deployment.finished = Some(now());
                "the server stopped before it was finished; it was asked for again"
                    .clone_into(&mut deployment.summary);
                self.write_down(&mut state, &[&deployment])
                    .map_err(io::Error::other)?;
                let report = Report::beginning(&deployment.summary);
                report.write(&self.reports(&deployment.project), &deployment.id);
            }
            state.deployments.insert(deployment.id.clone(), deployment);
        }
        Ok(unfinished)
    }

    /// Shows what was live, from its snapshot, before anything is fetched.
    pub(super) fn restore(&self) {
        let live: Vec<Deployment> = {
            let state = self.state();
            let all = state.deployments.values();
            let known = |one: &&Deployment| state.plans.contains_key(&one.project);
            all.filter(|one| one.state == Step::Live)
                .filter(known)
                .cloned()
                .collect()
        };
        let workers = thread::available_parallelism().map_or(1, |n| n.get().min(4));
        let next = std::sync::atomic::AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..workers.min(live.len()) {
                let work = || {
                    loop {
                        let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        let Some(one) = live.get(at) else { return };
                        self.bring_back(one);
                    }
                };
                // A thread that cannot be started leaves its work to the deployment of the start.
                let _ = thread::Builder::new()
                    .stack_size(8 << 20)
                    .spawn_scoped(scope, work);
            }
        });
        let state = self.state();
        let projects: Vec<String> = state.plans.keys().cloned().collect();
        drop(state);
        for project in projects {
            let keep = self.state().plans.get(&project).map_or(1, |plan| plan.keep);
            self.tidy(&project, keep);
        }
    }

    /// Shows the newest deployment of a target whose snapshot can still be shown.
    fn bring_back(&self, live: &Deployment) {
        let place: Place = (live.project.clone(), live.target.clone());
        let (plan, keys) = {
            let state = self.state();
            let plan = state.plans.get(&live.project).map(Arc::clone);
            let history = state.history(&live.project, &live.target);
            let others = history.filter_map(|one| one.snapshot.clone());
            let others = others.filter(|key| Some(key) != live.snapshot.as_ref());
            // The live one comes first, also after a roll-back.
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
            let mut options = plan.loading(&live.target, live.foreign);
            options.dates = source::dates(&plan, &snapshots, &key);
            let made = Made::new(&key, &options, source::history(&plan));
            let loaded = svc_site::load(&snapshots.path(&key), &options);
            let Some(checked) = loaded.ok().filter(|checked| !checked.has(Severity::Fatal)) else {
                (self.options.tell)(&format!(
                    "{}: the snapshot {key} cannot be shown, trying the one before",
                    live.project
                ));
                continue;
            };
            let mut state = self.state();
            if state.shown.contains_key(&place) {
                return;
            }
            self.show(&mut state, live, made, Arc::new(checked.value));
            drop(state);
            self.draw_later(live);
            return;
        }
    }

    /// Looks at all sources.
    pub(super) fn look_at_all(&self) -> Vec<Request> {
        let state = self.state();
        let projects = state.plans.keys();
        projects
            .map(|project| Request::live(project.clone(), Trigger::Start))
            .collect()
    }
}
