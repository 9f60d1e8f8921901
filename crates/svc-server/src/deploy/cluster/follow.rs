//! Follows the releases of other servers.

use std::collections::BTreeMap;
use std::time::Duration;

use svc_admin_api::StoreError;
use svc_store::TargetRecord;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;
use tracing::{info, warn};

use super::{Cluster, now};
use crate::deploy::Deployer;

/// Interval of checks without a notification.
const ROUND_INTERVAL: Duration = Duration::from_secs(1);
/// Interval at which the object store is checked.
const PROBE_INTERVAL: Duration = Duration::from_secs(5);
/// A request that the server which accepted it has not begun for this long is another server's.
const ABANDONED_AFTER: Duration = Duration::from_secs(3);

/// Targets by project and name.
pub(in crate::deploy) type TargetRecords = BTreeMap<(String, String), TargetRecord>;

/// The targets as they were in the last round.
#[derive(Debug, Default)]
struct Targets {
    records: TargetRecords,
    /// Number of the last change.
    last: u64,
}

impl Cluster {
    /// Has the deployer follow releases and abandoned requests of other servers, forever.
    /// Notifications shorten the time; without them, nothing is missed.
    pub(crate) async fn follow(self, deployer: Deployer) {
        let mut notices = self.0.database.subscribe();
        let mut targets = Targets::default();
        let mut is_down = false;
        loop {
            match self.round(&deployer, &mut targets).await {
                Ok(()) if is_down => {
                    info!("releases of other servers are followed");
                    is_down = false;
                }
                Err(error) if !is_down && self.0.database.is_open() => {
                    warn!("cannot follow the releases of other servers, retrying: {error}");
                    is_down = true;
                }
                _ => {}
            }
            self.wake();
            if let Ok(Err(RecvError::Closed)) =
                tokio::time::timeout(ROUND_INTERVAL, notices.recv()).await
            {
                return;
            }
        }
    }

    async fn round(&self, deployer: &Deployer, targets: &mut Targets) -> Result<(), StoreError> {
        let database = &self.0.database;
        loop {
            let (changed, last) = database.targets_after(targets.last).await?;
            if last < targets.last {
                // A backup of the database was restored.
                *targets = Targets::default();
                deployer.forget_releases();
                continue;
            }
            let Some(newest) = changed.last() else { break };
            targets.last = newest.number;
            for record in changed {
                let key = (record.project.clone(), record.target.clone());
                targets.records.insert(key, record);
            }
        }
        let abandoned_before = now().minus(ABANDONED_AFTER);
        let pending = database.pending_targets(now()).await?.into_iter();
        let pending = pending.filter(|record| {
            let requested_at = record.requested_at;
            requested_at.is_some_and(|at| at <= abandoned_before)
        });
        let pending: Vec<TargetRecord> = pending.collect();
        let (deployer, records) = (deployer.clone(), std::mem::take(&mut targets.records));
        // The deployer can be writing to the disk.
        let task = move || {
            deployer.follow_targets(&records);
            deployer.take_requests(&pending);
            records
        };
        match tokio::task::spawn_blocking(task).await {
            Ok(records) => targets.records = records,
            // A panic must not end the rounds.
            Err(_) => *targets = Targets::default(),
        }
        Ok(())
    }

    /// Checks the object store forever, so that its state is known while nothing is deployed.
    pub(crate) async fn probe_objects(self) {
        let mut is_down = false;
        loop {
            let begin = Instant::now();
            match self.0.objects.probe().await {
                Ok(()) if is_down => {
                    info!("the object store is reachable");
                    is_down = false;
                }
                Err(error) if !is_down => {
                    warn!("{error}; sites are served, but deployments wait");
                    is_down = true;
                }
                _ => {}
            }
            tokio::time::sleep_until(begin + PROBE_INTERVAL).await;
        }
    }
}
