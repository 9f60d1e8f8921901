//! Signing in at an OpenID Connect provider.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use http::request::Parts;
use http::{HeaderValue, StatusCode, header};
use serde_json::{Map, Value};
use svc_fetch::FetchCounters;
use svc_site::{SignInFailure, Site};
use tracing::warn;

use super::cookies::CookieScope;
use super::identity::Reader;
use super::pending::{PendingKey, PendingSignIn};
use super::query::Query;
use super::responses::{encoded_target, for_reader};
use super::session::{OidcProof, ReaderSession, SignInProof};
use super::sign_in::{self, next_path};
use super::{Readers, claims, now, scope};
use crate::negotiate;
use crate::oidc::jws::{self, JwsError, SignedClaims};
use crate::oidc::{Authorization, OidcClient, OidcError};
use crate::reply::{self, Response};
use crate::settings::ReaderOidcSettings;

/// Path at which signing in begins, relative to the base path.
pub(super) const START_PATH: &str = "/_svc/sign-in/start";
/// Path of the redirect URI, relative to the base path.
pub(super) const CALLBACK_PATH: &str = "/_svc/sign-in/callback";
/// Seconds until the next renewal after one that failed because the provider cannot be reached.
const RETRY_SECONDS: i64 = 300;
/// Seconds since the last confirmation after which a session ends even then.
const MAX_UNCONFIRMED_SECONDS: i64 = 24 * 3_600;

/// An OpenID Connect provider for readers.
#[derive(Debug)]
pub(super) struct ReaderProvider {
    pub(super) settings: ReaderOidcSettings,
    pub(super) client: OidcClient,
    /// What sessions are bound to: they end when it changes.
    pub(super) secret: Vec<u8>,
}

impl ReaderProvider {
    pub(super) fn new(settings: ReaderOidcSettings, fetches: Arc<FetchCounters>) -> Self {
        let provider = &settings.provider;
        let claim = settings.groups_claim.as_deref().unwrap_or_default();
        let mut parts = vec![&*provider.issuer, &provider.client_id, claim];
        parts.extend(settings.allowed_domains.iter().map(String::as_str));
        Self {
            secret: parts.join("\0").into_bytes(),
            client: OidcClient::new(provider.clone(), fetches),
            settings,
        }
    }

    /// Seconds between two confirmations of a sign-in.
    pub(super) fn renewal_seconds(&self) -> i64 {
        i64::try_from(self.settings.renew_after.as_secs()).unwrap_or(i64::MAX)
    }
}

/// A response of the provider that signs nobody in.
#[derive(Debug)]
struct FailedSignIn {
    failure: SignInFailure,
    next: String,
    status: StatusCode,
}

impl Readers {
    /// Redirects to the provider.
    pub(super) async fn begin_oidc(&self, site: &Arc<Site>, parts: &Parts) -> Option<Response> {
        let inner = &self.0;
        let provider = inner.provider.as_ref()?;
        let origin = inner.hosts.origin(parts)?;
        let (scope, now) = (scope(site, parts), now());
        let query = Query::parse(parts.uri.query().unwrap_or_default());
        let next = next_path(site, query.get("next"));
        // Only what has a session is renewed, so that no link signs a reader in unseen.
        let session = self.oidc_session(parts, scope, now);
        let is_silent = query.get("silent").is_some() && session.is_some();
        let pending = PendingSignIn::begin(&next, &site.href("/"), is_silent, now)?;
        let key = self.pending_key()?;
        let request = Authorization {
            redirect_url: &callback_url(&origin, site),
            secrets: &pending.secrets(key)?,
            scopes: &provider.settings.scopes,
            is_silent,
        };
        let url = provider.client.authorization_url(request, clock(now)).await;
        let url = match url {
            Ok(url) => url,
            Err(error) => {
                warn!("sign-in of readers: {error}");
                let waiting = session.and_then(|session| self.postponed(&session, scope, now));
                if let Some(cookie) = waiting.filter(|_| is_silent) {
                    return Some(to_page(&next, vec![cookie]));
                }
                let failed = FailedSignIn {
                    failure: SignInFailure::Incomplete,
                    next,
                    status: StatusCode::SERVICE_UNAVAILABLE,
                };
                return Some(self.failed(site, parts, failed).await);
            }
        };
        let cookies = pending.cookies(&parts.headers, scope, key)?;
        Some(to_page(url.as_str(), cookies))
    }

