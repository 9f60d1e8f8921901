//! Deployments in memory.

use std::ops::Bound;

use super::MemoryStore;
use crate::deployment::{DeploymentRecord, DeploymentStore, MAX_DEPLOYMENTS};
use crate::id::{ProjectId, StatusId};
use crate::store::StoreError;
use crate::time::Timestamp;

impl DeploymentStore for MemoryStore {
    async fn put_deployment(&self, deployment: &DeploymentRecord) -> Result<(), StoreError> {
        let mut state = self.lock().await?;
        let new = deployment.clone();
        if let Some(old) = state.deployments.insert(new.status.id.clone(), new)
            && let Some(order) = state.deployment_order.get_mut(&old.status.project_id)
        {
            order.remove(&(old.status.created_at, old.status.id));
        }
        let status = &deployment.status;
        let project = status.project_id.clone();
        let order = state.deployment_order.entry(project).or_default();
        order.insert((status.created_at, status.id.clone()));
        if order.len() > MAX_DEPLOYMENTS
            && let Some((_, oldest)) = order.pop_first()
        {
            state.deployments.remove(&oldest);
        }
        Ok(())
    }

    async fn deployment(&self, id: &StatusId) -> Result<Option<DeploymentRecord>, StoreError> {
        Ok(self.lock().await?.deployments.get(id).cloned())
    }

    async fn deployments(
        &self,
        project: &ProjectId,
        before: Option<(Timestamp, StatusId)>,
        limit: usize,
    ) -> Result<Vec<DeploymentRecord>, StoreError> {
        let state = self.lock().await?;
        let Some(order) = state.deployment_order.get(project) else {
            return Ok(Vec::new());
        };
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        let newest = order.range((Bound::Unbounded, end)).rev();
        let newest_first = newest.filter_map(|(_, id)| state.deployments.get(id));
        Ok(newest_first.take(limit).cloned().collect())
    }
}
