//! Accounts and sessions.

use svc_admin_api::account::{Account, PasswordChange, Session};
use svc_admin_api::{Change, ChangeResult, Timestamp};

use super::audit;
use crate::failure::Failure;
use crate::notice::Notice;
use crate::sql::{Link, Row};
use crate::work::{Ends, Step, Work};

const ONE: &str = "SELECT name, password, created_at, disabled_at FROM accounts WHERE name = $1";

const ALL: &str = "SELECT name, password, created_at, disabled_at FROM accounts ORDER BY name";

const PUT: &str = "INSERT INTO accounts (name, password, created_at, disabled_at) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO UPDATE SET password = excluded.password, \
    disabled_at = excluded.disabled_at";

const REPLACE: &str = "UPDATE accounts SET password = $3 WHERE name = $1 AND password = $2";

const BEGIN: &str = "INSERT INTO sessions (hash, account, csrf, created_at, last_seen_at, ends_at) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (hash) DO NOTHING";

const SESSION: &str = "SELECT hash, account, csrf, created_at, last_seen_at, ends_at \
    FROM sessions WHERE hash = $1";

const TOUCH: &str = "UPDATE sessions SET last_seen_at = $2 WHERE hash = $1 AND last_seen_at < $2";

const END: &str = "DELETE FROM sessions WHERE hash = $1";

const END_ALL: &str = "DELETE FROM sessions WHERE account = $1";

const FORGET: &str = "DELETE FROM sessions WHERE ends_at <= $1";

pub(crate) async fn one(link: &mut Link<'_>, name: &str) -> Result<Option<Account>, Failure> {
    let row = link.row(ONE, &[name.into()]).await?;
    row.as_ref().map(account).transpose()
}

pub(crate) async fn all(link: &mut Link<'_>) -> Result<Vec<Account>, Failure> {
    let rows = link.rows(ALL, &[]).await?;
    rows.iter().map(account).collect()
}

pub(crate) fn put<'a>(
    work: &'a mut Work<'_>,
    (account, change): &'a (Account, Change),
) -> Step<'a, ChangeResult<()>> {
    Box::pin(async move {
        let values = [
            (&account.name).into(),
            account.password.as_deref().into(),
            account.created_at.into(),
            account.disabled_at.into(),
        ];
        work.link.run(PUT, &values).await?;
        audit::add(work, &change.entry).await?;
        work.notices.push(Notice::Changed);
        Ok(Ends::Keep(ChangeResult::Done(())))
    })
}

pub(crate) fn replace<'a>(
    work: &'a mut Work<'_>,
    (new, change): &'a (PasswordChange, Option<Change>),
) -> Step<'a, ChangeResult<()>> {
    Box::pin(async move {
        let account = (&new.account).into();
        let values = [account, (&new.old_hash).into(), (&new.new_hash).into()];
        if work.link.run(REPLACE, &values).await? == 0 {
            return Ok(Ends::Undo(ChangeResult::NotFound));
        }
        if let Some(change) = change {
            work.link.run(END_ALL, &[account]).await?;
            audit::add(work, &change.entry).await?;
            work.notices.push(Notice::Changed);
        }
        Ok(Ends::Keep(ChangeResult::Done(())))
    })
}

pub(crate) fn begin<'a>(work: &'a mut Work<'_>, session: &'a Session) -> Step<'a, ChangeResult<()>> {
    Box::pin(async move {
        // No account ever goes away.
        let account = work.link.row(ONE, &[(&session.account).into()]).await?;
        if account.is_none() {
            return Ok(Ends::Undo(ChangeResult::NotFound));
        }
        let values = [
            (&session.hash).into(),
            (&session.account).into(),
            (&session.csrf).into(),
            session.created_at.into(),
            session.last_seen_at.into(),
            session.until.into(),
        ];
        let added = work.link.run(BEGIN, &values).await? > 0;
        let outcome = if added {
            ChangeResult::Done(())
        } else {
            ChangeResult::AlreadyExists
        };
        Ok(Ends::of(outcome))
    })
}

pub(crate) async fn session(
    link: &mut Link<'_>,
    hash: &[u8; 32],
) -> Result<Option<Session>, Failure> {
    let Some(row) = link.row(SESSION, &[hash.into()]).await? else {
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

pub(crate) fn touch<'a>(
    work: &'a mut Work<'_>,
    (hash, at): &'a ([u8; 32], Timestamp),
) -> Step<'a, ()> {
    Box::pin(async move {
        work.link.run(TOUCH, &[hash.into(), (*at).into()]).await?;
        Ok(Ends::Keep(()))
    })
}

pub(crate) fn end<'a>(work: &'a mut Work<'_>, hash: &'a [u8; 32]) -> Step<'a, ()> {
    Box::pin(async move {
        work.link.run(END, &[hash.into()]).await?;
        Ok(Ends::Keep(()))
    })
}

pub(crate) fn end_all<'a>(work: &'a mut Work<'_>, account: &'a String) -> Step<'a, u64> {
    Box::pin(async move {
        let count = work.link.run(END_ALL, &[account.into()]).await?;
        Ok(Ends::Keep(count))
    })
}

pub(crate) fn forget<'a>(work: &'a mut Work<'_>, now: &'a Timestamp) -> Step<'a, u64> {
    Box::pin(async move {
        let count = work.link.run(FORGET, &[(*now).into()]).await?;
        Ok(Ends::Keep(count))
    })
}

fn account(row: &Row) -> Result<Account, Failure> {
    Ok(Account {
        name: row.text(0)?,
        password: row.maybe_text(1)?,
        created_at: row.time(2)?,
        disabled_at: row.maybe_time(3)?,
    })
}
