//! Jobs, as read and changed by clients of the API.
//!
//! Every transition is one `UPDATE` with the condition of [`Job::apply`]. When it changes nothing,
//! the job is read only to determine the reason.

use svc_admin_api::agent_job::{
    Branch, JOB_CANCELED, Job, JobQuery, Lease, Link, NewJob, Phase, Prompt, Status,
};
use svc_admin_api::{Change, ChangeResult, JobId, ProjectId};

use super::{audit, idempotency, projects};
use crate::error::DbError;
use crate::sql::{Connection, Row, Value};
use crate::transaction::{Invalidation, TxEnd, TxFuture, WriteTx};

/// Columns of a job, in the order of [`job`].
macro_rules! columns {
    () => {
        "id, project, repository, branch, model, created_at, turn, pull_request, status, \
         attempts, lease_token, lease_until, reason, archived_at"
    };
}
pub(super) use columns;

const INSERT_JOB: &str = concat!(
    "INSERT INTO jobs (",
    columns!(),
    ", log_bytes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0) \
     ON CONFLICT (id) DO NOTHING"
);

const INSERT_PROMPT: &str = "INSERT INTO prompts (job, turn, prompt) VALUES ($1, $2, $3)";

const SELECT_JOB: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs WHERE project = $1 AND id = $2"
);

const SELECT_JOBS: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs WHERE project = $1 AND (created_at, id) < ($2, $3) \
     ORDER BY created_at DESC, id DESC LIMIT $4"
);

const SELECT_JOBS_BY_STATUS: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs WHERE project = $1 AND status = $5 AND (created_at, id) < ($2, $3) \
     ORDER BY created_at DESC, id DESC LIMIT $4"
);

const REOPEN: &str = concat!(
    "UPDATE jobs SET status = 'active', turn = turn + 1, attempts = 0, lease_token = NULL, \
     lease_until = NULL WHERE project = $1 AND id = $2 AND status = 'completed' RETURNING ",
    columns!()
);

const ARCHIVE: &str = concat!(
    "UPDATE jobs SET status = 'archived', archived_at = $3, reason = NULL \
     WHERE project = $1 AND id = $2 AND status IN ('completed', 'failed') RETURNING ",
    columns!()
);

const CANCEL: &str = concat!(
    "UPDATE jobs SET status = 'failed', attempts = 0, lease_token = NULL, lease_until = NULL, \
     reason = $3 WHERE project = $1 AND id = $2 AND status = 'active' RETURNING ",
    columns!()
);

const SELECT_PROMPTS: &str = "SELECT prompt FROM prompts WHERE job = $1 ORDER BY turn";

pub(crate) fn create<'a>(
    tx: &'a mut WriteTx<'_>,
    (new, change): &'a (NewJob, Change),
) -> TxFuture<'a, ChangeResult<Job>> {
    Box::pin(async move {
        if let Some(outcome) = reserve_key(tx, change).await? {
            return Ok(TxEnd::Rollback(outcome));
        }
        let job = &new.job;
        if !projects::exists(&mut tx.conn, &job.project).await? {
            return Ok(TxEnd::Rollback(ChangeResult::NotFound));
        }
        if tx.conn.execute(INSERT_JOB, &to_values(job)).await? == 0 {
            return Ok(TxEnd::Rollback(ChangeResult::AlreadyExists));
        }
        add_prompt(tx, job, &new.prompt).await?;
        record_change(tx, job, change).await?;
        Ok(TxEnd::Commit(ChangeResult::Done(job.clone())))
    })
}

pub(crate) async fn get(
    conn: &mut Connection<'_>,
    project: &ProjectId,
    id: &JobId,
) -> Result<Option<Job>, DbError> {
    let name = [project.as_str().into(), id.as_str().into()];
    let row = conn.fetch_optional(SELECT_JOB, &name).await?;
    row.as_ref().map(job).transpose()
}

