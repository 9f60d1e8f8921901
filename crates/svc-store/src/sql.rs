//! A thin layer over both drivers, with the same statements and rows.
//!
//! Statements are written in the common subset (`$1`, `RETURNING`, `ON CONFLICT`). There are three
//! types of values: integers, texts and bytes.

use std::future::Future;
use std::pin::Pin;

use futures_util::stream::{BoxStream, StreamExt as _, TryStreamExt as _};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, PgConnection, Row as _, SqlSafeStr, SqliteConnection, Type};
use svc_admin_api::Timestamp;

use crate::error::DbError;

pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A parameter of a statement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'a> {
    Number(i64),
    MaybeNumber(Option<i64>),
    Text(&'a str),
    MaybeText(Option<&'a str>),
    Bytes(&'a [u8]),
    MaybeBytes(Option<&'a [u8]>),
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Value<'_> {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for Value<'_> {
    fn from(number: usize) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u64> for Value<'_> {
    fn from(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<Timestamp> for Value<'_> {
    fn from(at: Timestamp) -> Self {
        Self::Number(at.millis())
    }
}

impl From<Option<Timestamp>> for Value<'_> {
    fn from(at: Option<Timestamp>) -> Self {
        Self::MaybeNumber(at.map(Timestamp::millis))
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Self {
        Self::MaybeText(text)
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a> From<&'a [u8; 32]> for Value<'a> {
    fn from(bytes: &'a [u8; 32]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a> From<Option<&'a [u8; 32]>> for Value<'a> {
    fn from(bytes: Option<&'a [u8; 32]>) -> Self {
        Self::MaybeBytes(bytes.map(<[u8; 32]>::as_slice))
    }
}

/// A connection to either database.
#[derive(Debug)]
pub(crate) enum Connection<'a> {
    Sqlite(&'a mut SqliteConnection),
    Postgres(&'a mut PgConnection),
}

/// Binds all values. PostgreSQL does not support U+0000 in texts; both databases store U+FFFD
/// instead.
macro_rules! bind_values {
    ($sql:expr, $values:expr) => {{
        let mut query = sqlx::query($sql);
        for value in $values {
            query = match *value {
                Value::Number(number) => query.bind(number),
                Value::MaybeNumber(number) => query.bind(number),
                Value::Text(text) if text.contains('\0') => {
                    query.bind(text.replace('\0', "\u{fffd}"))
                }
                Value::Text(text) => query.bind(text.to_owned()),
                Value::MaybeText(text) => {
                    query.bind(text.map(|text| text.replace('\0', "\u{fffd}")))
                }
                Value::Bytes(bytes) => query.bind(bytes.to_vec()),
                Value::MaybeBytes(bytes) => query.bind(bytes.map(<[u8]>::to_vec)),
            };
        }
        query
    }};
}

impl Connection<'_> {
    /// Whether this is a connection to PostgreSQL.
    pub(crate) const fn is_postgres(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Returns all rows of a statement.
    pub(crate) async fn fetch_all(
        &mut self,
        sql: impl SqlSafeStr,
        values: &[Value<'_>],
    ) -> Result<Vec<Row>, DbError> {
        Ok(match self {
            Self::Sqlite(conn) => {
                let rows = bind_values!(sql, values).fetch_all(&mut **conn).await?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            Self::Postgres(conn) => {
                let rows = bind_values!(sql, values).fetch_all(&mut **conn).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// Returns the first row of a statement.
    pub(crate) async fn fetch_optional(
        &mut self,
        sql: impl SqlSafeStr,
        values: &[Value<'_>],
    ) -> Result<Option<Row>, DbError> {
        Ok(self.fetch_all(sql, values).await?.into_iter().next())
    }

    /// Executes a statement without result rows. Returns the number of affected rows.
    pub(crate) async fn execute(
        &mut self,
        sql: impl SqlSafeStr,
        values: &[Value<'_>],
    ) -> Result<u64, DbError> {
        Ok(match self {
            Self::Sqlite(conn) => {
                let result = bind_values!(sql, values).execute(&mut **conn).await?;
                result.rows_affected()
            }
            Self::Postgres(conn) => {
                let result = bind_values!(sql, values).execute(&mut **conn).await?;
                result.rows_affected()
            }
        })
    }

    /// Streams the rows of a statement without parameters.
    pub(crate) fn stream<'c>(
        &'c mut self,
        sql: impl SqlSafeStr + 'c,
    ) -> BoxStream<'c, Result<Row, DbError>> {
        match self {
            Self::Sqlite(conn) => {
                let rows = sqlx::query(sql).fetch(&mut **conn);
                rows.map_ok(Row::Sqlite).map_err(DbError::from).boxed()
            }
            Self::Postgres(conn) => {
                let rows = sqlx::query(sql).fetch(&mut **conn);
                rows.map_ok(Row::Postgres).map_err(DbError::from).boxed()
            }
        }
    }

    /// Executes statements without parameters.
    pub(crate) async fn execute_script(&mut self, sql: &'static str) -> Result<(), DbError> {
        match self {
            Self::Sqlite(conn) => {
                sqlx::raw_sql(sql).execute(&mut **conn).await?;
            }
            Self::Postgres(conn) => {
                sqlx::raw_sql(sql).execute(&mut **conn).await?;
            }
        }
        Ok(())
    }
}

/// A row of either database. A value of another type is [`DbError::Corrupt`].
#[derive(Debug)]
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    fn get<T>(&self, column: usize) -> Result<T, DbError>
    where
        T: for<'r> Decode<'r, sqlx::Sqlite> + Type<sqlx::Sqlite>,
        T: for<'r> Decode<'r, sqlx::Postgres> + Type<sqlx::Postgres>,
    {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    pub(crate) fn number(&self, column: usize) -> Result<i64, DbError> {
        self.get(column)
    }

    pub(crate) fn maybe_number(&self, column: usize) -> Result<Option<i64>, DbError> {
        self.get(column)
    }

    pub(crate) fn maybe_bytes(&self, column: usize) -> Result<Option<Vec<u8>>, DbError> {
        self.get(column)
    }

    pub(crate) fn text(&self, column: usize) -> Result<String, DbError> {
        self.get(column)
    }

    pub(crate) fn maybe_text(&self, column: usize) -> Result<Option<String>, DbError> {
        self.get(column)
    }

    pub(crate) fn bytes(&self, column: usize) -> Result<Vec<u8>, DbError> {
        self.get(column)
    }

    pub(crate) fn hash(&self, column: usize) -> Result<[u8; 32], DbError> {
        let bytes = self.bytes(column)?;
        bytes.try_into().map_err(|_| DbError::corrupt("a hash"))
    }

    pub(crate) fn maybe_hash(&self, column: usize) -> Result<Option<[u8; 32]>, DbError> {
        let bytes: Option<Vec<u8>> = self.get(column)?;
        let hash = bytes.map(|bytes| bytes.try_into().map_err(|_| DbError::corrupt("a hash")));
        hash.transpose()
    }

    /// An integer of a smaller type.
    pub(crate) fn small<T: TryFrom<i64>>(&self, column: usize) -> Result<T, DbError> {
        let number = self.number(column)?;
        T::try_from(number).map_err(|_| DbError::corrupt("a number"))
    }

    pub(crate) fn time(&self, column: usize) -> Result<Timestamp, DbError> {
        parse_timestamp(self.number(column)?)
    }

    pub(crate) fn maybe_time(&self, column: usize) -> Result<Option<Timestamp>, DbError> {
        self.get::<Option<i64>>(column)?
            .map(parse_timestamp)
            .transpose()
    }

    /// A text that is parsed into a type.
    pub(crate) fn parse<T: TryFrom<String>>(&self, column: usize) -> Result<T, DbError> {
        parse_text(self.text(column)?)
    }

    /// An optional text that is parsed into a type.
    pub(crate) fn maybe_parse<T: TryFrom<String>>(
        &self,
        column: usize,
    ) -> Result<Option<T>, DbError> {
        self.maybe_text(column)?.map(parse_text).transpose()
    }
}

fn parse_text<T: TryFrom<String>>(text: String) -> Result<T, DbError> {
    T::try_from(text).map_err(|_| DbError::corrupt(std::any::type_name::<T>()))
}

fn parse_timestamp(millis: i64) -> Result<Timestamp, DbError> {
    let at = Timestamp::from_millis(millis);
    // Timestamps are clamped to the supported years.
    let in_range = at.millis() == millis;
    in_range
        .then_some(at)
        .ok_or_else(|| DbError::corrupt("a point in time"))
}
