//! The dashboard: pages for the people who run a server.
//!
//! [`handle`] is the front door. Every page is HTML from a template whose values are escaped by
//! type, works without a script, and does what it does through forms. A room for each page:
//! `sign_in`, `account`, `projects`, `keys`, `jobs`, `deployments`, `audit`; `parts` holds what they share,
//! `assets` the style sheet and the script. What a form may do is decided by `svc-admin-api`, whose
//! rules are the same for programs and people; here is only who asks (`session`), whether a page of
//! ours asked (`csrf`), and how the answer looks.

mod account;
mod assets;
mod audit;
mod csrf;
mod deployments;
mod device;
mod form;
mod jobs;
mod keys;
mod login_throttle;
mod page;
mod page_request;
mod parts;
mod password;
mod projects;
mod refusal;
mod relative_time;
mod route;
mod session;
mod sign_in;
mod theme;

use std::fmt;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, header};
use svc_admin_api::{ApiError, Context, Deployments, Store};

use login_throttle::LoginThrottle;
use page_request::PageRequest;
use password::PasswordChecker;
pub use password::{AccountError, create_account, set_password};
use refusal::Refusal;
use route::Route;
use sign_in::oidc::{self, OidcClient};

use crate::settings::OidcSettings;

/// What the dashboard remembers from request to request. One for a program.
#[derive(Debug, Default)]
pub struct AuthState {
    throttle: LoginThrottle,
    checker: PasswordChecker,
    oidc: Option<OidcClient>,
}

impl AuthState {
    /// With another service to sign in at, if there is one.
    pub fn new(service: Option<OidcSettings>) -> Self {
        Self {
            oidc: service.map(OidcClient::new),
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
    pub auth: &'a AuthState,
    /// Gets lines for the log of the server.
    pub log: &'a crate::LogFn,
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
pub(crate) fn store_unavailable() -> Response<Bytes> {
    let mut response = page::refusal_page(&Refusal::StoreOpening);
    page::protect(response.headers_mut(), "");
    response
}

/// Answers one request with a page. Every request gets a response, refusals are pages too.
pub async fn handle<S: Store, D: Deployments>(
    request: Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
) -> Response<Bytes> {
    let answered = dispatch(&request, dashboard).await;
    let mut response = match answered {
        Ok(response) => response,
        Err(refusal) => page::refusal_page(&refusal),
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
    let mut response = page::refusal_page(&Refusal::from(error));
    page::protect(response.headers_mut(), origin);
    response
}

async fn dispatch<S: Store, D: Deployments>(
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
    if let Route::Asset(name) = &place {
        return assets::file(name);
    }
    if post {
        csrf::same_origin(request, dashboard.origin)?;
    }
    match place {
        Route::SignIn if post => return sign_in::enter(request, dashboard).await,
        Route::SignIn => return sign_in::page(request, dashboard).await,
        Route::Oidc | Route::OidcReturn => {
            let service = dashboard.auth.oidc.as_ref();
            let service = service.ok_or(Refusal::NotFound)?;
            return if place == Route::Oidc {
                oidc::begin(request, dashboard, service).await
            } else {
                oidc::finish(request, dashboard, service).await
            };
        }
        _ => {}
    }
    let visit = PageRequest::begin(request, dashboard, post).await?;
    match place {
        Route::Home => projects::list(&visit).await,
        Route::SignOut if post => sign_in::sign_out(&visit).await,
        Route::SignOut => sign_in::confirm_sign_out(&visit),
        Route::Theme => theme::choose(&visit),
        Route::Password if post => account::change(&visit).await,
        Route::Password => account::show(&visit).await,
        Route::Overview(project) => projects::overview(&visit, &project).await,
        Route::Keys(project) if post => keys::create(&visit, &project).await,
        Route::Keys(project) => keys::list(&visit, &project).await,
        Route::RevokeKey(project, key) if post => keys::revoke(&visit, &project, &key).await,
        Route::RevokeKey(project, key) => keys::confirm_revoke(&visit, &project, &key).await,
        Route::Jobs(project) if post => jobs::create(&visit, &project).await,
        Route::Jobs(project) => jobs::list(&visit, &project).await,
        Route::Job(project, job) => jobs::show(&visit, &project, &job).await,
        Route::MessageJob(project, job) => jobs::message(&visit, &project, &job).await,
        Route::EndJob(project, job, ending) if post => {
            jobs::end_job(&visit, &project, &job, ending).await
        }
        Route::EndJob(project, job, ending) => jobs::confirm(&visit, &project, &job, ending).await,
        Route::Deployments(project) if post => deployments::trigger(&visit, &project).await,
        Route::Deployments(project) => deployments::list(&visit, &project).await,
        Route::Deployment(project, id) => deployments::show(&visit, &project, &id).await,
        Route::RollBack(project, id) if post => deployments::roll_back(&visit, &project, &id).await,
        Route::RollBack(project, id) => deployments::confirm_roll_back(&visit, &project, &id).await,
        Route::Audit => audit::list(&visit).await,
        Route::SignIn | Route::Oidc | Route::OidcReturn | Route::Asset(_) => Err(Refusal::NotFound),
    }
}
