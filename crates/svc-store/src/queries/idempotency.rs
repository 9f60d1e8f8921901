//! Responses recorded under an `Idempotency-Key`.

use svc_admin_api::audit::AuditEntry;
use svc_admin_api::idempotency::{IdempotencyKey, RESERVATION_TTL, RecordedResponse};
use svc_admin_api::{ChangeResult, Timestamp};

use super::audit;
use crate::error::DbError;
use crate::transaction::{TxEnd, TxFuture, WriteTx};

/// The first writer of the row has the reservation; others wait for the end of its transaction and
/// then read the row. Expired rows are overwritten.
const RESERVE: &str = "INSERT INTO answers (owner, name, fingerprint, ends_at) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (owner, name) DO UPDATE SET \
    fingerprint = excluded.fingerprint, ends_at = excluded.ends_at, status = NULL, body = NULL \
    WHERE answers.ends_at <= $5 RETURNING owner";

const SELECT_RESPONSE: &str = "SELECT fingerprint, COALESCE(status, 0), COALESCE(body, '') FROM answers \
    WHERE owner = $1 AND name = $2";

const UPSERT_RESPONSE: &str = "INSERT INTO answers (owner, name, fingerprint, ends_at, status, body) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (owner, name) DO UPDATE SET \
    fingerprint = excluded.fingerprint, ends_at = excluded.ends_at, status = excluded.status, \
    body = excluded.body";

const DELETE_KEY: &str = "DELETE FROM answers WHERE owner = $1 AND name = $2";

const DELETE_EXPIRED: &str = "DELETE FROM answers WHERE ends_at <= $1";

/// Reserves a key. Returns the existing result if another request has it.
pub(crate) async fn try_reserve<T>(
    tx: &mut WriteTx<'_>,
    key: &IdempotencyKey,
    until: Timestamp,
    now: Timestamp,
) -> Result<Option<ChangeResult<T>>, DbError> {
    let name = [key.owner.as_str().into(), (&key.name).into()];
    let [owner, header] = name;
    let values = [
        owner,
        header,
        (&key.fingerprint).into(),
        until.into(),
        now.into(),
    ];
    if tx.conn.fetch_optional(RESERVE, &values).await?.is_some() {
        return Ok(None);
    }
    let Some(row) = tx.conn.fetch_optional(SELECT_RESPONSE, &name).await? else {
        // The row was deleted in between, because its request was abandoned.
        return Ok(Some(ChangeResult::InProgress));
    };
    Ok(Some(if row.hash(0)? != key.fingerprint {
        ChangeResult::KeyReused
    } else {
        match row.small(1)? {
            0 => ChangeResult::InProgress,
            status => ChangeResult::Replayed(RecordedResponse {
                status,
                body: row.text(2)?,
            }),
        }
    }))
}

/// Stores the recorded response.
pub(crate) async fn store_response(
    tx: &mut WriteTx<'_>,
    key: &IdempotencyKey,
    response: &RecordedResponse,
) -> Result<(), DbError> {
    let values = [
        key.owner.as_str().into(),
        (&key.name).into(),
        (&key.fingerprint).into(),
        key.until.into(),
        u32::from(response.status).into(),
        (&response.body).into(),
    ];
    tx.conn.execute(UPSERT_RESPONSE, &values).await?;
    Ok(())
}

pub(crate) fn reserve<'a>(
    tx: &'a mut WriteTx<'_>,
    (once, now): &'a (IdempotencyKey, Timestamp),
) -> TxFuture<'a, ChangeResult<()>> {
    Box::pin(async move {
        let outcome = try_reserve(tx, once, now.plus(RESERVATION_TTL), *now).await?;
        Ok(TxEnd::from_result(
            outcome.unwrap_or(ChangeResult::Done(())),
        ))
    })
}

pub(crate) fn complete<'a>(
    tx: &'a mut WriteTx<'_>,
    (once, done): &'a (IdempotencyKey, Option<(RecordedResponse, AuditEntry)>),
) -> TxFuture<'a, ()> {
    Box::pin(async move {
        match done {
            Some((response, entry)) => {
                store_response(tx, once, response).await?;
                audit::add(tx, entry).await?;
            }
            None => {
                let name = [once.owner.as_str().into(), (&once.name).into()];
                tx.conn.execute(DELETE_KEY, &name).await?;
            }
        }
        Ok(TxEnd::Commit(()))
    })
}

pub(crate) fn delete_expired<'a>(tx: &'a mut WriteTx<'_>, now: &'a Timestamp) -> TxFuture<'a, u64> {
    Box::pin(async move {
        let count = tx.conn.execute(DELETE_EXPIRED, &[(*now).into()]).await?;
        Ok(TxEnd::Commit(count))
    })
}
