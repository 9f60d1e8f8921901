//! What one change of the store does, whichever database it is.

use svc_admin_api::{ChangeResult, JobId};

use crate::error::DbError;
use crate::notice::Notice;
use crate::sql::{BoxFuture, Connection};

/// One change while it is made: the connection, within a transaction, and what others have to
/// hear of it.
#[derive(Debug)]
pub(crate) struct WriteTx<'l> {
    pub(crate) conn: Connection<'l>,
    /// What other servers hear when it is done.
    pub(crate) notices: Vec<Notice>,
    /// What may no longer be answered from memory.
    pub(crate) invalidations: Vec<Invalidation>,
}

/// Something that is answered from memory now and then.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Invalidation {
    /// A key, by the characters that it is found by.
    Key(String),
    Job(JobId),
    /// Who knows which.
    All,
}

/// How a change ends.
#[derive(Debug)]
pub(crate) enum TxEnd<T> {
    /// What it wrote stays.
    Commit(T),
    /// It wrote nothing, or nothing that may stay.
    Rollback(T),
}

/// What a change is made of: a function and what it is called with. The function may be called
/// again when PostgreSQL ended the transaction because of another one.
pub(crate) type TxFn<A, T> = for<'a, 'l> fn(&'a mut WriteTx<'l>, &'a A) -> TxFuture<'a, T>;

/// A change that is being made.
pub(crate) type TxFuture<'a, T> = BoxFuture<'a, Result<TxEnd<T>, DbError>>;

impl<'l> WriteTx<'l> {
    pub(crate) fn new(link: Connection<'l>) -> Self {
        let (notices, touched) = (Vec::new(), Vec::new());
        Self {
            conn: link,
            notices,
            invalidations: touched,
        }
    }
}

impl<T> TxEnd<ChangeResult<T>> {
    /// Only what is done stays.
    pub(crate) fn from_result(outcome: ChangeResult<T>) -> Self {
        match outcome {
            ChangeResult::Done(_) => Self::Commit(outcome),
            _ => Self::Rollback(outcome),
        }
    }
}
