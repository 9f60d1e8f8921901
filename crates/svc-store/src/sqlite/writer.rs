//! The one connection that writes. Changes that wait are made in one transaction, so that they
//! share its synchronisation to the disk: each within a savepoint, so that one that fails leaves
//! the others alone, and each answered after the commit.

use std::sync::Arc;
use std::time::Duration;

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteConnectOptions;
use svc_admin_api::StoreError;
use tokio::sync::{mpsc, oneshot};

use super::{close, connect};
use crate::cache::Cache;
use crate::error::DbError;
use crate::notice::{Notice, NoticeChannel};
use crate::sql::{BoxFuture, Connection};
use crate::transaction::{Invalidation, TxEnd, TxFn, WriteTx};

/// Changes in one transaction.
const MAX_BATCH: usize = 256;

/// How often the writer looks whether other processes wrote, while anything is answered from
/// memory.
const REVALIDATE_INTERVAL: Duration = Duration::from_millis(200);

const DATA_VERSION: &str = "PRAGMA data_version";

/// A change that somebody waits for.
pub(crate) trait QueuedWrite: Send {
    /// Makes the change, and says whether what it wrote is to stay.
    fn run<'a>(&'a mut self, work: &'a mut WriteTx<'_>) -> BoxFuture<'a, bool>;
    /// Tells whoever waits what came of it.
    fn respond(self: Box<Self>, committed: Result<(), StoreError>);
}

/// A change with its arguments and the way back.
pub(crate) struct WriteRequest<A, T> {
    pub(crate) op: TxFn<A, T>,
    pub(crate) arguments: A,
    pub(crate) reply: oneshot::Sender<Result<T, StoreError>>,
    pub(crate) result: Option<Result<T, StoreError>>,
}

impl<A: Send + Sync, T: Send> QueuedWrite for WriteRequest<A, T> {
    fn run<'a>(&'a mut self, work: &'a mut WriteTx<'_>) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let (keep, result) = match (self.op)(work, &self.arguments).await {
                Ok(TxEnd::Commit(value)) => (true, Ok(value)),
                Ok(TxEnd::Rollback(value)) => (false, Ok(value)),
                Err(failure) => (false, Err(failure.into())),
            };
            self.result = Some(result);
            keep
        })
    }

    fn respond(self: Box<Self>, committed: Result<(), StoreError>) {
        let stopped = || Err(StoreError::Unavailable("it was not tried".to_owned()));
        let Self { reply, result, .. } = *self;
        let result = committed.and_then(|()| result.unwrap_or_else(stopped));
        // Whoever asked may have gone away.
        let _ = reply.send(result);
    }
}

/// Makes changes until nobody is left who could ask for one.
pub(crate) async fn run_writer(
    options: SqliteConnectOptions,
    connection: SqliteConnection,
    mut requests: mpsc::Receiver<Box<dyn QueuedWrite>>,
    cache: Arc<Cache>,
    notices: Arc<NoticeChannel>,
) {
    let mut connection = Some(connection);
    let mut version = None;
    loop {
        // However much there is to write: without a look nothing is answered from memory.
        if cache.begin_revalidation(REVALIDATE_INTERVAL) {
            version = revalidate(&mut connection, version, &cache).await;
        }
        let request = tokio::select! {
            biased;
            request = requests.recv() => request,
            () = cache.revalidation_due(REVALIDATE_INTERVAL) => continue,
        };
        let Some(first) = request else { break };
        let mut link = match connection.take() {
            Some(link) => link,
            None => match connect(&options).await {
                Ok(link) => link,
                Err(error) => {
                    first.respond(Err(error));
                    continue;
                }
            },
        };
        let mut batch = Batch::default();
        let done = batch.run(&mut link, first, &mut requests).await;
        let done = match done {
            Ok(()) => {
                // Nobody may be answered from memory with what this commit ends.
                cache.block(&batch.invalidations);
                let done = Connection::Sqlite(&mut link).execute_script("COMMIT").await;
                cache.unblock(&batch.invalidations);
                done
            }
            Err(failure) => Err(failure),
        };
        match done {
            Ok(()) => {
                connection = Some(link);
                for notice in batch.notices {
                    notices.publish(notice);
                }
                for request in batch.requests {
                    request.respond(Ok(()));
                }
            }
            Err(failure) => {
                // After a failed commit, nothing is known of what the system has in memory for
                // the disk: a new connection reads it from there.
                close(link).await;
                version = None;
                let error = StoreError::from(failure);
                for request in batch.requests {
                    request.respond(Err(error.clone()));
                }
            }
        }
    }
    if let Some(connection) = connection {
        close(connection).await;
    }
}

/// What stands in one transaction.
#[derive(Default)]
struct Batch {
    requests: Vec<Box<dyn QueuedWrite>>,
    notices: Vec<Notice>,
    invalidations: Vec<Invalidation>,
}

impl Batch {
    /// Makes a change, and those that wait by then, up to the commit.
    async fn run(
        &mut self,
        connection: &mut SqliteConnection,
        first: Box<dyn QueuedWrite>,
        others: &mut mpsc::Receiver<Box<dyn QueuedWrite>>,
    ) -> Result<(), DbError> {
        self.requests.push(first);
        Connection::Sqlite(connection)
            .execute_script("BEGIN IMMEDIATE")
            .await?;
        loop {
            if let Some(request) = self.requests.last_mut() {
                Connection::Sqlite(connection)
                    .execute_script("SAVEPOINT one")
                    .await?;
                let mut work = WriteTx::new(Connection::Sqlite(connection));
                let keep = request.run(&mut work).await;
                let WriteTx {
                    conn: mut link,
                    notices,
                    invalidations: touched,
                } = work;
                if keep {
                    self.notices.extend(notices);
                    self.invalidations.extend(touched);
                } else {
                    link.execute_script("ROLLBACK TO one").await?;
                }
                link.execute_script("RELEASE one").await?;
            }
            if self.requests.len() >= MAX_BATCH {
                return Ok(());
            }
            match others.try_recv() {
                Ok(request) => self.requests.push(request),
                Err(_) => return Ok(()),
            }
        }
    }
}

/// Looks whether another process wrote. The number that tells it belongs to this connection, and
/// its own commits leave it is.
async fn revalidate(
    connection: &mut Option<SqliteConnection>,
    before: Option<i64>,
    cache: &Cache,
) -> Option<i64> {
    let now = match connection {
        Some(connection) => {
            let row = Connection::Sqlite(connection)
                .fetch_optional(DATA_VERSION, &[])
                .await;
            row.ok().flatten().and_then(|row| row.number(0).ok())
        }
        None => None,
    };
    if now.is_none() || now != before {
        cache.clear();
    }
    if now.is_some() {
        cache.mark_validated();
    }
    now
}
