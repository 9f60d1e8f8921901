//! Readers of the site of a project: tokens of programs, and sessions.

use askama::Template;
use bytes::Bytes;
use http::{Response, StatusCode};
use svc_admin_api::project::ProjectRecord;
use svc_admin_api::reader::{
    CreateTokenError, NewReaderToken, ReaderSession, ReaderToken, SignInMethod,
    all_sessions_digest, create_reader_token, revoke_reader_token,
};
use svc_admin_api::{Deployments, ProjectId, ReaderSessionId, ReaderTokenId, Store};

use super::lifetime::Lifetime;
use super::page::{self, PageLayout, Tab};
use super::page_request::PageRequest;
use super::parts::{Badge, Confirm, Search};
use super::refusal::{Refusal, sentence};
use super::relative_time::{RelativeTime, ago};
use crate::readers::MAX_SESSION_AGE;

/// Maximum number of sessions on the page.
const MAX_SESSIONS: usize = 200;

#[derive(Template)]
#[template(path = "dashboard/readers/readers.html")]
struct ReadersPage<'a> {
    frame: PageLayout,
    project: &'a ProjectRecord,
    /// Whether readers sign in at the site.
    is_enabled: bool,
    form: TokenForm<'a>,
    live: Vec<TokenRow>,
    over: Vec<TokenRow>,
    sessions: Vec<SessionRow>,
    /// Whether there are more sessions than are shown.
    has_more: bool,
    search: Search<'a>,
}

/// Values of the form, to show them again after an error.
#[derive(Default)]
struct TokenForm<'a> {
    error: Option<String>,
    name: &'a str,
    groups: &'a str,
    lifetime: Lifetime,
}

struct TokenRow {
    id: String,
    name: String,
    groups: String,
    created: RelativeTime,
    used: Option<RelativeTime>,
    expires: Option<RelativeTime>,
    badge: Badge,
}

struct SessionRow {
    id: String,
    name: String,
    email: Option<String>,
    method: &'static str,
    signed_in: RelativeTime,
    seen: RelativeTime,
    expires: RelativeTime,
}

#[derive(Template)]
#[template(path = "dashboard/readers/made.html")]
struct CreatedTokenPage<'a> {
    frame: PageLayout,
    project: &'a ProjectRecord,
    token: &'a ReaderToken,
    secret: &'a str,
    /// URL of the site, if it is known.
    site: String,
    is_enabled: bool,
}

/// `GET /projects/{id}/readers`.
pub(super) async fn list<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    render(visit, &project, TokenForm::default()).await
}

async fn render<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectRecord,
    form: TokenForm<'_>,
) -> Result<Response<Bytes>, Refusal> {
    let store = visit.store();
    let search = Search::new("readers", visit.query.text("q"), None);
    let limit = match search.is_empty() {
        true => MAX_SESSIONS + 1,
        false => Search::MAX_ENTRIES,
    };
    let mut sessions = store.reader_sessions(&project.id, visit.now, limit).await?;
    sessions.retain(|session| {
        let email = session.email.as_deref().unwrap_or_default();
        search.matches(&[&session.name, email, method(session.method)])
    });
    let has_more = sessions.len() > MAX_SESSIONS;
    sessions.truncate(MAX_SESSIONS);
    let tokens = store.reader_tokens(&project.id).await?;
    let (live, over): (Vec<&ReaderToken>, Vec<&ReaderToken>) =
        tokens.iter().partition(|token| token.is_live(visit.now));
    let rows = |tokens: Vec<&ReaderToken>| {
        let rows = tokens.into_iter().map(|token| token_row(visit, token));
        rows.collect()
    };
    let status = match form.error {
        Some(_) => StatusCode::UNPROCESSABLE_ENTITY,
        None => StatusCode::OK,
    };
    let page = ReadersPage {
        frame: visit.project_frame(project, Tab::Readers, "Readers"),
        project,
        is_enabled: is_enabled(visit, &project.id),
        form,
        live: rows(live),
        over: rows(over),
        sessions: sessions
            .into_iter()
            .map(|session| session_row(visit, session))
            .collect(),
        has_more,
        search,
    };
    page::with_status(status, &page)
}

