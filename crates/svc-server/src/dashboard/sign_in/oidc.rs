//! Single sign-on with OpenID Connect: authorization code flow with PKCE, state and nonce.
//!
//! The state of a sign-in is stored in a short-lived cookie, so that any server with the same host
//! name can complete it, but no other browser can.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use cookie::Cookie;
use http::{HeaderValue, Request, Response, header};
use openidconnect::core::{CoreAuthenticationFlow, CoreClient};
use openidconnect::{
    AuthorizationCode, ClientId, ClientSecret, CsrfToken, Nonce, PkceCodeChallenge,
    PkceCodeVerifier, RedirectUrl, Scope, TokenResponse as _,
};
use subtle::ConstantTimeEq as _;
use svc_admin_api::account::Account;
use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::{Change, ChangeResult, Deployments, Random, Store};

use super::{record_failure, start_session};
use crate::dashboard::form::Form;
use crate::dashboard::oidc_client::{OidcClient, unavailable};
use crate::dashboard::password::is_account_name;
use crate::dashboard::refusal::Refusal;
use crate::dashboard::state::Dashboard;
use crate::dashboard::{page, route, session};
use crate::settings::OidcSettings;

/// Timeout of a sign-in in seconds.
const SIGN_IN_TIMEOUT: i64 = 600;

/// Whether an e-mail address has access.
fn is_allowed(settings: &OidcSettings, email: &str) -> bool {
    let domain = email.rsplit_once('@').map(|(_, domain)| domain);
    settings.emails.iter().any(|known| known == email)
        || domain.is_some_and(|domain| settings.domains.iter().any(|known| known == domain))
}

fn incomplete() -> Refusal {
    Refusal::Conflict(
        "the sign-in was not completed, took longer than ten minutes, or was started in another browser; start again"
            .to_owned(),
    )
}

/// State of a pending sign-in.
struct PendingSignIn {
    state: String,
    nonce: String,
    verifier: String,
    to: String,
}

impl PendingSignIn {
    fn new(random: &dyn Random, to: &str) -> Result<Self, Refusal> {
        let text = || {
            let mut bytes = [0; 32];
            random.fill(&mut bytes).map_err(Refusal::from)?;
            Ok::<_, Refusal>(URL_SAFE_NO_PAD.encode(bytes))
        };
        Ok(Self {
            state: text()?,
            nonce: text()?,
            verifier: text()?,
            to: to.to_owned(),
        })
    }

    fn write(&self) -> String {
        let to = URL_SAFE_NO_PAD.encode(&self.to);
        format!("{}.{}.{}.{to}", self.state, self.nonce, self.verifier)
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('.').map(str::to_owned);
        let (state, nonce, verifier) = (parts.next()?, parts.next()?, parts.next()?);
        let to = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
        let is_valid = [&state, &nonce, &verifier]
            .iter()
            .all(|item| item.len() == 43);
        (is_valid && parts.next().is_none()).then_some(Self {
            state,
            nonce,
            verifier,
            to: String::from_utf8(to).ok()?,
        })
    }
}

fn cookie_name(origin: &str) -> &'static str {
    if origin.starts_with("https://") {
        "__Host-svc_oidc"
    } else {
        "svc_oidc"
    }
}

fn return_url(origin: &str) -> Result<RedirectUrl, Refusal> {
    RedirectUrl::new(format!("{origin}/sign-in/oidc/return")).map_err(|_| Refusal::Internal)
}

/// `GET /sign-in/oidc`: redirects to the provider.
pub(in crate::dashboard) async fn begin<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
    service: &OidcClient,
) -> Result<Response<Bytes>, Refusal> {
    let (context, origin) = (&dashboard.context, dashboard.origin);
    let query = Form::of_query(request.uri().query())?;
    let login = PendingSignIn::new(context.random, route::safe_return_path(query.text("to")))?;
    let metadata = service.metadata(context.clock.monotonic()).await?;
    let client = CoreClient::from_provider_metadata(
        metadata,
        ClientId::new(service.settings.client_id.clone()),
        None,
    )
    .set_redirect_uri(return_url(origin)?);
    let verifier = PkceCodeVerifier::new(login.verifier.clone());
    let (state, nonce) = (login.state.clone(), login.nonce.clone());
    let (url, _, _) = client
        .authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            move || CsrfToken::new(state),
            move || Nonce::new(nonce),
        )
        .add_scope(Scope::new("email".to_owned()))
        .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
        .url();
    let mut response = page::redirect(url.as_str())?;
    let cookie = session::set_cookie(cookie_name(origin), login.write(), origin, SIGN_IN_TIMEOUT)?;
    session::add(response.headers_mut(), cookie);
    Ok(response)
}

/// `GET /sign-in/oidc/return`: completes the sign-in.
pub(in crate::dashboard) async fn finish<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
    service: &OidcClient,
) -> Result<Response<Bytes>, Refusal> {
    let (context, origin) = (&dashboard.context, dashboard.origin);
    let query = Form::of_query(request.uri().query())?;
    let entry = from_cookie(request, origin).ok_or_else(incomplete)?;
    let same = entry.state.as_bytes().ct_eq(query.text("state").as_bytes());
    let code = query.non_empty("code").filter(|_| bool::from(same));
    let code = AuthorizationCode::new(code.ok_or_else(incomplete)?.to_owned());
    let email = verified_email(dashboard, service, &entry, code).await?;
    let account = account(dashboard, service, &email).await?;
    let mut response = start_session(
        request,
        dashboard,
        &account,
        route::safe_return_path(&entry.to),
    )
    .await?;
    let farewell = session::set_cookie(cookie_name(origin), String::new(), origin, 0)?;
    session::add(response.headers_mut(), farewell);
    let _ = context;
    Ok(response)
}

