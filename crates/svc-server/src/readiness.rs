//! `/_svc/ready`: whether the server should get requests.
//!
//! `/_svc/health` says that the process works; a server that is not healthy is restarted. A server
//! that is not ready only gets no requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::StatusCode;
use http::request::Parts;
use serde_json::json;
use svc_objects::ObjectStore;
use svc_store::Database;

use crate::SiteHandle;
use crate::reply::{self, Response};
use crate::service::{Reply, Responder};

/// Path of the check, at the root of every host.
const PATH: &str = "/_svc/ready";
/// Maximum number of projects that a response names.
const MAX_NAMED: usize = 20;

/// The projects with their live sites.
type SiteList = Box<dyn Fn() -> Vec<(String, Option<SiteHandle>)> + Send + Sync>;

/// Whether a server is ready. A handle; clones share the state.
#[derive(Clone)]
pub(crate) struct Readiness(Arc<ReadinessState>);

struct ReadinessState {
    is_draining: AtomicBool,
    sites: SiteList,
    store: Option<Database>,
    objects: Option<ObjectStore>,
}

impl std::fmt::Debug for Readiness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Readiness")
            .field("is_draining", &self.0.is_draining)
            .finish_non_exhaustive()
    }
}

/// State of a server at one moment.
#[derive(Debug)]
pub(crate) struct ReadinessReport {
    pub(crate) is_draining: bool,
    /// Projects without a live site.
    waiting: Vec<String>,
    /// Whether the store is reachable; `None` without a store.
    store: Option<bool>,
    /// Whether the object store is reachable; `None` without one.
    objects: Option<bool>,
}

impl ReadinessReport {
    /// An unreachable database or object store is no reason: sites are served without it.
    pub(crate) const fn is_ready(&self) -> bool {
        !self.is_draining && self.waiting.is_empty()
    }

    fn document(&self) -> serde_json::Value {
        let is_degraded = self.store == Some(false) || self.objects == Some(false);
        let status = match (self.is_draining, self.is_ready()) {
            (true, _) => "draining",
            (_, false) => "starting",
            _ if is_degraded => "degraded",
            _ => "ready",
        };
        let mut reasons = Vec::new();
        if self.is_draining {
            reasons.push("the server is stopping".to_owned());
        }
        let named = self.waiting.iter().take(MAX_NAMED);
        reasons.extend(named.map(|project| format!("project `{project}` has no site yet")));
        if let Some(more) = self
            .waiting
            .len()
            .checked_sub(MAX_NAMED)
            .filter(|more| *more > 0)
        {
            reasons.push(format!("{more} more projects have no site yet"));
        }
        if self.store == Some(false) {
            reasons.push("the store is not reachable".to_owned());
        }
        if self.objects == Some(false) {
            reasons.push("the object store is not reachable".to_owned());
        }
        json!({ "status": status, "reasons": reasons })
    }
}

impl Readiness {
    pub(crate) fn new(
        sites: SiteList,
        store: Option<Database>,
        objects: Option<ObjectStore>,
    ) -> Self {
        Self(Arc::new(ReadinessState {
            is_draining: AtomicBool::new(false),
            sites,
            store,
            objects,
        }))
    }

    /// The server is not ready from now on.
    pub(crate) fn drain(&self) {
        self.0.is_draining.store(true, Ordering::Relaxed);
    }

    /// The projects with their live sites.
    pub(crate) fn sites(&self) -> Vec<(String, Option<SiteHandle>)> {
        (self.0.sites)()
    }

    pub(crate) fn report(&self) -> ReadinessReport {
        let waiting = self.sites().into_iter();
        let waiting = waiting.filter(|(_, site)| site.is_none());
        ReadinessReport {
            is_draining: self.0.is_draining.load(Ordering::Relaxed),
            waiting: waiting.map(|(project, _)| project).collect(),
            store: self.0.store.as_ref().map(Database::is_reachable),
            objects: (self.0.objects.as_ref()).map(|objects| objects.status().is_reachable),
        }
    }

    /// A responder that adds the check to `responder`.
    pub(crate) fn responder(&self, responder: Responder) -> Responder {
        let readiness = self.clone();
        Arc::new(move |parts: &Parts| match parts.uri.path() {
            PATH => Reply::Ready(readiness.response()),
            _ => responder(parts),
        })
    }

    fn response(&self) -> Response {
        let report = self.report();
        let status = match report.is_ready() {
            true => StatusCode::OK,
            false => StatusCode::SERVICE_UNAVAILABLE,
        };
        reply::json(status, &report.document())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_without_a_store_is_degraded_but_ready() {
        let store = Some(Database::closed());
        let readiness = Readiness::new(Box::new(Vec::new), store, None);
        let report = readiness.report();
        assert!(report.is_ready());
        assert_eq!(report.document()["status"], "degraded");
        assert_eq!(
            report.document()["reasons"][0],
            "the store is not reachable"
        );
    }

    #[tokio::test]
    async fn a_server_without_an_object_store_is_degraded_but_ready() {
        let location = svc_objects::ObjectLocation::Folder("/nonexistent/objects".into());
        let objects = ObjectStore::new(location).unwrap();
        objects.probe().await.unwrap_err();
        let readiness = Readiness::new(Box::new(Vec::new), None, Some(objects));
        let report = readiness.report();
        assert!(report.is_ready());
        let document = report.document();
        assert_eq!(document["status"], "degraded");
        assert_eq!(document["reasons"][0], "the object store is not reachable");
    }

    #[test]
    fn a_server_waits_for_its_sites_and_stops_being_ready_when_it_drains() {
        let names = (0..25).map(|number| (format!("p{number}"), None));
        let names: Vec<(String, Option<SiteHandle>)> = names.collect();
        let waiting = Readiness::new(Box::new(move || names.clone()), None, None);
        assert!(!waiting.report().is_ready());
        let document = waiting.report().document();
        assert_eq!(document["status"], "starting");
        let reasons = document["reasons"].as_array().unwrap();
        assert_eq!(reasons.len(), MAX_NAMED + 1);
        assert_eq!(reasons.last().unwrap(), "5 more projects have no site yet");
        let readiness = Readiness::new(Box::new(Vec::new), None, None);
        assert_eq!(readiness.report().document()["status"], "ready");
        readiness.drain();
        assert_eq!(readiness.report().document()["status"], "draining");
        assert_eq!(
            readiness.response().status(),
            StatusCode::SERVICE_UNAVAILABLE
        );
    }
}