pub(crate) async fn list(conn: &mut Connection<'_>, query: &JobQuery) -> Result<Vec<Job>, DbError> {
    // Without a cursor, start before the newest job.
    let (at, id) = match &query.after {
        Some((at, id)) => (at.millis(), id.as_str()),
        None => (i64::MAX, ""),
    };
    let project = query.project.as_str().into();
    let (at, id, limit) = (at.into(), id.into(), query.limit.into());
    let rows = match query.status {
        None => {
            conn.fetch_all(SELECT_JOBS, &[project, at, id, limit])
                .await?
        }
        Some(status) => {
            let values = [project, at, id, limit, status.as_str().into()];
            conn.fetch_all(SELECT_JOBS_BY_STATUS, &values).await?
        }
    };
    rows.iter().map(job).collect()
}

pub(crate) fn message<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, id, prompt, change): &'a (ProjectId, JobId, Prompt, Change),
) -> TxFuture<'a, ChangeResult<Job>> {
    Box::pin(async move {
        if let Some(outcome) = reserve_key(tx, change).await? {
            return Ok(TxEnd::Rollback(outcome));
        }
        let name = [project.as_str().into(), id.as_str().into()];
        match update(tx, REOPEN, &name, &[Status::Completed]).await? {
            Ok(job) => {
                add_prompt(tx, &job, prompt).await?;
                record_change(tx, &job, change).await?;
                Ok(TxEnd::Commit(ChangeResult::Done(job)))
            }
            Err(error) => Ok(TxEnd::Rollback(error)),
        }
    })
}

pub(crate) fn cancel<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, id, change): &'a (ProjectId, JobId, Change),
) -> TxFuture<'a, ChangeResult<Job>> {
    Box::pin(async move {
        let values = [
            project.as_str().into(),
            id.as_str().into(),
            JOB_CANCELED.into(),
        ];
        end_job(tx, CANCEL, &values, &[Status::Active], change).await
    })
}

pub(crate) fn archive<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, id, change): &'a (ProjectId, JobId, Change),
) -> TxFuture<'a, ChangeResult<Job>> {
    Box::pin(async move {
        let values = [
            project.as_str().into(),
            id.as_str().into(),
            change.at.into(),
        ];
        let from = [Status::Completed, Status::Failed];
        end_job(tx, ARCHIVE, &values, &from, change).await
    })
}

