//! Targets of deployments that servers share: the latest request, the lease of the server that
//! builds it, and the release that all serve.
//!
//! Every change that other servers must see gives the row the next number, so that they read only
//! what is new. A release replaces the one before; a server that was away needs only the last.

use svc_admin_api::Timestamp;

use crate::error::DbError;
use crate::notice::Notice;
use crate::queries::actions::LOCK_ORDER;
use crate::queries::snapshots::{self, SnapshotRecord};
use crate::sql::{Connection, Row, Value};
use crate::transaction::{TxEnd, TxFuture, WriteTx};

/// Maximum number of targets per read.
const MAX_TARGETS: usize = 1_000;

macro_rules! columns {
    () => {
        "project, target, number, wanted, built, request, requested_at, fence, holder, \
         lease_until, release_number, release, failure"
    };
}

const INSERT: &str = "INSERT INTO targets (project, target, number, wanted, built, fence, \
    release_number) VALUES ($1, $2, $3, 0, 0, 0, 0) ON CONFLICT (project, target) DO NOTHING";

const NEXT_NUMBER: &str = "SELECT COALESCE(MAX(number), 0) + 1 FROM targets";

const REQUEST: &str = "UPDATE targets SET number = $3, wanted = wanted + 1, request = $4, \
    requested_at = $5 WHERE project = $1 AND target = $2 RETURNING wanted";

/// A server that was restarted takes its own lease over.
const CLAIM: &str = concat!(
    "UPDATE targets SET fence = fence + 1, holder = $3, lease_until = $4 \
     WHERE project = $1 AND target = $2 \
     AND (holder IS NULL OR holder = $3 OR lease_until <= $5) \
     AND ($6 < 0 OR polled_at IS NULL OR polled_at <= $6) RETURNING ",
    columns!()
);

const RENEW: &str = "UPDATE targets SET lease_until = $4 \
    WHERE project = $1 AND target = $2 AND fence = $3 AND holder IS NOT NULL";

const ABANDON: &str = "UPDATE targets SET holder = NULL, lease_until = NULL \
    WHERE project = $1 AND target = $2 AND fence = $3 AND holder IS NOT NULL";

const FINISH: &str = "UPDATE targets SET holder = NULL, lease_until = NULL, polled_at = $5, failure = $6, \
    built = CASE WHEN built < $4 THEN $4 ELSE built END \
    WHERE project = $1 AND target = $2 AND fence = $3 AND holder IS NOT NULL";

const RENUMBER: &str = "UPDATE targets SET number = $3 WHERE project = $1 AND target = $2";

const RELEASE: &str = "UPDATE targets SET release_number = $3, release = $4 \
    WHERE project = $1 AND target = $2";

/// A lease that is held is lost, and what was requested before is done.
const SUPERSEDE: &str = "UPDATE targets SET fence = fence + 1, holder = NULL, lease_until = NULL, \
    built = wanted, failure = NULL WHERE project = $1 AND target = $2";

const SELECT: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM targets WHERE project = $1 AND target = $2"
);

const SELECT_AFTER: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM targets WHERE number > $1 ORDER BY number LIMIT $2"
);

const SELECT_PENDING: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM targets WHERE wanted > built AND (holder IS NULL OR lease_until <= $1) \
     ORDER BY number LIMIT $2"
);

const MAX_NUMBER: &str = "SELECT COALESCE(MAX(number), 0) FROM targets";

/// A target that servers share. The documents are opaque to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetRecord {
    /// ID of the project.
    pub project: String,
    /// Name of the target in the project.
    pub target: String,
    /// Number of the last change, in the order of the changes of all targets.
    pub number: u64,
    /// Number of requests.
    pub wanted: u64,
    /// Number of the last request that is done.
    pub built: u64,
    /// The last request.
    pub request: Option<String>,
    /// Time of the last request.
    pub requested_at: Option<Timestamp>,
    /// Number of leases. A lease is lost as soon as this has another value.
    pub fence: u64,
    /// ID of the server that has the lease.
    pub holder: Option<String>,
    /// End of the lease.
    pub lease_until: Option<Timestamp>,
    /// Number of the change that set the release; 0 without a release.
    pub release_number: u64,
    /// What all servers serve.
    pub release: Option<String>,
    /// Why the last build failed; `None` if it did not.
    pub failure: Option<String>,
}

