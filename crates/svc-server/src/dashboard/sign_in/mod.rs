//! Signing in and out.

pub(super) mod oidc;

use askama::Template;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use svc_admin_api::account::{Account, PasswordChange};
use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::{Change, ChangeResult, Deployments, Store, rate_limit};
use tracing::warn;

use super::form::Form;
use super::login_throttle::{Subject, Trial};
use super::page::{self, PageLayout, Tab};
use super::page_request::PageRequest;
use super::password::{is_account_name, is_outdated};
use super::refusal::{Refusal, format_wait};
use super::state::Dashboard;
use super::{device, route, session};

/// The same message for an unknown name and a wrong password.
const WRONG_CREDENTIALS: &str = "Incorrect name or password.";

#[derive(Template)]
#[template(path = "dashboard/sign_in/sign_in.html")]
struct SignInPage<'a> {
    frame: PageLayout,
    name: &'a str,
    to: &'a str,
    error: Option<String>,
    note: Option<&'static str>,
    /// Name and sign-in path of the OpenID Connect provider; `None` if there is none.
    service: Option<(&'a str, String)>,
}

/// The OpenID Connect provider, with the path to return to.
fn service<'a, S, D>(dashboard: &Dashboard<'a, S, D>, to: &str) -> Option<(&'a str, String)> {
    let service = dashboard.auth.oidc.as_ref()?;
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
    let to = route::safe_return_path(query.text("to"));
    let now = context.clock.now();
    let known = session::find(context.store, request, dashboard.origin, now).await?;
    if known.is_some() {
        return page::redirect(to);
    }
    let note = match query.text("done") {
        "out" => Some("You are signed out."),
        "everywhere" => Some("You are signed out on all devices."),
        _ => None,
    };
    page::render_page(&SignInPage {
        frame: PageLayout::minimal("Sign in"),
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
    let to = route::safe_return_path(form.text("to"));
    let with_error = |status: u16, error: String| {
        let page = SignInPage {
            frame: PageLayout::minimal("Sign in"),
            name,
            to,
            error: Some(error),
            note: None,
            service: service(dashboard, to),
        };
        let status = StatusCode::from_u16(status).map_err(|_| Refusal::Internal)?;
        page::with_status(status, &page)
    };
    if !is_account_name(name) {
        return with_error(422, WRONG_CREDENTIALS.to_owned());
    }
    let origin = dashboard.origin;
    // A request without a cookie causes no store access before its attempt is counted.
    let owner = match device::has_cookie(request, origin) {
        true => context.store.account(name).await?,
        false => None,
    };
    let device = owner.and_then(|account| device::verify(request, origin, &account));
    let network = rate_limit::client_network(context.peer);
    let subject = Subject {
        account: name,
        network: &network,
        device: device.as_deref(),
    };
    let trial = match begin_attempt(dashboard, subject) {
        Ok(trial) => trial,
        Err(seconds) => {
            let page = with_error(429, too_many(seconds))?;
            return Ok(page::with_retry_after(page, seconds));
        }
    };
    let known = context.store.account(name).await?;
    let open = known.as_ref().filter(|item| item.disabled_at.is_none());
    let hash = open.and_then(|item| item.password.as_deref());
    let password = form.text("password");
    let fits = dashboard.auth.checker.matches(password, hash).await;
    let fits = fits.ok_or(Refusal::TooMany(5))?;
    let Some(account) = open.filter(|_| fits).cloned() else {
        let now = context.clock.monotonic();
        if dashboard.auth.throttle.should_audit(trial, now) {
            record_failure(dashboard, 422, known.map(|item| item.name)).await?;
        }
        return with_error(422, WRONG_CREDENTIALS.to_owned());
    };
    let now = context.clock.monotonic();
    dashboard.auth.throttle.forget(subject, now);
    let account = rehash(dashboard, account, password).await?;
    let mut response = start_session(request, dashboard, &account, to).await?;
    if let Some(cookie) = device::remember(context.random, origin, &account)? {
        session::add(response.headers_mut(), cookie);
    }
    Ok(response)
}

/// Counts a password attempt.
///
/// # Errors
/// The seconds to wait.
pub(super) fn begin_attempt<S, D>(
    dashboard: &Dashboard<'_, S, D>,
    subject: Subject<'_>,
) -> Result<Trial, u64> {
    let now = dashboard.context.clock.monotonic();
    dashboard.auth.throttle.begin(subject, now)
}

/// Message for a user who must wait.
pub(super) fn too_many(seconds: u64) -> String {
    let wait = format_wait(seconds);
    format!("Too many attempts. Try again in {wait}.")
}

/// Records a failed sign-in with the account name if the account exists. Other input may be a
/// password and is not stored.
async fn record_failure<S: Store, D>(
    dashboard: &Dashboard<'_, S, D>,
    status: u16,
    account: Option<String>,
) -> Result<(), Refusal> {
    let context = &dashboard.context;
    let by = Initiator {
        actor: Actor::Anonymous,
        from: Some(context.peer),
    };
    let name = match &account {
        Some(name) => format!("the account `{name}`"),
        None => "an unknown account name".to_owned(),
    };
    warn!(
        "administration: sign-in with {name} from {} was rejected",
        context.peer
    );
    let now = context.clock.now();
    let mut entry = Change::new(&by, now, None, "refuseSignIn", account.as_deref()).entry;
    entry.status = status;
    Ok(context.store.record(&entry).await?)
}

/// Rehashes the password with the current cost parameters. A failure does not prevent the sign-in.
async fn rehash<S: Store, D>(
    dashboard: &Dashboard<'_, S, D>,
    account: Account,
    password: &str,
) -> Result<Account, Refusal> {
    let (context, checker) = (&dashboard.context, &dashboard.auth.checker);
    let outdated = account.password.clone().filter(|hash| is_outdated(hash));
    let Some(before) = outdated else {
        return Ok(account);
    };
    let Some(after) = checker.hash(password, context.random).await else {
        return Ok(account);
    };
    let new = PasswordChange {
        account: account.name.clone(),
        old_hash: before,
        new_hash: after,
    };
    let replaced = context.store.replace_password(&new, None).await;
    match replaced {
        Ok(ChangeResult::Done(())) => Ok(Account {
            password: Some(new.new_hash),
            ..account
        }),
        // A concurrent sign-in may have updated the hash, or the password was changed.
        Ok(_) => {
            let known = context.store.account(&account.name).await?;
            let hash = known.as_ref().and_then(|item| item.password.as_deref());
            let fits = checker.matches(password, hash).await == Some(true);
            Ok(known.filter(|_| fits).unwrap_or(account))
        }
        Err(_) => Ok(account),
    }
}

/// Starts a session of an authenticated user, and ends the previous session of the browser.
async fn start_session<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
    account: &Account,
    to: &str,
) -> Result<Response<Bytes>, Refusal> {
    let context = &dashboard.context;
    let (store, origin, now) = (context.store, dashboard.origin, context.clock.now());
    if let Some(before) = session::from_cookie(request, origin) {
        store.end_session(&before).await?;
    }
    let owner = (account.name.as_str(), account.password.as_deref());
    let cookie = session::begin(store, context.random, owner, origin, now).await?;
    let by = Initiator {
        actor: Actor::Person(account.name.clone()),
        from: Some(context.peer),
    };
    let change = Change::new(&by, now, None, "signIn", None);
    store.record(&change.entry).await?;
    let mut response = page::redirect(to)?;
    session::add(response.headers_mut(), cookie);
    Ok(response)
}

#[derive(Template)]
#[template(path = "dashboard/sign_in/sign_out.html")]
struct SignOutPage {
    frame: PageLayout,
}

/// `GET /sign-out`.
pub(super) fn confirm_sign_out<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    let mut frame = visit.frame("Sign out");
    frame.tab = Tab::Account;
    page::render_page(&SignOutPage { frame })
}

/// `POST /sign-out`.
pub(super) async fn sign_out<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
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
    let change = Change::new(&visit.initiator(), visit.now, None, action, None);
    store.record(&change.entry).await?;
    let mut response = page::redirect(next)?;
    let cookie = session::clear_cookie(visit.dashboard.origin)?;
    session::add(response.headers_mut(), cookie);
    Ok(response)
}
