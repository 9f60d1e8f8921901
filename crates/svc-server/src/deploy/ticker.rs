//! Looking at sources now and then.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use svc_site::History;

use super::deployer::{Inner, Plan};
use super::snapshots::{Looks, look};
use super::{Deployer, Request, Target, Trigger, priority, source};
use crate::settings::SourceSettings;

/// How often the ticker wakes up.
const TICK: Duration = Duration::from_millis(200);
/// How often a folder that is watched is looked at.
const WATCH: Duration = Duration::from_secs(1);
/// Looking takes at most this part of the time.
const SHARE: u32 = 20;

/// What the ticker knows of a project.
#[derive(Debug, Default)]
struct Seen {
    looks: Option<(Looks, Option<History>)>,
    due: Option<Instant>,
}

impl Inner {
    /// Looks at the sources of all projects, each when it is its time.
    pub(super) fn tick(self: &Arc<Self>) {
        priority::lower();
        let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
        loop {
            let plans: Vec<Arc<Plan>> = {
                let mut state = self.state();
                if state.stopped {
                    return;
                }
                for missed in std::mem::take(&mut state.missed) {
                    seen.remove(&missed);
                }
                state.plans.values().map(Arc::clone).collect()
            };
            seen.retain(|id, _| plans.iter().any(|plan| plan.id == *id));
            for plan in plans {
                let known = seen.entry(plan.id.clone()).or_default();
                self.visit(&plan, known);
            }
            std::thread::sleep(TICK);
        }
    }

    fn visit(self: &Arc<Self>, plan: &Plan, seen: &mut Seen) {
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
        let due = *seen.due.get_or_insert_with(|| begin + every);
        if due > begin {
            return;
        }
        let news = folder.is_none_or(|folder| {
            let looks = look(folder, &svc_source::LoadOptions::default()).ok();
            let looks = looks.map(|looks| (looks, self.told_history(plan)));
            let news = looks != seen.looks || looks.is_none();
            seen.looks = looks;
            news
        });
        seen.due = Some(Instant::now() + every.max(begin.elapsed() * SHARE));
        if news {
            // The project is gone, or the program ends.
            let _ = Deployer(Arc::clone(self)).trigger(Request::live(plan.id.clone(), trigger));
        }
    }

    /// The history of a site whose pages tell days.
    fn told_history(&self, plan: &Plan) -> Option<History> {
        let place = (plan.id.clone(), Target::Live);
        let current = self.state().shown.get(&place)?.current.clone();
        let tells = current.get().tells_days();
        tells.then(|| source::history(plan)).flatten()
    }
}
