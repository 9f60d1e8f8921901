//! Projects in memory.

use super::MemoryStore;
use crate::id::ProjectId;
use crate::project::{ProjectRecord, ProjectStore};
use crate::store::{Change, ChangeResult, StoreError};

impl ProjectStore for MemoryStore {
    async fn project(&self, id: &ProjectId) -> Result<Option<ProjectRecord>, StoreError> {
        Ok(self.lock().await?.projects.get(id).cloned())
    }

    async fn projects(&self) -> Result<Vec<ProjectRecord>, StoreError> {
        Ok(self.lock().await?.projects.values().cloned().collect())
    }

    async fn put_project(
        &self,
        project: &ProjectRecord,
        change: &Change,
    ) -> Result<ChangeResult<()>, StoreError> {
        let mut state = self.lock().await?;
        let mut new = project.clone();
        if let Some(known) = state.projects.get(&project.id) {
            new.created_at = known.created_at;
        }
        state.projects.insert(new.id.clone(), new);
        state.log(&change.entry);
        Ok(ChangeResult::Done(()))
    }
}