/// A transition that ends the work on a job.
async fn end_job(
    tx: &mut WriteTx<'_>,
    sql: &'static str,
    values: &[Value<'_>],
    from: &[Status],
    change: &Change,
) -> Result<TxEnd<ChangeResult<Job>>, DbError> {
    if let Some(outcome) = reserve_key(tx, change).await? {
        return Ok(TxEnd::Rollback(outcome));
    }
    match update(tx, sql, values, from).await? {
        Ok(job) => {
            record_change(tx, &job, change).await?;
            Ok(TxEnd::Commit(ChangeResult::Done(job)))
        }
        Err(error) => Ok(TxEnd::Rollback(error)),
    }
}

pub(crate) async fn prompts(conn: &mut Connection<'_>, id: &JobId) -> Result<Vec<Prompt>, DbError> {
    let rows = conn
        .fetch_all(SELECT_PROMPTS, &[id.as_str().into()])
        .await?;
    rows.iter().map(|row| row.parse(0)).collect()
}

/// Applies a transition. Returns the new job, or why it was not possible. The first two values are
/// the project and the job; `from` are the statuses in the condition of the statement.
async fn update(
    tx: &mut WriteTx<'_>,
    sql: &'static str,
    values: &[Value<'_>],
    from: &[Status],
) -> Result<Result<Job, ChangeResult<Job>>, DbError> {
    // Between the update and the read another client may have changed the job, so that the
    // transition is possible now. This does not happen many times in a row.
    for _ in 0..8 {
        if let Some(row) = tx.conn.fetch_optional(sql, values).await? {
            let job = job(&row)?;
            tx.invalidations.push(Invalidation::Job(job.id.clone()));
            return Ok(Ok(job));
        }
        let name = values.get(..2).unwrap_or_default();
        let Some(row) = tx.conn.fetch_optional(SELECT_JOB, name).await? else {
            return Ok(Err(ChangeResult::NotFound));
        };
        let status = job(&row)?.status();
        if !from.contains(&status) {
            return Ok(Err(ChangeResult::InvalidState(status)));
        }
    }
    Err(DbError::Sql(sqlx::Error::Protocol(
        "a job changed too often".to_owned(),
    )))
}

/// Reserves the `Idempotency-Key` of a change, if it has one.
async fn reserve_key(
    tx: &mut WriteTx<'_>,
    change: &Change,
) -> Result<Option<ChangeResult<Job>>, DbError> {
    match &change.idempotency_key {
        Some(key) => idempotency::try_reserve(tx, key, key.until, change.at).await,
        None => Ok(None),
    }
}

/// Stores the audit entry and the recorded response of a change.
async fn record_change(tx: &mut WriteTx<'_>, job: &Job, change: &Change) -> Result<(), DbError> {
    audit::add(tx, &change.entry).await?;
    if let Some(key) = &change.idempotency_key {
        idempotency::store_response(tx, key, &change.recorded_response(job)).await?;
    }
    Ok(())
}

async fn add_prompt(tx: &mut WriteTx<'_>, job: &Job, prompt: &Prompt) -> Result<(), DbError> {
    let values = [
        job.id.as_str().into(),
        job.turn.into(),
        prompt.as_str().into(),
    ];
    tx.conn.execute(INSERT_PROMPT, &values).await?;
    Ok(())
}

fn to_values(job: &Job) -> [Value<'_>; 14] {
    let (mut attempts, mut lease, mut reason) = (0, None, None);
    match &job.phase {
        Phase::Active {
            attempts: taken,
            lease: held,
        } => (attempts, lease) = (*taken, held.as_ref()),
        Phase::Failed { reason: why } => reason = Some(why.as_str()),
        Phase::Completed | Phase::Archived { .. } => {}
    }
    [
        job.id.as_str().into(),
        job.project.as_str().into(),
        job.repository.as_str().into(),
        job.branch.as_ref().map(Branch::as_str).into(),
        (&job.model).into(),
        job.created_at.into(),
        job.turn.into(),
        job.pull_request.as_ref().map(Link::as_str).into(),
        job.status().as_str().into(),
        attempts.into(),
        lease.map(|lease| lease.token.as_str()).into(),
        lease.map(|lease| lease.until).into(),
        reason.into(),
        job.archived_at().into(),
    ]
}

/// A job from a row with all columns.
pub(super) fn job(row: &Row) -> Result<Job, DbError> {
    let corrupt = || DbError::corrupt("a job");
    let phase = match Status::parse(&row.text(8)?).ok_or_else(corrupt)? {
        Status::Active => Phase::Active {
            attempts: row.small(9)?,
            lease: match (row.maybe_text(10)?, row.maybe_time(11)?) {
                (Some(token), Some(until)) => Some(Lease { token, until }),
                _ => None,
            },
        },
        Status::Completed => Phase::Completed,
        Status::Failed => Phase::Failed {
            reason: row.text(12)?,
        },
        Status::Archived => Phase::Archived {
            at: row.maybe_time(13)?.ok_or_else(corrupt)?,
        },
    };
    Ok(Job {
        id: row.parse(0)?,
        project: row.parse(1)?,
        repository: row.parse(2)?,
        branch: row.maybe_parse(3)?,
        model: row.text(4)?,
        created_at: row.time(5)?,
        turn: row.small(6)?,
        pull_request: row.maybe_parse(7)?,
        phase,
    })
}
