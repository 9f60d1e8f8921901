//! Read cache for API keys and jobs (SQLite only).
//!
//! Every request of the API reads a key, and waiting clients poll their job; reading a row of
//! SQLite costs more than the rest of such a request. PostgreSQL has other writers, and a revoked
//! key must be rejected there immediately, so it is not cached.
//!
//! Cached results equal those of the database: a change blocks its entries from before the commit
//! until after it, and readers that began before the end of a commit do not insert their results.
//! Writes of other processes (a command in the shell) are detected within half a second.

mod eviction;

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use svc_admin_api::agent_job::{Job, Phase};
use svc_admin_api::key::{Key, Network};
use svc_admin_api::{JobId, ProjectId};
use tokio::sync::Notify;

use eviction::{CacheEntry, SecondChanceCache};

use crate::transaction::Invalidation;

/// Maximum size of cached keys in bytes; each has less than half a kilobyte.
const MAX_KEY_BYTES: usize = 8 << 20;

/// Maximum size of cached jobs in bytes, more than a hundred thousand jobs.
const MAX_JOB_BYTES: usize = 64 << 20;

/// Overhead per entry in bytes: slots in tables, and rounding of the allocator.
const ENTRY_OVERHEAD: usize = 200;

/// How long cached results are valid after the last validation.
const CACHE_TTL: Duration = Duration::from_millis(400);

/// The cache and its validity.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    state: Mutex<CacheState>,
    /// Notifies the writer that the cache must be revalidated.
    revalidate: Notify,
}

#[derive(Debug, Default)]
struct CacheState {
    keys: SecondChanceCache<Key>,
    jobs: SecondChanceCache<Job>,
    blocked: BTreeSet<Invalidation>,
    /// Number of commits and clears.
    changes: u64,
    /// Time of the last check that no other process has written.
    validated_at: Option<Instant>,
    /// Whether the cache was used since then.
    used: bool,
}

/// Version at the beginning of a read. The result is inserted only if nothing has changed since.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadVersion(u64);

impl Cache {
    /// The key with a lookup prefix.
    pub(crate) fn key(&self, lookup: &str) -> Result<Key, ReadVersion> {
        let mut state = self.lock();
        if self.is_fresh(&mut state)
            && let Some(key) = state.keys.get(lookup)
        {
            return Ok(key.clone());
        }
        Err(ReadVersion(state.changes))
    }

    /// A job by id; `None` if it belongs to another project.
    pub(crate) fn job(&self, project: &ProjectId, id: &JobId) -> Result<Option<Job>, ReadVersion> {
        let mut state = self.lock();
        if self.is_fresh(&mut state)
            && let Some(job) = state.jobs.get(id)
        {
            return Ok((job.project == *project).then(|| job.clone()));
        }
        Err(ReadVersion(state.changes))
    }

    pub(crate) fn insert_key(&self, ticket: ReadVersion, key: &Key) {
        let mut state = self.lock();
        if state.can_insert(ticket, Invalidation::Key(key.lookup.clone())) {
            state.keys.insert(key.clone(), MAX_KEY_BYTES);
        }
    }

    pub(crate) fn insert_job(&self, ticket: ReadVersion, job: &Job) {
        let mut state = self.lock();
        if state.can_insert(ticket, Invalidation::Job(job.id.clone())) {
            state.jobs.insert(job.clone(), MAX_JOB_BYTES);
        }
    }

    /// Removes the entries that a commit is about to change, and blocks their insertion until
    /// [`unblock`](Self::unblock).
    pub(crate) fn block(&self, touched: &[Invalidation]) {
        let mut state = self.lock();
        for invalidation in touched {
            match invalidation {
                Invalidation::Key(lookup) => state.keys.remove(lookup),
                Invalidation::Job(id) => state.jobs.remove(id),
                Invalidation::All => state.clear(),
            }
            state.blocked.insert(invalidation.clone());
        }
    }

    /// Ends the blocking after the commit.
    pub(crate) fn unblock(&self, touched: &[Invalidation]) {
        let mut state = self.lock();
        for invalidation in touched {
            state.blocked.remove(invalidation);
        }
        if touched.contains(&Invalidation::All) {
            state.clear();
        }
        // Reads that began before the commit may have seen older data.
        state.changes += 1;
    }

    /// Removes all entries.
    pub(crate) fn clear(&self) {
        let mut state = self.lock();
        state.clear();
        state.changes += 1;
    }

    /// Records that no other process has written until now, or that the cache was cleared.
    pub(crate) fn mark_validated(&self) {
        self.lock().validated_at = Some(Instant::now());
    }

    /// Time until the next revalidation; `None` while the cache is not used.
    fn time_to_revalidation(&self, every: Duration) -> Option<Duration> {
        let state = self.lock();
        let passed = state.validated_at.map(|at| at.elapsed());
        let left = passed.map_or(Duration::ZERO, |passed| every.saturating_sub(passed));
        state.used.then_some(left)
    }

    /// Whether a revalidation is due. Resets the flag, so the caller must perform it.
    pub(crate) fn begin_revalidation(&self, every: Duration) -> bool {
        let due = self.time_to_revalidation(every) == Some(Duration::ZERO);
        if due {
            self.lock().used = false;
        }
        due
    }

    /// Waits until a revalidation is due.
    pub(crate) async fn revalidation_due(&self, every: Duration) {
        loop {
            match self.time_to_revalidation(every) {
                Some(Duration::ZERO) => return,
                Some(left) => tokio::time::sleep(left).await,
                None => self.revalidate.notified().await,
            }
        }
    }

