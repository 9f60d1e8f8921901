//! Reading connections.

use std::sync::{Mutex, PoisonError};

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteConnectOptions;
use svc_admin_api::StoreError;
use tokio::sync::Semaphore;

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

impl Readers {
    pub(crate) fn new(options: SqliteConnectOptions) -> Self {
        Self {
            // Prevents writes that bypass the writer.
            options: options.pragma("query_only", "ON"),
            idle: Mutex::default(),
            permits: Semaphore::new(MAX_CONNECTIONS),
        }
    }

    /// Calls a function with a connection. A connection whose caller was canceled is not reused.
    pub(crate) async fn with_connection<T>(
        &self,
        read: impl AsyncFnOnce(&mut SqliteConnection) -> T,
    ) -> Result<T, StoreError> {
        let unavailable = |_| StoreError::Unavailable("the store is closed".to_owned());
        let _turn = self.permits.acquire().await.map_err(unavailable)?;
        let idle = self.idle().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => connect(&self.options).await?,
        };
        let result = read(&mut connection).await;
        self.idle().push(connection);
        Ok(result)
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
