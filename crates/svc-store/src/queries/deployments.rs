//! Deployments.

use svc_admin_api::deployment::MAX_DEPLOYMENTS;
use svc_admin_api::{DeploymentRecord, ProjectId, StatusId, Timestamp};

use crate::error::DbError;
use crate::sql::{Connection, Row};
use crate::transaction::{TxEnd, TxFuture, WriteTx};

const UPSERT_DEPLOYMENT: &str = "INSERT INTO deployments (id, project, created_at, document) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO UPDATE SET project = excluded.project, \
    created_at = excluded.created_at, document = excluded.document";

/// The oldest retained deployment is found by counting from the newest; with fewer deployments the
/// subquery is empty and nothing is deleted.
const DELETE_OLDEST: &str = "DELETE FROM deployments WHERE project = $1 AND (created_at, id) < \
    (SELECT created_at, id FROM deployments WHERE project = $1 \
    ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $2)";

const SELECT_DEPLOYMENT: &str = "SELECT document FROM deployments WHERE id = $1";

const SELECT_DEPLOYMENTS: &str = "SELECT document FROM deployments WHERE project = $1 \
    ORDER BY created_at DESC, id DESC LIMIT $2";

const SELECT_DEPLOYMENTS_BEFORE: &str = "SELECT document FROM deployments WHERE project = $1 \
    AND (created_at, id) < ($3, $4) ORDER BY created_at DESC, id DESC LIMIT $2";

pub(crate) fn put<'a>(
    tx: &'a mut WriteTx<'_>,
    deployment: &'a DeploymentRecord,
) -> TxFuture<'a, ()> {
    Box::pin(async move {
        let document = serde_json::to_string(deployment);
        let document = document.map_err(|_| DbError::corrupt("a deployment"))?;
        let status = &deployment.status;
        let project = status.project_id.as_str();
        let values = [
            status.id.as_str().into(),
            project.into(),
            status.created_at.into(),
            (&document).into(),
        ];
        tx.conn.execute(UPSERT_DEPLOYMENT, &values).await?;
        let before = MAX_DEPLOYMENTS.saturating_sub(1);
        tx.conn
            .execute(DELETE_OLDEST, &[project.into(), before.into()])
            .await?;
        Ok(TxEnd::Commit(()))
    })
}

pub(crate) async fn get(
    conn: &mut Connection<'_>,
    id: &StatusId,
) -> Result<Option<DeploymentRecord>, DbError> {
    let row = conn
        .fetch_optional(SELECT_DEPLOYMENT, &[id.as_str().into()])
        .await?;
    row.as_ref().map(deployment).transpose()
}

pub(crate) async fn list(
    conn: &mut Connection<'_>,
    project: &ProjectId,
    before: Option<(Timestamp, StatusId)>,
    limit: usize,
) -> Result<Vec<DeploymentRecord>, DbError> {
    let first = [project.as_str().into(), limit.into()];
    let rows = match &before {
        None => conn.fetch_all(SELECT_DEPLOYMENTS, &first).await?,
        Some((at, id)) => {
            let [project, limit] = first;
            let values = [project, limit, (*at).into(), id.as_str().into()];
            conn.fetch_all(SELECT_DEPLOYMENTS_BEFORE, &values).await?
        }
    };
    rows.iter().map(deployment).collect()
}

fn deployment(row: &Row) -> Result<DeploymentRecord, DbError> {
    serde_json::from_str(&row.text(0)?).map_err(|_| DbError::corrupt("a deployment"))
}
