//! What a store has to do for keys.

use std::future::Future;

use super::Key;
use crate::id::{KeyId, ProjectId};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

/// Keeps keys.
pub trait KeyStore: Sync {
    /// Adds a key. `NotFound` when the project is not there, `AlreadyExists` when another key is found by
    /// the same characters.
    fn create_key(
        &self,
        key: &Key,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// The key that is found by these characters, whatever became of it.
    fn key_by_lookup(
        &self,
        lookup: &str,
    ) -> impl Future<Output = Result<Option<Key>, StoreError>> + Send;

    /// The keys of a project, the newest first, with the revoked and expired ones.
    fn keys(
        &self,
        project: &ProjectId,
    ) -> impl Future<Output = Result<Vec<Key>, StoreError>> + Send;

    /// Revokes a key of a project. `Done` also when it was before; the first time stays.
    fn revoke_key(
        &self,
        project: &ProjectId,
        id: &KeyId,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// Notes when a key was used, unless a later use is known.
    fn touch_key(
        &self,
        id: &KeyId,
        at: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
}
