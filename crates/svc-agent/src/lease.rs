//! Keeping the right to a job.

use std::time::Duration;

use svc_admin_api::agent_job::{Job, JobStore, Lease, Status};
use svc_admin_api::{Clock, Random, RandomError, Timestamp};

/// Time between two looks whether somebody has canceled a job.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The right of one run to its job.
pub(crate) struct LeaseRenewer<'a, S> {
    pub(crate) store: &'a S,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) job: &'a Job,
    pub(crate) token: &'a str,
    pub(crate) ttl: Duration,
}

/// A lease that no other worker has.
pub(crate) fn new_lease(
    random: &dyn Random,
    now: Timestamp,
    life: Duration,
) -> Result<Lease, RandomError> {
    let mut bytes = [0; 16];
    random.fill(&mut bytes)?;
    let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let until = now.plus(life);
    Ok(Lease { token, until })
}

impl<S: JobStore> LeaseRenewer<'_, S> {
    /// Prolongs the lease again and again; ends when it is lost, or the job is over because
    /// somebody does not want it any more.
    pub(crate) async fn renew_until_lost(&self) {
        let pause = self.ttl / 3;
        let mut kept = tokio::time::Instant::now();
        loop {
            if self.is_over_within(pause).await {
                return;
            }
            let asked = tokio::time::Instant::now();
            let lease = Lease {
                token: self.token.to_owned(),
                until: self.clock.now().plus(self.ttl),
            };
            let renewed = tokio::time::timeout(pause, self.store.renew(&self.job.id, &lease)).await;
            match renewed {
                Ok(Ok(true)) => kept = asked,
                Ok(Ok(false)) => return,
                // A store that does not answer may do so the next time, while the lease lasts.
                Ok(Err(_)) | Err(_) if kept.elapsed() < self.ttl => {}
                Ok(Err(_)) | Err(_) => return,
            }
        }
    }

    /// Looks for a time whether the job is still active. What the store does not tell is as before.
    async fn is_over_within(&self, time: Duration) -> bool {
        let look = async {
            loop {
                tokio::time::sleep(POLL_INTERVAL.min(time)).await;
                let known = self.store.job(&self.job.project, &self.job.id).await;
                if let Ok(Some(job)) = known
                    && job.status() != Status::Active
                {
                    return;
                }
            }
        };
        tokio::time::timeout(time, look).await.is_ok()
    }

    /// Lets another worker take the job at once.
    pub(crate) async fn release(&self) {
        let released = self.store.release(&self.job.id, self.token);
        // Without the store the lease ends by itself.
        let _ = tokio::time::timeout(self.ttl, released).await;
    }
}
