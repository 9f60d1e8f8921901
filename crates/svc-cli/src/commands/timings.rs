//! `svc build --timings`: the durations of the stages, from their spans.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::{LookupSpan, Registry};

/// Durations of the spans of this process, in the order in which they began. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Timings(Arc<Mutex<Vec<StageTiming>>>);

/// Spans with the same name and the same parent.
#[derive(Debug)]
struct StageTiming {
    name: &'static str,
    /// Index of the parent.
    parent: Option<usize>,
    depth: usize,
    duration: Duration,
    /// Number of items; 0 if it is unknown.
    count: u64,
}

/// Begin of a span, and index of its stage.
struct StageStart(Instant, usize);

impl Timings {
    /// Measures the spans of this process from now on.
    pub(super) fn start() -> Self {
        let timings = Self::default();
        let targets = [env!("CARGO_CRATE_NAME"), "svc_site"].map(|crate_name| {
            // Spans of stages have this level.
            (crate_name, LevelFilter::DEBUG)
        });
        let subscriber = Registry::default()
            .with(timings.clone())
            .with(Targets::from_iter(targets));
        // Only a program that already has a log has a subscriber; `svc build` has none.
        let _ = tracing::subscriber::set_global_default(subscriber);
        timings
    }

    fn stages(&self) -> MutexGuard<'_, Vec<StageTiming>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table: stage, time, number of items and items per second.
    pub(super) fn table(&self) -> String {
        let mut text = format!(
            "{:<30} {:>10} {:>8} {:>10}\n",
            "Stage", "Time", "Items", "Per second"
        );
        for stage in self.stages().iter() {
            let name = format!("{}{}", "  ".repeat(stage.depth), stage.name);
            let seconds = stage.duration.as_secs_f64();
            // Writing to a string cannot fail.
            let _ = write!(text, "{name:<30} {:>7.1} ms", seconds * 1000.0);
            if stage.count > 0 && seconds > 0.0 {
                let rate = stage.count as f64 / seconds;
                let _ = write!(text, " {:>8} {rate:>10.0}", stage.count);
            }
            text.push('\n');
        }
        text
    }
}

/// The field `count` of a span or an event.
#[derive(Default)]
pub(super) struct Count(pub(super) u64);

impl Visit for Count {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "count" {
            self.0 = value;
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Timings {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut count = Count::default();
        attributes.record(&mut count);
        let parent = span.parent().and_then(|parent| {
            let extensions = parent.extensions();
            extensions.get::<StageStart>().map(|start| start.1)
        });
        let mut stages = self.stages();
        let position = stages
            .iter()
            .position(|stage| stage.name == span.name() && stage.parent == parent);
        let index = position.unwrap_or_else(|| {
            let depth = parent.and_then(|parent| stages.get(parent));
            let depth = depth.map_or(0, |parent| parent.depth + 1);
            stages.push(StageTiming {
                name: span.name(),
                parent,
                depth,
                duration: Duration::ZERO,
                count: 0,
            });
            stages.len() - 1
        });
        if let Some(stage) = stages.get_mut(index) {
            stage.count += count.0;
        }
        drop(stages);
        span.extensions_mut()
            .insert(StageStart(Instant::now(), index));
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else {
            return;
        };
        let extensions = span.extensions();
        let Some(StageStart(begin, index)) = extensions.get() else {
            return;
        };
        if let Some(stage) = self.stages().get_mut(*index) {
            stage.duration += begin.elapsed();
        }
    }
}

#[cfg(test)]
mod tests {
    use tracing::debug_span;

    use super::*;

    #[test]
    fn stages_are_nested_and_repeated_ones_are_added() {
        let timings = Timings::default();
        let subscriber = Registry::default().with(timings.clone());
        tracing::subscriber::with_default(subscriber, || {
            let _export = debug_span!("export").entered();
            for count in [2_u64, 3] {
                let _pages = debug_span!("pages", count).entered();
                std::thread::sleep(Duration::from_millis(2));
            }
            debug_span!("links").in_scope(|| ());
        });
        let table = timings.table();
        let lines: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        let names: Vec<&str> = lines.iter().map(|line| line[0]).collect();
        assert_eq!(names, ["Stage", "export", "pages", "links"], "{table}");
        assert!(table.contains("\n  pages "), "{table}");
        assert_eq!(lines[2][3], "5", "{table}");
        let time = |line: &[&str]| line[1].parse::<f64>().unwrap();
        assert!(
            time(&lines[2]) >= 4.0 && time(&lines[1]) >= time(&lines[2]),
            "{table}"
        );
    }
}
