//! Projects.

use svc_admin_api::agent_job::Branch;
use svc_admin_api::project::{AgentSource, ProjectRecord};
use svc_admin_api::{Change, ChangeResult, ProjectId};

use super::audit;
use crate::error::DbError;
use crate::notice::Notice;
use crate::sql::{Connection, Row};
use crate::transaction::{TxEnd, TxFuture, WriteTx};

const SELECT_PROJECT: &str = "SELECT id, name, repository, branch, model, created_at FROM projects \
    WHERE id = $1";

const SELECT_PROJECTS: &str = "SELECT id, name, repository, branch, model, created_at FROM projects \
    ORDER BY id";

const UPSERT_PROJECT: &str = "INSERT INTO projects (id, name, repository, branch, model, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET name = excluded.name, \
    repository = excluded.repository, branch = excluded.branch, model = excluded.model";

pub(crate) async fn get(
    conn: &mut Connection<'_>,
    id: &ProjectId,
) -> Result<Option<ProjectRecord>, DbError> {
    let row = conn
        .fetch_optional(SELECT_PROJECT, &[id.as_str().into()])
        .await?;
    row.as_ref().map(project).transpose()
}

/// Whether a project exists. Projects are never deleted, so later statements can rely on it.
pub(crate) async fn exists(conn: &mut Connection<'_>, id: &ProjectId) -> Result<bool, DbError> {
    let row = conn
        .fetch_optional(SELECT_PROJECT, &[id.as_str().into()])
        .await?;
    Ok(row.is_some())
}

pub(crate) async fn list(conn: &mut Connection<'_>) -> Result<Vec<ProjectRecord>, DbError> {
    let rows = conn.fetch_all(SELECT_PROJECTS, &[]).await?;
    rows.iter().map(project).collect()
}

pub(crate) fn put<'a>(
    tx: &'a mut WriteTx<'_>,
    (project, change): &'a (ProjectRecord, Change),
) -> TxFuture<'a, ChangeResult<()>> {
    Box::pin(async move {
        let agent = project.agent.as_ref();
        let branch = agent.and_then(|agent| agent.branch.as_ref());
        let values = [
            project.id.as_str().into(),
            (&project.name).into(),
            agent.map(|agent| agent.repository.as_str()).into(),
            branch.map(Branch::as_str).into(),
            agent.map(|agent| agent.model.as_str()).into(),
            project.created_at.into(),
        ];
        tx.conn.execute(UPSERT_PROJECT, &values).await?;
        audit::add(tx, &change.entry).await?;
        tx.notices.push(Notice::Changed);
        Ok(TxEnd::Commit(ChangeResult::Done(())))
    })
}

fn project(row: &Row) -> Result<ProjectRecord, DbError> {
    let agent = match (row.maybe_parse(2)?, row.maybe_text(4)?) {
        (Some(repository), Some(model)) => Some(AgentSource {
            repository,
            branch: row.maybe_parse(3)?,
            model,
        }),
        (None, None) => None,
        _ => return Err(DbError::corrupt("a project")),
    };
    Ok(ProjectRecord {
        id: row.parse(0)?,
        name: row.text(1)?,
        agent,
        created_at: row.time(5)?,
    })
}
