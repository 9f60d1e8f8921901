//! All metrics with their types, units and help texts. The reference is generated from this list.

/// Type of a metric in the exposition format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// A number that only grows; its name ends in `_total`.
    Counter,
    /// A number that grows and shrinks.
    Gauge,
    /// Counts of values in buckets.
    Histogram,
}

impl MetricKind {
    /// Name in the exposition format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// Description of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricDescription {
    /// Name without the suffix `_total` of counters.
    pub name: &'static str,
    /// Type.
    pub kind: MetricKind,
    /// Names of the labels, in the order of their values.
    pub labels: &'static [&'static str],
    /// One sentence.
    pub help: &'static str,
}

impl MetricDescription {
    /// Name as in queries; that of a histogram without `_bucket`, `_sum` and `_count`.
    pub fn full_name(&self) -> String {
        match self.kind {
            MetricKind::Counter => format!("{}_total", self.name),
            MetricKind::Gauge | MetricKind::Histogram => self.name.to_owned(),
        }
    }
}

/// Declares the metrics and [`METRICS`].
macro_rules! metrics {
    ($($id:ident: $kind:ident $name:literal [$($label:literal),*] $help:literal;)*) => {
        $(pub(super) static $id: MetricDescription = MetricDescription {
            name: $name,
            kind: MetricKind::$kind,
            labels: &[$($label),*],
            help: $help,
        };)*

        /// All metrics, in the order of the output.
        pub static METRICS: &[&MetricDescription] = &[$(&$id),*];
    };
}

