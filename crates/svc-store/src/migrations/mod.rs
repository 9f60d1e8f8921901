//! The tables, and how older ones become the present ones. Forward only.

use sqlx::Connection as _;

use crate::failure::{Failure, OpenError};
use crate::sql::Link;

/// The steps from one version to the next, for SQLite and for PostgreSQL. A step that was
/// published never changes.
static STEPS: &[(&str, &str)] = &[
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
];

/// New tables may take their time, and so may whoever waits for them.
const NO_LIMITS: &str = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
    SET LOCAL idle_in_transaction_session_timeout = 0";

/// Whoever changes the tables of PostgreSQL holds this lock; the number is ours by chance.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7311052931042216)";

/// Brings the tables to the present version, in one transaction.
pub(crate) async fn migrate(link: &mut Link<'_>) -> Result<(), OpenError> {
    match link {
        Link::Sqlite(link) => {
            let mut whole = link.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
            steps(&mut Link::Sqlite(&mut whole)).await?;
            whole.commit().await.map_err(failed)
        }
        Link::Postgres(link) => {
            let mut whole = link.begin().await.map_err(failed)?;
            let mut inner = Link::Postgres(&mut whole);
            inner.script(NO_LIMITS).await.map_err(store)?;
            inner.rows(LOCK, &[]).await.map_err(store)?;
            steps(&mut inner).await?;
            whole.commit().await.map_err(failed)
        }
    }
}

async fn steps(link: &mut Link<'_>) -> Result<(), OpenError> {
    let table = "CREATE TABLE IF NOT EXISTS svc_store (version BIGINT NOT NULL)";
    link.script(table).await.map_err(store)?;
    let row = link.row("SELECT version FROM svc_store", &[]).await;
    let row = row.map_err(store)?;
    let found = row.as_ref().map(|row| row.small::<usize>(0)).transpose();
    let found = found.map_err(store)?.unwrap_or(0);
    let known = STEPS.len();
    if found > known {
        let (found, known) = (found as u64, known as u64);
        return Err(OpenError::Newer { found, known });
    }
    for (sqlite, postgres) in STEPS.iter().skip(found) {
        let step = if link.is_postgres() { postgres } else { sqlite };
        link.script(step).await.map_err(store)?;
    }
    let set = if row.is_some() {
        "UPDATE svc_store SET version = $1"
    } else {
        "INSERT INTO svc_store (version) VALUES ($1)"
    };
    if found < known {
        link.run(set, &[known.into()]).await.map_err(store)?;
    }
    Ok(())
}

fn store(failure: Failure) -> OpenError {
    OpenError::Store(failure.into())
}

fn failed(error: sqlx::Error) -> OpenError {
    store(error.into())
}
