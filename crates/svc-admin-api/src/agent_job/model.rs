//! The wire format: `AgentJob` exactly as the specification has it.

use serde::{Deserialize, Serialize};

use super::{Branch, Job, Link, Repository};
use crate::id::JobId;
use crate::time::Timestamp;

/// An agent job as callers see it. All fields are always there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentJob {
    /// Its name.
    pub id: JobId,
    /// How far it is.
    pub status: Status,
    /// What it works on.
    pub source: AgentJobSource,
    /// The label of the model.
    pub model: String,
    /// The pull request; null while the job is active, and when no file was changed.
    pub pr_link: Option<Link>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was archived.
    pub archived_at: Option<Timestamp>,
    /// Why it failed; null unless it has.
    #[serde(default)]
    pub error: Option<String>,
}

/// The repository of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentJobSource {
    /// Its full address.
    pub repository: Repository,
    /// The branch that the agent works on.
    #[serde(rename = "ref")]
    pub reference: Option<Branch>,
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It waits for an agent, or one is at work.
    Active,
    /// The work is done.
    Completed,
    /// It is put away.
    Archived,
    /// The work could not be done.
    Failed,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Active, Self::Completed, Self::Archived, Self::Failed];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Completed => "completed",
            Self::Archived => "archived",
            Self::Failed => "failed",
        }
    }

    /// Reads the word on the wire.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// One page of jobs, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentJobs {
    /// The jobs.
    pub jobs: Vec<AgentJob>,
    /// What to send as `cursor` for the next page; null on the last one.
    pub next_cursor: Option<String>,
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
