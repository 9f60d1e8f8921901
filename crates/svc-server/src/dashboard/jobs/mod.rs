//! Agent jobs of a project: list, create, status and changes.

use askama::Template;
use bytes::Bytes;
use http::{Response, StatusCode};
use svc_admin_api::agent_job::{
    Branch, Job, JobQuery, Phase, Prompt, Status, create_job, cursor_after, parse_cursor,
    send_message,
};
use svc_admin_api::project::ProjectRecord;
use svc_admin_api::{ChangeResult, Deployments, JobId, ProjectId, Store};

use super::page::{self, PageLayout, Tab};
use super::page_request::PageRequest;
use super::parts::{Badge, Confirm, Search, line};
use super::refusal::{Refusal, sentence};
use super::relative_time::RelativeTime;
use super::route::Ending;

/// Maximum number of jobs on a page.
const PAGE_SIZE: usize = 20;
/// Maximum number of bytes at the end of a log that a page shows by default.
const MAX_LOG_BYTES: usize = 64 * 1024;

#[derive(Template)]
#[template(path = "dashboard/jobs/list.html")]
struct JobsPage<'a> {
    frame: PageLayout,
    project: &'a ProjectRecord,
    form: JobForm<'a>,
    /// URL, label, and whether it is the current filter.
    filters: Vec<(String, &'static str, bool)>,
    filtered: bool,
    rows: Vec<JobRow>,
    first: bool,
    next: Option<String>,
    search: Search<'a>,
}

/// Values of the form, to show them again after an error.
#[derive(Default)]
struct JobForm<'a> {
    error: Option<String>,
    prompt: &'a str,
    branch: &'a str,
}

struct JobRow {
    id: String,
    title: String,
    badge: Badge,
    branch: Option<String>,
    model: String,
    turn: u32,
    link: Option<String>,
    created: RelativeTime,
}

/// `GET /projects/{id}/jobs`.
pub(super) async fn list<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    render_list(visit, &project, JobForm::default()).await
}

async fn render_list<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectRecord,
    wish: JobForm<'_>,
) -> Result<Response<Bytes>, Refusal> {
    let status = visit.query.non_empty("status");
    let status = status.map(|text| Status::parse(text).ok_or(Refusal::NotFound));
    let status = status.transpose()?;
    let after = visit.query.non_empty("after");
    let after = after.map(|text| parse_cursor(text).ok_or(Refusal::NotFound));
    let after = after.transpose()?;
    let first = after.is_none();
    let search = Search::new("jobs", visit.query.text("q"), status.map(Status::as_str));
    let mut query = JobQuery {
        project: project.id.clone(),
        status,
        after,
        // One more job than shown, to detect another page.
        limit: PAGE_SIZE + 1,
    };
    let mut matched: Vec<(Job, String)> = Vec::new();
    let mut searched = 0;
    while matched.len() <= PAGE_SIZE && searched < Search::MAX_ENTRIES {
        let jobs = visit.store().jobs(&query).await?;
        searched += jobs.len();
        let is_last = jobs.len() < query.limit || search.is_empty();
        query.after = jobs.last().map(|job| (job.created_at, job.id.clone()));
        for job in jobs {
            let prompts = visit.store().prompts(&job.id).await?;
            let texts = prompts.iter().map(Prompt::as_str);
            let texts = texts.chain(job.branch.as_ref().map(Branch::as_str));
            if search.matches(&texts.collect::<Vec<_>>()) {
                let title = line(prompts.first().map_or("", Prompt::as_str));
                matched.push((job, title));
            }
        }
        if is_last {
            break;
        }
    }
    let more = matched.len() > PAGE_SIZE;
    matched.truncate(PAGE_SIZE);
    let base = format!("/projects/{}/jobs", project.id);
    let next = matched.last().filter(|_| more).map(|(last, _)| {
        let only = status.map_or(String::new(), |status| {
            format!("&status={}", status.as_str())
        });
        format!(
            "{base}?after={}{only}{}",
            cursor_after(last),
            search.parameter()
        )
    });
    let rows = matched.into_iter().map(|(job, title)| JobRow {
        id: job.id.to_string(),
        title,
        badge: Badge::job(&job),
        branch: job.branch.as_ref().map(ToString::to_string),
        link: job.pr_link().map(ToString::to_string),
        model: job.model,
        turn: job.turn,
        created: visit.relative_time(job.created_at),
    });
    let labels = [
        (None, "All"),
        (Some(Status::Active), "Active"),
        (Some(Status::Completed), "Completed"),
        (Some(Status::Failed), "Failed"),
        (Some(Status::Archived), "Archived"),
    ];
    let filters = labels.map(|(item, label)| {
        let url = item.map_or(base.clone(), |item| {
            format!("{base}?status={}", item.as_str())
        });
        (url, label, item == status)
    });
    let code = if wish.error.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let page = JobsPage {
        frame: visit.project_frame(project, Tab::Jobs, "Agent jobs"),
        project,
        form: wish,
        filters: filters.to_vec(),
        filtered: status.is_some() || !search.is_empty(),
        rows: rows.collect(),
        search,
        first,
        next,
    };
    page::with_status(code, &page)
}

