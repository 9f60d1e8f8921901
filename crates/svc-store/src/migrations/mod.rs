//! The schema and its migrations, forward only.

use sqlx::Connection as _;

use crate::error::{DbError, OpenError};
use crate::sql::Connection;

/// Migrations from each version to the next, for SQLite and PostgreSQL. A released migration never
/// changes.
static MIGRATIONS: &[(&str, &str)] = &[
    (
        include_str!("sqlite/0001.sql"),
        include_str!("postgres/0001.sql"),
    ),
    (
        include_str!("sqlite/0002.sql"),
        include_str!("postgres/0002.sql"),
    ),
    (
        include_str!("sqlite/0003.sql"),
        include_str!("postgres/0003.sql"),
    ),
    (
        include_str!("sqlite/0004.sql"),
        include_str!("postgres/0004.sql"),
    ),
    (
        include_str!("sqlite/0005.sql"),
        include_str!("postgres/0005.sql"),
    ),
    (
        include_str!("sqlite/0006.sql"),
        include_str!("postgres/0006.sql"),
    ),
    (
        include_str!("sqlite/0007.sql"),
        include_str!("postgres/0007.sql"),
    ),
    (
        include_str!("sqlite/0008.sql"),
        include_str!("postgres/0008.sql"),
    ),
];

/// Migrations may take longer than other statements, and other servers wait for them.
pub(crate) const DISABLE_TIMEOUTS: &str = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
    SET LOCAL idle_in_transaction_session_timeout = 0";

const VERSION: &str = "SELECT version FROM svc_store";

/// Lock for migrations of PostgreSQL; the number is arbitrary.
const ADVISORY_LOCK: &str = "SELECT pg_advisory_xact_lock(7311052931042216)";

/// Migrates the schema to the current version, in one transaction.
pub(crate) async fn migrate(conn: &mut Connection<'_>) -> Result<(), OpenError> {
    match conn {
        Connection::Sqlite(conn) => {
            let mut transaction = conn
                .begin_with("BEGIN IMMEDIATE")
                .await
                .map_err(connection_error)?;
            run_migrations(&mut Connection::Sqlite(&mut transaction)).await?;
            transaction.commit().await.map_err(connection_error)
        }
        Connection::Postgres(conn) => {
            let mut transaction = conn.begin().await.map_err(connection_error)?;
            let mut inner = Connection::Postgres(&mut transaction);
            inner
                .execute_script(DISABLE_TIMEOUTS)
                .await
                .map_err(open_error)?;
            inner
                .fetch_all(ADVISORY_LOCK, &[])
                .await
                .map_err(open_error)?;
            run_migrations(&mut inner).await?;
            transaction.commit().await.map_err(connection_error)
        }
    }
}

/// The version of this program.
pub(crate) const fn current_version() -> u64 {
    MIGRATIONS.len() as u64
}

/// The version of a store; `None` if the database is not one.
pub(crate) async fn version(conn: &mut Connection<'_>) -> Result<Option<u64>, DbError> {
    let known = match conn.is_postgres() {
        true => {
            "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'svc_store'"
        }
        false => "SELECT 1 FROM sqlite_schema WHERE name = 'svc_store'",
    };
    if conn.fetch_optional(known, &[]).await?.is_none() {
        return Ok(None);
    }
    let row = conn.fetch_optional(VERSION, &[]).await?;
    row.map(|row| row.small(0)).transpose()
}

async fn run_migrations(conn: &mut Connection<'_>) -> Result<(), OpenError> {
    let table = "CREATE TABLE IF NOT EXISTS svc_store (version BIGINT NOT NULL)";
    conn.execute_script(table).await.map_err(open_error)?;
    let row = conn.fetch_optional(VERSION, &[]).await;
    let row = row.map_err(open_error)?;
    let version = row.as_ref().map(|row| row.small::<usize>(0)).transpose();
    let version = version.map_err(open_error)?.unwrap_or(0);
    let known = MIGRATIONS.len();
    if version > known {
        let (version, max) = (version as u64, known as u64);
        return Err(OpenError::NewerVersion { version, max });
    }
    for (sqlite, postgres) in MIGRATIONS.iter().skip(version) {
        let step = if conn.is_postgres() { postgres } else { sqlite };
        conn.execute_script(step).await.map_err(open_error)?;
    }
    let set = if row.is_some() {
        "UPDATE svc_store SET version = $1"
    } else {
        "INSERT INTO svc_store (version) VALUES ($1)"
    };
    if version < known {
        conn.execute(set, &[known.into()])
            .await
            .map_err(open_error)?;
    }
    Ok(())
}

fn open_error(failure: DbError) -> OpenError {
    OpenError::Store(failure.into())
}

fn connection_error(error: sqlx::Error) -> OpenError {
    open_error(error.into())
}
