//! An authenticated page request.

use bytes::Bytes;
use http::Request;
use svc_admin_api::account::Session;
use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::project::ProjectRecord;
use svc_admin_api::{Change, Deployments, ProjectId, Store, Timestamp};

use super::csrf;
use super::form::Form;
use super::page::{PageLayout, Tab};
use super::refusal::Refusal;
use super::relative_time::RelativeTime;
use super::state::Dashboard;
use super::theme::Theme;
use super::{route, session};

/// A request with its session and form.
pub(super) struct PageRequest<'a, S, D> {
    pub(super) dashboard: &'a Dashboard<'a, S, D>,
    pub(super) session: Session,
    pub(super) now: Timestamp,
    /// Fields of the query.
    pub(super) query: Form,
    /// Fields of the body.
    pub(super) form: Form,
    theme: Theme,
    /// Path of the page.
    here: String,
}

impl<'a, S: Store, D: Deployments> PageRequest<'a, S, D> {
    /// Authenticates the request, and validates the token of a form.
    pub(super) async fn begin(
        request: &'a Request<Bytes>,
        dashboard: &'a Dashboard<'a, S, D>,
        post: bool,
    ) -> Result<Self, Refusal> {
        let context = &dashboard.context;
        let now = context.clock.now();
        let session = session::find(context.store, request, dashboard.origin, now).await?;
        let Some(session) = session else {
            let target = request.uri().path_and_query();
            let target = target.map_or("/", http::uri::PathAndQuery::as_str);
            // A form is not submitted again after signing in.
            let back = if post {
                "/"
            } else {
                route::safe_return_path(target)
            };
            return Err(Refusal::SignIn(back.to_owned()));
        };
        let form = if post {
            let form = Form::read(request)?;
            csrf::token(&form, &session.csrf)?;
            form
        } else {
            Form::default()
        };
        Ok(Self {
            dashboard,
            session,
            now,
            query: Form::of_query(request.uri().query())?,
            form,
            theme: Theme::of(request),
            // An error page of a form has the path of the form, where a GET request shows the empty
            // form.
            here: request.uri().path().to_owned(),
        })
    }

    /// The store.
    pub(super) const fn store(&self) -> &'a S {
        self.dashboard.context.store
    }

    /// Finds a project.
    pub(super) async fn project(&self, id: &ProjectId) -> Result<ProjectRecord, Refusal> {
        let project = self.store().project(id).await?;
        project.ok_or(Refusal::NotFound)
    }

    /// The user, as initiator of a change.
    pub(super) fn initiator(&self) -> Initiator {
        Initiator {
            actor: Actor::Person(self.session.account.clone()),
            from: Some(self.dashboard.context.peer),
        }
    }

    /// Audit information of a change.
    pub(super) fn change(&self, project: &ProjectId, action: &str, subject: &str) -> Change {
        Change::new(
            &self.initiator(),
            self.now,
            Some(project),
            action,
            Some(subject),
        )
    }

    /// A time relative to the request.
    pub(super) fn relative_time(&self, at: Timestamp) -> RelativeTime {
        RelativeTime::new(at, self.now)
    }

    /// Layout of a page without a project.
    pub(super) fn frame(&self, title: &str) -> PageLayout {
        PageLayout {
            title: title.to_owned(),
            account: Some(self.session.account.clone()),
            csrf: self.session.csrf.clone(),
            project: None,
            tab: Tab::None,
            done: notice(self.query.text("done")),
            theme: self.theme,
            here: self.here.clone(),
        }
    }

    /// Layout of a page of a project.
    pub(super) fn project_frame(
        &self,
        project: &ProjectRecord,
        tab: Tab,
        title: &str,
    ) -> PageLayout {
        PageLayout {
            title: format!("{title} · {}", project.name),
            project: Some((project.id.to_string(), project.name.clone())),
            tab,
            ..self.frame(title)
        }
    }
}

/// Notice about the last action, selected by a query parameter.
fn notice(value: &str) -> Option<&'static str> {
    let text = match value {
        "revoked" => "The key was revoked. Requests with it are rejected.",
        "token-revoked" => "The token was revoked. Requests with it get only what everybody gets.",
        "reader-signed-out" => "The reader was signed out.",
        "readers-signed-out" => "All readers were signed out.",
        "job" => "The job was created. It starts as soon as an agent is free.",
        "message" => "The message was sent. An agent continues the job.",
        "canceled" => "The job was canceled. Its agent is being stopped.",
        "archived" => "The job was archived.",
        "deploying" => "The deployment is queued.",
        "password" => "Your password was changed. All other sessions of your account were ended.",
        "rolled-back" => "The earlier deployment is being restored.",
        _ => return None,
    };
    Some(text)
}
