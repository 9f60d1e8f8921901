//! After a start: what was live is live again, and what was begun is begun anew.

use std::io;
use std::sync::Arc;
use std::thread;

use svc_diagnostics::Severity;

use super::deployer::{Inner, Plan};
use super::state::{Made, Place, State, number_of};
use super::{Deployment, Report, Request, State as Step, Target, Trigger, now, source};

impl Inner {
    /// Reads the journal. What was not finished when the program ended is asked for again.
    pub(super) fn read_journal(&self) -> io::Result<()> {
        let deployments = self.options.journal.read()?;
        let mut state = self.state();
        state.lines = deployments.len();
        let mut begun = Vec::new();
        for deployment in deployments {
            state.last = state.last.max(number_of(&deployment.id));
            if deployment.state.is_final() {
                state.deployments.insert(deployment.id.clone(), deployment);
            } else {
                begun.push(deployment);
            }
        }
        self.ask_again(&mut state, begun);
        Ok(())
    }

    fn ask_again(&self, state: &mut State, mut begun: Vec<Deployment>) {
        let mut wanted: Vec<Request> = Vec::new();
        for old in &mut begun {
            old.state = Step::Failed;
            old.finished = Some(now());
            "the server stopped before it was finished; it was asked for again"
                .clone_into(&mut old.summary);
            let is_same =
                |other: &Request| other.project == old.project && other.target == old.target;
            // As in the queue: the newest counts, and looking for news adds nothing.
            if old.trigger.only_looks() && wanted.iter().any(is_same)
                || !state.plans.contains_key(&old.project)
            {
                continue;
            }
            wanted.retain(|other| !is_same(other));
            wanted.push(request_of(old));
        }
        let asked = wanted.into_iter().map(|one| state.new_deployment(one));
        let asked: Vec<Deployment> = asked.collect();
        // In one go and the new ones first: however much of it is on the disk when the program ends
        // again, what was promised is asked for.
        let written = asked.iter().filter(|one| !one.trigger.only_looks());
        let written: Vec<&Deployment> = written.chain(&begun).collect();
        if let Err(why) = self.write_down(state, &written) {
            // A full disk: what is served must not depend on it. All of it is asked for again.
            (self.options.tell)(&why.to_string());
        }
        for old in begun {
            let report = Report::beginning(&old.summary);
            report.write(&self.reports(&old.project), &old.id);
            state.deployments.insert(old.id.clone(), old);
        }
        for new in asked {
            state.wait_for_turn(new);
        }
    }

    /// Shows what was live of some projects, from its snapshot, before anything is fetched.
    pub(super) fn restore(&self, projects: &[Arc<Plan>]) {
        let live: Vec<Deployment> = {
            let state = self.state();
            let all = state.deployments.values();
            let is_one = |id: &str| projects.iter().any(|plan| plan.id == id);
            all.filter(|one| one.state == Step::Live && is_one(&one.project))
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
        for plan in projects {
            self.tidy(&plan.id, plan.keep);
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
            let mut options = self.state().loading(&plan, &live.target, live.foreign);
            options.last_modified = source::dates(&plan, &snapshots, &key);
            let history = source::history(&plan);
            let loaded = svc_site::load(&snapshots.path(&key), &options);
            let Some(checked) = loaded.ok().filter(|checked| !checked.has(Severity::Fatal)) else {
                (self.options.tell)(&format!(
                    "{}: the snapshot {key} cannot be shown, trying the one before",
                    live.project
                ));
                continue;
            };
            let made = Made::new(&key, &options, &checked.value, history);
            let mut state = self.state();
            if state.shown.contains_key(&place) {
                return;
            }
            self.show(&mut state, live, made, Arc::new(checked.value));
            drop(state);
            self.draw_later(live);
            return;
        }
        if live.target != Target::Live {
            self.ask_for_lost(live);
        }
    }

    /// Asks anew for a preview of which nothing can be shown: sources are only looked at for the
    /// sites of projects.
    fn ask_for_lost(&self, live: &Deployment) {
        let mut state = self.state();
        let new = state.new_deployment(request_of(live));
        let old = Deployment {
            state: Step::Superseded,
            summary: "its snapshot could not be shown any more; it was asked for again".to_owned(),
            ..live.clone()
        };
        if let Err(why) = self.write_down(&mut state, &[&new, &old]) {
            (self.options.tell)(&why.to_string());
        }
        state.deployments.insert(old.id.clone(), old);
        state.wait_for_turn(new);
        drop(state);
        self.changed.notify_all();
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

/// What a deployment was asked for with.
fn request_of(one: &Deployment) -> Request {
    Request {
        project: one.project.clone(),
        target: one.target.clone(),
        trigger: one.trigger.clone(),
        reference: one.reference.clone(),
        commit: one.commit.clone(),
        foreign: one.foreign,
        host: one.host.clone(),
    }
}
