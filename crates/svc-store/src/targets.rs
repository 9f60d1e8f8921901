//! Targets of deployments that servers share, and their snapshots.

use svc_admin_api::{StoreError, Timestamp};

use crate::Database;
use crate::queries::snapshots::{self, SnapshotRecord};
use crate::queries::targets::{self, TargetClaim, TargetRecord, TargetResult};

impl Database {
    /// Requests that a target is built. Returns the number of the request: it is done when
    /// [`TargetRecord::built`] has reached it. Servers receive [`Notice::Targets`](crate::Notice).
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn request_target(
        &self,
        project: &str,
        target: &str,
        document: String,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let arguments = (project.to_owned(), target.to_owned(), document, now);
        self.change(targets::request, arguments).await
    }

    /// Takes the lease of a target, so that no other server builds it. `None` if another server has
    /// it, or the source was checked recently.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn claim_target(
        &self,
        claim: TargetClaim,
    ) -> Result<Option<TargetRecord>, StoreError> {
        self.change(targets::claim, claim).await
    }

    /// Extends a lease. Returns `false` if it was lost.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn renew_target(
        &self,
        project: &str,
        target: &str,
        fence: u64,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let arguments = (project.to_owned(), target.to_owned(), fence, until);
        self.change(targets::renew, arguments).await
    }

    /// Gives a lease back without a result. Returns `false` if it was lost.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn abandon_target(
        &self,
        project: &str,
        target: &str,
        fence: u64,
    ) -> Result<bool, StoreError> {
        let arguments = (project.to_owned(), target.to_owned(), fence);
        self.change(targets::abandon, arguments).await
    }

    /// Ends a build. Returns the number of the release. `None` if the lease was lost: another
    /// server builds the target or has built it, and nothing was changed.
    ///
    /// # Errors
    /// When the database is unavailable; the build may have ended.
    pub async fn finish_target(&self, result: TargetResult) -> Result<Option<u64>, StoreError> {
        self.change(targets::finish, result).await
    }

    /// Replaces the release of a target without a build. Leases of the target are lost, and earlier
    /// requests are done. Returns the number of the release.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn put_release(
        &self,
        project: &str,
        target: &str,
        document: String,
    ) -> Result<u64, StoreError> {
        let arguments = (project.to_owned(), target.to_owned(), document);
        self.change(targets::put_release, arguments).await
    }

    /// A target; `None` if it was never requested or built.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn target(
        &self,
        project: &str,
        target: &str,
    ) -> Result<Option<TargetRecord>, StoreError> {
        self.read(async |conn| targets::get(conn, project, target).await)
            .await
    }

    /// The next changed targets after a number, in the order of their changes, and the number of
    /// the last change of all targets.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn targets_after(&self, number: u64) -> Result<(Vec<TargetRecord>, u64), StoreError> {
        self.read(async |conn| targets::list_after(conn, number).await)
            .await
    }

    /// Targets with requests that no server is building.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn pending_targets(&self, now: Timestamp) -> Result<Vec<TargetRecord>, StoreError> {
        self.read(async |conn| targets::list_pending(conn, now).await)
            .await
    }

    /// A snapshot, which is protected from [`delete_snapshot`](Self::delete_snapshot) from now on
    /// for as long as the caller of that wants; `None` if it does not exist.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn use_snapshot(
        &self,
        project: &str,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<SnapshotRecord>, StoreError> {
        let arguments = (project.to_owned(), key.to_owned(), now);
        self.change(snapshots::touch, arguments).await
    }

    /// All snapshots.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn snapshots(&self) -> Result<Vec<SnapshotRecord>, StoreError> {
        self.read(async |conn| snapshots::list(conn).await).await
    }

    /// Deletes a snapshot that was not used after a time. Returns whether it was deleted.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn delete_snapshot(
        &self,
        project: &str,
        key: &str,
        used_before: Timestamp,
    ) -> Result<bool, StoreError> {
        let arguments = (project.to_owned(), key.to_owned(), used_before);
        self.change(snapshots::delete, arguments).await
    }
}
