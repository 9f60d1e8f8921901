//! PostgreSQL: a connection pool, and a connection for notifications.

use std::sync::Arc;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{PgPool, Postgres};
use svc_admin_api::StoreError;
use tokio::time::Instant;
use tokio::time::error::Elapsed;

use crate::error::{DbError, OpenError};
use crate::migrations;
use crate::notice::{Notice, NoticeChannel};
use crate::sql::Connection;
use crate::sqlite::QueuedWrite;
use crate::transaction::WriteTx;

/// Maximum number of connections of a server.
const MAX_CONNECTIONS: u32 = 16;

/// How long a call waits for a connection, for example while the database restarts.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);

/// Maximum duration of a call.
const CALL_TIMEOUT: Duration = Duration::from_secs(15);

/// Maximum number of attempts for a change that PostgreSQL aborts because of a conflict.
const MAX_ATTEMPTS: usize = 5;

/// Delay before the notification connection is reopened.
const RECONNECT_DELAY: Duration = Duration::from_millis(250);

/// Notification channel.
const CHANNEL: &str = "svc_store";

/// A hanging connection must not hold locks that other servers wait for.
const SET_TIMEOUTS: &str = "SET statement_timeout = '10s'; SET lock_timeout = '5s'; \
    SET idle_in_transaction_session_timeout = '10s'";

const NOTIFY: &str = "SELECT pg_notify($1, $2)";

/// Opens a database and migrates it.
pub(crate) async fn open(options: PgConnectOptions) -> Result<PgPool, OpenError> {
    let pool = PgPoolOptions::new()
        .max_connections(MAX_CONNECTIONS)
        .acquire_timeout(CONNECT_TIMEOUT)
        // Sent as a statement, because poolers reject it as a connection option.
        .after_connect(|connection, _| {
            Box::pin(async move {
                sqlx::raw_sql(SET_TIMEOUTS).execute(connection).await?;
                Ok(())
            })
        })
        .connect_with(options)
        .await
        .map_err(open_error)?;
    {
        let mut connection = pool.acquire().await.map_err(open_error)?;
        migrations::migrate(&mut Connection::Postgres(&mut connection)).await?;
    }
    Ok(pool)
}

/// Executes a change in a transaction. If the connection is lost during the commit, the result is
/// unknown and reported as [`StoreError::Unavailable`].
pub(crate) async fn change(pool: &PgPool, request: &mut dyn QueuedWrite) -> Result<(), StoreError> {
    let attempts = async {
        let mut tries = 0;
        loop {
            tries += 1;
            match try_change(pool, request).await {
                Err(failure) if failure.is_serialization_failure() && tries < MAX_ATTEMPTS => {}
                result => return result.map_err(StoreError::from),
            }
        }
    };
    let result = tokio::time::timeout(CALL_TIMEOUT, attempts).await;
    result.map_err(timeout_error)?
}

async fn try_change(pool: &PgPool, request: &mut dyn QueuedWrite) -> Result<(), DbError> {
    let mut transaction = pool.begin().await?;
    let mut work = WriteTx::new(Connection::Postgres(&mut transaction));
    if request.run(&mut work).await? {
        for notice in std::mem::take(&mut work.notices) {
            notify(&mut work.conn, notice).await?;
        }
        transaction.commit().await?;
    } else {
        transaction.rollback().await?;
    }
    Ok(())
}

/// A connection for a read, and when the read must be complete.
pub(crate) async fn connection(
    pool: &PgPool,
) -> Result<(PoolConnection<Postgres>, Instant), StoreError> {
    let deadline = Instant::now() + CALL_TIMEOUT;
    let connection = tokio::time::timeout_at(deadline, pool.acquire()).await;
    let connection = connection.map_err(timeout_error)?.map_err(DbError::from)?;
    Ok((connection, deadline))
}

async fn notify(link: &mut Connection<'_>, notice: Notice) -> Result<(), DbError> {
    let text = notice.as_str();
    link.fetch_all(NOTIFY, &[CHANNEL.into(), text.into()])
        .await?;
    Ok(())
}

/// Forwards notifications of all servers until the pool is closed.
pub(crate) async fn listen(pool: PgPool, notices: Arc<NoticeChannel>) {
    while !pool.is_closed() {
        // An error only means that the connection is lost.
        let _ = forward_notices(&pool, &notices).await;
        tokio::time::sleep(RECONNECT_DELAY).await;
    }
}

async fn forward_notices(pool: &PgPool, notices: &NoticeChannel) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    // Earlier notifications were not received.
    notices.publish(Notice::Changed);
    while let Some(heard) = listener.try_recv().await? {
        if let Some(notice) = Notice::parse(heard.payload()) {
            notices.publish(notice);
        }
    }
    Ok(())
}

pub(crate) fn timeout_error(_: Elapsed) -> StoreError {
    StoreError::Unavailable("the database did not respond in time".to_owned())
}

fn open_error(error: sqlx::Error) -> OpenError {
    OpenError::Store(DbError::from(error).into())
}
