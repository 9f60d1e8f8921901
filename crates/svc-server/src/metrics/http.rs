//! Counters of requests and connections. Recording costs a few relaxed atomic operations.

use std::array;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::StatusCode;

use super::catalog;
use super::class::RequestClass;
use super::histogram::{Histogram, RESPONSE_BOUNDS};
use super::output::Output;

/// Maximum number of projects with counters of their own; the requests of further ones are counted
/// without a project.
const MAX_PROJECTS: usize = 500;
/// Label of the requests to the administration; not a valid ID of a project.
const ADMIN: &str = "(administration)";
/// Names of the classes of status codes.
const STATUSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// Counters of the requests to a project.
#[derive(Debug)]
pub(crate) struct RequestCounters {
    project: Box<str>,
    /// Class of all requests, whatever their path.
    class: Option<RequestClass>,
    requests: [[AtomicU64; STATUSES.len()]; RequestClass::COUNT],
    bytes: AtomicU64,
}

impl RequestCounters {
    fn new(project: &str, class: Option<RequestClass>) -> Self {
        Self {
            project: project.into(),
            class,
            requests: array::from_fn(|_| array::from_fn(|_| AtomicU64::new(0))),
            bytes: AtomicU64::new(0),
        }
    }

    /// Counts bytes of a body that are sent.
    pub(crate) fn sent(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    fn collect(&self, out: &mut Output) {
        for (class, counts) in RequestClass::ALL.into_iter().zip(&self.requests) {
            for (status, count) in STATUSES.into_iter().zip(counts) {
                let count = count.load(Ordering::Relaxed);
                if count > 0 {
                    let labels = [&*self.project, class.name(), status];
                    out.sample(&catalog::REQUESTS, &labels, count as f64);
                }
            }
        }
        let bytes = self.bytes.load(Ordering::Relaxed) as f64;
        if bytes > 0.0 {
            out.sample(&catalog::RESPONSE_BYTES, &[&*self.project], bytes);
        }
    }
}

/// Counters of the connections of a listener.
#[derive(Debug, Default)]
pub(crate) struct ConnectionCounters {
    open: AtomicU64,
    accepted: AtomicU64,
    refused: [AtomicU64; 3],
}

/// Why a connection was rejected.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RefusalReason {
    Limit,
    Client,
    Error,
}

impl ConnectionCounters {
    /// Counts a connection as open until the guard is dropped.
    pub(crate) fn open(self: &Arc<Self>) -> OpenConnection {
        self.accepted.fetch_add(1, Ordering::Relaxed);
        self.open.fetch_add(1, Ordering::Relaxed);
        OpenConnection(Arc::clone(self))
    }

    /// Counts a rejected connection.
    pub(crate) fn refused(&self, reason: RefusalReason) {
        if let Some(count) = self.refused.get(reason as usize) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn collect(&self, listener: &str, out: &mut Output) {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed) as f64;
        out.sample(&catalog::CONNECTIONS, &[listener], read(&self.open));
        out.sample(&catalog::ACCEPTED, &[listener], read(&self.accepted));
        for (reason, count) in ["limit", "client", "error"].into_iter().zip(&self.refused) {
            out.sample(&catalog::REFUSED, &[listener, reason], read(count));
        }
    }
}

/// Guard of an open connection.
#[derive(Debug)]
pub(crate) struct OpenConnection(Arc<ConnectionCounters>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counters of a listener. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ListenerMetrics(Arc<ListenerState>);

#[derive(Debug)]
struct ListenerState {
    connections: Arc<ConnectionCounters>,
    /// Counters of the requests to no project.
    other: Arc<RequestCounters>,
    durations: Arc<Durations>,
}

#[derive(Debug)]
struct Durations([Histogram; RequestClass::COUNT]);

impl ListenerMetrics {
    pub(crate) fn connections(&self) -> &Arc<ConnectionCounters> {
        &self.0.connections
    }

    /// Counts a response; `counters` are those of its project. Returns the counters for its bytes.
    pub(crate) fn record(
        &self,
        class: RequestClass,
        status: StatusCode,
        counters: Option<Arc<RequestCounters>>,
        duration: Duration,
    ) -> Arc<RequestCounters> {
        let counters = counters.unwrap_or_else(|| Arc::clone(&self.0.other));
        let class = counters.class.unwrap_or(class).with_status(status);
        let status = usize::from(status.as_u16() / 100).saturating_sub(1);
        if let Some(counts) = counters.requests.get(class as usize)
            && let Some(count) = counts.get(status)
        {
            count.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(histogram) = self.0.durations.0.get(class as usize) {
            histogram.record(duration);
        }
        counters
    }
}

/// Counters of all listeners and projects.
#[derive(Debug)]
pub(crate) struct HttpMetrics {
    sites: ListenerMetrics,
    admin: ListenerMetrics,
    durations: Arc<Durations>,
    projects: Mutex<BTreeMap<Box<str>, Arc<RequestCounters>>>,
}

impl Default for HttpMetrics {
    fn default() -> Self {
        let durations = array::from_fn(|_| Histogram::new(&RESPONSE_BOUNDS));
        let durations = Arc::new(Durations(durations));
        let listener = |project, class| {
            ListenerMetrics(Arc::new(ListenerState {
                connections: Arc::default(),
                other: Arc::new(RequestCounters::new(project, class)),
                durations: Arc::clone(&durations),
            }))
        };
        Self {
            sites: listener("", None),
            admin: listener(ADMIN, Some(RequestClass::Admin)),
            projects: Mutex::default(),
            durations,
        }
    }
}

impl HttpMetrics {
    pub(crate) const fn sites(&self) -> &ListenerMetrics {
        &self.sites
    }

    pub(crate) const fn admin(&self) -> &ListenerMetrics {
        &self.admin
    }

    /// The counters of the administration, which may be at a host of the listener of the sites.
    pub(crate) fn admin_counters(&self) -> Arc<RequestCounters> {
        Arc::clone(&self.admin.0.other)
    }

    /// The counters of a project; `None` if there are too many projects.
    pub(crate) fn project(&self, id: &str) -> Option<Arc<RequestCounters>> {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counters) = projects.get(id) {
            return Some(Arc::clone(counters));
        }
        if projects.len() >= MAX_PROJECTS {
            return None;
        }
        let counters = Arc::new(RequestCounters::new(id, None));
        projects.insert(id.into(), Arc::clone(&counters));
        Some(counters)
    }

    pub(super) fn collect(&self, out: &mut Output) {
        for (name, listener) in [("sites", &self.sites), ("admin", &self.admin)] {
            listener.0.connections.collect(name, out);
            listener.0.other.collect(out);
        }
        let projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        for counters in projects.values() {
            counters.collect(out);
        }
        for (class, histogram) in RequestClass::ALL.into_iter().zip(&self.durations.0) {
            out.histogram(&catalog::DURATION, &[class.name()], histogram);
        }
    }
}
