//! Several sites, each selected by the host of a request.
//!
//! Only the host selects the site: no path, no `X-Forwarded-Host`. An unknown host gets 421,
//! never a page of another site.

mod name;
mod response;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use http::request::Parts;
use tracing::Span;

pub(crate) use self::name::{canonical, requested_host};
use crate::log::is_request_span_enabled;
use crate::service::{BodyRouter, Responder};
use crate::{Host, SiteHandle};

/// What is served at a host. Cheap to clone.
#[derive(Clone)]
pub struct Served {
    /// The site; `None` until its first deployment is published.
    pub current: Option<SiteHandle>,
    /// Project of the site.
    pub project: Arc<str>,
    /// Whether the site is hidden from search engines.
    pub noindex: bool,
    /// Host that requests are redirected to.
    pub redirect: Option<Host>,
    /// Router for requests with a body: the relay of the site and the webhook of the project.
    pub body_router: Option<BodyRouter>,
}

impl Served {
    /// A public site without handlers for requests with a body.
    pub fn new(current: SiteHandle, project: &str) -> Self {
        Self {
            current: Some(current),
            ..Self::pending(project)
        }
    }

    /// A site without a deployment; readers are asked to try again.
    pub fn pending(project: &str) -> Self {
        Self {
            current: None,
            project: project.into(),
            noindex: false,
            redirect: None,
            body_router: None,
        }
    }
}

impl fmt::Debug for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served")
            .field("project", &self.project)
            .field("awaited", &self.current.is_none())
            .field("noindex", &self.noindex)
            .field("redirect", &self.redirect)
            .field("posts", &self.body_router.is_some())
            .finish_non_exhaustive()
    }
}

/// Sites of a server. A handle; clones share the table.
#[derive(Debug, Clone, Default)]
pub struct Sites(Arc<RwLock<Arc<SiteTable>>>);

/// Immutable snapshot: a request uses one table from start to end.
type SiteTable = HashMap<Box<str>, Served>;

impl Sites {
    fn table(&self) -> Arc<SiteTable> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the table unless `change` returns `false`.
    fn change(&self, change: impl FnOnce(&mut SiteTable) -> bool) -> bool {
        let mut present = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut table = SiteTable::clone(&present);
        let changed = change(&mut table);
        if changed {
            *present = Arc::new(table);
        }
        changed
    }

    /// Serves a site at a host. Returns `false` if the host belongs to another project or is
    /// invalid.
    pub fn set(&self, host: &str, served: Served) -> bool {
        let Ok(host) = Host::parse(host) else {
            return false;
        };
        self.change(|table| {
            let present = table.get(host.as_str());
            if present.is_some_and(|present| present.project != served.project) {
                return false;
            }
            table.insert(host.as_str().into(), served);
            true
        })
    }

    /// Removes a host.
    pub fn remove(&self, host: &str) {
        if let Ok(host) = Host::parse(host) {
            self.change(|table| table.remove(host.as_str()).is_some());
        }
    }

    /// What is served at a host.
    pub fn get(&self, host: &str) -> Option<Served> {
        let host = Host::parse(host).ok()?;
        self.table().get(host.as_str()).cloned()
    }

    /// All hosts, sorted.
    pub fn hosts(&self) -> Vec<Host> {
        let table = self.table();
        let mut hosts: Vec<Host> = table.keys().flat_map(|host| Host::parse(host)).collect();
        hosts.sort();
        hosts
    }

    /// What is served at the host of a request.
    fn of(&self, parts: &Parts) -> Option<Served> {
        let name = canonical(requested_host(parts)?)?;
        let served = self.table().get(&*name).cloned()?;
        if is_request_span_enabled() {
            Span::current().record("project", &*served.project);
        }
        Some(served)
    }

    /// A responder that selects the site by host.
    pub fn responder(&self) -> Responder {
        let sites = self.clone();
        Arc::new(move |parts: &Parts| response::respond(sites.of(parts), parts))
    }

    /// A router that selects the router of the host.
    pub fn body_router(&self) -> BodyRouter {
        let sites = self.clone();
        Arc::new(move |parts: &Parts| match sites.of(parts) {
            Some(served) => served.body_router.as_ref().and_then(|posts| posts(parts)),
            None => response::refuse_writing(parts),
        })
    }
}
