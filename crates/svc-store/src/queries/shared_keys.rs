//! Secrets that the servers of a database share.

use crate::sql::Row;
use crate::transaction::{TxEnd, TxFuture, WriteTx};

const INSERT_KEY: &str =
    "INSERT INTO shared_keys (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";

const SELECT_KEY: &str = "SELECT value FROM shared_keys WHERE name = $1";

/// The value of a name; `value` if it has none yet.
pub(crate) fn get_or_insert<'a>(
    tx: &'a mut WriteTx<'_>,
    (name, value): &'a (String, String),
) -> TxFuture<'a, String> {
    Box::pin(async move {
        tx.conn
            .execute(INSERT_KEY, &[name.into(), value.into()])
            .await?;
        let row = tx.conn.fetch_optional(SELECT_KEY, &[name.into()]).await?;
        let known = row.as_ref().map(|row: &Row| row.text(0)).transpose()?;
        Ok(TxEnd::Commit(known.unwrap_or_else(|| value.clone())))
    })
}
