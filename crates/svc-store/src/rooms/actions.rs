//! What one server was asked to do and the others of the database do as well.

use svc_admin_api::Timestamp;

use crate::failure::Failure;
use crate::notice::Notice;
use crate::sql::{Link, Row};
use crate::work::{Ends, Step, Work};

/// Actions that are read at once.
const MOST: usize = 500;

/// Numbers are given and seen in one order only when whoever adds waits for the one before; the
/// number is ours by chance.
const IN_ORDER: &str = "SELECT pg_advisory_xact_lock(7311052931042217)";

const ADD: &str = "INSERT INTO actions (at, server, document) VALUES ($1, $2, $3)";

const JOIN: &str = "INSERT INTO servers (id, name, position, seen_at) VALUES ($1, $2, 0, $3) \
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at";

const AFTER: &str = "SELECT number, at, server, document FROM actions WHERE number > \
    (SELECT position FROM servers WHERE id = $1) ORDER BY number LIMIT $2";

const ADVANCE: &str = "UPDATE servers SET position = $2 WHERE id = $1 AND position < $2";

const SERVERS: &str = "SELECT id, name, seen_at FROM servers ORDER BY name, id";

const FORGET_ACTIONS: &str = "DELETE FROM actions WHERE at < $1";

const FORGET_SERVERS: &str = "DELETE FROM servers WHERE seen_at < $1";

/// Something that a server was asked to do. What it is, only the servers know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedAction {
    /// Its place among all of them.
    pub number: u64,
    /// When it was added.
    pub at: Timestamp,
    /// The id of the server that was asked.
    pub server: String,
    /// What is to be done.
    pub document: String,
}

/// A server of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerRecord {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// When it was heard of last.
    pub seen_at: Timestamp,
}

pub(crate) fn add<'a>(
    work: &'a mut Work<'_>,
    (server, at, document): &'a (String, Timestamp, String),
) -> Step<'a, ()> {
    Box::pin(async move {
        if work.link.is_postgres() {
            work.link.rows(IN_ORDER, &[]).await?;
        }
        let values = [(*at).into(), server.into(), document.into()];
        work.link.run(ADD, &values).await?;
        work.notices.push(Notice::Action);
        Ok(Ends::Keep(()))
    })
}

pub(crate) fn join<'a>(
    work: &'a mut Work<'_>,
    (id, name, now): &'a (String, String, Timestamp),
) -> Step<'a, ()> {
    Box::pin(async move {
        let values = [id.into(), name.into(), (*now).into()];
        work.link.run(JOIN, &values).await?;
        Ok(Ends::Keep(()))
    })
}

pub(crate) fn advance<'a>(
    work: &'a mut Work<'_>,
    (id, position): &'a (String, u64),
) -> Step<'a, ()> {
    Box::pin(async move {
        let values = [id.into(), (*position).into()];
        work.link.run(ADVANCE, &values).await?;
        Ok(Ends::Keep(()))
    })
}

pub(crate) fn forget<'a>(work: &'a mut Work<'_>, before: &'a Timestamp) -> Step<'a, ()> {
    Box::pin(async move {
        for sql in [FORGET_ACTIONS, FORGET_SERVERS] {
            work.link.run(sql, &[(*before).into()]).await?;
        }
        Ok(Ends::Keep(()))
    })
}

pub(crate) async fn after(link: &mut Link<'_>, id: &str) -> Result<Vec<SharedAction>, Failure> {
    let rows = link.rows(AFTER, &[id.into(), MOST.into()]).await?;
    rows.iter().map(action).collect()
}

pub(crate) async fn servers(link: &mut Link<'_>) -> Result<Vec<ServerRecord>, Failure> {
    let rows = link.rows(SERVERS, &[]).await?;
    rows.iter().map(server).collect()
}

fn action(row: &Row) -> Result<SharedAction, Failure> {
    Ok(SharedAction {
        number: row.small(0)?,
        at: row.time(1)?,
        server: row.text(2)?,
        document: row.text(3)?,
    })
}

fn server(row: &Row) -> Result<ServerRecord, Failure> {
    Ok(ServerRecord {
        id: row.text(0)?,
        name: row.text(1)?,
        seen_at: row.time(2)?,
    })
}
