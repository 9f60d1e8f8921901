//! Looking at sources now and then.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use svc_site::HistoryHead;

use super::deployer::{Inner, Plan};
use super::snapshots::{Looks, look};
use super::state::Missed;
use super::{Deployer, Request, Target, Trigger, priority, source};
use crate::settings::SourceSettings;

/// How often the ticker wakes up.
const TICK: Duration = Duration::from_millis(200);
/// How often a folder that is watched is looked at.
const WATCH: Duration = Duration::from_secs(1);
/// Looking takes at most this part of the time.
const SHARE: u32 = 20;
/// A source that could not be read is left alone for so many times as long as that took.
const REST: u32 = 4;

/// What the ticker knows of a project.
#[derive(Debug, Default)]
struct Seen {
    looks: Option<(Looks, Option<HistoryHead>)>,
    /// When it was looked at last, and how long it must be left alone at least.
    last: Option<(Instant, Duration)>,
}

impl Seen {
    /// Whether it is time to look again at a source that is looked at so often.
    fn is_due(&self, every: Duration, missed: Option<Missed>, now: Instant) -> bool {
        let rests = missed.is_some_and(|missed| now < missed.at + missed.took * REST);
        let due = |(last, pause): (Instant, Duration)| now >= last + every.max(pause);
        !rests && self.last.is_some_and(due)
    }
}

impl Inner {
    /// Looks at the sources of all projects, each when it is its time.
    pub(super) fn tick(self: &Arc<Self>) {
        priority::lower();
        let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
        loop {
            let plans: Vec<(Arc<Plan>, Option<Missed>)> = {
                let state = self.state();
                if state.stopped {
                    return;
                }
                seen.retain(|id, _| state.plans.contains_key(id));
                let all = state.plans.values();
                // What is at work may end with a source that cannot be read.
                let free = all.filter(|plan| !state.is_made(&plan.id, &Target::Live));
                free.map(|plan| (Arc::clone(plan), state.missed.get(&plan.id).copied()))
                    .collect()
            };
            for (plan, missed) in plans {
                let known = seen.entry(plan.id.clone()).or_default();
                self.visit(&plan, known, missed);
            }
            std::thread::sleep(TICK);
        }
    }

    fn visit(self: &Arc<Self>, plan: &Plan, seen: &mut Seen, missed: Option<Missed>) {
        let (trigger, every, folder) = match &plan.source {
            SourceSettings::Folder { path, watch: true } => (Trigger::Change, WATCH, Some(path)),
            SourceSettings::Folder { path, .. } => match plan.poll {
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
        let news = folder.is_none_or(|folder| {
            let looks = look(folder, &svc_source::LoadOptions::default()).ok();
            let looks = looks.map(|looks| (looks, self.told_history(plan)));
            let news = looks != seen.looks || looks.is_none() || missed.is_some();
            seen.looks = looks;
            news
        });
        seen.last = Some((Instant::now(), begin.elapsed() * SHARE));
        if news {
            // The project is gone, or the program ends.
            let _ = Deployer(Arc::clone(self)).trigger(Request::live(plan.id.clone(), trigger));
        }
    }

    /// The history of a site whose pages tell days.
    fn told_history(&self, plan: &Plan) -> Option<HistoryHead> {
        let place = (plan.id.clone(), Target::Live);
        let current = self.state().shown.get(&place)?.current.clone();
        let tells = current.get().shows_last_modified();
        tells.then(|| source::history(plan)).flatten()
    }
}

#[cfg(test)]
mod tests;
