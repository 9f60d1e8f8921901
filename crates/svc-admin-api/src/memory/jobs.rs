//! Jobs in memory.

use std::ops::Bound;

use super::{MemoryStore, State, StoredJob};
use crate::agent_job::{
    Job, JobQuery, JobStore, Lease, Link, LogChunk, MAX_LOG_BYTES, NewJob, Phase, Prompt, Status,
    Transition, TransitionError,
};
use crate::id::{JobId, ProjectId};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

impl State {
    /// Applies a transition; an impossible one changes nothing.
    fn apply(
        &mut self,
        id: &JobId,
        step: &Transition,
        now: Timestamp,
    ) -> Option<Result<Job, TransitionError>> {
        let stored = self.jobs.get_mut(id)?;
        let next = match stored.job.apply(step, now) {
            Ok(next) => next,
            Err(error) => return Some(Err(error)),
        };
        stored.job = next.clone();
        let key = (next.created_at, id.clone());
        if next.status() == Status::Active {
            self.active.insert(key);
        } else {
            self.active.remove(&key);
        }
        Some(Ok(next))
    }

    /// Applies a transition of a worker. Returns whether it was possible.
    fn apply_worker_step(&mut self, id: &JobId, step: &Transition, now: Timestamp) -> bool {
        matches!(self.apply(id, step, now), Some(Ok(_)))
    }

    /// Applies a transition that a client requests.
    fn change(
        &mut self,
        project: &ProjectId,
        id: &JobId,
        step: &Transition,
        change: &Change,
    ) -> ChangeResult<Job> {
        if let Some(once) = &change.idempotency_key
            && let Some(known) = self.recall(once, change.at)
        {
            return known;
        }
        let stored = self.jobs.get(id);
        if stored.is_none_or(|stored| stored.job.project != *project) {
            return ChangeResult::NotFound;
        }
        match self.apply(id, step, change.at) {
            Some(Ok(job)) => {
                self.record_change(&job, change);
                ChangeResult::Done(job)
            }
            Some(Err(TransitionError::InvalidState(status))) => ChangeResult::InvalidState(status),
            // Only transitions of workers have this error.
            Some(Err(TransitionError::LeaseLost)) => ChangeResult::InvalidState(Status::Active),
            None => ChangeResult::NotFound,
        }
    }

    /// Stores the audit entry and the recorded response of a change.
    fn record_change(&mut self, job: &Job, change: &Change) {
        self.log(&change.entry);
        if let Some(once) = &change.idempotency_key {
            self.remember(once, once.until, Some(change.recorded_response(job)));
        }
    }

    fn project_job(&self, project: &ProjectId, id: &JobId) -> Option<&StoredJob> {
        let stored = self.jobs.get(id);
        stored.filter(|stored| stored.job.project == *project)
    }
}

impl JobStore for MemoryStore {
    async fn create_job(
        &self,
        new: &NewJob,
        change: &Change,
    ) -> Result<ChangeResult<Job>, StoreError> {
        let mut state = self.lock().await?;
        if let Some(once) = &change.idempotency_key
            && let Some(known) = state.recall(once, change.at)
        {
            return Ok(known);
        }
        let job = &new.job;
        if !state.projects.contains_key(&job.project) {
            return Ok(ChangeResult::NotFound);
        }
        if state.jobs.contains_key(&job.id) {
            return Ok(ChangeResult::AlreadyExists);
        }
        let key = (job.created_at, job.id.clone());
        let order = state.job_order.entry(job.project.clone()).or_default();
        order.insert(key.clone());
        state.active.insert(key);
        let stored = StoredJob {
            job: job.clone(),
            prompts: vec![new.prompt.clone()],
            log: String::new(),
        };
        state.jobs.insert(job.id.clone(), stored);
        state.record_change(job, change);
        Ok(ChangeResult::Done(job.clone()))
    }

    async fn job(&self, project: &ProjectId, id: &JobId) -> Result<Option<Job>, StoreError> {
        let state = self.lock().await?;
        Ok(state
            .project_job(project, id)
            .map(|stored| stored.job.clone()))
    }

    async fn jobs(&self, query: &JobQuery) -> Result<Vec<Job>, StoreError> {
        let state = self.lock().await?;
        let Some(order) = state.job_order.get(&query.project) else {
            return Ok(Vec::new());
        };
        let end = query
            .after
            .clone()
            .map_or(Bound::Unbounded, Bound::Excluded);
        let newest = order.range((Bound::Unbounded, end)).rev();
        let jobs = newest.filter_map(|(_, id)| state.jobs.get(id));
        let matches = |job: &&Job| query.status.is_none_or(|status| job.status() == status);
        let jobs = jobs.map(|stored| &stored.job).filter(matches);
        Ok(jobs.take(query.limit).cloned().collect())
    }

