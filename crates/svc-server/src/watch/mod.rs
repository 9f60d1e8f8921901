//! Watches a directory for changes.
//!
//! Uses events of the operating system ([`notify`]) for every directory of the site, and falls
//! back to polling. Events are collected until they pause, because editors write in several steps
//! and thousands of files may change at once.

mod dirs;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use notify::RecommendedWatcher;
use notify::event::{Event, EventKind};
use svc_site::Changes;
use svc_source::LoadOptions;
use tracing::warn;

use crate::deploy::{DirFingerprint, fingerprint_dir};

/// Events are reported after a pause of this length.
const QUIET_INTERVAL: Duration = Duration::from_millis(8);
/// Maximum delay of events that do not pause.
const MAX_BATCH_DELAY: Duration = Duration::from_millis(400);
/// Interval of the check whether the program is stopping.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// Interval of polling.
const POLL_INTERVAL: Duration = Duration::from_millis(300);
/// Polling uses at most one part in this many of the time.
const MAX_POLL_SHARE: u32 = 10;

/// Watches a directory.
pub(crate) struct DirWatcher {
    root: PathBuf,
    pending: Arc<PendingChanges>,
    /// Watcher of the operating system; `None` while polling.
    watcher: Option<RecommendedWatcher>,
    /// Watched directories.
    dirs: BTreeSet<PathBuf>,
    /// Fingerprint of the last poll.
    fingerprint: Option<DirFingerprint>,
    /// Reason for polling, until it was logged.
    fallback_reason: Option<String>,
}

#[derive(Debug)]
struct PendingChanges {
    state: Mutex<ChangeBatch>,
    wake: Condvar,
}

#[derive(Debug)]
struct ChangeBatch {
    changes: Changes,
    /// Times of the first and the last event.
    times: Option<(Instant, Instant)>,
}

impl std::fmt::Debug for DirWatcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watching")
            .field("root", &self.root)
            .field("has_watcher", &self.watcher.is_some())
            .finish_non_exhaustive()
    }
}

impl PendingChanges {
    fn lock(&self) -> MutexGuard<'_, ChangeBatch> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, add: impl FnOnce(&mut Changes)) {
        let mut state = self.lock();
        add(&mut state.changes);
        if state.changes.is_empty() {
            return;
        }
        let now = Instant::now();
        state.times = Some((state.times.map_or(now, |(first, _)| first), now));
        drop(state);
        self.wake.notify_one();
    }
}

impl DirWatcher {
    /// Starts watching; changes from now on are reported.
    pub(crate) fn new(root: &Path) -> Self {
        // Events contain canonical paths.
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let pending = Arc::new(PendingChanges {
            state: Mutex::new(ChangeBatch {
                changes: Changes::none(),
                times: None,
            }),
            wake: Condvar::new(),
        });
        let (handler_pending, base) = (Arc::clone(&pending), root.clone());
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            handler_pending.record(|changes| record_event(changes, &base, event));
        });
        let mut watching = Self {
            fingerprint: None,
            root,
            pending,
            watcher: None,
            dirs: BTreeSet::new(),
            fallback_reason: None,
        };
        match watcher {
            Ok(watcher) => {
                watching.watcher = Some(watcher);
                watching.begin();
            }
            Err(error) => watching.fall_back_to_polling(&error),
        }
        watching
    }

    /// Waits for changes and a pause after them; `None` when the program stops.
    pub(crate) fn next(&mut self, stop: &AtomicBool) -> Option<Changes> {
        loop {
            if let Some(reason) = self.fallback_reason.take() {
                warn!("{reason}");
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let changes = if self.watcher.is_some() {
                self.take_settled()
            } else {
                self.poll()
            };
            if let Some(changes) = changes {
                self.follow(&changes);
                return Some(changes);
            }
        }
    }

    /// The collected events, once they pause.
    fn take_settled(&self) -> Option<Changes> {
        let mut state = self.pending.lock();
        loop {
            let wait = match state.times {
                None => STOP_CHECK_INTERVAL,
                Some((first, last)) => {
                    let left = QUIET_INTERVAL.saturating_sub(last.elapsed());
                    let max = MAX_BATCH_DELAY.saturating_sub(first.elapsed());
                    if left.is_zero() || max.is_zero() {
                        state.times = None;
                        let none = Changes::none();
                        return Some(std::mem::replace(&mut state.changes, none));
                    }
                    left.min(max)
                }
            };
            let idle = state.times.is_none();
            let (after, _) = self
                .pending
                .wake
                .wait_timeout(state, wait)
                .unwrap_or_else(PoisonError::into_inner);
            state = after;
            if idle && state.times.is_none() {
                return None;
            }
        }
    }

    /// Polls the directory; the result does not name the changed files.
    fn poll(&mut self) -> Option<Changes> {
        let start = Instant::now();
        let now = fingerprint(&self.root);
        let took = start.elapsed();
        let changed = now != self.fingerprint;
        thread::sleep(POLL_INTERVAL.max(took * MAX_POLL_SHARE));
        if !changed {
            return None;
        }
        self.fingerprint = now;
        Some(Changes::Unknown)
    }

    /// Switches to polling.
    fn fall_back_to_polling(&mut self, error: &notify::Error) {
        self.watcher = None;
        self.dirs.clear();
        self.fingerprint = fingerprint(&self.root);
        let limit = match error.kind {
            notify::ErrorKind::MaxFilesWatch => {
                "; on Linux, `sysctl fs.inotify.max_user_watches=524288` may help"
            }
            _ => "",
        };
        self.fallback_reason = Some(format!(
            "Cannot watch the folder for changes ({error}); polling it instead{limit}."
        ));
    }
}

/// Fingerprint of the files of a site; `None` if the directory does not exist.
fn fingerprint(root: &Path) -> Option<DirFingerprint> {
    fingerprint_dir(root, &LoadOptions::default()).ok()
}

/// Records an event.
fn record_event(changes: &mut Changes, root: &Path, event: notify::Result<Event>) {
    let Ok(event) = event else {
        changes.merge(Changes::Unknown);
        return;
    };
    // The event queue overflowed.
    if event.need_rescan() {
        changes.merge(Changes::Unknown);
    }
    if matches!(event.kind, EventKind::Access(_)) {
        return;
    }
    for path in &event.paths {
        let Ok(below) = path.strip_prefix(root) else {
            continue;
        };
        match below.to_str() {
            // An event of the root itself does not name a file.
            Some("") => {}
            Some(below) => changes.add(below.replace('\\', "/")),
            None => changes.merge(Changes::Unknown),
        }
    }
}

#[cfg(test)]
mod tests;
