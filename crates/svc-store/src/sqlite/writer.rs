//! The only writing connection. Queued changes share a transaction, and so its sync to disk. Each
//! one runs in a savepoint, so that a failed change does not affect the others, and gets its result
//! after the commit.

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

/// Maximum number of changes in a transaction.
const MAX_BATCH: usize = 256;

/// How often the writer checks for writes of other processes while the cache is used.
const REVALIDATE_INTERVAL: Duration = Duration::from_millis(200);

const DATA_VERSION: &str = "PRAGMA data_version";

/// A change that waits for its execution, without its types.
pub(crate) trait QueuedWrite: Send {
    /// Executes the change. Returns whether its writes are to be committed.
    fn run<'a>(&'a mut self, work: &'a mut WriteTx<'_>) -> BoxFuture<'a, Result<bool, DbError>>;
    /// Records that the change failed by itself.
    fn fail(&mut self, error: StoreError);
    /// Sends the result to the caller.
    fn respond(self: Box<Self>, committed: Result<(), StoreError>);
}

/// A change with its arguments and the channel for its result.
pub(crate) struct WriteRequest<A, T> {
    op: TxFn<A, T>,
    arguments: A,
    reply: oneshot::Sender<Result<T, StoreError>>,
    result: Option<Result<T, StoreError>>,
}

impl<A, T> WriteRequest<A, T> {
    pub(crate) fn new(
        op: TxFn<A, T>,
        arguments: A,
        reply: oneshot::Sender<Result<T, StoreError>>,
    ) -> Self {
        Self {
            op,
            arguments,
            reply,
            result: None,
        }
    }
}

impl<A: Send + Sync, T: Send> QueuedWrite for WriteRequest<A, T> {
    fn run<'a>(&'a mut self, work: &'a mut WriteTx<'_>) -> BoxFuture<'a, Result<bool, DbError>> {
        Box::pin(async move {
            let (commit, value) = match (self.op)(work, &self.arguments).await? {
                TxEnd::Commit(value) => (true, value),
                TxEnd::Rollback(value) => (false, value),
            };
            self.result = Some(Ok(value));
            Ok(commit)
        })
    }

    fn fail(&mut self, error: StoreError) {
        self.result = Some(Err(error));
    }

    fn respond(self: Box<Self>, committed: Result<(), StoreError>) {
        let Self { reply, result, .. } = *self;
        let missing = || StoreError::Unavailable("the change was not attempted".to_owned());
        let result = result.unwrap_or_else(|| Err(missing()));
        // The caller may have been canceled.
        let _ = reply.send(committed.and(result));
    }
}

/// Executes changes until all senders are dropped.
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
        // Also under load: without validation the cache is not used.
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
                // The cache must not return data that this commit changes.
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
                // After a failed commit, cached pages may differ from the disk. A new connection
                // reads them again.
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

/// State of a transaction.
#[derive(Default)]
struct Batch {
    requests: Vec<Box<dyn QueuedWrite>>,
    notices: Vec<Notice>,
    invalidations: Vec<Invalidation>,
}

impl Batch {
    /// Executes a change and the ones queued behind it, up to the commit.
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
                let commit = request.run(&mut work).await.unwrap_or_else(|failure| {
                    request.fail(failure.into());
                    false
                });
                let WriteTx {
                    conn: mut link,
                    notices,
                    invalidations: touched,
                } = work;
                if commit {
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

/// Checks whether another process has written. `data_version` is specific to this connection and
/// unaffected by its own commits.
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
