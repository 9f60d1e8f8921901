//! What the servers of a database share about readers: IDs that are valid once, and sessions that
//! have ended. Administrators see the sessions.

use std::time::Duration;

use svc_admin_api::reader::{ReaderStore as _, digest};
use svc_admin_api::{StoreError, Timestamp};
use tokio::sync::broadcast::error::RecvError;
use tracing::warn;

use super::now;
use super::revocations::RevokedSessions;
use super::session::{MAX_AGE_SECONDS, ReaderSession};
use super::state::ReaderState;

/// Interval of the checks for sessions that another server or an administrator has ended. Notifications make them
/// faster, but can be lost.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Delay before a revocation is sent again to a database that was unavailable.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);

impl ReaderState {
    /// Uses an ID that expires at `until`, at all servers of the database. Returns `false` if it has
    /// been used before. `parts` are what the ID is made of.
    ///
    /// # Errors
    /// If there is a database and it is unavailable.
    pub(super) async fn claim(
        &self,
        parts: &[&str],
        until: i64,
        now: i64,
    ) -> Result<bool, StoreError> {
        match &self.0.database {
            None => Ok(self.0.used.claim(parts, until, now)),
            Some(database) => {
                let (until, now) = (timestamp(until), timestamp(now));
                database.claim_reader_id(digest(parts), until, now).await
            }
        }
    }

    /// Ends sessions of a project that began until now, at all servers of the database: at this one
    /// at once, at the others within a second. Without a connection to the database, they end at
    /// the others when it is back.
    pub(super) fn revoke(&self, project: &str, sessions: RevokedSessions<'_>) {
        let (at, digest) = (now(), sessions.digest(project));
        if let Err(error) = self.0.revocations.record(digest, at, at) {
            warn!("revoked sessions of readers: the file cannot be written: {error}");
        }
        let Some(database) = self.0.database.clone() else {
            return;
        };
        tokio::spawn(async move {
            let (at, before) = (timestamp(at), timestamp(at.saturating_sub(MAX_AGE_SECONDS)));
            let mut is_logged = false;
            let revoke = || database.revoke_reader_sessions(digest, at, before, None);
            while let Err(error) = revoke().await {
                if !is_logged {
                    warn!("revoked sessions of readers: other servers do not know yet: {error}");
                }
                is_logged = true;
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
        });
    }

    /// Records a session for administrators, in the background. While the database is unavailable,
    /// sessions have no new records; they are valid all the same.
    pub(super) fn record_session(&self, project: &str, session: &ReaderSession) {
        let (Some(database), Some(record)) = (self.0.database.clone(), session.record(project))
        else {
            return;
        };
        tokio::spawn(async move {
            let recorded = database.record_reader_session(&record, timestamp(now()));
            if let Err(error) = recorded.await {
                warn!("sessions of readers: one is not listed: {error}");
            }
        });
    }

    /// Learns which sessions other servers and administrators have ended, until the database is closed. While it is
    /// unavailable, the known ones stay ended.
    pub(crate) async fn follow(self) {
        let Some(database) = self.0.database.clone() else {
            return;
        };
        let mut notices = database.subscribe();
        let mut last = 0;
        loop {
            // An error is logged by the administration.
            while let Ok(all) = database.reader_revocations(last).await
                && let Some(newest) = all.last()
            {
                last = newest.number;
                for one in &all {
                    let at = one.at.millis() / 1_000;
                    if let Err(error) = self.0.revocations.record(one.digest, at, now()) {
                        warn!("revoked sessions of readers: the file cannot be written: {error}");
                    }
                }
            }
            let notice = tokio::time::timeout(CHECK_INTERVAL, notices.recv()).await;
            if let Ok(Err(RecvError::Closed)) = notice {
                return;
            }
        }
    }
}

pub(super) fn timestamp(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds.saturating_mul(1_000))
}
