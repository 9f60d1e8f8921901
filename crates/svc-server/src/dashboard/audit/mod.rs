//! The audit log of all projects or of one.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use askama::filters::HtmlSafe;
use bytes::Bytes;
use http::Response;
use svc_admin_api::audit::{Actor, AuditRecord};
use svc_admin_api::{Deployments, ProjectId, Store};

use super::page::{self, PageLayout, Tab};
use super::page_request::PageRequest;
use super::refusal::Refusal;
use super::relative_time::RelativeTime;

/// Maximum number of entries on a page.
const PAGE_SIZE: usize = 50;

/// An entry for display.
#[derive(Debug, Template)]
#[template(path = "dashboard/audit/line.html")]
pub(super) struct AuditLine {
    /// Name of the actor: a user, a key, the shell, or unknown.
    actor: String,
    /// `person`, `key`, `shell` or `stranger`.
    kind: &'static str,
    /// Action, as the rest of a sentence.
    act: String,
    /// Action as it is stored, for actions without a sentence.
    action: String,
    subject: Option<String>,
    /// URL of the page of the subject.
    link: Option<String>,
    project: Option<String>,
    from: Option<String>,
    /// Status of a rejected action.
    refused: Option<u16>,
    when: RelativeTime,
}

impl HtmlSafe for AuditLine {}

impl AuditLine {
    /// Without the project, for a page that is about this project.
    pub(super) fn of_one_project(self) -> Self {
        let project = None;
        Self { project, ..self }
    }
}

#[derive(Template)]
#[template(path = "dashboard/audit/audit.html")]
struct AuditPage {
    frame: PageLayout,
    /// ID, name, and whether it is selected.
    projects: Vec<(String, String, bool)>,
    chosen: Option<String>,
    lines: Vec<AuditLine>,
    first: bool,
    next: Option<u64>,
}

/// `GET /audit`.
pub(super) async fn list<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    let filter = visit.query.non_empty("project");
    let filter = filter.map(|text| ProjectId::parse(text).ok_or(Refusal::NotFound));
    let filter = filter.transpose()?;
    let before = visit.query.non_empty("before");
    let before = before.map(|text| text.parse().map_err(|_| Refusal::NotFound));
    let before: Option<u64> = before.transpose()?;
    let store = visit.store();
    // One more entry than shown, to detect another page.
    let mut entries = store
        .entries(filter.as_ref(), before, PAGE_SIZE + 1)
        .await?;
    let more = entries.len() > PAGE_SIZE;
    entries.truncate(PAGE_SIZE);
    let projects = store.projects().await?.into_iter().map(|project| {
        let is_chosen = filter.as_ref() == Some(&project.id);
        (project.id.to_string(), project.name, is_chosen)
    });
    let next = entries.last().filter(|_| more).map(|last| last.sequence);
    let mut frame = visit.frame("Audit log");
    frame.tab = Tab::Audit;
    page::render_page(&AuditPage {
        frame,
        projects: projects.collect(),
        lines: lines(visit, &entries).await?,
        chosen: filter.map(String::from),
        first: before.is_none(),
        next,
    })
}

/// Formats entries for display.
pub(super) async fn lines<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    entries: &[AuditRecord],
) -> Result<Vec<AuditLine>, Refusal> {
    let names = key_names(visit, entries).await?;
    Ok(entries.iter().map(|one| line(visit, one, &names)).collect())
}

/// Names of the keys and tokens in the entries, by ID.
async fn key_names<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    entries: &[AuditRecord],
) -> Result<BTreeMap<String, String>, Refusal> {
    let about_keys = entries.iter().map(|record| &record.entry).filter(|entry| {
        let subject = action_text(&entry.action).2;
        matches!(entry.actor, Actor::Key(_)) || matches!(subject, "keys" | "readers")
    });
    let projects: BTreeSet<&ProjectId> = about_keys
        .filter_map(|entry| entry.project.as_ref())
        .collect();
    let mut names = BTreeMap::new();
    for project in projects {
        let keys = visit.store().keys(project).await?.into_iter();
        names.extend(keys.map(|key| (key.id.to_string(), key.name)));
        let tokens = visit.store().reader_tokens(project).await?.into_iter();
        names.extend(tokens.map(|token| (token.id.to_string(), token.name)));
    }
    Ok(names)
}

