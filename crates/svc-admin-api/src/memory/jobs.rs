//! Jobs in memory.

use std::ops::Bound;

use super::{Kept, MemoryStore, State};
use crate::agent_job::{
    Job, JobQuery, JobStore, LOG_BYTES, Lease, Link, LogPart, NewJob, Phase, Prompt, Refused,
    Status, Transition,
};
use crate::id::{JobId, ProjectId};
use crate::store::{Change, Outcome, StoreError};
use crate::time::Timestamp;

impl State {
    /// Takes a step of a job, or leaves all as it is.
    fn step(
        &mut self,
        id: &JobId,
        step: &Transition,
        now: Timestamp,
    ) -> Option<Result<Job, Refused>> {
        let kept = self.jobs.get_mut(id)?;
        let next = match kept.job.step(step, now) {
            Ok(next) => next,
            Err(refused) => return Some(Err(refused)),
        };
        kept.job = next.clone();
        let place = (next.created_at, id.clone());
        if next.status() == Status::Active {
            self.active.insert(place);
        } else {
            self.active.remove(&place);
        }
        Some(Ok(next))
    }

    /// A step of a worker, and whether it was still allowed.
    fn work(&mut self, id: &JobId, step: &Transition, now: Timestamp) -> bool {
        matches!(self.step(id, step, now), Some(Ok(_)))
    }

    /// A step that a caller asks for.
    fn change(
        &mut self,
        project: &ProjectId,
        id: &JobId,
        step: &Transition,
        change: &Change,
    ) -> Outcome<Job> {
        if let Some(once) = &change.once
            && let Some(known) = self.recall(once, change.at)
        {
            return known;
        }
        let kept = self.jobs.get(id);
        if kept.is_none_or(|kept| kept.job.project != *project) {
            return Outcome::Unknown;
        }
        match self.step(id, step, change.at) {
            Some(Ok(job)) => {
                self.done(&job, change);
                Outcome::Done(job)
            }
            Some(Err(Refused::NotAllowed(status))) => Outcome::NotAllowed(status),
            // Only workers meet this.
            Some(Err(Refused::NotYours)) => Outcome::NotAllowed(Status::Active),
            None => Outcome::Unknown,
        }
    }

    /// What belongs to a change that is done.
    fn done(&mut self, job: &Job, change: &Change) {
        self.log(&change.entry);
        if let Some(once) = &change.once {
            self.remember(once, once.until, Some(change.answer(job)));
        }
    }

    fn own(&self, project: &ProjectId, id: &JobId) -> Option<&Kept> {
        let kept = self.jobs.get(id);
        kept.filter(|kept| kept.job.project == *project)
    }
}

impl JobStore for MemoryStore {
    async fn create_job(&self, new: &NewJob, change: &Change) -> Result<Outcome<Job>, StoreError> {
        let mut state = self.open().await?;
        if let Some(once) = &change.once
            && let Some(known) = state.recall(once, change.at)
        {
            return Ok(known);
        }
        let job = &new.job;
        if !state.projects.contains_key(&job.project) {
            return Ok(Outcome::Unknown);
        }
        if state.jobs.contains_key(&job.id) {
            return Ok(Outcome::Taken);
        }
        let place = (job.created_at, job.id.clone());
        let order = state.order.entry(job.project.clone()).or_default();
        order.insert(place.clone());
        state.active.insert(place);
        let kept = Kept {
            job: job.clone(),
            prompts: vec![new.prompt.clone()],
            log: String::new(),
        };
        state.jobs.insert(job.id.clone(), kept);
        state.done(job, change);
        Ok(Outcome::Done(job.clone()))
    }

    async fn job(&self, project: &ProjectId, id: &JobId) -> Result<Option<Job>, StoreError> {
        let state = self.open().await?;
        Ok(state.own(project, id).map(|kept| kept.job.clone()))
    }

    async fn jobs(&self, query: &JobQuery) -> Result<Vec<Job>, StoreError> {
        let state = self.open().await?;
        let Some(order) = state.order.get(&query.project) else {
            return Ok(Vec::new());
        };
        let end = query
            .after
            .clone()
            .map_or(Bound::Unbounded, Bound::Excluded);
        let newest = order.range((Bound::Unbounded, end)).rev();
        let jobs = newest.filter_map(|(_, id)| state.jobs.get(id));
        let wanted = |job: &&Job| query.status.is_none_or(|status| job.status() == status);
        let jobs = jobs.map(|kept| &kept.job).filter(wanted);
        Ok(jobs.take(query.limit).cloned().collect())
    }

