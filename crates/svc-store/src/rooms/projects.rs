//! Projects.

use svc_admin_api::agent_job::Branch;
use svc_admin_api::project::{AgentSource, ProjectRecord};
use svc_admin_api::{Change, ChangeResult, ProjectId};

use super::audit;
use crate::failure::Failure;
use crate::notice::Notice;
use crate::sql::{Link, Row};
use crate::work::{Ends, Step, Work};

const ONE: &str = "SELECT id, name, repository, branch, model, created_at FROM projects \
    WHERE id = $1";

const ALL: &str = "SELECT id, name, repository, branch, model, created_at FROM projects \
    ORDER BY id";

const PUT: &str = "INSERT INTO projects (id, name, repository, branch, model, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET name = excluded.name, \
    repository = excluded.repository, branch = excluded.branch, model = excluded.model";

pub(crate) async fn one(link: &mut Link<'_>, id: &ProjectId) -> Result<Option<ProjectRecord>, Failure> {
    let row = link.row(ONE, &[id.as_str().into()]).await?;
    row.as_ref().map(project).transpose()
}

/// Whether a project is there. None ever goes away, so what comes after may rely on it.
pub(crate) async fn is_known(link: &mut Link<'_>, id: &ProjectId) -> Result<bool, Failure> {
    let row = link.row(ONE, &[id.as_str().into()]).await?;
    Ok(row.is_some())
}

pub(crate) async fn all(link: &mut Link<'_>) -> Result<Vec<ProjectRecord>, Failure> {
    let rows = link.rows(ALL, &[]).await?;
    rows.iter().map(project).collect()
}

pub(crate) fn put<'a>(
    work: &'a mut Work<'_>,
    (project, change): &'a (ProjectRecord, Change),
) -> Step<'a, ChangeResult<()>> {
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
        work.link.run(PUT, &values).await?;
        audit::add(work, &change.entry).await?;
        work.notices.push(Notice::Changed);
        Ok(Ends::Keep(ChangeResult::Done(())))
    })
}

fn project(row: &Row) -> Result<ProjectRecord, Failure> {
    let agent = match (row.maybe_name(2)?, row.maybe_text(4)?) {
        (Some(repository), Some(model)) => Some(AgentSource {
            repository,
            branch: row.maybe_name(3)?,
            model,
        }),
        (None, None) => None,
        _ => return Err(Failure::broken("a project")),
    };
    Ok(ProjectRecord {
        id: row.name(0)?,
        name: row.text(1)?,
        agent,
        created_at: row.time(5)?,
    })
}
