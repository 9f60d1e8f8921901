//! Periodic tasks of the administration.

use std::future::Future;
use std::time::Duration;

use svc_admin_api::{Clock, Store, StoreError, Timestamp};
use tracing::{error, info};

/// Interval of the check for jobs whose worker was lost.
const LOST_JOB_INTERVAL: Duration = Duration::from_secs(5);
/// All other tasks run once in this many checks.
const CLEANUP_EVERY: u64 = 12;

/// Maximum number of entries of the audit log that a statement deletes, and of statements per
/// round, so that other writes are not blocked.
const DELETE_BATCH: (usize, usize) = (1_000, 20);

/// Retention periods.
#[derive(Debug, Clone, Copy)]
pub(super) struct Retention {
    /// Age at which finished jobs are archived; `None` for never.
    pub(super) archive: Option<Duration>,
    /// Age at which entries of the audit log are deleted.
    pub(super) audit: Duration,
}

/// Fails lost jobs, archives old jobs and deletes expired data, forever. Every server of a database
/// runs these tasks; they are idempotent. Errors are logged while `is_open`: why the store is not open
/// was logged already.
pub(super) async fn tick<S: Store>(
    store: &S,
    clock: &dyn Clock,
    ages: impl Fn() -> Retention,
    is_open: impl Fn() -> bool,
) {
    let mut logged = String::new();
    for round in 0_u64.. {
        let result = async {
            let lost = store.fail_abandoned(clock.now());
            log_count("jobs of lost workers failed", lost).await?;
            if !round.is_multiple_of(CLEANUP_EVERY) {
                return Ok(());
            }
            let now = clock.now();
            store.delete_expired(now).await?;
            store.delete_expired_sessions(now).await?;
            let ages = ages();
            if let Some(age) = ages.archive {
                let old = store.archive_before(now.minus(age), now);
                log_count("old jobs were archived", old).await?;
            }
            let old = delete_entries(store, now.minus(ages.audit));
            log_count("old entries of the audit log were deleted", old).await?;
            Ok::<(), StoreError>(())
        };
        match result.await {
            Ok(()) => logged.clear(),
            Err(error) => {
                // The same error is not logged again.
                let text = format!("administration: {error}");
                if text != logged && is_open() {
                    error!("{text}");
                }
                logged = text;
            }
        }
        tokio::time::sleep(LOST_JOB_INTERVAL).await;
    }
}

async fn delete_entries(store: &impl Store, before: Timestamp) -> Result<u64, StoreError> {
    let (batch, writes) = DELETE_BATCH;
    let mut deleted = 0;
    for _ in 0..writes {
        let count = store.delete_entries(before, batch).await?;
        deleted += count;
        if count < batch as u64 {
            break;
        }
    }
    Ok(deleted)
}

async fn log_count(
    name: &str,
    count: impl Future<Output = Result<u64, StoreError>>,
) -> Result<(), StoreError> {
    let count = count.await?;
    if count > 0 {
        info!("administration: {count} {name}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use svc_admin_api::audit::{Actor, AuditStore as _, Initiator};
    use svc_admin_api::{Change, MemoryStore};
    use svc_test_support::log::LogCapture;

    use super::*;
    use crate::admin::SystemClock;

    #[tokio::test]
    async fn old_audit_entries_are_deleted_in_batches() {
        const DAY: Duration = Duration::from_secs(86_400);
        let (store, clock) = (MemoryStore::default(), SystemClock::default());
        let by = Initiator {
            actor: Actor::Cli,
            from: None,
        };
        let now = clock.now();
        let (batch, writes) = DELETE_BATCH;
        for number in 0..batch * writes + 7 {
            let at = now.minus(DAY * 11);
            let entry = Change::new(&by, at, None, "signIn", Some(&number.to_string())).entry;
            store.record(&entry).await.expect("kept");
        }
        let young = Change::new(&by, now.minus(DAY * 9), None, "signOut", None).entry;
        store.record(&young).await.expect("kept");
        let log = LogCapture::default();
        let _scope = log.enter();
        let round = async || {
            let ages = Retention {
                archive: None,
                audit: DAY * 10,
            };
            let ticking = tick(&store, &clock, || ages, || true);
            // The first round does not wait.
            let _ = tokio::time::timeout(Duration::from_millis(1), ticking).await;
            let left = store
                .entries(None, None, usize::MAX)
                .await
                .expect("entries");
            left.len()
        };
        assert_eq!(round().await, 8);
        assert_eq!(round().await, 1);
        assert_eq!(round().await, 1);
        assert_eq!(
            log.lines(),
            [
                "INFO administration: 20000 old entries of the audit log were deleted",
                "INFO administration: 7 old entries of the audit log were deleted"
            ]
        );
    }
}
