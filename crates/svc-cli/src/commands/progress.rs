//! A line on the terminal that shows how far a slow command is.

use std::env;
use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tracing::level_filters::LevelFilter;
use tracing::span::Id;
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::{LookupSpan, Registry};

use super::timings::Count;

/// Commands that are faster show nothing.
const DELAY: Duration = Duration::from_millis(500);
/// Time between two drawings.
const INTERVAL: Duration = Duration::from_millis(100);
/// Loops with fewer items have no bar.
const MIN_ITEMS: u64 = 20;

/// Shows the stage of a command on standard error until it is dropped, and leaves no trace.
pub(super) struct Progress {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// `None` if nobody watches: standard error is not a terminal, or this is CI.
    pub(super) fn start() -> Option<Self> {
        let is_ci = env::var_os("CI").is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_none_or(|value| value == "dumb");
        if is_ci || is_dumb || !io::stderr().is_terminal() {
            return None;
        }
        let stage = StageLayer::default();
        let targets = [
            ("svc_site", LevelFilter::DEBUG),
            (svc_site::PROGRESS_TARGET, LevelFilter::TRACE),
        ];
        let subscriber = Registry::default()
            .with(stage.clone())
            .with(Targets::from_iter(targets));
        // `--timings` has its own subscriber.
        tracing::subscriber::set_global_default(subscriber).ok()?;
        let (stop, stopped) = mpsc::channel();
        let draw = move || {
            if stopped.recv_timeout(DELAY) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new(0);
            loop {
                stage.lock().show(&bar);
                if stopped.recv_timeout(INTERVAL) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
            bar.finish_and_clear();
        };
        let thread = thread::Builder::new().spawn(draw).ok();
        let stop = Some(stop);
        Some(Self { stop, thread })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // What it draws is not worth an error.
            let _ = thread.join();
        }
    }
}

/// What the command is doing.
#[derive(Debug, Default)]
struct Stage {
    /// Spans that were entered, outermost first.
    names: Vec<&'static str>,
    /// Finished items of the last loop, and all of them.
    done: u64,
    total: u64,
}

impl Stage {
    fn show(&self, bar: &ProgressBar) {
        let has_bar = self.total >= MIN_ITEMS && self.done < self.total;
        let template = match has_bar {
            true => "{spinner} {msg} {wide_bar} {pos}/{len} {elapsed}",
            false => "{spinner} {msg} {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_length(self.total);
        bar.set_position(self.done);
        bar.set_message(self.names.last().copied().unwrap_or("checking"));
        bar.tick();
    }
}

/// Collects the stage from spans and events. Clones share it.
#[derive(Debug, Clone, Default)]
struct StageLayer(Arc<Mutex<Stage>>);

impl StageLayer {
    fn lock(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for StageLayer {
    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            self.lock().names.push(span.name());
        }
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        let name = context.span(id).map(|span| span.name());
        let mut stage = self.lock();
        // Spans of several threads are not nested.
        if let Some(at) = stage.names.iter().rposition(|own| Some(*own) == name) {
            stage.names.remove(at);
        }
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() != svc_site::PROGRESS_TARGET {
            return;
        }
        let mut count = Count::default();
        event.record(&mut count);
        let mut stage = self.lock();
        if stage.total != count.0 || stage.done == stage.total {
            (stage.done, stage.total) = (0, count.0);
        }
        stage.done += 1;
    }
}

#[cfg(test)]
mod tests {
    use tracing::debug_span;

    use super::*;

    #[test]
    fn stages_and_loops_are_followed() {
        let stage = StageLayer::default();
        let subscriber = Registry::default().with(stage.clone());
        let figures = || {
            let stage = stage.lock();
            (stage.done, stage.total)
        };
        tracing::subscriber::with_default(subscriber, || {
            let outer = debug_span!("export").entered();
            let inner = debug_span!("pages").entered();
            let item = || tracing::trace!(target: svc_site::PROGRESS_TARGET, count = 3_u64);
            item();
            item();
            assert_eq!(stage.lock().names, ["export", "pages"]);
            assert_eq!(figures(), (2, 3));
            item();
            item();
            assert_eq!(figures(), (1, 3), "another loop");
            drop(inner);
            tracing::trace!(count = 9_u64, "an event of something else");
            assert_eq!(stage.lock().names, ["export"]);
            assert_eq!(stage.lock().total, 3);
            drop(outer);
        });
        assert!(stage.lock().names.is_empty());
    }

    #[test]
    fn a_loop_with_many_items_has_a_bar() {
        let bar = ProgressBar::hidden();
        let stage = Stage {
            names: vec!["pages"],
            done: 30,
            total: 40,
        };
        stage.show(&bar);
        assert_eq!((bar.position(), bar.length()), (30, Some(40)));
        assert_eq!(bar.message(), "pages");
    }
}
