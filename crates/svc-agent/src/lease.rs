//! Renewal of leases.

use std::time::Duration;

use svc_admin_api::agent_job::{Job, JobStore, Lease, Status};
use svc_admin_api::{Clock, Random, RandomError, Timestamp};

/// Interval for checking whether a job was canceled.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Renews the lease of a run.
pub(crate) struct LeaseRenewer<'a, S> {
    pub(crate) store: &'a S,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) job: &'a Job,
    pub(crate) token: &'a str,
    pub(crate) ttl: Duration,
}

/// Creates a lease with a unique token.
pub(crate) fn new_lease(
    random: &dyn Random,
    now: Timestamp,
    life: Duration,
) -> Result<Lease, RandomError> {
    let mut bytes = [0; 16];
    random.fill(&mut bytes)?;
    let token = hex::encode(bytes);
    let until = now.plus(life);
    Ok(Lease { token, until })
}

impl<S: JobStore> LeaseRenewer<'_, S> {
    /// Renews the lease periodically. Returns when it is lost, or the job was canceled.
    pub(crate) async fn renew_until_lost(&self) {
        let pause = self.ttl / 3;
        let mut renewed_at = tokio::time::Instant::now();
        loop {
            if self.is_over_within(pause).await {
                return;
            }
            let requested_at = tokio::time::Instant::now();
            let lease = Lease {
                token: self.token.to_owned(),
                until: self.clock.now().plus(self.ttl),
            };
            let renewed = tokio::time::timeout(pause, self.store.renew(&self.job.id, &lease)).await;
            match renewed {
                Ok(Ok(true)) => renewed_at = requested_at,
                Ok(Ok(false)) => return,
                // An unavailable store may recover while the lease is valid.
                Ok(Err(_)) | Err(_) if renewed_at.elapsed() < self.ttl => {}
                Ok(Err(_)) | Err(_) => return,
            }
        }
    }

    /// Checks for a time whether the job is no longer active. Errors of the store are ignored.
    async fn is_over_within(&self, time: Duration) -> bool {
        let look = async {
            loop {
                tokio::time::sleep(POLL_INTERVAL.min(time)).await;
                let result = self.store.job(&self.job.project, &self.job.id).await;
                if let Ok(Some(job)) = result
                    && job.status() != Status::Active
                {
                    return;
                }
            }
        };
        tokio::time::timeout(time, look).await.is_ok()
    }

    /// Releases the job, so that another worker can claim it immediately.
    pub(crate) async fn release(&self) {
        let released = self.store.release(&self.job.id, self.token);
        // If the store is unavailable, the lease expires.
        let _ = tokio::time::timeout(self.ttl, released).await;
    }
}
