//! Projects.

use std::future::Future;

use crate::agent_job::{Branch, Repository};
use crate::id::ProjectId;
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

/// A project: a site and the configuration of its agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRecord {
    /// Id, which is part of paths.
    pub id: ProjectId,
    /// Display name.
    pub name: String,
    /// Repository for agents; `None` if the project has no agents.
    pub agent: Option<AgentSource>,
    /// Time of creation.
    pub created_at: Timestamp,
}

/// Repository and model of a project's agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSource {
    /// URL of the repository.
    pub repository: Repository,
    /// Default branch of jobs.
    pub branch: Option<Branch>,
    /// Label of the model, which is configured with the agent's command.
    pub model: String,
}

/// Persistence of projects.
pub trait ProjectStore: Sync {
    /// A project.
    fn project(
        &self,
        id: &ProjectId,
    ) -> impl Future<Output = Result<Option<ProjectRecord>, StoreError>> + Send;

    /// All projects by name.
    fn projects(&self) -> impl Future<Output = Result<Vec<ProjectRecord>, StoreError>> + Send;

    /// Adds or replaces a project. `created_at` of an existing project is unchanged.
    fn put_project(
        &self,
        project: &ProjectRecord,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;
}
