//! What changes in a folder, as soon as it changes.
//!
//! The system tells ([`notify`]) of every folder that belongs to the site; where it cannot, the
//! files of the site are looked at again and again. What it tells is gathered until it is
//! quiet, as editors write in several steps, and thousands of files may change at once.

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

use crate::deploy::{DirFingerprint, fingerprint_dir};

/// How long nothing may have changed before something is done.
const QUIET_INTERVAL: Duration = Duration::from_millis(8);
/// How long it may go on before something is done all the same.
const MAX_BATCH_DELAY: Duration = Duration::from_millis(400);
/// How often it is looked whether the program ends.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// How often a folder is looked at where the system does not tell.
const POLL_INTERVAL: Duration = Duration::from_millis(300);
/// The part of the time that looking may take.
const MAX_POLL_SHARE: u32 = 10;

/// Watches a folder.
pub(crate) struct DirWatcher {
    root: PathBuf,
    pending: Arc<PendingChanges>,
    /// What the system tells; nothing where it does not.
    watcher: Option<RecommendedWatcher>,
    /// The folders it tells of.
    dirs: BTreeSet<PathBuf>,
    /// How its files looked, where they are looked at.
    fingerprint: Option<DirFingerprint>,
    /// Why the folder has to be looked at, until it was said.
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
    /// When the first and the last of them came.
    times: Option<(Instant, Instant)>,
}

impl std::fmt::Debug for DirWatcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watching")
            .field("root", &self.root)
            .field("told", &self.watcher.is_some())
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
    /// Begins to watch; what changes from now on will be told.
    pub(crate) fn new(root: &Path) -> Self {
        // What the system tells has the real path.
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let pending = Arc::new(PendingChanges {
            state: Mutex::new(ChangeBatch {
                changes: Changes::none(),
                times: None,
            }),
            wake: Condvar::new(),
        });
        let (told, base) = (Arc::clone(&pending), root.clone());
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            told.record(|changes| record_event(changes, &base, event));
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

    /// Waits for changes and for quiet after them; nothing when the program ends. `tell` gets a
    /// line for people.
    pub(crate) fn next(&mut self, stopped: &AtomicBool, tell: &dyn Fn(&str)) -> Option<Changes> {
        loop {
            if let Some(excuse) = self.fallback_reason.take() {
                tell(&excuse);
            }
            if stopped.load(Ordering::Relaxed) {
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

    /// What the system told, once it is quiet.
    fn take_settled(&self) -> Option<Changes> {
        let mut state = self.pending.lock();
        loop {
            let wait = match state.times {
                None => STOP_CHECK_INTERVAL,
                Some((first, last)) => {
                    let left = QUIET_INTERVAL.saturating_sub(last.elapsed());
                    let most = MAX_BATCH_DELAY.saturating_sub(first.elapsed());
                    if left.is_zero() || most.is_zero() {
                        state.times = None;
                        let none = Changes::none();
                        return Some(std::mem::replace(&mut state.changes, none));
                    }
                    left.min(most)
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

    /// Looks at the folder; it says only that something changed.
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

    /// From now on the folder is looked at.
    fn fall_back_to_polling(&mut self, error: &notify::Error) {
        self.watcher = None;
        self.dirs.clear();
        self.fingerprint = fingerprint(&self.root);
        let limit = match error.kind {
            notify::ErrorKind::MaxFilesWatch => {
                "; on Linux `sysctl fs.inotify.max_user_watches=524288` lets it"
            }
            _ => "",
        };
        self.fallback_reason = Some(format!(
            "The system cannot tell what changes here ({error}), so the folder is looked at every moment{limit}."
        ));
    }
}

/// How the files of a site look; nothing while its folder is not there.
fn fingerprint(root: &Path) -> Option<DirFingerprint> {
    fingerprint_dir(root, &LoadOptions::default()).ok()
}

/// Adds what an event says.
fn record_event(changes: &mut Changes, root: &Path, event: notify::Result<Event>) {
    let Ok(event) = event else {
        changes.merge(Changes::Unknown);
        return;
    };
    // The queue of the system was full, and something is lost.
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
            // The root itself says nothing about what is in it.
            Some("") => {}
            Some(below) => changes.add(below.replace('\\', "/")),
            None => changes.merge(Changes::Unknown),
        }
    }
}

#[cfg(test)]
mod tests;
