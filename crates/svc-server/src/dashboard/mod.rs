//! The dashboard: pages for the administrators of a server.
//!
//! [`handle`] is the entry point. Every page is rendered from a template that escapes all values,
//! works without scripts, and uses forms for changes. Each page has a module: `sign_in`, `account`,
//! `projects`, `keys`, `readers`, `jobs`, `deployments` and `audit`; `parts` contains shared templates and
//! `assets` the style sheet and the script. `svc-admin-api` validates and performs the changes,
//! with the same rules as for API clients; the dashboard handles authentication (`session`),
//! cross-site requests (`csrf`) and presentation.

mod account;
mod assets;
mod audit;
mod csrf;
mod deployments;
mod device;
mod form;
mod jobs;
mod keys;
mod lifetime;
pub(crate) mod login_throttle;
mod page;
mod page_request;
mod parts;
pub(crate) mod password;
mod projects;
mod readers;
mod refusal;
mod relative_time;
mod route;
mod session;
mod sign_in;
mod state;
mod theme;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, header};
use svc_admin_api::{ApiError, Deployments, Store};

use page_request::PageRequest;
pub use password::{AccountError, create_account, set_password};
use refusal::Refusal;
use route::Route;
use sign_in::oidc;
pub use state::{AuthState, Dashboard};

/// Response to page requests until the store is open.
pub(crate) fn store_unavailable() -> Response<Bytes> {
    let mut response = page::refusal_page(&Refusal::StoreOpening);
    page::protect(response.headers_mut(), "");
    response
}

/// Handles a request. Errors are pages, too.
pub async fn handle<S: Store, D: Deployments>(
    request: Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
) -> Response<Bytes> {
    let result = dispatch(&request, dashboard).await;
    let mut response = match result {
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

/// Page for a request that was rejected before it was complete, or that has failed.
pub(crate) fn refuse(error: ApiError, origin: &str) -> Response<Bytes> {
    let mut response = page::refusal_page(&Refusal::from(error));
    page::protect(response.headers_mut(), origin);
    response
}

async fn dispatch<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    let endpoint = route::find(request.uri().path()).ok_or(Refusal::NotFound)?;
    let methods = endpoint.methods();
    let post = match *request.method() {
        Method::POST if methods.ends_with("POST") => true,
        Method::GET | Method::HEAD if methods.starts_with("GET") => false,
        _ => return Err(Refusal::Method(methods)),
    };
    if let Route::Asset(name) = &endpoint {
        return assets::file(name);
    }
    if post {
        csrf::same_origin(request, dashboard.origin)?;
    }
    match endpoint {
        Route::SignIn if post => return sign_in::enter(request, dashboard).await,
        Route::SignIn => return sign_in::page(request, dashboard).await,
        Route::Oidc | Route::OidcReturn => {
            let service = dashboard.auth.oidc.as_ref();
            let service = service.ok_or(Refusal::NotFound)?;
            return if endpoint == Route::Oidc {
                oidc::begin(request, dashboard, service).await
            } else {
                oidc::finish(request, dashboard, service).await
            };
        }
        _ => {}
    }
    let visit = PageRequest::begin(request, dashboard, post).await?;
    match endpoint {
        Route::Home => projects::list(&visit).await,
        Route::SignOut if post => sign_in::sign_out(&visit).await,
        Route::SignOut => sign_in::confirm_sign_out(&visit),
        Route::Theme => theme::choice::choose(&visit),
        Route::Password if post => account::change(&visit).await,
        Route::Password => account::show(&visit).await,
        Route::Overview(project) => projects::overview(&visit, &project).await,
        Route::Keys(project) if post => keys::create(&visit, &project).await,
        Route::Keys(project) => keys::list(&visit, &project).await,
        Route::RevokeKey(project, key) if post => keys::revoke(&visit, &project, &key).await,
        Route::RevokeKey(project, key) => keys::confirm_revoke(&visit, &project, &key).await,
        Route::Readers(project) if post => readers::create_token(&visit, &project).await,
        Route::Readers(project) => readers::list(&visit, &project).await,
        Route::RevokeReaderToken(project, token) if post => {
            readers::revoke(&visit, &project, &token).await
        }
        Route::RevokeReaderToken(project, token) => {
            readers::confirm_revoke(&visit, &project, &token).await
        }
        Route::EndReaderSession(project, id) if post => {
            readers::end(&visit, &project, id.as_ref()).await
        }
        Route::EndReaderSession(project, id) => {
            readers::confirm_end(&visit, &project, id.as_ref()).await
        }
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
