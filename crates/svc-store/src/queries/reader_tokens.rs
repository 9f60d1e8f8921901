//! Tokens of programs that read.

use svc_admin_api::reader::ReaderToken;
use svc_admin_api::{Change, ChangeResult, ProjectId, ReaderTokenId, Timestamp};

use super::{audit, projects};
use crate::error::DbError;
use crate::sql::{Connection, Row};
use crate::transaction::{TxEnd, TxFuture, WriteTx};

const INSERT_TOKEN: &str = "INSERT INTO reader_tokens (id, project, name, hash, reader_groups, \
    created_at, expires_at, revoked_at, last_used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

const SELECT_BY_HASH: &str = "SELECT id, project, name, hash, reader_groups, created_at, \
    expires_at, revoked_at, last_used_at FROM reader_tokens WHERE hash = $1";

const SELECT_TOKENS: &str = "SELECT id, project, name, hash, reader_groups, created_at, \
    expires_at, revoked_at, last_used_at FROM reader_tokens WHERE project = $1 \
    ORDER BY created_at DESC, id DESC";

const REVOKE_TOKEN: &str = "UPDATE reader_tokens SET revoked_at = $3 \
    WHERE project = $1 AND id = $2 AND revoked_at IS NULL";

const SELECT_TOKEN_ID: &str = "SELECT id FROM reader_tokens WHERE project = $1 AND id = $2";

const TOUCH_TOKEN: &str = "UPDATE reader_tokens SET last_used_at = $2 \
    WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";

/// Separates groups, whose names contain no comma.
const SEPARATOR: char = ',';

pub(crate) fn create<'a>(
    tx: &'a mut WriteTx<'_>,
    (token, change): &'a (ReaderToken, Change),
) -> TxFuture<'a, ChangeResult<()>> {
    Box::pin(async move {
        if !projects::exists(&mut tx.conn, &token.project).await? {
            return Ok(TxEnd::Rollback(ChangeResult::NotFound));
        }
        let groups: Vec<&str> = token.groups.iter().map(String::as_str).collect();
        let groups = groups.join(&SEPARATOR.to_string());
        let values = [
            token.id.as_str().into(),
            token.project.as_str().into(),
            (&token.name).into(),
            (&token.hash).into(),
            (&groups).into(),
            token.created_at.into(),
            token.expires_at.into(),
            token.revoked_at.into(),
            token.last_used_at.into(),
        ];
        tx.conn.execute(INSERT_TOKEN, &values).await?;
        audit::add(tx, &change.entry).await?;
        Ok(TxEnd::Commit(ChangeResult::Done(())))
    })
}

pub(crate) async fn by_hash(
    conn: &mut Connection<'_>,
    hash: &[u8; 32],
) -> Result<Option<ReaderToken>, DbError> {
    let row = conn.fetch_optional(SELECT_BY_HASH, &[hash.into()]).await?;
    row.as_ref().map(token).transpose()
}

pub(crate) async fn list(
    conn: &mut Connection<'_>,
    project: &ProjectId,
) -> Result<Vec<ReaderToken>, DbError> {
    let values = [project.as_str().into()];
    let rows = conn.fetch_all(SELECT_TOKENS, &values).await?;
    rows.iter().map(token).collect()
}

pub(crate) fn revoke<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, id, change): &'a (ProjectId, ReaderTokenId, Change),
) -> TxFuture<'a, ChangeResult<()>> {
    Box::pin(async move {
        let name = [project.as_str().into(), id.as_str().into()];
        let [project, id] = name;
        let values = [project, id, change.at.into()];
        if tx.conn.execute(REVOKE_TOKEN, &values).await? > 0 {
            audit::add(tx, &change.entry).await?;
            return Ok(TxEnd::Commit(ChangeResult::Done(())));
        }
        let known = tx.conn.fetch_optional(SELECT_TOKEN_ID, &name).await?;
        Ok(TxEnd::Rollback(match known {
            Some(_) => ChangeResult::Done(()),
            None => ChangeResult::NotFound,
        }))
    })
}

pub(crate) fn touch<'a>(
    tx: &'a mut WriteTx<'_>,
    (id, at): &'a (ReaderTokenId, Timestamp),
) -> TxFuture<'a, ()> {
    Box::pin(async move {
        let values = [id.as_str().into(), (*at).into()];
        tx.conn.execute(TOUCH_TOKEN, &values).await?;
        Ok(TxEnd::Commit(()))
    })
}

fn token(row: &Row) -> Result<ReaderToken, DbError> {
    let groups = row.text(4)?;
    let groups = groups.split(SEPARATOR).filter(|group| !group.is_empty());
    Ok(ReaderToken {
        id: row.parse(0)?,
        project: row.parse(1)?,
        name: row.text(2)?,
        hash: row.hash(3)?,
        groups: groups.map(str::to_owned).collect(),
        created_at: row.time(5)?,
        expires_at: row.maybe_time(6)?,
        revoked_at: row.maybe_time(7)?,
        last_used_at: row.maybe_time(8)?,
    })
}
