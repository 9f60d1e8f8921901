//! Parallel loops over indexes.
//!
//! A thread pool such as that of rayon does not fit here. Rendering needs threads with [`STACK_SIZE`]
//! and the number of threads that the caller may use: a server that renders in the background uses
//! one. New threads inherit the lowered priority of the thread of a deployer; the threads of a shared
//! pool would not, and a pool would be global state. A pool for each call would start the same
//! threads as this loop.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Target of an event for each finished item of a loop, with the field `count`: the number of items.
/// Programs show it as progress.
pub const PROGRESS_TARGET: &str = "svc_site::progress";

/// Number of threads that this machine runs at the same time.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Calls `task` for `0..count` on several threads; the results are in order. A panic ends its thread,
/// and the results of that thread are missing.
pub(crate) fn in_parallel<T: Send>(
    count: usize,
    threads: usize,
    task: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let task = |index| {
        let result = task(index);
        tracing::trace!(target: PROGRESS_TARGET, count);
        result
    };
    if count <= 1 || threads <= 1 {
        return (0..count).map(task).collect();
    }
    let next = AtomicUsize::new(0);
    let run = || {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return results;
            }
            results.push((index, task(index)));
        }
    };
    let mut all: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(count))
            .map(|_| {
                thread::Builder::new()
                    .stack_size(STACK_SIZE)
                    .spawn_scoped(scope, run)
            })
            .collect();
        let workers = workers.into_iter().flatten();
        let mut all: Vec<(usize, T)> = workers
            .flat_map(|worker| worker.join().unwrap_or_default())
            .collect();
        // Runs on this thread only if no thread could be started.
        all.extend(run());
        all
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, value)| value).collect()
}

/// Stack size of render threads: rendering recurses as deep as the page is nested, within the
/// limits of the renderer.
const STACK_SIZE: usize = 8 << 20;
