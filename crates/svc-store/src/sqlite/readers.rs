//! Reading connections.

use std::sync::{Mutex, PoisonError};

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteConnectOptions;
use svc_admin_api::StoreError;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{close, connect};

/// Maximum number of connections; each has a thread.
const MAX_CONNECTIONS: usize = 4;

/// A pool of connections, opened on demand.
#[derive(Debug)]
pub(crate) struct Readers {
    options: SqliteConnectOptions,
    idle: Mutex<Vec<SqliteConnection>>,
    permits: Semaphore,
}

/// A connection of the pool. One whose caller was canceled is not reused: it must be released.
pub(crate) struct ReaderLease<'a> {
    pub(crate) connection: SqliteConnection,
    readers: &'a Readers,
    _permit: SemaphorePermit<'a>,
}

impl ReaderLease<'_> {
    /// Returns the connection to the pool.
    pub(crate) fn release(self) {
        self.readers.idle().push(self.connection);
    }
}

impl Readers {
    pub(crate) fn new(options: SqliteConnectOptions) -> Self {
        Self {
            // Prevents writes that bypass the writer.
            options: options.pragma("query_only", "ON"),
            idle: Mutex::default(),
            permits: Semaphore::new(MAX_CONNECTIONS),
        }
    }

    /// Takes a connection from the pool, or opens one.
    pub(crate) async fn lease(&self) -> Result<ReaderLease<'_>, StoreError> {
        let closed = |_| StoreError::Unavailable("the store is closed".to_owned());
        let permit = self.permits.acquire().await.map_err(closed)?;
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connect(&self.options).await?,
        };
        Ok(ReaderLease {
            connection,
            readers: self,
            _permit: permit,
        })
    }

    pub(crate) async fn close(&self) {
        self.permits.close();
        let idle = std::mem::take(&mut *self.idle());
        for connection in idle {
            close(connection).await;
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<SqliteConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
