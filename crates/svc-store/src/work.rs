//! What one change of the store does, whichever database it is.

use svc_admin_api::{JobId, ChangeResult};

use crate::failure::Failure;
use crate::notice::Notice;
use crate::sql::{Boxed, Link};

/// One change while it is made: the connection, within a transaction, and what others have to
/// hear of it.
#[derive(Debug)]
pub(crate) struct Work<'l> {
    pub(crate) link: Link<'l>,
    /// What other servers hear when it is done.
    pub(crate) notices: Vec<Notice>,
    /// What may no longer be answered from memory.
    pub(crate) touched: Vec<Touched>,
}

/// Something that is answered from memory now and then.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Touched {
    /// A key, by the characters that it is found by.
    Key(String),
    Job(JobId),
    /// Who knows which.
    Everything,
}

/// How a change ends.
#[derive(Debug)]
pub(crate) enum Ends<T> {
    /// What it wrote stays.
    Keep(T),
    /// It wrote nothing, or nothing that may stay.
    Undo(T),
}

/// What a change is made of: a function and what it is called with. The function may be called
/// again when PostgreSQL ended the transaction because of another one.
pub(crate) type Op<A, T> = for<'a, 'l> fn(&'a mut Work<'l>, &'a A) -> Step<'a, T>;

/// A change that is being made.
pub(crate) type Step<'a, T> = Boxed<'a, Result<Ends<T>, Failure>>;

impl<'l> Work<'l> {
    pub(crate) fn new(link: Link<'l>) -> Self {
        let (notices, touched) = (Vec::new(), Vec::new());
        Self {
            link,
            notices,
            touched,
        }
    }
}

impl<T> Ends<ChangeResult<T>> {
    /// Only what is done stays.
    pub(crate) fn of(outcome: ChangeResult<T>) -> Self {
        match outcome {
            ChangeResult::Done(_) => Self::Keep(outcome),
            _ => Self::Undo(outcome),
        }
    }
}
