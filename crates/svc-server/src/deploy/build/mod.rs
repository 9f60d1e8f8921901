//! Builds a deployment.

mod shared;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use svc_diagnostics::{Checked, Diagnostic, Severity, render_text};
use svc_site::{HistoryHead, LastModifiedSource, LoadOptions, RemoteDocuments, Site};
use tracing::{Span, error, info, warn};

use super::cluster::Release;
use super::deployer::DeployerInner;
use super::project::ProjectConfig;
use super::state::{
    BuildInputs, DeployerState, LiveTarget, PrerenderTask, QueuePriority, SourceFailure, TargetKey,
    lane,
};
use super::{
    Commit, Deployment, DeploymentOrigin, DeploymentState, FetchSourceError, PublishTarget, Report,
    Snapshot, now, placeholder, priority, report, source,
};
use crate::SiteHandle;

/// Maximum length in characters of a failure reason in the list of deployments.
const MAX_SUMMARY_CHARS: usize = 500;

/// Outcome of a build.
enum BuildOutcome {
    /// The live site is up to date, with this snapshot; `None` if the wanted state is known to be
    /// invalid or rolled back.
    Unchanged(Option<String>),
    /// The new site is ready to be published.
    Ready(Box<BuiltSite>),
    /// The live site stays unchanged.
    Failed(BuildFailure),
    /// There is nothing to do on this server, or another server does it.
    Skipped,
}

struct BuiltSite {
    site: Arc<Site>,
    inputs: BuildInputs,
    commit: Option<Commit>,
    summary: String,
    /// Number and content of the release that all servers serve; `None` if servers do not share the
    /// target, or the release stays.
    release: Option<(u64, Release)>,
}

#[derive(Default)]
struct BuildFailure {
    summary: String,
    /// Formatted diagnostics for the placeholder page of a project without a live site.
    problems: String,
    /// Inputs of a site that must not be published, if they are known.
    made: Option<Box<BuildInputs>>,
    commit: Option<Commit>,
    /// The site, if it can be published partially.
    site: Option<Arc<Site>>,
    /// Duration of the fetch, if the source could not be read.
    unread: Option<Duration>,
}

/// Permit for a concurrent build, released on drop.
struct BuildPermit<'a>(&'a DeployerInner);

impl Drop for BuildPermit<'_> {
    fn drop(&mut self) {
        self.0.state().active_builds -= 1;
        self.0.changed.notify_all();
    }
}

