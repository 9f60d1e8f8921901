//! Errors, and their mapping to [`StoreError`].

use svc_admin_api::StoreError;

/// Error of a statement or of its result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DbError {
    #[error(transparent)]
    Sql(#[from] sqlx::Error),
    #[error("{0} in the database is invalid")]
    Corrupt(String),
}

impl DbError {
    pub(crate) fn corrupt(name: &str) -> Self {
        Self::Corrupt(name.to_owned())
    }

    /// Whether an immediate retry of the transaction may succeed: PostgreSQL aborted it because of
    /// a conflict.
    pub(crate) fn is_serialization_failure(&self) -> bool {
        let Self::Sql(sqlx::Error::Database(error)) = self else {
            return false;
        };
        matches!(error.code().as_deref(), Some("40001" | "40P01"))
    }

    /// Whether a later retry may succeed.
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
                    // Primary result codes of SQLite: memory, read-only, interrupt, busy, locked,
                    // I/O, full, cannot open. The higher bits are the extended code.
                    Ok(number) if code.len() != 5 => {
                        matches!(number & 0xff, 5..=10 | 13 | 14)
                    }
                    // SQLSTATE classes of PostgreSQL: connection, transaction rollback,
                    // insufficient resources, object state, operator intervention, system; and
                    // read-only (a standby).
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

/// Why a database could not be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The URL is invalid.
    #[error("a store must be `sqlite:PATH` or `postgres://USER@HOST/DATABASE`: {0}")]
    InvalidUrl(String),
    /// A newer version of the program has written the database.
    #[error(
        "the store has version {version}, but this program supports versions up to {max}; use the program that wrote it, or a newer one"
    )]
    NewerVersion {
        /// Version of the database.
        version: u64,
        /// Latest supported version.
        max: u64,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
