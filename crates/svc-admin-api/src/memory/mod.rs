//! A store in memory: complete, but for lasting.
//!
//! It says in the shortest form what every store has to do, so that others are compared with it.

mod accounts;
mod deployments;
mod jobs;
mod keys;
mod once;
mod projects;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::account::{Account, Session};
use crate::agent_job::{Job, Prompt};
use crate::audit::{AuditStore, Entry, Logged};
use crate::deployment::DeploymentRecord;
use crate::id::{JobId, KeyId, ProjectId, StatusId};
use crate::key::Key;
use crate::project::Project;
use crate::store::StoreError;
use crate::time::Timestamp;
use once::Remembered;

/// Entries of the audit log that are kept; the oldest go first.
const AUDIT: usize = 100_000;

/// A [`Store`](crate::Store) that forgets everything when it is dropped.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
    /// Whether every call lets others go first, to try out orders of calls.
    #[cfg(test)]
    pub(crate) polite: bool,
    /// What every call answers instead of doing anything, to try out failures.
    #[cfg(test)]
    pub(crate) fault: Mutex<Option<StoreError>>,
}

#[derive(Debug, Default)]
struct State {
    projects: BTreeMap<ProjectId, Project>,
    keys: BTreeMap<KeyId, Key>,
    lookups: BTreeMap<String, KeyId>,
    jobs: BTreeMap<JobId, Kept>,
    /// The jobs of each project by time.
    order: BTreeMap<ProjectId, BTreeSet<(Timestamp, JobId)>>,
    /// The active jobs by time.
    active: BTreeSet<(Timestamp, JobId)>,
    remembered: BTreeMap<(KeyId, String), Remembered>,
    /// When what is remembered may be forgotten.
    ends: BTreeSet<(Timestamp, KeyId, String)>,
    accounts: BTreeMap<String, Account>,
    sessions: BTreeMap<[u8; 32], Session>,
    deployments: BTreeMap<StatusId, DeploymentRecord>,
    /// The deployments of each project by time.
    deployed: BTreeMap<ProjectId, BTreeSet<(Timestamp, StatusId)>>,
    audit: VecDeque<Logged>,
    /// Entries that there have ever been.
    logged: u64,
}

#[derive(Debug)]
struct Kept {
    job: Job,
    prompts: Vec<Prompt>,
    log: String,
}

impl MemoryStore {
    /// The state, for one method. What a method does with it is one transaction.
    async fn open(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        #[cfg(test)]
        {
            if self.polite {
                crate::tests::world::yield_once().await;
            }
            let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(error) = fault.clone() {
                return Err(error);
            }
        }
        Ok(self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    fn log(&mut self, entry: &Entry) {
        self.logged += 1;
        self.audit.push_back(Logged {
            number: self.logged,
            entry: entry.clone(),
        });
        if self.audit.len() > AUDIT {
            self.audit.pop_front();
        }
    }
}

impl AuditStore for MemoryStore {
    async fn record(&self, entry: &Entry) -> Result<(), StoreError> {
        self.open().await?.log(entry);
        Ok(())
    }

    async fn entries(
        &self,
        project: Option<&ProjectId>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<Logged>, StoreError> {
        let state = self.open().await?;
        let wanted = |logged: &&Logged| {
            let own = project.is_none() || logged.entry.project.as_ref() == project;
            own && before.is_none_or(|number| logged.number < number)
        };
        let newest = state.audit.iter().rev().filter(wanted);
        Ok(newest.take(limit).cloned().collect())
    }

    async fn forget_entries(&self, before: Timestamp, most: usize) -> Result<u64, StoreError> {
        let mut state = self.open().await?;
        let place = |logged: &Logged| (logged.entry.at, logged.number);
        let mut old: Vec<_> = state.audit.iter().map(place).collect();
        old.retain(|(at, _)| *at < before);
        old.sort_unstable();
        old.truncate(most);
        let old: BTreeSet<u64> = old.into_iter().map(|(_, number)| number).collect();
        state.audit.retain(|logged| !old.contains(&logged.number));
        Ok(old.len() as u64)
    }
}