    /// Whether the last validation is recent. Requests the next one.
    fn is_fresh(&self, state: &mut CacheState) -> bool {
        if !state.used {
            state.used = true;
            self.revalidate.notify_one();
        }
        let is_blocked = state.blocked.contains(&Invalidation::All);
        !is_blocked
            && state
                .validated_at
                .is_some_and(|at| at.elapsed() < CACHE_TTL)
    }

    fn lock(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheState {
    fn can_insert(&self, ticket: ReadVersion, invalidation: Invalidation) -> bool {
        let blocked = |invalidation| self.blocked.contains(invalidation);
        ticket.0 == self.changes && !blocked(&invalidation) && !blocked(&Invalidation::All)
    }

    fn clear(&mut self) {
        self.keys = SecondChanceCache::default();
        self.jobs = SecondChanceCache::default();
    }
}

impl CacheEntry for Key {
    type Key = String;

    fn key(&self) -> &String {
        &self.lookup
    }

    fn size(&self) -> usize {
        let texts = [self.name.len(), 2 * self.lookup.len()];
        let networks = self.networks.len() * size_of::<Network>();
        size_of::<Self>() + texts.iter().sum::<usize>() + networks + ENTRY_OVERHEAD
    }
}

impl CacheEntry for Job {
    type Key = JobId;

    fn key(&self) -> &JobId {
        &self.id
    }

    fn size(&self) -> usize {
        let phase = match &self.phase {
            Phase::Active { lease, .. } => lease.as_ref().map_or(0, |lease| lease.token.len()),
            Phase::Failed { reason } => reason.len(),
            Phase::Completed | Phase::Archived { .. } => 0,
        };
        let texts = [
            2 * self.id.as_str().len(),
            self.project.as_str().len(),
            self.repository.as_str().len(),
            self.branch
                .as_ref()
                .map_or(0, |branch| branch.as_str().len()),
            self.model.len(),
            self.pull_request
                .as_ref()
                .map_or(0, |link| link.as_str().len()),
            phase,
        ];
        size_of::<Self>() + texts.iter().sum::<usize>() + ENTRY_OVERHEAD
    }
}

#[cfg(test)]
mod tests {
    use svc_admin_api::Timestamp;
    use svc_admin_api::agent_job::Repository;

    use super::*;

    fn job(number: usize) -> Job {
        Job {
            id: JobId::parse(&format!("job_{number}")).unwrap(),
            project: ProjectId::parse("docs").unwrap(),
            repository: Repository::try_from("https://git.example/a".to_owned()).unwrap(),
            branch: None,
            model: "small".to_owned(),
            created_at: Timestamp::from_millis(0),
            turn: 1,
            pull_request: None,
            phase: Phase::Completed,
        }
    }

    fn validated_cache() -> Cache {
        let cache = Cache::default();
        cache.mark_validated();
        cache
    }

    fn get(cache: &Cache, job: &Job) -> Result<Option<Job>, ReadVersion> {
        cache.job(&job.project, &job.id)
    }

    /// Reads and inserts a job. Returns whether it is cached.
    fn inserts(cache: &Cache, job: &Job) -> bool {
        if let Err(ticket) = get(cache, job) {
            cache.insert_job(ticket, job);
        }
        get(cache, job).is_ok()
    }

    #[test]
    fn the_cache_is_not_used_before_validation() {
        let cache = Cache::default();
        assert!(!inserts(&cache, &job(1)));
        cache.mark_validated();
        assert_eq!(get(&cache, &job(1)).unwrap(), Some(job(1)));
    }

    #[test]
    fn a_job_of_another_project_is_none() {
        let cache = validated_cache();
        assert!(inserts(&cache, &job(1)));
        let other = ProjectId::parse("other").unwrap();
        assert_eq!(cache.job(&other, &job(1).id).unwrap(), None);
    }

    #[test]
    fn entries_of_a_pending_commit_are_neither_returned_nor_inserted() {
        for (touched, others) in [
            (Invalidation::Job(job(1).id), true),
            (Invalidation::All, false),
        ] {
            let cache = validated_cache();
            assert!(inserts(&cache, &job(1)) && inserts(&cache, &job(2)));
            let touched = [touched];
            cache.block(&touched);
            assert!(!inserts(&cache, &job(1)));
            assert_eq!(inserts(&cache, &job(2)), others);
            cache.unblock(&touched);
            assert!(get(&cache, &job(1)).is_err());
            assert!(inserts(&cache, &job(1)));
        }
    }

    #[test]
    fn reads_before_the_end_of_a_commit_are_not_inserted() {
        let cache = validated_cache();
        let touched = [Invalidation::Job(job(1).id)];
        let before = get(&cache, &job(1)).unwrap_err();
        cache.block(&touched);
        let meanwhile = get(&cache, &job(1)).unwrap_err();
        cache.unblock(&touched);
        for late in [before, meanwhile] {
            cache.insert_job(late, &job(1));
            assert!(get(&cache, &job(1)).is_err());
        }
        let cleared = get(&cache, &job(1)).unwrap_err();
        cache.clear();
        cache.insert_job(cleared, &job(1));
        assert!(get(&cache, &job(1)).is_err());
    }

    #[test]
    fn a_hundred_thousand_jobs_fit() {
        let cache = validated_cache();
        let every = |test: &dyn Fn(&Job) -> bool| {
            (0..100_000).all(|number| {
                // Independent of the speed of the machine.
                cache.mark_validated();
                test(&job(number))
            })
        };
        assert!(every(&|job| inserts(&cache, job)));
        assert!(every(&|job| get(&cache, job).is_ok()));
    }
}