fn is_enabled<S: Store, D: Deployments>(visit: &PageRequest<'_, S, D>, id: &ProjectId) -> bool {
    visit.dashboard.context.deployments.has_readers(id)
}

fn token_row<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    token: &ReaderToken,
) -> TokenRow {
    let badge = if token.revoked_at.is_some() {
        Badge::new("bad", "Revoked")
    } else if !token.is_live(visit.now) {
        Badge::new("wait", "Expired")
    } else {
        Badge::new("good", "Active")
    };
    TokenRow {
        id: token.id.to_string(),
        name: token.name.clone(),
        groups: groups(token),
        created: visit.relative_time(token.created_at),
        used: token.last_used_at.map(|at| visit.relative_time(at)),
        expires: token.expires_at.map(|at| visit.relative_time(at)),
        badge,
    }
}

fn groups(token: &ReaderToken) -> String {
    let groups: Vec<&str> = token.groups.iter().map(String::as_str).collect();
    groups.join(", ")
}

fn session_row<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    session: ReaderSession,
) -> SessionRow {
    SessionRow {
        id: session.id.to_string(),
        email: session.email.filter(|email| *email != session.name),
        name: session.name,
        method: method(session.method),
        signed_in: visit.relative_time(session.signed_in_at),
        seen: visit.relative_time(session.seen_at),
        expires: visit.relative_time(session.expires_at),
    }
}

const fn method(method: SignInMethod) -> &'static str {
    match method {
        SignInMethod::Password => "Password",
        SignInMethod::Oidc => "OpenID Connect",
        SignInMethod::Handover => "Hand-over",
    }
}

/// `POST /projects/{id}/readers`: creates a token. The secret is only part of this response.
pub(super) async fn create_token<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    let form = &visit.form;
    let lifetime = Lifetime::of(form);
    let names = form.text("groups");
    let groups = names.split([',', '\n']).map(str::trim);
    let new = NewReaderToken {
        project: project.id.clone(),
        name: form.text("name").trim().to_owned(),
        groups: groups
            .filter(|group| !group.is_empty())
            .map(str::to_owned)
            .collect(),
        expires_at: lifetime.end(visit.now),
    };
    let context = &visit.dashboard.context;
    let (clock, random, by) = (context.clock, context.random, visit.initiator());
    let result = create_reader_token(context.store, clock, random, context.limits, &by, &new);
    let (token, secret) = match result.await {
        Ok(result) => result,
        Err(CreateTokenError::Store(error)) => return Err(error.into()),
        Err(CreateTokenError::Random(error)) => return Err(error.into()),
        Err(CreateTokenError::UnknownProject) => return Err(Refusal::NotFound),
        Err(CreateTokenError::TooMany(seconds)) => return Err(Refusal::TooMany(seconds)),
        Err(rejection) => {
            let form = TokenForm {
                error: Some(sentence(&rejection.to_string())),
                name: form.text("name"),
                groups: names,
                lifetime,
            };
            return render(visit, &project, form).await;
        }
    };
    let site = context.deployments.site(&project.id);
    page::render_page(&CreatedTokenPage {
        frame: visit.project_frame(&project, Tab::Readers, "Token created"),
        is_enabled: is_enabled(visit, &project.id),
        project: &project,
        token: &token,
        secret: secret.reveal(),
        site: site.unwrap_or_else(|| "https://docs.example.com/".to_owned()),
    })
}