    async fn message(
        &self,
        project: &ProjectId,
        id: &JobId,
        prompt: &Prompt,
        change: &Change,
    ) -> Result<ChangeResult<Job>, StoreError> {
        let mut state = self.lock().await?;
        let outcome = state.change(project, id, &Transition::Message, change);
        if let (ChangeResult::Done(_), Some(stored)) = (&outcome, state.jobs.get_mut(id)) {
            stored.prompts.push(prompt.clone());
        }
        Ok(outcome)
    }

    async fn cancel(
        &self,
        project: &ProjectId,
        id: &JobId,
        change: &Change,
    ) -> Result<ChangeResult<Job>, StoreError> {
        let mut state = self.lock().await?;
        Ok(state.change(project, id, &Transition::Cancel, change))
    }

    async fn archive(
        &self,
        project: &ProjectId,
        id: &JobId,
        change: &Change,
    ) -> Result<ChangeResult<Job>, StoreError> {
        let mut state = self.lock().await?;
        Ok(state.change(project, id, &Transition::Archive, change))
    }

    async fn claim(&self, lease: &Lease, now: Timestamp) -> Result<Option<Job>, StoreError> {
        let mut state = self.lock().await?;
        let oldest: Vec<JobId> = state.active.iter().map(|(_, id)| id.clone()).collect();
        let step = Transition::Claim(lease.clone());
        let claimed = oldest
            .iter()
            .find_map(|id| state.apply(id, &step, now)?.ok());
        Ok(claimed)
    }

    async fn renew(&self, id: &JobId, lease: &Lease) -> Result<bool, StoreError> {
        let mut state = self.lock().await?;
        Ok(state.apply_worker_step(id, &Transition::Renew(lease.clone()), lease.until))
    }

    async fn release(&self, id: &JobId, token: &str) -> Result<bool, StoreError> {
        let mut state = self.lock().await?;
        let token = token.to_owned();
        let step = Transition::Release { token };
        Ok(state.apply_worker_step(id, &step, Timestamp::from_millis(0)))
    }

    async fn finish(
        &self,
        id: &JobId,
        token: &str,
        pull_request: Option<&Link>,
    ) -> Result<bool, StoreError> {
        let mut state = self.lock().await?;
        let step = Transition::Finish {
            token: token.to_owned(),
            pull_request: pull_request.cloned(),
        };
        Ok(state.apply_worker_step(id, &step, Timestamp::from_millis(0)))
    }

    async fn fail(&self, id: &JobId, token: &str, reason: &str) -> Result<bool, StoreError> {
        let mut state = self.lock().await?;
        let step = Transition::Fail {
            token: token.to_owned(),
            reason: reason.to_owned(),
        };
        Ok(state.apply_worker_step(id, &step, Timestamp::from_millis(0)))
    }

    async fn fail_abandoned(&self, now: Timestamp) -> Result<u64, StoreError> {
        let mut state = self.lock().await?;
        let active: Vec<JobId> = state.active.iter().map(|(_, id)| id.clone()).collect();
        let mut lost = active
            .iter()
            .map(|id| state.apply_worker_step(id, &Transition::Abandon, now));
        Ok(lost.by_ref().filter(|lost| *lost).count() as u64)
    }

    async fn archive_before(&self, created: Timestamp, now: Timestamp) -> Result<u64, StoreError> {
        let mut state = self.lock().await?;
        let old = state
            .jobs
            .values()
            .filter(|stored| stored.job.created_at < created);
        let old: Vec<JobId> = old.map(|stored| stored.job.id.clone()).collect();
        let archived = old
            .iter()
            .filter(|id| state.apply_worker_step(id, &Transition::Archive, now));
        Ok(archived.count() as u64)
    }

    async fn prompts(&self, id: &JobId) -> Result<Vec<Prompt>, StoreError> {
        let state = self.lock().await?;
        let stored = state.jobs.get(id);
        Ok(stored
            .map(|stored| stored.prompts.clone())
            .unwrap_or_default())
    }

    async fn append_log(&self, id: &JobId, token: &str, text: &str) -> Result<bool, StoreError> {
        let mut state = self.lock().await?;
        let Some(stored) = state.jobs.get_mut(id) else {
            return Ok(false);
        };
        let Phase::Active {
            lease: Some(lease), ..
        } = &stored.job.phase
        else {
            return Ok(false);
        };
        if lease.token != token {
            return Ok(false);
        }
        let capacity = MAX_LOG_BYTES.saturating_sub(stored.log.len());
        let end = text.floor_char_boundary(capacity.min(text.len()));
        stored.log += text.get(..end).unwrap_or_default();
        Ok(true)
    }

    async fn log(
        &self,
        project: &ProjectId,
        id: &JobId,
        from: usize,
    ) -> Result<Option<LogChunk>, StoreError> {
        let state = self.lock().await?;
        Ok(state.project_job(project, id).map(|stored| {
            let start = stored.log.floor_char_boundary(from.min(stored.log.len()));
            LogChunk {
                text: stored.log.get(start..).unwrap_or_default().to_owned(),
                next: stored.log.len(),
            }
        }))
    }
}
