//! What can go wrong, and what callers hear of it.

use svc_admin_api::StoreError;

/// Why a statement, or what was made of its answer, failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DbError {
    #[error(transparent)]
    Sql(#[from] sqlx::Error),
    #[error("{0} of the database does not fit")]
    Corrupt(String),
}

impl DbError {
    pub(crate) fn corrupt(what: &str) -> Self {
        Self::Corrupt(what.to_owned())
    }

    /// Whether the same transaction may succeed at once when it is tried again: PostgreSQL ended
    /// it because of another one.
    pub(crate) fn is_serialization_failure(&self) -> bool {
        let Self::Sql(sqlx::Error::Database(error)) = self else {
            return false;
        };
        matches!(error.code().as_deref(), Some("40001" | "40P01"))
    }

    /// Whether a later try may succeed.
    fn is_transient(&self) -> bool {
        let Self::Sql(error) = self else { return false };
        match error {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::BeginFailed => true,
            sqlx::Error::Database(error) => {
                let code = error.code().unwrap_or_default();
                match code.parse::<u32>() {
                    // SQLite counts: memory, read-only, interrupt, busy, locked, input and output,
                    // full, cannot open. The rest of the number says more exactly which.
                    Ok(number) if code.len() != 5 => {
                        matches!(number & 0xff, 5..=10 | 13 | 14)
                    }
                    // PostgreSQL has classes: connections, transactions that were ended, lack of
                    // resources, an operator; and a standby.
                    _ => {
                        let class = code.get(..2).unwrap_or_default();
                        matches!(class, "08" | "40" | "53" | "55" | "57" | "58") || code == "25006"
                    }
                }
            }
            _ => false,
        }
    }
}

impl From<DbError> for StoreError {
    fn from(failure: DbError) -> Self {
        let text = failure.to_string();
        if failure.is_transient() {
            Self::Unavailable(text)
        } else {
            Self::Corrupt(text)
        }
    }
}

/// Why a database was not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The address is none.
    #[error("a store is `sqlite:PATH` or `postgres://USER@HOST/DATABASE`: {0}")]
    InvalidUrl(String),
    /// A newer program has written it.
    #[error(
        "the store is of version {found}, and this program knows versions up to {known}: use the program that wrote it, or a newer one"
    )]
    NewerVersion {
        /// The version of the database.
        found: u64,
        /// The latest that is known.
        known: u64,
    },
    /// It failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