/// `GET /projects/{id}/readers/tokens/{token}/revoke`.
pub(super) async fn confirm_revoke<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &ReaderTokenId,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    let tokens = visit.store().reader_tokens(&project.id).await?;
    let token = tokens.into_iter().find(|token| token.id == *id);
    let token = token.ok_or(Refusal::NotFound)?;
    let used = token.last_used_at;
    let groups = match groups(&token) {
        groups if groups.is_empty() => "none".to_owned(),
        groups => groups,
    };
    page::render_page(&Confirm {
        frame: visit.project_frame(&project, Tab::Readers, "Revoke a token"),
        title: format!("Revoke “{}”?", token.name),
        text: "Within a second, requests with this token get only what everybody gets, at every server. A revoked token cannot be restored; create a new one instead.",
        facts: vec![
            ("Groups", groups),
            ("Last used", used.map_or("never".to_owned(), ago(visit.now))),
        ],
        action: format!(
            "/projects/{}/readers/tokens/{}/revoke",
            project.id, token.id
        ),
        verb: "Revoke token",
        danger: true,
        back: format!("/projects/{}/readers", project.id),
    })
}

/// `POST /projects/{id}/readers/tokens/{token}/revoke`.
pub(super) async fn revoke<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &ReaderTokenId,
) -> Result<Response<Bytes>, Refusal> {
    let clock = visit.dashboard.context.clock;
    if !revoke_reader_token(visit.store(), clock, &visit.initiator(), project, id).await? {
        return Err(Refusal::NotFound);
    }
    page::redirect(&format!("/projects/{project}/readers?done=token-revoked"))
}

/// `GET /projects/{id}/readers/sessions/{session}/end`, or of all sessions.
pub(super) async fn confirm_end<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: Option<&ReaderSessionId>,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?;
    let path = format!("/projects/{}/readers", project.id);
    let Some(id) = id else {
        return page::render_page(&Confirm {
            frame: visit.project_frame(&project, Tab::Readers, "Sign out all readers"),
            title: "Sign out all readers?".to_owned(),
            text: "Everybody who reads this site with a session has to sign in again, also those who are not listed. Tokens stay valid.",
            facts: Vec::new(),
            action: format!("{path}/sessions/end"),
            verb: "Sign out all readers",
            danger: true,
            back: path,
        });
    };
    let session = session(visit, &project.id, id).await?;
    page::render_page(&Confirm {
        frame: visit.project_frame(&project, Tab::Readers, "Sign out a reader"),
        title: format!("Sign out “{}”?", session.name),
        text: "This session ends at every server within a second. Other sessions of the reader go on, and the reader can sign in again: to prevent it, remove the reader where passwords or accounts are kept.",
        facts: vec![
            ("Signed in", ago(visit.now)(session.signed_in_at)),
            ("With", method(session.method).to_owned()),
        ],
        action: format!("{path}/sessions/{}/end", session.id),
        verb: "Sign out",
        danger: true,
        back: path,
    })
}

/// `POST /projects/{id}/readers/sessions/{session}/end`, or of all sessions.
pub(super) async fn end<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: Option<&ReaderSessionId>,
) -> Result<Response<Bytes>, Refusal> {
    let project = visit.project(project).await?.id;
    let (digest, change, done) = match id {
        Some(id) => {
            let session = session(visit, &project, id).await?;
            let change = visit.change(&project, "endReaderSession", &session.name);
            (session.digest(), change, "reader-signed-out")
        }
        None => {
            let change = visit.change(&project, "endReaderSessions", project.as_str());
            let digest = all_sessions_digest(&project);
            (digest, change, "readers-signed-out")
        }
    };
    let before = visit.now.minus(MAX_SESSION_AGE);
    let store = visit.store();
    let ended = store.revoke_reader_sessions(digest, visit.now, before, Some(&change));
    ended.await?;
    page::redirect(&format!("/projects/{project}/readers?done={done}"))
}

async fn session<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    project: &ProjectId,
    id: &ReaderSessionId,
) -> Result<ReaderSession, Refusal> {
    let limit = Search::MAX_ENTRIES;
    let sessions = visit.store().reader_sessions(project, visit.now, limit);
    let mut sessions = sessions.await?.into_iter();
    let found = sessions.find(|session| session.id == *id);
    found.ok_or(Refusal::NotFound)
}
