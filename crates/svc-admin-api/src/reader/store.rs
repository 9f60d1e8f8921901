//! Persistence of tokens and sessions of readers.

use std::future::Future;

use super::{ReaderSession, ReaderToken};
use crate::id::{ProjectId, ReaderTokenId};
use crate::store::{Change, ChangeResult, StoreError};
use crate::time::Timestamp;

/// Persistence of tokens and sessions of readers.
pub trait ReaderStore: Sync {
    /// Adds a token. `NotFound` if the project does not exist.
    fn create_reader_token(
        &self,
        token: &ReaderToken,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// The token with the hash of a secret, even if it is revoked or expired.
    fn reader_token(
        &self,
        hash: &[u8; 32],
    ) -> impl Future<Output = Result<Option<ReaderToken>, StoreError>> + Send;

    /// Tokens of a project, newest first, including revoked and expired ones.
    fn reader_tokens(
        &self,
        project: &ProjectId,
    ) -> impl Future<Output = Result<Vec<ReaderToken>, StoreError>> + Send;

    /// Revokes a token of a project. `Done` for a revoked token, whose time of revocation is
    /// unchanged.
    fn revoke_reader_token(
        &self,
        project: &ProjectId,
        id: &ReaderTokenId,
        change: &Change,
    ) -> impl Future<Output = Result<ChangeResult<()>, StoreError>> + Send;

    /// Records the time of use of a token, unless a later one is stored.
    fn touch_reader_token(
        &self,
        id: &ReaderTokenId,
        at: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Adds or replaces the record of a session, and deletes records of sessions that have expired
    /// before `now`. Ignored for an unknown project.
    fn record_reader_session(
        &self,
        session: &ReaderSession,
        now: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Sessions of a project that have neither expired nor been revoked, those seen last first.
    fn reader_sessions(
        &self,
        project: &ProjectId,
        now: Timestamp,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<ReaderSession>, StoreError>> + Send;

    /// Ends sessions that were confirmed until a time, by a digest that they have in common, and
    /// deletes revocations from before another time. All servers of the store learn it. With a
    /// change, an administrator has ended them.
    fn revoke_reader_sessions(
        &self,
        digest: [u8; 32],
        at: Timestamp,
        before: Timestamp,
        change: Option<&Change>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
}