/// Who may build a target, and until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetClaim {
    /// ID of the project.
    pub project: String,
    /// Name of the target.
    pub target: String,
    /// ID of the server.
    pub server: String,
    /// The present time.
    pub now: Timestamp,
    /// End of the lease.
    pub until: Timestamp,
    /// The lease is refused if the source was checked after this time; `None` for never.
    pub polled_before: Option<Timestamp>,
}

/// The end of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetResult {
    /// ID of the project.
    pub project: String,
    /// Name of the target.
    pub target: String,
    /// Fence of the lease.
    pub fence: u64,
    /// Number of the last request that the build contains.
    pub built: u64,
    /// The present time.
    pub now: Timestamp,
    /// The new release with its snapshot; `None` if the release stays.
    pub release: Option<(String, SnapshotRecord)>,
    /// Why the build failed; `None` if it did not.
    pub failure: Option<String>,
}

pub(crate) fn request<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, target, document, at): &'a (String, String, String, Timestamp),
) -> TxFuture<'a, u64> {
    Box::pin(async move {
        let number = next_number(tx, project, target).await?;
        let values = [
            project.into(),
            target.into(),
            number.into(),
            document.into(),
            (*at).into(),
        ];
        let row = tx.conn.fetch_optional(REQUEST, &values).await?;
        let row = row.ok_or_else(|| DbError::corrupt("a target"))?;
        tx.notices.push(Notice::Targets);
        Ok(TxEnd::Commit(row.small(0)?))
    })
}

pub(crate) fn claim<'a>(
    tx: &'a mut WriteTx<'_>,
    claim: &'a TargetClaim,
) -> TxFuture<'a, Option<TargetRecord>> {
    Box::pin(async move {
        let key: [Value<'_>; 2] = [(&claim.project).into(), (&claim.target).into()];
        if tx.conn.fetch_optional(SELECT, &key).await?.is_none() {
            next_number(tx, &claim.project, &claim.target).await?;
        }
        let polled_before = claim.polled_before.map_or(-1, Timestamp::millis);
        let [project, target] = key;
        let values = [
            project,
            target,
            (&claim.server).into(),
            claim.until.into(),
            claim.now.into(),
            polled_before.into(),
        ];
        let row = tx.conn.fetch_optional(CLAIM, &values).await?;
        Ok(TxEnd::Commit(row.as_ref().map(record).transpose()?))
    })
}

pub(crate) fn renew<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, target, fence, until): &'a (String, String, u64, Timestamp),
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        let values = [
            project.into(),
            target.into(),
            (*fence).into(),
            (*until).into(),
        ];
        Ok(TxEnd::Commit(tx.conn.execute(RENEW, &values).await? > 0))
    })
}

pub(crate) fn abandon<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, target, fence): &'a (String, String, u64),
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        let values = [project.into(), target.into(), (*fence).into()];
        Ok(TxEnd::Commit(tx.conn.execute(ABANDON, &values).await? > 0))
    })
}

/// Ends a build. Returns the number of the release, the former one if it stays; `None` if the lease
/// was lost, and nothing has changed then.
pub(crate) fn finish<'a>(
    tx: &'a mut WriteTx<'_>,
    result: &'a TargetResult,
) -> TxFuture<'a, Option<u64>> {
    Box::pin(async move {
        let key: [Value<'_>; 2] = [(&result.project).into(), (&result.target).into()];
        let number = next_number(tx, &result.project, &result.target).await?;
        let before = tx.conn.fetch_optional(SELECT, &key).await?;
        let before = before.as_ref().map(record).transpose()?;
        let before = before.ok_or_else(|| DbError::corrupt("a target"))?;
        let [project, target] = key;
        let values = [
            project,
            target,
            result.fence.into(),
            result.built.into(),
            result.now.into(),
            result.failure.as_deref().into(),
        ];
        if tx.conn.execute(FINISH, &values).await? == 0 {
            return Ok(TxEnd::Rollback(None));
        }
        if result.release.is_some() || result.built > before.built {
            let values = [project, target, number.into()];
            tx.conn.execute(RENUMBER, &values).await?;
            tx.notices.push(Notice::Targets);
        }
        let Some((document, snapshot)) = &result.release else {
            return Ok(TxEnd::Commit(Some(before.release_number)));
        };
        snapshots::put(tx, snapshot).await?;
        let values = [project, target, number.into(), document.into()];
        tx.conn.execute(RELEASE, &values).await?;
        Ok(TxEnd::Commit(Some(number)))
    })
}

