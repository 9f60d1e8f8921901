//! What a store has to do for deployments.

use std::future::Future;

use super::DeploymentRecord;
use crate::id::{ProjectId, StatusId};
use crate::store::StoreError;
use crate::time::Timestamp;

/// Deployments that are kept of each project; the oldest go first.
pub const MAX_DEPLOYMENTS: usize = 1_000;

/// Keeps what became of deployments, so that every server of a database can say so.
pub trait DeploymentStore: Sync {
    /// Adds a deployment or replaces what is known of it.
    fn put_deployment(
        &self,
        deployment: &DeploymentRecord,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// A deployment of any project.
    fn deployment(
        &self,
        id: &StatusId,
    ) -> impl Future<Output = Result<Option<DeploymentRecord>, StoreError>> + Send;

    /// Deployments of a project, the newest first: those before one, by time of creation and name,
    /// both falling.
    fn deployments(
        &self,
        project: &ProjectId,
        before: Option<(Timestamp, StatusId)>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<DeploymentRecord>, StoreError>> + Send;
}
