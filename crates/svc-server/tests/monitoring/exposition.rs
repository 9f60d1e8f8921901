//! A strict reader of the OpenMetrics text format.

use std::collections::{BTreeMap, BTreeSet};

use svc_server::{METRICS, MetricDescription, MetricKind};

/// Values by series, such as `svc_http_connections{listener="sites"}`.
pub(crate) type SeriesValues = BTreeMap<String, f64>;

/// Reads the text of a scrape, and panics at the first violation of the format.
pub(crate) fn read(text: &str) -> SeriesValues {
    let body = text.strip_suffix("# EOF\n").expect("the text is complete");
    let mut series = SeriesValues::new();
    let mut families = BTreeSet::new();
    let mut lines = body.lines().peekable();
    while let Some(line) = lines.next() {
        let (name, help) = line
            .strip_prefix("# HELP ")
            .and_then(|rest| rest.split_once(' '))
            .unwrap_or_else(|| panic!("a family begins with HELP: {line}"));
        assert!(families.insert(name.to_owned()), "{name} is there twice");
        let metric = METRICS.iter().find(|metric| metric.name == name);
        let metric = metric.unwrap_or_else(|| panic!("{name} is not declared"));
        assert_eq!(help, metric.help);
        let kind = format!("# TYPE {name} {}", metric.kind.name());
        assert_eq!(lines.next(), Some(&*kind));
        while let Some(line) = lines.next_if(|line| !line.starts_with('#')) {
            let (key, value) = sample(metric, line);
            assert!(series.insert(key, value).is_none(), "{line} is there twice");
        }
    }
    for metric in METRICS {
        if metric.kind == MetricKind::Histogram {
            check_buckets(metric.name, &series);
        }
    }
    series
}

fn sample(metric: &MetricDescription, line: &str) -> (String, f64) {
    let (key, value) = line.rsplit_once(' ').expect(line);
    let value: f64 = value.parse().expect(line);
    let (name, labels) = match key.split_once('{') {
        Some((name, labels)) => (name, labels.strip_suffix('}').expect(line)),
        None => (key, ""),
    };
    let suffix = name.strip_prefix(metric.name).expect(line);
    let mut expected = metric.labels.to_vec();
    match (metric.kind, suffix) {
        (MetricKind::Counter, "_total")
        | (MetricKind::Gauge, "")
        | (MetricKind::Histogram, "_sum" | "_count") => {}
        (MetricKind::Histogram, "_bucket") => expected.insert(0, "le"),
        _ => panic!("wrong suffix: {line}"),
    }
    let mut names: Vec<&str> = Vec::new();
    for label in labels.split("\",").filter(|label| !label.is_empty()) {
        let (name, value) = label.split_once("=\"").expect(line);
        assert!(
            !value.trim_end_matches('"').contains(['"', '\\', '\n']),
            "{line}"
        );
        names.push(name);
    }
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected, "{line}");
    assert!(value >= 0.0, "{line}");
    (key.to_owned(), value)
}

/// The buckets of each series grow, and the last one has all values.
fn check_buckets(name: &str, series: &SeriesValues) {
    let prefix = format!("{name}_bucket{{");
    let mut groups: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
    for (key, count) in series.range(prefix.clone()..) {
        let Some(labels) = key.strip_prefix(&prefix) else {
            break;
        };
        let (bound, rest) = labels.split_once("le=\"").map_or_else(
            || panic!("{key} has no bound"),
            |(before, bound)| {
                let (bound, after) = bound.split_once('"').expect(key);
                (bound, format!("{before}{after}"))
            },
        );
        let bound = match bound {
            "+Inf" => f64::INFINITY,
            bound => bound.parse().expect(key),
        };
        groups.entry(rest).or_default().push((bound, *count));
    }
    assert!(!groups.is_empty(), "{name} has no buckets");
    for (labels, mut buckets) in groups {
        buckets.sort_by(|a, b| a.0.total_cmp(&b.0));
        let is_growing = buckets.windows(2).all(|pair| pair[0].1 <= pair[1].1);
        assert!(is_growing, "{name} {labels}: {buckets:?}");
        let (bound, all) = buckets.last().unwrap();
        assert!(bound.is_infinite(), "{name} {labels}");
        let labels = labels.trim_matches(|c| c == ',' || c == '}');
        let count = series.get(&format!("{name}_count{{{labels}}}"));
        assert_eq!(count, Some(all), "{name} {labels}");
    }
}
