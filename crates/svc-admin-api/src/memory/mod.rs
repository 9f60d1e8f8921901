//! A complete store in memory, without durability.
//!
//! It is the reference implementation that other stores are compared with.

mod accounts;
mod deployments;
mod idempotency;
mod jobs;
mod keys;
mod projects;
mod readers;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::account::{Account, Session};
use crate::agent_job::{Job, Prompt};
use crate::audit::{AuditEntry, AuditRecord, AuditStore};
use crate::deployment::DeploymentRecord;
use crate::id::{JobId, KeyId, ProjectId, ReaderSessionId, ReaderTokenId, StatusId};
use crate::idempotency::RecordedResponse;
use crate::key::Key;
use crate::project::ProjectRecord;
use crate::reader::{ReaderSession, ReaderToken};
use crate::store::StoreError;
use crate::time::Timestamp;

/// Maximum number of audit entries; the oldest are deleted first.
const MAX_AUDIT_ENTRIES: usize = 100_000;

/// Record of an `Idempotency-Key`.
#[derive(Debug)]
struct IdempotencyRecord {
    fingerprint: [u8; 32],
    /// Expiry time.
    until: Timestamp,
    /// `None` while the request is in progress.
    response: Option<RecordedResponse>,
}

/// A [`Store`](crate::Store) in memory. Its content is lost when it is dropped.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
    /// Whether every call yields to other tasks first, to test interleavings.
    #[cfg(test)]
    pub(crate) yields: bool,
    /// Error that every call returns instead of its result, to test failures.
    #[cfg(test)]
    pub(crate) fault: Mutex<Option<StoreError>>,
}

#[derive(Debug, Default)]
struct State {
    projects: BTreeMap<ProjectId, ProjectRecord>,
    keys: BTreeMap<KeyId, Key>,
    lookups: BTreeMap<String, KeyId>,
    jobs: BTreeMap<JobId, StoredJob>,
    /// Jobs per project by time.
    job_order: BTreeMap<ProjectId, BTreeSet<(Timestamp, JobId)>>,
    /// Active jobs by time.
    active: BTreeSet<(Timestamp, JobId)>,
    idempotency_records: BTreeMap<(KeyId, String), IdempotencyRecord>,
    /// Expiry times of recorded responses.
    expirations: BTreeSet<(Timestamp, KeyId, String)>,
    accounts: BTreeMap<String, Account>,
    sessions: BTreeMap<[u8; 32], Session>,
    deployments: BTreeMap<StatusId, DeploymentRecord>,
    /// Deployments per project by time.
    deployment_order: BTreeMap<ProjectId, BTreeSet<(Timestamp, StatusId)>>,
    reader_tokens: BTreeMap<ReaderTokenId, ReaderToken>,
    reader_sessions: BTreeMap<ReaderSessionId, ReaderSession>,
    /// Times of revocations by their digests.
    reader_revocations: BTreeMap<[u8; 32], Timestamp>,
    audit: VecDeque<AuditRecord>,
    /// Last sequence number of the audit log.
    last_sequence: u64,
}

#[derive(Debug)]
struct StoredJob {
    job: Job,
    prompts: Vec<Prompt>,
    log: String,
}

impl MemoryStore {
    /// Locks the state for one method, which is a transaction.
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
        let matches = |logged: &&AuditRecord| {
            let own = project.is_none() || logged.entry.project.as_ref() == project;
            own && before.is_none_or(|number| logged.sequence < number)
        };
        let newest = state.audit.iter().rev().filter(matches);
        Ok(newest.take(limit).cloned().collect())
    }

    async fn delete_entries(&self, before: Timestamp, max: usize) -> Result<u64, StoreError> {
        let mut state = self.lock().await?;
        let order_key = |logged: &AuditRecord| (logged.entry.at, logged.sequence);
        let mut old: Vec<_> = state.audit.iter().map(order_key).collect();
        old.retain(|(at, _)| *at < before);
        old.sort_unstable();
        old.truncate(max);
        let old: BTreeSet<u64> = old.into_iter().map(|(_, number)| number).collect();
        state.audit.retain(|logged| !old.contains(&logged.sequence));
        Ok(old.len() as u64)
    }
}