    /// Completes a sign-in.
    pub(super) async fn finish_oidc(&self, site: &Arc<Site>, parts: &Parts) -> Option<Response> {
        let inner = &self.0;
        let provider = inner.provider.as_ref()?;
        let (scope, now) = (scope(site, parts), now());
        let key = self.pending_key()?;
        let query = Query::parse(parts.uri.query().unwrap_or_default());
        let state = query.get("state").unwrap_or_default();
        let pending = PendingSignIn::find(&parts.headers, scope, key, &state, now);
        let pending = pending.filter(|pending| {
            let parts = [&*inner.project, "sign-in", &pending.id];
            inner.state.0.used.claim(&parts, pending.until(), now)
        });
        let Some(pending) = pending else {
            let failed = FailedSignIn {
                failure: SignInFailure::Incomplete,
                next: site.href("/"),
                status: StatusCode::BAD_REQUEST,
            };
            return Some(self.failed(site, parts, failed).await);
        };
        let clear = pending.clear(scope);
        let result = self
            .identify(site, parts, provider, (&pending, key), &query)
            .await;
        let mut session = match result {
            Ok(session) => session,
            // The session at the provider has ended, and so has that of the reader.
            Err(_) if pending.is_silent => {
                let next: String =
                    url::form_urlencoded::byte_serialize(pending.next.as_bytes()).collect();
                let page = format!("{}?next={next}", site.href(svc_site::SIGN_IN_PATH));
                return Some(to_page(&page, vec![clear, scope.clear_session()]));
            }
            Err((failure, status)) => {
                let next = pending.next;
                let failed = FailedSignIn {
                    failure,
                    next,
                    status,
                };
                let response = self.failed(site, parts, failed).await;
                return Some(with_cookies(response, vec![clear]));
            }
        };
        // A renewal goes on with the session that it renews, unless another user has signed in.
        if pending.is_silent
            && let Some(old) = self.oidc_session(parts, scope, now)
            && subject(&old) == subject(&session)
        {
            session.id = old.id;
        }
        let cookie = self.session_cookie(site, &session, scope, &provider.secret);
        let Some(cookie) = cookie else {
            let failed = FailedSignIn {
                failure: SignInFailure::TooManyGroups,
                next: pending.next,
                status: StatusCode::FORBIDDEN,
            };
            warn!(
                "sign-in of readers: the groups of `{}` do not fit into a cookie",
                session.name
            );
            let response = self.failed(site, parts, failed).await;
            return Some(with_cookies(response, vec![clear]));
        };
        inner.state.record_session(&inner.project, &session);
        // A silent renewal is no sign-in.
        if !pending.is_silent {
            inner.state.0.attempts.record(Ok(()));
        }
        Some(to_page(&pending.next, vec![clear, cookie]))
    }

    /// The session of the user that a response of the provider is about.
    async fn identify(
        &self,
        site: &Site,
        parts: &Parts,
        provider: &ReaderProvider,
        (pending, key): (&PendingSignIn, PendingKey<'_>),
        query: &Query<'_>,
    ) -> Result<ReaderSession, (SignInFailure, StatusCode)> {
        let failed = |error: OidcError| {
            warn!("sign-in of readers: {error}");
            let status = match error {
                OidcError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
                _ => StatusCode::BAD_REQUEST,
            };
            (SignInFailure::Incomplete, status)
        };
        let incomplete = (SignInFailure::Incomplete, StatusCode::BAD_REQUEST);
        let now = now();
        let client = &provider.client;
        let issuer = query.get("iss");
        let checked = client.check_issuer(issuer.as_deref(), clock(now)).await;
        checked.map_err(failed)?;
        let code = query.get("code").filter(|code| !code.is_empty());
        let code = code.ok_or(incomplete)?;
        let origin = self.0.hosts.origin(parts).ok_or(incomplete)?;
        let secrets = pending.secrets(key).ok_or(incomplete)?;
        let times = (clock(now), SystemTime::now());
        let identity = client
            .exchange(&code, &secrets, &callback_url(&origin, site), times)
            .await
            .map_err(failed)?;
        let mut claims = identity.claims.clone();
        if needs_user_info(&provider.settings, &claims) {
            let user = client.user_info(&identity, clock(now)).await;
            for (name, value) in user.map_err(failed)? {
                claims.entry(name).or_insert(value);
            }
        }
        session(&provider.settings, &claims, now, provider.renewal_seconds())
            .ok_or((SignInFailure::NoAccess, StatusCode::FORBIDDEN))
    }

    /// The cookie of a session. If not all groups fit, those that pages name are kept.
    fn session_cookie(
        &self,
        site: &Site,
        session: &ReaderSession,
        scope: CookieScope<'_>,
        secret: &[u8],
    ) -> Option<String> {
        let key = self.0.identification.key();
        session.cookie(scope, key, secret).or_else(|| {
            let mut session = session.clone();
            if let SignInProof::Oidc(proof) = &mut session.proof {
                let known = site.reader_groups();
                proof.groups.retain(|group| known.contains(group));
            }
            session.cookie(scope, key, secret)
        })
    }

    /// Where a reader goes whose sign-in the provider has to confirm; `None` if it need not, or if
    /// the request is not one for a page.
    pub(super) fn renewal(
        &self,
        site: &Site,
        parts: &Parts,
        reader: &Reader,
        now: i64,
    ) -> Option<Response> {
        reader.session.as_ref()?;
        let proof = reader.oidc()?;
        if now < proof.renew_at || !is_navigation(parts) {
            return None;
        }
        let (start, next) = (site.href(START_PATH), encoded_target(parts));
        Some(to_page(
            &format!("{start}?silent=1&next={next}"),
            Vec::new(),
        ))
    }

    /// The cookie of a session whose renewal is tried later, because the provider cannot be
    /// reached; `None` if it has not been confirmed for long.
    fn postponed(
        &self,
        session: &ReaderSession,
        scope: CookieScope<'_>,
        now: i64,
    ) -> Option<String> {
        let provider = self.0.provider.as_ref()?;
        let mut session = session.clone();
        let SignInProof::Oidc(proof) = &mut session.proof else {
            return None;
        };
        if now.saturating_sub(proof.verified_at) >= MAX_UNCONFIRMED_SECONDS {
            return None;
        }
        proof.renew_at = now.saturating_add(RETRY_SECONDS);
        session.cookie(scope, self.0.identification.key(), &provider.secret)
    }

    fn oidc_session(
        &self,
        parts: &Parts,
        scope: CookieScope<'_>,
        now: i64,
    ) -> Option<ReaderSession> {
        let reader = self.0.identification.reader(parts, scope, now)?;
        let is_oidc = reader.oidc().is_some();
        reader.session.filter(|_| is_oidc)
    }

    fn pending_key(&self) -> Option<PendingKey<'_>> {
        Some(PendingKey {
            key: self.0.identification.key(),
            client: &self.0.provider.as_ref()?.secret,
        })
    }

