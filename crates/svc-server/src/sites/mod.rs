//! Several sites, each selected by the host of a request.
//!
//! Only the host selects the site: no path, no `X-Forwarded-Host`. An unknown host gets 421,
//! never a page of another site.

mod name;
mod response;
mod served;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use http::request::Parts;

pub(crate) use self::name::{canonical, port, requested_host};
pub use self::served::Served;
use crate::Host;
use crate::changes::{self, LiveRevision};
use crate::log::record_project;
use crate::metrics::RequestCounters;
use crate::reply::Response;
use crate::response_cache::Validity;
use crate::service::{BodyHandler, BodyRouter, Reply, Responder};

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
    pub fn set(&self, host: &str, entry: Served) -> bool {
        let Ok(host) = Host::parse(host) else {
            return false;
        };
        self.change(|table| {
            let present = table.get(host.as_str());
            if present.is_some_and(|present| present.project != entry.project) {
                return false;
            }
            table.insert(host.as_str().into(), entry);
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
        Self::find(&self.table(), parts)
    }

    fn find(table: &SiteTable, parts: &Parts) -> Option<Served> {
        let name = canonical(requested_host(parts)?)?;
        let served = table.get(&*name).cloned()?;
        record_project(parts, &served.project);
        Some(served)
    }

    /// Marks a response from memory as valid until the table changes.
    fn until_changed(&self, table: &Arc<SiteTable>, mut reply: Reply) -> Reply {
        if let Reply::Ready(response) = &mut reply
            && let Some(validity) = response.extensions_mut().remove::<Validity>()
        {
            let (sites, table) = (self.clone(), Arc::downgrade(table));
            let is_unchanged = move || {
                let present = sites.0.read().unwrap_or_else(PoisonError::into_inner);
                std::ptr::eq(Arc::as_ptr(&present), table.as_ptr())
            };
            let validity = validity.and(is_unchanged);
            response.extensions_mut().insert(validity);
        }
        reply
    }

    /// A request for the changes of a page of a preview, with the live site; `None` for other
    /// requests.
    fn with_live_site(&self, served: &Served, parts: &Parts) -> Option<Parts> {
        let host = served.live_host.as_ref()?;
        if !parts.uri.path().ends_with(changes::PATH) {
            return None;
        }
        let live = self.get(host.as_str())?.current?.get();
        let mut parts = parts.clone();
        parts.extensions.insert(LiveRevision(live));
        Some(parts)
    }

    /// A responder that selects the site by host.
    pub fn responder(&self) -> Responder {
        let sites = self.clone();
        Arc::new(move |parts: &Parts| {
            let table = sites.table();
            let served = Self::find(&table, parts);
            let compared = served
                .as_ref()
                .and_then(|it| sites.with_live_site(it, parts));
            let parts = compared.as_ref().unwrap_or(parts);
            let counters = served.as_ref().and_then(|served| served.counters.clone());
            let reply = sites.until_changed(&table, response::respond(served, parts));
            match counters {
                Some(counters) => reply.map(|response| counted(response, counters)),
                None => reply,
            }
        })
    }

    /// A router that selects the router of the host.
    pub fn body_router(&self) -> BodyRouter {
        let sites = self.clone();
        Arc::new(move |parts: &Parts| match sites.of(parts) {
            Some(served) => {
                let compared = sites.with_live_site(&served, parts);
                let handler = served.body_router.as_ref()?(parts)?;
                let handler: BodyHandler = match compared {
                    // The handler is of a reader with a token.
                    Some(compared) => Box::new(move |_, upload| handler(compared, upload)),
                    None => handler,
                };
                let Some(counters) = served.counters else {
                    return Some(handler);
                };
                Some(Box::new(move |parts, upload| {
                    let handled = handler(parts, upload);
                    Box::pin(async move { counted(handled.await, counters) })
                }))
            }
            None => response::refuse_writing(parts),
        })
    }
}

/// A response that is counted for a project.
fn counted(mut response: Response, counters: Arc<RequestCounters>) -> Response {
    response.body_mut().set_counters(counters);
    response
}
