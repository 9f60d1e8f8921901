//! Making one deployment.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use svc_diagnostics::{Checked, Diagnostic, Severity, render_text};
use svc_site::{LastModifiedSource, HistoryHead, RemoteDocuments, LoadOptions, Site};

use super::deployer::{Inner, Plan};
use super::drawing::Drawing;
use super::state::{Made, Missed, Place, Shown, State, Turn, lane};
use super::{
    Commit, Deployment, FetchFailed, Report, Snapshot, State as Step, Target, now, placeholder,
    priority, report, source,
};
use crate::Current;

/// Characters of the reason of a failure in the list of deployments.
const SUMMARY: usize = 500;

/// What came of a deployment.
enum Outcome {
    /// Readers have what is wanted, from this snapshot; without one, it is known that they must not
    /// get it.
    Nothing(Option<String>),
    /// Readers get this.
    Ready(Box<Ready>),
    /// Readers keep what they have.
    Failed(Failure),
}

struct Ready {
    site: Arc<Site>,
    made: Made,
    commit: Option<Commit>,
    summary: String,
}

#[derive(Default)]
struct Failure {
    summary: String,
    /// The problems for a page, for when readers have nothing.
    problems: String,
    /// What must not be shown, when that is known.
    made: Option<Box<Made>>,
    commit: Option<Commit>,
    /// The site, when something of it can be shown.
    site: Option<Arc<Site>>,
    /// How long it took to see that the files cannot be read, when that is it.
    unread: Option<Duration>,
}

/// One of those that are built at the same time, until it is dropped.
struct AtWork<'a>(&'a Inner);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.state().at_work -= 1;
        self.0.changed.notify_all();
    }
}