/// Parses the prompt of a form; the error is a message for the user.
fn prompt(text: &str) -> Result<Prompt, String> {
    if text.trim().is_empty() {
        return Err("Enter a prompt.".to_owned());
    }
    Prompt::try_from(text.to_owned()).map_err(|reason| sentence(&reason.to_string()))
}

/// `POST /projects/{id}/jobs`.
pub(super) async fn create<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    let (text, branch) = (visit.form.text("prompt"), visit.form.text("branch"));
    let parsed = prompt(text).and_then(|prompt| {
        let branch = visit.form.non_empty("branch").map(str::to_owned);
        let branch = branch.map(Branch::try_from).transpose();
        let branch = branch.map_err(|reason| sentence(&reason.to_string()))?;
        Ok((prompt, branch))
    });
    let (prompt, base) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let wish = JobForm {
                error: Some(error),
                prompt: text,
                branch,
            };
            return render_list(visit, &project, wish).await;
        }
    };
    let context = &visit.dashboard.context;
    let result = create_job(context, &project.id, prompt, base, |id| {
        Ok(visit.change(&project.id, "createAgentJob", id.as_str()))
    });
    match result.await? {
        (ChangeResult::Done(job), _) => page::redirect(&format!(
            "/projects/{}/jobs/{}?done=job",
            project.id, job.id
        )),
        (ChangeResult::NotFound, _) => Err(Refusal::NotFound),
        _ => Err(Refusal::Internal),
    }
}

#[derive(Template)]
#[template(path = "dashboard/jobs/job.html")]
struct JobPage<'a> {
    frame: PageLayout,
    project: &'a ProjectRecord,
    job: &'a Job,
    title: String,
    badge: Badge,
    live: bool,
    created: RelativeTime,
    archived: Option<RelativeTime>,
    /// URL of the repository, if it is an HTTP URL.
    web: Option<&'a str>,
    failure: Option<String>,
    prompts: &'a [Prompt],
    log: &'a str,
    /// Whether only the end of the log is shown.
    cut: bool,
    form: JobForm<'a>,
}

impl JobPage<'_> {
    fn can_message(&self) -> bool {
        self.job.status() == Status::Completed
    }

    fn can_archive(&self) -> bool {
        matches!(self.job.status(), Status::Completed | Status::Failed)
    }
}

/// `GET /projects/{id}/jobs/{job}`.
pub(super) async fn show<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &JobId,
) -> Result<Response<Bytes>, Refusal> {
    render_job(visit, project, id, JobForm::default()).await
}

async fn render_job<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &JobId,
    wish: JobForm<'_>,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    let store = visit.store();
    let job = store.job(&project.id, id).await?;
    let job = job.ok_or(Refusal::NotFound)?;
    let prompts = store.prompts(&job.id).await?;
    let log = store.log(&project.id, &job.id, 0).await?;
    let log = log.unwrap_or_default().text;
    let all = visit.query.text("log") == "all";
    let shown = if all { &log } else { end(&log) };
    let title = line(prompts.first().map_or("", Prompt::as_str));
    let repository = job.repository.as_str();
    let code = if wish.error.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let mut frame = visit.project_frame(&project, Tab::Jobs, &title);
    // The message about a waiting job is outdated once the job runs.
    let waits = matches!(job.phase, Phase::Active { lease: None, .. });
    if !waits && ["job", "message"].contains(&visit.query.text("done")) {
        frame.done = None;
    }
    let page = JobPage {
        frame,
        project: &project,
        job: &job,
        title,
        badge: Badge::job(&job),
        live: job.status() == Status::Active,
        created: visit.relative_time(job.created_at),
        archived: job.archived_at().map(|at| visit.relative_time(at)),
        web: Some(repository).filter(|url| url.starts_with("https://")),
        failure: match &job.phase {
            Phase::Failed { reason } => Some(sentence(reason)),
            _ => None,
        },
        prompts: &prompts,
        cut: shown.len() < log.len(),
        log: shown,
        form: wish,
    };
    page::with_status(code, &page)
}

/// The last lines of a log.
fn end(log: &str) -> &str {
    let from = log.len().saturating_sub(MAX_LOG_BYTES);
    let tail = (from..log.len()).find_map(|at| log.get(at..));
    let tail = tail.unwrap_or(log);
    match tail.split_once('\n') {
        Some((_, lines)) if from > 0 => lines,
        _ => tail,
    }
}

