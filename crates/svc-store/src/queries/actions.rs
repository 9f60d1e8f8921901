//! Actions that are shared between the servers of a database.

use svc_admin_api::Timestamp;

use crate::error::DbError;
use crate::notice::Notice;
use crate::sql::{Connection, Row};
use crate::transaction::{TxEnd, TxFuture, WriteTx};

/// Maximum number of actions per read.
const MAX_ACTIONS: usize = 500;

/// Serializes inserts, so that numbers become visible in order; the lock number is arbitrary.
pub(super) const LOCK_ORDER: &str = "SELECT pg_advisory_xact_lock(7311052931042217)";

const INSERT_ACTION: &str = "INSERT INTO actions (at, server, document) VALUES ($1, $2, $3)";

const UPSERT_SERVER: &str = "INSERT INTO servers (id, name, position, seen_at) VALUES ($1, $2, 0, $3) \
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at";

const SELECT_ACTIONS_AFTER: &str = "SELECT number, at, server, document FROM actions WHERE number > \
    (SELECT position FROM servers WHERE id = $1) ORDER BY number LIMIT $2";

const UPDATE_POSITION: &str = "UPDATE servers SET position = $2 WHERE id = $1 AND position < $2";

const SELECT_SERVERS: &str = "SELECT id, name, seen_at FROM servers ORDER BY name, id";

const DELETE_ACTIONS: &str = "DELETE FROM actions WHERE at < $1";

const DELETE_SERVERS: &str = "DELETE FROM servers WHERE seen_at < $1";

/// An action of a server. The content is opaque to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedAction {
    /// Sequence number of the action.
    pub number: u64,
    /// Time when it was added.
    pub at: Timestamp,
    /// Id of the server that added it.
    pub server: String,
    /// Content of the action.
    pub document: String,
}

/// A server of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerRecord {
    /// Id of the server.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Time when it was last running.
    pub seen_at: Timestamp,
}

pub(crate) fn add<'a>(
    tx: &'a mut WriteTx<'_>,
    (server, at, document): &'a (String, Timestamp, String),
) -> TxFuture<'a, ()> {
    Box::pin(async move {
        if tx.conn.is_postgres() {
            tx.conn.fetch_all(LOCK_ORDER, &[]).await?;
        }
        let values = [(*at).into(), server.into(), document.into()];
        tx.conn.execute(INSERT_ACTION, &values).await?;
        tx.notices.push(Notice::Action);
        Ok(TxEnd::Commit(()))
    })
}

pub(crate) fn put_server<'a>(
    tx: &'a mut WriteTx<'_>,
    (id, name, now): &'a (String, String, Timestamp),
) -> TxFuture<'a, ()> {
    Box::pin(async move {
        let values = [id.into(), name.into(), (*now).into()];
        tx.conn.execute(UPSERT_SERVER, &values).await?;
        Ok(TxEnd::Commit(()))
    })
}

pub(crate) fn advance<'a>(
    tx: &'a mut WriteTx<'_>,
    (id, position): &'a (String, u64),
) -> TxFuture<'a, ()> {
    Box::pin(async move {
        let values = [id.into(), (*position).into()];
        tx.conn.execute(UPDATE_POSITION, &values).await?;
        Ok(TxEnd::Commit(()))
    })
}

pub(crate) fn delete_before<'a>(
    tx: &'a mut WriteTx<'_>,
    before: &'a Timestamp,
) -> TxFuture<'a, ()> {
    Box::pin(async move {
        for sql in [DELETE_ACTIONS, DELETE_SERVERS] {
            tx.conn.execute(sql, &[(*before).into()]).await?;
        }
        Ok(TxEnd::Commit(()))
    })
}

pub(crate) async fn list_after(
    conn: &mut Connection<'_>,
    id: &str,
) -> Result<Vec<SharedAction>, DbError> {
    let rows = conn
        .fetch_all(SELECT_ACTIONS_AFTER, &[id.into(), MAX_ACTIONS.into()])
        .await?;
    rows.iter().map(action).collect()
}

pub(crate) async fn list_servers(conn: &mut Connection<'_>) -> Result<Vec<ServerRecord>, DbError> {
    let rows = conn.fetch_all(SELECT_SERVERS, &[]).await?;
    rows.iter().map(server).collect()
}

fn action(row: &Row) -> Result<SharedAction, DbError> {
    Ok(SharedAction {
        number: row.small(0)?,
        at: row.time(1)?,
        server: row.text(2)?,
        document: row.text(3)?,
    })
}

fn server(row: &Row) -> Result<ServerRecord, DbError> {
    Ok(ServerRecord {
        id: row.text(0)?,
        name: row.text(1)?,
        seen_at: row.time(2)?,
    })
}
