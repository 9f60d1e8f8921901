//! Wire format: `AgentJob` as specified.

use serde::{Deserialize, Serialize};

use super::{Branch, Link, Repository};
use crate::id::JobId;
use crate::time::Timestamp;

/// An agent job in responses. All fields are always present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentJob {
    /// Id of the job.
    pub id: JobId,
    /// Status of the job.
    pub status: Status,
    /// Repository of the job.
    pub source: AgentJobSource,
    /// Label of the model.
    pub model: String,
    /// The pull request; null while the job is active, and if no file was changed.
    pub pr_link: Option<Link>,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of archiving; null if the job is not archived.
    pub archived_at: Option<Timestamp>,
    /// Reason of the failure; null if the job has not failed.
    #[serde(default)]
    pub error: Option<String>,
}

/// The repository of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentJobSource {
    /// URL of the repository.
    pub repository: Repository,
    /// Branch that the agent works on.
    #[serde(rename = "ref")]
    pub reference: Option<Branch>,
}

/// Status of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Waiting for an agent, or in progress.
    Active,
    /// Finished.
    Completed,
    /// Archived.
    Archived,
    /// Failed.
    Failed,
}

impl Status {
    /// All statuses.
    pub const ALL: [Self; 4] = [Self::Active, Self::Completed, Self::Archived, Self::Failed];

    /// The status in the wire format.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Completed => "completed",
            Self::Archived => "archived",
            Self::Failed => "failed",
        }
    }

    /// Parses the wire format. Returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// A page of jobs, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentJobs {
    /// The jobs.
    pub jobs: Vec<AgentJob>,
    /// `cursor` of the next page; null on the last page.
    pub next_cursor: Option<String>,
}
