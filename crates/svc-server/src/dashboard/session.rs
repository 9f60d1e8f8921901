//! Sessions: a random token in a cookie, and its hash in the store.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use cookie::time::Duration as CookieDuration;
use cookie::{Cookie, SameSite};
use http::{HeaderMap, HeaderValue, Request, header};
use sha2::{Digest as _, Sha256};
use std::time::Duration;
use svc_admin_api::account::Session;
use svc_admin_api::{Random, Store, Timestamp};

use super::refusal::Refusal;

/// A session ends after this time without use.
const IDLE_TIMEOUT: Duration = Duration::from_secs(12 * 3600);
/// Maximum age of a session.
const MAX_SESSION_AGE: Duration = Duration::from_secs(7 * 24 * 3600);
/// Precision of the time of the last use, because a write for every request would be expensive.
const LAST_USE_INTERVAL: Duration = Duration::from_secs(60);

/// Whether the cookies of an origin are limited to HTTPS.
pub(super) fn is_secure(origin: &str) -> bool {
    origin.starts_with("https://")
}

/// Name of the cookie. With the prefix `__Host-`, browsers accept it only from this host over
/// HTTPS.
fn cookie_name(origin: &str) -> &'static str {
    if is_secure(origin) {
        "__Host-svc_session"
    } else {
        "svc_session"
    }
}

/// Hash of the session token of a request. The first of several cookies is used.
pub(super) fn from_cookie(request: &Request<Bytes>, origin: &str) -> Option<[u8; 32]> {
    let value = cookie(request, cookie_name(origin))?;
    let token = URL_SAFE_NO_PAD.decode(value).ok()?;
    let token: [u8; 32] = token.try_into().ok()?;
    Some(Sha256::digest(token).into())
}

/// Value of a cookie of a request. The first of several cookies is used.
pub(super) fn cookie(request: &Request<Bytes>, name: &str) -> Option<String> {
    let headers = request.headers().get_all(header::COOKIE).iter();
    let cookies = headers
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| Cookie::split_parse(value).take(64))
        .flatten();
    let mut ours = cookies.filter(|cookie| cookie.name() == name);
    ours.next().map(|cookie| cookie.value().to_owned())
}

/// The session of a request, if it is valid.
pub(super) async fn find(
    store: &impl Store,
    request: &Request<Bytes>,
    origin: &str,
    now: Timestamp,
) -> Result<Option<Session>, Refusal> {
    let Some(hash) = from_cookie(request, origin) else {
        return Ok(None);
    };
    let Some(session) = store.session(&hash).await? else {
        return Ok(None);
    };
    if session.until <= now || session.last_seen_at.plus(IDLE_TIMEOUT) <= now {
        store.end_session(&hash).await?;
        return Ok(None);
    }
    let account = store.account(&session.account).await?;
    if account.is_none_or(|account| account.disabled_at.is_some()) {
        return Ok(None);
    }
    if session.last_seen_at.plus(LAST_USE_INTERVAL) <= now {
        // A failure to record the last use does not end the session.
        let _ = store.touch_session(&hash, now).await;
    }
    Ok(Some(session))
}

/// Starts a session of an account with a new token and returns its cookie.
///
/// `password` is the password hash that the user was authenticated with. If the password was
/// changed since then, which ended all sessions, no session is started.
pub(super) async fn begin(
    store: &impl Store,
    random: &dyn Random,
    (account, password): (&str, Option<&str>),
    origin: &str,
    now: Timestamp,
) -> Result<HeaderValue, Refusal> {
    let (mut token, mut csrf) = ([0; 32], [0; 32]);
    random.fill(&mut token)?;
    random.fill(&mut csrf)?;
    let session = Session {
        hash: Sha256::digest(token).into(),
        account: account.to_owned(),
        csrf: URL_SAFE_NO_PAD.encode(csrf),
        created_at: now,
        last_seen_at: now,
        until: now.plus(MAX_SESSION_AGE),
    };
    store.create_session(&session).await?;
    let known = store.account(account).await?;
    if known.is_none_or(|known| known.password.as_deref() != password) {
        store.end_session(&session.hash).await?;
        return Err(Refusal::SignIn("/".to_owned()));
    }
    let value = URL_SAFE_NO_PAD.encode(token);
    let age = i64::try_from(MAX_SESSION_AGE.as_secs()).unwrap_or(i64::MAX);
    set_cookie(cookie_name(origin), value, origin, age)
}

/// Cookie that deletes the session cookie.
pub(super) fn clear_cookie(origin: &str) -> Result<HeaderValue, Refusal> {
    set_cookie(cookie_name(origin), String::new(), origin, 0)
}

/// An `HttpOnly` cookie for all paths of this host. `SameSite=Lax` sends it with links from other
/// sites, but not with their forms.
pub(super) fn set_cookie(
    name: &'static str,
    value: String,
    origin: &str,
    seconds: i64,
) -> Result<HeaderValue, Refusal> {
    let cookie = Cookie::build((name, value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(is_secure(origin))
        .max_age(CookieDuration::seconds(seconds));
    HeaderValue::from_str(&cookie.build().to_string()).map_err(|_| Refusal::Internal)
}

/// Adds a cookie to a response.
pub(super) fn add(headers: &mut HeaderMap, cookie: HeaderValue) {
    headers.append(header::SET_COOKIE, cookie);
}
