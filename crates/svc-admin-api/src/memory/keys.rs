//! Keys in memory.

use super::MemoryStore;
use crate::id::{KeyId, ProjectId};
use crate::key::{Key, KeyStore};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

impl KeyStore for MemoryStore {
    async fn create_key(&self, key: &Key, change: &Change) -> Result<ChangeResult<()>, StoreError> {
        let mut state = self.lock().await?;
        if !state.projects.contains_key(&key.project) {
            return Ok(ChangeResult::NotFound);
        }
        if state.lookups.contains_key(&key.lookup) || state.keys.contains_key(&key.id) {
            return Ok(ChangeResult::AlreadyExists);
        }
        state.lookups.insert(key.lookup.clone(), key.id.clone());
        state.keys.insert(key.id.clone(), key.clone());
        state.log(&change.entry);
        Ok(ChangeResult::Done(()))
    }

    async fn key_by_lookup(&self, lookup: &str) -> Result<Option<Key>, StoreError> {
        let state = self.lock().await?;
        let id = state.lookups.get(lookup);
        Ok(id.and_then(|id| state.keys.get(id)).cloned())
    }

    async fn keys(&self, project: &ProjectId) -> Result<Vec<Key>, StoreError> {
        let state = self.lock().await?;
        let own = state.keys.values().filter(|key| key.project == *project);
        let mut keys: Vec<Key> = own.cloned().collect();
        keys.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        Ok(keys)
    }

    async fn revoke_key(
        &self,
        project: &ProjectId,
        id: &KeyId,
        change: &Change,
    ) -> Result<ChangeResult<()>, StoreError> {
        let mut state = self.lock().await?;
        let key = state.keys.get_mut(id).filter(|key| key.project == *project);
        let Some(key) = key else {
            return Ok(ChangeResult::NotFound);
        };
        if key.revoked_at.is_none() {
            key.revoked_at = Some(change.at);
            state.log(&change.entry);
        }
        Ok(ChangeResult::Done(()))
    }

    async fn touch_key(&self, id: &KeyId, at: Timestamp) -> Result<(), StoreError> {
        let mut state = self.lock().await?;
        if let Some(key) = state.keys.get_mut(id) {
            key.last_used_at = key.last_used_at.max(Some(at));
        }
        Ok(())
    }
}
