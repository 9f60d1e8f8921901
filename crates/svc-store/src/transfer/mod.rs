//! Copies of a whole store: from SQLite to PostgreSQL and back, and for a backup.

mod tables;
#[cfg(test)]
mod tests;

use std::path::Path;

use futures_util::TryStreamExt as _;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection, SqliteConnection};
use svc_admin_api::StoreError;

use crate::error::{DbError, OpenError};
use crate::sql::{Connection, Row, Value};
use crate::url::StoreUrl;
use crate::{migrations, sqlite};
use tables::{ColumnType, NUMBERED_TABLES, TABLES, Table};

/// Why a store could not be copied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransferError {
    /// A store could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store to copy to has data already.
    #[error("the store to copy to is not empty: its table `{0}` has rows")]
    NotEmpty(String),
    /// Another version of the program has written the store.
    #[error("the store has version {version}, but this program copies stores of version {current}")]
    OtherVersion {
        /// Version of the store.
        version: u64,
        /// Version of this program.
        current: u64,
    },
    /// Neither store is SQLite.
    #[error("one of the two stores must be `sqlite:PATH`")]
    NoSqlite,
    /// The file of a backup is damaged.
    #[error("the database is damaged: {0}")]
    Damaged(String),
}

impl From<DbError> for TransferError {
    fn from(error: DbError) -> Self {
        Self::Store(error.into())
    }
}

impl From<sqlx::Error> for TransferError {
    fn from(error: sqlx::Error) -> Self {
        DbError::from(error).into()
    }
}

/// A connection of its own, without a pool.
enum Link {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Link {
    /// Connects to an existing store, which is not changed.
    async fn connect(url: StoreUrl<'_>) -> Result<Self, TransferError> {
        Ok(match url {
            StoreUrl::Sqlite(path) => {
                let options = SqliteConnectOptions::new().filename(path);
                let options = options.busy_timeout(sqlite::BUSY_TIMEOUT);
                Self::Sqlite(options.disable_statement_logging().connect().await?)
            }
            StoreUrl::Postgres(options) => Self::Postgres(options.connect().await?),
        })
    }

    /// Connects to a store, which is created if it does not exist and migrated.
    async fn open(url: StoreUrl<'_>) -> Result<Self, TransferError> {
        let mut link = match url {
            StoreUrl::Sqlite(path) => return Ok(Self::Sqlite(sqlite::open(path).await?.1)),
            url => Self::connect(url).await?,
        };
        migrations::migrate(&mut link.conn()).await?;
        Ok(link)
    }

    fn conn(&mut self) -> Connection<'_> {
        match self {
            Self::Sqlite(link) => Connection::Sqlite(link),
            Self::Postgres(link) => Connection::Postgres(link),
        }
    }

    async fn run(&mut self, sql: &'static str) -> Result<(), TransferError> {
        Ok(self.conn().execute_script(sql).await?)
    }

    /// Begins a transaction in which the store does not change. `is_exclusive` also keeps others
    /// from changing it.
    async fn begin_read(&mut self, is_exclusive: bool) -> Result<(), TransferError> {
        let sql = match (&*self, is_exclusive) {
            (Self::Sqlite(_), false) => "BEGIN",
            (Self::Sqlite(_), true) => "BEGIN IMMEDIATE",
            (Self::Postgres(_), _) => "BEGIN ISOLATION LEVEL REPEATABLE READ",
        };
        self.run(sql).await?;
        if let (Self::Postgres(link), true) = (self, is_exclusive) {
            let sql = format!("LOCK TABLE {} IN SHARE MODE", TABLES.join(", "));
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql))
                .execute(link)
                .await?;
        }
        Ok(())
    }

    /// Begins a transaction that writes to all tables.
    async fn begin_write(&mut self) -> Result<(), TransferError> {
        match self {
            Self::Sqlite(_) => self.run("BEGIN IMMEDIATE").await,
            Self::Postgres(_) => {
                self.run("BEGIN").await?;
                self.run(migrations::DISABLE_TIMEOUTS).await
            }
        }
    }

    async fn close(self) {
        // Errors do not matter: everything is committed or rolled back.
        let _ = match self {
            Self::Sqlite(link) => link.close().await,
            Self::Postgres(link) => link.close().await,
        };
    }
}

/// Copies all rows of a store to another one in a single transaction, and returns their number. Both
/// are migrated to the current version; the store to copy to is created if it does not exist. No
/// other program can change either of them meanwhile. With `replaces`, the rows of the store to
/// copy to are deleted in the same transaction. One of the stores must be SQLite.
///
/// # Errors
/// If a store cannot be opened or fails, or the store to copy to has rows and `replaces` is false.
/// The store to copy to is then unchanged, except for its schema.
pub async fn copy_store(from: &str, to: &str, replaces: bool) -> Result<u64, TransferError> {
    let (from, to) = (StoreUrl::parse(from)?, StoreUrl::parse(to)?);
    if let (StoreUrl::Postgres(_), StoreUrl::Postgres(_)) = (&from, &to) {
        return Err(TransferError::NoSqlite);
    }
    if let StoreUrl::Sqlite(path) = from
        && !path.is_file()
    {
        let text = format!("`{}` does not exist", path.display());
        return Err(StoreError::Unavailable(text).into());
    }
    let mut source = Link::open(from).await?;
    let mut target = Link::open(to).await?;
    source.begin_read(true).await?;
    target.begin_write().await?;
    let copied = copy_rows(&mut source, &mut target, replaces).await;
    if copied.is_ok() {
        target.run("COMMIT").await?;
    }
    source.close().await;
    target.close().await;
    copied
}

