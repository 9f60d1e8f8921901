//! Spans of requests with the names of the semantic conventions of OpenTelemetry.

use std::time::Duration;

use opentelemetry::Value;
use opentelemetry::trace::{SpanKind, Status};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};

use crate::metrics::RequestClass;

/// Name of the span of a request in the log.
pub(super) const REQUEST: &str = "request";
/// Names of attributes: in the log, and in the semantic conventions.
const ATTRIBUTES: [(&str, &str); 6] = [
    ("method", "http.request.method"),
    ("host", "server.address"),
    ("path", "url.path"),
    ("status", "http.response.status_code"),
    ("request_id", "svc.request_id"),
    ("project", "svc.project"),
];

/// Renames the spans of requests and their attributes before they are exported.
#[derive(Debug)]
pub(super) struct RequestExporter<E>(pub(super) E);

impl<E: SpanExporter> SpanExporter for RequestExporter<E> {
    fn export(&self, mut batch: Vec<SpanData>) -> impl Future<Output = OTelSdkResult> + Send {
        batch.iter_mut().for_each(rename);
        self.0.export(batch)
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn shutdown(&self) -> OTelSdkResult {
        self.0.shutdown()
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

fn rename(span: &mut SpanData) {
    if span.name == REQUEST {
        let text = |name: &str| {
            let found = span.attributes.iter().find(|one| one.key.as_str() == name);
            found.map(|one| one.value.as_str().into_owned())
        };
        let class = RequestClass::of(&text("path").unwrap_or_default());
        let method = text("method").unwrap_or_default();
        span.name = format!("{method} {}", class.name()).into();
        span.span_kind = SpanKind::Server;
    }
    for attribute in &mut span.attributes {
        if let Some((_, name)) = ATTRIBUTES
            .iter()
            .find(|(own, _)| *own == attribute.key.as_str())
        {
            attribute.key = (*name).into();
        }
        let has_failed = match attribute.key.as_str() {
            "http.response.status_code" => matches!(attribute.value, Value::I64(500..)),
            "state" => attribute.value.as_str() == "failed",
            _ => false,
        };
        if has_failed {
            span.status = Status::error("");
        }
    }
}
