//! Pull requests: what a forge should show about each, and how far it is sent.
//!
//! A document is replaced as a whole. The server with the lease sends the last version; a lease that
//! was lost changes nothing, because every claim increments the fence.

use svc_admin_api::Timestamp;

use crate::error::DbError;
use crate::sql::{Connection, Row, Value};
use crate::transaction::{TxEnd, TxFuture, WriteTx};

/// Maximum number of pull requests per read.
const MAX_PULL_REQUESTS: usize = 1_000;

macro_rules! columns {
    () => {
        "project, number, source, document, version, comment, fence, attempts, failure, updated_at"
    };
}

const INSERT: &str = "INSERT INTO pull_requests (project, number, source, document, version, sent, \
    fence, attempts, updated_at) VALUES ($1, $2, $3, $4, 1, 0, 0, 0, $5) \
    ON CONFLICT (project, number) DO NOTHING";

/// What is being sent is outdated, so the next attempt is not delayed.
const UPDATE: &str = "UPDATE pull_requests SET source = $3, document = $4, version = version + 1, \
    attempts = 0, retry_at = NULL, updated_at = $5 \
    WHERE project = $1 AND number = $2 AND version = $6";

const CLAIM: &str = concat!(
    "UPDATE pull_requests SET fence = fence + 1, holder = $3, lease_until = $4 \
     WHERE project = $1 AND number = $2 AND version > sent \
     AND (holder IS NULL OR holder = $3 OR lease_until <= $5) \
     AND (retry_at IS NULL OR retry_at <= $5) RETURNING ",
    columns!()
);

const RENEW: &str = "UPDATE pull_requests SET lease_until = $4 \
    WHERE project = $1 AND number = $2 AND fence = $3 AND holder IS NOT NULL";

const FINISH: &str = "UPDATE pull_requests SET holder = NULL, lease_until = NULL, \
    sent = CASE WHEN sent < $4 THEN $4 ELSE sent END, comment = $5, attempts = 0, \
    retry_at = NULL, failure = NULL WHERE project = $1 AND number = $2 AND fence = $3";

/// A version that was added meanwhile is sent without delay.
const FAIL: &str = "UPDATE pull_requests SET holder = NULL, lease_until = NULL, comment = $5, \
    attempts = attempts + $6, failure = $7, \
    retry_at = CASE WHEN version = $4 THEN $8 ELSE NULL END \
    WHERE project = $1 AND number = $2 AND fence = $3";

const RETRY: &str = "UPDATE pull_requests SET retry_at = NULL, attempts = 0 WHERE version > sent";

const DELETE: &str = "DELETE FROM pull_requests WHERE version <= sent AND updated_at < $1";

const SELECT: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM pull_requests WHERE project = $1 AND number = $2"
);

const SELECT_BY_SOURCE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM pull_requests WHERE project = $1 AND source = $2 ORDER BY number LIMIT $3"
);

const SELECT_PENDING: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM pull_requests WHERE version > sent AND (holder IS NULL OR holder = $1 OR lease_until <= $2) \
     AND (retry_at IS NULL OR retry_at <= $2) ORDER BY updated_at, project, number LIMIT $3"
);

/// A pull request. The document is opaque to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequestRecord {
    /// ID of the project.
    pub project: String,
    /// Number at the forge.
    pub number: u64,
    /// Ref of the preview, such as `refs/pull/12/head`.
    pub source: String,
    /// What the forge should show.
    pub document: String,
    /// Version of the document, from 1.
    pub version: u64,
    /// ID of the comment at the forge; `None` if there is none yet.
    pub comment: Option<String>,
    /// Number of the last lease.
    pub fence: u64,
    /// Number of failed attempts to send the version.
    pub attempts: u64,
    /// Why the last attempt failed; `None` if it succeeded.
    pub failure: Option<String>,
    /// Time of the last version.
    pub updated_at: Timestamp,
}

/// A server that wants to send a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequestClaim {
    /// ID of the project.
    pub project: String,
    /// Number at the forge.
    pub number: u64,
    /// ID of the server.
    pub holder: String,
    /// The present time.
    pub now: Timestamp,
    /// End of the lease.
    pub until: Timestamp,
}

/// How an attempt to send a pull request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequestResult {
    /// What was claimed.
    pub record: PullRequestRecord,
    /// ID of the comment, if one exists.
    pub comment: Option<String>,
    /// Why it failed, with the time of the next attempt; `None` for success.
    pub failure: Option<(String, Timestamp)>,
    /// Whether a failure counts as an attempt.
    pub counts: bool,
}

/// A document and the version that it replaces; 0 if there is none.
pub(crate) type NewDocument = (PullRequestRecord, u64);

