//! Periodic tasks of the administration.

use std::future::Future;
use std::time::Duration;

use svc_admin_api::{Clock, Store, StoreError, Timestamp};

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
/// runs these tasks; they are idempotent.
pub(super) async fn tick<S: Store>(
    store: &S,
    clock: &dyn Clock,
    ages: Retention,
    tell: crate::LogFn,
) {
    let mut told = String::new();
    for round in 0_u64.. {
        let done = async {
            log_count(
                &tell,
                "jobs of lost workers failed",
                store.fail_abandoned(clock.now()),
            )
            .await?;
            if !round.is_multiple_of(CLEANUP_EVERY) {
                return Ok(());
            }
            let now = clock.now();
            store.delete_expired(now).await?;
            store.delete_expired_sessions(now).await?;
            if let Some(age) = ages.archive {
                let old = store.archive_before(now.minus(age), now);
                log_count(&tell, "old jobs were archived", old).await?;
            }
            let old = delete_entries(store, now.minus(ages.audit));
            log_count(&tell, "old entries of the audit log were deleted", old).await?;
            Ok::<(), StoreError>(())
        };
        match done.await {
            Ok(()) => told.clear(),
            Err(error) => {
                // The same error is not logged again.
                let text = format!("administration: {error}");
                if text != told {
                    tell(&text);
                }
                told = text;
            }
        }
        tokio::time::sleep(LOST_JOB_INTERVAL).await;
    }
}

async fn delete_entries(store: &impl Store, before: Timestamp) -> Result<u64, StoreError> {
    let (most, writes) = DELETE_BATCH;
    let mut gone = 0;
    for _ in 0..writes {
        let count = store.delete_entries(before, most).await?;
        gone += count;
        if count < most as u64 {
            break;
        }
    }
    Ok(gone)
}

async fn log_count(
    tell: &crate::LogFn,
    what: &str,
    count: impl Future<Output = Result<u64, StoreError>>,
) -> Result<(), StoreError> {
    let count = count.await?;
    if count > 0 {
        tell(&format!("administration: {count} {what}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use svc_admin_api::audit::{Actor, AuditStore as _, Initiator};
    use svc_admin_api::{Change, MemoryStore};

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
        let (most, writes) = DELETE_BATCH;
        for number in 0..most * writes + 7 {
            let at = now.minus(DAY * 11);
            let entry = Change::new(&by, at, None, "signIn", Some(&number.to_string())).entry;
            store.record(&entry).await.expect("kept");
        }
        let young = Change::new(&by, now.minus(DAY * 9), None, "signOut", None).entry;
        store.record(&young).await.expect("kept");
        let said = Arc::new(Mutex::new(Vec::new()));
        let lines = Arc::clone(&said);
        let tell: crate::LogFn = Arc::new(move |line: &str| {
            lines.lock().expect("a lock").push(line.to_owned());
        });
        let round = async || {
            let ages = Retention {
                archive: None,
                audit: DAY * 10,
            };
            let ticking = tick(&store, &clock, ages, Arc::clone(&tell));
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
        let said = said.lock().expect("a lock").join("\n");
        assert_eq!(
            said,
            "administration: 20000 old entries of the audit log were deleted\n\
             administration: 7 old entries of the audit log were deleted"
        );
    }
}
