//! Accounts and sessions.

use svc_admin_api::account::{Account, PasswordChange, Session};
use svc_admin_api::{Change, ChangeResult, Timestamp};

use super::audit;
use crate::error::DbError;
use crate::notice::Notice;
use crate::sql::{Connection, Row};
use crate::transaction::{TxEnd, TxFuture, WriteTx};

const SELECT_ACCOUNT: &str =
    "SELECT name, password, created_at, disabled_at FROM accounts WHERE name = $1";

const SELECT_ACCOUNTS: &str =
    "SELECT name, password, created_at, disabled_at FROM accounts ORDER BY name";

const UPSERT_ACCOUNT: &str = "INSERT INTO accounts (name, password, created_at, disabled_at) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO UPDATE SET password = excluded.password, \
    disabled_at = excluded.disabled_at";

const REPLACE_PASSWORD: &str =
    "UPDATE accounts SET password = $3 WHERE name = $1 AND password = $2";

const INSERT_SESSION: &str = "INSERT INTO sessions (hash, account, csrf, created_at, last_seen_at, ends_at) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (hash) DO NOTHING";

const SELECT_SESSION: &str = "SELECT hash, account, csrf, created_at, last_seen_at, ends_at \
    FROM sessions WHERE hash = $1";

const TOUCH_SESSION: &str =
    "UPDATE sessions SET last_seen_at = $2 WHERE hash = $1 AND last_seen_at < $2";

const DELETE_SESSION: &str = "DELETE FROM sessions WHERE hash = $1";

const DELETE_SESSIONS: &str = "DELETE FROM sessions WHERE account = $1";

const DELETE_EXPIRED: &str = "DELETE FROM sessions WHERE ends_at <= $1";

pub(crate) async fn get(conn: &mut Connection<'_>, name: &str) -> Result<Option<Account>, DbError> {
    let row = conn.fetch_optional(SELECT_ACCOUNT, &[name.into()]).await?;
    row.as_ref().map(account).transpose()
}

pub(crate) async fn list(conn: &mut Connection<'_>) -> Result<Vec<Account>, DbError> {
    let rows = conn.fetch_all(SELECT_ACCOUNTS, &[]).await?;
    rows.iter().map(account).collect()
}

pub(crate) fn put<'a>(
    tx: &'a mut WriteTx<'_>,
    (account, change): &'a (Account, Change),
) -> TxFuture<'a, ChangeResult<()>> {
    Box::pin(async move {
        let values = [
            (&account.name).into(),
            account.password.as_deref().into(),
            account.created_at.into(),
            account.disabled_at.into(),
        ];
        tx.conn.execute(UPSERT_ACCOUNT, &values).await?;
        audit::add(tx, &change.entry).await?;
        tx.notices.push(Notice::Changed);
        Ok(TxEnd::Commit(ChangeResult::Done(())))
    })
}

pub(crate) fn replace_password<'a>(
    tx: &'a mut WriteTx<'_>,
    (new, change): &'a (PasswordChange, Option<Change>),
) -> TxFuture<'a, ChangeResult<()>> {
    Box::pin(async move {
        let account = (&new.account).into();
        let values = [account, (&new.old_hash).into(), (&new.new_hash).into()];
        if tx.conn.execute(REPLACE_PASSWORD, &values).await? == 0 {
            return Ok(TxEnd::Rollback(ChangeResult::NotFound));
        }
        if let Some(change) = change {
            tx.conn.execute(DELETE_SESSIONS, &[account]).await?;
            audit::add(tx, &change.entry).await?;
            tx.notices.push(Notice::Changed);
        }
        Ok(TxEnd::Commit(ChangeResult::Done(())))
    })
}

pub(crate) fn create_session<'a>(
    tx: &'a mut WriteTx<'_>,
    session: &'a Session,
) -> TxFuture<'a, ChangeResult<()>> {
    Box::pin(async move {
        // Accounts are never deleted.
        let account = tx
            .conn
            .fetch_optional(SELECT_ACCOUNT, &[(&session.account).into()])
            .await?;
        if account.is_none() {
            return Ok(TxEnd::Rollback(ChangeResult::NotFound));
        }
        let values = [
            (&session.hash).into(),
            (&session.account).into(),
            (&session.csrf).into(),
            session.created_at.into(),
            session.last_seen_at.into(),
            session.until.into(),
        ];
        let added = tx.conn.execute(INSERT_SESSION, &values).await? > 0;
        let outcome = if added {
            ChangeResult::Done(())
        } else {
            ChangeResult::AlreadyExists
        };
        Ok(TxEnd::from_result(outcome))
    })
}

pub(crate) async fn session(
    conn: &mut Connection<'_>,
    hash: &[u8; 32],
) -> Result<Option<Session>, DbError> {
    let Some(row) = conn.fetch_optional(SELECT_SESSION, &[hash.into()]).await? else {
        return Ok(None);
    };
    Ok(Some(Session {
        hash: row.hash(0)?,
        account: row.text(1)?,
        csrf: row.text(2)?,
        created_at: row.time(3)?,
        last_seen_at: row.time(4)?,
        until: row.time(5)?,
    }))
}

pub(crate) fn touch_session<'a>(
    tx: &'a mut WriteTx<'_>,
    (hash, at): &'a ([u8; 32], Timestamp),
) -> TxFuture<'a, ()> {
    Box::pin(async move {
        tx.conn
            .execute(TOUCH_SESSION, &[hash.into(), (*at).into()])
            .await?;
        Ok(TxEnd::Commit(()))
    })
}

pub(crate) fn end_session<'a>(tx: &'a mut WriteTx<'_>, hash: &'a [u8; 32]) -> TxFuture<'a, ()> {
    Box::pin(async move {
        tx.conn.execute(DELETE_SESSION, &[hash.into()]).await?;
        Ok(TxEnd::Commit(()))
    })
}

pub(crate) fn end_sessions<'a>(tx: &'a mut WriteTx<'_>, account: &'a String) -> TxFuture<'a, u64> {
    Box::pin(async move {
        let count = tx.conn.execute(DELETE_SESSIONS, &[account.into()]).await?;
        Ok(TxEnd::Commit(count))
    })
}

pub(crate) fn delete_expired<'a>(tx: &'a mut WriteTx<'_>, now: &'a Timestamp) -> TxFuture<'a, u64> {
    Box::pin(async move {
        let count = tx.conn.execute(DELETE_EXPIRED, &[(*now).into()]).await?;
        Ok(TxEnd::Commit(count))
    })
}

fn account(row: &Row) -> Result<Account, DbError> {
    Ok(Account {
        name: row.text(0)?,
        password: row.maybe_text(1)?,
        created_at: row.time(2)?,
        disabled_at: row.maybe_time(3)?,
    })
}
