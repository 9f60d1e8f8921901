//! Pull requests that servers share.

use svc_admin_api::{StoreError, Timestamp};

use crate::Database;
use crate::queries::pull_requests::{self, PullRequestClaim, PullRequestRecord, PullRequestResult};

impl Database {
    /// A pull request; `None` if nothing was written about it.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn pull_request(
        &self,
        project: &str,
        number: u64,
    ) -> Result<Option<PullRequestRecord>, StoreError> {
        self.read(async |conn| pull_requests::get(conn, project, number).await)
            .await
    }

    /// The pull requests of a ref.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn pull_requests_of(
        &self,
        project: &str,
        source: &str,
    ) -> Result<Vec<PullRequestRecord>, StoreError> {
        self.read(async |conn| pull_requests::list_by_source(conn, project, source).await)
            .await
    }

    /// Pull requests with a document that can be sent now by a server.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn pending_pull_requests(
        &self,
        holder: &str,
        now: Timestamp,
    ) -> Result<Vec<PullRequestRecord>, StoreError> {
        self.read(async |conn| pull_requests::list_pending(conn, holder, now).await)
            .await
    }

    /// Writes the project, number, source, document and time of a pull request. `replaced` is the
    /// version that the caller knows; 0 for none. Returns `false` if it is not the last one.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn put_pull_request(
        &self,
        new: PullRequestRecord,
        replaced: u64,
    ) -> Result<bool, StoreError> {
        self.change(pull_requests::put, (new, replaced)).await
    }

    /// Takes the lease of a pull request, so that no other server sends it. `None` if there is
    /// nothing to send, or another server does it.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn claim_pull_request(
        &self,
        claim: PullRequestClaim,
    ) -> Result<Option<PullRequestRecord>, StoreError> {
        self.change(pull_requests::claim, claim).await
    }

    /// Extends the lease of a claimed pull request. Returns `false` if it was lost.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn renew_pull_request(
        &self,
        record: &PullRequestRecord,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let arguments = (record.project.clone(), record.number, record.fence, until);
        self.change(pull_requests::renew, arguments).await
    }

    /// Ends a lease with its result. Returns `false` if it was lost.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn finish_pull_request(&self, result: PullRequestResult) -> Result<bool, StoreError> {
        self.change(pull_requests::finish, result).await
    }

    /// Sends at once what failed before, for example because the token is another one.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn retry_pull_requests(&self) -> Result<(), StoreError> {
        self.change(pull_requests::retry, ()).await
    }

    /// Deletes pull requests that are sent and have not changed after a time. Returns their number.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn delete_pull_requests(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.change(pull_requests::delete, before).await
    }
}
