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
use serde_json::Value;
use subtle::ConstantTimeEq as _;
use svc_admin_api::account::Account;
use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::{Change, ChangeResult, Deployments, Random, Store};

use super::{record_failure, start_session};
use crate::dashboard::form::Form;
use crate::dashboard::password::is_account_name;
use crate::dashboard::refusal::Refusal;
use crate::dashboard::state::{Dashboard, SignInService};
use crate::dashboard::{page, route, session};
use crate::oidc::{Authorization, OidcError, SignInSecrets};
use crate::settings::OidcSettings;

/// Timeout of a sign-in in seconds.
const SIGN_IN_TIMEOUT: i64 = 600;

/// Whether an e-mail address has access.
fn is_allowed(settings: &OidcSettings, email: &str) -> bool {
    let domain = email.rsplit_once('@').map(|(_, domain)| domain);
    settings.emails.iter().any(|known| known == email)
        || domain.is_some_and(|domain| settings.domains.iter().any(|known| known == domain))
}

impl From<OidcError> for Refusal {
    fn from(_: OidcError) -> Self {
        Self::Conflict(
            "the sign-in service returned an invalid response; try again later, or sign in with a password"
                .to_owned(),
        )
    }
}

fn incomplete() -> Refusal {
    Refusal::Conflict(
        "the sign-in was not completed, took longer than ten minutes, or was started in another browser; start again"
            .to_owned(),
    )
}

/// State of a pending sign-in.
struct PendingSignIn {
    secrets: SignInSecrets,
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
            secrets: SignInSecrets {
                state: text()?,
                nonce: text()?,
                verifier: text()?,
            },
            to: to.to_owned(),
        })
    }

    fn write(&self) -> String {
        let to = URL_SAFE_NO_PAD.encode(&self.to);
        let SignInSecrets {
            state,
            nonce,
            verifier,
        } = &self.secrets;
        format!("{state}.{nonce}.{verifier}.{to}")
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('.').map(str::to_owned);
        let (state, nonce, verifier) = (parts.next()?, parts.next()?, parts.next()?);
        let to = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
        let is_valid = [&state, &nonce, &verifier]
            .iter()
            .all(|item| item.len() == 43);
        (is_valid && parts.next().is_none()).then_some(Self {
            secrets: SignInSecrets {
                state,
                nonce,
                verifier,
            },
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

fn return_url(origin: &str) -> String {
    format!("{origin}/sign-in/oidc/return")
}

/// `GET /sign-in/oidc`: redirects to the provider.
pub(in crate::dashboard) async fn begin<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
    service: &SignInService,
) -> Result<Response<Bytes>, Refusal> {
    let (context, origin) = (&dashboard.context, dashboard.origin);
    let query = Form::of_query(request.uri().query())?;
    let login = PendingSignIn::new(context.random, route::safe_return_path(query.text("to")))?;
    let request = Authorization {
        redirect_url: &return_url(origin),
        secrets: &login.secrets,
        scopes: &["email".to_owned()],
        is_silent: false,
    };
    let now = context.clock.monotonic();
    let url = service.client.authorization_url(request, now).await?;
    let mut response = page::redirect(url.as_str())?;
    let cookie = session::set_cookie(cookie_name(origin), login.write(), origin, SIGN_IN_TIMEOUT)?;
    session::add(response.headers_mut(), cookie);
    Ok(response)
}

/// `GET /sign-in/oidc/return`: completes the sign-in.
pub(in crate::dashboard) async fn finish<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    dashboard: &Dashboard<'_, S, D>,
    service: &SignInService,
) -> Result<Response<Bytes>, Refusal> {
    let (context, origin) = (&dashboard.context, dashboard.origin);
    let query = Form::of_query(request.uri().query())?;
    let entry = from_cookie(request, origin).ok_or_else(incomplete)?;
    let state = entry.secrets.state.as_bytes();
    let same = state.ct_eq(query.text("state").as_bytes());
    let code = query.non_empty("code").filter(|_| bool::from(same));
    let code = code.ok_or_else(incomplete)?;
    let issuer = query.non_empty("iss");
    let now = context.clock.monotonic();
    service.client.check_issuer(issuer, now).await?;
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
    service: &SignInService,
    pending: &PendingSignIn,
    code: &str,
) -> Result<String, Refusal> {
    let clock = dashboard.context.clock;
    let millis = u64::try_from(clock.now().millis()).unwrap_or_default();
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
    let redirect_url = return_url(dashboard.origin);
    let times = (clock.monotonic(), time);
    let identity = service
        .client
        .exchange(code, &pending.secrets, &redirect_url, times)
        .await?;
    let email = identity.claims.get("email").and_then(Value::as_str);
    let is_verified = identity.claims.get("email_verified") == Some(&Value::Bool(true));
    let email = email.filter(|_| is_verified).map(str::to_ascii_lowercase);
    let not_verified = "the sign-in service has not verified your e-mail address";
    email.ok_or_else(|| Refusal::Conflict(not_verified.to_owned()))
}

/// The account of an e-mail address, created at the first sign-in.
async fn account<S: Store, D: Deployments>(
    dashboard: &Dashboard<'_, S, D>,
    service: &SignInService,
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
            provider: crate::settings::OidcProvider {
                issuer: "https://id.example".to_owned(),
                client_id: "a".to_owned(),
                client_secret: crate::settings::Secret::new("hush"),
                name: "x".to_owned(),
            },
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
            secrets: SignInSecrets {
                state: "s".repeat(43),
                nonce: "n".repeat(43),
                verifier: "v".repeat(43),
            },
            to: "/projects/docs".to_owned(),
        };
        let text = pending.write();
        let parsed = PendingSignIn::read(&text).expect("the same");
        assert_eq!(parsed.secrets, pending.secrets);
        assert_eq!(parsed.to, pending.to);
        for bad in ["", "a.b.c.d", &text[1..], &format!("{text}.x"), "..."] {
            assert!(PendingSignIn::read(bad).is_none(), "{bad}");
        }
    }
}
