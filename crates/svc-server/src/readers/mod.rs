//! Readers who sign in, and what each of them sees.
//!
//! Everybody gets the site for everyone, in which protected pages do not exist. A reader gets the
//! site that is built for the groups of the reader; see [`audiences`].

mod access_tokens;
mod attempts;
mod audiences;
mod body;
mod claims;
pub(crate) mod cookies;
mod handover;
mod identity;
mod key;
mod logout;
mod oidc;
mod pending;
mod public_hosts;
mod query;
mod resource;
mod responses;
mod revocations;
mod session;
mod shared;
mod sign_in;
mod state;
mod stored_tokens;
mod used_ids;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::request::Parts;
use http::{Method, StatusCode};
use svc_site::{READER_PATH, Resource, SIGN_IN_PATH, SIGN_OUT_PATH, Site};

use self::access_tokens::AccessTokens;
use self::audiences::{Audiences, RouterBuilder};
use self::cookies::CookieScope;
use self::handover::HANDOVER_PATH;
use self::identity::{Identification, Reader};
pub(crate) use self::key::{key_in, key_of_project, replace_key};
use self::logout::LOGOUT_PATH;
use self::oidc::{CALLBACK_PATH, ReaderProvider, START_PATH};
pub(crate) use self::public_hosts::PublicHosts;
use self::responses::{for_reader, reader_document, require_sign_in, vary};
use self::session::ReaderSession;
pub(crate) use self::state::ReaderState;
use crate::reply::{self, Response};
use crate::service::{BodyHandler, BodyRouter, Peer, Reply};
use crate::site::{HEALTH, below, respond};
use crate::{Body, ReaderSettings, SiteHandle, path};

/// Maximum age of a session.
pub(crate) const MAX_SESSION_AGE: Duration = Duration::from_secs(session::MAX_AGE_SECONDS as u64);

/// Files of the program, which are the same on all sites.
const PROGRAM_ASSETS: &str = "/_svc/assets/";

/// A site with readers who sign in. A handle; clones share their state.
#[derive(Clone)]
pub(crate) struct Readers(Arc<ReadersInner>);

struct ReadersInner {
    /// The site for everyone.
    base: SiteHandle,
    /// Router for requests with a body from readers who have not signed in.
    base_router: BodyRouter,
    identification: Identification,
    audiences: Audiences,
    provider: Option<ReaderProvider>,
    access_tokens: AccessTokens,
    /// ID of the project.
    project: String,
    hosts: PublicHosts,
    state: ReaderState,
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Readers").finish_non_exhaustive()
    }
}

impl Readers {
    /// Readers of a site of a project. `router` creates the router for requests with a body to a
    /// site.
    pub(crate) fn new(
        base: SiteHandle,
        settings: ReaderSettings,
        (project, hosts): (&str, PublicHosts),
        state: ReaderState,
        router: RouterBuilder,
    ) -> Self {
        let provider = settings.oidc.clone();
        let provider = provider.map(|own| ReaderProvider::new(own, state.fetches()));
        let secret = provider.as_ref().map(|provider| provider.secret.clone());
        let key = key_of_project(&state.0.key, project);
        Self(Arc::new(ReadersInner {
            base_router: router(base.clone()),
            base,
            identification: Identification::new(settings, key, secret),
            audiences: Audiences::new(router),
            provider,
            access_tokens: AccessTokens::default(),
            project: project.to_owned(),
            hosts,
            state,
        }))
    }

