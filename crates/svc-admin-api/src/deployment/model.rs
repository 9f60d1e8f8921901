//! Deployments in responses and in the store.

use serde::{Deserialize, Serialize};

use crate::id::{ProjectId, StatusId};
use crate::time::Timestamp;

/// Progress of a deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// Waiting.
    Queued,
    /// In progress.
    InProgress,
    /// Published, or replaced by a later deployment.
    Success,
    /// Failed, never published; see the summary.
    Failure,
}

/// A deployment in responses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeploymentStatus {
    /// Id of the deployment.
    #[serde(rename = "_id")]
    pub id: StatusId,
    /// Project of the deployment.
    pub project_id: ProjectId,
    /// Time of the request.
    pub created_at: Timestamp,
    /// Time when it succeeded or failed.
    pub ended_at: Option<Timestamp>,
    /// Progress of the deployment.
    pub status: Progress,
    /// Result, or the current step.
    pub summary: String,
    /// Log lines.
    pub logs: Vec<String>,
    /// Trigger of the deployment: `api`, `push`, `dashboard`, …
    pub source: String,
    /// The deployed commit, if the source has commits and it is known.
    pub commit: Option<CommitInfo>,
    /// Author of the commit.
    pub author: Option<Author>,
    /// URL of a preview.
    pub preview_url: Option<String>,
}

/// A stored deployment: its public status, and data for people and the servers of a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeploymentRecord {
    /// Status in responses.
    #[serde(flatten)]
    pub status: DeploymentStatus,
    /// The server that builds the deployment, if several share a database.
    #[serde(default)]
    pub server: Option<String>,
    /// Whether the server is serving the deployment.
    #[serde(default)]
    pub live: bool,
    /// Account of the person who requested the deployment.
    #[serde(default, rename = "askedBy")]
    pub triggered_by: Option<String>,
    /// Id of the file snapshot; equal ids mean equal files.
    #[serde(default)]
    pub snapshot: Option<String>,
}

impl From<DeploymentStatus> for DeploymentRecord {
    fn from(status: DeploymentStatus) -> Self {
        Self {
            status,
            server: None,
            live: false,
            triggered_by: None,
            snapshot: None,
        }
    }
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitInfo {
    /// Object id.
    pub sha: String,
    /// Branch or reference.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// First line of the message.
    pub message: String,
}

/// Author of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// Name of the author.
    pub name: String,
}

/// Response to a deployment of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdateResponse {
    /// Id for status requests.
    pub status_id: StatusId,
}

/// Response to a deployment of a preview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewResponse {
    /// Id for status requests.
    pub status_id: StatusId,
    /// URL of the preview; `None` if previews have no URL.
    pub preview_url: Option<String>,
}