impl DeployerInner {
    /// Main loop of a deployer thread.
    pub(super) fn run_worker(&self) {
        priority::lower();
        while let Some((plan, deployment)) = self.next() {
            let _span = deployment.span().entered();
            let make = || match self.cluster_of(&plan) {
                Some(cluster) => self.make_shared(cluster, &plan, &deployment),
                None => self.make(&plan, &deployment),
            };
            let outcome = catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|_| {
                Some(build_failure(
                    "internal error: the deployment failed; the live site is unchanged",
                ))
            });
            // `None`: the server is stopping, and the deployment is requested again after the
            // start.
            let Some(outcome) = outcome else { return };
            let finish = || self.finish(&plan, &deployment, outcome);
            let result = catch_unwind(AssertUnwindSafe(finish));
            // The lane must be released even after a panic.
            let lane = lane(&deployment.project, &deployment.target);
            self.state().building.remove(&lane);
            if result.is_err() {
                error!("internal error: a deployment failed");
            }
            self.changed.notify_all();
        }
    }

    /// Waits for the next deployment whose lane is free.
    fn next(&self) -> Option<(Arc<ProjectConfig>, Deployment)> {
        let mut state = self.state();
        loop {
            if state.stopped {
                return None;
            }
            if let Some(job) = self.begin(&mut state) {
                return Some(job);
            }
            let result = self.changed.wait(state);
            state = result.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn begin(&self, state: &mut DeployerState) -> Option<(Arc<ProjectConfig>, Deployment)> {
        let ready = state.queue.iter().enumerate().filter_map(|(at, id)| {
            let item = state.deployments.get(id)?;
            let plan = state.plans.get(&item.project)?;
            let lane = lane(&item.project, &item.target);
            let is_free = !state.building.contains_key(&lane);
            let (is_foreign, is_preview, _) = priority_of(item);
            is_free.then_some(((is_foreign, is_preview), at, plan))
        });
        let (_, at, plan) = ready.min_by_key(|(rank, at, _)| (*rank, *at))?;
        let plan = Arc::clone(plan);
        let id = state.queue.remove(at);
        let deployment = state.deployments.get_mut(&id)?;
        deployment.state = DeploymentState::Building;
        deployment.started = Some(now());
        let deployment = deployment.clone();
        let lane = lane(&plan.id, &deployment.target);
        state.building.insert(lane, id);
        if !deployment.is_silent() {
            // A failure is harmless: an unfinished deployment is requested again after a restart.
            let _ = self.append_journal(state, &[&deployment]);
        }
        Some((plan, deployment))
    }

    /// Waits for a build permit. Fetching, which depends on other machines, is already done. `None`
    /// if the server is stopping.
    fn acquire_permit(&self, deployment: &Deployment) -> Option<BuildPermit<'_>> {
        let turn = priority_of(deployment);
        let mut state = self.state();
        state.fetched.insert(turn.clone());
        let mut is_logged = false;
        while !state.stopped {
            if state.active_builds < state.max_builds && state.fetched.first() == Some(&turn) {
                state.fetched.remove(&turn);
                state.active_builds += 1;
                drop(state);
                // The next deployment may get the permit.
                self.changed.notify_all();
                return Some(BuildPermit(self));
            }
            if !is_logged && let Some(report) = state.reports.get_mut(&deployment.id) {
                report.log("waiting for other builds");
                is_logged = true;
            }
            let result = self.changed.wait(state);
            state = result.unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// `None` if the server is stopping.
    fn make(&self, plan: &ProjectConfig, deployment: &Deployment) -> Option<BuildOutcome> {
        let log = |text: &str| self.log_line(&deployment.id, text);
        let Some(snapshots) = self.snapshots(&plan.id) else {
            return Some(build_failure("the project does not exist anymore"));
        };
        log("fetching the files");
        let begin = Instant::now();
        let fetched = source::fetch(plan, deployment, &snapshots, &log);
        let snapshot = match fetched {
            Ok(snapshot) => snapshot,
            Err(FetchSourceError(reason)) => {
                return Some(BuildOutcome::Failed(BuildFailure {
                    summary: reason,
                    unread: Some(begin.elapsed()),
                    ..BuildFailure::default()
                }));
            }
        };
        Span::current().record("revision", &*snapshot.key);
        log(&format!(
            "fetched in {:.2} s: {}",
            begin.elapsed().as_secs_f64(),
            snapshot.key
        ));
        let (target, foreign) = (&deployment.target, deployment.foreign);
        let mut options = self.state().load_options(plan, target, foreign);
        options.last_modified = match &snapshot.dates {
            Some(dates) => LastModifiedSource::Fixed(Arc::clone(dates)),
            None => source::dates(plan, &snapshots, &snapshot.key),
        };
        self.fetch_remote(deployment, &options);
        // Read before the dates, so that a commit in between counts as a change.
        let history = source::history(plan);
        let nothing = self.check_unchanged(deployment, &snapshot.key, &options, history.as_ref());
        if nothing.is_some() {
            return nothing;
        }
        self.make_site(plan, deployment, snapshot, &options, history)
    }

    /// Outcome without a build, if the files were built before.
    fn check_unchanged(
        &self,
        deployment: &Deployment,
        key: &str,
        options: &LoadOptions,
        history: Option<&HistoryHead>,
    ) -> Option<BuildOutcome> {
        let mut state = self.state();
        let target_key = (deployment.project.clone(), deployment.target.clone());
        if let Some(shown) = state.live_targets.get(&target_key) {
            let trigger = &deployment.trigger;
            let is = |inputs: &Option<BuildInputs>| {
                let inputs = inputs.as_ref();
                inputs.is_some_and(|inputs| inputs.is_unchanged(key, options, history))
            };
            if is(&shown.inputs) {
                return Some(BuildOutcome::Unchanged(Some(key.to_owned())));
            }
            let left = !trigger.is_manual() && shown.rolled_back_from.as_deref() == Some(key);
            if left || (trigger.is_poll() && is(&shown.rejected)) {
                return Some(BuildOutcome::Unchanged(None));
            }
        }
        if deployment.trigger.is_poll() {
            // From here on the poll is a deployment and is recorded.
            let _ = self.append_journal(&mut state, &[deployment]);
        }
        None
    }

    fn make_site(
        &self,
        plan: &ProjectConfig,
        deployment: &Deployment,
        snapshot: Snapshot,
        options: &LoadOptions,
        history: Option<HistoryHead>,
    ) -> Option<BuildOutcome> {
        let log = |text: &str| self.log_line(&deployment.id, text);
        let mut at_work = self.acquire_permit(deployment)?;
        log("building the site");
        let mut begin = Instant::now();
        let target_key = (deployment.project.clone(), deployment.target.clone());
        let mut loaded = self.load(&target_key, &snapshot.dir, options);
        // Another build may have fetched them meanwhile.
        let is_behind = |remote: &&Arc<dyn RemoteDocuments>| {
            let site = loaded.as_ref().map(|checked| &checked.value);
            let is_old = |site: &Site| site.remote_version() != remote.version(site.remote_urls());
            remote.has_unfetched() || site.is_ok_and(is_old)
        };
        if let Some(remote) = options.remote.as_ref().filter(is_behind) {
            drop((at_work, loaded));
            log("fetching OpenAPI documents");
            remote.fetch_missing();
            at_work = self.acquire_permit(deployment)?;
            begin = Instant::now();
            loaded = self.load(&target_key, &snapshot.dir, options);
        }
        let checked = match loaded {
            Ok(checked) => checked,
            Err(error) => {
                return Some(build_failure(&format!("the files cannot be read: {error}")));
            }
        };
        let site = Arc::new(checked.value);
        let inputs = BuildInputs::new(&snapshot.key, options, &site, history);
        let mut diagnostics = snapshot.diagnostics;
        diagnostics.extend(checked.diagnostics);
        if plan.stop_on_errors {
            diagnostics.extend(site.page_diagnostics(1));
        }
        drop(at_work);
        let summary = crate::summary(&site, &diagnostics);
        log(&format!(
            "built in {:.2} s: {summary}",
            begin.elapsed().as_secs_f64()
        ));
        if let Some(report) = self.state().reports.get_mut(&deployment.id) {
            report.add(&diagnostics, Some(&site));
            report.pages = plan.stop_on_errors;
        }
        let is_first = self
            .state()
            .live_targets
            .get(&target_key)
            .is_none_or(|shown| shown.inputs.is_none());
        let stops = |diagnostic: &Diagnostic| match diagnostic.severity {
            Severity::Fatal => true,
            Severity::Error => (plan.stop_on_errors && !is_first) || is_unreadable(diagnostic),
            _ => false,
        };
        if diagnostics.iter().any(stops) {
            // The summary starts with the diagnostic that stopped the deployment.
            diagnostics.sort_by_key(|diagnostic| !stops(diagnostic));
            let worst = placeholder::worst(&diagnostics);
            let is_fatal = worst.iter().any(|item| item.severity == Severity::Fatal);
            return Some(BuildOutcome::Failed(BuildFailure {
                summary: format!("{summary}; {}", first_of(&worst)),
                problems: render_text(&worst, &|path| site.text_of(path)),
                made: Some(Box::new(inputs)),
                commit: snapshot.commit,
                site: (!is_fatal).then_some(site),
                unread: None,
            }));
        }
        Some(BuildOutcome::Ready(Box::new(BuiltSite {
            site,
            inputs,
            commit: snapshot.commit,
            summary,
            release: None,
        })))
    }

    /// Loads a site and reuses what it has in common with the live site of the target.
    pub(super) fn load(
        &self,
        target_key: &TargetKey,
        dir: &Path,
        options: &LoadOptions,
    ) -> io::Result<Checked<Site>> {
        let before = {
            let state = self.state();
            let shown = state
                .live_targets
                .get(target_key)
                .filter(|shown| shown.inputs.is_some());
            shown.map(|shown| shown.current.get())
        };
        match before {
            Some(before) => svc_site::load_incremental(&before, dir, options),
            None => svc_site::load(dir, options),
        }
    }

    fn finish(&self, plan: &ProjectConfig, deployment: &Deployment, outcome: BuildOutcome) {
        let mut state = self.state();
        // A rollback or removal of the target may have happened first.
        let overtaken = state
            .deployments
            .get(&deployment.id)
            .is_none_or(|now| now.state != DeploymentState::Building);
        match &outcome {
            BuildOutcome::Failed(BuildFailure {
                unread: Some(took), ..
            }) => {
                let missed = SourceFailure {
                    failed_at: Instant::now(),
                    duration: *took,
                };
                state.source_failures.insert(plan.id.clone(), missed);
            }
            _ => drop(state.source_failures.remove(&plan.id)),
        }
        if !overtaken {
            match outcome {
                BuildOutcome::Unchanged(key) => self.finish_unchanged(&mut state, deployment, key),
                BuildOutcome::Skipped => self.finish_skipped(&mut state, deployment),
                BuildOutcome::Ready(ready) => self.finish_ready(&mut state, deployment, *ready),
                BuildOutcome::Failed(failure) => {
                    self.finish_failed(&mut state, plan, deployment, failure);
                }
            }
        }
        let entry = state.deployments.get(&deployment.id).cloned();
        drop(state);
        if let Some(entry) = &entry {
            self.save_report(&plan.id, &deployment.id);
            let (state, summary) = (entry.state.name(), &entry.summary);
            match entry.state {
                DeploymentState::Failed => warn!("{state}: {summary}"),
                _ => info!("{state}: {summary}"),
            }
            Span::current().record("state", state);
        }
        if entry.is_some_and(|entry| entry.state == DeploymentState::Live) {
            self.schedule_prerender(deployment);
        }
        self.prune(&plan.id, plan.max_retained);
        self.retain_remote(plan);
    }

    /// Removes remote documents from the cache that no site of the project names anymore, because
    /// they would be refreshed forever and count toward the limits.
    pub(super) fn retain_remote(&self, plan: &ProjectConfig) {
        let state = self.state();
        // A site that is being loaded has named its documents but is not live yet.
        let is_loading = state.pinned.iter().any(|(project, _)| *project == plan.id)
            || state.building_of(&plan.id) > 1;
        if let Some(remote) = plan.load.remote.as_ref().filter(|_| !is_loading) {
            remote.retain(&state.remote_urls(&plan.id));
        }
    }

    /// Finishes a deployment without a change of the live site.
    fn finish_unchanged(
        &self,
        state: &mut DeployerState,
        deployment: &Deployment,
        key: Option<String>,
    ) {
        if deployment.is_silent() {
            state.deployments.remove(&deployment.id);
            state.reports.remove(&deployment.id);
            return;
        }
        let mut result = deployment.clone();
        result.finished = Some(now());
        if key.is_none() {
            result.state = DeploymentState::Superseded;
            "this revision was rolled back; run `svc deploy` to deploy it again"
                .clone_into(&mut result.summary);
            let _ = self.append_journal(state, &[&result]);
            state.deployments.insert(result.id.clone(), result);
            return;
        }
        let live = state.live(&result.project, &result.target);
        result.state = DeploymentState::Live;
        "nothing changed".clone_into(&mut result.summary);
        result.snapshot = key;
        result.commit = live.and_then(|live| live.commit.clone()).or(result.commit);
        // If this cannot be written, the previous deployment is live after a restart, with the same
        // content.
        if self.make_live(state, &result).is_err() {
            state.deployments.remove(&result.id);
        }
    }

    /// Finishes a deployment that this server does not have to build.
    fn finish_skipped(&self, state: &mut DeployerState, deployment: &Deployment) {
        if deployment.is_silent() {
            state.deployments.remove(&deployment.id);
            state.reports.remove(&deployment.id);
            return;
        }
        let mut result = deployment.clone();
        result.state = DeploymentState::Superseded;
        result.finished = Some(now());
        "another server deploys it".clone_into(&mut result.summary);
        let _ = self.append_journal(state, &[&result]);
        state.deployments.insert(result.id.clone(), result);
    }

    fn finish_ready(&self, state: &mut DeployerState, deployment: &Deployment, ready: BuiltSite) {
        let target_key = (deployment.project.clone(), deployment.target.clone());
        if let Some((number, _)) = &ready.release
            && state
                .releases
                .live
                .get(&target_key)
                .is_some_and(|live| live > number)
        {
            // A rollback was faster.
            return self.finish_skipped(state, deployment);
        }
        let mut result = deployment.clone();
        result.state = DeploymentState::Live;
        result.finished = Some(now());
        result.summary = ready.summary;
        result.snapshot = Some(ready.inputs.key.clone());
        result.commit = ready.commit.or(result.commit);
        if let Some((_, release)) = &ready.release {
            result.left.clone_from(&release.left);
        }
        // Written before it is published: a restart serves what readers saw.
        if let Err(reason) = self.make_live(state, &result) {
            result.state = DeploymentState::Failed;
            result.snapshot = None;
            result.summary = reason;
            state.deployments.insert(result.id.clone(), result);
            return;
        }
        self.publish(state, &result, ready.inputs, ready.site);
        if let Some((number, release)) = &ready.release {
            state.record_release(&target_key, *number, release);
        }
        // The server that has built a release purges for all; one that was behind has served what
        // was purged.
        let is_late = (ready.release.as_ref()).is_some_and(|(_, release)| release.is_late());
        if is_late || deployment.origin != DeploymentOrigin::Release {
            let publisher = &self.options.publisher;
            publisher.updated(&result.project, &result.target);
        }
    }

    /// Records that a deployment is live and supersedes the previous one.
    pub(super) fn make_live(
        &self,
        state: &mut DeployerState,
        result: &Deployment,
    ) -> Result<(), String> {
        let mut states: Vec<Deployment> = state
            .live(&result.project, &result.target)
            .cloned()
            .into_iter()
            .collect();
        for old in &mut states {
            old.state = DeploymentState::Superseded;
        }
        states.push(result.clone());
        self.append_journal(state, &states.iter().collect::<Vec<_>>())
            .map_err(|error| error.to_string())?;
        for deployment in states {
            state.deployments.insert(deployment.id.clone(), deployment);
        }
        Ok(())
    }

    fn finish_failed(
        &self,
        state: &mut DeployerState,
        plan: &ProjectConfig,
        deployment: &Deployment,
        failure: BuildFailure,
    ) {
        let mut result = deployment.clone();
        result.state = DeploymentState::Failed;
        result.finished = Some(now());
        report::truncate(&failure.summary, MAX_SUMMARY_CHARS).clone_into(&mut result.summary);
        result.commit = failure.commit.or(result.commit);
        // A source that stays unavailable is logged once.
        let before = state
            .of(&result.project, &result.target)
            .find(|item| item.id != result.id && item.state.is_final());
        let known = before.is_some_and(|before| {
            before.state == DeploymentState::Failed && before.summary == result.summary
        });
        if result.trigger.is_poll() && failure.unread.is_some() && known {
            state.deployments.remove(&result.id);
            state.reports.remove(&result.id);
            return;
        }
        if let Some(report) = state.reports.get_mut(&result.id) {
            report.log(&result.summary);
        }
        // If this cannot be written, the deployment is requested again after a restart.
        let _ = self.append_journal(state, &[&result]);
        self.show_failure(
            state,
            plan,
            &result,
            failure.made.map(|inputs| *inputs),
            failure.site,
            &failure.problems,
        );
        state.deployments.insert(result.id.clone(), result);
    }

    /// The first deployment always publishes something: the site as far as possible, or the reason
    /// of the failure.
    fn show_failure(
        &self,
        state: &mut DeployerState,
        plan: &ProjectConfig,
        deployment: &Deployment,
        inputs: Option<BuildInputs>,
        site: Option<Arc<Site>>,
        problems: &str,
    ) {
        let target_key = (deployment.project.clone(), deployment.target.clone());
        // Files, not their dates, stop a site.
        let inputs = inputs.map(|inputs| BuildInputs {
            history: None,
            ..inputs
        });
        let site = || {
            site.map_or_else(
                || placeholder::broken(&deployment.summary, problems, &plan.load),
                Ok,
            )
        };
        match state.live_targets.get_mut(&target_key) {
            Some(shown) => {
                shown.rejected = inputs;
                if shown.inputs.is_none()
                    && let Ok(site) = site()
                {
                    drop(shown.current.swap(site));
                }
            }
            None => {
                let Ok(site) = site() else { return };
                let shown = LiveTarget {
                    current: SiteHandle::new(site),
                    inputs: None,
                    rolled_back_from: None,
                    rejected: inputs,
                    sites: Vec::new(),
                };
                let stage = &self.options.publisher;
                stage.publish(&deployment.project, &deployment.target, &shown.current);
                state.live_targets.insert(target_key, shown);
            }
        }
    }

    /// Schedules the prerendering of the live pages. Previews are not prerendered, because most of
    /// their pages are never read.
    pub(super) fn schedule_prerender(&self, deployment: &Deployment) {
        if deployment.target != PublishTarget::Live {
            return;
        }
        let target_key = (deployment.project.clone(), deployment.target.clone());
        let state = self.state();
        if let Some(shown) = state.live_targets.get(&target_key) {
            // The receiver is gone when the server stops.
            let _ = self.prerenders.send(PrerenderTask {
                current: shown.current.clone(),
                site: Arc::downgrade(&shown.current.get()),
                project: deployment.project.clone(),
                deployment: deployment.id.clone(),
            });
        }
    }
}

/// Queue priority of a deployment.
fn priority_of(deployment: &Deployment) -> QueuePriority {
    let is_preview = deployment.target != PublishTarget::Live;
    (deployment.foreign, is_preview, deployment.id.clone())
}

/// Codes of a document that is truncated, malformed or hostile.
const UNREADABLE: [&str; 3] = ["data-syntax", "data-limit", "config-limit"];

/// Whether a diagnostic means that `docs.json` cannot be read. The parser recovers from a truncated
/// file, but the result must not replace a whole site.
fn is_unreadable(diagnostic: &Diagnostic) -> bool {
    let file = diagnostic.location.as_ref().map(|location| &*location.file);
    UNREADABLE.contains(&diagnostic.code.id) && matches!(file, Some("docs.json" | "mint.json"))
}

fn build_failure(sentence: &str) -> BuildOutcome {
    BuildOutcome::Failed(BuildFailure {
        summary: sentence.to_owned(),
        ..BuildFailure::default()
    })
}

/// Formats the first diagnostic, such as `docs.json:1:1: message`.
fn first_of(worst: &[Diagnostic]) -> String {
    worst.first().map_or(String::new(), |first| {
        let location = first.location_string();
        if location.is_empty() {
            first.message.clone()
        } else {
            format!("{location}: {}", first.message)
        }
    })
}

impl Report {
    /// A report with one log line.
    pub(super) fn with_line(text: &str) -> Self {
        let mut report = Self::default();
        report.log(text);
        report
    }
}

#[cfg(test)]
mod tests;
