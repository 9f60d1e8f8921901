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
use crate::failure::Failure;
use crate::notice::{Notice, Notices};
use crate::sql::{Boxed, Link};
use crate::work::{Ends, Op, Touched, Work};

/// Changes in one transaction.
const MOST: usize = 256;

/// How often the writer looks whether other processes wrote, while anything is answered from
/// memory.
const LOOK: Duration = Duration::from_millis(200);

const VERSION: &str = "PRAGMA data_version";

/// A change that somebody waits for.
pub(crate) trait Request: Send {
    /// Makes the change, and says whether what it wrote is to stay.
    fn run<'a>(&'a mut self, work: &'a mut Work<'_>) -> Boxed<'a, bool>;
    /// Tells whoever waits what came of it.
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

/// A change with its arguments and the way back.
pub(crate) struct Asked<A, T> {
    pub(crate) op: Op<A, T>,
    pub(crate) arguments: A,
    pub(crate) reply: oneshot::Sender<Result<T, StoreError>>,
    pub(crate) result: Option<Result<T, StoreError>>,
}

impl<A: Send + Sync, T: Send> Request for Asked<A, T> {
    fn run<'a>(&'a mut self, work: &'a mut Work<'_>) -> Boxed<'a, bool> {
        Box::pin(async move {
            let (keep, result) = match (self.op)(work, &self.arguments).await {
                Ok(Ends::Keep(value)) => (true, Ok(value)),
                Ok(Ends::Undo(value)) => (false, Ok(value)),
                Err(failure) => (false, Err(failure.into())),
            };
            self.result = Some(result);
            keep
        })
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let stopped = || Err(StoreError::Unavailable("it was not tried".to_owned()));
        let Self { reply, result, .. } = *self;
        let result = committed.and_then(|()| result.unwrap_or_else(stopped));
        // Whoever asked may have gone away.
        let _ = reply.send(result);
    }
}

/// Makes changes until nobody is left who could ask for one.
pub(crate) async fn write(
    options: SqliteConnectOptions,
    connection: SqliteConnection,
    mut requests: mpsc::Receiver<Box<dyn Request>>,
    cache: Arc<Cache>,
    notices: Arc<Notices>,
) {
    let mut connection = Some(connection);
    let mut version = None;
    loop {
        // However much there is to write: without a look nothing is answered from memory.
        if cache.takes_a_look(LOOK) {
            version = look(&mut connection, version, &cache).await;
        }
        let request = tokio::select! {
            biased;
            request = requests.recv() => request,
            () = cache.wants_a_look(LOOK) => continue,
        };
        let Some(first) = request else { break };
        let mut link = match connection.take() {
            Some(link) => link,
            None => match connect(&options).await {
                Ok(link) => link,
                Err(error) => {
                    first.answer(Err(error));
                    continue;
                }
            },
        };
        let mut batch = Batch::default();
        let done = batch.run(&mut link, first, &mut requests).await;
        let done = match done {
            Ok(()) => {
                // Nobody may be answered from memory with what this commit ends.
                cache.block(&batch.touched);
                let done = Link::Sqlite(&mut link).script("COMMIT").await;
                cache.unblock(&batch.touched);
                done
            }
            Err(failure) => Err(failure),
        };
        match done {
            Ok(()) => {
                connection = Some(link);
                for notice in batch.notices {
                    notices.tell(notice);
                }
                for request in batch.requests {
                    request.answer(Ok(()));
                }
            }
            Err(failure) => {
                // After a failed commit, nothing is known of what the system has in memory for
                // the disk: a new connection reads it from there.
                close(link).await;
                version = None;
                let error = StoreError::from(failure);
                for request in batch.requests {
                    request.answer(Err(error.clone()));
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
    requests: Vec<Box<dyn Request>>,
    notices: Vec<Notice>,
    touched: Vec<Touched>,
}

impl Batch {
    /// Makes a change, and those that wait by then, up to the commit.
    async fn run(
        &mut self,
        connection: &mut SqliteConnection,
        first: Box<dyn Request>,
        others: &mut mpsc::Receiver<Box<dyn Request>>,
    ) -> Result<(), Failure> {
        self.requests.push(first);
        Link::Sqlite(connection).script("BEGIN IMMEDIATE").await?;
        loop {
            if let Some(request) = self.requests.last_mut() {
                Link::Sqlite(connection).script("SAVEPOINT one").await?;
                let mut work = Work::new(Link::Sqlite(connection));
                let keep = request.run(&mut work).await;
                let Work {
                    mut link,
                    notices,
                    touched,
                } = work;
                if keep {
                    self.notices.extend(notices);
                    self.touched.extend(touched);
                } else {
                    link.script("ROLLBACK TO one").await?;
                }
                link.script("RELEASE one").await?;
            }
            if self.requests.len() >= MOST {
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
/// its own commits leave it as it is.
async fn look(
    connection: &mut Option<SqliteConnection>,
    before: Option<i64>,
    cache: &Cache,
) -> Option<i64> {
    let now = match connection {
        Some(connection) => {
            let row = Link::Sqlite(connection).row(VERSION, &[]).await;
            row.ok().flatten().and_then(|row| row.number(0).ok())
        }
        None => None,
    };
    if now.is_none() || now != before {
        cache.clear();
    }
    if now.is_some() {
        cache.looked();
    }
    now
}