/// Writes the state of a store at one moment to a new SQLite file, while servers use the store. A
/// SQLite store is copied as it is, also of another version; one in PostgreSQL must have the current
/// version. Neither is changed.
///
/// # Errors
/// If the store cannot be read or the file cannot be written.
pub async fn back_up_store(url: &str, file: &Path) -> Result<(), TransferError> {
    let path = file.to_str().ok_or_else(|| {
        let text = format!("`{}` is not UTF-8", file.display());
        StoreError::Unavailable(text)
    })?;
    let mut source = Link::connect(StoreUrl::parse(url)?).await?;
    if matches!(source, Link::Sqlite(_)) {
        let mut conn = source.conn();
        let copied = conn.execute("VACUUM INTO $1", &[path.into()]).await;
        source.close().await;
        return Ok(copied.map(drop)?);
    }
    let version = migrations::version(&mut source.conn()).await?.unwrap_or(0);
    if version != migrations::current_version() {
        let current = migrations::current_version();
        return Err(TransferError::OtherVersion { version, current });
    }
    let mut target = Link::open(StoreUrl::Sqlite(file)).await?;
    source.begin_read(false).await?;
    target.begin_write().await?;
    let copied = copy_rows(&mut source, &mut target, false).await;
    if copied.is_ok() {
        target.run("COMMIT").await?;
        // One file, without a write-ahead log beside it.
        target.run("PRAGMA journal_mode = DELETE").await?;
    }
    source.close().await;
    target.close().await;
    copied.map(drop)
}

/// Checks the integrity of a SQLite file that [`back_up_store`] has written, and returns the version
/// of its schema.
///
/// # Errors
/// If the file is damaged, is not a store, or was written by a newer version.
pub async fn check_store_file(file: &Path) -> Result<u64, TransferError> {
    let options = SqliteConnectOptions::new().filename(file).read_only(true);
    let options = options.immutable(true).disable_statement_logging();
    let damaged = |error: DbError| TransferError::Damaged(error.to_string());
    let connection = options.connect().await;
    let mut link = Link::Sqlite(connection.map_err(|error| damaged(error.into()))?);
    let mut conn = link.conn();
    let rows = conn.fetch_all("PRAGMA integrity_check(1)", &[]).await;
    let text = match rows.map_err(damaged)?.first() {
        Some(row) => row.text(0)?,
        None => String::new(),
    };
    if text != "ok" {
        return Err(TransferError::Damaged(text));
    }
    let version = migrations::version(&mut conn).await.map_err(damaged)?;
    link.close().await;
    let max = migrations::current_version();
    match version {
        None => Err(TransferError::Damaged("it is not a store".to_owned())),
        Some(version) if version > max => Err(OpenError::NewerVersion { version, max }.into()),
        Some(version) => Ok(version),
    }
}

async fn copy_rows(
    source: &mut Link,
    target: &mut Link,
    replaces: bool,
) -> Result<u64, TransferError> {
    if replaces {
        for table in TABLES.iter().rev() {
            let deleted = target.conn().execute(tables::delete(table), &[]).await;
            deleted?;
        }
    }
    for table in TABLES {
        let mut conn = target.conn();
        let row = conn.fetch_optional(tables::select_any(table), &[]).await?;
        if row.is_some() {
            return Err(TransferError::NotEmpty((*table).to_owned()));
        }
    }
    let mut count = 0;
    for name in TABLES {
        let ((Link::Sqlite(link), _) | (_, Link::Sqlite(link))) = (&mut *source, &mut *target)
        else {
            return Err(TransferError::NoSqlite);
        };
        let table = Table::of(&mut Connection::Sqlite(link), name).await?;
        count += copy_table(source, target, &table).await?;
    }
    for table in NUMBERED_TABLES {
        let number = tables::last_number(&mut source.conn(), table).await?;
        tables::set_last_number(&mut target.conn(), table, number).await?;
    }
    Ok(count)
}

async fn copy_table(
    source: &mut Link,
    target: &mut Link,
    table: &Table,
) -> Result<u64, TransferError> {
    let mut count = 0;
    let mut from = source.conn();
    let mut rows = from.stream(table.select());
    while let Some(row) = rows.try_next().await? {
        let mut to = target.conn();
        let insert = table.insert(to.is_postgres());
        let values = OwnedValue::of(&row, table)?;
        let values: Vec<Value<'_>> = values.iter().map(OwnedValue::borrow).collect();
        to.execute(insert, &values).await?;
        count += 1;
    }
    Ok(count)
}

/// A value of a row; `None` is NULL.
enum OwnedValue {
    Number(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

impl OwnedValue {
    fn of(row: &Row, table: &Table) -> Result<Vec<Self>, DbError> {
        let columns = table.columns.iter().enumerate();
        columns
            .map(|(column, (_, kind))| {
                Ok(match kind {
                    ColumnType::Number => Self::Number(row.maybe_number(column)?),
                    ColumnType::Text => Self::Text(row.maybe_text(column)?),
                    ColumnType::Bytes => Self::Bytes(row.maybe_bytes(column)?),
                })
            })
            .collect()
    }

    fn borrow(&self) -> Value<'_> {
        match self {
            Self::Number(number) => Value::MaybeNumber(*number),
            Self::Text(text) => Value::MaybeText(text.as_deref()),
            Self::Bytes(bytes) => Value::MaybeBytes(bytes.as_deref()),
        }
    }
}
