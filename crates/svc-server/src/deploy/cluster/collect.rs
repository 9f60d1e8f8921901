//! Deletes snapshots of the object store that no release names.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use svc_admin_api::StoreError;
use svc_store::TargetClaim;
use tracing::{info, warn};

use super::transfer::{OBJECTS_DIR, TransferError};
use super::{Cluster, Release, now};

/// Interval of collections, of all servers together.
const COLLECT_INTERVAL: Duration = Duration::from_secs(3_600);
/// How long a snapshot is retained after a server has used it, and an object that no snapshot
/// names: longer than an upload and its release take.
const GRACE: Duration = Duration::from_secs(24 * 3_600);
/// Name of the target whose lease a collection needs; no project has an empty ID.
const TARGET: (&str, &str) = ("", "collection");

impl Cluster {
    /// Collects forever.
    pub(crate) async fn collect_all(self) {
        loop {
            tokio::time::sleep(COLLECT_INTERVAL / 6).await;
            match self.collect_once().await {
                // That the database is not available is logged elsewhere.
                Ok(_) | Err(TransferError::Store(StoreError::Unavailable(_))) => {}
                Err(error) => warn!("objects are not cleaned up: {error}"),
            }
        }
    }

    /// Collects if no server has done it recently. Returns whether this one did.
    pub(super) async fn collect_once(&self) -> Result<bool, TransferError> {
        let (database, now) = (&self.0.database, now());
        let claim = TargetClaim {
            project: TARGET.0.to_owned(),
            target: TARGET.1.to_owned(),
            server: self.0.server.clone(),
            now,
            until: now.plus(COLLECT_INTERVAL),
            polled_before: Some(now.minus(COLLECT_INTERVAL)),
        };
        let Some(record) = database.claim_target(claim).await? else {
            return Ok(false);
        };
        self.collect(GRACE).await?;
        let result = svc_store::TargetResult {
            project: record.project,
            target: record.target,
            fence: record.fence,
            built: record.built,
            now: super::now(),
            release: None,
            failure: None,
        };
        database.finish_target(result).await?;
        Ok(true)
    }

    /// Deletes what is not needed and was not used within the grace time. A snapshot is deleted
    /// from the database first, where a concurrent use protects it; no name of an object is used
    /// twice, so nothing can name an object that is left.
    pub(super) async fn collect(&self, grace: Duration) -> Result<(), TransferError> {
        let database = &self.0.database;
        let needed = self.needed().await?;
        let used_before = now().minus(grace);
        let mut named = BTreeSet::new();
        let mut deleted = 0_usize;
        for snapshot in database.snapshots().await? {
            let is_needed = needed.contains(&(snapshot.project.clone(), snapshot.key.clone()));
            let (project, key) = (&snapshot.project, &snapshot.key);
            if is_needed || !database.delete_snapshot(project, key, used_before).await? {
                named.insert(snapshot.object);
            }
        }
        let written_before = SystemTime::now().checked_sub(grace);
        for entry in self.0.objects.list(OBJECTS_DIR).await? {
            if !named.contains(&entry.name)
                && written_before.is_some_and(|time| entry.modified < time)
            {
                self.0.objects.delete(&entry.name).await?;
                deleted += 1;
            }
        }
        if deleted > 0 {
            info!(
                "deleted {} from the object store",
                crate::pluralize(deleted, "snapshot")
            );
        }
        Ok(())
    }

    /// Projects and names of the snapshots that releases name.
    async fn needed(&self) -> Result<BTreeSet<(String, String)>, StoreError> {
        let (mut needed, mut after) = (BTreeSet::new(), 0);
        loop {
            let (records, _) = self.0.database.targets_after(after).await?;
            let Some(last) = records.last() else {
                return Ok(needed);
            };
            after = last.number;
            for record in &records {
                let release = match &record.release {
                    None => continue,
                    Some(_) => Release::of(record).ok_or_else(|| {
                        // Of a newer version: what it needs is not known.
                        StoreError::Corrupt("a release cannot be read".to_owned())
                    })?,
                };
                let keys = release.snapshots();
                needed.extend(keys.map(|key| (record.project.clone(), key.clone())));
            }
        }
    }
}
