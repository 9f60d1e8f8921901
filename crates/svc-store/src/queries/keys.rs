//! Keys.

use svc_admin_api::key::{Key, Network, Scope};
use svc_admin_api::{Change, ChangeResult, KeyId, ProjectId, Timestamp};

use super::{audit, projects};
use crate::error::DbError;
use crate::notice::Notice;
use crate::sql::{Connection, Row};
use crate::transaction::{Invalidation, TxEnd, TxFuture, WriteTx};

const INSERT_KEY: &str = "INSERT INTO keys (id, project, name, lookup, hash, scope, networks, \
    created_at, expires_at, revoked_at, last_used_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING";

const SELECT_BY_LOOKUP: &str = "SELECT id, project, name, lookup, hash, scope, networks, created_at, \
    expires_at, revoked_at, last_used_at FROM keys WHERE lookup = $1";

const SELECT_KEYS: &str = "SELECT id, project, name, lookup, hash, scope, networks, created_at, \
    expires_at, revoked_at, last_used_at FROM keys WHERE project = $1 \
    ORDER BY created_at DESC, id DESC";

const REVOKE_KEY: &str = "UPDATE keys SET revoked_at = $3 \
    WHERE project = $1 AND id = $2 AND revoked_at IS NULL RETURNING lookup";

const SELECT_KEY_ID: &str = "SELECT id FROM keys WHERE project = $1 AND id = $2";

const TOUCH_KEY: &str = "UPDATE keys SET last_used_at = $2 \
    WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2) RETURNING lookup";

pub(crate) fn create<'a>(
    tx: &'a mut WriteTx<'_>,
    (key, change): &'a (Key, Change),
) -> TxFuture<'a, ChangeResult<()>> {
    Box::pin(async move {
        if !projects::exists(&mut tx.conn, &key.project).await? {
            return Ok(TxEnd::Rollback(ChangeResult::NotFound));
        }
        let networks: Vec<String> = key.networks.iter().map(Network::to_string).collect();
        let networks = networks.join(" ");
        let values = [
            key.id.as_str().into(),
            key.project.as_str().into(),
            (&key.name).into(),
            (&key.lookup).into(),
            (&key.hash).into(),
            key.scope.as_str().into(),
            (&networks).into(),
            key.created_at.into(),
            key.expires_at.into(),
            key.revoked_at.into(),
            key.last_used_at.into(),
        ];
        if tx.conn.execute(INSERT_KEY, &values).await? == 0 {
            return Ok(TxEnd::Rollback(ChangeResult::AlreadyExists));
        }
        audit::add(tx, &change.entry).await?;
        tx.notices.push(Notice::Changed);
        Ok(TxEnd::Commit(ChangeResult::Done(())))
    })
}

pub(crate) async fn by_lookup(
    conn: &mut Connection<'_>,
    lookup: &str,
) -> Result<Option<Key>, DbError> {
    let row = conn
        .fetch_optional(SELECT_BY_LOOKUP, &[lookup.into()])
        .await?;
    row.as_ref().map(key).transpose()
}

pub(crate) async fn list(
    conn: &mut Connection<'_>,
    project: &ProjectId,
) -> Result<Vec<Key>, DbError> {
    let rows = conn
        .fetch_all(SELECT_KEYS, &[project.as_str().into()])
        .await?;
    rows.iter().map(key).collect()
}

pub(crate) fn revoke<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, id, change): &'a (ProjectId, KeyId, Change),
) -> TxFuture<'a, ChangeResult<()>> {
    Box::pin(async move {
        let name = [project.as_str().into(), id.as_str().into()];
        let [project, id] = name;
        let values = [project, id, change.at.into()];
        let Some(row) = tx.conn.fetch_optional(REVOKE_KEY, &values).await? else {
            let exists = tx
                .conn
                .fetch_optional(SELECT_KEY_ID, &name)
                .await?
                .is_some();
            let outcome = if exists {
                ChangeResult::Done(())
            } else {
                ChangeResult::NotFound
            };
            return Ok(TxEnd::Rollback(outcome));
        };
        tx.invalidations.push(Invalidation::Key(row.text(0)?));
        tx.notices.push(Notice::Changed);
        audit::add(tx, &change.entry).await?;
        Ok(TxEnd::Commit(ChangeResult::Done(())))
    })
}

pub(crate) fn touch<'a>(
    tx: &'a mut WriteTx<'_>,
    (id, at): &'a (KeyId, Timestamp),
) -> TxFuture<'a, ()> {
    Box::pin(async move {
        let values = [id.as_str().into(), (*at).into()];
        let Some(row) = tx.conn.fetch_optional(TOUCH_KEY, &values).await? else {
            return Ok(TxEnd::Rollback(()));
        };
        tx.invalidations.push(Invalidation::Key(row.text(0)?));
        Ok(TxEnd::Commit(()))
    })
}

fn key(row: &Row) -> Result<Key, DbError> {
    let scope = Scope::parse(&row.text(5)?).ok_or_else(|| DbError::corrupt("a scope"))?;
    let networks = row.text(6)?;
    let networks: Option<Vec<Network>> = networks.split_whitespace().map(Network::parse).collect();
    Ok(Key {
        id: row.parse(0)?,
        project: row.parse(1)?,
        name: row.text(2)?,
        lookup: row.text(3)?,
        hash: row.hash(4)?,
        scope,
        networks: networks.ok_or_else(|| DbError::corrupt("a network"))?,
        created_at: row.time(7)?,
        expires_at: row.maybe_time(8)?,
        revoked_at: row.maybe_time(9)?,
        last_used_at: row.maybe_time(10)?,
    })
}
