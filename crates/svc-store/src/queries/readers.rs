//! Readers of the sites: IDs that are valid once, and sessions that have ended.

use svc_admin_api::{Change, Timestamp};

use super::audit;
use crate::error::DbError;
use crate::notice::Notice;
use crate::queries::actions::LOCK_ORDER;
use crate::sql::{Connection, Row};
use crate::transaction::{TxEnd, TxFuture, WriteTx};

/// Maximum number of revocations per read.
const MAX_REVOCATIONS: usize = 1_000;

const INSERT_ID: &str =
    "INSERT INTO reader_ids (digest, ends_at) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING";

const DELETE_IDS: &str = "DELETE FROM reader_ids WHERE ends_at <= $1";

const INSERT_REVOCATION: &str = "INSERT INTO reader_revocations (digest, at) VALUES ($1, $2)";

const SELECT_REVOCATIONS_AFTER: &str = "SELECT number, digest, at FROM reader_revocations \
    WHERE number > $1 ORDER BY number LIMIT $2";

const DELETE_REVOCATIONS: &str = "DELETE FROM reader_revocations WHERE at < $1";

/// Sessions of readers that have ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderRevocation {
    /// Sequence number.
    pub number: u64,
    /// Digest of what the sessions have in common. It is opaque to the store.
    pub digest: [u8; 32],
    /// Time until which the sessions were confirmed.
    pub at: Timestamp,
}

/// Uses an ID until its end. Returns `false` if it has been used before.
pub(crate) fn claim<'a>(
    tx: &'a mut WriteTx<'_>,
    (digest, ends_at, now): &'a ([u8; 32], Timestamp, Timestamp),
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        tx.conn.execute(DELETE_IDS, &[(*now).into()]).await?;
        let values = [digest.into(), (*ends_at).into()];
        let inserted = tx.conn.execute(INSERT_ID, &values).await?;
        Ok(TxEnd::Commit(inserted > 0))
    })
}

/// Adds a revocation, and deletes those from before a time.
pub(crate) fn revoke<'a>(
    tx: &'a mut WriteTx<'_>,
    (digest, at, before, change): &'a ([u8; 32], Timestamp, Timestamp, Option<Change>),
) -> TxFuture<'a, ()> {
    Box::pin(async move {
        if tx.conn.is_postgres() {
            tx.conn.fetch_all(LOCK_ORDER, &[]).await?;
        }
        let values = [digest.into(), (*at).into()];
        tx.conn.execute(INSERT_REVOCATION, &values).await?;
        let values = [(*before).into()];
        tx.conn.execute(DELETE_REVOCATIONS, &values).await?;
        if let Some(change) = change {
            audit::add(tx, &change.entry).await?;
        }
        tx.notices.push(Notice::Readers);
        Ok(TxEnd::Commit(()))
    })
}

/// The next revocations after a number, in order.
pub(crate) async fn revocations_after(
    conn: &mut Connection<'_>,
    number: u64,
) -> Result<Vec<ReaderRevocation>, DbError> {
    let values = [number.into(), MAX_REVOCATIONS.into()];
    let rows = conn.fetch_all(SELECT_REVOCATIONS_AFTER, &values).await?;
    rows.iter().map(revocation).collect()
}

fn revocation(row: &Row) -> Result<ReaderRevocation, DbError> {
    Ok(ReaderRevocation {
        number: row.small(0)?,
        digest: row.hash(1)?,
        at: row.time(2)?,
    })
}
