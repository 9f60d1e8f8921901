//! Several servers that share a database and an object store: one builds a deployment, and all
//! serve it.
//!
//! The database has a row for each target of a project (`svc_store::TargetRecord`): the last request
//! and the number of the last request that is done, a lease with a fence, and the [`Release`], which
//! names the snapshot that all servers serve. [`Cluster`] is the handle of this server: it takes
//! [leases](Lease), `transfer` moves snapshots to and from the object store, `follow` brings
//! releases and abandoned requests of other servers to the deployer, and `collect` deletes objects
//! that no release names. `super::build::shared` is what the deployer does with it.

mod collect;
mod follow;
mod lease;
mod release;
#[cfg(test)]
mod tests;
mod transfer;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use svc_admin_api::{Clock as _, StoreError, Timestamp};
use svc_objects::ObjectStore;
use svc_store::{Database, SnapshotRecord, TargetRecord, TargetResult};
use tokio::runtime::Handle;

pub(super) use follow::TargetRecords;
pub(super) use lease::Lease;
pub(super) use release::Release;
pub(super) use transfer::{TransferError, downloaded_dates, prune_details};

use super::{DeployRequest, PublishTarget};
use crate::admin::SystemClock;

/// This server among those that share a database and an object store. A handle; clones share the
/// state.
#[derive(Debug, Clone)]
pub struct Cluster(Arc<ClusterState>);

#[derive(Debug)]
struct ClusterState {
    database: Database,
    objects: ObjectStore,
    /// ID of the server.
    server: String,
    /// Directory of files on their way to or from the object store.
    dir: PathBuf,
    /// Number of the next file.
    next: AtomicUsize,
    runtime: Handle,
    /// Number of rounds of `follow`, and its changes.
    rounds: Mutex<u64>,
    changed: Condvar,
}

impl Cluster {
    /// The server with an ID. Must be called in a Tokio runtime that runs as long as the handle is
    /// used. Files of interrupted transfers below the data directory are removed.
    ///
    /// # Errors
    /// If the data directory cannot be used.
    pub fn new(
        database: Database,
        objects: ObjectStore,
        server: String,
        data: &Path,
    ) -> std::io::Result<Self> {
        let dir = data.join("transfers");
        // It may not exist.
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir)?;
        Ok(Self(Arc::new(ClusterState {
            database,
            objects,
            server,
            dir,
            next: AtomicUsize::new(0),
            runtime: Handle::current(),
            rounds: Mutex::default(),
            changed: Condvar::new(),
        })))
    }

    /// The object store.
    pub(crate) fn objects(&self) -> &ObjectStore {
        &self.0.objects
    }

    /// Runs a future on a thread that may block.
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.0.runtime.block_on(future)
    }

    /// Adds a request for a target, and returns its number.
    pub(super) fn request(&self, request: &DeployRequest) -> Result<u64, StoreError> {
        let document = serde_json::to_string(request).unwrap_or_default();
        let target = request.target.to_string();
        let (database, now) = (&self.0.database, now());
        self.block_on(database.request_target(&request.project, &target, document, now))
    }

    /// A target as other servers see it.
    pub(super) fn target(
        &self,
        project: &str,
        target: &PublishTarget,
    ) -> Result<Option<TargetRecord>, StoreError> {
        let target = target.to_string();
        self.block_on(self.0.database.target(project, &target))
    }

    /// Replaces the release of a target without a build, and returns the number of the release.
    pub(super) fn put_release(
        &self,
        project: &str,
        target: &PublishTarget,
        release: &Release,
    ) -> Result<u64, StoreError> {
        let (target, document) = (target.to_string(), release.to_document());
        let database = &self.0.database;
        self.block_on(database.put_release(project, &target, document))
    }

    /// Ends a build. `None` if the lease was lost, and nothing was changed then.
    pub(super) fn finish(
        &self,
        lease: &Lease,
        release: Option<(&Release, &SnapshotRecord)>,
        failure: Option<String>,
    ) -> Result<Option<u64>, StoreError> {
        let record = lease.record();
        let result = TargetResult {
            project: record.project.clone(),
            target: record.target.clone(),
            fence: record.fence,
            built: record.wanted,
            now: now(),
            failure,
            release: release.map(|(release, snapshot)| (release.to_document(), snapshot.clone())),
        };
        self.block_on(self.0.database.finish_target(result))
    }

    /// Waits until other servers may have changed something, up to a timeout.
    pub(super) fn wait(&self, timeout: Duration) {
        let rounds = self.0.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        // A spurious wakeup only repeats a check.
        drop(self.0.changed.wait_timeout(rounds, timeout));
    }

    /// Wakes the threads that [`wait`](Self::wait).
    fn wake(&self) {
        let mut rounds = self.0.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        *rounds += 1;
        self.0.changed.notify_all();
    }
}

/// The present time. Leases compare it with that of other servers; fences protect from clocks that
/// differ.
fn now() -> Timestamp {
    SystemClock::default().now()
}
