//! Records of sessions of readers.

use svc_admin_api::reader::{ReaderSession, SignInMethod, all_sessions_digest};
use svc_admin_api::{ProjectId, Timestamp};

use super::projects;
use crate::error::DbError;
use crate::sql::{Connection, Row};
use crate::transaction::{TxEnd, TxFuture, WriteTx};

const UPSERT_SESSION: &str = "INSERT INTO reader_sessions (id, project, name, email, method, \
    signed_in_at, seen_at, expires_at, confirmed_at, digest, subject, provider_session) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
    ON CONFLICT (id) DO UPDATE SET project = excluded.project, name = excluded.name, \
    email = excluded.email, method = excluded.method, signed_in_at = excluded.signed_in_at, \
    seen_at = excluded.seen_at, expires_at = excluded.expires_at, \
    confirmed_at = excluded.confirmed_at, digest = excluded.digest, \
    subject = excluded.subject, provider_session = excluded.provider_session";

const DELETE_EXPIRED: &str = "DELETE FROM reader_sessions WHERE expires_at <= $1";

const SELECT_SESSIONS: &str = "SELECT id, project, name, email, method, signed_in_at, seen_at, \
    expires_at, confirmed_at, subject, provider_session FROM reader_sessions \
    WHERE project = $1 AND expires_at > $2 AND NOT EXISTS (SELECT 1 FROM reader_revocations \
        WHERE reader_revocations.digest = reader_sessions.digest \
        OR (reader_revocations.digest IN \
            (reader_sessions.subject, reader_sessions.provider_session, $3) \
            AND reader_revocations.at >= reader_sessions.confirmed_at)) \
    ORDER BY seen_at DESC, id DESC LIMIT $4";

/// Adds or replaces a session, and deletes those that have expired.
pub(crate) fn record<'a>(
    tx: &'a mut WriteTx<'_>,
    (session, now): &'a (ReaderSession, Timestamp),
) -> TxFuture<'a, ()> {
    Box::pin(async move {
        tx.conn.execute(DELETE_EXPIRED, &[(*now).into()]).await?;
        if !projects::exists(&mut tx.conn, &session.project).await? {
            return Ok(TxEnd::Commit(()));
        }
        let digest = session.digest();
        let values = [
            session.id.as_str().into(),
            session.project.as_str().into(),
            (&session.name).into(),
            session.email.as_deref().into(),
            session.method.as_str().into(),
            session.signed_in_at.into(),
            session.seen_at.into(),
            session.expires_at.into(),
            session.confirmed_at.into(),
            (&digest).into(),
            session.subject.as_ref().into(),
            session.provider_session.as_ref().into(),
        ];
        tx.conn.execute(UPSERT_SESSION, &values).await?;
        Ok(TxEnd::Commit(()))
    })
}

pub(crate) async fn list(
    conn: &mut Connection<'_>,
    project: &ProjectId,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<ReaderSession>, DbError> {
    let all = all_sessions_digest(project);
    let values = [
        project.as_str().into(),
        now.into(),
        (&all).into(),
        limit.into(),
    ];
    let rows = conn.fetch_all(SELECT_SESSIONS, &values).await?;
    rows.iter().map(session).collect()
}

fn session(row: &Row) -> Result<ReaderSession, DbError> {
    let method = SignInMethod::parse(&row.text(4)?);
    Ok(ReaderSession {
        id: row.parse(0)?,
        project: row.parse(1)?,
        name: row.text(2)?,
        email: row.maybe_text(3)?,
        method: method.ok_or_else(|| DbError::corrupt("a way to sign in"))?,
        signed_in_at: row.time(5)?,
        seen_at: row.time(6)?,
        expires_at: row.time(7)?,
        confirmed_at: row.time(8)?,
        subject: row.maybe_hash(9)?,
        provider_session: row.maybe_hash(10)?,
    })
}
