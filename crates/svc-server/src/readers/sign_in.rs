//! Signing in with a password, and signing out.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use svc_site::{SIGN_IN_PATH, SIGN_OUT_PATH, SignInFailure, SignInForm, SignInService, Site};
use url::form_urlencoded;

use super::body::read_form;
use super::identity::Reader;
use super::oidc::START_PATH;
use super::query::Query;
use super::responses::{for_reader, sign_in_entity, vary};
use super::revocations::RevokedSessions;
use super::session::{ReaderSession, SignInProof};
use super::{Readers, now, scope};
use crate::caller::network;
use crate::dashboard::login_throttle::{LoginThrottle, Subject};
use crate::dashboard::password::PasswordChecker;
use crate::document_policy;
use crate::encoding::copy;
use crate::negotiate;
use crate::relay::is_same_origin;
use crate::reply::{self, Response};
use crate::service::{Reply, Upload};

/// Maximum size of the form in bytes.
const MAX_FORM_BYTES: usize = 8 << 10;
/// Maximum length of the path to go to after signing in.
const MAX_NEXT_BYTES: usize = 2_000;

/// Limits on attempts to sign in, shared by all projects. A handle; clones share their state.
#[derive(Debug, Clone, Default)]
pub(crate) struct SignInLimits {
    throttle: Arc<LoginThrottle>,
    checker: PasswordChecker,
}

/// An attempt that failed.
struct FailedAttempt {
    failure: SignInFailure,
    name: String,
    next: String,
    /// Seconds until the next attempt.
    wait: Option<u64>,
}

impl Readers {
    /// The page to sign in, or to sign out.
    pub(super) fn sign_in_page(
        &self,
        site: &Arc<Site>,
        parts: &Parts,
        reader: Option<&Reader>,
    ) -> Reply {
        let query = parts.uri.query().unwrap_or_default();
        let next = next_path(site, Query::parse(query).get("next"));
        let (readers, site, parts) = (self.clone(), Arc::clone(site), copy(parts));
        let reader = reader.map(|reader| reader.name.clone());
        Reply::Blocking(Box::new(move || {
            let services = readers.services(&site, &next);
            let form = SignInForm {
                next: &next,
                reader: reader.as_deref(),
                services: &services,
                ..readers.form()
            };
            page(&site, &parts, &form, StatusCode::OK)
        }))
    }

