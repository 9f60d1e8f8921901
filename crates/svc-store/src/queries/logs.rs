//! Logs of jobs, in chunks. They are stored as bytes, because agents may print text that text
//! columns do not support.

use svc_admin_api::agent_job::{LogChunk, MAX_LOG_BYTES};
use svc_admin_api::{JobId, ProjectId};

use crate::error::DbError;
use crate::sql::Connection;
use crate::transaction::{TxEnd, TxFuture, WriteTx};

/// Chunks grow up to this size in bytes before the next one begins, so that many small texts do not
/// become as many rows.
const MAX_PART_BYTES: usize = 4096;

/// Locks the row of the job, so that appends are serialized.
const LOCK_JOB: &str = "UPDATE jobs SET log_bytes = log_bytes \
    WHERE id = $1 AND status = 'active' AND lease_token = $2 RETURNING log_bytes";

const UPDATE_LENGTH: &str = "UPDATE jobs SET log_bytes = $2 WHERE id = $1";

const SELECT_LAST_PART: &str =
    "SELECT start, part FROM logs WHERE job = $1 ORDER BY start DESC LIMIT 1";

const UPSERT_PART: &str = "INSERT INTO logs (job, start, part) VALUES ($1, $2, $3) \
    ON CONFLICT (job, start) DO UPDATE SET part = excluded.part";

const SELECT_LENGTH: &str = "SELECT log_bytes FROM jobs WHERE project = $1 AND id = $2";

/// Starts at the chunk that contains the offset.
const SELECT_PARTS_FROM: &str = "SELECT start, part FROM logs WHERE job = $1 AND start >= \
    (SELECT COALESCE(MAX(start), 0) FROM logs WHERE job = $1 AND start <= $2) ORDER BY start";

pub(crate) fn append<'a>(
    tx: &'a mut WriteTx<'_>,
    (id, token, text): &'a (JobId, String, String),
) -> TxFuture<'a, bool> {
    Box::pin(async move {
        let job = id.as_str().into();
        let Some(row) = tx
            .conn
            .fetch_optional(LOCK_JOB, &[job, token.into()])
            .await?
        else {
            return Ok(TxEnd::Rollback(false));
        };
        let length: usize = row.small(0)?;
        let capacity = MAX_LOG_BYTES.saturating_sub(length);
        let end = text.floor_char_boundary(capacity.min(text.len()));
        let text = text.get(..end).unwrap_or_default().as_bytes();
        if text.is_empty() {
            return Ok(TxEnd::Rollback(true));
        }
        let last = tx.conn.fetch_optional(SELECT_LAST_PART, &[job]).await?;
        let (start, part) = match last {
            Some(row) => (row.small(0)?, row.bytes(1)?),
            None => (0_usize, Vec::new()),
        };
        let (start, part) = if part.len() < MAX_PART_BYTES {
            (start, [&part, text].concat())
        } else {
            (length, text.to_vec())
        };
        let values = [job, start.into(), part.as_slice().into()];
        tx.conn.execute(UPSERT_PART, &values).await?;
        let length = length.saturating_add(text.len());
        tx.conn
            .execute(UPDATE_LENGTH, &[job, length.into()])
            .await?;
        Ok(TxEnd::Commit(true))
    })
}

pub(crate) async fn read(
    conn: &mut Connection<'_>,
    project: &ProjectId,
    id: &JobId,
    from: usize,
) -> Result<Option<LogChunk>, DbError> {
    let (project, job) = (project.as_str().into(), id.as_str().into());
    let Some(row) = conn.fetch_optional(SELECT_LENGTH, &[project, job]).await? else {
        return Ok(None);
    };
    let length: usize = row.small(0)?;
    if from >= length {
        let text = String::new();
        return Ok(Some(LogChunk { text, next: length }));
    }
    let mut bytes = Vec::new();
    let mut first = None;
    for row in conn
        .fetch_all(SELECT_PARTS_FROM, &[job, from.into()])
        .await?
    {
        let start: usize = row.small(0)?;
        let begin = *first.get_or_insert(start);
        if start.saturating_sub(begin) != bytes.len() {
            return Err(DbError::corrupt("a log"));
        }
        bytes.extend(row.bytes(1)?);
    }
    let text = String::from_utf8(bytes).map_err(|_| DbError::corrupt("a log"))?;
    let first = first.unwrap_or(0);
    let start = text.floor_char_boundary(from.saturating_sub(first).min(text.len()));
    Ok(Some(LogChunk {
        text: text.get(start..).unwrap_or_default().to_owned(),
        next: first.saturating_add(text.len()),
    }))
}
