//! The page for changing the own password.

use askama::Template;
use bytes::Bytes;
use http::{Response, StatusCode};
use svc_admin_api::account::PasswordChange;
use svc_admin_api::{Change, ChangeResult, Deployments, Store, rate_limit};

use super::login_throttle::Subject;
use super::page::{self, PageLayout, Tab};
use super::page_request::PageRequest;
use super::password::{MIN_PASSWORD_CHARS, check_password};
use super::refusal::{Refusal, sentence};
use super::session;
use super::sign_in::{begin_attempt, too_many};
use super::state::SignInService;

#[derive(Template)]
#[template(path = "dashboard/account/password.html")]
struct PasswordPage<'a> {
    frame: PageLayout,
    name: &'a str,
    /// Whether the account has a password.
    has_one: bool,
    /// Name of the OpenID Connect provider; `None` if there is none.
    service: Option<&'a str>,
    /// Minimum length of a password in characters.
    shortest: usize,
    error: Option<String>,
}

/// `GET /password`.
pub(super) async fn show<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    let has_one = hash(visit).await?.is_some();
    render(visit, has_one, StatusCode::OK, None)
}

fn render<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
    has_one: bool,
    status: StatusCode,
    error: Option<String>,
) -> Result<Response<Bytes>, Refusal> {
    let mut frame = visit.frame("Change password");
    frame.tab = Tab::Account;
    let service = visit.dashboard.auth.oidc.as_ref();
    let page = PasswordPage {
        frame,
        name: &visit.session.account,
        has_one,
        service: service.map(SignInService::name),
        shortest: MIN_PASSWORD_CHARS,
        error,
    };
    page::with_status(status, &page)
}

/// Hash of the own password; `None` if the account uses single sign-on.
async fn hash<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
) -> Result<Option<String>, Refusal> {
    let account = visit.store().account(&visit.session.account).await?;
    Ok(account.ok_or(Refusal::NotFound)?.password)
}

/// `POST /password`.
pub(super) async fn change<S: Store, D: Deployments>(
    visit: &PageRequest<'_, S, D>,
) -> Result<Response<Bytes>, Refusal> {
    let (context, door) = (&visit.dashboard.context, visit.dashboard.auth);
    let name = visit.session.account.as_str();
    let with_error = |status, error: String| render(visit, true, status, Some(error));
    let wrong = |error: String| with_error(StatusCode::UNPROCESSABLE_ENTITY, error);
    let Some(before) = hash(visit).await? else {
        return render(visit, false, StatusCode::CONFLICT, None);
    };
    let new = visit.form.text("new");
    if let Err(rejection) = check_password(new) {
        return wrong(sentence(&rejection.to_string()));
    }
    if new != visit.form.text("again") {
        return wrong("The new passwords do not match.".to_owned());
    }
    let network = rate_limit::client_network(context.peer);
    // The account limit does not apply to a signed-in user; otherwise an attacker could block the
    // change.
    let session = hex::encode(visit.session.hash);
    let subject = Subject {
        account: name,
        network: &network,
        device: Some(&session),
    };
    let trial = match begin_attempt(visit.dashboard, subject) {
        Ok(trial) => trial,
        Err(seconds) => {
            let page = with_error(StatusCode::TOO_MANY_REQUESTS, too_many(seconds))?;
            return Ok(page::with_retry_after(page, seconds));
        }
    };
    let change = Change::new(&visit.initiator(), visit.now, None, "changePassword", None);
    let fits = door.checker.matches(visit.form.text("old"), Some(&before));
    if !fits.await.ok_or(Refusal::TooMany(5))? {
        if door.throttle.should_audit(trial, context.clock.monotonic()) {
            let mut entry = change.entry;
            entry.status = 422;
            visit.store().record(&entry).await?;
        }
        return wrong("The old password is incorrect.".to_owned());
    }
    door.throttle.forget(subject, context.clock.monotonic());
    let after = door.checker.hash(new, context.random).await;
    let new = PasswordChange {
        account: name.to_owned(),
        old_hash: before,
        new_hash: after.ok_or(Refusal::TooMany(5))?,
    };
    match visit.store().replace_password(&new, Some(&change)).await? {
        ChangeResult::Done(()) => {}
        // The password was changed concurrently, which has ended this session.
        _ => return Err(Refusal::SignIn("/password".to_owned())),
    }
    let origin = visit.dashboard.origin;
    let owner = (name, Some(new.new_hash.as_str()));
    let cookie = session::begin(context.store, context.random, owner, origin, visit.now).await?;
    let mut response = page::redirect("/password?done=password")?;
    session::add(response.headers_mut(), cookie);
    Ok(response)
}
