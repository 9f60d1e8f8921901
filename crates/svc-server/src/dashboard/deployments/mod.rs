//! Deployments of a project: list, trigger, status and rollback.

use askama::Template;
use bytes::Bytes;
use http::{Response, StatusCode};
use svc_admin_api::agent_job::Branch;
use svc_admin_api::deployment::{
    DeploymentRecord, DeploymentStatus, DeploymentSummary, Progress, trigger_deployment,
};
use svc_admin_api::project::ProjectRecord;
use svc_admin_api::{DeployTarget, Deployments, ProjectId, StatusId, Store};

use super::page::{self, PageLayout, Tab};
use super::page_request::PageRequest;
use super::parts::{Badge, Confirm, Search, line, short_commit};
use super::refusal::{Refusal, sentence};
use super::relative_time::{RelativeTime, span};

/// Maximum number of deployments on the page.
const PAGE_SIZE: usize = 50;

#[derive(Template)]
#[template(path = "dashboard/deployments/list.html")]
struct DeploymentsPage<'a> {
    frame: PageLayout,
    project: &'a ProjectRecord,
    rows: Vec<DeploymentRow>,
    live: bool,
    site: Option<String>,
    error: Option<String>,
    branch: &'a str,
    search: Search<'a>,
}

struct DeploymentRow {
    id: String,
    title: String,
    badge: Badge,
    is_live: bool,
    /// Name of the server that built it, if there are several.
    server: Option<String>,
    restorable: bool,
    preview: Option<String>,
    commit: Option<(String, Option<String>)>,
    author: Option<String>,
    /// Reason of the deployment, or its result if the title is the reason.
    about: String,
    when: RelativeTime,
    took: Option<String>,
}

impl DeploymentRow {
    /// Texts that are searched.
    fn search_texts(&self) -> [&str; 6] {
        let (sha, reference) = match &self.commit {
            Some((sha, reference)) => (&**sha, reference.as_deref()),
            None => ("", None),
        };
        [
            &self.title,
            sha,
            reference.unwrap_or(""),
            self.author.as_deref().unwrap_or(""),
            &self.about,
            self.badge.label(),
        ]
    }
}

/// Title of a deployment in lists: its commit, or else its reason.
pub(super) fn heading(record: &DeploymentRecord) -> String {
    let status = &record.status;
    let commit = status.commit.as_ref().map(|commit| commit.message.as_str());
    let text = commit.filter(|message| !message.trim().is_empty());
    text.map_or_else(|| reason(record), line)
}

/// Whether the deployment has not finished.
const fn is_in_progress(progress: Progress) -> bool {
    matches!(progress, Progress::Queued | Progress::InProgress)
}

/// Reason of a deployment and its requester, for display.
fn reason(record: &DeploymentRecord) -> String {
    match &record.triggered_by {
        Some(name) => format!("Requested by {name}"),
        None => source(&record.status.source),
    }
}

/// Reason of a deployment, for display.
fn source(value: &str) -> String {
    let text = match value {
        "api" => "Requested by a program",
        "dashboard" => "Requested in the dashboard",
        "push" | "webhook" => "Push",
        "start" => "Start of the server",
        "change" | "watch" => "Changed files",
        "shell" | "command" => "Requested at the shell",
        "rollback" | "roll-back" => "Rolled back",
        other => return sentence(other).trim_end_matches('.').to_owned(),
    };
    text.to_owned()
}

fn row<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    summary: &DeploymentSummary,
) -> DeploymentRow {
    let status = &summary.record.status;
    let (title, why) = (heading(&summary.record), reason(&summary.record));
    let about = if title == why {
        line(&status.summary)
    } else {
        why
    };
    let commit = status.commit.as_ref().map(|commit| {
        let sha = short_commit(&commit.sha).to_owned();
        (sha, commit.reference.clone())
    });
    DeploymentRow {
        id: status.id.to_string(),
        title,
        badge: Badge::deployment(status.status),
        is_live: summary.record.live,
        server: summary.record.server.clone(),
        restorable: summary.can_roll_back && !summary.record.live,
        preview: status.preview_url.clone(),
        commit,
        author: status.author.as_ref().map(|author| author.name.clone()),
        about,
        when: visit.relative_time(status.created_at),
        took: status.ended_at.map(|end| span(status.created_at, end)),
    }
}

/// `GET /projects/{id}/deployments`.
pub(super) async fn list<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    render(visit, &project, None).await
}

async fn render<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectRecord,
    error: Option<String>,
) -> Result<Response<Bytes>, Refusal> {
    let deployments = visit.dashboard.context.deployments;
    let search = Search::new("deployments", visit.query.text("q"), None);
    let limit = if search.is_empty() {
        PAGE_SIZE
    } else {
        Search::MAX_ENTRIES
    };
    let result = deployments.list(&project.id, limit).await?;
    let rows = result.iter().map(|item| row(visit, item));
    let rows = rows.filter(|row| search.matches(&row.search_texts()));
    let rows: Vec<DeploymentRow> = rows.take(PAGE_SIZE).collect();
    let code = if error.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let page = DeploymentsPage {
        frame: visit.project_frame(project, Tab::Deployments, "Deployments"),
        project,
        rows,
        search,
        live: result
            .iter()
            .any(|item| is_in_progress(item.record.status.status)),
        site: deployments.site(&project.id),
        error,
        branch: visit.form.text("branch"),
    };
    page::with_status(code, &page)
}