fn line<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    logged: &AuditRecord,
    names: &BTreeMap<String, String>,
) -> AuditLine {
    let entry = &logged.entry;
    let key_name = |id: &str| names.get(id).cloned().unwrap_or_else(|| id.to_owned());
    let (kind, actor) = match &entry.actor {
        Actor::Person(name) => ("person", name.clone()),
        Actor::Key(id) => ("key", format!("Key {}", key_name(id.as_str()))),
        Actor::Cli => ("shell", "Shell of the server".to_owned()),
        Actor::Anonymous => ("stranger", "Somebody".to_owned()),
    };
    let project = entry.project.as_ref().map(ToString::to_string);
    let is_refused = entry.status >= 400;
    let (label, attempt, segment) = action_text(&entry.action);
    let act = match entry.action.as_str() {
        "refuseSignIn" if entry.subject.is_none() => {
            "tried to sign in with an unknown account name".to_owned()
        }
        "changePassword" if is_refused => "entered an incorrect old password".to_owned(),
        _ if is_refused && !attempt.is_empty() => format!("tried to {attempt}"),
        _ => label.to_owned(),
    };
    let link = match (&project, &entry.subject) {
        (Some(project), Some(subject)) if !is_refused => match segment {
            "" => None,
            "keys" | "readers" => Some(format!("/projects/{project}/{segment}")),
            segment => Some(format!("/projects/{project}/{segment}/{subject}")),
        },
        _ => None,
    };
    // The subject of a rejected action may only be the project, which is shown anyway.
    let subject = entry.subject.clone();
    let subject = subject.filter(|subject| !is_refused || Some(subject) != project.as_ref());
    AuditLine {
        actor,
        kind,
        act,
        action: entry.action.clone(),
        subject: match segment {
            "keys" | "readers" => subject.map(|id| key_name(&id)),
            _ => subject,
        },
        link,
        project,
        from: entry.from.map(|addr| addr.to_string()),
        refused: Some(entry.status).filter(|_| is_refused),
        when: visit.relative_time(entry.at),
    }
}

/// Sentence for an action that was performed, sentence for one that was rejected, and path segment
/// of the page of its subject.
fn action_text(action: &str) -> (&'static str, &'static str, &'static str) {
    match action {
        "createAgentJob" => ("created the job", "create a job", "jobs"),
        "messageAgentJob" => (
            "sent a message to the job",
            "send a message to the job",
            "jobs",
        ),
        "cancelAgentJob" => ("canceled the job", "cancel the job", "jobs"),
        "archiveAgentJob" => ("archived the job", "archive the job", "jobs"),
        "updateProject" => ("requested the deployment", "deploy the site", "deployments"),
        "createPreview" => ("requested the preview", "deploy a preview", "deployments"),
        "rollBackDeployment" => (
            "rolled back with the deployment",
            "roll back",
            "deployments",
        ),
        "createKey" => ("created the key", "create a key", "keys"),
        "revokeKey" => ("revoked the key", "revoke the key", "keys"),
        "createReaderToken" => (
            "created the token for readers",
            "create a token for readers",
            "readers",
        ),
        "revokeReaderToken" => (
            "revoked the token for readers",
            "revoke a token for readers",
            "readers",
        ),
        "endReaderSession" => ("signed out the reader", "sign out a reader", "readers"),
        "endReaderSessions" => (
            "signed out all readers of",
            "sign out all readers",
            "readers",
        ),
        "putProject" => ("set up the project", "", ""),
        "createAccount" => ("created the account", "", ""),
        "setPassword" => ("set the password of", "", ""),
        "signIn" => ("signed in", "", ""),
        "refuseSignIn" => ("tried to sign in as", "", ""),
        "changePassword" => ("changed their password", "", ""),
        "signOut" => ("signed out", "", ""),
        "signOutEverywhere" => ("signed out everywhere", "", ""),
        _ => ("", "", ""),
    }
}