    /// The response to a request without a body.
    pub(crate) fn respond(&self, parts: &Parts) -> Reply {
        let inner = &self.0;
        let site = inner.base.get();
        let path = path::normalize(parts.uri.path());
        let metadata = |path: &str| self.resource_metadata(&site, parts, path);
        if let Some(response) = path.as_deref().and_then(metadata) {
            return Reply::Ready(response);
        }
        let Some(path) = path
            .as_deref()
            .and_then(|path| below(path, site.base_path()))
        else {
            return inner.base.respond(parts);
        };
        if path == HEALTH || path.starts_with(PROGRAM_ASSETS) {
            return inner.base.respond(parts);
        }
        let (scope, now) = (scope(&site, parts), now());
        let reader = self.reader(&site, parts, scope, now);
        if path == handover::CALLBACK_PATH
            && let Some(response) = self.handover_page(&site, parts)
        {
            return Reply::Ready(response);
        }
        if path == SIGN_IN_PATH {
            return self.sign_in_page(&site, parts, reader.as_ref());
        }
        if path == READER_PATH {
            return Reply::Ready(reader_document(&site, reader.as_ref()));
        }
        let Some(reader) = reader else {
            if site.map.is_withheld() && !is_open(&site, path) {
                let challenge = self.challenge(&site, parts, path);
                return Reply::Ready(require_sign_in(&site, parts, &challenge));
            }
            return inner.base.respond(parts).map(vary);
        };
        if let Some(response) = self.renewal(&site, parts, &reader, now) {
            return Reply::Ready(response);
        }
        let cookie = self.renewed_cookie(&reader, scope, now);
        let finish = move |response| for_reader(response, cookie);
        match inner.audiences.get(&site, &reader.groups) {
            Ok(audience) => respond(&audience.site, parts).map(finish),
            Err(build) => {
                // With its extensions, which the responder of the site needs.
                let parts = parts.clone();
                Reply::Blocking(Box::new(move || match build() {
                    Some(audience) => finish(respond(&audience.site, &parts).finish()),
                    None => reply::internal_error(),
                }))
            }
        }
    }

    /// Router for requests with a body.
    pub(crate) fn body_router(&self) -> BodyRouter {
        let readers = self.clone();
        Arc::new(move |parts: &Parts| readers.route(parts))
    }

    fn route(&self, parts: &Parts) -> Option<BodyHandler> {
        let site = self.0.base.get();
        let Some(token) = self.unverified_token(&site, parts) else {
            return self.route_known(parts);
        };
        // Verifying can need the keys of the provider, or the store. Then the request is handled
        // like any other.
        let readers = self.clone();
        Some(Box::new(move |parts, upload| {
            Box::pin(async move {
                readers.verify_token(&site, &parts, &token).await;
                match readers.route_known(&parts) {
                    Some(handler) => handler(parts, upload).await,
                    None => readers.respond_to_known(parts).await,
                }
            })
        }))
    }

    /// The response to a request without a body, when it is known who sends it.
    async fn respond_to_known(&self, parts: Parts) -> Response {
        if parts.method != Method::GET && parts.method != Method::HEAD {
            let text = "The method is not allowed for this path.";
            return reply::plain(StatusCode::METHOD_NOT_ALLOWED, text);
        }
        let is_head = parts.method == Method::HEAD;
        let reply = self.respond(&parts);
        let response = tokio::task::spawn_blocking(move || reply.finish()).await;
        let mut response = response.unwrap_or_else(|_| reply::internal_error());
        if is_head {
            *response.body_mut() = Body::empty();
        }
        response
    }

