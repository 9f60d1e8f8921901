//! PostgreSQL: one pool, and one connection that listens.

use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{ConnectOptions as _, PgPool};
use svc_admin_api::StoreError;

use crate::failure::{Failure, OpenError};
use crate::migrations;
use crate::notice::{Notice, Notices};
use crate::sql::Link;
use crate::work::{Ends, Op, Work};

/// Connections of one server.
const MOST: u32 = 16;

/// How long a call waits for a connection, and so for a database that starts again.
const CONNECTING: Duration = Duration::from_secs(4);

/// How long a call takes at most, as far as this side can tell.
const WHOLE: Duration = Duration::from_secs(15);

/// Tries of a change that PostgreSQL ends because of another one.
const TRIES: usize = 5;

/// Pause before the connection that listens is made anew.
const PAUSE: Duration = Duration::from_millis(250);

/// Where notices go.
const CHANNEL: &str = "svc_store";

/// A connection that hangs must not hold what others wait for.
const LIMITS: &str = "SET statement_timeout = '10s'; SET lock_timeout = '5s'; \
    SET idle_in_transaction_session_timeout = '10s'";

const NOTIFY: &str = "SELECT pg_notify($1, $2)";

/// Opens a database and brings it to the present version.
pub(crate) async fn open(address: &str) -> Result<PgPool, OpenError> {
    let options = PgConnectOptions::from_str(address);
    let options = options.map_err(|error| OpenError::Address(error.to_string()))?;
    let options = options.application_name("svc").disable_statement_logging();
    let pool = PgPoolOptions::new()
        .max_connections(MOST)
        .acquire_timeout(CONNECTING)
        // As a statement, because poolers refuse it among the options of a connection.
        .after_connect(|connection, _| {
            Box::pin(async move {
                sqlx::raw_sql(LIMITS).execute(connection).await?;
                Ok(())
            })
        })
        .connect_with(options)
        .await
        .map_err(store)?;
    {
        let mut connection = pool.acquire().await.map_err(store)?;
        migrations::migrate(&mut Link::Postgres(&mut connection)).await?;
    }
    Ok(pool)
}

/// Makes a change in a transaction. When its end is not known, because the connection was lost
/// while it was committed, that is [`StoreError::Unavailable`].
pub(crate) async fn change<A, T>(
    pool: &PgPool,
    op: Op<A, T>,
    arguments: &A,
) -> Result<T, StoreError> {
    in_time(async {
        let mut tries = 0;
        loop {
            tries += 1;
            match once(pool, op, arguments).await {
                Err(failure) if failure.lost_a_race() && tries < TRIES => {}
                result => return result.map_err(StoreError::from),
            }
        }
    })
    .await
}

async fn once<A, T>(pool: &PgPool, op: Op<A, T>, arguments: &A) -> Result<T, Failure> {
    let mut whole = pool.begin().await?;
    let mut work = Work::new(Link::Postgres(&mut whole));
    match op(&mut work, arguments).await? {
        Ends::Keep(value) => {
            for notice in std::mem::take(&mut work.notices) {
                tell(&mut work.link, notice).await?;
            }
            whole.commit().await?;
            Ok(value)
        }
        Ends::Undo(value) => {
            whole.rollback().await?;
            Ok(value)
        }
    }
}

/// Reads something.
pub(crate) async fn read<T>(
    pool: &PgPool,
    read: impl AsyncFnOnce(&mut Link<'_>) -> Result<T, Failure>,
) -> Result<T, StoreError> {
    in_time(async {
        let mut connection = pool.acquire().await.map_err(Failure::from)?;
        Ok(read(&mut Link::Postgres(&mut connection)).await?)
    })
    .await
}

async fn tell(link: &mut Link<'_>, notice: Notice) -> Result<(), Failure> {
    let text = notice.text();
    link.rows(NOTIFY, &[CHANNEL.into(), text.into()]).await?;
    Ok(())
}

/// Passes on what the servers of the database tell each other, until the pool is closed.
pub(crate) async fn listen(pool: PgPool, notices: Arc<Notices>) {
    while !pool.is_closed() {
        // A failure says no more than that the connection is gone.
        let _ = heard(&pool, &notices).await;
        tokio::time::sleep(PAUSE).await;
    }
}

async fn heard(pool: &PgPool, notices: &Notices) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    // Whatever was said before this moment was not heard.
    notices.tell(Notice::Changed);
    while let Some(heard) = listener.try_recv().await? {
        if let Some(notice) = Notice::read(heard.payload()) {
            notices.tell(notice);
        }
    }
    Ok(())
}

async fn in_time<T>(work: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let late = || StoreError::Unavailable("it did not answer in time".to_owned());
    let result = tokio::time::timeout(WHOLE, work).await;
    result.unwrap_or_else(|_| Err(late()))
}

fn store(error: sqlx::Error) -> OpenError {
    OpenError::Store(Failure::from(error).into())
}
