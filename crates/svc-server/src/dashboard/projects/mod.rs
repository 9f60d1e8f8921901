//! The list of projects, and the overview of a project.

use askama::Template;
use bytes::Bytes;
use http::Response;
use svc_admin_api::agent_job::{JobQuery, Status};
use svc_admin_api::project::ProjectRecord;
use svc_admin_api::{Deployments, ProjectId, Store};

use super::audit::{self, AuditLine};
use super::deployments;
use super::page::{self, PageLayout, Tab};
use super::page_request::PageRequest;
use super::parts::Badge;
use super::refusal::Refusal;
use super::relative_time::RelativeTime;

/// Maximum number of entries of the audit log in the overview.
const MAX_RECENT: usize = 6;
/// Maximum number of active jobs that are counted.
const MAX_ACTIVE_JOBS: usize = 100;

#[derive(Template)]
#[template(path = "dashboard/projects/list.html")]
struct ListPage {
    frame: PageLayout,
    projects: Vec<ProjectCard>,
}

struct ProjectCard {
    id: String,
    name: String,
    latest: Option<LatestDeployment>,
    site: Option<String>,
    agent: bool,
}

/// The latest deployment.
struct LatestDeployment {
    badge: Badge,
    summary: String,
    id: String,
    when: RelativeTime,
}

/// `GET /`.
pub(super) async fn list<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    let mut cards = Vec::new();
    for project in visit.store().projects().await? {
        let latest = latest(visit, &project.id).await;
        cards.push(ProjectCard {
            id: project.id.to_string(),
            name: project.name,
            latest,
            site: visit.dashboard.context.deployments.site(&project.id),
            agent: project.agent.is_some(),
        });
    }
    page::render_page(&ListPage {
        frame: visit.frame("Projects"),
        projects: cards,
    })
}

/// The latest production deployment; `None` if it cannot be determined, which is no error of the
/// page.
async fn latest<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
) -> Option<LatestDeployment> {
    let list = visit.dashboard.context.deployments.list(project, 20).await;
    let list = list.ok()?.into_iter().map(|entry| entry.record);
    let mut sites = list.filter(|item| item.status.preview_url.is_none());
    let record = sites.next()?;
    let status = &record.status;
    Some(LatestDeployment {
        badge: Badge::deployment(status.status),
        summary: deployments::heading(&record),
        id: status.id.to_string(),
        when: visit.relative_time(status.created_at),
    })
}

#[derive(Template)]
#[template(path = "dashboard/projects/overview.html")]
struct OverviewPage<'a> {
    frame: PageLayout,
    project: &'a ProjectRecord,
    origin: &'a str,
    site: Option<String>,
    latest: Option<LatestDeployment>,
    active: String,
    keys: usize,
    recent: Vec<AuditLine>,
}

/// `GET /projects/{id}`.
pub(super) async fn overview<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    id: &ProjectId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(id).await?;
    let store = visit.store();
    let query = JobQuery {
        project: id.clone(),
        status: Some(Status::Active),
        after: None,
        limit: MAX_ACTIVE_JOBS,
    };
    let active = store.jobs(&query).await?.len();
    let active = if active == MAX_ACTIVE_JOBS {
        format!("{active}+")
    } else {
        active.to_string()
    };
    let keys = store.keys(id).await?;
    let entries = store.entries(Some(id), None, MAX_RECENT).await?;
    page::render_page(&OverviewPage {
        frame: visit.project_frame(&project, Tab::Overview, "Overview"),
        project: &project,
        origin: visit.dashboard.origin,
        site: visit.dashboard.context.deployments.site(id),
        latest: latest(visit, id).await,
        active,
        keys: keys.iter().filter(|key| key.is_live(visit.now)).count(),
        recent: audit::lines(visit, &entries)
            .await?
            .into_iter()
            .map(AuditLine::of_one_project)
            .collect(),
    })
}