/// Replaces the release without a build. Leases are lost, and earlier requests are done. Returns
/// the number of the release.
pub(crate) fn put_release<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, target, document): &'a (String, String, String),
) -> TxFuture<'a, u64> {
    Box::pin(async move {
        let number = next_number(tx, project, target).await?;
        let key: [Value<'_>; 2] = [project.into(), target.into()];
        let [project, target] = key;
        tx.conn.execute(SUPERSEDE, &key).await?;
        let values = [project, target, number.into()];
        tx.conn.execute(RENUMBER, &values).await?;
        let values = [project, target, number.into(), document.into()];
        tx.conn.execute(RELEASE, &values).await?;
        tx.notices.push(Notice::Targets);
        Ok(TxEnd::Commit(number))
    })
}

pub(crate) async fn get(
    conn: &mut Connection<'_>,
    project: &str,
    target: &str,
) -> Result<Option<TargetRecord>, DbError> {
    let values = [project.into(), target.into()];
    let row = conn.fetch_optional(SELECT, &values).await?;
    row.as_ref().map(record).transpose()
}

/// The next changes after a number, and the number of the last change of all.
pub(crate) async fn list_after(
    conn: &mut Connection<'_>,
    number: u64,
) -> Result<(Vec<TargetRecord>, u64), DbError> {
    let last = conn.fetch_optional(MAX_NUMBER, &[]).await?;
    let last = last.map_or(Ok(0), |row| row.small(0))?;
    let values = [number.into(), MAX_TARGETS.into()];
    let rows = conn.fetch_all(SELECT_AFTER, &values).await?;
    let rows: Result<Vec<TargetRecord>, DbError> = rows.iter().map(record).collect();
    Ok((rows?, last))
}

/// Targets with requests that no server is building.
pub(crate) async fn list_pending(
    conn: &mut Connection<'_>,
    now: Timestamp,
) -> Result<Vec<TargetRecord>, DbError> {
    let values = [now.into(), MAX_TARGETS.into()];
    let rows = conn.fetch_all(SELECT_PENDING, &values).await?;
    rows.iter().map(record).collect()
}

/// Locks the order of changes and returns the number of the next one. The target exists afterwards.
async fn next_number(tx: &mut WriteTx<'_>, project: &str, target: &str) -> Result<u64, DbError> {
    if tx.conn.is_postgres() {
        tx.conn.fetch_all(LOCK_ORDER, &[]).await?;
    }
    let row = tx.conn.fetch_optional(NEXT_NUMBER, &[]).await?;
    let row = row.ok_or_else(|| DbError::corrupt("a number"))?;
    let number: u64 = row.small(0)?;
    let values = [project.into(), target.into(), number.into()];
    let inserted = tx.conn.execute(INSERT, &values).await?;
    Ok(number + inserted)
}

fn record(row: &Row) -> Result<TargetRecord, DbError> {
    Ok(TargetRecord {
        project: row.text(0)?,
        target: row.text(1)?,
        number: row.small(2)?,
        wanted: row.small(3)?,
        built: row.small(4)?,
        request: row.maybe_text(5)?,
        requested_at: row.maybe_time(6)?,
        fence: row.small(7)?,
        holder: row.maybe_text(8)?,
        lease_until: row.maybe_time(9)?,
        release_number: row.small(10)?,
        release: row.maybe_text(11)?,
        failure: row.maybe_text(12)?,
    })
}
