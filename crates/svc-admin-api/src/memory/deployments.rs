//! Deployments in memory.

use std::ops::Bound;

use super::MemoryStore;
use crate::deployment::{DeploymentStatus, DeploymentStore, KEPT_DEPLOYMENTS};
use crate::id::{ProjectId, StatusId};
use crate::store::StoreError;
use crate::time::Timestamp;

impl DeploymentStore for MemoryStore {
    async fn put_deployment(&self, deployment: &DeploymentStatus) -> Result<(), StoreError> {
        let mut state = self.open().await?;
        let new = deployment.clone();
        if let Some(old) = state.deployments.insert(new.id.clone(), new)
            && let Some(order) = state.deployed.get_mut(&old.project_id)
        {
            order.remove(&(old.created_at, old.id));
        }
        let project = deployment.project_id.clone();
        let order = state.deployed.entry(project).or_default();
        order.insert((deployment.created_at, deployment.id.clone()));
        if order.len() > KEPT_DEPLOYMENTS
            && let Some((_, oldest)) = order.pop_first()
        {
            state.deployments.remove(&oldest);
        }
        Ok(())
    }

    async fn deployment(&self, id: &StatusId) -> Result<Option<DeploymentStatus>, StoreError> {
        Ok(self.open().await?.deployments.get(id).cloned())
    }

    async fn deployments(
        &self,
        project: &ProjectId,
        before: Option<(Timestamp, StatusId)>,
        limit: usize,
    ) -> Result<Vec<DeploymentStatus>, StoreError> {
        let state = self.open().await?;
        let Some(order) = state.deployed.get(project) else {
            return Ok(Vec::new());
        };
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        let newest = order.range((Bound::Unbounded, end)).rev();
        let found = newest.filter_map(|(_, id)| state.deployments.get(id));
        Ok(found.take(limit).cloned().collect())
    }
}