metrics! {
    BUILD: Gauge "svc_build_info" ["version"] "Version of the program; the value is always 1.";
    READY: Gauge "svc_ready" [] "Whether `/_svc/ready` succeeds, 1 or 0.";
    DRAINING: Gauge "svc_draining" [] "Whether the server is stopping, 1 or 0.";
    REQUESTS: Counter "svc_http_requests" ["project", "class", "status"] "Responses by project, class of the request and class of the status.";
    RESPONSE_BYTES: Counter "svc_http_response_body_bytes" ["project"] "Bytes of response bodies that were sent, without headers.";
    DURATION: Histogram "svc_http_request_duration_seconds" ["class"] "Time from the head of a request to the beginning of its response.";
    CONNECTIONS: Gauge "svc_http_connections" ["listener"] "Open connections.";
    ACCEPTED: Counter "svc_http_connections_accepted" ["listener"] "Connections that were accepted.";
    REFUSED: Counter "svc_http_connections_refused" ["listener", "reason"] "Connections that were rejected: `limit` of all connections, `client` for the limit of one address, `error` if accepting failed.";
    CERTIFICATE_EXPIRY: Gauge "svc_tls_certificate_expiry_timestamp_seconds" ["listener", "file"] "Time at which a certificate of the server expires, in seconds since the Unix epoch. Only with TLS.";
    ORDERS: Counter "svc_tls_certificate_orders" ["host", "result"] "Certificates that the server requested for a host: `success` or `failure`. Only with `[tls.acme]`.";
    PROJECT_READY: Gauge "svc_project_live" ["project"] "Whether the project has a live site, 1 or 0.";
    PAGES: Gauge "svc_site_pages" ["project"] "Pages of the live site.";
    PROBLEMS: Gauge "svc_site_problems" ["project", "severity"] "Problems in the files of the live site, without those of pages that have not been rendered.";
    RENDERED: Counter "svc_pages_rendered" ["project"] "Pages that were rendered, on request or ahead of it.";
    RENDER_DURATION: Counter "svc_page_render_duration_seconds" ["project"] "Time that rendering pages took, summed over all threads.";
    CACHE_LOOKUPS: Counter "svc_site_cache_lookups" ["project", "cache", "result"] "Lookups in the caches of the live site: `hit`, or `miss` if the entry was made.";
    CACHE_BYTES: Gauge "svc_site_cache_bytes" ["project", "cache"] "Bytes in the caches of the live site, before compression.";
    CACHE_ENTRIES: Gauge "svc_site_cache_entries" ["project", "cache"] "Entries in the caches of the live site.";
    DEPLOYMENTS: Counter "svc_deployments" ["project", "state"] "Deployments that became live or failed since the start.";
    DEPLOYMENT_DURATION: Histogram "svc_deployment_duration_seconds" ["state"] "Time from the start of a build until it was live or failed.";
    JOURNAL_ERRORS: Counter "svc_deployment_journal_errors" [] "States of deployments that could not be recorded in the data folder.";
    DATA_FREE: Gauge "svc_data_free_bytes" [] "Free space on the disk of the data folder. Unix, only with `--config`.";
    DEPLOYMENTS_PENDING: Gauge "svc_deployments_pending" ["state"] "Deployments that are queued or being built.";
    LIVE_SINCE: Gauge "svc_deployment_live_timestamp_seconds" ["project"] "Time at which the live deployment was published, in seconds since the Unix epoch.";
    STORE_UP: Gauge "svc_store_up" [] "Whether the last operation of the store succeeded, 1 or 0. Only with `[admin]`.";
    STORE_OPERATIONS: Counter "svc_store_operations" ["kind"] "Operations of the store: `read` or `change`. Only with `[admin]`.";
    STORE_ERRORS: Counter "svc_store_errors" ["kind"] "Operations for which the store was not available. Only with `[admin]`.";
    STORE_DURATION: Counter "svc_store_operation_duration_seconds" ["kind"] "Time that operations of the store took, summed. Only with `[admin]`.";
    OBJECTS_UP: Gauge "svc_objects_up" [] "Whether the last operation of the object store succeeded, 1 or 0. Only with `[objects]`.";
    OBJECTS_OPERATIONS: Counter "svc_objects_operations" [] "Operations of the object store. Only with `[objects]`.";
    OBJECTS_ERRORS: Counter "svc_objects_errors" [] "Operations for which the object store was not available. Only with `[objects]`.";
    SIGN_INS: Counter "svc_reader_sign_ins" ["result"] "Sign-ins of readers, without silent renewals: `success`, or why they failed. Only with `--config`.";
    REJECTED_SESSIONS: Counter "svc_reader_sessions_rejected" [] "Requests with a session of a reader that has ended or is not valid. Only with `--config`.";
    FETCHES: Counter "svc_outbound_requests" ["purpose", "result"] "Requests that the server sent: `success`, `error_response` for a status of 400 or above, `failure` without a response. Only with `--config`.";
    FETCHED_BYTES: Counter "svc_outbound_response_body_bytes" ["purpose"] "Bytes of the responses to them, decompressed. Only with `--config`.";
    JOBS_RUNNING: Gauge "svc_agent_jobs_running" [] "Agent jobs that this server runs now. Only with `[admin]`.";
    JOBS: Counter "svc_agent_jobs" ["state"] "Agent jobs that ended on this server: `completed`, `failed`, `lost` if they were canceled or claimed by another server, `released` for other servers. Only with `[admin]`.";
    JOB_DURATION: Counter "svc_agent_job_duration_seconds" ["state"] "Time that agent jobs took until they ended, summed. Only with `[admin]`.";
    PULL_REQUESTS: Counter "svc_pull_request_updates" ["result"] "Attempts to show the state of a preview at a forge: `success`, `retry` if the forge was not available, `failure` if it rejected the request. Only with `[admin]`.";
    IMAGES: Gauge "svc_image_requests" ["state"] "Requests for images that are not in the cache: `rendering`, or `waiting` for others.";
    CPU: Counter "process_cpu_seconds" [] "CPU time of the process. Linux only.";
    MEMORY: Gauge "process_resident_memory_bytes" [] "Resident memory of the process. Linux only.";
    DESCRIPTORS: Gauge "process_open_fds" [] "Open file descriptors. Linux only.";
    MAX_DESCRIPTORS: Gauge "process_max_fds" [] "Limit of open file descriptors.";
    THREADS: Gauge "process_threads" [] "Threads of the process. Linux only.";
    START: Gauge "process_start_time_seconds" [] "Time at which the server started, in seconds since the Unix epoch.";
}
