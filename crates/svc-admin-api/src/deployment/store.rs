//! Persistence of deployments.

use std::future::Future;

use super::DeploymentRecord;
use crate::id::{ProjectId, StatusId};
use crate::store::StoreError;
use crate::time::Timestamp;

/// Maximum number of stored deployments per project; the oldest are deleted first.
pub const MAX_DEPLOYMENTS: usize = 1_000;

/// Persistence of deployments, so that all servers of a database can show them.
pub trait DeploymentStore: Sync {
    /// Adds or replaces a deployment.
    fn put_deployment(
        &self,
        deployment: &DeploymentRecord,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// A deployment of any project.
    fn deployment(
        &self,
        id: &StatusId,
    ) -> impl Future<Output = Result<Option<DeploymentRecord>, StoreError>> + Send;

    /// Deployments of a project, newest first: those before a given one, in descending order of
    /// creation time and id.
    fn deployments(
        &self,
        project: &ProjectId,
        before: Option<(Timestamp, StatusId)>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<DeploymentRecord>, StoreError>> + Send;
}
