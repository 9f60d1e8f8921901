//! The store itself.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use sqlx::PgPool;
use svc_admin_api::{StoreError, Timestamp};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::AbortHandle;

use crate::cache::Cache;
use crate::error::{DbError, OpenError};
use crate::notice::{Notice, NoticeChannel};
use crate::queries::actions::{self, ServerRecord, SharedAction};
use crate::sql::Connection;
use crate::transaction::TxFn;
use crate::{postgres, sqlite};

/// Changes that may wait for the writer of SQLite; more have to wait until they may wait.
const MAX_QUEUED: usize = 1_024;

/// A store on SQLite or PostgreSQL. Clones are the same store.
#[derive(Debug, Clone)]
pub struct Database(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Nothing as long as it is not open.
    backend: OnceLock<Backend>,
    notices: Arc<NoticeChannel>,
}

enum Backend {
    Sqlite {
        /// Nothing when the store is closed.
        writer: Mutex<Option<mpsc::Sender<Box<dyn sqlite::QueuedWrite>>>>,
        writer_task: tokio::sync::Mutex<Option<tokio::task::JoinHandle<()>>>,
        readers: Box<sqlite::Readers>,
        cache: Arc<Cache>,
    },
    Postgres {
        pool: PgPool,
        listener: AbortHandle,
    },
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
    async fn open(address: &str, notices: &Arc<NoticeChannel>) -> Result<Self, OpenError> {
        if let Some(path) = address.strip_prefix("sqlite:") {
            if path.is_empty() {
                let text = "after `sqlite:` comes the path of a file";
                return Err(OpenError::InvalidUrl(text.to_owned()));
            }
            let (options, connection) = sqlite::open(Path::new(path)).await?;
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
        } else if address.starts_with("postgres:") || address.starts_with("postgresql:") {
            let pool = postgres::open(address).await?;
            let listening = tokio::spawn(postgres::listen(pool.clone(), notices.clone()));
            Ok(Self::Postgres {
                pool,
                listener: listening.abort_handle(),
            })
        } else {
            // The address itself may hold a password.
            let text = "it begins with neither `sqlite:` nor `postgres:`";
            Err(OpenError::InvalidUrl(text.to_owned()))
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
    /// Opens a store: `sqlite:PATH`, a file that is made when it is not there, or
    /// `postgres://USER:PASSWORD@HOST/DATABASE`. Older tables are brought to the present version.
    /// To be called in a runtime of tokio, which has to go on as long as the store is used.
    ///
    /// # Errors
    /// When the address is none, the store cannot be reached, or a newer program has written it.
    pub async fn open(address: &str) -> Result<Self, OpenError> {
        let database = Self::new();
        database.open_at(address).await?;
        Ok(database)
    }

    /// A store for a program that has other things to do until the database is there: all calls
    /// are [`StoreError::Unavailable`] until [`open_at`](Self::open_at) succeeds.
    pub fn new() -> Self {
        Self(Arc::new(Inner {
            backend: OnceLock::new(),
            notices: Arc::default(),
        }))
    }

    /// Opens a store that is not open yet, as [`open`](Self::open) does. May be tried again after
    /// a failure; one that is open stays what it is.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub async fn open_at(&self, address: &str) -> Result<(), OpenError> {
        if self.is_open() {
            return Ok(());
        }
        let kind = Backend::open(address, &self.0.notices).await?;
        // Somebody else may have been quicker. What is dropped then ends by itself.
        let _ = self.0.backend.set(kind);
        Ok(())
    }

    /// Whether it was opened. Afterwards it may be closed, or the database away, all the same.
    pub fn is_open(&self) -> bool {
        self.0.backend.get().is_some()
    }

    fn backend(&self) -> Result<&Backend, StoreError> {
        let unopened = || StoreError::Unavailable("the store is not open yet".to_owned());
        self.0.backend.get().ok_or_else(unopened)
    }

    /// What the servers of the database tell each other, from now on: on PostgreSQL all of them,
    /// on SQLite this process.
    pub fn subscribe(&self) -> broadcast::Receiver<Notice> {
        self.0.notices.subscribe()
    }

    /// Adds something that a server was asked to do and that the others are to do as well; they
    /// hear [`Notice::Action`].
    ///
    /// # Errors
    /// When the database is not available.
    pub async fn add_action(
        &self,
        server: &str,
        at: Timestamp,
        document: String,
    ) -> Result<(), StoreError> {
        let arguments = (server.to_owned(), at, document);
        self.change(actions::add, arguments).await
    }

    /// Notes that a server is there. One that is new has all actions before it.
    ///
    /// # Errors
    /// When the database is not available.
    pub async fn put_server(&self, id: &str, name: &str, now: Timestamp) -> Result<(), StoreError> {
        let arguments = (id.to_owned(), name.to_owned(), now);
        self.change(actions::put_server, arguments).await
    }

    /// The next actions of a server in their order, its own ones included.
    ///
    /// # Errors
    /// When the database is not available.
    pub async fn actions(&self, server: &str) -> Result<Vec<SharedAction>, StoreError> {
        self.read(async |link| actions::list_after(link, server).await)
            .await
    }

    /// Notes that a server has done all actions up to a number.
    ///
    /// # Errors
    /// When the database is not available.
    pub async fn advance(&self, server: &str, number: u64) -> Result<(), StoreError> {
        let arguments = (server.to_owned(), number);
        self.change(actions::advance, arguments).await
    }

    /// The servers of the database by name.
    ///
    /// # Errors
    /// When the database is not available.
    pub async fn servers(&self) -> Result<Vec<ServerRecord>, StoreError> {
        self.read(async |link| actions::list_servers(link).await)
            .await
    }

    /// Forgets actions and servers of before a point in time.
    ///
    /// # Errors
    /// When the database is not available.
    pub async fn delete_actions(&self, before: Timestamp) -> Result<(), StoreError> {
        self.change(actions::delete_before, before).await
    }

    /// Closes all connections, after what is under way. Later calls are
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
                    // It ends when all that was asked is answered.
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

    /// Makes a change.
    pub(crate) async fn change<A, T>(&self, op: TxFn<A, T>, arguments: A) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        match self.backend()? {
            Backend::Sqlite { writer, .. } => {
                let (reply, answer) = oneshot::channel();
                let result = None;
                let asked = sqlite::WriteRequest {
                    op,
                    arguments,
                    reply,
                    result,
                };
                let writer = lock(writer).clone().ok_or_else(closed_error)?;
                let sent = writer.send(Box::new(asked)).await;
                sent.map_err(|_| closed_error())?;
                drop(writer);
                answer.await.map_err(|_| closed_error())?
            }
            Backend::Postgres { pool, .. } => postgres::change(pool, op, &arguments).await,
        }
    }

    /// Reads something.
    pub(crate) async fn read<T>(
        &self,
        read: impl AsyncFnOnce(&mut Connection<'_>) -> Result<T, DbError>,
    ) -> Result<T, StoreError> {
        match self.backend()? {
            Backend::Sqlite { readers, .. } => {
                let answer =
                    readers.with_connection(async |link| read(&mut Connection::Sqlite(link)).await);
                Ok(answer.await??)
            }
            Backend::Postgres { pool, .. } => postgres::read(pool, read).await,
        }
    }

    /// What may be answered from memory; nothing where others may write at any time.
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

fn closed_error() -> StoreError {
    StoreError::Unavailable("the store is closed".to_owned())
}
