//! Samples of a scrape and their text.

use std::fmt;
use std::sync::Mutex;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, MetricEncoder, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;

use super::catalog::{METRICS, MetricDescription, MetricKind};
use super::histogram::Histogram;

/// Samples of a scrape.
#[derive(Debug, Default)]
pub(crate) struct Output(Vec<Sample>);

#[derive(Debug)]
struct Sample {
    metric: &'static MetricDescription,
    labels: Vec<(&'static str, String)>,
    value: SampleValue,
}

#[derive(Debug)]
enum SampleValue {
    Number(f64),
    /// Sum, and the upper bounds with the count of each bucket.
    Buckets(f64, Vec<(f64, u64)>),
}

impl Output {
    /// Adds a sample; `labels` are the values of the labels in their order.
    pub(crate) fn sample(
        &mut self,
        metric: &'static MetricDescription,
        labels: &[&str],
        value: f64,
    ) {
        self.push(metric, labels, SampleValue::Number(value));
    }

    /// Adds the buckets of a histogram.
    pub(crate) fn histogram(
        &mut self,
        metric: &'static MetricDescription,
        labels: &[&str],
        histogram: &Histogram,
    ) {
        let (sum, buckets) = histogram.read();
        self.push(metric, labels, SampleValue::Buckets(sum, buckets));
    }

    fn push(&mut self, metric: &'static MetricDescription, labels: &[&str], value: SampleValue) {
        debug_assert_eq!(metric.labels.len(), labels.len(), "{}", metric.name);
        let names = metric.labels.iter().copied();
        let values = labels.iter().map(|value| (*value).to_owned());
        self.0.push(Sample {
            metric,
            labels: names.zip(values).collect(),
            value,
        });
    }

    /// The samples in the OpenMetrics text format, grouped by metric.
    pub(crate) fn into_text(self) -> String {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(SampleCollector(Mutex::new(self.0))));
        let mut out = String::new();
        // Writing to a `String` cannot fail.
        let _ = text::encode(&mut out, &registry);
        out
    }
}

/// Passes samples to the encoder.
#[derive(Debug)]
struct SampleCollector(Mutex<Vec<Sample>>);

impl Collector for SampleCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let samples = self.0.lock().map_err(|_| fmt::Error)?;
        for metric in METRICS {
            let mut own = samples
                .iter()
                .filter(|sample| std::ptr::eq(sample.metric, *metric))
                .peekable();
            if own.peek().is_none() {
                continue;
            }
            let kind = match metric.kind {
                MetricKind::Counter => MetricType::Counter,
                MetricKind::Gauge => MetricType::Gauge,
                MetricKind::Histogram => MetricType::Histogram,
            };
            let mut family = encoder.encode_descriptor(metric.name, metric.help, None, kind)?;
            for sample in own {
                match sample.labels.as_slice() {
                    [] => sample.encode(family.encode_family(&NO_LABELS)?)?,
                    labels => sample.encode(family.encode_family(&labels)?)?,
                }
            }
        }
        Ok(())
    }
}

const NO_LABELS: [(&str, &str); 0] = [];

impl Sample {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        match (&self.value, self.metric.kind) {
            (SampleValue::Buckets(sum, buckets), _) => {
                let count = buckets.iter().map(|bucket| bucket.1).sum();
                encoder.encode_histogram::<[(&str, &str); 0]>(*sum, count, buckets, None)
            }
            (SampleValue::Number(value), MetricKind::Counter) => {
                ConstCounter::new(*value).encode(encoder)
            }
            (SampleValue::Number(value), _) => ConstGauge::new(*value).encode(encoder),
        }
    }
}
