//! The database handle.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use sqlx::PgPool;
use sqlx::pool::PoolConnection;
use svc_admin_api::{StoreError, Timestamp};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::cache::Cache;
use crate::error::{DbError, OpenError};
use crate::notice::{Notice, NoticeChannel};
use crate::queries::actions::{self, ServerRecord, SharedAction};
use crate::queries::readers::{self, ReaderRevocation};
use crate::queries::shared_keys;
use crate::sql::{BoxFuture, Connection};
use crate::sqlite::{QueuedWrite, WriteRequest};
use crate::statistics::{OperationCounters, StoreStatistics};
use crate::transaction::TxFn;
use crate::url::StoreUrl;
use crate::{postgres, sqlite};

/// Maximum number of queued changes for the SQLite writer.
const MAX_QUEUED: usize = 1_024;

/// A store on SQLite or PostgreSQL. Clones share the store.
#[derive(Debug, Clone)]
pub struct Database(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Empty until the store is open.
    backend: OnceLock<Backend>,
    notices: Arc<NoticeChannel>,
    counters: OperationCounters,
}

enum Backend {
    Sqlite {
        /// `None` if the store is closed.
        writer: Mutex<Option<mpsc::Sender<Box<dyn QueuedWrite>>>>,
        writer_task: tokio::sync::Mutex<Option<tokio::task::JoinHandle<()>>>,
        readers: Box<sqlite::Readers>,
        cache: Arc<Cache>,
    },
    Postgres {
        pool: PgPool,
        listener: AbortHandle,
    },
}

/// A connection for a read, with its deadline if there is one.
enum Reader<'a> {
    Sqlite(sqlite::ReaderLease<'a>),
    Postgres(PoolConnection<sqlx::Postgres>, Instant),
}

impl std::fmt::Debug for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Sqlite { .. } => "Sqlite",
            Self::Postgres { .. } => "Postgres",
        })
    }
}

impl Backend {
    async fn open(url: &str, notices: &Arc<NoticeChannel>) -> Result<Self, OpenError> {
        match StoreUrl::parse(url)? {
            StoreUrl::Sqlite(path) => {
                let (options, connection) = sqlite::open(path).await?;
                let cache = Arc::new(Cache::default());
                let (writer, requests) = mpsc::channel(MAX_QUEUED);
                let writing = tokio::spawn(sqlite::run_writer(
                    options.clone(),
                    connection,
                    requests,
                    cache.clone(),
                    notices.clone(),
                ));
                Ok(Self::Sqlite {
                    writer: Mutex::new(Some(writer)),
                    writer_task: tokio::sync::Mutex::new(Some(writing)),
                    readers: Box::new(sqlite::Readers::new(options)),
                    cache,
                })
            }
            StoreUrl::Postgres(options) => {
                let pool = postgres::open(*options).await?;
                let listening = tokio::spawn(postgres::listen(pool.clone(), notices.clone()));
                Ok(Self::Postgres {
                    pool,
                    listener: listening.abort_handle(),
                })
            }
        }
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        if let Self::Postgres {
            listener: listening,
            ..
        } = self
        {
            listening.abort();
        }
    }
}