    /// The form before it is filled in.
    fn form(&self) -> SignInForm<'static> {
        let passwords = self.0.identification.settings().passwords.len();
        SignInForm {
            has_password: passwords > 0,
            has_name: passwords > 1,
            ..SignInForm::default()
        }
    }

    /// Other places where readers sign in, and come back to `next` from.
    fn services(&self, site: &Site, next: &str) -> Vec<SignInService> {
        let query = |url: &str, name: &str| {
            let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
            let separator = if url.contains('?') { '&' } else { '?' };
            format!("{url}{separator}{name}={next}")
        };
        let settings = self.0.identification.settings();
        let oidc = settings.oidc.as_ref().map(|oidc| SignInService {
            name: oidc.provider.name.clone(),
            url: query(&site.href(START_PATH), "next"),
        });
        let handover = settings.handover.as_ref().map(|handover| SignInService {
            name: handover.name.clone(),
            url: query(&handover.login_url, "redirect"),
        });
        oidc.into_iter().chain(handover).collect()
    }

    pub(super) async fn sign_in(&self, parts: Parts, upload: Upload) -> Response {
        let site = self.0.base.get();
        match self.attempt(&site, &parts, upload).await {
            Ok(response) => response,
            Err(failed) => {
                self.0.state.0.attempts.record(Err(failed.failure));
                let readers = self.clone();
                let render = move || {
                    let services = readers.services(&site, &failed.next);
                    let form = SignInForm {
                        next: &failed.next,
                        name: &failed.name,
                        failure: Some(failed.failure),
                        services: &services,
                        ..readers.form()
                    };
                    let status = match failed.failure {
                        SignInFailure::TooMany => StatusCode::TOO_MANY_REQUESTS,
                        _ => StatusCode::FORBIDDEN,
                    };
                    let mut response = page(&site, &parts, &form, status);
                    if let Some(seconds) = failed.wait {
                        let seconds = seconds.to_string();
                        reply::set_header(&mut response, header::RETRY_AFTER, &seconds);
                    }
                    response
                };
                let rendered = tokio::task::spawn_blocking(render).await;
                rendered.unwrap_or_else(|_| reply::internal_error())
            }
        }
    }

    async fn attempt(
        &self,
        site: &Arc<Site>,
        parts: &Parts,
        upload: Upload,
    ) -> Result<Response, FailedAttempt> {
        if !is_same_origin(parts) {
            let text = "The form must be sent from a page of this site.";
            return Ok(reply::plain(StatusCode::FORBIDDEN, text));
        }
        let client = network(upload.client).to_string();
        let Some(body) = read_form(upload.body, MAX_FORM_BYTES).await else {
            let text = "The form is too large, or did not arrive in time.";
            return Ok(reply::plain(StatusCode::BAD_REQUEST, text));
        };
        let fields = Query::parse_bytes(&body);
        let identification = &self.0.identification;
        let name = match identification.settings().passwords.as_slice() {
            [only] => only.name.clone(),
            _ => fields.get("name").unwrap_or_default().into_owned(),
        };
        let password = fields.get("password").unwrap_or_default();
        let next = next_path(site, fields.get("next"));
        let failed = |failure, wait| FailedAttempt {
            failure,
            wait,
            name: name.clone(),
            next: next.clone(),
        };
        // Names of accounts of the dashboard contain no slash.
        let account = format!("/{}", name.replace(' ', "_"));
        let subject = Subject {
            account: &account,
            network: &client,
            device: None,
        };
        let SignInLimits { throttle, checker } = &self.0.state.0.limits;
        let time = || Duration::from_secs(u64::try_from(now()).unwrap_or(0));
        let allowed = throttle.begin(subject, time());
        allowed.map_err(|wait| failed(SignInFailure::TooMany, Some(wait)))?;
        let credential = identification.with_password(&name);
        let credential = credential.filter(|known| known.until.is_none_or(|until| now() < until));
        let hash = credential.map(|known| known.hash.reveal());
        let matches = checker.matches(&password, hash).await;
        let matches = matches.ok_or_else(|| failed(SignInFailure::TooMany, Some(1)))?;
        let Some(credential) = credential.filter(|_| matches) else {
            return Err(failed(SignInFailure::Wrong, None));
        };
        throttle.forget(subject, time());
        self.0.state.0.attempts.record(Ok(()));
        let session = ReaderSession::begin(&credential.name, SignInProof::Password, now());
        self.0.state.record_session(&self.0.project, &session);
        let secret = credential.hash.reveal().as_bytes();
        let cookie = session.cookie(scope(site, parts), identification.key(), secret);
        let mut response = reply::redirect(StatusCode::SEE_OTHER, &next);
        reply::set_header(&mut response, header::CACHE_CONTROL, "no-store");
        Ok(for_reader(response, cookie))
    }

    pub(super) fn sign_out(&self, parts: &Parts) -> Response {
        if !is_same_origin(parts) {
            let text = "The form must be sent from a page of this site.";
            return reply::plain(StatusCode::FORBIDDEN, text);
        }
        let site = self.0.base.get();
        let scope = scope(&site, parts);
        let reader = self.0.identification.reader(parts, scope, now());
        let session = reader.and_then(|reader| reader.session);
        if let Some(id) = session.and_then(|session| session.id) {
            // A copy of the cookie must not be valid either.
            let sessions = RevokedSessions::Id(&id);
            self.0.state.revoke(&self.0.project, sessions);
        }
        let mut response = reply::redirect(StatusCode::SEE_OTHER, &site.href("/"));
        reply::set_header(&mut response, header::CACHE_CONTROL, "no-store");
        for_reader(response, Some(scope.clear_session()))
    }
}

/// The page to sign in after an attempt elsewhere that failed.
pub(super) async fn failure_page(
    readers: &Readers,
    site: &Arc<Site>,
    parts: &Parts,
    next: &str,
    (failure, status): (SignInFailure, StatusCode),
) -> Response {
    readers.0.state.0.attempts.record(Err(failure));
    let (readers, site, parts) = (readers.clone(), Arc::clone(site), copy(parts));
    let next = next.to_owned();
    let render = move || {
        let services = readers.services(&site, &next);
        let form = SignInForm {
            next: &next,
            failure: Some(failure),
            services: &services,
            ..readers.form()
        };
        page(&site, &parts, &form, status)
    };
    let rendered = tokio::task::spawn_blocking(render).await;
    rendered.unwrap_or_else(|_| reply::internal_error())
}

fn page(site: &Site, parts: &Parts, form: &SignInForm<'_>, status: StatusCode) -> Response {
    let languages = languages(&parts.headers);
    let html = site.sign_in_page(&languages, form);
    let policy = document_policy::of_page(&[], site.notice_digests(), &[]);
    let mut entity = sign_in_entity(html, policy);
    entity.status = status;
    vary(entity.into_response(parts))
}

/// The languages that a reader prefers, each also without its region.
pub(super) fn languages(headers: &HeaderMap) -> Vec<&str> {
    let codes = negotiate::languages(headers).into_iter();
    let with_short =
        codes.flat_map(|code| [Some(code), code.split_once('-').map(|(short, _)| short)]);
    with_short.flatten().collect()
}

/// The path to go to after signing in: one of this site, whatever a link says.
pub(super) fn next_path(site: &Site, next: Option<Cow<'_, str>>) -> String {
    let home = site.href("/");
    let next = next.unwrap_or_default();
    let is_path = next.starts_with('/') && !next.starts_with("//") && next.len() <= MAX_NEXT_BYTES;
    let is_plain = !next.contains(|c: char| c == '\\' || c.is_control());
    let rest = next.strip_prefix(site.base_path());
    let is_below = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
    // Neither signs out, nor begins another sign-in that nobody wants.
    let is_page = !next.contains(SIGN_OUT_PATH) && !next.contains(SIGN_IN_PATH);
    match is_path && is_plain && is_below && is_page {
        true => next.into_owned(),
        false => home,
    }
}
