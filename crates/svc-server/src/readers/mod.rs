//! Readers who sign in, and what each of them sees.
//!
//! Everybody gets the site for everyone, in which protected pages do not exist. A reader gets the
//! site that is built for the groups of the reader; see [`audiences`].

mod audiences;
mod identity;
mod key;
mod responses;
mod session;
mod sign_in;

use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use http::request::Parts;
use http::{Method, StatusCode};
use svc_site::{READER_PATH, Resource, SIGN_IN_PATH, SIGN_OUT_PATH, Site};

use self::audiences::{Audiences, RouterBuilder};
pub(crate) use self::identity::hex;
use self::identity::{Identification, Reader};
pub(crate) use self::key::{key_in, key_of_project, replace_key};
use self::responses::{for_reader, reader_document, require_sign_in, vary};
use self::session::CookieScope;
pub(crate) use self::sign_in::SignInLimits;
use crate::encoding::copy;
use crate::reply::{self, Response};
use crate::service::{BodyHandler, BodyRouter, Peer, Reply};
use crate::site::{HEALTH, below, respond};
use crate::{ReaderSettings, SiteHandle, path};

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
    limits: SignInLimits,
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Readers").finish_non_exhaustive()
    }
}

impl Readers {
    /// Readers of a site. `router` creates the router for requests with a body to a site.
    pub(crate) fn new(
        base: SiteHandle,
        settings: ReaderSettings,
        key: [u8; 32],
        limits: SignInLimits,
        router: RouterBuilder,
    ) -> Self {
        Self(Arc::new(ReadersInner {
            base_router: router(base.clone()),
            base,
            identification: Identification::new(settings, key),
            audiences: Audiences::new(router),
            limits,
        }))
    }

    /// The response to a request without a body.
    pub(crate) fn respond(&self, parts: &Parts) -> Reply {
        let inner = &self.0;
        let site = inner.base.get();
        let path = path::normalize(parts.uri.path());
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
        let reader = inner.identification.reader(parts, scope, now);
        if path == SIGN_IN_PATH {
            return self.sign_in_page(&site, parts, reader.as_ref());
        }
        if path == READER_PATH {
            return Reply::Ready(reader_document(&site, reader.as_ref()));
        }
        let Some(reader) = reader else {
            if site.map.is_withheld() && !is_open(&site, path) {
                return Reply::Ready(require_sign_in(&site, parts));
            }
            return inner.base.respond(parts).map(vary);
        };
        let cookie = self.renewed_cookie(&reader, scope, now);
        let finish = move |response| for_reader(response, cookie);
        match inner.audiences.get(&site, &reader.groups) {
            Ok(audience) => respond(&audience.site, parts).map(finish),
            Err(build) => {
                let parts = copy(parts);
                Reply::Blocking(Box::new(move || match build() {
                    Some(audience) => finish(respond(&audience.site, &parts).finish()),
                    None => unavailable(),
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
        let inner = &self.0;
        let site = inner.base.get();
        let path = path::normalize(parts.uri.path());
        let path = path
            .as_deref()
            .and_then(|path| below(path, site.base_path()))?;
        if parts.method != Method::POST {
            return None;
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
        let reader = inner
            .identification
            .reader(parts, scope(&site, parts), now());
        let Some(reader) = reader else {
            let handler = (inner.base_router)(parts)?;
            if site.map.is_withheld() {
                return Some(Box::new(move |parts, _| {
                    Box::pin(async move { require_sign_in(&site, &parts) })
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
                    None => unavailable(),
                }
            })
        }))
    }

    /// A cookie with the time of this request, if that of the reader is old.
    fn renewed_cookie(&self, reader: &Reader, scope: CookieScope<'_>, now: i64) -> Option<String> {
        let identification = &self.0.identification;
        let session = reader.session.as_ref()?.renewed(now)?;
        let credential = identification.with_password(&reader.name)?;
        session.cookie(scope, identification.key(), credential)
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

fn unavailable() -> Response {
    reply::plain(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error.")
}
