//! Signing in and out.

pub(super) mod oidc;

use askama::Template;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use svc_admin_api::account::Account;
use svc_admin_api::audit::{Actor, By};
use svc_admin_api::{Change, Deployments, Store, limits};

use super::form::Form;
use super::page::{self, Frame};
use super::password::is_account_name;
use super::refusal::{Refusal, wait};
use super::visit::Visit;
use super::{Dashboard, route, session};

/// The one sentence for every wrong pair: it does not tell which of the two is wrong.
const WRONG: &str = "Name and password do not belong together.";

#[derive(Template)]
#[template(path = "dashboard/sign_in/sign_in.html")]
struct SignInPage<'a> {
    frame: Frame,
    name: &'a str,
    to: &'a str,
    error: Option<String>,
    note: Option<&'static str>,
    /// Another service to sign in at: its name and the address that leads there.
    service: Option<(&'a str, String)>,
}

/// The other service, with the way back to where somebody wants to go.
fn service<'a, S, D>(dashboard: &Dashboard<'a, S, D>, to: &str) -> Option<(&'a str, String)> {
    let service = dashboard.door.service.as_ref()?;
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    let query = query.append_pair("to", to).finish();
    Some((service.name(), format!("/sign-in/oidc?{query}")))
}

/// `GET /sign-in`.
pub(super) async fn page<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    let context = &dashboard.context;
    let query = Form::of_query(request.uri().query())?;
    let to = route::own(query.text("to"));
    let now = context.clock.now();
    let known = session::find(context.store, request, dashboard.origin, now).await?;
    if known.is_some() {
        return page::go(to);
    }
    let note = match query.text("done") {
        "out" => Some("You are signed out."),
        "everywhere" => Some("You are signed out on all devices."),
        _ => None,
    };
    page::show(&SignInPage {
        frame: Frame::bare("Sign in"),
        name: "",
        to,
        error: None,
        note,
        service: service(dashboard, to),
    })
}

/// `POST /sign-in`.
pub(super) async fn enter<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    let context = &dashboard.context;
    let form = Form::read(request)?;
    let name = form.text("name").trim();
    let to = route::own(form.text("to"));
    let again = |status: u16, error: String| {
        let page = SignInPage {
            frame: Frame::bare("Sign in"),
            name,
            to,
            error: Some(error),
            note: None,
            service: service(dashboard, to),
        };
        let status = StatusCode::from_u16(status).map_err(|_| Refusal::Fault)?;
        page::with_status(status, &page)
    };
    if !is_account_name(name) {
        return again(422, WRONG.to_owned());
    }
    let network = limits::network(context.peer);
    let passed = context.clock.monotonic();
    if let Err(seconds) = dashboard.door.attempts.begin(name, &network, passed) {
        let error = format!(
            "There were too many attempts. Try again in {}.",
            wait(seconds)
        );
        let mut response = again(429, error)?;
        let seconds = http::HeaderValue::from(seconds);
        response
            .headers_mut()
            .insert(http::header::RETRY_AFTER, seconds);
        return Ok(response);
    }
    let account = context.store.account(name).await?;
    let account = account.filter(|account| account.disabled_at.is_none());
    let hash = account.as_ref().and_then(|one| one.password.as_deref());
    let fits = dashboard.door.checker.fits(form.text("password"), hash);
    let fits = fits.await.ok_or(Refusal::TooMany(5))?;
    let Some(account) = account.filter(|_| fits) else {
        return again(422, WRONG.to_owned());
    };
    dashboard.door.attempts.forget(name, &network);
    welcome(request, dashboard, &account, to).await
}

/// Begins a session of somebody who has shown who he is, and ends the one that the browser had.
async fn welcome<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
    account: &Account,
    to: &str,
) -> Result<Response<Bytes>, Refusal> {
    let context = &dashboard.context;
    let (store, origin, now) = (context.store, dashboard.origin, context.clock.now());
    if let Some(before) = session::brought(request, origin) {
        store.end_session(&before).await?;
    }
    let cookie = session::begin(store, context.random, &account.name, origin, now).await?;
    let by = By {
        actor: Actor::Person(account.name.clone()),
        from: Some(context.peer),
    };
    let change = Change::by(&by, now, None, "signIn", None);
    store.record(&change.entry).await?;
    let mut response = page::go(to)?;
    session::add(response.headers_mut(), cookie);
    Ok(response)
}

#[derive(Template)]
#[template(path = "dashboard/sign_in/sign_out.html")]
struct SignOutPage {
    frame: Frame,
}

/// `GET /sign-out`.
pub(super) fn leaving<S: Store, D: Deployments>(
    visit: &Visit<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    page::show(&SignOutPage {
        frame: visit.frame("Sign out"),
    })
}

/// `POST /sign-out`.
pub(super) async fn leave<S: Store, D: Deployments>(
    visit: &Visit<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    let (store, session) = (visit.store(), &visit.session);
    let everywhere = visit.form.text("everywhere") == "yes";
    let (action, next) = if everywhere {
        store.end_sessions(&session.account).await?;
        ("signOutEverywhere", "/sign-in?done=everywhere")
    } else {
        store.end_session(&session.hash).await?;
        ("signOut", "/sign-in?done=out")
    };
    let change = Change::by(&visit.by(), visit.now, None, action, None);
    store.record(&change.entry).await?;
    let mut response = page::go(next)?;
    let cookie = session::farewell(visit.dashboard.origin)?;
    session::add(response.headers_mut(), cookie);
    Ok(response)
}
