//! What the readers of all projects share.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use svc_fetch::FetchCounters;
use svc_store::Database;

use super::attempts::SignInCounters;
use super::now;
use super::revocations::Revocations;
use super::sign_in::SignInLimits;
use super::stored_tokens::StoredTokens;
use super::used_ids::UsedIds;

/// State that outlives settings and deployments. A handle; clones share it.
#[derive(Debug, Clone)]
pub(crate) struct ReaderState(pub(super) Arc<ReaderStateInner>);

#[derive(Debug)]
pub(super) struct ReaderStateInner {
    /// Signs sessions.
    pub(super) key: [u8; 32],
    pub(super) limits: SignInLimits,
    pub(super) attempts: SignInCounters,
    pub(super) used: UsedIds,
    pub(super) revocations: Revocations,
    /// Tokens of the store that were valid a moment ago.
    pub(super) tokens: StoredTokens,
    /// Database that several servers can share; `None` without an administration.
    pub(super) database: Option<Database>,
    /// Count the requests to OpenID Connect providers.
    pub(super) fetches: Arc<FetchCounters>,
    /// Requests with a session that is over, or was changed.
    pub(super) rejected: AtomicU64,
}

impl ReaderState {
    /// Opens the state in a data directory. `key` signs sessions. Other servers of the database
    /// share what has been used and what has ended.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(crate) fn open(data: &Path, key: [u8; 32], database: Option<Database>) -> io::Result<Self> {
        Ok(Self(Arc::new(ReaderStateInner {
            key,
            limits: SignInLimits::default(),
            attempts: SignInCounters::default(),
            used: UsedIds::default(),
            revocations: Revocations::open(data, now())?,
            tokens: StoredTokens::default(),
            database,
            fetches: Arc::default(),
            rejected: AtomicU64::new(0),
        })))
    }

    /// Results of sign-ins with their numbers.
    pub(crate) fn sign_ins(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.attempts.read()
    }

    /// Number of requests with a session that was rejected.
    pub(crate) fn rejected_sessions(&self) -> u64 {
        self.0.rejected.load(Ordering::Relaxed)
    }

    /// Numbers of requests to OpenID Connect providers.
    pub(crate) fn fetches(&self) -> Arc<FetchCounters> {
        Arc::clone(&self.0.fetches)
    }
}