    async fn failed(&self, site: &Arc<Site>, parts: &Parts, failed: FailedSignIn) -> Response {
        let (failure, status) = (failed.failure, failed.status);
        sign_in::failure_page(self, site, parts, &failed.next, (failure, status)).await
    }
}

/// The user at the provider.
fn subject(session: &ReaderSession) -> Option<&str> {
    session.proof.oidc().map(|proof| &*proof.subject)
}

/// Time of the clock that the caches of the client use.
pub(super) fn clock(now: i64) -> Duration {
    Duration::from_secs(u64::try_from(now).unwrap_or(0))
}

fn callback_url(origin: &str, site: &Site) -> String {
    format!("{origin}{}", site.href(CALLBACK_PATH))
}

fn needs_user_info(settings: &ReaderOidcSettings, claims: &Map<String, Value>) -> bool {
    let path = settings.groups_claim.as_deref();
    let lacks_groups = path.is_some_and(|path| claims::find(claims, path).is_none());
    let lacks_email = !settings.allowed_domains.is_empty() && !claims.contains_key("email");
    lacks_groups || lacks_email || claims::text(claims, "name").is_none()
}

/// Why a token of the provider is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum TokenError {
    #[error(transparent)]
    Signature(#[from] JwsError),
    #[error(transparent)]
    Provider(#[from] OidcError),
}

/// The claims of a token that the provider has signed. Nothing else is checked.
pub(super) async fn verified_claims(
    provider: &ReaderProvider,
    token: &str,
    now: i64,
) -> Result<SignedClaims, TokenError> {
    let keys = provider.client.keys(clock(now), false).await?;
    match jws::verify(token, &keys) {
        // The provider may have a new key.
        Err(JwsError::Signature) => {
            let keys = provider.client.keys(clock(now), true).await?;
            Ok(jws::verify(token, &keys)?)
        }
        result => Ok(result?),
    }
}

/// The session of a user; `None` if the user has no access.
pub(super) fn session(
    settings: &ReaderOidcSettings,
    claims: &Map<String, Value>,
    now: i64,
    renewal_seconds: i64,
) -> Option<ReaderSession> {
    let domains = &settings.allowed_domains;
    let email = claims::verified_email(claims);
    let is_allowed = |email: &String| claims::is_in_domain(email, domains);
    if !domains.is_empty() && !email.as_ref().is_some_and(is_allowed) {
        return None;
    }
    let path = settings.groups_claim.as_deref();
    let groups = path.and_then(|path| claims::find(claims, path));
    let delimiter = settings.groups_delimiter.as_deref();
    let proof = OidcProof {
        subject: claims.get("sub")?.as_str()?.to_owned(),
        session_id: claims::text(claims, "sid"),
        email,
        groups: groups.map_or_else(Default::default, |claim| claims::groups(claim, delimiter)),
        verified_at: now,
        renew_at: now.saturating_add(renewal_seconds),
    };
    let name = claims::display_name(claims)?;
    Some(ReaderSession::begin(&name, SignInProof::Oidc(proof), now))
}

/// Whether a browser opens a page in a tab, not in advance.
pub(super) fn is_navigation(parts: &Parts) -> bool {
    let header = |name: &str| parts.headers.get(name).map(HeaderValue::as_bytes);
    parts.method == http::Method::GET
        && header("sec-purpose").is_none()
        && header("sec-fetch-mode").is_none_or(|mode| mode == b"navigate")
        && header("sec-fetch-dest").is_none_or(|dest| dest == b"document")
        && negotiate::accepts(&parts.headers, "text/html")
}

/// Redirects a browser and sets cookies.
pub(super) fn to_page(location: &str, cookies: Vec<String>) -> Response {
    let mut response = reply::redirect(StatusCode::SEE_OTHER, location);
    reply::set_header(&mut response, header::CACHE_CONTROL, "no-store");
    with_cookies(for_reader(response, None), cookies)
}

pub(super) fn with_cookies(mut response: Response, cookies: Vec<String>) -> Response {
    for cookie in cookies {
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    response
}
