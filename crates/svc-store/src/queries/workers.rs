//! Transitions of jobs by workers and timers. Like [`super::jobs`], one `UPDATE` per transition.

use svc_admin_api::agent_job::{Job, Lease, Link, MAX_ATTEMPTS, WORKER_LOST};
use svc_admin_api::{JobId, Timestamp};

use super::jobs::{columns, job};
use crate::sql::Value;
use crate::transaction::{Invalidation, TxEnd, TxFuture, WriteTx};

/// SQLite has a single writer; PostgreSQL skips rows that other transactions are claiming.
macro_rules! claim {
    ($passing_over:literal) => {
        concat!(
            "UPDATE jobs SET attempts = attempts + 1, lease_token = $1, lease_until = $2 \
             WHERE id = (SELECT id FROM jobs WHERE status = 'active' AND attempts < $4 \
             AND (lease_until IS NULL OR lease_until <= $3) ORDER BY created_at, id LIMIT 1",
            $passing_over,
            ") RETURNING ",
            columns!()
        )
    };
}

const CLAIM: &str = claim!("");
const CLAIM_SKIP_LOCKED: &str = claim!(" FOR UPDATE SKIP LOCKED");

const RENEW: &str = "UPDATE jobs SET lease_until = $3 \
    WHERE id = $1 AND status = 'active' AND lease_token = $2";

const RELEASE: &str = "UPDATE jobs SET lease_token = NULL, lease_until = NULL, \
    attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END \
    WHERE id = $1 AND status = 'active' AND lease_token = $2";

const FINISH: &str = "UPDATE jobs SET status = 'completed', attempts = 0, lease_token = NULL, \
    lease_until = NULL, pull_request = COALESCE($3, pull_request) \
    WHERE id = $1 AND status = 'active' AND lease_token = $2";

const FAIL: &str = "UPDATE jobs SET status = 'failed', attempts = 0, lease_token = NULL, \
    lease_until = NULL, reason = $3 WHERE id = $1 AND status = 'active' AND lease_token = $2";

const FAIL_ABANDONED: &str = "UPDATE jobs SET status = 'failed', attempts = 0, lease_token = NULL, \
    lease_until = NULL, reason = $1 \
    WHERE status = 'active' AND attempts >= $2 AND lease_until <= $3";

const ARCHIVE_OLD: &str = "UPDATE jobs SET status = 'archived', archived_at = $1, reason = NULL \
    WHERE status IN ('completed', 'failed') AND created_at < $2";

pub(crate) fn claim<'a>(
    tx: &'a mut WriteTx<'_>,
    (lease, now): &'a (Lease, Timestamp),
) -> TxFuture<'a, Option<Job>> {
    Box::pin(async move {
        let sql = if tx.conn.is_postgres() {
            CLAIM_SKIP_LOCKED
        } else {
            CLAIM
        };
        let values = [
            (&lease.token).into(),
            lease.until.into(),
            (*now).into(),
            MAX_ATTEMPTS.into(),
        ];
        let Some(row) = tx.conn.fetch_optional(sql, &values).await? else {
            return Ok(TxEnd::Rollback(None));
        };
        let job = job(&row)?;
        tx.invalidations.push(Invalidation::Job(job.id.clone()));
        Ok(TxEnd::Commit(Some(job)))
    })
}

pub(crate) fn renew<'a>(
    tx: &'a mut WriteTx<'_>,
    (id, lease): &'a (JobId, Lease),
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        let values = [
            id.as_str().into(),
            (&lease.token).into(),
            lease.until.into(),
        ];
        update_leased(tx, RENEW, id, &values).await
    })
}

pub(crate) fn release<'a>(
    tx: &'a mut WriteTx<'_>,
    (id, token): &'a (JobId, String),
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        let values = [id.as_str().into(), token.into()];
        update_leased(tx, RELEASE, id, &values).await
    })
}

pub(crate) fn finish<'a>(
    tx: &'a mut WriteTx<'_>,
    (id, token, pull_request): &'a (JobId, String, Option<Link>),
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        let values = [
            id.as_str().into(),
            token.into(),
            pull_request.as_ref().map(Link::as_str).into(),
        ];
        update_leased(tx, FINISH, id, &values).await
    })
}

pub(crate) fn fail<'a>(
    tx: &'a mut WriteTx<'_>,
    (id, token, reason): &'a (JobId, String, String),
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        let values = [id.as_str().into(), token.into(), reason.into()];
        update_leased(tx, FAIL, id, &values).await
    })
}

pub(crate) fn fail_abandoned<'a>(tx: &'a mut WriteTx<'_>, now: &'a Timestamp) -> TxFuture<'a, u64> {
    Box::pin(async move {
        let values = [WORKER_LOST.into(), MAX_ATTEMPTS.into(), (*now).into()];
        update_many(tx, FAIL_ABANDONED, &values).await
    })
}

pub(crate) fn archive_before<'a>(
    tx: &'a mut WriteTx<'_>,
    (created, now): &'a (Timestamp, Timestamp),
) -> TxFuture<'a, u64> {
    Box::pin(async move { update_many(tx, ARCHIVE_OLD, &[(*now).into(), (*created).into()]).await })
}

/// Applies a transition of the worker that has the lease.
async fn update_leased(
    tx: &mut WriteTx<'_>,
    sql: &'static str,
    id: &JobId,
    values: &[Value<'_>],
) -> Result<TxEnd<bool>, crate::error::DbError> {
    if tx.conn.execute(sql, values).await? == 0 {
        return Ok(TxEnd::Rollback(false));
    }
    tx.invalidations.push(Invalidation::Job(id.clone()));
    Ok(TxEnd::Commit(true))
}

/// Applies a transition to all jobs that allow it.
async fn update_many(
    tx: &mut WriteTx<'_>,
    sql: &'static str,
    values: &[Value<'_>],
) -> Result<TxEnd<u64>, crate::error::DbError> {
    let count = tx.conn.execute(sql, values).await?;
    if count == 0 {
        return Ok(TxEnd::Rollback(0));
    }
    tx.invalidations.push(Invalidation::All);
    Ok(TxEnd::Commit(count))
}
