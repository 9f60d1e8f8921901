//! A request of somebody who is signed in.

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
use super::theme::Theme;
use super::{Dashboard, route, session};

/// A request, who sends it, and what its form says.
pub(super) struct PageRequest<'a, S, D> {
    pub(super) dashboard: &'a Dashboard<'a, S, D>,
    pub(super) session: Session,
    pub(super) now: Timestamp,
    /// The fields after `?` of the address.
    pub(super) query: Form,
    /// The fields of the body of a form.
    pub(super) form: Form,
    theme: Theme,
    /// The address of the page.
    here: String,
}

impl<'a, S: Store, D: Deployments> PageRequest<'a, S, D> {
    /// Finds out who it is, and for a form that it is of the same session.
    pub(super) async fn begin(
        request: &'a Request<Bytes>,
        dashboard: &'a Dashboard<'a, S, D>,
        post: bool,
    ) -> Result<Self, Refusal> {
        let context = &dashboard.context;
        let now = context.clock.now();
        let found = session::find(context.store, request, dashboard.origin, now).await?;
        let Some(session) = found else {
            let target = request.uri().path_and_query();
            let target = target.map_or("/", http::uri::PathAndQuery::as_str);
            // What a form wanted to do is not done later by itself.
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
            // A page that answers a form stands at the address of the form, where it is asked for
            // without one.
            here: request.uri().path().to_owned(),
        })
    }

    /// The store.
    pub(super) const fn store(&self) -> &'a S {
        self.dashboard.context.store
    }

    /// A project that has to be there.
    pub(super) async fn project(&self, id: &ProjectId) -> Result<ProjectRecord, Refusal> {
        let found = self.store().project(id).await?;
        found.ok_or(Refusal::NotFound)
    }

    /// Who acts.
    pub(super) fn initiator(&self) -> Initiator {
        Initiator {
            actor: Actor::Person(self.session.account.clone()),
            from: Some(self.dashboard.context.peer),
        }
    }

    /// What the audit log says of an act.
    pub(super) fn change(&self, project: &ProjectId, action: &str, subject: &str) -> Change {
        Change::new(
            &self.initiator(),
            self.now,
            Some(project),
            action,
            Some(subject),
        )
    }

    /// A point in time for a page.
    pub(super) fn relative_time(&self, at: Timestamp) -> RelativeTime {
        RelativeTime::new(at, self.now)
    }

    /// What stands around a page of no project.
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

    /// What stands around a page of a project.
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

/// What was just done, by the word that the address carries to the next page.
fn notice(word: &str) -> Option<&'static str> {
    let text = match word {
        "revoked" => "The key is revoked. Requests with it are refused from now on.",
        "job" => "The job is created. An agent takes it as soon as one is free.",
        "message" => "The message is sent. An agent goes on with the job.",
        "canceled" => "The job is canceled. Its agent is stopped.",
        "archived" => "The job is archived.",
        "deploying" => "The deployment is queued.",
        "password" => "Your password is changed. All other sessions of your account have ended.",
        "rolled-back" => "The earlier deployment is being brought back.",
        _ => return None,
    };
    Some(text)
}
