//! The states of a job and every way from one to another.

use serde::{Deserialize, Serialize};

use super::{Branch, Link, Prompt, Repository, Status};
use crate::id::{JobId, ProjectId};
use crate::time::Timestamp;

/// Workers that may lose one piece of work (crash, be cut off) before the job fails.
pub const MAX_ATTEMPTS: u32 = 2;

/// Why a job failed whose workers were lost.
pub const WORKER_LOST: &str = "the worker was lost, twice";

/// Why a job failed that somebody canceled.
pub const JOB_CANCELED: &str = "the job was canceled";

/// A job as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its name.
    pub id: JobId,
    /// Its project.
    pub project: ProjectId,
    /// The repository, as the project had it when the job was created.
    pub repository: Repository,
    /// The branch that the agent works on.
    pub branch: Option<Branch>,
    /// The label of the model.
    pub model: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// How many prompts it has had.
    pub turn: u32,
    /// The pull request that the agent opened in any turn.
    pub pull_request: Option<Link>,
    /// Where it stands.
    pub phase: Phase,
}

/// Where a job stands, with what belongs to that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// The latest prompt is to be worked on.
    Active {
        /// Workers that took it.
        attempts: u32,
        /// The worker that has it.
        lease: Option<Lease>,
    },
    /// The work is done.
    Completed,
    /// It could not be done.
    Failed {
        /// Why, for people.
        reason: String,
    },
    /// It is put away; nothing leads out of here.
    Archived {
        /// Since when.
        at: Timestamp,
    },
}

/// The right of one worker to a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// A text that no other lease has.
    pub token: String,
    /// When others may take the job.
    pub until: Timestamp,
}

/// One step of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// A worker takes the job.
    Claim(Lease),
    /// The worker keeps it longer.
    Renew(Lease),
    /// The worker gives the job back as it took it.
    Release {
        /// Of its lease.
        token: String,
    },
    /// The worker has done the work and perhaps opened a pull request.
    Finish {
        /// Of its lease.
        token: String,
        /// The pull request; nothing when no file was changed.
        pull_request: Option<Link>,
    },
    /// The worker cannot do it.
    Fail {
        /// Of its lease.
        token: String,
        /// Why.
        reason: String,
    },
    /// The last worker was lost.
    Abandon,
    /// Somebody does not want it any more.
    Cancel,
    /// Somebody sent a further prompt.
    Message,
    /// Somebody, or its age, puts it away.
    Archive,
}

/// Why a step was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransitionError {
    /// The status does not allow it.
    InvalidState(Status),
    /// Another worker has the job, or nobody; or it may not be taken again.
    LeaseLost,
}

/// A new job and its first prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// The job, active and in its first turn.
    pub job: Job,
    /// What is to be done.
    pub prompt: Prompt,
}

impl Job {
    /// The status on the wire.
    pub const fn status(&self) -> Status {
        match self.phase {
            Phase::Active { .. } => Status::Active,
            Phase::Completed => Status::Completed,
            Phase::Failed { .. } => Status::Failed,
            Phase::Archived { .. } => Status::Archived,
        }
    }

    /// The pull request on the wire: nothing while the job is active, although one of an earlier
    /// turn may stand.
    pub const fn pr_link(&self) -> Option<&Link> {
        match self.phase {
            Phase::Active { .. } => None,
            _ => self.pull_request.as_ref(),
        }
    }

    /// Why it failed.
    pub fn failure(&self) -> Option<&str> {
        match &self.phase {
            Phase::Failed { reason } => Some(reason),
            _ => None,
        }
    }

    /// When it was archived.
    pub const fn archived_at(&self) -> Option<Timestamp> {
        match self.phase {
            Phase::Archived { at } => Some(at),
            _ => None,
        }
    }

    /// The job after a step.
    ///
    /// # Errors
    /// When the step does not lead on from here; the job stays as it is.
    pub fn apply(&self, transition: &Transition, now: Timestamp) -> Result<Self, TransitionError> {
        let refused = Err(TransitionError::InvalidState(self.status()));
        let mut next = self.clone();
        match (&self.phase, transition) {
            (Phase::Active { attempts, lease }, Transition::Claim(new)) => {
                let free = lease.as_ref().is_none_or(|lease| lease.until <= now);
                if !free || *attempts >= MAX_ATTEMPTS {
                    return Err(TransitionError::LeaseLost);
                }
                next.phase = Phase::Active {
                    attempts: attempts + 1,
                    lease: Some(new.clone()),
                };
            }
            (Phase::Active { attempts, lease }, Transition::Renew(new)) => {
                check_lease(lease.as_ref(), &new.token)?;
                next.phase = Phase::Active {
                    attempts: *attempts,
                    lease: Some(new.clone()),
                };
            }
            (Phase::Active { attempts, lease }, Transition::Release { token }) => {
                check_lease(lease.as_ref(), token)?;
                // A worker that says goodbye is none that was lost.
                next.phase = Phase::Active {
                    attempts: attempts.saturating_sub(1),
                    lease: None,
                };
            }
            (
                Phase::Active { lease, .. },
                Transition::Finish {
                    token,
                    pull_request,
                },
            ) => {
                // Whoever was late but not replaced has still done the work.
                check_lease(lease.as_ref(), token)?;
                if pull_request.is_some() {
                    next.pull_request.clone_from(pull_request);
                }
                next.phase = Phase::Completed;
            }
            (Phase::Active { lease, .. }, Transition::Fail { token, reason }) => {
                check_lease(lease.as_ref(), token)?;
                let reason = reason.clone();
                next.phase = Phase::Failed { reason };
            }
            (Phase::Active { attempts, lease }, Transition::Abandon) => {
                let over = lease.as_ref().is_some_and(|lease| lease.until <= now);
                if !over || *attempts < MAX_ATTEMPTS {
                    return Err(TransitionError::LeaseLost);
                }
                let reason = WORKER_LOST.to_owned();
                next.phase = Phase::Failed { reason };
            }
            (Phase::Active { .. }, Transition::Cancel) => {
                let reason = JOB_CANCELED.to_owned();
                next.phase = Phase::Failed { reason };
            }
            (Phase::Completed, Transition::Message) => {
                next.turn = self.turn.saturating_add(1);
                next.phase = Phase::Active {
                    attempts: 0,
                    lease: None,
                };
            }
            (Phase::Completed | Phase::Failed { .. }, Transition::Archive) => {
                next.phase = Phase::Archived { at: now };
            }
            (Phase::Active { .. }, Transition::Message | Transition::Archive)
            | (Phase::Completed | Phase::Failed { .. } | Phase::Archived { .. }, _) => {
                return refused;
            }
        }
        Ok(next)
    }
}

fn check_lease(lease: Option<&Lease>, token: &str) -> Result<(), TransitionError> {
    match lease {
        Some(lease) if lease.token == token => Ok(()),
        _ => Err(TransitionError::LeaseLost),
    }
}
