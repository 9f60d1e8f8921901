//! Many sites, each found by the host that a request names.
//!
//! Nothing else of a request says which site it is for: no path, no `X-Forwarded-Host`. A host
//! that is not in the table gets 421, and never a page of another site.

mod name;
mod response;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use http::request::Parts;

pub(crate) use self::name::{canonical, requested_host};
use crate::service::{BodyRouter, Responder};
use crate::{Host, SiteHandle};

/// What a host stands for. Cloning is cheap.
#[derive(Clone)]
pub struct Served {
    /// The site; nothing while its first deployment is made.
    pub current: Option<SiteHandle>,
    /// The project that it belongs to.
    pub project: Arc<str>,
    /// Whether search engines are told to leave all of it alone.
    pub noindex: bool,
    /// The host that readers are sent to instead.
    pub redirect: Option<Host>,
    /// What takes the requests with a body: the relay of the site, the webhook of the project.
    pub body_router: Option<BodyRouter>,
}

impl Served {
    /// A site for everybody, which takes no requests with a body.
    pub fn new(current: SiteHandle, project: &str) -> Self {
        Self {
            current: Some(current),
            ..Self::pending(project)
        }
    }

    /// A site that is not there yet: readers are asked to come again.
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

/// The sites of a server. A handle; all copies are the same table.
#[derive(Debug, Clone, Default)]
pub struct Sites(Arc<RwLock<Arc<SiteTable>>>);

/// Never changed once it is in use: a request looks at one table from its beginning to its end.
type SiteTable = HashMap<Box<str>, Served>;

impl Sites {
    fn table(&self) -> Arc<SiteTable> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts another table in the place of the present one, unless `change` says no.
    fn change(&self, change: impl FnOnce(&mut SiteTable) -> bool) -> bool {
        let mut present = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut table = SiteTable::clone(&present);
        let changed = change(&mut table);
        if changed {
            *present = Arc::new(table);
        }
        changed
    }

    /// Serves a site at a host from now on. A host of another project is never taken from it: the
    /// answer is then `false`, as for a text that names no host.
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

    /// Knows a host no longer.
    pub fn remove(&self, host: &str) {
        if let Ok(host) = Host::parse(host) {
            self.change(|table| table.remove(host.as_str()).is_some());
        }
    }

    /// What a host stands for.
    pub fn get(&self, host: &str) -> Option<Served> {
        let host = Host::parse(host).ok()?;
        self.table().get(host.as_str()).cloned()
    }

    /// All hosts, in order.
    pub fn hosts(&self) -> Vec<Host> {
        let table = self.table();
        let mut hosts: Vec<Host> = table.keys().flat_map(|host| Host::parse(host)).collect();
        hosts.sort();
        hosts
    }

    /// What the host of a request stands for.
    fn of(&self, parts: &Parts) -> Option<Served> {
        let name = canonical(requested_host(parts)?)?;
        self.table().get(&*name).cloned()
    }

    /// Answers requests with the site of their host.
    pub fn responder(&self) -> Responder {
        let sites = self.clone();
        Arc::new(move |parts: &Parts| response::respond(sites.of(parts), parts))
    }

    /// Hands requests with a body to what takes them at their host.
    pub fn body_router(&self) -> BodyRouter {
        let sites = self.clone();
        Arc::new(move |parts: &Parts| match sites.of(parts) {
            Some(served) => served.body_router.as_ref().and_then(|posts| posts(parts)),
            None => response::refuse_writing(parts),
        })
    }
}
