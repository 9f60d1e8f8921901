//! The dashboard: pages for the people who run a server.
//!
//! [`handle`] is the front door. Every page is HTML from a template whose values are escaped by
//! type, works without a script, and does what it does through forms. A room for each page:
//! `sign_in`, `account`, `projects`, `keys`, `jobs`, `deployments`, `audit`; `parts` holds what they share,
//! `assets` the style sheet and the script. What a form may do is decided by `svc-admin-api`, whose
//! rules are the same for programs and people; here is only who asks (`session`), whether a page of
//! ours asked (`guard`), and how the answer looks.

mod account;
mod assets;
mod attempts;
mod audit;
mod deployments;
mod device;
mod form;
mod guard;
mod jobs;
mod keys;
mod page;
mod parts;
mod password;
mod projects;
mod refusal;
mod route;
mod session;
mod sign_in;
mod theme;
mod visit;
mod when;

use std::fmt;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, header};
use svc_admin_api::{ApiError, Context, Deployments, Store};

use attempts::Attempts;
use password::Checker;
pub use password::{AccountRefused, create_account, set_password};
use refusal::Refusal;
use route::Place;
use sign_in::oidc::{self, Service};
use visit::Visit;

use crate::settings::OidcSettings;

/// What the dashboard remembers from request to request. One for a program.
#[derive(Debug, Default)]
pub struct Door {
    attempts: Attempts,
    checker: Checker,
    service: Option<Service>,
}

impl Door {
    /// With another service to sign in at, if there is one.
    pub fn new(service: Option<OidcSettings>) -> Self {
        Self {
            service: service.map(Service::new),
            ..Self::default()
        }
    }
}

/// What a request for a page meets.
#[derive(Clone, Copy)]
pub struct Dashboard<'a, S, D> {
    /// The world of the program, and who sends the request.
    pub context: Context<'a, S, D>,
    /// Scheme, host and port that people write into their browsers: `https://admin.example`.
    pub origin: &'a str,
    /// What outlives the request.
    pub door: &'a Door,
    /// Gets lines for the log of the server.
    pub tell: &'a crate::LogFn,
}

impl<S, D> fmt::Debug for Dashboard<'_, S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dashboard")
            .field("context", &self.context)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

/// The page for every request that comes before the store is open.
pub(crate) fn unopened() -> Response<Bytes> {
    let mut response = page::refused(&Refusal::Unopened);
    page::protect(response.headers_mut(), "");
    response
}

/// Answers one request with a page. Every request gets a response, refusals are pages too.
pub async fn handle<S: Store, D: Deployments>(
    request: Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
) -> Response<Bytes> {
    let answered = answer(&request, dashboard).await;
    let mut response = match answered {
        Ok(response) => response,
        Err(refusal) => page::refused(&refusal),
    };
    page::protect(response.headers_mut(), dashboard.origin);
    if request.method() == Method::HEAD {
        let length = HeaderValue::from(response.body().len());
        response
            .headers_mut()
            .insert(header::CONTENT_LENGTH, length);
        *response.body_mut() = Bytes::new();
    }
    response
}

/// The page of a request that is refused before it is complete, or that a fault ended.
pub(crate) fn refuse(error: ApiError, origin: &str) -> Response<Bytes> {
    let mut response = page::refused(&Refusal::from(error));
    page::protect(response.headers_mut(), origin);
    response
}

async fn answer<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    let place = route::find(request.uri().path()).ok_or(Refusal::NotFound)?;
    let methods = place.methods();
    let post = match *request.method() {
        Method::POST if methods.ends_with("POST") => true,
        Method::GET | Method::HEAD if methods.starts_with("GET") => false,
        _ => return Err(Refusal::Method(methods)),
    };
    if let Place::Asset(name) = &place {
        return assets::file(name);
    }
    if post {
        guard::same_origin(request, dashboard.origin)?;
    }
    match place {
        Place::SignIn if post => return sign_in::enter(request, dashboard).await,
        Place::SignIn => return sign_in::page(request, dashboard).await,
        Place::Oidc | Place::OidcReturn => {
            let service = dashboard.door.service.as_ref();
            let service = service.ok_or(Refusal::NotFound)?;
            return if place == Place::Oidc {
                oidc::begin(request, dashboard, service).await
            } else {
                oidc::finish(request, dashboard, service).await
            };
        }
        _ => {}
    }
    let visit = Visit::begin(request, dashboard, post).await?;
    match place {
        Place::Home => projects::list(&visit).await,
        Place::SignOut if post => sign_in::leave(&visit).await,
        Place::SignOut => sign_in::leaving(&visit),
        Place::Theme => theme::choose(&visit),
        Place::Password if post => account::change(&visit).await,
        Place::Password => account::show(&visit).await,
        Place::Overview(project) => projects::overview(&visit, &project).await,
        Place::Keys(project) if post => keys::create(&visit, &project).await,
        Place::Keys(project) => keys::list(&visit, &project).await,
        Place::RevokeKey(project, key) if post => keys::revoke(&visit, &project, &key).await,
        Place::RevokeKey(project, key) => keys::revoking(&visit, &project, &key).await,
        Place::Jobs(project) if post => jobs::create(&visit, &project).await,
        Place::Jobs(project) => jobs::list(&visit, &project).await,
        Place::Job(project, job) => jobs::show(&visit, &project, &job).await,
        Place::MessageJob(project, job) => jobs::message(&visit, &project, &job).await,
        Place::EndJob(project, job, ending) if post => {
            jobs::end_job(&visit, &project, &job, ending).await
        }
        Place::EndJob(project, job, ending) => jobs::confirm(&visit, &project, &job, ending).await,
        Place::Deployments(project) if post => deployments::trigger(&visit, &project).await,
        Place::Deployments(project) => deployments::list(&visit, &project).await,
        Place::Deployment(project, id) => deployments::show(&visit, &project, &id).await,
        Place::RollBack(project, id) if post => deployments::roll_back(&visit, &project, &id).await,
        Place::RollBack(project, id) => deployments::rolling_back(&visit, &project, &id).await,
        Place::Audit => audit::list(&visit).await,
        Place::SignIn | Place::Oidc | Place::OidcReturn | Place::Asset(_) => Err(Refusal::NotFound),
    }
}