    async fn message(
        &self,
        project: &ProjectId,
        id: &JobId,
        prompt: &Prompt,
        change: &Change,
    ) -> Result<Outcome<Job>, StoreError> {
        let mut state = self.open().await?;
        let outcome = state.change(project, id, &Transition::Message, change);
        if let (Outcome::Done(_), Some(kept)) = (&outcome, state.jobs.get_mut(id)) {
            kept.prompts.push(prompt.clone());
        }
        Ok(outcome)
    }

    async fn cancel(
        &self,
        project: &ProjectId,
        id: &JobId,
        change: &Change,
    ) -> Result<Outcome<Job>, StoreError> {
        let mut state = self.open().await?;
        Ok(state.change(project, id, &Transition::Cancel, change))
    }

    async fn archive(
        &self,
        project: &ProjectId,
        id: &JobId,
        change: &Change,
    ) -> Result<Outcome<Job>, StoreError> {
        let mut state = self.open().await?;
        Ok(state.change(project, id, &Transition::Archive, change))
    }

    async fn claim(&self, lease: &Lease, now: Timestamp) -> Result<Option<Job>, StoreError> {
        let mut state = self.open().await?;
        let oldest: Vec<JobId> = state.active.iter().map(|(_, id)| id.clone()).collect();
        let step = Transition::Claim(lease.clone());
        let claimed = oldest
            .iter()
            .find_map(|id| state.step(id, &step, now)?.ok());
        Ok(claimed)
    }

    async fn renew(&self, id: &JobId, lease: &Lease) -> Result<bool, StoreError> {
        let mut state = self.open().await?;
        Ok(state.work(id, &Transition::Renew(lease.clone()), lease.until))
    }

    async fn release(&self, id: &JobId, token: &str) -> Result<bool, StoreError> {
        let mut state = self.open().await?;
        let token = token.to_owned();
        let step = Transition::Release { token };
        Ok(state.work(id, &step, Timestamp::from_millis(0)))
    }

    async fn finish(
        &self,
        id: &JobId,
        token: &str,
        pull_request: Option<&Link>,
    ) -> Result<bool, StoreError> {
        let mut state = self.open().await?;
        let step = Transition::Finish {
            token: token.to_owned(),
            pull_request: pull_request.cloned(),
        };
        Ok(state.work(id, &step, Timestamp::from_millis(0)))
    }

    async fn fail(&self, id: &JobId, token: &str, reason: &str) -> Result<bool, StoreError> {
        let mut state = self.open().await?;
        let step = Transition::Fail {
            token: token.to_owned(),
            reason: reason.to_owned(),
        };
        Ok(state.work(id, &step, Timestamp::from_millis(0)))
    }

    async fn fail_lost(&self, now: Timestamp) -> Result<u64, StoreError> {
        let mut state = self.open().await?;
        let active: Vec<JobId> = state.active.iter().map(|(_, id)| id.clone()).collect();
        let mut lost = active
            .iter()
            .map(|id| state.work(id, &Transition::Lose, now));
        Ok(lost.by_ref().filter(|lost| *lost).count() as u64)
    }

    async fn archive_before(&self, created: Timestamp, now: Timestamp) -> Result<u64, StoreError> {
        let mut state = self.open().await?;
        let old = state
            .jobs
            .values()
            .filter(|kept| kept.job.created_at < created);
        let old: Vec<JobId> = old.map(|kept| kept.job.id.clone()).collect();
        let archived = old
            .iter()
            .filter(|id| state.work(id, &Transition::Archive, now));
        Ok(archived.count() as u64)
    }

    async fn prompts(&self, id: &JobId) -> Result<Vec<Prompt>, StoreError> {
        let state = self.open().await?;
        let kept = state.jobs.get(id);
        Ok(kept.map(|kept| kept.prompts.clone()).unwrap_or_default())
    }

    async fn append_log(&self, id: &JobId, token: &str, text: &str) -> Result<bool, StoreError> {
        let mut state = self.open().await?;
        let Some(kept) = state.jobs.get_mut(id) else {
            return Ok(false);
        };
        let Phase::Active {
            lease: Some(lease), ..
        } = &kept.job.phase
        else {
            return Ok(false);
        };
        if lease.token != token {
            return Ok(false);
        }
        let room = LOG_BYTES.saturating_sub(kept.log.len());
        let end = text.floor_char_boundary(room.min(text.len()));
        kept.log += text.get(..end).unwrap_or_default();
        Ok(true)
    }

    async fn log(
        &self,
        project: &ProjectId,
        id: &JobId,
        from: usize,
    ) -> Result<Option<LogPart>, StoreError> {
        let state = self.open().await?;
        Ok(state.own(project, id).map(|kept| {
            let start = kept.log.floor_char_boundary(from.min(kept.log.len()));
            LogPart {
                text: kept.log.get(start..).unwrap_or_default().to_owned(),
                next: kept.log.len(),
            }
        }))
    }
}
