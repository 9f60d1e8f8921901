//! Jobs, as workers and timers change them. Like [`super::jobs`]: one `UPDATE` for each step.

use svc_admin_api::agent_job::{Job, WORKER_LOST, Lease, Link as Pull, MAX_ATTEMPTS};
use svc_admin_api::{JobId, Timestamp};

use super::jobs::{columns, job};
use crate::sql::Value;
use crate::work::{Ends, Step, Touched, Work};

/// SQLite has one writer; PostgreSQL passes over what others are just taking.
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
const CLAIM_TOGETHER: &str = claim!(" FOR UPDATE SKIP LOCKED");

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

const FAIL_LOST: &str = "UPDATE jobs SET status = 'failed', attempts = 0, lease_token = NULL, \
    lease_until = NULL, reason = $1 \
    WHERE status = 'active' AND attempts >= $2 AND lease_until <= $3";

const ARCHIVE_OLD: &str = "UPDATE jobs SET status = 'archived', archived_at = $1, reason = NULL \
    WHERE status IN ('completed', 'failed') AND created_at < $2";

pub(crate) fn claim<'a>(
    work: &'a mut Work<'_>,
    (lease, now): &'a (Lease, Timestamp),
) -> Step<'a, Option<Job>> {
    Box::pin(async move {
        let sql = if work.link.is_postgres() {
            CLAIM_TOGETHER
        } else {
            CLAIM
        };
        let values = [
            (&lease.token).into(),
            lease.until.into(),
            (*now).into(),
            MAX_ATTEMPTS.into(),
        ];
        let Some(row) = work.link.row(sql, &values).await? else {
            return Ok(Ends::Undo(None));
        };
        let job = job(&row)?;
        work.touched.push(Touched::Job(job.id.clone()));
        Ok(Ends::Keep(Some(job)))
    })
}

pub(crate) fn renew<'a>(work: &'a mut Work<'_>, (id, lease): &'a (JobId, Lease)) -> Step<'a, bool> {
    Box::pin(async move {
        let values = [
            id.as_str().into(),
            (&lease.token).into(),
            lease.until.into(),
        ];
        step(work, RENEW, id, &values).await
    })
}

pub(crate) fn release<'a>(
    work: &'a mut Work<'_>,
    (id, token): &'a (JobId, String),
) -> Step<'a, bool> {
    Box::pin(async move {
        let values = [id.as_str().into(), token.into()];
        step(work, RELEASE, id, &values).await
    })
}

pub(crate) fn finish<'a>(
    work: &'a mut Work<'_>,
    (id, token, pull_request): &'a (JobId, String, Option<Pull>),
) -> Step<'a, bool> {
    Box::pin(async move {
        let values = [
            id.as_str().into(),
            token.into(),
            pull_request.as_ref().map(Pull::as_str).into(),
        ];
        step(work, FINISH, id, &values).await
    })
}

pub(crate) fn fail<'a>(
    work: &'a mut Work<'_>,
    (id, token, reason): &'a (JobId, String, String),
) -> Step<'a, bool> {
    Box::pin(async move {
        let values = [id.as_str().into(), token.into(), reason.into()];
        step(work, FAIL, id, &values).await
    })
}

pub(crate) fn fail_lost<'a>(work: &'a mut Work<'_>, now: &'a Timestamp) -> Step<'a, u64> {
    Box::pin(async move {
        let values = [WORKER_LOST.into(), MAX_ATTEMPTS.into(), (*now).into()];
        many(work, FAIL_LOST, &values).await
    })
}

pub(crate) fn archive_before<'a>(
    work: &'a mut Work<'_>,
    (created, now): &'a (Timestamp, Timestamp),
) -> Step<'a, u64> {
    Box::pin(async move { many(work, ARCHIVE_OLD, &[(*now).into(), (*created).into()]).await })
}

/// A step of the worker that has a job.
async fn step(
    work: &mut Work<'_>,
    sql: &'static str,
    id: &JobId,
    values: &[Value<'_>],
) -> Result<Ends<bool>, crate::failure::Failure> {
    if work.link.run(sql, values).await? == 0 {
        return Ok(Ends::Undo(false));
    }
    work.touched.push(Touched::Job(id.clone()));
    Ok(Ends::Keep(true))
}

/// A step of all jobs that may take it.
async fn many(
    work: &mut Work<'_>,
    sql: &'static str,
    values: &[Value<'_>],
) -> Result<Ends<u64>, crate::failure::Failure> {
    let count = work.link.run(sql, values).await?;
    if count == 0 {
        return Ok(Ends::Undo(0));
    }
    work.touched.push(Touched::Everything);
    Ok(Ends::Keep(count))
}
