//! What the servers of a database share about readers: IDs that are valid once, and sessions that
//! have ended.

use std::time::Duration;

use svc_admin_api::{StoreError, Timestamp};
use tokio::sync::broadcast::error::RecvError;
use tracing::warn;

use super::now;
use super::revocations::RevokedSessions;
use super::session::MAX_AGE_SECONDS;
use super::state::ReaderState;
use super::used_ids::digest;

/// Interval of the checks for sessions that another server has ended. Notifications make them
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
            let before = timestamp(at.saturating_sub(MAX_AGE_SECONDS));
            let mut is_logged = false;
            while let Err(error) = database.revoke_readers(digest, timestamp(at), before).await {
                if !is_logged {
                    warn!("revoked sessions of readers: other servers do not know yet: {error}");
                }
                is_logged = true;
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
        });
    }

    /// Learns which sessions other servers have ended, until the database is closed. While it is
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

fn timestamp(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds.saturating_mul(1_000))
}
