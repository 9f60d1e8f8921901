//! Metrics of a server in the text format of Prometheus.
//!
//! [`METRICS`] declares all of them. What requests count are atomic counters in [`http`];
//! everything else is read when metrics are requested, from sources that the parts of the server
//! register.

mod catalog;
mod class;
mod deployments;
mod histogram;
mod http;
mod output;
mod process;
mod route;
mod sites;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

pub use catalog::{METRICS, MetricDescription, MetricKind};
pub(crate) use class::RequestClass;
pub(crate) use deployments::{CountingJournal, DeploymentCounters};
use http::HttpMetrics;
pub use http::ListenerMetrics;
pub(crate) use http::{RefusalReason, RequestCounters};
use output::Output;

use svc_fetch::FetchCounters;

use crate::Tls;
use crate::admin::AgentCounters;
use crate::pull_requests::PullRequestCounters;
use crate::readers::ReaderState;
#[cfg(feature = "acme")]
use crate::tls::Acme;

/// A source of samples, read for each scrape.
type MetricSource = Box<dyn Fn(&mut Output) + Send + Sync>;

/// The metrics of a server. A handle; clones share the counters.
#[derive(Clone)]
pub struct Metrics(Arc<MetricsState>);

struct MetricsState {
    http: HttpMetrics,
    deployments: Arc<DeploymentCounters>,
    sources: Mutex<Vec<MetricSource>>,
    started: SystemTime,
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self(Arc::new(MetricsState {
            http: HttpMetrics::default(),
            deployments: Arc::default(),
            sources: Mutex::default(),
            started: SystemTime::now(),
        }))
    }
}

impl Metrics {
    /// Counters of the listener of the sites.
    pub fn sites(&self) -> ListenerMetrics {
        self.0.http.sites().clone()
    }

    /// Counters of the listener of the administration.
    pub fn admin(&self) -> ListenerMetrics {
        self.0.http.admin().clone()
    }

    /// Counters of the administration at a host of the sites.
    pub(crate) fn admin_counters(&self) -> Arc<RequestCounters> {
        self.0.http.admin_counters()
    }

    /// Counters of a project; `None` if there are too many projects.
    pub(crate) fn project(&self, id: &str) -> Option<Arc<RequestCounters>> {
        self.0.http.project(id)
    }

    /// Counters of deployments.
    pub(crate) fn deployments(&self) -> Arc<DeploymentCounters> {
        Arc::clone(&self.0.deployments)
    }

    /// Adds a source of samples.
    pub(crate) fn add_source(&self, source: MetricSource) {
        let sources = self.0.sources.lock();
        sources.unwrap_or_else(PoisonError::into_inner).push(source);
    }

    /// New counters of the outbound requests for a purpose.
    pub(crate) fn count_fetches(&self, purpose: &'static str) -> Arc<FetchCounters> {
        let counters = Arc::new(FetchCounters::default());
        self.observe_fetches(purpose, Arc::clone(&counters));
        counters
    }

    /// Adds the outbound requests for a purpose.
    fn observe_fetches(&self, purpose: &'static str, counters: Arc<FetchCounters>) {
        self.add_source(Box::new(move |out| {
            let statistics = counters.read();
            for (result, count) in [
                ("success", statistics.successes),
                ("error_response", statistics.error_responses),
                ("failure", statistics.failures),
            ] {
                out.sample(&catalog::FETCHES, &[purpose, result], count as f64);
            }
            let bytes = statistics.bytes as f64;
            out.sample(&catalog::FETCHED_BYTES, &[purpose], bytes);
        }));
    }

    /// Adds the free space of the data directory.
    pub(crate) fn observe_data(&self, dir: PathBuf) {
        self.add_source(Box::new(move |out| {
            #[cfg(unix)]
            if let Ok(disk) = rustix::fs::statvfs(&dir) {
                // What is available to other accounts than root.
                let free = disk.f_bavail.saturating_mul(disk.f_frsize);
                out.sample(&catalog::DATA_FREE, &[], free as f64);
            }
            #[cfg(not(unix))]
            let _ = (&dir, out);
        }));
    }

