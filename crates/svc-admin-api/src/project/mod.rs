//! Projects, as far as the API knows them.

use std::future::Future;

use crate::agent_job::{Branch, Repository};
use crate::id::ProjectId;
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

/// A site and what agents may do for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRecord {
    /// Its name in addresses.
    pub id: ProjectId,
    /// Its name for people.
    pub name: String,
    /// What agents work on; nothing means that there are none.
    pub agent: Option<AgentSource>,
    /// Since when it is known.
    pub created_at: Timestamp,
}

/// The repository that agents work on, and what works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSource {
    /// The full address of the repository.
    pub repository: Repository,
    /// The branch that agents work on when a job names none.
    pub branch: Option<Branch>,
    /// The label that is set with the command of the agent.
    pub model: String,
}

/// Keeps projects.
pub trait ProjectStore: Sync {
    /// A project.
    fn project(
        &self,
        id: &ProjectId,
    ) -> impl Future<Output = Result<Option<ProjectRecord>, StoreError>> + Send;

    /// All of them, by name.
    fn projects(&self) -> impl Future<Output = Result<Vec<ProjectRecord>, StoreError>> + Send;

    /// Adds a project or replaces what is known of it; `created_at` of a known one stays.
    fn put_project(
        &self,
        project: &ProjectRecord,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;
}
