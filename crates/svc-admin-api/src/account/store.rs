//! Persistence of accounts and sessions.

use std::future::Future;

use super::{Account, PasswordChange, Session};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

/// Persistence of accounts and sessions.
pub trait AccountStore: Sync {
    /// An account, even if it is disabled.
    fn account(
        &self,
        name: &str,
    ) -> impl Future<Output = Result<Option<Account>, StoreError>> + Send;

    /// All accounts by name.
    fn accounts(&self) -> impl Future<Output = Result<Vec<Account>, StoreError>> + Send;

    /// Adds or replaces an account. `created_at` and the sessions of an existing account are
    /// unchanged.
    fn put_account(
        &self,
        account: &Account,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// Replaces a password hash. `NotFound` if the current hash differs from the expected one. With
    /// a change the password itself is new, and all sessions of the account end; without one the
    /// same password is hashed with other parameters.
    fn replace_password(
        &self,
        new: &PasswordChange,
        change: Option<&Change>,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// Adds a session. `NotFound` if the account does not exist, `AlreadyExists` if a session has
    /// the same hash.
    fn create_session(
        &self,
        session: &Session,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// The session with a hash, even if it is expired but not deleted yet.
    fn session(
        &self,
        hash: &[u8; 32],
    ) -> impl Future<Output = Result<Option<Session>, StoreError>> + Send;

    /// Records the time of use of a session, unless a later one is stored.
    fn touch_session(
        &self,
        hash: &[u8; 32],
        at: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Ends a session, if it exists.
    fn end_session(&self, hash: &[u8; 32]) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Ends all sessions of an account. Returns how many were ended.
    fn end_sessions(&self, account: &str) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Deletes expired sessions. Returns how many were deleted.
    fn delete_expired_sessions(
        &self,
        now: Timestamp,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
}
