//! What the Deployment API says of a deployment.

use serde::{Deserialize, Serialize};

use crate::id::{ProjectId, StatusId};
use crate::time::Timestamp;

/// How far a deployment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// It waits for its turn.
    Queued,
    /// It is being made.
    InProgress,
    /// Readers see it, or saw it until a newer one came.
    Success,
    /// Readers never saw it; the summary says why.
    Failure,
}

/// A deployment as callers see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeploymentStatus {
    /// Its name.
    #[serde(rename = "_id")]
    pub id: StatusId,
    /// Its project.
    pub project_id: ProjectId,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it succeeded or failed.
    pub ended_at: Option<Timestamp>,
    /// How far it is.
    pub status: Progress,
    /// What came of it, or what is being done.
    pub summary: String,
    /// What happened, a line each.
    pub logs: Vec<String>,
    /// Why there is a deployment: `api`, `push`, `dashboard`, …
    pub source: String,
    /// What it was made of, where the source has commits and it is known.
    pub commit: Option<CommitInfo>,
    /// Who wrote that.
    pub author: Option<Author>,
    /// Where readers see it, for a preview.
    pub preview_url: Option<String>,
}

/// A deployment as it is kept: its status, and what only people and the servers of a database see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeploymentRecord {
    /// What callers of the API see.
    #[serde(flatten)]
    pub status: DeploymentStatus,
    /// The server that makes it, where several share a database.
    #[serde(default)]
    pub server: Option<String>,
    /// Whether readers of that server see it now.
    #[serde(default)]
    pub live: bool,
    /// The account of the person who asked for it, if it was one.
    #[serde(default, rename = "askedBy")]
    pub triggered_by: Option<String>,
    /// The name of the files that it was made of: equal names, equal files.
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
    /// Its name.
    pub sha: String,
    /// The branch or reference.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// The first line of its message.
    pub message: String,
}

/// The author of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// The name.
    pub name: String,
}

/// The answer to a trigger of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdateResponse {
    /// What to ask the status of.
    pub status_id: StatusId,
}

/// The answer to a trigger of a preview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewResponse {
    /// What to ask the status of.
    pub status_id: StatusId,
    /// Where the preview will be; nothing where previews have no address.
    pub preview_url: Option<String>,
}
