//! A store in memory: complete, but for lasting.
//!
//! It says in the shortest form what every store has to do, so that others are compared with it.

mod accounts;
mod deployments;
mod idempotency;
mod jobs;
mod keys;
mod projects;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::account::{Account, Session};
use crate::agent_job::{Job, Prompt};
use crate::audit::{AuditEntry, AuditRecord, AuditStore};
use crate::deployment::DeploymentRecord;
use crate::id::{JobId, KeyId, ProjectId, StatusId};
use crate::key::Key;
use crate::project::ProjectRecord;
use crate::store::StoreError;
use crate::time::Timestamp;
use idempotency::IdempotencyRecord;

/// Entries of the audit log that are kept; the oldest go first.
const MAX_AUDIT_ENTRIES: usize = 100_000;

/// A [`Store`](crate::Store) that forgets everything when it is dropped.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
    /// Whether every call lets others go first, to try out orders of calls.
    #[cfg(test)]
    pub(crate) yields: bool,
    /// What every call answers instead of doing anything, to try out failures.
    #[cfg(test)]
    pub(crate) fault: Mutex<Option<StoreError>>,
}

#[derive(Debug, Default)]
struct State {
    projects: BTreeMap<ProjectId, ProjectRecord>,
    keys: BTreeMap<KeyId, Key>,
    lookups: BTreeMap<String, KeyId>,
    jobs: BTreeMap<JobId, StoredJob>,
    /// The jobs of each project by time.
    job_order: BTreeMap<ProjectId, BTreeSet<(Timestamp, JobId)>>,
    /// The active jobs by time.
    active: BTreeSet<(Timestamp, JobId)>,
    idempotency_records: BTreeMap<(KeyId, String), IdempotencyRecord>,
    /// When what is remembered may be forgotten.
    expirations: BTreeSet<(Timestamp, KeyId, String)>,
    accounts: BTreeMap<String, Account>,
    sessions: BTreeMap<[u8; 32], Session>,
    deployments: BTreeMap<StatusId, DeploymentRecord>,
    /// The deployments of each project by time.
    deployment_order: BTreeMap<ProjectId, BTreeSet<(Timestamp, StatusId)>>,
    audit: VecDeque<AuditRecord>,
    /// Entries that there have ever been.
    last_sequence: u64,
}

#[derive(Debug)]
struct StoredJob {
    job: Job,
    prompts: Vec<Prompt>,
    log: String,
}

impl MemoryStore {
    /// The state, for one method. What a method does with it is one transaction.
    async fn lock(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        #[cfg(test)]
        {
            if self.yields {
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
    fn log(&mut self, entry: &AuditEntry) {
        self.last_sequence += 1;
        self.audit.push_back(AuditRecord {
            sequence: self.last_sequence,
            entry: entry.clone(),
        });
        if self.audit.len() > MAX_AUDIT_ENTRIES {
            self.audit.pop_front();
        }
    }
}

impl AuditStore for MemoryStore {
    async fn record(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        self.lock().await?.log(entry);
        Ok(())
    }

    async fn entries(
        &self,
        project: Option<&ProjectId>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<AuditRecord>, StoreError> {
        let state = self.lock().await?;
        let wanted = |logged: &&AuditRecord| {
            let own = project.is_none() || logged.entry.project.as_ref() == project;
            own && before.is_none_or(|number| logged.sequence < number)
        };
        let newest = state.audit.iter().rev().filter(wanted);
        Ok(newest.take(limit).cloned().collect())
    }

    async fn delete_entries(&self, before: Timestamp, most: usize) -> Result<u64, StoreError> {
        let mut state = self.lock().await?;
        let place = |logged: &AuditRecord| (logged.entry.at, logged.sequence);
        let mut old: Vec<_> = state.audit.iter().map(place).collect();
        old.retain(|(at, _)| *at < before);
        old.sort_unstable();
        old.truncate(most);
        let old: BTreeSet<u64> = old.into_iter().map(|(_, number)| number).collect();
        state.audit.retain(|logged| !old.contains(&logged.sequence));
        Ok(old.len() as u64)
    }
}
