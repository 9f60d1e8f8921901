//! Snapshots in an object store: which object has the files of which snapshot.

use svc_admin_api::Timestamp;

use crate::error::DbError;
use crate::sql::{Connection, Row};
use crate::transaction::{TxEnd, TxFuture, WriteTx};

/// Of two servers that upload the same snapshot, the object of the last one stays; that of the other
/// is deleted as one that no snapshot names.
const UPSERT: &str = "INSERT INTO snapshots (project, key, object, sum, size, used_at) \
    VALUES ($1, $2, $3, $4, $5, $6) \
    ON CONFLICT (project, key) DO UPDATE SET object = excluded.object, \
    sum = excluded.sum, size = excluded.size, used_at = excluded.used_at";

const TOUCH: &str = "UPDATE snapshots SET used_at = $3 WHERE project = $1 AND key = $2 \
    RETURNING project, key, object, sum, size, used_at";

const SELECT_ALL: &str = "SELECT project, key, object, sum, size, used_at FROM snapshots \
    ORDER BY project, key";

const DELETE: &str = "DELETE FROM snapshots WHERE project = $1 AND key = $2 AND used_at <= $3";

/// A snapshot in an object store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotRecord {
    /// ID of the project.
    pub project: String,
    /// Name of the snapshot.
    pub key: String,
    /// Name of the object.
    pub object: String,
    /// SHA-256 of the object.
    pub sum: [u8; 32],
    /// Size of the object in bytes.
    pub size: u64,
    /// When a server needed it last.
    pub used_at: Timestamp,
}

pub(crate) async fn put(tx: &mut WriteTx<'_>, snapshot: &SnapshotRecord) -> Result<(), DbError> {
    let values = [
        (&snapshot.project).into(),
        (&snapshot.key).into(),
        (&snapshot.object).into(),
        (&snapshot.sum).into(),
        snapshot.size.into(),
        snapshot.used_at.into(),
    ];
    tx.conn.execute(UPSERT, &values).await?;
    Ok(())
}

/// Finds a snapshot and protects it from deletion for a time.
pub(crate) fn touch<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, key, now): &'a (String, String, Timestamp),
) -> TxFuture<'a, Option<SnapshotRecord>> {
    Box::pin(async move {
        let values = [project.into(), key.into(), (*now).into()];
        let row = tx.conn.fetch_optional(TOUCH, &values).await?;
        Ok(TxEnd::Commit(row.as_ref().map(record).transpose()?))
    })
}

pub(crate) fn delete<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, key, used_before): &'a (String, String, Timestamp),
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        let values = [project.into(), key.into(), (*used_before).into()];
        Ok(TxEnd::Commit(tx.conn.execute(DELETE, &values).await? > 0))
    })
}

pub(crate) async fn list(conn: &mut Connection<'_>) -> Result<Vec<SnapshotRecord>, DbError> {
    let rows = conn.fetch_all(SELECT_ALL, &[]).await?;
    rows.iter().map(record).collect()
}

fn record(row: &Row) -> Result<SnapshotRecord, DbError> {
    Ok(SnapshotRecord {
        project: row.text(0)?,
        key: row.text(1)?,
        object: row.text(2)?,
        sum: row.hash(3)?,
        size: row.small(4)?,
        used_at: row.time(5)?,
    })
}