    fn route_known(&self, parts: &Parts) -> Option<BodyHandler> {
        let inner = &self.0;
        let site = inner.base.get();
        let path = path::normalize(parts.uri.path());
        let path = path
            .as_deref()
            .and_then(|path| below(path, site.base_path()))?;
        if parts.method == Method::GET && (path == START_PATH || path == CALLBACK_PATH) {
            // At another host, the responder redirects.
            let _ = inner.provider.as_ref()?;
            inner.hosts.origin(parts)?;
            let (readers, is_start) = (self.clone(), path == START_PATH);
            return Some(Box::new(move |parts, _| {
                Box::pin(async move {
                    let response = match is_start {
                        true => readers.begin_oidc(&site, &parts).await,
                        false => readers.finish_oidc(&site, &parts).await,
                    };
                    response.unwrap_or_else(reply::internal_error)
                })
            }));
        }
        if parts.method != Method::POST {
            return None;
        }
        if path == LOGOUT_PATH && inner.provider.is_some() {
            let readers = self.clone();
            return Some(Box::new(move |_, upload| {
                Box::pin(async move {
                    let response = readers.back_channel_logout(upload).await;
                    response.unwrap_or_else(reply::internal_error)
                })
            }));
        }
        if path == HANDOVER_PATH && inner.identification.settings().handover.is_some() {
            let readers = self.clone();
            return Some(Box::new(move |parts, upload| {
                Box::pin(async move {
                    let response = readers.hand_over(&site, &parts, upload).await;
                    response.unwrap_or_else(reply::internal_error)
                })
            }));
        }
        if path == SIGN_IN_PATH || path == SIGN_OUT_PATH {
            let (readers, is_sign_out) = (self.clone(), path == SIGN_OUT_PATH);
            return Some(Box::new(move |parts, upload| {
                Box::pin(async move {
                    match is_sign_out {
                        true => readers.sign_out(&parts),
                        false => readers.sign_in(parts, upload).await,
                    }
                })
            }));
        }
        let reader = self.reader(&site, parts, scope(&site, parts), now());
        let Some(reader) = reader else {
            let handler = (inner.base_router)(parts)?;
            if site.map.is_withheld() {
                let challenge = self.challenge(&site, parts, path);
                return Some(Box::new(move |parts, _| {
                    Box::pin(async move { require_sign_in(&site, &parts, &challenge) })
                }));
            }
            return Some(handler);
        };
        let build = match inner.audiences.get(&site, &reader.groups) {
            Ok(audience) => return (audience.body_router)(parts),
            Err(build) => build,
        };
        // Whether the request is handled at all does not depend on the audience.
        let _handler = (inner.base_router)(parts)?;
        Some(Box::new(move |parts, upload| {
            Box::pin(async move {
                let audience = tokio::task::spawn_blocking(build).await.ok().flatten();
                let handler = audience.and_then(|audience| (audience.body_router)(&parts));
                match handler {
                    Some(handler) => handler(parts, upload).await,
                    None => reply::internal_error(),
                }
            })
        }))
    }

    /// The reader of a request, unless the session has ended or the provider would have to confirm
    /// it.
    fn reader(
        &self,
        site: &Site,
        parts: &Parts,
        scope: CookieScope<'_>,
        now: i64,
    ) -> Option<Reader> {
        let reader = self.valid_reader(site, parts, scope, now);
        if reader.is_none() && ReaderSession::find(&parts.headers, scope).is_some() {
            self.0.state.0.rejected.fetch_add(1, Ordering::Relaxed);
        }
        reader
    }

    fn valid_reader(
        &self,
        site: &Site,
        parts: &Parts,
        scope: CookieScope<'_>,
        now: i64,
    ) -> Option<Reader> {
        let inner = &self.0;
        let reader = inner.identification.reader(parts, scope, now);
        let reader = reader.or_else(|| self.token_reader(site, parts, now))?;
        let revocations = &inner.state.0.revocations;
        let proof = reader.oidc();
        if revocations.contains(&inner.project, reader.session.as_ref(), proof) {
            return None;
        }
        if let (Some(proof), Some(provider)) = (proof, &inner.provider) {
            // Requests of scripts of a page do not renew a session, so they have more time.
            let is_confirmed =
                now.saturating_sub(proof.renew_at) < provider.renewal_seconds().max(0);
            let is_page = oidc::is_navigation(parts);
            if !(is_confirmed || is_page) {
                return None;
            }
        }
        Some(reader)
    }

    /// A cookie with the time of this request, if that of the reader is old.
    fn renewed_cookie(&self, reader: &Reader, scope: CookieScope<'_>, now: i64) -> Option<String> {
        let identification = &self.0.identification;
        let session = reader.session.as_ref()?.renewed(now)?;
        let secret = identification.secret(&session, now)?;
        self.0.state.record_session(&self.0.project, &session);
        session.cookie(scope, identification.key(), &secret)
    }
}

/// Whether a path on a private site is open: what the page to sign in needs.
fn is_open(site: &Site, path: &str) -> bool {
    matches!(
        site.find(path),
        Resource::Asset(_) | Resource::Image(_) | Resource::Variant(_)
    )
}

fn scope<'s>(site: &'s Site, parts: &Parts) -> CookieScope<'s> {
    let peer = parts.extensions.get::<Peer>();
    CookieScope {
        is_encrypted: peer.is_some_and(|peer| peer.is_encrypted),
        base_path: site.base_path(),
    }
}

/// Seconds since the beginning of 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}
