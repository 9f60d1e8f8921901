//! Projects in memory.

use super::MemoryStore;
use crate::id::ProjectId;
use crate::project::{Project, ProjectStore};
use crate::store::{Change, Outcome, StoreError};

impl ProjectStore for MemoryStore {
    async fn project(&self, id: &ProjectId) -> Result<Option<Project>, StoreError> {
        Ok(self.open().await?.projects.get(id).cloned())
    }

    async fn projects(&self) -> Result<Vec<Project>, StoreError> {
        Ok(self.open().await?.projects.values().cloned().collect())
    }

    async fn put_project(
        &self,
        project: &Project,
        change: &Change,
    ) -> Result<Outcome<()>, StoreError> {
        let mut state = self.open().await?;
        let mut new = project.clone();
        if let Some(known) = state.projects.get(&project.id) {
            new.created_at = known.created_at;
        }
        state.projects.insert(new.id.clone(), new);
        state.log(&change.entry);
        Ok(Outcome::Done(()))
    }
}
