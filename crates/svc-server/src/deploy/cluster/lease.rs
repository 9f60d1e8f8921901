//! The lease of a target, which is renewed until it is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use svc_admin_api::StoreError;
use svc_store::{TargetClaim, TargetRecord};
use tokio::task::JoinHandle;

use super::{Cluster, now};
use crate::deploy::PublishTarget;

/// How long a server that is gone holds its leases.
const LEASE_TTL: Duration = Duration::from_secs(10);
/// Interval at which leases are renewed; several renewals may fail.
const RENEW_INTERVAL: Duration = Duration::from_secs(2);

/// The right to build a target.
#[derive(Debug)]
pub(in crate::deploy) struct Lease {
    cluster: Cluster,
    record: TargetRecord,
    is_lost: Arc<AtomicBool>,
    renewing: JoinHandle<()>,
}

impl Lease {
    /// The target at the beginning of the lease.
    pub(in crate::deploy) const fn record(&self) -> &TargetRecord {
        &self.record
    }

    /// Whether another server has the right now, so that the work can end.
    pub(in crate::deploy) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.renewing.abort();
        let (database, record) = (self.cluster.0.database.clone(), self.record.clone());
        // Has no effect after the end of the build. If it fails, the lease expires.
        self.cluster.0.runtime.spawn(async move {
            let (project, target) = (&record.project, &record.target);
            let _ = database.abandon_target(project, target, record.fence).await;
        });
    }
}

impl Cluster {
    /// Takes the lease of a target. `None` if another server has it, or if the source was checked
    /// within `min_age`.
    pub(in crate::deploy) fn claim(
        &self,
        project: &str,
        target: &PublishTarget,
        min_age: Option<Duration>,
    ) -> Result<Option<Lease>, StoreError> {
        let now = now();
        let claim = TargetClaim {
            project: project.to_owned(),
            target: target.to_string(),
            server: self.0.server.clone(),
            now,
            until: now.plus(LEASE_TTL),
            polled_before: min_age.map(|age| now.minus(age)),
        };
        let record = self.block_on(self.0.database.claim_target(claim))?;
        Ok(record.map(|record| self.hold(record)))
    }

    fn hold(&self, record: TargetRecord) -> Lease {
        let is_lost = Arc::new(AtomicBool::new(false));
        let (database, lost) = (self.0.database.clone(), Arc::clone(&is_lost));
        let held = record.clone();
        let renewing = self.0.runtime.spawn(async move {
            loop {
                tokio::time::sleep(RENEW_INTERVAL).await;
                let (project, target) = (&held.project, &held.target);
                let until = now().plus(LEASE_TTL);
                let renewed = database.renew_target(project, target, held.fence, until);
                // While the database is not available, no other server can take the lease.
                if matches!(renewed.await, Ok(false)) {
                    lost.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        Lease {
            cluster: self.clone(),
            record,
            is_lost,
            renewing,
        }
    }
}