impl Database {
    /// Opens a store: `sqlite:PATH`, a file that is created if it does not exist, or
    /// `postgres://USER:PASSWORD@HOST/DATABASE`. Migrates older schemas to the current version.
    /// Must be called in a Tokio runtime that runs as long as the store is used.
    ///
    /// # Errors
    /// When the URL is invalid, the store cannot be reached, or a newer version has written it.
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        let database = Self::closed();
        database.open_at(url).await?;
        Ok(database)
    }

    /// Creates a store that is not open yet. All calls return [`StoreError::Unavailable`] until
    /// [`open_at`](Self::open_at) succeeds.
    pub fn closed() -> Self {
        Self(Arc::new(Inner {
            backend: OnceLock::new(),
            notices: Arc::default(),
            counters: OperationCounters::default(),
        }))
    }

    /// Opens a store that was created with [`closed`](Self::closed). May be retried after an error; has
    /// no effect on an open store.
    ///
    /// # Errors
    /// Same as [`open`](Self::open).
    pub async fn open_at(&self, url: &str) -> Result<(), OpenError> {
        if self.is_open() {
            return Ok(());
        }
        let kind = Backend::open(url, &self.0.notices).await?;
        // Another call may have opened the store already. A dropped backend stops by itself.
        let _ = self.0.backend.set(kind);
        Ok(())
    }

    /// Whether the store was opened. It may have been closed since, or the database may be
    /// unreachable.
    pub fn is_open(&self) -> bool {
        self.0.backend.get().is_some()
    }

    /// Whether the store is open and the last operation reached it.
    pub fn is_reachable(&self) -> bool {
        self.is_open() && self.0.counters.is_reachable()
    }

    /// Numbers of operations since the store was created.
    pub fn statistics(&self) -> StoreStatistics {
        self.0.counters.read()
    }

    fn backend(&self) -> Result<&Backend, StoreError> {
        let unopened = || StoreError::Unavailable("the store is not open yet".to_owned());
        self.0.backend.get().ok_or_else(unopened)
    }

    /// Subscribes to notifications: of all servers on PostgreSQL, of this process on SQLite.
    pub fn subscribe(&self) -> broadcast::Receiver<Notice> {
        self.0.notices.subscribe()
    }

    /// Adds an action of a server that the other servers must also perform. They receive
    /// [`Notice::Action`].
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn add_action(
        &self,
        server: &str,
        at: Timestamp,
        document: String,
    ) -> Result<(), StoreError> {
        let arguments = (server.to_owned(), at, document);
        self.change(actions::add, arguments).await
    }

    /// Records that a server is running. A new server starts before all existing actions.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn put_server(&self, id: &str, name: &str, now: Timestamp) -> Result<(), StoreError> {
        let arguments = (id.to_owned(), name.to_owned(), now);
        self.change(actions::put_server, arguments).await
    }

    /// The next actions for a server in order, including its own.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn actions(&self, server: &str) -> Result<Vec<SharedAction>, StoreError> {
        self.read(async |link| actions::list_after(link, server).await)
            .await
    }

    /// Records that a server has performed all actions up to a number.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn advance(&self, server: &str, number: u64) -> Result<(), StoreError> {
        let arguments = (server.to_owned(), number);
        self.change(actions::advance, arguments).await
    }

    /// The servers of the database by name.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn servers(&self) -> Result<Vec<ServerRecord>, StoreError> {
        self.read(async |link| actions::list_servers(link).await)
            .await
    }

    /// Deletes actions and servers from before a time.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn delete_actions(&self, before: Timestamp) -> Result<(), StoreError> {
        self.change(actions::delete_before, before).await
    }

    /// The secret with a name, which all servers of the database share. The first server stores
    /// `value`.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn shared_key(&self, name: &str, value: &str) -> Result<String, StoreError> {
        let arguments = (name.to_owned(), value.to_owned());
        self.change(shared_keys::get_or_insert, arguments).await
    }

    /// Uses an ID of readers until its end; `digest` stands for it. Returns `false` if it has been
    /// used before, at any server of the database.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn claim_reader_id(
        &self,
        digest: [u8; 32],
        ends_at: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.change(readers::claim, (digest, ends_at, now)).await
    }

    /// The next sessions of readers that ended, in the order of their numbers, after a number.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn reader_revocations(
        &self,
        after: u64,
    ) -> Result<Vec<ReaderRevocation>, StoreError> {
        self.read(async |conn| readers::revocations_after(conn, after).await)
            .await
    }

    /// Completes pending calls and closes all connections. Later calls return
    /// [`StoreError::Unavailable`].
    pub async fn close(&self) {
        let Some(kind) = self.0.backend.get() else {
            return;
        };
        match kind {
            Backend::Sqlite {
                writer,
                writer_task: writing,
                readers,
                ..
            } => {
                readers.close().await;
                drop(lock(writer).take());
                if let Some(writing) = writing.lock().await.take() {
                    // Ends when all queued changes are done.
                    let _ = writing.await;
                }
            }
            Backend::Postgres {
                pool,
                listener: listening,
            } => {
                listening.abort();
                pool.close().await;
            }
        }
    }

    /// Executes a change.
    pub(crate) async fn change<A, T>(&self, op: TxFn<A, T>, arguments: A) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        let begin = Instant::now();
        let (reply, response) = oneshot::channel();
        let request = WriteRequest::new(op, arguments, reply);
        let result = match self.submit(Box::new(request)).await {
            Ok(()) => response.await.unwrap_or_else(|_| Err(closed_error())),
            Err(error) => Err(error),
        };
        self.0
            .counters
            .record_change(is_unavailable(&result), begin);
        result
    }

    /// Sends a change to its backend, which responds to the caller. Boxed, like [`reader`](Self::reader),
    /// so that it is not compiled once per type of change.
    fn submit(&self, mut request: Box<dyn QueuedWrite>) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            match self.backend()? {
                Backend::Sqlite { writer, .. } => {
                    let writer = lock(writer).clone().ok_or_else(closed_error)?;
                    writer.send(request).await.map_err(|_| closed_error())
                }
                Backend::Postgres { pool, .. } => {
                    let committed = postgres::change(pool, &mut *request).await;
                    request.respond(committed);
                    Ok(())
                }
            }
        })
    }

    /// Executes a read.
    pub(crate) async fn read<T>(
        &self,
        read: impl AsyncFnOnce(&mut Connection<'_>) -> Result<T, DbError>,
    ) -> Result<T, StoreError> {
        let begin = Instant::now();
        let result = self.read_uncounted(read).await;
        self.0.counters.record_read(is_unavailable(&result), begin);
        result
    }

    async fn read_uncounted<T>(
        &self,
        read: impl AsyncFnOnce(&mut Connection<'_>) -> Result<T, DbError>,
    ) -> Result<T, StoreError> {
        match self.reader().await? {
            Reader::Sqlite(mut lease) => {
                let result = read(&mut Connection::Sqlite(&mut lease.connection)).await;
                lease.release();
                Ok(result?)
            }
            Reader::Postgres(mut connection, deadline) => {
                let mut connection = Connection::Postgres(&mut connection);
                let result = tokio::time::timeout_at(deadline, read(&mut connection)).await;
                Ok(result.map_err(postgres::timeout_error)??)
            }
        }
    }

    /// A connection for a read.
    fn reader(&self) -> BoxFuture<'_, Result<Reader<'_>, StoreError>> {
        Box::pin(async move {
            Ok(match self.backend()? {
                Backend::Sqlite { readers, .. } => Reader::Sqlite(readers.lease().await?),
                Backend::Postgres { pool, .. } => {
                    let (connection, deadline) = postgres::connection(pool).await?;
                    Reader::Postgres(connection, deadline)
                }
            })
        })
    }

    /// The read cache; `None` for databases with other writers.
    pub(crate) fn cache(&self) -> Option<&Cache> {
        match self.0.backend.get()? {
            Backend::Sqlite { cache, .. } => Some(cache),
            Backend::Postgres { .. } => None,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const fn is_unavailable<T>(result: &Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Unavailable(_)))
}

fn closed_error() -> StoreError {
    StoreError::Unavailable("the store is closed".to_owned())
}
