//! The tables of the schema and their columns.

use sqlx::AssertSqlSafe;

use crate::error::DbError;
use crate::sql::Connection;

/// All tables with rows of the current schema. A table comes after those that it refers to.
pub(super) static TABLES: &[&str] = &[
    "projects",
    "keys",
    "jobs",
    "prompts",
    "logs",
    "answers",
    "audit",
    "accounts",
    "sessions",
    "deployments",
    "servers",
    "actions",
    "shared_keys",
    "reader_ids",
    "reader_revocations",
    "reader_tokens",
    "reader_sessions",
    "targets",
    "snapshots",
    "pull_requests",
];

/// Tables whose column `number` is assigned by the database.
pub(super) static NUMBERED_TABLES: &[&str] = &["audit", "actions", "reader_revocations"];

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnType {
    Number,
    Text,
    Bytes,
}

/// A table and its columns in the order of the schema.
#[derive(Debug)]
pub(super) struct Table {
    name: &'static str,
    pub(super) columns: Vec<(String, ColumnType)>,
}

impl Table {
    /// Reads the columns of a table from SQLite; those of PostgreSQL have the same names.
    pub(super) async fn of(conn: &mut Connection<'_>, name: &'static str) -> Result<Self, DbError> {
        let sql = "SELECT name, type FROM pragma_table_info($1) ORDER BY cid";
        let rows = conn.fetch_all(sql, &[name.into()]).await?;
        let columns = rows.iter().map(|row| {
            let kind = match &*row.text(1)? {
                "INTEGER" => ColumnType::Number,
                "TEXT" => ColumnType::Text,
                "BLOB" => ColumnType::Bytes,
                _ => return Err(DbError::corrupt("the type of a column")),
            };
            Ok((row.text(0)?, kind))
        });
        let columns = columns.collect::<Result<Vec<_>, DbError>>()?;
        Ok(Self { name, columns })
    }

    /// Selects all rows. The order makes equal stores equal copies.
    pub(super) fn select(&self) -> AssertSqlSafe<String> {
        let names = self.names();
        AssertSqlSafe(format!(
            "SELECT {names} FROM {} ORDER BY {names}",
            self.name
        ))
    }

    /// Inserts a row.
    pub(super) fn insert(&self, is_postgres: bool) -> AssertSqlSafe<String> {
        let values: Vec<String> = (1..=self.columns.len())
            .map(|number| format!("${number}"))
            .collect();
        // PostgreSQL refuses values for numbers that it assigns without this.
        let overriding = match is_postgres && NUMBERED_TABLES.contains(&self.name) {
            true => " OVERRIDING SYSTEM VALUE",
            false => "",
        };
        AssertSqlSafe(format!(
            "INSERT INTO {} ({}){overriding} VALUES ({})",
            self.name,
            self.names(),
            values.join(", ")
        ))
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| &**name).collect();
        names.join(", ")
    }
}

/// Deletes all rows of a table.
pub(super) fn delete(table: &str) -> AssertSqlSafe<String> {
    AssertSqlSafe(format!("DELETE FROM {table}"))
}

/// Selects a row if the table has one.
pub(super) fn select_any(table: &str) -> AssertSqlSafe<String> {
    AssertSqlSafe(format!("SELECT 1 FROM {table} LIMIT 1"))
}

/// The last number that was assigned, also if its row was deleted.
pub(super) async fn last_number(conn: &mut Connection<'_>, table: &str) -> Result<i64, DbError> {
    let sql = match conn.is_postgres() {
        true => {
            format!("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {table}_number_seq")
        }
        false => {
            format!("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = '{table}'), 0)")
        }
    };
    let row = conn.fetch_optional(AssertSqlSafe(sql), &[]).await?;
    row.map_or(Ok(0), |row| row.number(0))
}

/// Sets the last number that was assigned.
pub(super) async fn set_last_number(
    conn: &mut Connection<'_>,
    table: &str,
    number: i64,
) -> Result<(), DbError> {
    if conn.is_postgres() {
        // A sequence begins at 1.
        let sql = format!("SELECT setval('{table}_number_seq', greatest($1, 1), $1 > 0)");
        conn.fetch_all(AssertSqlSafe(sql), &[number.into()]).await?;
    } else {
        let sql = format!("DELETE FROM sqlite_sequence WHERE name = '{table}'");
        conn.execute(AssertSqlSafe(sql), &[]).await?;
        let sql = format!("INSERT INTO sqlite_sequence (name, seq) VALUES ('{table}', $1)");
        conn.execute(AssertSqlSafe(sql), &[number.into()]).await?;
    }
    Ok(())
}
