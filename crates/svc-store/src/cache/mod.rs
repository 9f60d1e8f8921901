//! Keys and jobs that were read a moment ago.
//!
//! Every request of the API reads a key, and a job that is waited for is read time and again; a
//! row of SQLite costs more than all the rest of such a request. Only what this process reads from
//! SQLite is kept: PostgreSQL has other writers, and a revoked key has to be refused there at once.
//!
//! What is answered from here is what the database would answer: a change blocks what it touches
//! from before its commit until after it, and whoever read before the end of a commit keeps
//! nothing of it. What another process writes (a command at the shell) is seen within half a
//! second.

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

/// Bytes of keys; each has less than half a kilobyte.
const MAX_KEY_BYTES: usize = 8 << 20;

/// Bytes of jobs: more than a hundred thousand of them.
const MAX_JOB_BYTES: usize = 64 << 20;

/// What belongs to an entry beside its texts: places in tables, and what an allocator rounds up.
const ENTRY_OVERHEAD: usize = 200;

/// For how long after the last look at the database anything is answered from memory.
const CACHE_TTL: Duration = Duration::from_millis(400);

/// What is kept, and until when it may be used.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    state: Mutex<CacheState>,
    /// Somebody would have been answered from memory; the writer is to look whether it may be.
    revalidate: Notify,
}

#[derive(Debug, Default)]
struct CacheState {
    keys: SecondChanceCache<Key>,
    jobs: SecondChanceCache<Job>,
    blocked: BTreeSet<Invalidation>,
    /// Commits and clearings so far.
    changes: u64,
    /// When the writer last saw that nobody else wrote.
    validated_at: Option<Instant>,
    /// Whether anything was asked for since then.
    used: bool,
}

/// The right to keep what is read now, unless something changes meanwhile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadVersion(u64);

impl Cache {
    /// The key that is found by these characters.
    pub(crate) fn key(&self, lookup: &str) -> Result<Key, ReadVersion> {
        let mut state = self.lock();
        if self.is_fresh(&mut state)
            && let Some(key) = state.keys.get(lookup)
        {
            return Ok(key.clone());
        }
        Err(ReadVersion(state.changes))
    }

    /// The job of a name; nothing when it belongs to another project.
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

    /// Forgets what a commit is about to change, and keeps nothing of it until
    /// [`unblock`](Self::unblock).
    pub(crate) fn block(&self, touched: &[Invalidation]) {
        let mut state = self.lock();
        for one in touched {
            match one {
                Invalidation::Key(lookup) => state.keys.remove(lookup),
                Invalidation::Job(id) => state.jobs.remove(id),
                Invalidation::All => state.clear(),
            }
            state.blocked.insert(one.clone());
        }
    }

    /// The commit is over.
    pub(crate) fn unblock(&self, touched: &[Invalidation]) {
        let mut state = self.lock();
        for one in touched {
            state.blocked.remove(one);
        }
        if touched.contains(&Invalidation::All) {
            state.clear();
        }
        // Who began to read before the commit may have read what was before it.
        state.changes += 1;
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        let mut state = self.lock();
        state.clear();
        state.changes += 1;
    }

    /// Notes that nobody else has written up to now, or that what they changed is forgotten.
    pub(crate) fn mark_validated(&self) {
        self.lock().validated_at = Some(Instant::now());
    }

    /// How long the writer has to wait until it looks again; nothing while nobody asks.
    fn time_to_revalidation(&self, every: Duration) -> Option<Duration> {
        let state = self.lock();
        let passed = state.validated_at.map(|looked| looked.elapsed());
        let left = passed.map_or(Duration::ZERO, |passed| every.saturating_sub(passed));
        state.used.then_some(left)
    }

    /// Whether the writer has to look now; the question is also the promise to do so.
    pub(crate) fn begin_revalidation(&self, every: Duration) -> bool {
        let due = self.time_to_revalidation(every) == Some(Duration::ZERO);
        if due {
            self.lock().used = false;
        }
        due
    }

    /// Waits until the writer has to look.
    pub(crate) async fn revalidation_due(&self, every: Duration) {
        loop {
            match self.time_to_revalidation(every) {
                Some(Duration::ZERO) => return,
                Some(left) => tokio::time::sleep(left).await,
                None => self.revalidate.notified().await,
            }
        }
    }

    /// Whether the last look was a moment ago; asks for the next one.
    fn is_fresh(&self, state: &mut CacheState) -> bool {
        if !state.used {
            state.used = true;
            self.revalidate.notify_one();
        }
        let everything = state.blocked.contains(&Invalidation::All);
        !everything
            && state
                .validated_at
                .is_some_and(|looked| looked.elapsed() < CACHE_TTL)
    }

    fn lock(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheState {
    fn can_insert(&self, ticket: ReadVersion, what: Invalidation) -> bool {
        let blocked = |what| self.blocked.contains(what);
        ticket.0 == self.changes && !blocked(&what) && !blocked(&Invalidation::All)
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

    /// Reads and keeps a job, as a caller does, and says whether it is kept.
    fn inserts(cache: &Cache, job: &Job) -> bool {
        if let Err(ticket) = get(cache, job) {
            cache.insert_job(ticket, job);
        }
        get(cache, job).is_ok()
    }

    #[test]
    fn nothing_is_answered_before_the_writer_looked() {
        let cache = Cache::default();
        assert!(!inserts(&cache, &job(1)));
        cache.mark_validated();
        assert_eq!(get(&cache, &job(1)).unwrap(), Some(job(1)));
    }

    #[test]
    fn a_job_of_another_project_is_nothing() {
        let cache = validated_cache();
        assert!(inserts(&cache, &job(1)));
        let other = ProjectId::parse("other").unwrap();
        assert_eq!(cache.job(&other, &job(1).id).unwrap(), None);
    }

    #[test]
    fn what_a_commit_touches_is_neither_answered_nor_kept_meanwhile() {
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
    fn whoever_read_before_the_end_of_a_commit_keeps_nothing() {
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
                // However slow the machine is.
                cache.mark_validated();
                test(&job(number))
            })
        };
        assert!(every(&|job| inserts(&cache, job)));
        assert!(every(&|job| get(&cache, job).is_ok()));
    }
}