    /// Adds the jobs of agents.
    pub(crate) fn observe_agents(&self, agents: AgentCounters) {
        self.observe_fetches("forge", agents.fetches);
        self.add_source(Box::new(move |out| {
            let running = agents.jobs.running() as f64;
            out.sample(&catalog::JOBS_RUNNING, &[], running);
            for item in agents.jobs.finished() {
                let state = [item.outcome];
                out.sample(&catalog::JOBS, &state, item.jobs as f64);
                let seconds = item.time.as_secs_f64();
                out.sample(&catalog::JOB_DURATION, &state, seconds);
            }
        }));
    }

    /// Adds what is shown about pull requests at forges.
    pub(crate) fn observe_pull_requests(&self, counters: Arc<PullRequestCounters>) {
        self.add_source(Box::new(move |out| {
            for (result, count) in counters.read() {
                out.sample(&catalog::PULL_REQUESTS, &[result], count as f64);
            }
        }));
    }

    /// Adds the sign-ins of readers.
    pub(crate) fn observe_readers(&self, readers: ReaderState) {
        self.observe_fetches("sign_in", readers.fetches());
        self.add_source(Box::new(move |out| {
            for (result, count) in readers.sign_ins() {
                out.sample(&catalog::SIGN_INS, &[result], count as f64);
            }
            let rejected = readers.rejected_sessions();
            out.sample(&catalog::REJECTED_SESSIONS, &[], rejected as f64);
        }));
    }

    /// Counts the operations of a store.
    pub(crate) fn observe_store(&self, database: svc_store::Database) {
        self.add_source(Box::new(move |out| {
            let statistics = database.statistics();
            let up = f64::from(u8::from(database.is_reachable()));
            out.sample(&catalog::STORE_UP, &[], up);
            for (kind, operations, errors, time) in [
                (
                    "read",
                    statistics.reads,
                    statistics.read_errors,
                    statistics.read_time,
                ),
                (
                    "change",
                    statistics.changes,
                    statistics.change_errors,
                    statistics.change_time,
                ),
            ] {
                let seconds = time.as_secs_f64();
                out.sample(&catalog::STORE_DURATION, &[kind], seconds);
                out.sample(&catalog::STORE_OPERATIONS, &[kind], operations as f64);
                out.sample(&catalog::STORE_ERRORS, &[kind], errors as f64);
            }
        }));
    }

    /// Counts the operations of an object store.
    pub(crate) fn observe_objects(&self, objects: svc_objects::ObjectStore) {
        self.add_source(Box::new(move |out| {
            let status = objects.status();
            let up = f64::from(u8::from(status.is_reachable));
            out.sample(&catalog::OBJECTS_UP, &[], up);
            out.sample(&catalog::OBJECTS_OPERATIONS, &[], status.operations as f64);
            out.sample(&catalog::OBJECTS_ERRORS, &[], status.errors as f64);
        }));
    }

    /// Adds the times at which the certificates of a listener expire.
    pub(crate) fn observe_certificates(&self, listener: &'static str, tls: Tls) {
        self.add_source(Box::new(move |out| {
            for (file, expiry) in tls.expiries() {
                let labels = [listener, &*file.to_string_lossy()];
                let expiry = process::unix_seconds(expiry);
                out.sample(&catalog::CERTIFICATE_EXPIRY, &labels, expiry);
            }
        }));
    }

    /// Counts the certificates that were ordered.
    #[cfg(feature = "acme")]
    pub(crate) fn observe_orders(&self, acme: Acme) {
        self.add_source(Box::new(move |out| {
            for (host, [successes, failures]) in acme.order_counts() {
                for (result, count) in [("success", successes), ("failure", failures)] {
                    let labels = [host.as_str(), result];
                    out.sample(&catalog::ORDERS, &labels, count as f64);
                }
            }
        }));
    }

    /// All metrics in the OpenMetrics text format. Reads `/proc`, so it can block.
    pub fn to_text(&self) -> String {
        let mut out = Output::default();
        out.sample(&catalog::BUILD, &[env!("CARGO_PKG_VERSION")], 1.0);
        let start = process::unix_seconds(self.0.started);
        out.sample(&catalog::START, &[], start);
        process::collect(&mut out);
        let (rendering, waiting) = crate::image_queue::load();
        out.sample(&catalog::IMAGES, &["rendering"], rendering as f64);
        out.sample(&catalog::IMAGES, &["waiting"], waiting as f64);
        self.0.http.collect(&mut out);
        self.0.deployments.collect(&mut out);
        let sources = self.0.sources.lock();
        for source in &*sources.unwrap_or_else(PoisonError::into_inner) {
            source(&mut out);
        }
        out.into_text()
    }
}
