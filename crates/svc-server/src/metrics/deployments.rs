//! Counters of deployments, and figures of the live sites.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::Metrics;
use super::catalog;
use super::histogram::{BUILD_BOUNDS, Histogram};
use super::output::Output;
use crate::deploy::{Deployer, PublishTarget};
use crate::deploy::{Deployment, DeploymentState, Journal};
use crate::readiness::Readiness;

/// Number of deployments that are remembered, because a state can be written more than once.
const MAX_RECENT: usize = 256;

/// Numbers and durations of finished deployments.
#[derive(Debug)]
pub(crate) struct DeploymentCounters {
    state: Mutex<CounterState>,
    live: Histogram,
    failed: Histogram,
    /// States that could not be recorded.
    unrecorded: AtomicU64,
}

#[derive(Debug, Default)]
struct CounterState {
    recent: VecDeque<String>,
    finished: BTreeMap<(String, &'static str), u64>,
}

impl Default for DeploymentCounters {
    fn default() -> Self {
        Self {
            state: Mutex::default(),
            live: Histogram::new(&BUILD_BOUNDS),
            failed: Histogram::new(&BUILD_BOUNDS),
            unrecorded: AtomicU64::new(0),
        }
    }
}

impl DeploymentCounters {
    /// Counts a deployment if it has become live or failed.
    fn record(&self, deployment: &Deployment) {
        let histogram = match deployment.state {
            DeploymentState::Live => &self.live,
            DeploymentState::Failed => &self.failed,
            _ => return,
        };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.recent.contains(&deployment.id) {
            return;
        }
        state.recent.push_back(deployment.id.clone());
        if state.recent.len() > MAX_RECENT {
            state.recent.pop_front();
        }
        let key = (deployment.project.clone(), deployment.state.name());
        *state.finished.entry(key).or_default() += 1;
        if let Some((started, finished)) = deployment.started.zip(deployment.finished) {
            histogram.record(Duration::from_millis(finished.saturating_sub(started)));
        }
    }

    pub(super) fn collect(&self, out: &mut Output) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for ((project, name), count) in &state.finished {
            out.sample(&catalog::DEPLOYMENTS, &[project, name], *count as f64);
        }
        let unrecorded = self.unrecorded.load(Ordering::Relaxed);
        out.sample(&catalog::JOURNAL_ERRORS, &[], unrecorded as f64);
        for (name, histogram) in [("live", &self.live), ("failed", &self.failed)] {
            out.histogram(&catalog::DEPLOYMENT_DURATION, &[name], histogram);
        }
    }
}

/// A journal that counts the deployments that pass through it.
#[derive(Debug)]
pub(crate) struct CountingJournal {
    journal: Box<dyn Journal>,
    counters: std::sync::Arc<DeploymentCounters>,
}

impl CountingJournal {
    pub(crate) fn new(journal: Box<dyn Journal>, metrics: &Metrics) -> Self {
        let counters = metrics.deployments();
        Self { journal, counters }
    }
}

impl Journal for CountingJournal {
    fn append(&self, states: &[&Deployment]) -> io::Result<()> {
        if let Err(error) = self.journal.append(states) {
            self.counters.unrecorded.fetch_add(1, Ordering::Relaxed);
            return Err(error);
        }
        for deployment in states {
            self.counters.record(deployment);
        }
        Ok(())
    }

    fn read(&self) -> io::Result<Vec<Deployment>> {
        let states = self.journal.read()?;
        // What finished before this start is not counted when it is written another time.
        let mut counters = self
            .counters
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let live = states.iter().filter(|state| state.state.is_final());
        counters.recent = live
            .rev()
            .take(MAX_RECENT)
            .map(|state| state.id.clone())
            .collect();
        Ok(states)
    }

    fn rewrite(&self, states: &[&Deployment]) -> io::Result<()> {
        self.journal.rewrite(states)
    }
}

impl Metrics {
    /// Adds the state of the deployments of a server.
    pub(crate) fn observe_deployer(&self, deployer: Deployer) {
        self.add_source(Box::new(move |out| {
            let deployments = deployer.list(None);
            for state in [DeploymentState::Queued, DeploymentState::Building] {
                let pending = deployments
                    .iter()
                    .filter(|item| item.state == state)
                    .count();
                out.sample(
                    &catalog::DEPLOYMENTS_PENDING,
                    &[state.name()],
                    pending as f64,
                );
            }
            for deployment in &deployments {
                let is_live = deployment.state == DeploymentState::Live
                    && deployment.target == PublishTarget::Live;
                if let Some(time) = deployment.finished.filter(|_| is_live) {
                    let seconds = time as f64 / 1000.0;
                    out.sample(&catalog::LIVE_SINCE, &[&deployment.project], seconds);
                }
            }
        }));
    }

    /// Adds whether the server is ready, and figures of its live sites.
    pub(crate) fn observe_readiness(&self, readiness: Readiness) {
        self.add_source(Box::new(move |out| {
            let flag = |value: bool| f64::from(u8::from(value));
            let report = readiness.report();
            out.sample(&catalog::READY, &[], flag(report.is_ready()));
            out.sample(&catalog::DRAINING, &[], flag(report.is_draining));
            for (project, site) in readiness.sites() {
                let is_live = flag(site.is_some());
                out.sample(&catalog::PROJECT_READY, &[&project], is_live);
                if let Some(site) = site {
                    super::sites::collect(&project, &site.get(), out);
                }
            }
        }));
    }
}
