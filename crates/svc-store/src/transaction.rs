//! Write transactions, independent of the database.

use svc_admin_api::{ChangeResult, JobId};

use crate::error::DbError;
use crate::notice::Notice;
use crate::sql::{BoxFuture, Connection};

/// A write transaction: the connection, and the notifications and invalidations after its commit.
#[derive(Debug)]
pub(crate) struct WriteTx<'l> {
    pub(crate) conn: Connection<'l>,
    /// Notifications to publish after the commit.
    pub(crate) notices: Vec<Notice>,
    /// Cache entries to invalidate.
    pub(crate) invalidations: Vec<Invalidation>,
}

/// A cache entry to invalidate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Invalidation {
    /// A key, by its lookup prefix.
    Key(String),
    Job(JobId),
    /// Any entry may be stale; clear the cache.
    All,
}

/// How a transaction ends.
#[derive(Debug)]
pub(crate) enum TxEnd<T> {
    /// Commit, with a result.
    Commit(T),
    /// Roll back, with a result.
    Rollback(T),
}

/// Function that executes a change with its arguments. It may be called again if PostgreSQL aborts
/// the transaction because of a conflict.
pub(crate) type TxFn<A, T> = for<'a, 'l> fn(&'a mut WriteTx<'l>, &'a A) -> TxFuture<'a, T>;

/// Future of a change.
pub(crate) type TxFuture<'a, T> = BoxFuture<'a, Result<TxEnd<T>, DbError>>;

impl<'l> WriteTx<'l> {
    pub(crate) fn new(conn: Connection<'l>) -> Self {
        let (notices, touched) = (Vec::new(), Vec::new());
        Self {
            conn,
            notices,
            invalidations: touched,
        }
    }
}

impl<T> TxEnd<ChangeResult<T>> {
    /// Commits successful changes only.
    pub(crate) fn from_result(outcome: ChangeResult<T>) -> Self {
        match outcome {
            ChangeResult::Done(_) => Self::Commit(outcome),
            _ => Self::Rollback(outcome),
        }
    }
}
