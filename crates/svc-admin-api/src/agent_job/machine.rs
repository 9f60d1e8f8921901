//! State machine of a job.

use serde::{Deserialize, Serialize};

use super::model::{AgentJob, AgentJobSource, Status};
use super::{Branch, Link, Prompt, Repository};
use crate::id::{JobId, ProjectId};
use crate::time::Timestamp;

/// Number of workers that may disappear (crash, lose the connection) in a turn before the job
/// fails.
pub const MAX_ATTEMPTS: u32 = 2;

/// Reason of a job whose workers disappeared.
pub const WORKER_LOST: &str = "the worker disappeared twice";

/// Reason of a canceled job.
pub const JOB_CANCELED: &str = "the job was canceled";

/// A stored job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Id of the job.
    pub id: JobId,
    /// Project of the job.
    pub project: ProjectId,
    /// Repository of the project at the time of creation.
    pub repository: Repository,
    /// Branch that the agent works on.
    pub branch: Option<Branch>,
    /// Label of the model.
    pub model: String,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Number of prompts so far.
    pub turn: u32,
    /// Pull request that the agent opened in any turn.
    pub pull_request: Option<Link>,
    /// Current phase.
    pub phase: Phase,
}

/// Phase of a job with its data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// The latest prompt is not done yet.
    Active {
        /// Number of workers that have claimed the turn.
        attempts: u32,
        /// Lease of the current worker.
        lease: Option<Lease>,
    },
    /// The work is done.
    Completed,
    /// The work failed.
    Failed {
        /// Reason, for people.
        reason: String,
    },
    /// The job is archived. This is a final phase.
    Archived {
        /// Time of archiving.
        at: Timestamp,
    },
}

/// Exclusive right of a worker to a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// Unique token of the lease.
    pub token: String,
    /// Time when other workers may claim the job.
    pub until: Timestamp,
}

/// Transition of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// A worker claims the job.
    Claim(Lease),
    /// The worker extends its lease.
    Renew(Lease),
    /// The worker returns the job unchanged.
    Release {
        /// Token of the lease.
        token: String,
    },
    /// The worker has finished and may have opened a pull request.
    Finish {
        /// Token of the lease.
        token: String,
        /// The pull request; `None` if no file was changed.
        pull_request: Option<Link>,
    },
    /// The worker has failed.
    Fail {
        /// Token of the lease.
        token: String,
        /// Reason, for people.
        reason: String,
    },
    /// The last worker disappeared.
    Abandon,
    /// A user cancels the job.
    Cancel,
    /// A user adds a prompt.
    Message,
    /// A user or the retention period archives the job.
    Archive,
}

/// Why a transition is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransitionError {
    /// The status does not allow the transition.
    InvalidState(Status),
    /// The lease belongs to another worker or has ended, or the job cannot be claimed again.
    LeaseLost,
}

/// A new job with its first prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// The job, active and in its first turn.
    pub job: Job,
    /// The first prompt.
    pub prompt: Prompt,
}

impl Job {
    /// Status in the wire format.
    pub const fn status(&self) -> Status {
        match self.phase {
            Phase::Active { .. } => Status::Active,
            Phase::Completed => Status::Completed,
            Phase::Failed { .. } => Status::Failed,
            Phase::Archived { .. } => Status::Archived,
        }
    }

    /// Pull request in the wire format: `None` while the job is active, even if an earlier turn
    /// opened one.
    pub const fn pr_link(&self) -> Option<&Link> {
        match self.phase {
            Phase::Active { .. } => None,
            _ => self.pull_request.as_ref(),
        }
    }

    /// Reason of the failure; `None` if the job has not failed.
    pub fn failure(&self) -> Option<&str> {
        match &self.phase {
            Phase::Failed { reason } => Some(reason),
            _ => None,
        }
    }

    /// Time of archiving; `None` if the job is not archived.
    pub const fn archived_at(&self) -> Option<Timestamp> {
        match self.phase {
            Phase::Archived { at } => Some(at),
            _ => None,
        }
    }

    /// Applies a transition and returns the new job.
    ///
    /// # Errors
    /// When the transition is not possible in the current phase.
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
                // A released job does not count as a lost worker.
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
                // A worker whose lease expired but was not replaced has still done the work.
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

impl From<&Job> for AgentJob {
    fn from(job: &Job) -> Self {
        Self {
            id: job.id.clone(),
            status: job.status(),
            source: AgentJobSource {
                repository: job.repository.clone(),
                reference: job.branch.clone(),
            },
            model: job.model.clone(),
            pr_link: job.pr_link().cloned(),
            created_at: job.created_at,
            archived_at: job.archived_at(),
            error: job.failure().map(str::to_owned),
        }
    }
}
