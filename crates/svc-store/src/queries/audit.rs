//! Audit log.

use svc_admin_api::audit::{Actor, AuditEntry, AuditRecord};
use svc_admin_api::{KeyId, ProjectId, Timestamp};

use crate::error::DbError;
use crate::sql::{Connection, Row};
use crate::transaction::{TxEnd, TxFuture, WriteTx};

const INSERT_ENTRY: &str = "INSERT INTO audit \
    (at, actor, actor_name, address, project, action, subject, status) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

const SELECT_ENTRIES: &str = "SELECT number, at, actor, actor_name, address, project, action, subject, status \
    FROM audit WHERE number < $1 ORDER BY number DESC LIMIT $2";

const SELECT_PROJECT_ENTRIES: &str = "SELECT number, at, actor, actor_name, address, project, action, subject, \
    status FROM audit WHERE project = $3 AND number < $1 ORDER BY number DESC LIMIT $2";

const DELETE_ENTRIES: &str = "DELETE FROM audit WHERE number IN \
    (SELECT number FROM audit WHERE at < $1 ORDER BY at, number LIMIT $2)";

/// Adds an entry to the transaction of its change.
pub(crate) async fn add(tx: &mut WriteTx<'_>, entry: &AuditEntry) -> Result<(), DbError> {
    let (actor, name) = match &entry.actor {
        Actor::Key(id) => ("key", Some(id.as_str())),
        Actor::Person(name) => ("person", Some(name.as_str())),
        Actor::Cli => ("shell", None),
        Actor::Anonymous => ("stranger", None),
    };
    let ip = entry.from.map(|ip| ip.to_string());
    let values = [
        entry.at.into(),
        actor.into(),
        name.into(),
        ip.as_deref().into(),
        entry.project.as_ref().map(ProjectId::as_str).into(),
        (&entry.action).into(),
        entry.subject.as_deref().into(),
        u32::from(entry.status).into(),
    ];
    tx.conn.execute(INSERT_ENTRY, &values).await?;
    Ok(())
}

pub(crate) fn record<'a>(tx: &'a mut WriteTx<'_>, entry: &'a AuditEntry) -> TxFuture<'a, ()> {
    Box::pin(async move {
        add(tx, entry).await?;
        Ok(TxEnd::Commit(()))
    })
}

pub(crate) fn delete_before<'a>(
    tx: &'a mut WriteTx<'_>,
    (before, max): &'a (Timestamp, usize),
) -> TxFuture<'a, u64> {
    Box::pin(async move {
        let values = [(*before).into(), (*max).into()];
        let count = tx.conn.execute(DELETE_ENTRIES, &values).await?;
        Ok(TxEnd::Commit(count))
    })
}

pub(crate) async fn entries(
    conn: &mut Connection<'_>,
    project: Option<&ProjectId>,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<AuditRecord>, DbError> {
    let before = before.unwrap_or(u64::MAX);
    let rows = match project {
        None => {
            conn.fetch_all(SELECT_ENTRIES, &[before.into(), limit.into()])
                .await?
        }
        Some(project) => {
            let values = [before.into(), limit.into(), project.as_str().into()];
            conn.fetch_all(SELECT_PROJECT_ENTRIES, &values).await?
        }
    };
    rows.iter().map(parse_record).collect()
}

fn parse_record(row: &Row) -> Result<AuditRecord, DbError> {
    let actor = match (row.text(2)?.as_str(), row.maybe_text(3)?) {
        ("key", Some(id)) => KeyId::parse(&id).map(Actor::Key),
        ("person", Some(name)) => Some(Actor::Person(name)),
        ("shell", None) => Some(Actor::Cli),
        ("stranger", None) => Some(Actor::Anonymous),
        _ => None,
    };
    let ip = row.maybe_text(4)?.map(|text| text.parse()).transpose();
    let entry = AuditEntry {
        at: row.time(1)?,
        actor: actor.ok_or_else(|| DbError::corrupt("an actor"))?,
        from: ip.map_err(|_| DbError::corrupt("an address"))?,
        project: row.maybe_parse(5)?,
        action: row.text(6)?,
        subject: row.maybe_text(7)?,
        status: row.small(8)?,
    };
    let number = row.small(0)?;
    Ok(AuditRecord {
        sequence: number,
        entry,
    })
}