/// `POST /projects/{id}/deployments`: the site, or a branch as a preview.
pub(super) async fn trigger<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    let target = if visit.form.text("what") == "preview" {
        match Branch::try_from(visit.form.text("branch").trim().to_owned()) {
            Ok(branch) => DeployTarget::Preview(branch),
            Err(reason) => {
                return render(visit, &project, Some(sentence(&reason.to_string()))).await;
            }
        }
    } else {
        DeployTarget::Site
    };
    let context = &visit.dashboard.context;
    match trigger_deployment(context, &visit.initiator(), &project.id, &target).await {
        Ok(handle) => page::redirect(&format!(
            "/projects/{}/deployments/{}?done=deploying",
            project.id, handle.id
        )),
        Err(error) => match Refusal::from(error) {
            Refusal::Conflict(reason) => render(visit, &project, Some(sentence(&reason))).await,
            other => Err(other),
        },
    }
}

#[derive(Template)]
#[template(path = "dashboard/deployments/deployment.html")]
struct DeploymentPage<'a> {
    frame: PageLayout,
    project: &'a ProjectRecord,
    status: &'a DeploymentStatus,
    row: DeploymentRow,
    live: bool,
    /// URL of the site, if the deployment is live.
    site: Option<String>,
    reason: String,
    summary: String,
}

/// Finds a deployment of the project, and whether it can be restored.
async fn find<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &StatusId,
) -> Result<DeploymentSummary, Refusal> {
    let deployments = visit.dashboard.context.deployments;
    let summaries = deployments.list(project, PAGE_SIZE).await?;
    let recent = summaries
        .into_iter()
        .find(|summary| summary.record.status.id == *id);
    if let Some(recent) = recent {
        return Ok(recent);
    }
    let status = deployments.status(id).await?;
    let status = status.filter(|status| status.project_id == *project);
    let status = status.ok_or(Refusal::NotFound)?;
    Ok(DeploymentSummary {
        record: status.into(),
        can_roll_back: false,
    })
}

/// `GET /projects/{id}/deployments/{status}`.
pub(super) async fn show<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &StatusId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    let deployment = find(visit, &project.id, id).await?;
    let row = row(visit, &deployment);
    let title = row.title.clone();
    let mut frame = visit.project_frame(&project, Tab::Deployments, &title);
    if deployment.record.status.status != Progress::Queued
        && visit.query.text("done") == "deploying"
    {
        frame.done = None;
    }
    let site = visit.dashboard.context.deployments.site(&project.id);
    page::render_page(&DeploymentPage {
        frame,
        site: site.filter(|_| row.is_live && row.preview.is_none()),
        project: &project,
        live: is_in_progress(deployment.record.status.status),
        reason: reason(&deployment.record),
        summary: sentence(deployment.record.status.summary.trim()),
        status: &deployment.record.status,
        row,
    })
}

/// `GET /projects/{id}/deployments/{status}/roll-back`.
pub(super) async fn confirm_roll_back<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &StatusId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    let deployment = find(visit, &project.id, id).await?;
    let path = format!("/projects/{}/deployments/{id}", project.id);
    if !deployment.can_roll_back {
        let reason = "this deployment is no longer retained and cannot be restored";
        return Err(Refusal::Conflict(reason.to_owned()));
    }
    let status = &deployment.record.status;
    let mut facts = vec![("Deployment", heading(&deployment.record))];
    if let Some(commit) = &status.commit {
        facts.push(("Commit", short_commit(&commit.sha).to_owned()));
    }
    facts.push((
        "Created",
        super::relative_time::ago(visit.now)(status.created_at),
    ));
    page::render_page(&Confirm {
        frame: visit.project_frame(&project, Tab::Deployments, "Roll back"),
        title: "Roll back to this deployment?".to_owned(),
        text: "This deployment becomes live immediately. The repository is not changed; the next deployment publishes its then current state.",
        facts,
        action: format!("{path}/roll-back"),
        verb: "Roll back",
        danger: true,
        back: path,
    })
}

/// `POST /projects/{id}/deployments/{status}/roll-back`.
pub(super) async fn roll_back<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &StatusId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    find(visit, &project.id, id).await?;
    let deployments = visit.dashboard.context.deployments;
    let result = deployments.roll_back(&project.id, id).await?;
    let change = visit.change(&project.id, "rollBackDeployment", result.id.as_str());
    visit.store().record(&change.entry).await?;
    page::redirect(&format!(
        "/projects/{}/deployments/{}?done=rolled-back",
        project.id, result.id
    ))
}
