//! What a store has to do for accounts and sessions.

use std::future::Future;

use super::{Account, PasswordChange, Session};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

/// Keeps accounts and sessions.
pub trait AccountStore: Sync {
    /// An account, also one that is disabled.
    fn account(
        &self,
        name: &str,
    ) -> impl Future<Output = Result<Option<Account>, StoreError>> + Send;

    /// All of them, by name.
    fn accounts(&self) -> impl Future<Output = Result<Vec<Account>, StoreError>> + Send;

    /// Adds an account or replaces what is known of it; `created_at` of a known one stays, and so
    /// do its sessions.
    fn put_account(
        &self,
        account: &Account,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// Replaces the hash of a password, unless another one has come in its place meanwhile, which is
    /// `NotFound`. With a change it is another password, and all sessions of the account end with
    /// the old one; without a change it is the same password, and nobody notices.
    fn replace_password(
        &self,
        new: &PasswordChange,
        change: Option<&Change>,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// Adds a session. `NotFound` when the account is not there, `AlreadyExists` when there is one of the
    /// same hash.
    fn create_session(
        &self,
        session: &Session,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// The session of a hash, also one whose time is over but which is not forgotten yet.
    fn session(
        &self,
        hash: &[u8; 32],
    ) -> impl Future<Output = Result<Option<Session>, StoreError>> + Send;

    /// Notes when a session was used, unless a later use is known.
    fn touch_session(
        &self,
        hash: &[u8; 32],
        at: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Ends a session, if it is there.
    fn end_session(&self, hash: &[u8; 32]) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Ends all sessions of an account, and says how many.
    fn end_sessions(&self, account: &str) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Forgets sessions whose time is over, and says how many.
    fn delete_expired_sessions(
        &self,
        now: Timestamp,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
}
