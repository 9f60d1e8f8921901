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

mod lately;

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use svc_admin_api::agent_job::{Job, Phase};
use svc_admin_api::key::{Key, Network};
use svc_admin_api::{JobId, ProjectId};
use tokio::sync::Notify;

use lately::{Entry, Lately};

use crate::work::Touched;

/// Bytes of keys; each has less than half a kilobyte.
const KEYS: usize = 8 << 20;

/// Bytes of jobs: more than a hundred thousand of them.
const JOBS: usize = 64 << 20;

/// What belongs to an entry beside its texts: places in tables, and what an allocator rounds up.
const AROUND: usize = 200;

/// For how long after the last look at the database anything is answered from memory.
const FRESH: Duration = Duration::from_millis(400);

/// What is kept, and until when it may be used.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    state: Mutex<State>,
    /// Somebody would have been answered from memory; the writer is to look whether it may be.
    wanted: Notify,
}

#[derive(Debug, Default)]
struct State {
    keys: Lately<Key>,
    jobs: Lately<Job>,
    blocked: BTreeSet<Touched>,
    /// Commits and clearings so far.
    changes: u64,
    /// When the writer last saw that nobody else wrote.
    looked: Option<Instant>,
    /// Whether anything was asked for since then.
    used: bool,
}

/// The right to keep what is read now, unless something changes meanwhile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ticket(u64);

impl Cache {
    /// The key that is found by these characters.
    pub(crate) fn key(&self, lookup: &str) -> Result<Key, Ticket> {
        let mut state = self.open();
        if self.is_fresh(&mut state)
            && let Some(key) = state.keys.get(lookup)
        {
            return Ok(key.clone());
        }
        Err(Ticket(state.changes))
    }

    /// The job of a name; nothing when it belongs to another project.
    pub(crate) fn job(&self, project: &ProjectId, id: &JobId) -> Result<Option<Job>, Ticket> {
        let mut state = self.open();
        if self.is_fresh(&mut state)
            && let Some(job) = state.jobs.get(id)
        {
            return Ok((job.project == *project).then(|| job.clone()));
        }
        Err(Ticket(state.changes))
    }

    pub(crate) fn keep_key(&self, ticket: Ticket, key: &Key) {
        let mut state = self.open();
        if state.may_keep(ticket, Touched::Key(key.lookup.clone())) {
            state.keys.insert(key.clone(), KEYS);
        }
    }

    pub(crate) fn keep_job(&self, ticket: Ticket, job: &Job) {
        let mut state = self.open();
        if state.may_keep(ticket, Touched::Job(job.id.clone())) {
            state.jobs.insert(job.clone(), JOBS);
        }
    }

    /// Forgets what a commit is about to change, and keeps nothing of it until
    /// [`unblock`](Self::unblock).
    pub(crate) fn block(&self, touched: &[Touched]) {
        let mut state = self.open();
        for one in touched {
            match one {
                Touched::Key(lookup) => state.keys.remove(lookup),
                Touched::Job(id) => state.jobs.remove(id),
                Touched::Everything => state.forget(),
            }
            state.blocked.insert(one.clone());
        }
    }

    /// The commit is over.
    pub(crate) fn unblock(&self, touched: &[Touched]) {
        let mut state = self.open();
        for one in touched {
            state.blocked.remove(one);
        }
        if touched.contains(&Touched::Everything) {
            state.forget();
        }
        // Who began to read before the commit may have read what was before it.
        state.changes += 1;
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        let mut state = self.open();
        state.forget();
        state.changes += 1;
    }

    /// Notes that nobody else has written up to now, or that what they changed is forgotten.
    pub(crate) fn looked(&self) {
        self.open().looked = Some(Instant::now());
    }

    /// How long the writer has to wait until it looks again; nothing while nobody asks.
    fn until_look(&self, every: Duration) -> Option<Duration> {
        let state = self.open();
        let passed = state.looked.map(|looked| looked.elapsed());
        let left = passed.map_or(Duration::ZERO, |passed| every.saturating_sub(passed));
        state.used.then_some(left)
    }

    /// Whether the writer has to look now; the question is also the promise to do so.
    pub(crate) fn takes_a_look(&self, every: Duration) -> bool {
        let due = self.until_look(every) == Some(Duration::ZERO);
        if due {
            self.open().used = false;
        }
        due
    }

