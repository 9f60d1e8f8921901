//! API keys of a project: list, create, show once and revoke.

use askama::Template;
use bytes::Bytes;
use http::{Response, StatusCode};
use svc_admin_api::key::{CreateKeyError, Key, NewKey, Scope, create_key, revoke_key};
use svc_admin_api::project::ProjectRecord;
use svc_admin_api::{Deployments, KeyId, ProjectId, Store};

use super::lifetime::Lifetime;
use super::page::{self, PageLayout, Tab};
use super::page_request::PageRequest;
use super::parts::{Badge, Confirm};
use super::refusal::{Refusal, sentence};
use super::relative_time::RelativeTime;

#[derive(Template)]
#[template(path = "dashboard/keys/keys.html")]
struct KeysPage<'a> {
    frame: PageLayout,
    project: &'a ProjectRecord,
    origin: &'a str,
    form: KeyForm<'a>,
    live: Vec<KeyRow>,
    over: Vec<KeyRow>,
}

/// Values of the form, to show them again after an error.
#[derive(Default)]
struct KeyForm<'a> {
    error: Option<String>,
    name: &'a str,
    write: bool,
    networks: &'a str,
    lifetime: Lifetime,
}

struct KeyRow {
    id: String,
    name: String,
    lookup: String,
    scope: &'static str,
    networks: String,
    created: RelativeTime,
    used: Option<RelativeTime>,
    expires: Option<RelativeTime>,
    badge: Badge,
}

#[derive(Template)]
#[template(path = "dashboard/keys/made.html")]
struct CreatedKeyPage<'a> {
    frame: PageLayout,
    project: &'a ProjectRecord,
    origin: &'a str,
    key: &'a Key,
    secret: &'a str,
}

/// `GET /projects/{id}/keys`.
pub(super) async fn list<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    let wish = KeyForm {
        write: true,
        ..KeyForm::default()
    };
    render(visit, &project, wish).await
}

async fn render<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectRecord,
    wish: KeyForm<'_>,
) -> Result<Response<Bytes>, Refusal> {
    let keys = visit.store().keys(&project.id).await?;
    let (live, over): (Vec<&Key>, Vec<&Key>) = keys.iter().partition(|key| key.is_live(visit.now));
    let rows = |keys: Vec<&Key>| keys.into_iter().map(|key| row(visit, key)).collect();
    let status = if wish.error.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let page = KeysPage {
        frame: visit.project_frame(project, Tab::Keys, "API keys"),
        project,
        origin: visit.dashboard.origin,
        form: wish,
        live: rows(live),
        over: rows(over),
    };
    page::with_status(status, &page)
}

fn row<S: Store, D: Deployments>(visit: &PageRequest<'_, S, D>, key: &Key) -> KeyRow {
    let networks: Vec<String> = key.networks.iter().map(ToString::to_string).collect();
    let badge = if key.revoked_at.is_some() {
        Badge::new("bad", "Revoked")
    } else if !key.is_live(visit.now) {
        Badge::new("wait", "Expired")
    } else {
        Badge::new("good", "Active")
    };
    KeyRow {
        id: key.id.to_string(),
        name: key.name.clone(),
        lookup: key.lookup.clone(),
        scope: scope_label(key.scope),
        networks: networks.join(", "),
        created: visit.relative_time(key.created_at),
        used: key.last_used_at.map(|at| visit.relative_time(at)),
        expires: key.expires_at.map(|at| visit.relative_time(at)),
        badge,
    }
}

const fn scope_label(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "Read only",
        Scope::Write => "Read and write",
    }
}

/// `POST /projects/{id}/keys`. The secret is only part of this response.
pub(super) async fn create<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    let form = &visit.form;
    let lifetime = Lifetime::of(form);
    let networks = form.text("networks");
    let new = NewKey {
        project: project.id.clone(),
        name: form.text("name").trim().to_owned(),
        scopes: form
            .non_empty("scope")
            .map(str::to_owned)
            .into_iter()
            .collect(),
        networks: networks
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
            .collect(),
        expires_at: lifetime.end(visit.now),
    };
    let context = &visit.dashboard.context;
    let (clock, random, by) = (context.clock, context.random, visit.initiator());
    let result = create_key(context.store, clock, random, context.limits, &by, &new);
    let (key, secret) = match result.await {
        Ok(result) => result,
        Err(CreateKeyError::Store(error)) => return Err(error.into()),
        Err(CreateKeyError::Random(error)) => return Err(error.into()),
        Err(CreateKeyError::UnknownProject) => return Err(Refusal::NotFound),
        Err(CreateKeyError::TooMany(seconds)) => return Err(Refusal::TooMany(seconds)),
        Err(rejection) => {
            let wish = KeyForm {
                error: Some(sentence(&rejection.to_string())),
                name: form.text("name"),
                write: form.text("scope") == "write",
                networks,
                lifetime,
            };
            return render(visit, &project, wish).await;
        }
    };
    page::render_page(&CreatedKeyPage {
        frame: visit.project_frame(&project, Tab::Keys, "Key created"),
        project: &project,
        origin: visit.dashboard.origin,
        key: &key,
        secret: secret.reveal(),
    })
}

/// `GET /projects/{id}/keys/{key}/revoke`.
pub(super) async fn confirm_revoke<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &KeyId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    let keys = visit.store().keys(&project.id).await?;
    let key = keys.into_iter().find(|key| key.id == *id);
    let key = key.ok_or(Refusal::NotFound)?;
    let used = key.last_used_at;
    page::render_page(&Confirm {
        frame: visit.project_frame(&project, Tab::Keys, "Revoke a key"),
        title: format!("Revoke “{}”?", key.name),
        text: "Requests with this key are rejected immediately. A revoked key cannot be restored; create a new one instead.",
        facts: vec![
            ("Key", format!("svc_{}…", key.lookup)),
            ("Permission", scope_label(key.scope).to_owned()),
            (
                "Last used",
                used.map_or("never".to_owned(), super::relative_time::ago(visit.now)),
            ),
        ],
        action: format!("/projects/{}/keys/{}/revoke", project.id, key.id),
        verb: "Revoke key",
        danger: true,
        back: format!("/projects/{}/keys", project.id),
    })
}

/// `POST /projects/{id}/keys/{key}/revoke`.
pub(super) async fn revoke<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &KeyId,
) -> Result<Response<Bytes>, Refusal> {
    let clock = visit.dashboard.context.clock;
    if !revoke_key(visit.store(), clock, &visit.initiator(), project, id).await? {
        return Err(Refusal::NotFound);
    }
    page::redirect(&format!("/projects/{project}/keys?done=revoked"))
}