fn from_cookie(request: &Request<Bytes>, origin: &str) -> Option<PendingSignIn> {
    let headers = request.headers().get_all(header::COOKIE).iter();
    let texts = headers.filter_map(|value: &HeaderValue| value.to_str().ok());
    let cookies = texts.flat_map(|text| Cookie::split_parse(text).take(64));
    let mut ours = cookies
        .flatten()
        .filter(|cookie| cookie.name() == cookie_name(origin));
    PendingSignIn::read(ours.next()?.value())
}

/// The verified e-mail address of the user in lower case.
async fn verified_email<S: Store, D: Deployments>(
    dashboard: &Dashboard<'_, S, D>,
    service: &OidcClient,
    pending: &PendingSignIn,
    code: AuthorizationCode,
) -> Result<String, Refusal> {
    let clock = dashboard.context.clock;
    let settings = &service.settings;
    let metadata = service.metadata(clock.monotonic()).await?;
    let client = CoreClient::from_provider_metadata(
        metadata,
        ClientId::new(settings.client_id.clone()),
        Some(ClientSecret::new(
            settings.client_secret.reveal().to_owned(),
        )),
    )
    .set_redirect_uri(return_url(dashboard.origin)?);
    let tokens = client
        .exchange_code(code)
        .map_err(|_| unavailable())?
        .set_pkce_verifier(PkceCodeVerifier::new(pending.verifier.clone()))
        .request_async(&service.fetch)
        .await
        .map_err(|_| unavailable())?;
    let millis = u64::try_from(clock.now().millis()).unwrap_or_default();
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
    let verifier = client.id_token_verifier().set_time_fn(move || now.into());
    let token = tokens.id_token().ok_or_else(unavailable)?;
    let claims = token
        .claims(&verifier, &Nonce::new(pending.nonce.clone()))
        .map_err(|_| unavailable())?;
    let email = claims
        .email()
        .map(|email| email.as_str().to_ascii_lowercase());
    let email = email.filter(|_| claims.email_verified() == Some(true));
    let not_verified = "the sign-in service has not verified your e-mail address";
    email.ok_or_else(|| Refusal::Conflict(not_verified.to_owned()))
}

/// The account of an e-mail address, created at the first sign-in.
async fn account<S: Store, D: Deployments>(
    dashboard: &Dashboard<'_, S, D>,
    service: &OidcClient,
    email: &str,
) -> Result<Account, Refusal> {
    let context = &dashboard.context;
    let denied = || {
        Refusal::Conflict(format!(
            "`{email}` has no access; ask the operator to add it to the settings"
        ))
    };
    let is_name = is_account_name(email);
    let known = match is_name {
        true => context.store.account(email).await?,
        false => None,
    };
    let disabled = known.as_ref().is_some_and(|one| one.disabled_at.is_some());
    if disabled || !is_name || !is_allowed(&service.settings, email) {
        if dashboard
            .auth
            .throttle
            .has_audit_capacity(context.clock.monotonic())
        {
            record_failure(dashboard, 409, known.map(|one| one.name)).await?;
        }
        return Err(denied());
    }
    if let Some(known) = known {
        return Ok(known);
    }
    let account = Account {
        name: email.to_owned(),
        password: None,
        created_at: context.clock.now(),
        disabled_at: None,
    };
    let by = Initiator {
        actor: Actor::Person(email.to_owned()),
        from: Some(context.peer),
    };
    let change = Change::new(&by, account.created_at, None, "createAccount", Some(email));
    match context.store.put_account(&account, &change).await? {
        ChangeResult::Done(()) => Ok(account),
        _ => Err(Refusal::Internal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_configured_emails_and_domains_have_access() {
        let settings = OidcSettings {
            issuer: "https://id.example".to_owned(),
            client_id: "a".to_owned(),
            client_secret: crate::settings::Secret::new("hush"),
            name: "x".to_owned(),
            emails: vec!["ada@example.com".to_owned()],
            domains: vec!["example.org".to_owned()],
        };
        for good in ["ada@example.com", "anyone@example.org"] {
            assert!(is_allowed(&settings, good), "{good}");
        }
        for bad in [
            "bob@example.com",
            "ada@example.com.evil.example",
            "x@sub.example.org",
            "example.org",
            "x@evil.example@example.com",
            "",
        ] {
            assert!(!is_allowed(&settings, bad), "{bad}");
        }
    }

    #[test]
    fn the_sign_in_cookie_round_trips_or_is_rejected() {
        let pending = PendingSignIn {
            state: "s".repeat(43),
            nonce: "n".repeat(43),
            verifier: "v".repeat(43),
            to: "/projects/docs".to_owned(),
        };
        let text = pending.write();
        let parsed = PendingSignIn::read(&text).expect("the same");
        assert_eq!((parsed.state, parsed.to), (pending.state, pending.to));
        for bad in ["", "a.b.c.d", &text[1..], &format!("{text}.x"), "..."] {
            assert!(PendingSignIn::read(bad).is_none(), "{bad}");
        }
    }
}