/// Writes a document. Returns `false` if another one was written first.
pub(crate) fn put<'a>(
    tx: &'a mut WriteTx<'_>,
    (new, replaced): &'a NewDocument,
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        let values: [Value<'_>; 6] = [
            (&new.project).into(),
            new.number.into(),
            (&new.source).into(),
            (&new.document).into(),
            new.updated_at.into(),
            (*replaced).into(),
        ];
        let [project, number, source, document, at, _] = values;
        let changed = match replaced {
            0 => {
                let values = [project, number, source, document, at];
                tx.conn.execute(INSERT, &values).await?
            }
            _ => tx.conn.execute(UPDATE, &values).await?,
        };
        Ok(TxEnd::Commit(changed > 0))
    })
}

/// Takes the lease of a pull request with an unsent document.
pub(crate) fn claim<'a>(
    tx: &'a mut WriteTx<'_>,
    claim: &'a PullRequestClaim,
) -> TxFuture<'a, Option<PullRequestRecord>> {
    Box::pin(async move {
        let values = [
            (&claim.project).into(),
            claim.number.into(),
            (&claim.holder).into(),
            claim.until.into(),
            claim.now.into(),
        ];
        let row = tx.conn.fetch_optional(CLAIM, &values).await?;
        Ok(TxEnd::Commit(row.as_ref().map(record).transpose()?))
    })
}

/// A project, a number, a fence and the new end of the lease.
pub(crate) type Renewal = (String, u64, u64, Timestamp);

/// Extends a lease. Returns `false` if it was lost.
pub(crate) fn renew<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, number, fence, until): &'a Renewal,
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        let values = [
            project.into(),
            (*number).into(),
            (*fence).into(),
            (*until).into(),
        ];
        let changed = tx.conn.execute(RENEW, &values).await?;
        Ok(TxEnd::Commit(changed > 0))
    })
}

/// Ends a lease. Returns `false` if it was lost.
pub(crate) fn finish<'a>(
    tx: &'a mut WriteTx<'_>,
    result: &'a PullRequestResult,
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        let record = &result.record;
        let first = [
            (&record.project).into(),
            record.number.into(),
            record.fence.into(),
            record.version.into(),
            result.comment.as_deref().into(),
        ];
        let changed = match &result.failure {
            None => tx.conn.execute(FINISH, &first).await?,
            Some((reason, retry_at)) => {
                let [project, number, fence, version, comment] = first;
                let counted = u64::from(result.counts);
                let reason = match result.counts {
                    true => Some(&**reason),
                    false => record.failure.as_deref(),
                };
                let values = [
                    project,
                    number,
                    fence,
                    version,
                    comment,
                    counted.into(),
                    reason.into(),
                    (*retry_at).into(),
                ];
                tx.conn.execute(FAIL, &values).await?
            }
        };
        Ok(TxEnd::Commit(changed > 0))
    })
}

/// Ends all delays.
pub(crate) fn retry<'a>(tx: &'a mut WriteTx<'_>, (): &'a ()) -> TxFuture<'a, ()> {
    Box::pin(async move {
        tx.conn.execute(RETRY, &[]).await?;
        Ok(TxEnd::Commit(()))
    })
}

/// Deletes pull requests that are sent and have not changed after a time.
pub(crate) fn delete<'a>(tx: &'a mut WriteTx<'_>, before: &'a Timestamp) -> TxFuture<'a, u64> {
    Box::pin(async move {
        let deleted = tx.conn.execute(DELETE, &[(*before).into()]).await?;
        Ok(TxEnd::Commit(deleted))
    })
}

pub(crate) async fn get(
    conn: &mut Connection<'_>,
    project: &str,
    number: u64,
) -> Result<Option<PullRequestRecord>, DbError> {
    let values = [project.into(), number.into()];
    let row = conn.fetch_optional(SELECT, &values).await?;
    row.as_ref().map(record).transpose()
}

pub(crate) async fn list_by_source(
    conn: &mut Connection<'_>,
    project: &str,
    source: &str,
) -> Result<Vec<PullRequestRecord>, DbError> {
    let values = [project.into(), source.into(), MAX_PULL_REQUESTS.into()];
    let rows = conn.fetch_all(SELECT_BY_SOURCE, &values).await?;
    rows.iter().map(record).collect()
}

pub(crate) async fn list_pending(
    conn: &mut Connection<'_>,
    holder: &str,
    now: Timestamp,
) -> Result<Vec<PullRequestRecord>, DbError> {
    let values = [holder.into(), now.into(), MAX_PULL_REQUESTS.into()];
    let rows = conn.fetch_all(SELECT_PENDING, &values).await?;
    rows.iter().map(record).collect()
}

fn record(row: &Row) -> Result<PullRequestRecord, DbError> {
    Ok(PullRequestRecord {
        project: row.text(0)?,
        number: row.small(1)?,
        source: row.text(2)?,
        document: row.text(3)?,
        version: row.small(4)?,
        comment: row.maybe_text(5)?,
        fence: row.small(6)?,
        attempts: row.small(7)?,
        failure: row.maybe_text(8)?,
        updated_at: row.time(9)?,
    })
}