/// `POST /projects/{id}/jobs/{job}/message`.
pub(super) async fn message<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &JobId,
) -> Result<Response<Bytes>, Refusal> {
    let text = visit.form.text("prompt");
    let prompt = match prompt(text) {
        Ok(prompt) => prompt,
        Err(error) => {
            let wish = JobForm {
                error: Some(error),
                prompt: text,
                branch: "",
            };
            return render_job(visit, project, id, wish).await;
        }
    };
    let change = visit.change(project, "messageAgentJob", id.as_str());
    let context = &visit.dashboard.context;
    match send_message(context, project, id, &prompt, &change).await? {
        ChangeResult::Done(_) => {
            page::redirect(&format!("/projects/{project}/jobs/{id}?done=message"))
        }
        ChangeResult::InvalidState(status) => Err(Refusal::Conflict(format!(
            "Only a completed job accepts messages. The status of this job is {}.",
            status.as_str()
        ))),
        _ => Err(Refusal::NotFound),
    }
}

impl Ending {
    const fn texts(self) -> &'static EndingTexts {
        match self {
            Self::Cancel => &CANCEL,
            Self::Archive => &ARCHIVE,
        }
    }
}

/// Texts of the confirmation page, and how the change is recorded.
struct EndingTexts {
    name: &'static str,
    operation: &'static str,
    noun: &'static str,
    title: &'static str,
    text: &'static str,
    verb: &'static str,
    danger: bool,
    allowed: &'static str,
    /// Notice on the page of the job afterwards.
    done: &'static str,
}

static CANCEL: EndingTexts = EndingTexts {
    name: "cancel",
    operation: "cancelAgentJob",
    noun: "Cancel a job",
    title: "Cancel this job?",
    text: "The agent and all programs that it has started are stopped. Changes that were not pushed are lost, and the job fails.",
    verb: "Cancel job",
    danger: true,
    allowed: "Only an active job can be canceled",
    done: "canceled",
};

static ARCHIVE: EndingTexts = EndingTexts {
    name: "archive",
    operation: "archiveAgentJob",
    noun: "Archive a job",
    title: "Archive this job?",
    text: "An archived job accepts no further messages and cannot be reopened. Its log, its prompts and its pull request are kept.",
    verb: "Archive job",
    danger: false,
    allowed: "Only a completed or failed job can be archived",
    done: "archived",
};

/// `GET /projects/{id}/jobs/{job}/cancel` and `…/archive`.
pub(super) async fn confirm<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &JobId,
    ending: Ending,
) -> Result<Response<Bytes>, Refusal> {
    let texts = ending.texts();
    let project = visit.project(project).await?;
    let job = visit.store().job(&project.id, id).await?;
    let job = job.ok_or(Refusal::NotFound)?;
    let prompts = visit.store().prompts(&job.id).await?;
    let path = format!("/projects/{}/jobs/{}", project.id, job.id);
    page::render_page(&Confirm {
        frame: visit.project_frame(&project, Tab::Jobs, texts.noun),
        title: texts.title.to_owned(),
        text: texts.text,
        facts: vec![
            ("Job", line(prompts.first().map_or("", Prompt::as_str))),
            ("Status", job.status().as_str().to_owned()),
        ],
        action: format!("{path}/{}", texts.name),
        verb: texts.verb,
        danger: texts.danger,
        back: path,
    })
}

/// `POST /projects/{id}/jobs/{job}/cancel` and `…/archive`.
pub(super) async fn end_job<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &JobId,
    ending: Ending,
) -> Result<Response<Bytes>, Refusal> {
    let texts = ending.texts();
    let change = visit.change(project, texts.operation, id.as_str());
    let store = visit.store();
    let outcome = match ending {
        Ending::Cancel => store.cancel(project, id, &change).await?,
        Ending::Archive => store.archive(project, id, &change).await?,
    };
    match outcome {
        ChangeResult::Done(_) => {
            let label = texts.done;
            page::redirect(&format!("/projects/{project}/jobs/{id}?done={label}"))
        }
        ChangeResult::InvalidState(status) => Err(Refusal::Conflict(format!(
            "{}. The status of this job is {}.",
            texts.allowed,
            status.as_str()
        ))),
        _ => Err(Refusal::NotFound),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_log_starts_at_a_line() {
        assert_eq!(end("a\nb"), "a\nb");
        let long = format!("{}\nlast ä\n", "ä".repeat(MAX_LOG_BYTES));
        assert_eq!(end(&long), "last ä\n");
        let line = "ä".repeat(MAX_LOG_BYTES);
        assert_eq!(end(&line).len(), MAX_LOG_BYTES);
    }
}