    /// Waits until the writer has to look.
    pub(crate) async fn wants_a_look(&self, every: Duration) {
        loop {
            match self.until_look(every) {
                Some(Duration::ZERO) => return,
                Some(left) => tokio::time::sleep(left).await,
                None => self.wanted.notified().await,
            }
        }
    }

    /// Whether the last look was a moment ago; asks for the next one.
    fn is_fresh(&self, state: &mut State) -> bool {
        if !state.used {
            state.used = true;
            self.wanted.notify_one();
        }
        let everything = state.blocked.contains(&Touched::Everything);
        !everything && state.looked.is_some_and(|looked| looked.elapsed() < FRESH)
    }

    fn open(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn may_keep(&self, ticket: Ticket, what: Touched) -> bool {
        let blocked = |what| self.blocked.contains(what);
        ticket.0 == self.changes && !blocked(&what) && !blocked(&Touched::Everything)
    }

    fn forget(&mut self) {
        self.keys = Lately::default();
        self.jobs = Lately::default();
    }
}

impl Entry for Key {
    type Name = String;

    fn found_by(&self) -> &String {
        &self.lookup
    }

    fn weight(&self) -> usize {
        let texts = [self.name.len(), 2 * self.lookup.len()];
        let networks = self.networks.len() * size_of::<Network>();
        size_of::<Self>() + texts.iter().sum::<usize>() + networks + AROUND
    }
}

impl Entry for Job {
    type Name = JobId;

    fn found_by(&self) -> &JobId {
        &self.id
    }

    fn weight(&self) -> usize {
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
        size_of::<Self>() + texts.iter().sum::<usize>() + AROUND
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

    fn looked_at() -> Cache {
        let cache = Cache::default();
        cache.looked();
        cache
    }

    fn get(cache: &Cache, job: &Job) -> Result<Option<Job>, Ticket> {
        cache.job(&job.project, &job.id)
    }

    /// Reads and keeps a job, as a caller does, and says whether it is kept.
    fn keeps(cache: &Cache, job: &Job) -> bool {
        if let Err(ticket) = get(cache, job) {
            cache.keep_job(ticket, job);
        }
        get(cache, job).is_ok()
    }

    #[test]
    fn nothing_is_answered_before_the_writer_looked() {
        let cache = Cache::default();
        assert!(!keeps(&cache, &job(1)));
        cache.looked();
        assert_eq!(get(&cache, &job(1)).unwrap(), Some(job(1)));
    }

    #[test]
    fn a_job_of_another_project_is_nothing() {
        let cache = looked_at();
        assert!(keeps(&cache, &job(1)));
        let other = ProjectId::parse("other").unwrap();
        assert_eq!(cache.job(&other, &job(1).id).unwrap(), None);
    }

    #[test]
    fn what_a_commit_touches_is_neither_answered_nor_kept_meanwhile() {
        for (touched, others) in [
            (Touched::Job(job(1).id), true),
            (Touched::Everything, false),
        ] {
            let cache = looked_at();
            assert!(keeps(&cache, &job(1)) && keeps(&cache, &job(2)));
            let touched = [touched];
            cache.block(&touched);
            assert!(!keeps(&cache, &job(1)));
            assert_eq!(keeps(&cache, &job(2)), others);
            cache.unblock(&touched);
            assert!(get(&cache, &job(1)).is_err());
            assert!(keeps(&cache, &job(1)));
        }
    }

    #[test]
    fn whoever_read_before_the_end_of_a_commit_keeps_nothing() {
        let cache = looked_at();
        let touched = [Touched::Job(job(1).id)];
        let before = get(&cache, &job(1)).unwrap_err();
        cache.block(&touched);
        let meanwhile = get(&cache, &job(1)).unwrap_err();
        cache.unblock(&touched);
        for late in [before, meanwhile] {
            cache.keep_job(late, &job(1));
            assert!(get(&cache, &job(1)).is_err());
        }
        let cleared = get(&cache, &job(1)).unwrap_err();
        cache.clear();
        cache.keep_job(cleared, &job(1));
        assert!(get(&cache, &job(1)).is_err());
    }

    #[test]
    fn a_hundred_thousand_jobs_fit() {
        let cache = looked_at();
        let every = |test: &dyn Fn(&Job) -> bool| {
            (0..100_000).all(|number| {
                // However slow the machine is.
                cache.looked();
                test(&job(number))
            })
        };
        assert!(every(&|job| keeps(&cache, job)));
        assert!(every(&|job| get(&cache, job).is_ok()));
    }
}
