//! Polls sources periodically.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use svc_site::HistoryHead;

use super::deployer::DeployerInner;
use super::project::ProjectConfig;
use super::snapshots::{DirFingerprint, fingerprint_dir};
use super::state::SourceFailure;
use super::{DeployRequest, Deployer, PublishTarget, Trigger, priority, source};
use crate::settings::SourceSettings;

/// Interval of the ticker.
const TICK_INTERVAL: Duration = Duration::from_millis(200);
/// Interval at which a watched folder is polled.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);
/// Polling uses at most one part in this many of the time.
const MAX_POLL_SHARE: u32 = 20;
/// A failed source is retried after this multiple of the duration of the failed fetch.
const BACKOFF_FACTOR: u32 = 4;

/// Polling state of a project.
#[derive(Debug, Default)]
struct SourceStatus {
    fingerprint: Option<(DirFingerprint, Option<HistoryHead>)>,
    /// Time of the last poll, and minimum delay before the next one.
    last: Option<(Instant, Duration)>,
}

impl SourceStatus {
    /// Whether a source with this poll interval is due.
    fn is_due(&self, every: Duration, missed: Option<SourceFailure>, now: Instant) -> bool {
        let rests =
            missed.is_some_and(|missed| now < missed.failed_at + missed.duration * BACKOFF_FACTOR);
        let due = |(last, pause): (Instant, Duration)| now >= last + every.max(pause);
        !rests && self.last.is_some_and(due)
    }
}

impl DeployerInner {
    /// Polls all sources that are due.
    pub(super) fn tick(self: &Arc<Self>) {
        priority::lower();
        let mut seen: BTreeMap<String, SourceStatus> = BTreeMap::new();
        loop {
            let plans: Vec<(Arc<ProjectConfig>, Option<SourceFailure>)> = {
                let state = self.state();
                if state.stopped {
                    return;
                }
                seen.retain(|id, _| state.plans.contains_key(id));
                let all = state.plans.values();
                // A running build may detect a failing source.
                let free = all.filter(|plan| !state.is_building(&plan.id, &PublishTarget::Live));
                free.map(|plan| {
                    (
                        Arc::clone(plan),
                        state.source_failures.get(&plan.id).copied(),
                    )
                })
                .collect()
            };
            for (plan, missed) in plans {
                let known = seen.entry(plan.id.clone()).or_default();
                self.poll(&plan, known, missed);
            }
            std::thread::sleep(TICK_INTERVAL);
        }
    }

    fn poll(
        self: &Arc<Self>,
        plan: &ProjectConfig,
        seen: &mut SourceStatus,
        missed: Option<SourceFailure>,
    ) {
        let (trigger, every, dir) = match &plan.source {
            SourceSettings::Dir { path, watch: true } => {
                (Trigger::Change, WATCH_INTERVAL, Some(path))
            }
            SourceSettings::Dir { path, .. } => match plan.poll {
                Some(every) => (Trigger::Poll, every, Some(path)),
                None => return,
            },
            SourceSettings::Git(_) => match plan.poll {
                Some(every) => (Trigger::Poll, every, None),
                None => return,
            },
        };
        let begin = Instant::now();
        seen.last.get_or_insert((begin, Duration::ZERO));
        if !seen.is_due(every, missed, begin) {
            return;
        }
        let news = dir.is_none_or(|dir| {
            let looks = fingerprint_dir(dir, &svc_source::LoadOptions::default()).ok();
            let looks = looks.map(|looks| (looks, self.shown_history(plan)));
            let news = looks != seen.fingerprint || looks.is_none() || missed.is_some();
            seen.fingerprint = looks;
            news
        });
        seen.last = Some((Instant::now(), begin.elapsed() * MAX_POLL_SHARE));
        if news {
            // Fails only if the project was removed or the deployer is stopping.
            let _ =
                Deployer(Arc::clone(self)).trigger(DeployRequest::live(plan.id.clone(), trigger));
        }
    }

    /// Git heads of a site whose pages show dates, or which has versions with a `ref`.
    fn shown_history(&self, plan: &ProjectConfig) -> Option<HistoryHead> {
        let target_key = (plan.id.clone(), PublishTarget::Live);
        let current = self.state().live_targets.get(&target_key)?.current.clone();
        let depends = current.get().depends_on_history();
        depends.then(|| source::history(plan)).flatten()
    }
}

#[cfg(test)]
mod tests;
