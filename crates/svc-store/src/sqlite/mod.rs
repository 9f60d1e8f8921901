//! SQLite: one writer, and readers on connections of their own.
//!
//! The file is in WAL mode with `synchronous=FULL`: what is answered has been synchronised to the
//! disk, and readers see the state of the last commit without waiting for the writer.

mod readers;
mod writer;

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use svc_admin_api::StoreError;

pub(crate) use readers::Readers;
pub(crate) use writer::{QueuedWrite, WriteRequest, run_writer};

use crate::error::{DbError, OpenError};
use crate::migrations;
use crate::sql::Connection;

/// How long one process waits for another that writes to the same file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens a file, which is made when it is not there, and brings it to the present version.
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
            // Of several that turn a new file into one with a log beside it SQLite lets only one
            // wait; the others are sent away at once.
            Err(error) if is_busy(&error) && Instant::now() < end => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => return Err(DbError::from(error).into()),
        }
    }
}

/// Whether another connection has the file at this moment (`SQLITE_BUSY` and its kinds).
fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.and_then(|code| code.parse::<u32>().ok())
        .is_some_and(|code| code & 0xff == 5)
}

async fn close(connection: SqliteConnection) {
    // Nothing depends on it: the file is complete at any time.
    let _ = connection.close().await;
}

/// Makes a new file that nobody else may read; its companions get mode and owner from it.
fn make_private(path: &Path) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(file) => chown_to_parent(&file, path),
        // Whoever may write to the folder must not lead the server to a file elsewhere.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            match std::fs::symlink_metadata(path) {
                Ok(found) if found.is_symlink() => Err(StoreError::Unavailable(format!(
                    "`{}` is a link; name the file that it leads to",
                    path.display()
                ))),
                _ => Ok(()),
            }
        }
        Err(error) => Err(StoreError::Unavailable(format!(
            "`{}` cannot be made: {error}",
            path.display()
        ))),
    }
}

/// Gives a file that root has made to the owner of its folder, who has to read it.
#[cfg(unix)]
fn chown_to_parent(file: &std::fs::File, path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let given = || {
        let owner = std::fs::metadata(folder.unwrap_or(Path::new(".")))?;
        if file.metadata()?.uid() == 0 && owner.uid() != 0 {
            fchown(file, Some(owner.uid()), Some(owner.gid()))?;
        }
        Ok(())
    };
    given().map_err(|error: std::io::Error| {
        let shown = path.display();
        let why = format!("`{shown}` cannot be given to the owner of its folder: {error}");
        StoreError::Unavailable(why)
    })
}

#[cfg(not(unix))]
fn chown_to_parent(_: &std::fs::File, _: &Path) -> Result<(), StoreError> {
    Ok(())
}