impl Inner {
    /// The life of a thread that makes deployments.
    pub(super) fn work(&self) {
        priority::lower();
        while let Some((plan, deployment)) = self.next() {
            let make = || self.make(&plan, &deployment);
            let outcome = catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|_| {
                Some(failed(
                    "a mistake in svc ended the deployment; what was served stays",
                ))
            });
            // It is asked for again after the start.
            let Some(outcome) = outcome else { return };
            let finish = || self.finish(&plan, &deployment, outcome);
            let finished = catch_unwind(AssertUnwindSafe(finish));
            // Never leave a project behind that waits for itself.
            let lane = lane(&deployment.project, &deployment.target);
            self.state().building.remove(&lane);
            if finished.is_err() {
                (self.options.tell)("a mistake in svc ended a deployment");
            }
            self.changed.notify_all();
        }
    }

    /// Waits for the next deployment of which none of the same lane is being built.
    fn next(&self) -> Option<(Arc<Plan>, Deployment)> {
        let mut state = self.state();
        loop {
            if state.stopped {
                return None;
            }
            if let Some(begun) = self.begin(&mut state) {
                return Some(begun);
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn begin(&self, state: &mut State) -> Option<(Arc<Plan>, Deployment)> {
        let ready = state.queue.iter().enumerate().filter_map(|(at, id)| {
            let one = state.deployments.get(id)?;
            let plan = state.plans.get(&one.project)?;
            let lane = lane(&one.project, &one.target);
            let is_free = !state.building.contains_key(&lane);
            let (is_foreign, is_preview, _) = turn_of(one);
            is_free.then_some(((is_foreign, is_preview), at, plan))
        });
        let (_, at, plan) = ready.min_by_key(|(rank, at, _)| (*rank, *at))?;
        let plan = Arc::clone(plan);
        let id = state.queue.remove(at);
        let deployment = state.deployments.get_mut(&id)?;
        deployment.state = Step::Building;
        deployment.started = Some(now());
        let deployment = deployment.clone();
        let lane = lane(&plan.id, &deployment.target);
        state.building.insert(lane, id);
        if !deployment.trigger.only_looks() {
            // Not knowing that it began does no harm: it would be asked for again all the same.
            let _ = self.write_down(state, &[&deployment]);
        }
        Some((plan, deployment))
    }

    /// Waits until a deployment may be built: what only waits for other machines and for people
    /// has held up nobody until here. Nothing when the program ends.
    fn turn(&self, deployment: &Deployment) -> Option<AtWork<'_>> {
        let turn = turn_of(deployment);
        let mut state = self.state();
        state.fetched.insert(turn.clone());
        let mut told = false;
        while !state.stopped {
            if state.at_work < state.at_once && state.fetched.first() == Some(&turn) {
                state.fetched.remove(&turn);
                state.at_work += 1;
                drop(state);
                // There may be room for the next one.
                self.changed.notify_all();
                return Some(AtWork(self));
            }
            if !told && let Some(report) = state.reports.get_mut(&deployment.id) {
                report.tell("waiting until others are built");
                told = true;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Nothing when the program ends.
    fn make(&self, plan: &Plan, deployment: &Deployment) -> Option<Outcome> {
        let tell = |text: &str| self.tell(&deployment.id, text);
        let Some(snapshots) = self.snapshots(&plan.id) else {
            return Some(failed("the project is not there any more"));
        };
        tell("fetching the files");
        let begin = Instant::now();
        let fetched = source::fetch(plan, deployment, &snapshots, &tell);
        let snapshot = match fetched {
            Ok(snapshot) => snapshot,
            Err(FetchFailed(why)) => {
                return Some(Outcome::Failed(Failure {
                    summary: why,
                    unread: Some(begin.elapsed()),
                    ..Failure::default()
                }));
            }
        };
        tell(&format!(
            "have them after {:.2} s: {}",
            begin.elapsed().as_secs_f64(),
            snapshot.key
        ));
        let (target, foreign) = (&deployment.target, deployment.foreign);
        let mut options = self.state().loading(plan, target, foreign);
        options.last_modified = match &snapshot.dates {
            Some(dates) => LastModifiedSource::Fixed(Arc::clone(dates)),
            None => source::dates(plan, &snapshots, &snapshot.key),
        };
        if let Some(hosted) = &options.remote {
            // Whoever asks for a deployment may do it because a hosted document has changed.
            match deployment.trigger.only_looks() {
                true => hosted.fetch_missing(),
                false => hosted.refresh(),
            }
        }
        // Before the days are read: a commit that comes meanwhile is news then.
        let history = source::history(plan);
        let nothing = self.no_news(deployment, &snapshot.key, &options, history.as_ref());
        if nothing.is_some() {
            return nothing;
        }
        self.make_site(plan, deployment, snapshot, &options, history)
    }

    /// What comes of files like these when there is nothing to do.
    fn no_news(
        &self,
        deployment: &Deployment,
        key: &str,
        options: &LoadOptions,
        history: Option<&HistoryHead>,
    ) -> Option<Outcome> {
        let mut state = self.state();
        let place = (deployment.project.clone(), deployment.target.clone());
        if let Some(shown) = state.shown.get(&place) {
            let trigger = &deployment.trigger;
            let is = |made: &Option<Made>| {
                let made = made.as_ref();
                made.is_some_and(|made| made.is_still(key, options, history))
            };
            if is(&shown.made) {
                return Some(Outcome::Nothing(Some(key.to_owned())));
            }
            let left = !trigger.insists() && shown.left.as_deref() == Some(key);
            if left || (trigger.only_looks() && is(&shown.refused)) {
                return Some(Outcome::Nothing(None));
            }
        }
        if deployment.trigger.only_looks() {
            // Now it is more than looking.
            let _ = self.write_down(&mut state, &[deployment]);
        }
        None
    }

    fn make_site(
        &self,
        plan: &Plan,
        deployment: &Deployment,
        snapshot: Snapshot,
        options: &LoadOptions,
        history: Option<HistoryHead>,
    ) -> Option<Outcome> {
        let tell = |text: &str| self.tell(&deployment.id, text);
        let mut at_work = self.turn(deployment)?;
        tell("building the site");
        let mut begin = Instant::now();
        let place = (deployment.project.clone(), deployment.target.clone());
        let mut loaded = self.load(&place, &snapshot.folder, options);
        // Others may have asked meanwhile.
        let is_behind = |hosted: &&Arc<dyn RemoteDocuments>| {
            let site = loaded.as_ref().map(|checked| &checked.value);
            let is_old =
                |site: &Site| site.remote_version() != hosted.version(site.remote_urls());
            hosted.has_unfetched() || site.is_ok_and(is_old)
        };
        if let Some(hosted) = options.remote.as_ref().filter(is_behind) {
            drop((at_work, loaded));
            tell("fetching OpenAPI documents");
            hosted.fetch_missing();
            at_work = self.turn(deployment)?;
            begin = Instant::now();
            loaded = self.load(&place, &snapshot.folder, options);
        }
        let checked = match loaded {
            Ok(checked) => checked,
            Err(error) => return Some(failed(&format!("the files cannot be read: {error}"))),
        };
        let site = Arc::new(checked.value);
        let made = Made::new(&snapshot.key, options, &site, history);
        let mut diagnostics = snapshot.diagnostics;
        diagnostics.extend(checked.diagnostics);
        if plan.stop_on_errors {
            diagnostics.extend(site.page_diagnostics(1));
        }
        drop(at_work);
        let summary = crate::summary(&site, &diagnostics);
        tell(&format!(
            "built in {:.2} s: {summary}",
            begin.elapsed().as_secs_f64()
        ));
        if let Some(report) = self.state().reports.get_mut(&deployment.id) {
            report.add(&diagnostics, Some(&site));
            report.pages = plan.stop_on_errors;
        }
        let is_first = self
            .state()
            .shown
            .get(&place)
            .is_none_or(|shown| shown.made.is_none());
        let stops = |found: &Diagnostic| match found.severity {
            Severity::Fatal => true,
            Severity::Error => (plan.stop_on_errors && !is_first) || is_unreadable(found),
            _ => false,
        };
        if diagnostics.iter().any(stops) {
            // The summary begins with what stopped it.
            diagnostics.sort_by_key(|found| !stops(found));
            let worst = placeholder::worst(&diagnostics);
            let is_fatal = worst.iter().any(|one| one.severity == Severity::Fatal);
            return Some(Outcome::Failed(Failure {
                summary: format!("{summary}; {}", first_of(&worst)),
                problems: render_text(&worst, &|path| site.text_of(path)),
                made: Some(Box::new(made)),
                commit: snapshot.commit,
                site: (!is_fatal).then_some(site),
                unread: None,
            }));
        }
        Some(Outcome::Ready(Box::new(Ready {
            site,
            made,
            commit: snapshot.commit,
            summary,
        })))
    }

    /// Loads a site. What it has in common with what is shown at its place is not made again.
    pub(super) fn load(
        &self,
        place: &Place,
        folder: &Path,
        options: &LoadOptions,
    ) -> io::Result<Checked<Site>> {
        let before = {
            let state = self.state();
            let shown = state.shown.get(place).filter(|shown| shown.made.is_some());
            shown.map(|shown| shown.current.get())
        };
        match before {
            Some(before) => svc_site::load_incremental(&before, folder, options),
            None => svc_site::load(folder, options),
        }
    }

    fn finish(&self, plan: &Plan, deployment: &Deployment, outcome: Outcome) {
        let mut state = self.state();
        // A roll-back, or taking the target away, may have come first.
        let overtaken = state
            .deployments
            .get(&deployment.id)
            .is_none_or(|now| now.state != Step::Building);
        match &outcome {
            Outcome::Failed(Failure {
                unread: Some(took), ..
            }) => {
                let missed = Missed {
                    at: Instant::now(),
                    took: *took,
                };
                state.missed.insert(plan.id.clone(), missed);
            }
            _ => drop(state.missed.remove(&plan.id)),
        }
        if !overtaken {
            match outcome {
                Outcome::Nothing(key) => self.nothing(&mut state, deployment, key),
                Outcome::Ready(ready) => self.ready(&mut state, deployment, *ready),
                Outcome::Failed(failure) => self.failed(&mut state, plan, deployment, failure),
            }
        }
        let report = state.reports.get(&deployment.id).cloned();
        let finished = state.deployments.get(&deployment.id).cloned();
        drop(state);
        if let (Some(report), Some(finished)) = (report, &finished) {
            report.write(&self.reports(&plan.id), &deployment.id);
            // Only now, so that whoever waited for the end finds all of it.
            self.state().reports.remove(&deployment.id);
            (self.options.tell)(&format!(
                "{} {} {}: {}",
                finished.project,
                finished.id,
                finished.state.name(),
                finished.summary
            ));
        }
        if finished.is_some_and(|finished| finished.state == Step::Live) {
            self.draw_later(deployment);
        }
        self.tidy(&plan.id, plan.keep);
        self.forget_hosted(plan);
    }

    /// Forgets the hosted documents that no site of a project names any more. They would be asked
    /// for on and on, and take the place of others.
    pub(super) fn forget_hosted(&self, plan: &Plan) {
        let state = self.state();
        // One that is loaded has named its documents and is not shown yet.
        let is_loading = state.pinned.iter().any(|(project, _)| *project == plan.id)
            || state.building_of(&plan.id) > 1;
        if let Some(hosted) = plan.load.remote.as_ref().filter(|_| !is_loading) {
            hosted.retain(&state.hosted(&plan.id));
        }
    }

    /// Readers have what is wanted, or must not get it.
    fn nothing(&self, state: &mut State, deployment: &Deployment, key: Option<String>) {
        if deployment.trigger.only_looks() {
            state.deployments.remove(&deployment.id);
            state.reports.remove(&deployment.id);
            return;
        }
        let mut done = deployment.clone();
        done.finished = Some(now());
        if key.is_none() {
            done.state = Step::Superseded;
            "these are the files that a roll-back led away from; `svc deploy` brings them back"
                .clone_into(&mut done.summary);
            let _ = self.write_down(state, &[&done]);
            state.deployments.insert(done.id.clone(), done);
            return;
        }
        let live = state.live(&done.project, &done.target);
        done.state = Step::Live;
        "nothing changed".clone_into(&mut done.summary);
        done.snapshot = key;
        done.commit = live.and_then(|live| live.commit.clone()).or(done.commit);
        // Should it not be kept, the one before counts after a start, which shows the same.
        if self.make_live(state, &done).is_err() {
            state.deployments.remove(&done.id);
        }
    }

    fn ready(&self, state: &mut State, deployment: &Deployment, ready: Ready) {
        let mut done = deployment.clone();
        done.state = Step::Live;
        done.finished = Some(now());
        done.summary = ready.summary;
        done.snapshot = Some(ready.made.key.clone());
        done.commit = ready.commit.or(done.commit);
        // First on the disk, then before the eyes of readers: a start shows what they saw.
        if let Err(why) = self.make_live(state, &done) {
            done.state = Step::Failed;
            done.snapshot = None;
            done.summary = why;
            state.deployments.insert(done.id.clone(), done);
            return;
        }
        self.show(state, &done, ready.made, ready.site);
    }

    /// Writes down that a deployment is live and that the one before is not any more.
    pub(super) fn make_live(&self, state: &mut State, done: &Deployment) -> Result<(), String> {
        let mut states: Vec<Deployment> = state
            .live(&done.project, &done.target)
            .cloned()
            .into_iter()
            .collect();
        for old in &mut states {
            old.state = Step::Superseded;
        }
        states.push(done.clone());
        self.write_down(state, &states.iter().collect::<Vec<_>>())
            .map_err(|refused| refused.to_string())?;
        for one in states {
            state.deployments.insert(one.id.clone(), one);
        }
        Ok(())
    }

    fn failed(&self, state: &mut State, plan: &Plan, deployment: &Deployment, failure: Failure) {
        let mut done = deployment.clone();
        done.state = Step::Failed;
        done.finished = Some(now());
        report::cut(&failure.summary, SUMMARY).clone_into(&mut done.summary);
        done.commit = failure.commit.or(done.commit);
        // A source that stays unreachable is told of once.
        let before = state
            .of(&done.project, &done.target)
            .find(|one| one.id != done.id && one.state.is_final());
        let known = before
            .is_some_and(|before| before.state == Step::Failed && before.summary == done.summary);
        if done.trigger.only_looks() && failure.unread.is_some() && known {
            state.deployments.remove(&done.id);
            state.reports.remove(&done.id);
            return;
        }
        if let Some(report) = state.reports.get_mut(&done.id) {
            report.tell(&done.summary);
        }
        // Should it not be kept, it is asked for again after a start.
        let _ = self.write_down(state, &[&done]);
        self.show_failure(
            state,
            plan,
            &done,
            failure.made.map(|made| *made),
            failure.site,
            &failure.problems,
        );
        state.deployments.insert(done.id.clone(), done);
    }

    /// The first deployment always serves: what there is of the site, or else why there is none.
    fn show_failure(
        &self,
        state: &mut State,
        plan: &Plan,
        deployment: &Deployment,
        made: Option<Made>,
        site: Option<Arc<Site>>,
        problems: &str,
    ) {
        let place = (deployment.project.clone(), deployment.target.clone());
        // What stops a site are its files, whenever they were changed.
        let made = made.map(|made| Made {
            history: None,
            ..made
        });
        let site = || {
            site.map_or_else(
                || placeholder::broken(&deployment.summary, problems, &plan.load),
                Ok,
            )
        };
        match state.shown.get_mut(&place) {
            Some(shown) => {
                shown.refused = made;
                if shown.made.is_none()
                    && let Ok(site) = site()
                {
                    drop(shown.current.swap(site));
                }
            }
            None => {
                let Ok(site) = site() else { return };
                let shown = Shown {
                    current: Current::new(site),
                    made: None,
                    left: None,
                    refused: made,
                    sites: Vec::new(),
                };
                let stage = &self.options.stage;
                stage.show(&deployment.project, &deployment.target, &shown.current);
                state.shown.insert(place, shown);
            }
        }
    }

    /// Lets the pages of what is live now be drawn. Those of previews are drawn when somebody asks
    /// for them: most are never looked at as a whole.
    pub(super) fn draw_later(&self, deployment: &Deployment) {
        if deployment.target != Target::Live {
            return;
        }
        let place = (deployment.project.clone(), deployment.target.clone());
        let state = self.state();
        if let Some(shown) = state.shown.get(&place) {
            // Nobody draws any more when the program ends.
            let _ = self.drawings.send(Drawing {
                current: shown.current.clone(),
                site: Arc::downgrade(&shown.current.get()),
                project: deployment.project.clone(),
                deployment: deployment.id.clone(),
            });
        }
    }
}

/// The place of a deployment among those that wait.
fn turn_of(deployment: &Deployment) -> Turn {
    let is_preview = deployment.target != Target::Live;
    (deployment.foreign, is_preview, deployment.id.clone())
}

/// The problems of a document that is cut off, garbled or made to break its reader.
const UNREADABLE: [&str; 3] = ["data-syntax", "data-limit", "config-limit"];

/// Whether a problem means that `docs.json` cannot be read. What the parser makes of a file that is
/// cut off or garbled shows something, but nobody wants it in the place of a whole site.
fn is_unreadable(found: &Diagnostic) -> bool {
    let file = found.location.as_ref().map(|location| &*location.file);
    UNREADABLE.contains(&found.code.id) && matches!(file, Some("docs.json" | "mint.json"))
}

fn failed(sentence: &str) -> Outcome {
    Outcome::Failed(Failure {
        summary: sentence.to_owned(),
        ..Failure::default()
    })
}

/// `docs.json:1:1: message`.
fn first_of(worst: &[Diagnostic]) -> String {
    worst.first().map_or(String::new(), |first| {
        let place = first.location_string();
        if place.is_empty() {
            first.message.clone()
        } else {
            format!("{place}: {}", first.message)
        }
    })
}

impl Report {
    /// A report that begins with one line.
    pub(super) fn beginning(text: &str) -> Self {
        let mut report = Self::default();
        report.tell(text);
        report
    }
}

#[cfg(test)]
mod tests;
