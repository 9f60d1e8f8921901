//! What has to be done from time to time in the store.

use std::future::Future;
use std::time::Duration;

use svc_admin_api::{Clock, Store, StoreError};

/// How often it is looked for jobs whose workers are lost.
const LOST: Duration = Duration::from_secs(5);
/// Of so many looks one is for all the rest.
const REST: u64 = 12;

/// Ends lost jobs, archives old ones, and forgets what nobody needs, for ever. Every server of a
/// database does it; who is second finds nothing to do.
pub(super) async fn tick<S: Store>(
    store: &S,
    clock: &dyn Clock,
    archive: Option<Duration>,
    tell: crate::Tell,
) {
    let mut told = String::new();
    for round in 0_u64.. {
        let done = async {
            said(
                &tell,
                "jobs of lost workers failed",
                store.fail_lost(clock.now()),
            )
            .await?;
            if !round.is_multiple_of(REST) {
                return Ok(());
            }
            let now = clock.now();
            store.forget(now).await?;
            store.forget_sessions(now).await?;
            if let Some(age) = archive {
                let old = store.archive_before(now.minus(age), now);
                said(&tell, "old jobs were archived", old).await?;
            }
            Ok::<(), StoreError>(())
        };
        match done.await {
            Ok(()) => told.clear(),
            Err(error) => {
                // The same again says nothing new.
                let text = format!("administration: {error}");
                if text != told {
                    tell(&text);
                }
                told = text;
            }
        }
        tokio::time::sleep(LOST).await;
    }
}

async fn said(
    tell: &crate::Tell,
    what: &str,
    count: impl Future<Output = Result<u64, StoreError>>,
) -> Result<(), StoreError> {
    let count = count.await?;
    if count > 0 {
        tell(&format!("administration: {count} {what}"));
    }
    Ok(())
}
