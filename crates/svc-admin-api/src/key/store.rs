//! Persistence of keys.

use std::future::Future;

use super::Key;
use crate::id::{KeyId, ProjectId};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

/// Persistence of keys.
pub trait KeyStore: Sync {
    /// Adds a key. `NotFound` if the project does not exist, `AlreadyExists` if another key has the
    /// same lookup prefix.
    fn create_key(
        &self,
        key: &Key,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// The key with a lookup prefix, even if it is revoked or expired.
    fn key_by_lookup(
        &self,
        lookup: &str,
    ) -> impl Future<Output = Result<Option<Key>, StoreError>> + Send;

    /// Keys of a project, newest first, including revoked and expired ones.
    fn keys(
        &self,
        project: &ProjectId,
    ) -> impl Future<Output = Result<Vec<Key>, StoreError>> + Send;

    /// Revokes a key of a project. `Done` for a revoked key, whose time of revocation is unchanged.
    fn revoke_key(
        &self,
        project: &ProjectId,
        id: &KeyId,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// Records the time of use of a key, unless a later one is stored.
    fn touch_key(
        &self,
        id: &KeyId,
        at: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
}
