//! Which spans are exported.

use opentelemetry::trace::{Link, SpanKind, TraceId};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::trace::{Sampler, SamplingResult, ShouldSample};

use super::exporter::REQUEST;

/// Exports a share of the requests, and everything else. Spans in other spans follow them.
#[derive(Debug, Clone)]
pub(super) struct RequestSampler {
    requests: Sampler,
    others: Sampler,
}

impl RequestSampler {
    pub(super) fn new(percent: u8) -> Self {
        let share = Sampler::TraceIdRatioBased(f64::from(percent) / 100.0);
        Self {
            requests: Sampler::ParentBased(Box::new(share)),
            others: Sampler::ParentBased(Box::new(Sampler::AlwaysOn)),
        }
    }
}

impl ShouldSample for RequestSampler {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        trace: TraceId,
        name: &str,
        kind: &SpanKind,
        attributes: &[KeyValue],
        links: &[Link],
    ) -> SamplingResult {
        let sampler = match name {
            REQUEST => &self.requests,
            _ => &self.others,
        };
        sampler.should_sample(parent, trace, name, kind, attributes, links)
    }
}
