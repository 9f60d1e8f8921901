//! Deployments.

use svc_admin_api::deployment::MAX_DEPLOYMENTS;
use svc_admin_api::{DeploymentRecord, ProjectId, StatusId, Timestamp};

use crate::failure::Failure;
use crate::sql::{Link, Row};
use crate::work::{Ends, Step, Work};

const PUT: &str = "INSERT INTO deployments (id, project, created_at, document) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO UPDATE SET project = excluded.project, \
    created_at = excluded.created_at, document = excluded.document";

/// The oldest of those that are kept is found by counting from the newest; where there are fewer,
/// nothing is older than it.
const DROP: &str = "DELETE FROM deployments WHERE project = $1 AND (created_at, id) < \
    (SELECT created_at, id FROM deployments WHERE project = $1 \
    ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $2)";

const ONE: &str = "SELECT document FROM deployments WHERE id = $1";

const OF_PROJECT: &str = "SELECT document FROM deployments WHERE project = $1 \
    ORDER BY created_at DESC, id DESC LIMIT $2";

const BEFORE: &str = "SELECT document FROM deployments WHERE project = $1 \
    AND (created_at, id) < ($3, $4) ORDER BY created_at DESC, id DESC LIMIT $2";

pub(crate) fn put<'a>(work: &'a mut Work<'_>, deployment: &'a DeploymentRecord) -> Step<'a, ()> {
    Box::pin(async move {
        let document = serde_json::to_string(deployment);
        let document = document.map_err(|_| Failure::broken("a deployment"))?;
        let status = &deployment.status;
        let project = status.project_id.as_str();
        let values = [
            status.id.as_str().into(),
            project.into(),
            status.created_at.into(),
            (&document).into(),
        ];
        work.link.run(PUT, &values).await?;
        let before = MAX_DEPLOYMENTS.saturating_sub(1);
        work.link
            .run(DROP, &[project.into(), before.into()])
            .await?;
        Ok(Ends::Keep(()))
    })
}

pub(crate) async fn one(
    link: &mut Link<'_>,
    id: &StatusId,
) -> Result<Option<DeploymentRecord>, Failure> {
    let row = link.row(ONE, &[id.as_str().into()]).await?;
    row.as_ref().map(deployment).transpose()
}

pub(crate) async fn of_project(
    link: &mut Link<'_>,
    project: &ProjectId,
    before: Option<(Timestamp, StatusId)>,
    limit: usize,
) -> Result<Vec<DeploymentRecord>, Failure> {
    let first = [project.as_str().into(), limit.into()];
    let rows = match &before {
        None => link.rows(OF_PROJECT, &first).await?,
        Some((at, id)) => {
            let [project, limit] = first;
            let values = [project, limit, (*at).into(), id.as_str().into()];
            link.rows(BEFORE, &values).await?
        }
    };
    rows.iter().map(deployment).collect()
}

fn deployment(row: &Row) -> Result<DeploymentRecord, Failure> {
    serde_json::from_str(&row.text(0)?).map_err(|_| Failure::broken("a deployment"))
}
