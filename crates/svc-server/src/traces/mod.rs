//! Traces: spans of requests, deployments and jobs, sent to a collector as OTLP over HTTP.
//!
//! The spans are those of the log. Only spans are exported, no events: those are in the log, which
//! names the project, the deployment and the ID of the request too.

mod client;
mod exporter;
mod sampler;

use std::io;
use std::time::Duration;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry::{KeyValue, propagation::TextMapPropagator as _};
use opentelemetry_http::HeaderExtractor;
use opentelemetry_otlp::{Protocol, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{BatchConfigBuilder, BatchSpanProcessor, SdkTracerProvider};
use tracing::level_filters::LevelFilter;
use tracing::{Metadata, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::FilterFn;

use self::client::CollectorClient;
use self::exporter::RequestExporter;
use self::sampler::RequestSampler;
use crate::TracesSettings;
use crate::log::{REQUEST_TARGET, SpanLayer};

/// Longest time that a stopping server waits for its last spans.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);
/// Time between two exports.
const INTERVAL: Duration = Duration::from_secs(2);
/// Maximum number of spans that wait. Further ones are lost until the next export.
const MAX_QUEUE: usize = 4096;
/// Crates whose spans are exported.
const TARGETS: [&str; 3] = ["svc_site", "svc_server::deploy", "svc_agent"];

/// The spans that wait for their export, which are sent when it is dropped.
#[derive(Debug)]
pub(crate) struct Traces(SdkTracerProvider);

impl Traces {
    /// Starts the export. The layer collects the spans.
    ///
    /// # Errors
    /// When the client or its thread cannot be created.
    pub(crate) fn start(settings: &TracesSettings) -> io::Result<(Self, SpanLayer)> {
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(CollectorClient::new(settings)?)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(settings.endpoint.as_str())
            .build()
            .map_err(io::Error::other)?;
        let batches = BatchConfigBuilder::default()
            .with_scheduled_delay(INTERVAL)
            .with_max_queue_size(MAX_QUEUE)
            .build();
        let processor = BatchSpanProcessor::builder(RequestExporter(exporter))
            .with_batch_config(batches)
            .build();
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource = Resource::builder_empty()
            .with_service_name(settings.service_name.clone())
            .with_attribute(version)
            .build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(processor)
            .with_sampler(RequestSampler::new(settings.sample_percent))
            .with_resource(resource)
            .build();
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("svc-server"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            .with_filter(FilterFn::new(is_exported).with_max_level_hint(LevelFilter::DEBUG));
        Ok((Self(provider), Box::new(layer)))
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        // A failure has been logged by the client.
        let _ = self.0.shutdown_with_timeout(STOP_TIMEOUT);
    }
}

fn is_exported(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    let is_own = || TARGETS.iter().any(|own| target.starts_with(own));
    metadata.is_span() && (target == REQUEST_TARGET || is_own())
}

/// Makes the span of a request a part of the trace of a proxy, by its header `traceparent` (W3C
/// Trace Context). The span must not have been entered.
pub(crate) fn continue_trace(span: &Span, headers: &http::HeaderMap) {
    if headers.contains_key("traceparent") {
        let parent = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
        // Without the layer there is no trace.
        let _ = span.set_parent(parent);
    }
}
