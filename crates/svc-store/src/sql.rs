//! One small layer over the two drivers: the same statements and the same rows for both.
//!
//! Statements are written in what both understand (`$1`, `RETURNING`, `ON CONFLICT`). There are
//! three kinds of values: whole numbers, texts and bytes.

use std::future::Future;
use std::pin::Pin;

use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, PgConnection, Row as _, SqliteConnection, Type};
use svc_admin_api::Timestamp;

use crate::error::DbError;

/// A future in a box.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A value of a statement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'a> {
    Number(i64),
    MaybeNumber(Option<i64>),
    Text(&'a str),
    MaybeText(Option<&'a str>),
    Bytes(&'a [u8]),
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

/// A connection of either kind.
#[derive(Debug)]
pub(crate) enum Connection<'a> {
    Sqlite(&'a mut SqliteConnection),
    Postgres(&'a mut PgConnection),
}

/// Binds all values. PostgreSQL has no U+0000 in texts; both stores keep U+FFFD for it.
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
            };
        }
        query
    }};
}

impl Connection<'_> {
    /// Whether it leads to PostgreSQL.
    pub(crate) const fn is_postgres(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// The rows of a statement.
    pub(crate) async fn fetch_all(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Vec<Row>, DbError> {
        Ok(match self {
            Self::Sqlite(link) => {
                let rows = bind_values!(sql, values).fetch_all(&mut **link).await?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            Self::Postgres(link) => {
                let rows = bind_values!(sql, values).fetch_all(&mut **link).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// The first row of a statement.
    pub(crate) async fn fetch_optional(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Option<Row>, DbError> {
        Ok(self.fetch_all(sql, values).await?.into_iter().next())
    }

    /// Runs a statement that has no rows, and says how many it changed.
    pub(crate) async fn execute(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<u64, DbError> {
        Ok(match self {
            Self::Sqlite(link) => {
                let done = bind_values!(sql, values).execute(&mut **link).await?;
                done.rows_affected()
            }
            Self::Postgres(link) => {
                let done = bind_values!(sql, values).execute(&mut **link).await?;
                done.rows_affected()
            }
        })
    }

    /// Runs statements without values.
    pub(crate) async fn execute_script(&mut self, sql: &'static str) -> Result<(), DbError> {
        match self {
            Self::Sqlite(link) => {
                sqlx::raw_sql(sql).execute(&mut **link).await?;
            }
            Self::Postgres(link) => {
                sqlx::raw_sql(sql).execute(&mut **link).await?;
            }
        }
        Ok(())
    }
}

/// A row of either kind. What is not of the type that is asked for is [`DbError::Corrupt`].
#[derive(Debug)]
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    fn get<T>(&self, place: usize) -> Result<T, DbError>
    where
        T: for<'r> Decode<'r, sqlx::Sqlite> + Type<sqlx::Sqlite>,
        T: for<'r> Decode<'r, sqlx::Postgres> + Type<sqlx::Postgres>,
    {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(place)?,
            Self::Postgres(row) => row.try_get(place)?,
        })
    }

    pub(crate) fn number(&self, place: usize) -> Result<i64, DbError> {
        self.get(place)
    }

    pub(crate) fn text(&self, place: usize) -> Result<String, DbError> {
        self.get(place)
    }

    pub(crate) fn maybe_text(&self, place: usize) -> Result<Option<String>, DbError> {
        self.get(place)
    }

    pub(crate) fn bytes(&self, place: usize) -> Result<Vec<u8>, DbError> {
        self.get(place)
    }

    pub(crate) fn hash(&self, place: usize) -> Result<[u8; 32], DbError> {
        let bytes = self.bytes(place)?;
        bytes.try_into().map_err(|_| DbError::corrupt("a hash"))
    }

    /// A number of a smaller type.
    pub(crate) fn small<T: TryFrom<i64>>(&self, place: usize) -> Result<T, DbError> {
        let number = self.number(place)?;
        T::try_from(number).map_err(|_| DbError::corrupt("a number"))
    }

    pub(crate) fn time(&self, place: usize) -> Result<Timestamp, DbError> {
        parse_timestamp(self.number(place)?)
    }

    pub(crate) fn maybe_time(&self, place: usize) -> Result<Option<Timestamp>, DbError> {
        self.get::<Option<i64>>(place)?.map(parse_timestamp).transpose()
    }

    /// A text that has to fit a type.
    pub(crate) fn parse<T: TryFrom<String>>(&self, place: usize) -> Result<T, DbError> {
        parse_text(self.text(place)?)
    }

    /// A text that has to fit a type, where there is one.
    pub(crate) fn maybe_parse<T: TryFrom<String>>(
        &self,
        place: usize,
    ) -> Result<Option<T>, DbError> {
        self.maybe_text(place)?.map(parse_text).transpose()
    }
}

fn parse_text<T: TryFrom<String>>(text: String) -> Result<T, DbError> {
    T::try_from(text).map_err(|_| DbError::corrupt(std::any::type_name::<T>()))
}

fn parse_timestamp(millis: i64) -> Result<Timestamp, DbError> {
    let at = Timestamp::from_millis(millis);
    // What lies outside of the years that there are comes back as another.
    let kept = at.millis() == millis;
    kept.then_some(at)
        .ok_or_else(|| DbError::corrupt("a point in time"))
}
