//! SQLite: one writer, and readers with their own connections.
//!
//! The file is in WAL mode with `synchronous=FULL`: committed changes are synced to disk, and
//! readers see the state of the last commit without waiting for the writer.

mod readers;
mod writer;

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use svc_admin_api::StoreError;

pub(crate) use readers::{ReaderLease, Readers};
pub(crate) use writer::{QueuedWrite, WriteRequest, run_writer};

use crate::error::{DbError, OpenError};
use crate::migrations;
use crate::sql::Connection;

/// How long a process waits for another one that writes to the same file.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens a database file, which is created if it does not exist, and migrates it.
pub(crate) async fn open(
    path: &Path,
) -> Result<(SqliteConnectOptions, SqliteConnection), OpenError> {
    make_private(path)?;
    let options = SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT);
    let mut connection = connect(&options).await?;
    migrations::migrate(&mut Connection::Sqlite(&mut connection)).await?;
    Ok((options, connection))
}

async fn connect(options: &SqliteConnectOptions) -> Result<SqliteConnection, StoreError> {
    let options = options.clone().disable_statement_logging();
    let end = Instant::now() + BUSY_TIMEOUT;
    loop {
        match options.connect().await {
            Ok(connection) => return Ok(connection),
            // When several connections switch a new file to WAL mode, SQLite lets only one wait;
            // the others fail immediately.
            Err(error) if is_busy(&error) && Instant::now() < end => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => return Err(DbError::from(error).into()),
        }
    }
}

/// Whether another connection has locked the file (`SQLITE_BUSY` and its extended codes).
fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.and_then(|code| code.parse::<u32>().ok())
        .is_some_and(|code| code & 0xff == 5)
}

async fn close(connection: SqliteConnection) {
    // Errors do not matter: the file is always consistent.
    let _ = connection.close().await;
}

/// Creates a new file that only its owner can read. SQLite creates the WAL and index files with the
/// same mode and owner.
fn make_private(path: &Path) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(file) => chown_to_parent(&file, path),
        // Another user with write access to the folder must not redirect the server to another
        // file.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            match std::fs::symlink_metadata(path) {
                Ok(metadata) if metadata.is_symlink() => Err(StoreError::Unavailable(format!(
                    "`{}` is a symbolic link; use the path of its target",
                    path.display()
                ))),
                _ => Ok(()),
            }
        }
        Err(error) => Err(StoreError::Unavailable(format!(
            "`{}` cannot be created: {error}",
            path.display()
        ))),
    }
}

/// Changes the owner of a file that was created by root to the owner of its folder, who needs
/// access.
#[cfg(unix)]
fn chown_to_parent(file: &std::fs::File, path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let dir = path.parent().filter(|dir| *dir != Path::new(""));
    let changed = || {
        let owner = std::fs::metadata(dir.unwrap_or(Path::new(".")))?;
        if file.metadata()?.uid() == 0 && owner.uid() != 0 {
            fchown(file, Some(owner.uid()), Some(owner.gid()))?;
        }
        Ok(())
    };
    changed().map_err(|error: std::io::Error| {
        let shown = path.display();
        let reason =
            format!("the owner of `{shown}` cannot be changed to that of its folder: {error}");
        StoreError::Unavailable(reason)
    })
}

#[cfg(not(unix))]
fn chown_to_parent(_: &std::fs::File, _: &Path) -> Result<(), StoreError> {
    Ok(())
}
